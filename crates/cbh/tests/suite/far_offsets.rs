//! Records behind the first 4 GiB of a file, in both formats of this crate.

use cbh::v2;
use cbh::{Losses, OpenOptions, ReadAt};
use chess_core::Game;

use crate::common::{game, tokens};

/// The size of the gap in bytes.
const GAP: u64 = 5 << 30;

/// A file with a gap of zeros, as a sparse file has it.
#[derive(Clone, Default)]
struct Sparse {
    bytes: Vec<u8>,
    /// The offset of the gap.
    at: usize,
    gap: u64,
}

impl Sparse {
    fn whole(bytes: &[u8]) -> Sparse {
        Sparse { bytes: bytes.to_vec(), at: 0, gap: 0 }
    }
}

impl ReadAt for Sparse {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.bytes.len() as u64 + self.gap)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = buffer.len().min((self.size()?.saturating_sub(offset)) as usize);
        for (place, byte) in (offset..).zip(&mut buffer[..size]) {
            let far = place.checked_sub(self.gap).filter(|place| *place >= self.at as u64);
            let near = Some(place).filter(|place| *place < self.at as u64);
            *byte = near.or(far).map_or(0, |place| self.bytes[place as usize]);
        }
        Ok(size)
    }
}

/// Two annotated games. Each record of the second game follows one of the first.
fn written() -> [Game; 2] {
    [game(&["e2e4", "{first}", "e7e5"]), game(&["d2d4", "{second}", "d7d5"])]
}

#[test]
fn read_cbh_records_behind_4_gib_takes_the_offsets_of_the_cbj() {
    let (mut parts, losses) = crate::common::write(&written());
    assert_eq!(losses, []);
    let cbj = parts.cbj.as_mut().unwrap();
    let mut moved = |at: usize| {
        // The second record of the .cbj: 32 bytes of header, 120 bytes each. (cbh §7)
        let field = &mut cbj[32 + 120 + at..32 + 120 + at + 8];
        let offset = u64::from_be_bytes((*field).try_into().unwrap());
        field.copy_from_slice(&(offset + GAP).to_be_bytes());
        offset as usize
    };
    let (annotations, moves) = (moved(12), moved(30));
    // The offsets in the .cbh are the lower halves. (cbh §3.2)
    let cbh = &mut parts.cbh;
    for (at, offset) in [(1, moves), (5, annotations)] {
        let low = (offset as u64 + GAP) as u32;
        cbh[2 * 46 + at..2 * 46 + at + 4].copy_from_slice(&low.to_be_bytes());
    }
    let gap = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        let size = bytes.len() as u64 + GAP;
        bytes[2..6].copy_from_slice(&u32::MAX.to_be_bytes());
        bytes[10..18].copy_from_slice(&size.to_be_bytes());
        Sparse { bytes, at, gap: GAP }
    };
    let whole = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(Sparse::whole);
    let mut far = cbh::Parts::new(Sparse::whole(&parts.cbh), gap(&parts.cbg, moves));
    far.cba = parts.cba.as_deref().map(|bytes| gap(bytes, annotations));
    (far.cbp, far.cbt, far.cbc) = (whole(&parts.cbp), whole(&parts.cbt), whole(&parts.cbc));
    (far.cbs, far.cbj, far.cbe) = (whole(&parts.cbs), whole(&parts.cbj), whole(&parts.cbe));
    far.cbl = whole(&parts.cbl);
    let base = cbh::Database::from_parts(far, &OpenOptions::default()).unwrap();
    assert_eq!(base.check().unwrap(), Vec::<String>::new());
    assert_same(base.games(), base.warnings());
}

#[test]
fn read_2cbh_records_behind_4_gib_takes_the_offsets_of_the_headers() {
    let (mut writer, mut losses) = (v2::Writer::in_memory(), Losses::new());
    for game in written() {
        writer.write(&game, &mut losses).unwrap();
    }
    let mut parts = writer.into_bytes().unwrap();
    let mut moved = |at: usize| {
        let field = &mut parts.headers[2 * 192 + at..2 * 192 + at + 8];
        let offset = u64::from_le_bytes((*field).try_into().unwrap());
        field.copy_from_slice(&(offset + GAP).to_le_bytes());
        offset as usize
    };
    let (moves, annotations) = (moved(0x08), moved(0x10));
    let gap = |bytes: &Option<Vec<u8>>, at: usize| {
        let mut bytes = bytes.clone().unwrap();
        let size = bytes.len() as u64 + GAP;
        bytes[..8].copy_from_slice(&size.to_le_bytes());
        Some(Sparse { bytes, at, gap: GAP })
    };
    let mut far = v2::Parts::new(Sparse::whole(&parts.headers));
    far.moves = gap(&parts.moves, moves);
    far.annotations = gap(&parts.annotations, annotations);
    far.entities = parts.entities.as_deref().map(Sparse::whole);
    let base = v2::Database::from_parts(far, &OpenOptions::default()).unwrap();
    assert_eq!(base.check().unwrap(), Vec::<String>::new());
    assert_same(base.games(), base.warnings());
}

fn assert_same(
    games: impl Iterator<Item = Result<Game, cbh::Error>>,
    warnings: &[chess_store::Warning],
) {
    assert_eq!(warnings, []);
    let read: Vec<_> = games.map(|game| tokens(&game.unwrap())).collect();
    assert_eq!(read, written().map(|game| tokens(&game)));
}
