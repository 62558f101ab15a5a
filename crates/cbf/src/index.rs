//! The .cbi index: the offset of each game's record. cbf §1.1 "Index entries"

use std::io;

use chess_store::io::ReadAt;
use nom::IResult;
use nom::Parser;
use nom::number::complete::be_u32;

use crate::layout::ENTRY_SIZE;

/// Parses an index entry to the offset of a game's record. An entry stores the offset plus the
/// game's number, from one, plus one. The result is negative in a damaged index.
#[must_use]
pub fn parse_entry(entry: [u8; ENTRY_SIZE], game: u64) -> i64 {
    let value = i64::from(u32::from_be_bytes(entry));
    let number = i64::try_from(game.saturating_add(2)).unwrap_or(i64::MAX);
    value.saturating_sub(number)
}

/// Encodes the index entry of a game's record. Returns `None` beyond 4 GiB.
#[must_use]
pub fn encode_entry(offset: u64, game: u64) -> Option<[u8; ENTRY_SIZE]> {
    let value = offset.checked_add(game)?.checked_add(2)?;
    Some(u32::try_from(value).ok()?.to_be_bytes())
}

/// Encodes the first longword: the number of games plus one.
#[must_use]
pub fn encode_count(games: u64) -> Option<[u8; ENTRY_SIZE]> {
    Some(u32::try_from(games.checked_add(1)?).ok()?.to_be_bytes())
}

/// Parses the number of games from the first longword of an index. Returns `None` if it is
/// truncated.
#[must_use]
pub fn parse_count(start: &[u8]) -> Option<u64> {
    let parsed: IResult<&[u8], u32> = be_u32.parse(start);
    let (_, value) = parsed.ok()?;
    Some(u64::from(value.saturating_sub(1)))
}

/// Returns the offset of a game's entry in the index. Game numbers have at most 32 bits.
pub(crate) fn entry_offset(game: u64) -> u64 {
    game.saturating_add(1).saturating_mul(ENTRY_SIZE as u64)
}

/// Reads the entry of a game, numbered from zero. The entry after the last game is the end of the
/// .cbf.
pub(crate) fn read_entry<R: ReadAt>(index: &R, game: u64) -> io::Result<Option<i64>> {
    let mut entry = [0; ENTRY_SIZE];
    let count = index.read_full(entry_offset(game), &mut entry)?;
    Ok((count == entry.len()).then(|| parse_entry(entry, game)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the original description: three games of 48, 39 and 35 bytes.
    #[rustfmt::skip]
    const EXAMPLE: [u8; 20] = [
        0, 0, 0, 4,   // three games
        0, 0, 0, 2,   // offset   2 - 2 =   0
        0, 0, 0, 51,  // offset  51 - 3 =  48
        0, 0, 0, 91,  // offset  91 - 4 =  87
        0, 0, 0, 127, // end    127 - 5 = 122
    ];

    #[test]
    fn read_entry_documented_example_round_trips() {
        assert_eq!(parse_count(&EXAMPLE), Some(3));
        let mut written = encode_count(3).unwrap().to_vec();
        for (game, offset) in (0..).zip([0, 48, 87, 122]) {
            assert_eq!(read_entry(&EXAMPLE.as_slice(), game).unwrap(), Some(offset));
            written.extend(encode_entry(offset.unsigned_abs(), game).unwrap());
        }
        assert_eq!(written, EXAMPLE);
        assert_eq!(read_entry(&EXAMPLE.as_slice(), 4).unwrap(), None);
    }

    #[test]
    fn parse_entry_out_of_range_is_reported() {
        assert_eq!(parse_count(&EXAMPLE[..3]), None);
        assert_eq!(parse_count(&[0; 4]), Some(0));
        assert_eq!(parse_entry([0; 4], 5), -7);
        assert_eq!(encode_entry(0xffff_ffff, 0), None);
        assert_eq!(encode_count(0xffff_ffff), None);
    }
}
