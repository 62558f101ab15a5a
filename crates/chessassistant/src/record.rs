//! Finds and reads the record of a game.

use chess_store::Location;
use chess_store::io::ReadAt;
use nom::IResult;
use nom::Parser as _;
use nom::number::complete::{le_i32, u8 as byte};

use crate::error::{Error, ErrorKind};
use crate::layout::{MAX_LONG_RECORD, MAX_RECORD};
use crate::names::resolve;

/// The location of a record's codes in the buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// Offset of the record in the D02.
    pub(crate) offset: u64,
    /// The size of the length before the codes.
    pub(crate) prefix: usize,
    /// The stated number of code bytes.
    pub(crate) length: usize,
    /// The three-byte reading of the length, if there is one.
    pub(crate) long: Option<usize>,
    /// The number of bytes read, if limited because the record overlaps many other games.
    pub(crate) shared: Option<usize>,
}

impl Record {
    pub(crate) fn codes<'b>(&self, buffer: &'b [u8]) -> &'b [u8] {
        let rest = buffer.get(self.prefix..).unwrap_or_default();
        rest.get(..self.length).unwrap_or(rest)
    }

    /// Offset of the first code in the D02.
    pub(crate) fn codes_at(&self) -> u64 {
        self.offset.saturating_add(self.prefix as u64)
    }

    /// Returns an error unless `codes` has the stated length.
    pub(crate) fn check_whole(&self, codes: &[u8], game: u64) -> Result<(), Error> {
        if codes.len() >= self.length {
            return Ok(());
        }
        if let Some(read) = self.shared {
            let at = Location::file("d02").at(self.offset).in_game(game);
            return Err(Error::new(ErrorKind::SharedRecord(self.length, read), at));
        }
        let end = self.codes_at().saturating_add(codes.len() as u64);
        let at = Location::file("d02").at(end).in_game(game);
        Err(Error::new(ErrorKind::Truncated("a record"), at))
    }
}

/// Parses the length of a record. It is one byte below 128, or two bytes, where the second
/// counts by 128.
// chessassistant §7.1 "Length"
fn parse_length(input: &[u8]) -> IResult<&[u8], Record> {
    let (rest, low) = byte(input)?;
    let mut record =
        Record { offset: 0, prefix: 1, length: usize::from(low), long: None, shared: None };
    if low < 128 {
        return Ok((rest, record));
    }
    let low = usize::from(low & 127);
    let (rest, high) = byte(rest)?;
    record.prefix = 2;
    record.length = low | usize::from(high) << 7;
    if high >= 128
        && let Some(top) = rest.first().filter(|top| **top < 128)
    {
        record.long = Some(low | usize::from(high & 127) << 7 | usize::from(*top) << 14);
    }
    Ok((rest, record))
}

/// Returns the codes of a record that is whole.
pub(crate) fn codes_of(bytes: &[u8]) -> &[u8] {
    parse_length(bytes).map_or(&[], |(_, record)| record.codes(bytes))
}

/// The first read, before the length is known: more than most games need.
const FIRST_READ: usize = 256;

/// Reads the record at an address, limited to `allowed` bytes.
pub(crate) fn read_record(
    d02: &impl ReadAt,
    offset: u64,
    game: u64,
    allowed: impl FnOnce(usize) -> usize,
    buffer: &mut Vec<u8>,
) -> Result<Record, Error> {
    let at = Location::file("d02").at(offset).in_game(game);
    d02.read_into(offset, FIRST_READ, buffer).map_err(Error::io(at))?;
    let (_, record) = parse_length(buffer)
        .map_err(|_| Error::new(ErrorKind::Truncated("the length of a record"), at))?;
    let record = Record { offset, ..record };
    let length = record.length.max(record.long.unwrap_or(0)).min(MAX_LONG_RECORD.max(MAX_RECORD));
    let whole = length.saturating_add(3);
    let size = allowed(whole);
    if size > FIRST_READ {
        d02.read_into(offset, size, buffer).map_err(Error::io(at))?;
    }
    Ok(Record { shared: (size < whole).then_some(size), ..record })
}

/// Returns the address of a game's record, after following redirects.
// chessassistant §6 "A02"
pub(crate) fn find_record(a02: &impl ReadAt, game_id: u32, game: u64) -> Result<u64, Error> {
    let at = Location::file("a02").at(u64::from(game_id).saturating_mul(4)).in_game(game);
    let entries = a02.size().map_err(Error::io(at))? / 4;
    let found = resolve(game_id.into(), entries, |id| {
        let mut bytes = [0; 4];
        let offset = id.saturating_mul(4);
        let count = a02.read_full(offset, &mut bytes).map_err(Error::io(at))?;
        let entry = bytes.get(..count).unwrap_or_default();
        Ok(le_i32::<_, nom::error::Error<&[u8]>>.parse(entry).ok().map(|(_, value)| value))
    })?;
    found.map(|(_, address)| address).map_err(|kind| Error::new(kind, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_length_forms_are_read() {
        let parse = |bytes: &[u8]| {
            parse_length(bytes).map(|(_, r)| (r.prefix, r.length, r.long)).map_err(|_| ())
        };
        assert_eq!(parse(&[0]), Ok((1, 0, None)));
        assert_eq!(parse(&[127]), Ok((1, 127, None)));
        assert_eq!(parse(&[0x80, 0x01]), Ok((2, 128, None)));
        assert_eq!(parse(&[0xc4, 0x03]), Ok((2, 0x44 + 3 * 128, None)));
        assert_eq!(parse(&[0xff, 0xff]), Ok((2, 32_767, None)));
        assert_eq!(parse(&[0xff, 0xff, 0x7f]), Ok((2, 32_767, Some(0x1f_ffff))));
        assert_eq!(parse(&[0xff, 0xff, 0x80]), Ok((2, 32_767, None)));
        assert!(parse(&[0x80]).is_err() && parse(&[]).is_err());
    }

    #[test]
    fn find_record_follows_addresses() {
        let find = |entries: &[i32], id| {
            let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
            find_record(&bytes, id, 6).map_err(|error| error.to_string())
        };
        assert_eq!(find(&[4, -2, 77], 1), Ok(77));
        assert_eq!(
            find(&[4, -2, -1], 1).unwrap_err(),
            ".a02, byte 4, game 7: the redirects from id 1 lead nowhere"
        );
        assert_eq!(
            find(&[4, i32::MIN], 1).unwrap_err(),
            ".a02, byte 4, game 7: id 2147483648 in a table of 2"
        );
        assert_eq!(find(&[4], 9).unwrap_err(), ".a02, byte 36, game 7: id 9 in a table of 1");
        assert_eq!(find(&[0], 0), Ok(0), "address zero is an address");
    }
}
