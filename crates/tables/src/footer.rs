//! Checks the footer of a Parquet file, before the parquet crate decodes it.
//!
//! A footer is a Thrift structure in the compact protocol:
//!
//! ```text
//! 1 version   2 [schema element: ... 5 children]   3 rows   4 [row group: 1 [column chunk] ...]   5 [key and value]
//! ```
//!
//! The parquet crate follows nested groups and values by recursion, and allocates and skips as many
//! elements as a list claims. A list of ten bytes takes it ten seconds, and 6,000 groups overflow the stack.
//! docs/robustness/parquet.md describes these faults.

use std::io;

use chess_store::io::ReadAt;

use crate::pages::{
    BINARY, DOUBLE, FALSE, INT_8, INT_16, INT_32, INT_64, LIST, SET, STRUCT, TRUE, take, varint,
    zigzag,
};

/// The length of the footer and the magic, at the end of the file.
const TAIL: usize = 8;
/// The deepest nesting of structures and lists; the format needs nine.
const DEEPEST: usize = 24;
/// The deepest nesting of columns.
const MAX_LEVELS: usize = 64;
/// The most columns and groups.
const MAX_COLUMNS: usize = 10_000;

const SCHEMA: u64 = 2;
const CHILDREN: u64 = 5;

type Checked<T> = Result<T, &'static str>;

const DAMAGED: &str = "the footer is damaged";

/// Checks what the footer of a file claims. Leaves a file without a footer to the parquet crate.
///
/// # Errors
/// I/O errors, and [`InvalidData`](io::ErrorKind::InvalidData) for a damaged or excessive footer.
pub(crate) fn check(file: &dyn ReadAt) -> io::Result<()> {
    let Some(end) = file.size()?.checked_sub(TAIL as u64) else { return Ok(()) };
    let mut tail = [0; TAIL];
    file.read_full(end, &mut tail)?;
    let [a, b, c, d, magic @ ..] = tail;
    let length = u32::from_le_bytes([a, b, c, d]);
    let (Some(start), b"PAR1") = (end.checked_sub(length.into()), &magic) else { return Ok(()) };
    let mut bytes = Vec::new();
    file.read_into(start, length.try_into().unwrap_or(usize::MAX), &mut bytes)?;
    let mut footer = Footer { bytes: &bytes, columns: 0, open: Vec::new(), has_schema: false };
    footer
        .structure(Place::Top, 0)
        .map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))
}

/// Which structure is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Schema,
    Other,
}

struct Footer<'a> {
    bytes: &'a [u8],
    /// The columns and groups so far.
    columns: usize,
    /// The children that the open groups still lack.
    open: Vec<u32>,
    has_schema: bool,
}

impl Footer<'_> {
    fn structure(&mut self, place: Place, depth: usize) -> Checked<()> {
        let (mut id, mut children) = (0u64, None);
        loop {
            let byte = take(&mut self.bytes).ok_or(DAMAGED)?;
            if byte == 0 {
                break;
            }
            let (delta, kind) = (byte >> 4, byte & 0x0f);
            id = match delta {
                0 => u64::try_from(self.number()?).map_err(|_| DAMAGED)?,
                _ => id.saturating_add(delta.into()),
            };
            // The parquet crate has 16 bits for it.
            if id > i16::MAX as u64 {
                return Err(DAMAGED);
            }
            match (place, id, kind) {
                (Place::Top, SCHEMA, LIST) if !self.has_schema => {
                    self.has_schema = true;
                    self.list(Place::Schema, depth)?;
                }
                (Place::Top, SCHEMA, _) => return Err(DAMAGED),
                (Place::Schema, CHILDREN, INT_32) if children.is_none() => {
                    children = Some(i32::try_from(self.number()?).map_err(|_| DAMAGED)?);
                }
                (Place::Schema, CHILDREN, _) => return Err(DAMAGED),
                (_, _, TRUE | FALSE) => {}
                _ => self.value(kind, depth)?,
            }
        }
        if place == Place::Schema { self.column(children.unwrap_or(0)) } else { Ok(()) }
    }

    /// Counts a column or group.
    fn column(&mut self, children: i32) -> Checked<()> {
        self.columns = self.columns.saturating_add(1);
        if self.columns > MAX_COLUMNS {
            return Err("the table has more than 10,000 columns");
        }
        while self.open.pop_if(|left| *left == 0).is_some() {}
        if let Some(left) = self.open.last_mut() {
            *left = left.saturating_sub(1);
        }
        if let Ok(children @ 1..) = u32::try_from(children) {
            self.open.push(children);
        }
        if self.open.len() > MAX_LEVELS {
            return Err("the columns of the table are nested too deeply");
        }
        Ok(())
    }

    fn value(&mut self, kind: u8, depth: usize) -> Checked<()> {
        let skipped = match kind {
            INT_8 => 1,
            INT_16 | INT_32 | INT_64 => self.number().map(|_| 0)?,
            DOUBLE => 8,
            BINARY => self.length()?,
            LIST | SET => self.list(Place::Other, depth).map(|()| 0)?,
            STRUCT if depth < DEEPEST => {
                self.structure(Place::Other, depth.saturating_add(1)).map(|()| 0)?
            }
            // A footer has no maps.
            _ => return Err(DAMAGED),
        };
        self.bytes = self.bytes.get(skipped..).ok_or(DAMAGED)?;
        Ok(())
    }

    fn list(&mut self, place: Place, depth: usize) -> Checked<()> {
        let head = take(&mut self.bytes).ok_or(DAMAGED)?;
        let (count, kind) = match (head >> 4, head & 0x0f) {
            (15, kind) => (self.length()?, kind),
            (count, kind) => (count.into(), kind),
        };
        // A footer has no lists of truth values, for which the parquet crate reads no bytes.
        if count > self.bytes.len() || depth >= DEEPEST || matches!(kind, TRUE | FALSE) {
            return Err(DAMAGED);
        }
        let depth = depth.saturating_add(1);
        for _ in 0..count {
            match kind {
                STRUCT => self.structure(place, depth)?,
                kind => self.value(kind, depth)?,
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Checked<i64> {
        varint(&mut self.bytes).map(zigzag).ok_or(DAMAGED)
    }

    fn length(&mut self) -> Checked<usize> {
        varint(&mut self.bytes).and_then(|length| length.try_into().ok()).ok_or(DAMAGED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with this footer. The schema is field 2; `rest` follows it.
    fn file(elements: &[Vec<u8>], rest: &[u8]) -> Vec<u8> {
        let mut footer = vec![0x15, 2, 0x19, 0xf0 | STRUCT];
        footer.extend(number(elements.len()));
        footer.extend(elements.concat());
        footer.extend([0x16, 0]);
        footer.extend(rest);
        footer.push(0);
        let mut file = b"PAR1".to_vec();
        file.extend(&footer);
        file.extend((footer.len() as u32).to_le_bytes());
        file.extend(b"PAR1");
        file
    }

    fn number(mut number: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number > 0x7f {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    }

    /// A group with `children`, or a column of text.
    fn element(children: usize) -> Vec<u8> {
        let start = if children == 0 { vec![0x15, 12, 0x25, 2] } else { vec![0x35, 2] };
        let name = [0x18, 1, b'a'];
        let children = [vec![0x15], number(children * 2)].concat();
        [start, name.to_vec(), children, vec![0]].concat()
    }

    fn fault(file: &[u8]) -> Option<String> {
        check(&file).err().map(|error| error.to_string())
    }

    #[test]
    fn check_usual_footer_is_accepted() {
        let columns = [element(3), element(0), element(1), element(0), element(0)];
        // A row group with a column chunk, and a key with a value.
        let rest = [
            0x19, 0x1c, 0x19, 0x1c, 0x26, 8, 0x1c, 0x15, 12, 0x19, 0x25, 0, 8, 0, 0, 0x16, 2, 0,
            0x19, 0x1c, 0x18, 1, b'k', 0x18, 1, b'v', 0,
        ];
        assert_eq!(fault(&file(&columns, &rest)), None);
        assert_eq!(fault(b"PAR1"), None);
        assert_eq!(fault(b"no footer at all"), None);
    }

    #[test]
    fn check_deep_or_wide_schema_is_error() {
        let nested = |levels| {
            let mut all = vec![element(1); levels];
            all.push(element(0));
            fault(&file(&all, &[]))
        };
        assert_eq!(nested(MAX_LEVELS), None);
        assert!(nested(MAX_LEVELS + 1).unwrap().contains("nested too deeply"));
        // Groups side by side are not nested.
        let pairs = [element(1), element(0)].concat();
        let beside = [vec![element(1000)], vec![pairs; 1000]].concat();
        let mut footer = file(&beside, &[]);
        // The list has 2,001 elements in 1,001 pieces.
        footer.splice(8..10, number(2001));
        assert_eq!(fault(&footer), None);
        let wide = |columns| {
            fault(&file(&[vec![element(columns)], vec![element(0); columns]].concat(), &[]))
        };
        assert_eq!(wide(MAX_COLUMNS - 1), None);
        assert!(wide(MAX_COLUMNS).unwrap().contains("10,000 columns"));
    }

    #[test]
    fn check_unknown_fields_that_claim_much_are_errors() {
        let many = [0xff, 0xff, 0xff, 0xff, 7];
        let columns = [element(1), element(0)];
        let list = |kind: u8| [&[0xf9, 0xf0 | kind], &many[..]].concat();
        for rest in [
            list(TRUE),
            list(INT_8),
            list(STRUCT),
            [&[0xfb], &many[..], &[0x11]].concat(),
            vec![0xfc; 1],
            [vec![0xfc], vec![0x1c; 100_000]].concat(),
            [vec![0xf9], vec![0x19; 100_000]].concat(),
            [&[0xf8], &many[..]].concat(),
            vec![0xf9, 0x31, 0, 0, 0],
        ] {
            let fault = fault(&file(&columns, &rest));
            assert_eq!(fault.as_deref(), Some(DAMAGED), "{:?}", rest.get(..8));
        }
        // A list that is there is skipped.
        assert_eq!(fault(&file(&columns, &[0xf9, 0x35, 2, 4, 6])), None);
    }

    #[test]
    fn check_field_that_parquet_reads_otherwise_is_error() {
        let twice = [vec![0x35, 2, 0x18, 1, b'a', 0x15, 2, 0x05, 10, 4, 0], element(0)];
        assert_eq!(fault(&file(&twice, &[])).as_deref(), Some(DAMAGED));
        // 2^16 + 2 is field 2 in 16 bits.
        let id = number((65_536 + 2) * 2);
        let other = [vec![0x09], id, vec![0x05]].concat();
        assert_eq!(fault(&file(&[element(1), element(0)], &other)).as_deref(), Some(DAMAGED));
    }
}
