//! The names file of version 5: records in the order of first use, among them the base's own data.
//! (scid §5.3 "Names of version 5")

use chess_store::{Diagnostics, Location};
use nom::Parser as _;
use nom::bytes::complete::take;
use nom::number::complete::u8;

use crate::bits::{low_8, low_32};
use crate::error::{Error, ErrorKind};
use crate::header::Info;
use crate::layout::CUSTOM_FLAGS;
use crate::names::{NameKind, RawNames, TooMuch};
use crate::quirk::Quirk;

/// The kind of a version 5 record that is not a name but a fact of the base.
const INFO_KIND: u8 = 4;
/// The key of the game to load.
const AUTOLOAD: &[u8] = b"autoload";

/// Reads a names file of version 5: records in the order of first use. Ids count up within each
/// kind. (scid §5.3 "Names of version 5")
pub(crate) fn parse_names_5(
    bytes: &[u8],
    file: &'static str,
    info: &mut Info,
    diagnostics: &mut Diagnostics,
) -> Result<RawNames, Error> {
    let mut names = RawNames::default();
    let mut rest = bytes;
    while !rest.is_empty() {
        let at = Location::file(file).at((bytes.len().saturating_sub(rest.len())) as u64);
        let Some((next, kind, text)) = parse_record_5(rest) else {
            // An interrupted edit leaves this. Games without names report it themselves.
            diagnostics.note(Quirk::NamesUnfinished, at)?;
            break;
        };
        rest = next;
        match usize::try_from(kind).ok().and_then(|kind| names.get_mut(kind)) {
            Some(list) => {
                list.push(text).map_err(|TooMuch| Error::new(ErrorKind::NamesTooLong, at))?;
            }
            None if kind == u64::from(INFO_KIND) => parse_info(text, info),
            None => diagnostics.note(Quirk::NamesKind, at)?,
        }
    }
    Ok(names)
}

/// Parses a record of version 5: kind and text. The first number is length × 8 + kind, in groups of
/// seven bits, lowest first.
pub(crate) fn parse_record_5(bytes: &[u8]) -> Option<(&[u8], u64, &[u8])> {
    let (mut rest, mut number, mut shift) = (bytes, 0u64, 0u32);
    loop {
        let (next, byte) = u8::<_, ()>.parse(rest).ok()?;
        rest = next;
        let bits = u64::from(byte & 0x7f);
        let shifted = bits.checked_shl(shift)?;
        if shifted.checked_shr(shift)? != bits {
            return None;
        }
        number |= shifted;
        shift = shift.saturating_add(7);
        if byte < 0x80 {
            break;
        }
    }
    let length = usize::try_from(number >> 3).ok()?;
    let (rest, text) = take::<_, _, ()>(length).parse(rest).ok()?;
    Some((rest, number & 7, text))
}

/// Returns how many bytes of a version 5 names file are whole records, which is where an
/// interrupted edit continues. Also returns the records that are not names, unchanged.
pub(crate) fn survey_5(bytes: &[u8]) -> (usize, Vec<u8>) {
    let (mut end, mut others) = (0, Vec::new());
    while let Some((rest, kind, _)) = parse_record_5(bytes.get(end..).unwrap_or_default()) {
        let next = bytes.len().saturating_sub(rest.len());
        if kind >= u64::from(INFO_KIND) {
            others.extend_from_slice(bytes.get(end..next).unwrap_or_default());
        }
        end = next;
    }
    (end, others)
}

/// Returns the same fact records without the game to load.
pub(crate) fn set_autoload_5(records: &[u8], autoload: u32) -> Vec<u8> {
    let (mut rest, mut new, mut found) = (records, Vec::new(), false);
    while let Some((next, kind, text)) = parse_record_5(rest) {
        if kind == u64::from(INFO_KIND) && text.starts_with(AUTOLOAD) {
            found = true;
        } else {
            let length = rest.len().saturating_sub(next.len());
            new.extend_from_slice(rest.get(..length).unwrap_or_default());
        }
        rest = next;
    }
    if found {
        let text = [AUTOLOAD, autoload.to_string().as_bytes()].concat();
        encode_record_5(INFO_KIND, &text, &mut new);
    }
    new
}

/// Parses a fact of a version 5 base: a key directly followed by its value.
fn parse_info(text: &[u8], info: &mut Info) {
    let number = |value: &[u8]| {
        let value = std::str::from_utf8(value).ok();
        value.and_then(|value| value.trim().parse().ok()).unwrap_or(0)
    };
    if let Some(value) = text.strip_prefix(b"description") {
        info.description = value.to_vec();
    } else if let Some(value) = text.strip_prefix(AUTOLOAD) {
        info.autoload = number(value);
    } else if let Some(value) = text.strip_prefix(b"type") {
        info.base_type = number(value);
    } else if let Some([digit @ b'1'..=b'6', value @ ..]) = text.strip_prefix(b"flag") {
        let slot = usize::from(digit.wrapping_sub(b'1'));
        if let Some(label) = info.flag_labels.get_mut(slot.min(CUSTOM_FLAGS)) {
            *label = value.to_vec();
        }
    }
}

/// Encodes a record of version 5: length × 8 + kind with seven bits a byte, then the text.
pub(crate) fn encode_record_5(kind: u8, text: &[u8], bytes: &mut Vec<u8>) {
    let mut number = (text.len() as u64).saturating_mul(8) | u64::from(kind & 7);
    while number >= 0x80 {
        bytes.push(low_8(low_32(number)) | 0x80);
        number >>= 7;
    }
    bytes.push(low_8(low_32(number)));
    bytes.extend_from_slice(text);
}

/// Encodes a fact: the key directly followed by its value.
pub(crate) fn encode_info_5(key: &str, value: &[u8], bytes: &mut Vec<u8>) {
    encode_record_5(INFO_KIND, &[key.as_bytes(), value].concat(), bytes);
}

/// Encodes the whole names file of version 5: the stored facts unchanged, then the names by id.
pub(crate) fn encode_names_5(info: &[u8], names: &RawNames) -> Vec<u8> {
    let mut bytes = info.to_vec();
    for (kind, list) in NameKind::ALL.into_iter().zip(names) {
        for id in (0..).take(list.len()) {
            encode_record_5(kind as u8, list.get(id).unwrap_or_default(), &mut bytes);
        }
    }
    bytes
}

/// Finds the record of a name in a version 5 file.
pub(crate) fn locate_name_5(
    file: &[u8],
    kind: NameKind,
    id: u32,
) -> Option<std::ops::Range<usize>> {
    let mut position = 0;
    let mut seen = 0u32;
    loop {
        let (rest, found, _) = parse_record_5(file.get(position..)?)?;
        let end = file.len().saturating_sub(rest.len());
        if found == kind as u64 {
            if seen == id {
                return Some(position..end);
            }
            seen = seen.saturating_add(1);
        }
        position = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two names and some facts of the base.
    fn bytes() -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&[5 * 8]); // length 5, kind 0: player
        bytes.extend_from_slice(b"Euwe!");
        bytes.extend_from_slice(&[9 * 8 + 4]); // length 9, kind 4: the base itself
        bytes.extend_from_slice(b"autoload7");
        bytes.extend_from_slice(&[0x80 | 1, 6]); // length 96 in two bytes: (6 << 7 | 1) = 96 × 8 + 1: event
        bytes.extend_from_slice(&[b'E'; 96]);
        bytes
    }

    #[test]
    fn names_5_read_names_write_same_bytes() {
        let mut info = Info::default();
        let names = parse_names_5(&bytes(), "sn5", &mut info, &mut Diagnostics::strict()).unwrap();
        assert_eq!(names[0].get(0), Some(&b"Euwe!"[..]));
        assert_eq!(names[1].get(0), Some(&[b'E'; 96][..]));
        assert_eq!(info.autoload, 7);
        let (end, others) = survey_5(&bytes());
        assert_eq!((end, &*others), (bytes().len(), &b"\x4cautoload7"[..]));
        let again = encode_names_5(&set_autoload_5(&others, 12), &names);
        assert_eq!(again[..11], *b"\x54autoload12");
        let mut without = bytes();
        without.drain(6..16);
        assert_eq!(again[11..], without);
    }

    #[test]
    fn info_5_missing_records_set_nothing() {
        assert_eq!(set_autoload_5(b"\x2ctype3", 5), b"\x2ctype3");
    }

    #[test]
    fn names_5_truncated_record_is_not_counted() {
        let whole = bytes();
        for length in 0..whole.len() {
            let end = survey_5(&whole[..length]).0;
            let ends = [0, 6, 16, 114];
            assert_eq!(Some(&end), ends.iter().rev().find(|end| **end <= length), "{length}");
        }
    }
}
