//! Checks the pages of a column chunk by their headers, before the parquet crate unpacks them.
//!
//! A page header is a Thrift structure in the compact protocol. It claims the size of the page
//! before and after compression, and the number of its values:
//!
//! ```text
//! chunk:   header | page | header | page | ...
//! header:  1 kind   2 unpacked size   3 packed size   5 / 7 / 8 data / dictionary / data (v2)
//!                                                     each: 1 values, 2 or (v2) 4 encoding
//! ```
//!
//! The parquet crate allocates what a header claims. So the sum of the claims that are in memory
//! together is compared with the decompression limit first.

use std::io;

use chess_store::io::ReadAt;

/// The number of bytes of a header that are read first. Most headers are shorter.
const FIRST: usize = 256;
/// The longest header. It may hold the least and the greatest value of its page.
const LONGEST: usize = 1 << 24;
/// The deepest nesting of a header; the format needs three levels.
const DEEPEST: usize = 8;

/// The kind of page that holds a dictionary.
const DICTIONARY: u64 = 2;
/// The encodings that store deltas; in the last of them, values share prefixes.
const DELTAS: std::ops::RangeInclusive<u64> = 5..=DELTA_BYTE_ARRAY;
const DELTA_BYTE_ARRAY: u64 = 7;

/// The sizes that the pages of a column chunk claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Claims {
    /// The size of the dictionary, and the number of its values.
    pub(crate) dictionary: u64,
    pub(crate) entries: u64,
    /// The size of the largest other page.
    pub(crate) page: u64,
    /// The number of values and nulls in all pages.
    pub(crate) values: u64,
    /// The size of the largest page whose values share prefixes. Each of its values may be as long
    /// as the page.
    pub(crate) prefixed: u64,
    /// Whether a page stores deltas.
    pub(crate) has_deltas: bool,
}

/// Reads the page headers of the column chunk at `start`, of `length` bytes.
///
/// # Errors
/// I/O errors, and [`InvalidData`](io::ErrorKind::InvalidData) for a damaged header.
pub(crate) fn claims(file: &dyn ReadAt, start: u64, length: u64) -> io::Result<Claims> {
    let (mut claims, mut at) = (Claims::default(), start);
    let end = start.saturating_add(length);
    let mut bytes = Vec::new();
    while at < end {
        let (header, length) = read_header(file, at, end, &mut bytes)?;
        let unpacked = header.unpacked.ok_or_else(damaged)?;
        if header.kind == Some(DICTIONARY) {
            claims.dictionary = claims.dictionary.max(unpacked);
            claims.entries = claims.entries.max(header.values.unwrap_or(0));
        } else {
            claims.page = claims.page.max(unpacked);
            claims.values = claims.values.saturating_add(header.values.unwrap_or(0));
        }
        claims.has_deltas |= header.encoding.is_some_and(|encoding| DELTAS.contains(&encoding));
        if header.encoding == Some(DELTA_BYTE_ARRAY) {
            claims.prefixed = claims.prefixed.max(unpacked);
        }
        let packed = header.packed.ok_or_else(damaged)?;
        at = at.saturating_add(length).saturating_add(packed);
    }
    Ok(claims)
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the header of a page is damaged")
}

/// Reads the header at `at`. Returns it with its length.
fn read_header(
    file: &dyn ReadAt,
    at: u64,
    end: u64,
    bytes: &mut Vec<u8>,
) -> io::Result<(Header, u64)> {
    let left = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX);
    let mut count = FIRST;
    loop {
        bytes.clear();
        file.read_into(at, count.min(left), bytes)?;
        let mut rest = bytes.as_slice();
        let mut header = Header::default();
        if read_struct(&mut rest, 0, 0, &mut header).is_some() {
            let length = bytes.len().saturating_sub(rest.len());
            return Ok((header, u64::try_from(length).unwrap_or(u64::MAX)));
        }
        // The header is longer than the bytes read, or damaged.
        if bytes.len() < count || count >= left.min(LONGEST) || header.is_damaged {
            return Err(damaged());
        }
        count = count.saturating_mul(4);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Header {
    kind: Option<u64>,
    unpacked: Option<u64>,
    packed: Option<u64>,
    values: Option<u64>,
    encoding: Option<u64>,
    /// Whether more bytes would not help.
    is_damaged: bool,
}

impl Header {
    /// Stores field `id` of the structure that is field `parent` of the header, or of the header
    /// itself if `parent` is 0. A number that is negative or given twice is damage, because the
    /// parquet crate might take the other one.
    fn set(&mut self, parent: u64, id: u64, number: i64) -> Option<()> {
        let place = match (parent, id) {
            (0, 1) => &mut self.kind,
            (0, 2) => &mut self.unpacked,
            (0, 3) => &mut self.packed,
            (5 | 7 | 8, 1) => &mut self.values,
            (5 | 7, 2) | (8, 4) => &mut self.encoding,
            _ => return Some(()),
        };
        match u64::try_from(number) {
            Ok(number) if place.is_none() => {
                *place = Some(number);
                Some(())
            }
            _ => {
                self.is_damaged = true;
                None
            }
        }
    }
}

/// Reads a structure. Returns `None` if it is damaged or does not end.
fn read_struct(bytes: &mut &[u8], parent: u64, depth: usize, header: &mut Header) -> Option<()> {
    if depth > DEEPEST {
        header.is_damaged = true;
        return None;
    }
    let mut id = 0u64;
    loop {
        let byte = take(bytes)?;
        if byte == 0 {
            return Some(());
        }
        let (delta, kind) = (byte >> 4, byte & 0x0f);
        id = match delta {
            0 => u64::try_from(zigzag(varint(bytes)?)).ok()?,
            _ => id.saturating_add(u64::from(delta)),
        };
        match kind {
            INT_16 | INT_32 | INT_64 if depth <= 1 => {
                header.set(if depth == 0 { 0 } else { parent }, id, zigzag(varint(bytes)?))?;
            }
            STRUCT => {
                let parent = if depth == 0 { id } else { u64::MAX };
                read_struct(bytes, parent, depth.saturating_add(1), header)?;
            }
            TRUE | FALSE => {}
            _ => skip(bytes, kind, depth, header)?,
        }
    }
}

// The types of the compact protocol.
pub(crate) const TRUE: u8 = 1;
pub(crate) const FALSE: u8 = 2;
pub(crate) const INT_8: u8 = 3;
pub(crate) const INT_16: u8 = 4;
pub(crate) const INT_32: u8 = 5;
pub(crate) const INT_64: u8 = 6;
pub(crate) const DOUBLE: u8 = 7;
pub(crate) const BINARY: u8 = 8;
pub(crate) const LIST: u8 = 9;
pub(crate) const SET: u8 = 10;
pub(crate) const STRUCT: u8 = 12;

/// Skips a value.
fn skip(bytes: &mut &[u8], kind: u8, depth: usize, header: &mut Header) -> Option<()> {
    let skipped = match kind {
        TRUE | FALSE | INT_8 => 1,
        INT_16 | INT_32 | INT_64 => {
            varint(bytes)?;
            0
        }
        DOUBLE => 8,
        BINARY => usize::try_from(varint(bytes)?).ok()?,
        LIST | SET if depth < DEEPEST => {
            let head = take(bytes)?;
            let count = match head >> 4 {
                15 => varint(bytes)?,
                count => u64::from(count),
            };
            // The parquet crate reads no bytes for truth values in a list. A header has none.
            if matches!(head & 0x0f, TRUE | FALSE) {
                header.is_damaged = true;
                return None;
            }
            for _ in 0..count {
                skip(bytes, head & 0x0f, depth.saturating_add(1), header)?;
            }
            0
        }
        STRUCT => {
            read_struct(bytes, u64::MAX, depth.saturating_add(1), header)?;
            0
        }
        // A page header has no maps.
        _ => {
            header.is_damaged = true;
            return None;
        }
    };
    *bytes = bytes.get(skipped..)?;
    Some(())
}

pub(crate) fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

/// Reads a number of seven bits a byte, the lowest first.
pub(crate) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = take(bytes)?;
        number |= u64::from(byte & 0x7f).wrapping_shl(shift);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Returns the signed number of a zigzag code: 0, -1, 1, -2, ...
pub(crate) fn zigzag(code: u64) -> i64 {
    (code >> 1).cast_signed() ^ (code & 1).cast_signed().wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dictionary page of 3 bytes, unpacked 40, of 2 values.
    const DICTIONARY_PAGE: [u8; 19] = [
        0x15, 4, // kind 2
        0x15, 80, // unpacked 40
        0x15, 6,    // packed 3
        0x4c, // field 7
        0x15, 4, 0x15, 0, 0x12, 0, // 2 values, plain, not sorted
        0, // the end of the header
        9, 9, 9, // the page
        0, 0,
    ];
    /// A data page (v2) of 2 bytes, unpacked 1000, of 300 values that share prefixes.
    const DATA_PAGE: [u8; 27] = [
        0x15, 6, // kind 3
        0x15, 0xd0, 0x0f, // unpacked 1000
        0x15, 4,    // packed 2
        0x5c, // field 8
        0x15, 0xd8, 0x04, // 300 values
        0x15, 0, 0x15, 0xd8, 0x04, // no nulls, 300 rows
        0x15, 14, // encoding 7
        0x15, 0, 0x15, 0, 0x11, // no levels, compressed
        0, 0, // the ends of the structures
        8, 8, // the page
    ];

    fn chunk() -> Vec<u8> {
        [&DICTIONARY_PAGE[..17], &DATA_PAGE[..]].concat()
    }

    #[test]
    fn claims_of_pages_are_added() {
        let chunk = chunk();
        let claims = claims(&chunk, 0, chunk.len() as u64).unwrap();
        assert_eq!((claims.dictionary, claims.entries), (40, 2));
        assert_eq!((claims.page, claims.values), (1000, 300));
        assert_eq!((claims.prefixed, claims.has_deltas), (1000, true));
    }

    #[test]
    fn claims_of_truncated_or_damaged_header_is_error() {
        let chunk = chunk();
        for length in [1, 5, 13, 18, 30] {
            assert!(claims(&chunk, 0, length).is_err(), "{length}");
        }
        let mut negative = chunk.clone();
        negative[3] = 81;
        assert!(claims(&negative, 0, chunk.len() as u64).is_err());
        let twice = [0x15, 4, 0x15, 80, 0x05, 4, 90, 0x15, 6, 0];
        assert!(claims(&twice.to_vec(), 0, 10).is_err());
        let deep = [0x1c; 300];
        assert!(claims(&deep.to_vec(), 0, 300).is_err());
    }

    #[test]
    fn claims_of_long_header_are_read() {
        // Statistics with a greatest value of 1000 bytes, in field 5 of the data page header.
        let mut header = vec![0x15, 0, 0x15, 8, 0x15, 0, 0x2c, 0x15, 2, 0x4c, 0x18, 0xe8, 7];
        header.extend([b'x'; 1000]);
        header.extend([0, 0, 0]);
        let claims = claims(&header, 0, header.len() as u64).unwrap();
        assert_eq!(claims, Claims { page: 4, values: 1, ..Claims::default() });
    }
}
