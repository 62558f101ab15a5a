//! `.MYD`: locates rows and reassembles them.

use std::io;

use chess_store::io::ReadAt;

use super::block::{ALIGNMENT, Block, MAX_HEADER, Part, parse_block};

pub(crate) use super::block::encode_row_block;

/// Scans the blocks of a file for the starts of rows.
///
/// If no block starts at an offset, the scan resumes at the next offset where several blocks follow
/// each other. The skipped range counts as one damaged row.
pub(crate) struct Rows<R> {
    file: R,
    size: u64,
    at: u64,
    /// Bytes that the rows in parts so far claim together.
    claimed: u64,
}

/// An item found by [`Rows`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowPart {
    /// A row starts here.
    Row(u64),
    /// A row in parts starts here. With it the rows in parts claim more bytes than the file has.
    Excessive(u64),
    /// A range without a block starts here.
    Damage(u64),
}

/// Number of successive blocks that are unlikely to occur by chance.
const CONVINCING: usize = 4;

impl<R: ReadAt> Rows<R> {
    pub(crate) fn new(file: R) -> io::Result<Rows<R>> {
        let size = file.size()?;
        Ok(Rows { file, size, at: 0, claimed: 0 })
    }

    /// Returns the next row or damaged range.
    pub(crate) fn next(&mut self) -> io::Result<Option<RowPart>> {
        while self.at < self.size {
            let at = self.at;
            let Some(block) = self.block(at)? else {
                self.at = self.resume(at)?;
                return Ok(Some(RowPart::Damage(at)));
            };
            self.at = at.saturating_add(block.total);
            match block.part {
                Part::Whole => return Ok(Some(RowPart::Row(at))),
                Part::First { row, .. } => return Ok(Some(self.claim(at, row))),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Counts the bytes that a row in parts claims.
    ///
    /// The parts of sound rows are disjoint, so that they claim no more bytes than the file has. Without
    /// this bound every row could claim the same parts, and reading all rows would take quadratic time.
    // movecode §11.13
    fn claim(&mut self, at: u64, row: u64) -> RowPart {
        let claimed = self.claimed.saturating_add(row);
        if claimed > self.size {
            return RowPart::Excessive(at);
        }
        self.claimed = claimed;
        RowPart::Row(at)
    }

    /// Reads a block that fits the file.
    fn block(&self, at: u64) -> io::Result<Option<Block>> {
        let block = read_block(&self.file, at)?;
        let rest = self.size.saturating_sub(at);
        Ok(block.filter(|block| block.total > 0 && block.total <= rest))
    }

    fn resume(&self, from: u64) -> io::Result<u64> {
        let mut at = from.saturating_add(1).next_multiple_of(ALIGNMENT);
        while at < self.size {
            if self.convinces(at)? {
                return Ok(at);
            }
            at = at.saturating_add(ALIGNMENT);
        }
        Ok(self.size)
    }

    fn convinces(&self, mut at: u64) -> io::Result<bool> {
        for _ in 0..CONVINCING {
            if at == self.size {
                return Ok(true);
            }
            match self.block(at)? {
                Some(block) if block.total % ALIGNMENT == 0 => {
                    at = at.saturating_add(block.total);
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}

fn read_block(file: &impl ReadAt, at: u64) -> io::Result<Option<Block>> {
    let mut header = [0; MAX_HEADER];
    let count = file.read_full(at, &mut header)?;
    Ok(header.get(..count).and_then(parse_block))
}

/// Why a row could not be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    Io(io::Error),
    /// Damage: the expected content and its offset.
    Damaged(&'static str, u64),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

/// Reads the row that starts at a block into `row`, replacing its content. Returns the offset of the
/// row's first byte if the row is contiguous.
pub(crate) fn read_row(
    file: &impl ReadAt,
    at: u64,
    row: &mut Vec<u8>,
) -> Result<Option<u64>, ReadError> {
    row.clear();
    let block = read_block(file, at)?.ok_or(ReadError::Damaged("a block", at))?;
    let start = at.saturating_add(block.header);
    let (length, next) = match block.part {
        Part::Whole => {
            append(file, start, block.data, row)?;
            return Ok(Some(start));
        }
        Part::First { row, next } => (row, next),
        _ => return Err(ReadError::Damaged("the beginning of a row", at)),
    };
    if block.data == 0 || block.data > length {
        return Err(ReadError::Damaged("a block that fits its row", at));
    }
    append(file, start, block.data, row)?;
    let mut at = next;
    // Every block has at least one byte, so the row's length, which `Rows` bounds, bounds the chain.
    while (row.len() as u64) < length {
        let block = read_block(file, at)?.ok_or(ReadError::Damaged("a block", at))?;
        if block.data == 0 || block.data > length.saturating_sub(row.len() as u64) {
            return Err(ReadError::Damaged("a block that fits its row", at));
        }
        append(file, at.saturating_add(block.header), block.data, row)?;
        match block.part {
            Part::Middle { next } => at = next,
            Part::Last if row.len() as u64 == length => break,
            _ => return Err(ReadError::Damaged("more of the row", at)),
        }
    }
    Ok(None)
}

fn append(file: &impl ReadAt, at: u64, length: u64, row: &mut Vec<u8>) -> Result<(), ReadError> {
    let there = file.size()?.saturating_sub(at);
    if length > there {
        return Err(ReadError::Damaged("as many bytes as the block says", at));
    }
    let start = row.len();
    let length = usize::try_from(length)
        .map_err(|_| ReadError::Damaged("no more bytes than memory holds", at))?;
    row.resize(start.saturating_add(length), 0);
    let count = file.read_full(at, row.get_mut(start..).unwrap_or_default())?;
    if count < length {
        return Err(ReadError::Damaged("as many bytes as the block says", at));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &[u8]) -> Vec<RowPart> {
        let mut rows = Rows::new(file).unwrap();
        std::iter::from_fn(|| rows.next().unwrap()).collect()
    }

    fn block(kind: u8, lengths: &[u8], next: Option<u64>, data: &[u8]) -> Vec<u8> {
        let next = next.map_or(Vec::new(), |next| next.to_be_bytes().to_vec());
        [&[kind], lengths, &next, data].concat()
    }

    #[test]
    fn read_row_fragmented_is_reassembled() {
        // At 20 the first piece, at 40 the last, at 60 the middle.
        let mut file = block(1, &[0, 17], None, b"the whole of it..");
        file.extend(block(5, &[0, 28, 0, 7], Some(60), b"first, "));
        file.extend(block(7, &[0, 17], None, b"last of the three"));
        file.extend(block(11, &[0, 4], Some(40), b"mid "));
        let mut row = Vec::new();
        assert_eq!(read_row(&file, 0, &mut row).unwrap(), Some(3));
        assert_eq!(row, b"the whole of it..");
        assert_eq!(read_row(&file, 20, &mut row).unwrap(), None);
        assert_eq!(row, b"first, mid last of the three");
        assert_eq!(found(&file), [RowPart::Row(0), RowPart::Row(20)]);
        assert!(matches!(read_row(&file, 40, &mut row), Err(ReadError::Damaged(_, 40))));
    }

    #[test]
    fn read_row_cyclic_chain_is_error() {
        let mut file = block(5, &[0, 200, 0, 7], Some(20), b"first, ");
        file.extend(block(11, &[0, 9], Some(20), b"in circle"));
        let mut row = Vec::new();
        assert!(matches!(read_row(&file, 0, &mut row), Err(ReadError::Damaged(..))));
    }

    #[test]
    fn read_row_first_part_without_bytes_or_too_long_is_error() {
        for (lengths, data) in [([0, 9, 0, 0], &b""[..]), ([0, 3, 0, 9], b"too long!")] {
            let mut file = block(5, &lengths, Some(40), data);
            file.resize(40, 0);
            file.extend(block(7, &[0, 9], None, b"too long!"));
            let mut row = Vec::new();
            assert!(matches!(read_row(&file, 0, &mut row), Err(ReadError::Damaged(_, 0))));
        }
    }

    #[test]
    fn rows_that_share_their_parts_claim_no_more_than_the_file() {
        // Each of 500 starts claims the whole row of 1,000 bytes, whose end is shared.
        let end = 500 * 20;
        let mut file = Vec::new();
        for _ in 0..500 {
            file.extend(block(5, &[3, 0xe8, 0, 7], Some(end), b"shared "));
        }
        file.extend(block(7, &[3, 0xe1], None, &[b'x'; 993]));
        let (mut read, mut row) = (0, Vec::new());
        for part in found(&file) {
            if let RowPart::Row(at) = part {
                read_row(&file, at, &mut row).unwrap();
                read += row.len();
            }
        }
        assert_eq!(read, 10_000, "the file has 10,996 bytes");
        assert_eq!(found(&file).len(), 500);
    }

    #[test]
    fn rows_damaged_header_affects_one_row() {
        let mut file = Vec::new();
        for number in 0..10u8 {
            encode_row_block(&[number; 30], &mut file);
        }
        // Each takes 36 bytes; the header of the fourth goes.
        file[108] = 0x77;
        let rows = found(&file);
        assert_eq!(rows.len(), 10);
        assert_eq!(rows[3], RowPart::Damage(108));
        assert_eq!(rows[4], RowPart::Row(144));
    }

    #[test]
    fn rows_free_blocks_are_skipped() {
        let mut file = [&[0, 0, 0, 24][..], &[0xff; 20]].concat();
        encode_row_block(b"row", &mut file);
        assert_eq!(found(&file), [RowPart::Row(24)]);
    }
}
