//! Records of the `.cbj`: header fields that were added in later versions.

use nom::number::complete::le_u32;
use nom::{IResult, Parser};

use crate::header::put;
use crate::layout::{EXTENDED_HEADER, EXTENDED_RECORD, EXTENDED_VERSION};

/// The header of a `.cbj`.
// cbh §7 "Extended headers"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ExtendedHeader {
    pub(crate) version: u32,
    /// The size of a record in bytes.
    pub(crate) size: u32,
    pub(crate) count: u32,
}

pub(crate) fn parse_extended_header(bytes: &[u8]) -> Option<ExtendedHeader> {
    fn header(input: &[u8]) -> IResult<&[u8], ExtendedHeader> {
        let (rest, (version, size, count)) = (le_u32, le_u32, le_u32).parse(input)?;
        Ok((rest, ExtendedHeader { version, size, count }))
    }
    header(bytes).ok().map(|(_, header)| header)
}

impl ExtendedHeader {
    /// Encodes the header of a file with `count` records.
    pub(crate) fn encode(count: u32) -> [u8; EXTENDED_HEADER] {
        let mut bytes = [0; EXTENDED_HEADER];
        put(&mut bytes, 0, &EXTENDED_VERSION.to_le_bytes());
        put(&mut bytes, 4, &u32::try_from(EXTENDED_RECORD).unwrap_or(0).to_le_bytes());
        put(&mut bytes, 8, &count.to_le_bytes());
        bytes
    }

    /// Returns the offset of the record of game `number`, counted from 1.
    pub(crate) fn offset(&self, number: u64) -> u64 {
        let before = number.saturating_sub(1).saturating_mul(u64::from(self.size));
        before.saturating_add(EXTENDED_HEADER as u64)
    }
}

/// The fields that are read from a record. Fields that its version lacks are `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extended {
    pub(crate) white_team: Option<u32>,
    pub(crate) black_team: Option<u32>,
    pub(crate) annotations: Option<u64>,
    pub(crate) moves: Option<u64>,
    pub(crate) tag: Option<u32>,
}

impl Extended {
    pub(crate) const NONE: Extended =
        Extended { white_team: None, black_team: None, annotations: None, moves: None, tag: None };
}

pub(crate) fn parse_extended(bytes: &[u8]) -> Extended {
    fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
        bytes.get(at..)?.first_chunk().copied()
    }
    // -1 and all other negative numbers mean none.
    let id = |at| {
        let id = u32::from_be_bytes(field(bytes, at)?);
        (id <= i32::MAX.unsigned_abs()).then_some(id)
    };
    let long = |at| field(bytes, at).map(u64::from_be_bytes);
    // If either of the two fields is cut off, neither is used.
    let [white_team, black_team] = if bytes.len() < 8 { [None; 2] } else { [id(0), id(4)] };
    Extended { white_team, black_team, annotations: long(12), moves: long(30), tag: id(116) }
}

/// The rating type that ChessBase gives players of imported games.
const RATING: [u8; 16] = *b"\0\x01\0\x01\0FIDE\0\0\0\0\0\0\0";

/// Encodes the record of a game as ChessBase writes it on import.
pub(crate) fn encode_extended(
    (white_team, black_team): (Option<u32>, Option<u32>),
    (moves, annotations): (u64, u64),
    tag: Option<u32>,
    out: &mut [u8; EXTENDED_RECORD],
) {
    *out = [0; EXTENDED_RECORD];
    let id = |id: Option<u32>| id.unwrap_or(u32::MAX).to_be_bytes();
    put(out, 0, &id(white_team));
    put(out, 4, &id(black_team));
    put(out, 12, &annotations.to_be_bytes());
    put(out, 30, &moves.to_be_bytes());
    put(out, 38, &RATING);
    put(out, 54, &RATING);
    put(out, 116, &id(tag));
}

/// Encodes the record of a guiding text as ChessBase writes it: no teams, no media, the offset.
pub(crate) fn encode_text_extended(moves: u64, out: &mut [u8; EXTENDED_RECORD]) {
    *out = [0; EXTENDED_RECORD];
    put(out, 0, &[0xff; 12]);
    put(out, 30, &moves.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extended_record_example_round_trips() {
        let mut bytes = [0; EXTENDED_RECORD];
        encode_extended((Some(3), None), (26, 1 << 40), None, &mut bytes);
        assert_eq!(bytes[..8], [0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff]);
        let read = parse_extended(&bytes);
        assert_eq!((read.white_team, read.black_team, read.tag), (Some(3), None, None));
        assert_eq!((read.moves, read.annotations), (Some(26), Some(1 << 40)));
        assert_eq!(parse_extended(&bytes[..8]).moves, None);
        assert_eq!(parse_extended(&[]), Extended { white_team: None, ..Extended::NONE });
        let header = parse_extended_header(&ExtendedHeader::encode(7)).unwrap();
        assert_eq!(
            (header.version, header.size, header.count, header.offset(2)),
            (11, 120, 7, 152)
        );
    }
}
