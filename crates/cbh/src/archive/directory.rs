//! The directory of an archive.

use chess_store::io::ReadAt;
use chess_store::{Encoding, Location, TextDecoder};
use nom::bytes::complete::take;
use nom::number::complete::{le_u16, le_u32, le_u64, u8 as byte};
use nom::{IResult, Parser};

use crate::entities::fields::until_zero;
use crate::error::{Error, ErrorKind};

/// The size of the directory header in bytes.
pub(super) const HEADER: usize = 8;
/// The size of an entry in bytes. Entries from before about 2014 are shorter, without 64-bit
/// numbers.
pub(super) const ENTRY: usize = 173;
const OLD_ENTRY: usize = 149;
/// The size of the name field in bytes.
pub(super) const NAME: usize = 128;
/// The decompression limit: the maximum ratio of a member's size to the archive size.
///
/// A copy of 271 bytes takes three bytes and a bit, and each byte may take a single bit.
const MAX_GROWTH: u64 = 1024;

/// A file in an archive.
// cbh §9.1 "Directory"
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Member {
    /// The file name. A backslash separates folders.
    pub name: String,
    /// The offset of its first block.
    pub offset: u64,
    /// The size of its blocks in bytes.
    pub packed: u64,
    /// The unpacked size in bytes.
    pub size: u64,
    /// The date as a decimal number, such as 20160801.
    pub date: u32,
    /// The time as a decimal number with hundredths, such as 19383256.
    pub time: u32,
}

fn parse_header(bytes: &[u8]) -> Option<(u16, usize)> {
    fn header(input: &[u8]) -> IResult<&[u8], (u16, u16, u8)> {
        (le_u16, le_u16, byte).parse(input)
    }
    let (_, (size, count, entry)) = header(bytes.get(..HEADER)?).ok()?;
    let entry = usize::from(entry);
    (usize::from(size) == HEADER && matches!(entry, ENTRY | OLD_ENTRY)).then_some((count, entry))
}

fn parse_entry(bytes: &[u8]) -> Option<Member> {
    fn entry(input: &[u8]) -> IResult<&[u8], Member> {
        let (rest, (name, offset, packed, size)) =
            (take(NAME), le_u32, le_u32, le_u32).parse(input)?;
        let (rest, (_, date, time)) = (byte, le_u32, le_u32).parse(rest)?;
        let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
        let name = decoder.decode(until_zero(name)).into_owned();
        let (offset, packed, size) = (offset.into(), packed.into(), size.into());
        Ok((rest, Member { name, offset, packed, size, date, time }))
    }
    fn long(input: &[u8]) -> IResult<&[u8], (u64, u64, u64)> {
        (le_u64, le_u64, le_u64).parse(input)
    }
    let (rest, member) = entry(bytes).ok()?;
    Some(match long(rest) {
        Ok((_, (offset, packed, size))) => Member { offset, packed, size, ..member },
        Err(_) => member,
    })
}

/// Whether the file begins with an archive directory.
pub(super) fn is_archive(file: &impl ReadAt, at: Location) -> Result<bool, Error> {
    let mut start = [0; HEADER];
    let count = file.read_full(0, &mut start).map_err(Error::io(at))?;
    Ok(parse_header(start.get(..count).unwrap_or_default()).is_some())
}

/// Whether the file could be an encrypted archive: its size is a multiple of eight.
pub(super) fn may_be_encrypted(file: &impl ReadAt, at: Location) -> Result<bool, Error> {
    let size = file.size().map_err(Error::io(at))?;
    Ok(size > 0 && size % 8 == 0)
}

/// Reads the directory and checks the members' total size against the decompression limit.
pub(super) fn read_members(file: &impl ReadAt, at: Location) -> Result<Vec<Member>, Error> {
    let size = file.size().map_err(Error::io(at))?;
    let mut bytes = Vec::new();
    file.read_into(0, HEADER, &mut bytes).map_err(Error::io(at))?;
    let damaged = |what| ErrorKind::Archive(what).at(at.at(0));
    let (count, entry) = parse_header(&bytes).ok_or_else(|| damaged("it has no directory"))?;
    let wanted = usize::from(count).saturating_mul(entry);
    file.read_into(HEADER as u64, wanted, &mut bytes).map_err(Error::io(at))?;
    if bytes.len() != wanted {
        return Err(damaged("the directory is truncated"));
    }
    let members: Option<Vec<_>> = bytes.chunks_exact(entry).map(parse_entry).collect();
    let members = members.ok_or_else(|| damaged("the directory cannot be read"))?;
    let most = size.saturating_mul(MAX_GROWTH);
    let total = members.iter().fold(0u64, |total, member| total.saturating_add(member.size));
    if total > most {
        return Err(damaged("the members exceed the decompression limit"));
    }
    Ok(members)
}

/// Appends the directory. Returns `None` if a name or the count is too large.
pub(super) fn encode_directory(members: &[(Vec<u8>, Member)], out: &mut Vec<u8>) -> Option<()> {
    let count = u16::try_from(members.len()).ok()?;
    out.extend_from_slice(&[8, 0]);
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&[u8::try_from(ENTRY).ok()?, 0, 3, 0]);
    for (name, member) in members {
        if name.len() >= NAME {
            return None;
        }
        crate::entities::fields::push_field(name, NAME, out);
        // These are the old 32-bit fields. The 64-bit fields below hold the exact values.
        for value in [member.offset, member.packed, member.size] {
            out.extend_from_slice(&u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
        }
        out.push(1);
        out.extend_from_slice(&member.date.to_le_bytes());
        out.extend_from_slice(&member.time.to_le_bytes());
        for value in [member.offset, member.packed, member.size] {
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::PLAIN as AT;
    use super::*;

    #[test]
    fn directory_round_trips_and_limits_sizes() {
        let member = |size| Member {
            name: "a\\b.cbh".into(),
            offset: 181,
            packed: 51,
            size,
            date: 20_160_801,
            time: 1,
        };
        let directory = |size| {
            let mut bytes = Vec::new();
            encode_directory(&[(b"a\\b.cbh".to_vec(), member(size))], &mut bytes).unwrap();
            bytes
        };
        assert_eq!(read_members(&directory(46), AT).unwrap(), [member(46)]);
        assert!(read_members(&directory(181 * 1024 + 1), AT).is_err());
        let cut = &directory(46)[..100];
        assert!(read_members(&cut, AT).is_err());
    }
}
