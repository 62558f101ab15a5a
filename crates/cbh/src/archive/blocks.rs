//! The blocks of a file in an archive.

use nom::number::complete::le_u16;
use nom::{IResult, Parser};

/// Bytes before the payload of a block.
pub(super) const BLOCK_HEADER: usize = 4;
/// The bit of a payload's first byte that says that the rest is Huffman codes.
pub(super) const HUFFMAN: u8 = 0x02;
/// The bit that says that the rest, or what the Huffman codes say, is copies and letters.
pub(super) const LZ: u8 = 0x01;

/// Length and sum of the payload that follows.
// cbh §9.2 "Blocks"
pub(super) fn parse_block(bytes: &[u8]) -> Option<(u16, u16)> {
    fn header(input: &[u8]) -> IResult<&[u8], (u16, u16)> {
        (le_u16, le_u16).parse(input)
    }
    header(bytes).ok().map(|(_, header)| header)
}

/// The sum of a payload: its words, an odd last byte left out.
pub(super) fn checksum(payload: &[u8]) -> u16 {
    let words = payload.as_chunks::<2>().0;
    words.iter().fold(0, |sum: u16, word| sum.wrapping_add(u16::from_le_bytes(*word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        assert_eq!(checksum(&[0x01, 0x02, 0xff, 0xff, 0x77]), 0x0200);
        assert_eq!(checksum(&[]), 0);
        assert_eq!(parse_block(&[5, 0, 0x34, 0x12]), Some((5, 0x1234)));
        assert_eq!(parse_block(&[5, 0, 0x34]), None);
    }
}
