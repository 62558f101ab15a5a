//! The blocks of an archive member.

use nom::number::complete::le_u16;
use nom::{IResult, Parser};

/// The size of a block header in bytes.
pub(super) const BLOCK_HEADER: usize = 4;
/// The bit in the first payload byte that marks Huffman-coded data.
pub(super) const HUFFMAN: u8 = 0x02;
/// The bit in the first payload byte that marks LZ data, inside the Huffman codes if both bits are
/// set.
pub(super) const LZ: u8 = 0x01;

/// Parses a block header. Returns the payload's length and checksum.
// cbh §9.2 "Blocks"
pub(super) fn parse_block(bytes: &[u8]) -> Option<(u16, u16)> {
    fn header(input: &[u8]) -> IResult<&[u8], (u16, u16)> {
        (le_u16, le_u16).parse(input)
    }
    header(bytes).ok().map(|(_, header)| header)
}

/// Returns the checksum of a payload: the sum of its words without an odd last byte.
pub(super) fn checksum(payload: &[u8]) -> u16 {
    let words = payload.as_chunks::<2>().0;
    words.iter().fold(0, |sum: u16, word| sum.wrapping_add(u16::from_le_bytes(*word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_odd_length_ignores_last_byte() {
        assert_eq!(checksum(&[0x01, 0x02, 0xff, 0xff, 0x77]), 0x0200);
        assert_eq!(checksum(&[]), 0);
        assert_eq!(parse_block(&[5, 0, 0x34, 0x12]), Some((5, 0x1234)));
        assert_eq!(parse_block(&[5, 0, 0x34]), None);
    }
}
