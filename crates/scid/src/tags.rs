//! The tags at the beginning of a record. (scid §4.2 "Tags")

use chess_store::{TextDecoder, field_size};
use nom::Parser as _;
use nom::bytes::complete::take;
use nom::number::complete::{be_u24, u8};

use crate::layout::{BINARY_EVENT_DATE, COMMON_TAG_BASE, COMMON_TAGS, MAX_TAG_NAME};

/// A tag of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecordTag<'a> {
    /// Name and value as stored.
    Text { name: &'a [u8], value: &'a [u8] },
    /// The value of a tag with one of the unassigned codes 251 to 254.
    Unassigned { code: u8, value: &'a [u8] },
    /// The event date in three bytes.
    EventDate(u32),
}

impl RecordTag<'_> {
    /// Name and value, for dumps.
    pub(crate) fn describe(&self, text: &TextDecoder) -> String {
        match self {
            RecordTag::Text { name, value } => {
                format!("{} {:?}", text.decode(name), text.decode(value))
            }
            RecordTag::Unassigned { code, value } => {
                format!("code {code} {:?}", text.decode(value))
            }
            RecordTag::EventDate(date) => format!("event date {date:#x}"),
        }
    }
}

/// Parses a tag. The inner `None` is the byte that ends the tags.
pub(crate) fn parse_tag(bytes: &[u8]) -> Option<(&[u8], Option<RecordTag<'_>>)> {
    let (bytes, code) = u8::<_, ()>.parse(bytes).ok()?;
    let (bytes, name) = match code {
        0 => return Some((bytes, None)),
        BINARY_EVENT_DATE => {
            let (bytes, date) = be_u24::<_, ()>.parse(bytes).ok()?;
            return Some((bytes, Some(RecordTag::EventDate(date))));
        }
        1..COMMON_TAG_BASE => take::<_, _, ()>(code).map(Some).parse(bytes).ok()?,
        _ => {
            let common = COMMON_TAGS.get(usize::from(code.wrapping_sub(COMMON_TAG_BASE)));
            (bytes, common.map(|name| name.as_bytes()))
        }
    };
    let (bytes, length) = u8::<_, ()>.parse(bytes).ok()?;
    let (bytes, value) = take::<_, _, ()>(length).parse(bytes).ok()?;
    let tag = match name {
        Some(name) => RecordTag::Text { name, value },
        None => RecordTag::Unassigned { code, value },
    };
    Some((bytes, Some(tag)))
}

/// Appends a tag. The caller ensures the lengths: a name of 1 to 240 bytes, a value of at most 255.
/// Longer texts are truncated.
pub(crate) fn encode_tag(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    let common = (COMMON_TAG_BASE..).zip(COMMON_TAGS).find(|(_, common)| common.as_bytes() == name);
    match common {
        Some((code, _)) => out.push(code),
        None => {
            let name = name.get(..MAX_TAG_NAME).unwrap_or(name);
            put_text(name, out);
        }
    }
    put_text(value, out);
}

/// Appends a length and a text. A long text is truncated.
fn put_text(text: &[u8], out: &mut Vec<u8>) {
    let text = text.get(..255).unwrap_or(text);
    out.push(field_size(text.len(), "it is cut to 255 bytes"));
    out.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: &[u8] = &[
        243, 3, b'B', b'o', b'b', // Annotator "Bob"
        3, b'N', b'I', b'C', 0, // NIC ""
        251, 1, b'x', // unassigned
        255, 0x0f, 0x9e, 0x21, // 1999.01.01? year << 9 | month << 5 | day
        0,    // end
        1,    // the flags byte
    ];

    #[test]
    fn parse_tag_each_kind_is_read() {
        let mut rest = BYTES;
        let mut tags = Vec::new();
        while let Some((next, tag)) = parse_tag(rest) {
            rest = next;
            let Some(tag) = tag else { break };
            tags.push(tag);
        }
        assert_eq!(rest, [1]);
        assert_eq!(
            tags,
            [
                RecordTag::Text { name: b"Annotator", value: b"Bob" },
                RecordTag::Text { name: b"NIC", value: b"" },
                RecordTag::Unassigned { code: 251, value: b"x" },
                RecordTag::EventDate(0x0f_9e21),
            ]
        );
    }

    #[test]
    fn encode_tag_common_and_other_gives_bytes() {
        let mut out = Vec::new();
        encode_tag(b"Annotator", b"Bob", &mut out);
        encode_tag(b"NIC", b"", &mut out);
        assert_eq!(out, BYTES[..10]);
    }

    #[test]
    fn parse_tag_truncated_is_error() {
        for tag in [&BYTES[..5], &BYTES[5..10], &BYTES[10..13], &BYTES[13..17]] {
            for length in 0..tag.len() {
                assert_eq!(parse_tag(&tag[..length]), None);
            }
            assert!(parse_tag(tag).is_some());
        }
    }
}
