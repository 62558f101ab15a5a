//! Records that are collected unsorted by several threads and taken back sorted, in bounded memory.

use std::io;
use std::sync::{Mutex, PoisonError};

use chess_store::io::{ReadAt as _, TemporaryFile, WriteAt as _};

/// The parts that are sorted one after the other. A record's part is the first byte of its key.
pub(crate) const PARTS: usize = 256;

/// The bytes of a part that a thread collects before they go to the file.
const BUFFER: usize = 64 << 10;

/// The bytes of a record.
const SIZE: usize = 14;

/// A position that a game reached, and the move that it played there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Record {
    pub(crate) key: u64,
    /// The bits of the move.
    pub(crate) m: u16,
    pub(crate) game: u32,
}

impl Record {
    fn to_bytes(self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        let (key, rest) = bytes.split_at_mut(8);
        key.copy_from_slice(&self.key.to_le_bytes());
        let (m, game) = rest.split_at_mut(2);
        m.copy_from_slice(&self.m.to_le_bytes());
        game.copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    fn of_bytes(bytes: &[u8; SIZE]) -> Record {
        let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, g0, g1, g2, g3] = *bytes;
        Record {
            key: u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            m: u16::from_le_bytes([m0, m1]),
            game: u32::from_le_bytes([g0, g1, g2, g3]),
        }
    }
}

/// The file, and where it has which part: offset and length.
#[derive(Default)]
struct Shared {
    file: Option<TemporaryFile>,
    end: u64,
    pieces: Vec<Vec<(u64, usize)>>,
}

/// The records of all threads.
#[derive(Default)]
pub(crate) struct Spill(Mutex<Shared>);

/// The records of one thread.
pub(crate) struct Buffers(Vec<Vec<u8>>);

impl Spill {
    pub(crate) fn buffers(&self) -> Buffers {
        Buffers(vec![Vec::new(); PARTS])
    }

    pub(crate) fn add(&self, buffers: &mut Buffers, record: Record) -> io::Result<()> {
        let part = usize::from(record.key.to_be_bytes().first().copied().unwrap_or_default());
        let Some(buffer) = buffers.0.get_mut(part) else { return Ok(()) };
        buffer.extend_from_slice(&record.to_bytes());
        if buffer.len() < BUFFER { Ok(()) } else { self.write(part, buffer) }
    }

    fn write(&self, part: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Shared { file, end, pieces } = &mut *shared;
        let file = match file {
            Some(file) => file,
            None => file.insert(TemporaryFile::new()?),
        };
        file.write_at(*end, buffer)?;
        pieces.resize(PARTS, Vec::new());
        pieces.get_mut(part).into_iter().for_each(|pieces| pieces.push((*end, buffer.len())));
        *end = end.saturating_add(buffer.len() as u64);
        buffer.clear();
        Ok(())
    }

    /// Returns the records of a part, sorted.
    pub(crate) fn sorted(&self, part: usize, buffers: &[Buffers]) -> io::Result<Vec<Record>> {
        let mut bytes = Vec::new();
        let shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Shared { file, pieces, .. } = &*shared;
        for (offset, length) in pieces.get(part).into_iter().flatten() {
            let Some(file) = file else { break };
            let start = bytes.len();
            bytes.resize(start.saturating_add(*length), 0);
            if file.read_full(*offset, bytes.get_mut(start..).unwrap_or_default())? < *length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        drop(shared);
        let left = buffers.iter().filter_map(|buffers| buffers.0.get(part));
        let all = [&bytes].into_iter().chain(left);
        let mut records: Vec<Record> =
            all.flat_map(|bytes| bytes.as_chunks().0).map(Record::of_bytes).collect();
        records.sort_unstable();
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_has_every_record_of_every_thread_in_memory_and_in_the_file() {
        let spill = Spill::default();
        let record = |n: u32| {
            let key = u64::from(n % 1000).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            Record { key, m: (n % 5) as u16, game: n }
        };
        let mut both = [spill.buffers(), spill.buffers()];
        for n in 0..2_000_000u32 {
            spill.add(&mut both[n as usize % 2], record(n)).unwrap();
        }
        assert!(spill.0.lock().unwrap().end > 0);
        let found: Vec<Record> =
            (0..PARTS).flat_map(|part| spill.sorted(part, &both).unwrap()).collect();
        let mut expected: Vec<Record> = (0..2_000_000).map(record).collect();
        expected.sort_unstable();
        assert!(found == expected);
    }
}
