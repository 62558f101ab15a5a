//! Block headers of a `.MYD`: a row is one block or a chain of several.

use chess_store::field_size;
use nom::number::complete::{be_u8, be_u16, be_u24, be_u32, be_u64};
use nom::{IResult, Parser as _};

/// Maximum length of a block header.
pub(crate) const MAX_HEADER: usize = 20;
/// Minimum length of a block. Blocks start at multiples of four.
pub(crate) const MIN_BLOCK: u64 = 20;
pub(crate) const ALIGNMENT: u64 = 4;
/// Maximum length of a written row: one block of the longest kind.
pub(crate) const MAX_ROW: usize = (1 << 24) - 16;

/// The role of a block in its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Free space.
    Deleted,
    /// The whole row.
    Whole,
    /// The start of a row of this length, which continues at an offset.
    First { row: u64, next: u64 },
    /// The middle of a row, which continues at an offset.
    Middle { next: u64 },
    /// The end of a row.
    Last,
}

/// A block header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) part: Part,
    /// Length of the header.
    pub(crate) header: u64,
    /// Number of row bytes after the header.
    pub(crate) data: u64,
    /// Distance from the header to the next block.
    pub(crate) total: u64,
}

/// Parses a block header. Returns `None` if `bytes` starts with no block.
// movecode §11 "Blocks"
pub(crate) fn parse_block(bytes: &[u8]) -> Option<Block> {
    let (rest, (part, data, unused)) = fields(bytes).ok()?;
    let header = (bytes.len() as u64).saturating_sub(rest.len() as u64);
    let (header, data) = match part {
        // The stored length includes the header.
        Part::Deleted => (MAX_HEADER as u64, data.checked_sub(MAX_HEADER as u64)?),
        _ => (header, data),
    };
    let total = header.saturating_add(data).saturating_add(unused);
    Some(Block { part, header, data, total })
}

fn fields(input: &[u8]) -> IResult<&[u8], (Part, u64, u64)> {
    let short = |input| be_u16.map(u64::from).parse(input);
    let long = |input| be_u24.map(u64::from).parse(input);
    let unused = |input| be_u8.map(u64::from).parse(input);
    let (rest, kind) = be_u8.parse(input)?;
    match kind {
        0 => (long, be_u64, be_u64).map(|(length, _, _)| (Part::Deleted, length, 0)).parse(rest),
        1 => short.map(|data| (Part::Whole, data, 0)).parse(rest),
        2 => long.map(|data| (Part::Whole, data, 0)).parse(rest),
        3 => (short, unused).map(|(data, unused)| (Part::Whole, data, unused)).parse(rest),
        4 => (long, unused).map(|(data, unused)| (Part::Whole, data, unused)).parse(rest),
        5 => (short, short, be_u64)
            .map(|(row, data, next)| (Part::First { row, next }, data, 0))
            .parse(rest),
        6 => (long, long, be_u64)
            .map(|(row, data, next)| (Part::First { row, next }, data, 0))
            .parse(rest),
        7 => short.map(|data| (Part::Last, data, 0)).parse(rest),
        8 => long.map(|data| (Part::Last, data, 0)).parse(rest),
        9 => (short, unused).map(|(data, unused)| (Part::Last, data, unused)).parse(rest),
        10 => (long, unused).map(|(data, unused)| (Part::Last, data, unused)).parse(rest),
        11 => (short, be_u64).map(|(data, next)| (Part::Middle { next }, data, 0)).parse(rest),
        12 => (long, be_u64).map(|(data, next)| (Part::Middle { next }, data, 0)).parse(rest),
        13 => (be_u32.map(u64::from), long, be_u64)
            .map(|(row, data, next)| (Part::First { row, next }, data, 0))
            .parse(rest),
        _ => Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag))),
    }
}

/// Appends a row in one block, as the server does in a table without free space. Returns the length of
/// the header. `row` is at most [`MAX_ROW`] long.
pub(crate) fn encode_row_block(row: &[u8], out: &mut Vec<u8>) -> usize {
    let start = out.len();
    let length = row.len() as u64;
    let long = u64::from(length >= 65_517);
    let least = length.saturating_add(3).saturating_add(long);
    let total = least.next_multiple_of(ALIGNMENT).max(MIN_BLOCK);
    let wide = total >= 65_520 || length >= 65_520;
    let exact = length.saturating_add(3).saturating_add(u64::from(wide));
    let [.., high, middle, low] = length.to_be_bytes();
    if wide {
        out.extend_from_slice(&[if total == exact { 2 } else { 4 }, high, middle, low]);
    } else {
        out.extend_from_slice(&[if total == exact { 1 } else { 3 }, middle, low]);
    }
    let unused = total.saturating_sub(exact).checked_sub(1);
    let shortest = "only the minimum length of a block requires padding";
    let unused = unused.map(|unused| field_size::<u8, _>(unused, shortest));
    out.extend(unused);
    let header = out.len().saturating_sub(start);
    out.extend_from_slice(row);
    out.resize(out.len().saturating_add(usize::from(unused.unwrap_or(0))), 0);
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: [u8; 8] = [0, 0, 0, 0, 0, 0, 1, 0x40];

    #[test]
    fn parse_block_every_kind_is_parsed() {
        let long_chain = |kind: u8, lengths: &[u8]| [&[kind], lengths, &NEXT].concat();
        for (bytes, part, header, data, total) in [
            // 60 bytes with the header; free blocks after and before it
            ([&[0, 0, 0, 60], &[0xff; 16][..]].concat(), Part::Deleted, 20, 40, 60),
            (vec![1, 0, 17], Part::Whole, 3, 17, 20),
            (vec![2, 1, 0, 0], Part::Whole, 4, 65536, 65540),
            (vec![3, 0, 14, 2], Part::Whole, 4, 14, 20),
            (vec![4, 1, 0, 0, 3], Part::Whole, 5, 65536, 65544),
            (long_chain(5, &[0, 50, 0, 20]), Part::First { row: 50, next: 0x140 }, 13, 20, 33),
            (
                long_chain(6, &[1, 0, 0, 0, 0, 20]),
                Part::First { row: 65536, next: 0x140 },
                15,
                20,
                35,
            ),
            (vec![7, 0, 17], Part::Last, 3, 17, 20),
            (vec![8, 1, 0, 0], Part::Last, 4, 65536, 65540),
            (vec![9, 0, 14, 2], Part::Last, 4, 14, 20),
            (vec![10, 1, 0, 0, 3], Part::Last, 5, 65536, 65544),
            (long_chain(11, &[0, 20]), Part::Middle { next: 0x140 }, 11, 20, 31),
            (long_chain(12, &[1, 0, 0]), Part::Middle { next: 0x140 }, 12, 65536, 65548),
            (
                long_chain(13, &[1, 0, 0, 0, 0, 0, 20]),
                Part::First { row: 1 << 24, next: 0x140 },
                16,
                20,
                36,
            ),
        ] {
            assert_eq!(parse_block(&bytes), Some(Block { part, header, data, total }));
            assert_eq!(parse_block(&bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(parse_block(&[14, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn encode_row_block_is_padded_to_four_bytes() {
        for (length, kind, total) in
            [(1, 3, 20), (17, 1, 20), (18, 3, 24), (20, 3, 24), (21, 1, 24), (22, 3, 28)]
        {
            let mut out = Vec::new();
            encode_row_block(&vec![7; length], &mut out);
            assert_eq!((out[0], out.len()), (kind, total), "{length}");
        }
        for length in (0..70).chain(65_500..65_540).chain([200_000]) {
            let mut out = Vec::new();
            let header = encode_row_block(&vec![7; length], &mut out);
            let block = parse_block(&out).unwrap();
            assert_eq!((block.part, block.header), (Part::Whole, header as u64));
            assert_eq!((block.data, block.total), (length as u64, out.len() as u64));
            assert_eq!(out.len() % 4, 0);
        }
    }
}
