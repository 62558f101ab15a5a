//! Packed rows: packing and null bits, then columns.

use smallvec::SmallVec;

use super::column::{Definition, Storage};

/// The value of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value<'a> {
    Null,
    /// A number, or the three bytes of a date.
    Int(i64),
    /// Text or bytes, and their offset in the row.
    Bytes(&'a [u8], usize),
}

pub(crate) const NULL: Value<'static> = Value::Null;

/// The values of a row in the order of its columns.
pub(crate) type Row<'a> = SmallVec<[Value<'a>; 32]>;

/// Parses a row. The error holds the expected content and its offset.
// movecode §12 "Rows"
pub(crate) fn parse_row<'a>(
    definition: &Definition,
    bytes: &'a [u8],
) -> Result<Row<'a>, (&'static str, usize)> {
    let mut row = Row::new();
    visit_row(definition, bytes, |_, value, _| row.push(value))?;
    Ok(row)
}

/// Calls `each` with every column of a row: its index, its value, and its end offset.
pub(crate) fn visit_row<'a>(
    definition: &Definition,
    bytes: &'a [u8],
    mut each: impl FnMut(usize, Value<'a>, usize),
) -> Result<(), (&'static str, usize)> {
    let mut cursor = Cursor { bytes, at: 0 };
    let packed = Bits { bytes: cursor.take(definition.pack_bytes, "packing bits")? };
    let nulls = Bits { bytes: cursor.take(definition.null_bytes, "null bits")? };
    let mut pack_bit = 0usize;
    let mut null_bit = 0usize;
    for (number, column) in definition.columns.iter().enumerate() {
        let short = column.storage.is_packed() && packed.next(&mut pack_bit);
        let null = column.nullable && nulls.next(&mut null_bit);
        let value = value(column.storage, short, &mut cursor)?;
        each(number, if null { Value::Null } else { value }, cursor.at);
    }
    match cursor.at == bytes.len() {
        true => Ok(()),
        false => Err(("the end of the row", cursor.at)),
    }
}

fn value<'a>(
    storage: Storage,
    short: bool,
    cursor: &mut Cursor<'a>,
) -> Result<Value<'a>, (&'static str, usize)> {
    Ok(match storage {
        Storage::Int(_) | Storage::Date if short => Value::Int(0),
        Storage::Blob(_) if short => Value::Bytes(&[], cursor.at),
        Storage::Int(bytes) => Value::Int(signed(cursor.take(usize::from(bytes), "a number")?)),
        Storage::Date => Value::Int(unsigned(cursor.take(3, "a date")?)),
        Storage::Char(length) if short => {
            let length = cursor.length(if length > 255 { 2 } else { 1 })?;
            cursor.bytes(length, "a text")?
        }
        Storage::Char(length) => cursor.bytes(usize::from(length), "a text")?,
        Storage::VarChar(_) => {
            let length = match cursor.length(1)? {
                255 => {
                    let wide = cursor.take(2, "a length")?;
                    wide.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
                }
                length => length,
            };
            cursor.bytes(length, "a text")?
        }
        Storage::Blob(bytes) => {
            let length = cursor.length(bytes)?;
            cursor.bytes(length, "as many bytes as the row says")?
        }
    })
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(
        &mut self,
        count: usize,
        what: &'static str,
    ) -> Result<&'a [u8], (&'static str, usize)> {
        let end = self.at.checked_add(count).ok_or((what, self.at))?;
        let taken = self.bytes.get(self.at..end).ok_or((what, self.at))?;
        self.at = end;
        Ok(taken)
    }

    fn length(&mut self, bytes: u8) -> Result<usize, (&'static str, usize)> {
        let taken = self.take(usize::from(bytes), "a length")?;
        Ok(usize::try_from(unsigned(taken)).unwrap_or(usize::MAX))
    }

    fn bytes(
        &mut self,
        count: usize,
        what: &'static str,
    ) -> Result<Value<'a>, (&'static str, usize)> {
        let start = self.at;
        Ok(Value::Bytes(self.take(count, what)?, start))
    }
}

/// The bits of bytes, lowest first.
struct Bits<'a> {
    bytes: &'a [u8],
}

impl Bits<'_> {
    fn next(&self, bit: &mut usize) -> bool {
        let byte = self.bytes.get(*bit / 8).copied().unwrap_or(0);
        let set = byte >> (*bit % 8) & 1 == 1;
        *bit = bit.saturating_add(1);
        set
    }
}

fn unsigned(bytes: &[u8]) -> i64 {
    bytes.iter().rev().fold(0, |sum, byte| sum << 8 | i64::from(*byte))
}

fn signed(bytes: &[u8]) -> i64 {
    let unused = 64usize.saturating_sub(bytes.len().saturating_mul(8)) & 63;
    unsigned(bytes) << unused >> unused
}

/// Appends a row to `out`, and calls `each` with every column: its index and its end offset. Values
/// are truncated to their column's size; callers check the size before.
pub(crate) fn encode_row(
    definition: &Definition,
    values: &[Value<'_>],
    out: &mut Vec<u8>,
    mut each: impl FnMut(usize, usize),
) {
    let start = out.len();
    let bits = definition.pack_bytes;
    out.resize(start.saturating_add(bits), 0);
    // Unused null bits are set.
    out.resize(out.len().saturating_add(definition.null_bytes), 0xff);
    let mut pack_bit = 0usize;
    let mut null_bit = bits.saturating_mul(8);
    for (number, (column, value)) in definition.columns.iter().zip(values).enumerate() {
        let null = *value == Value::Null;
        if column.nullable {
            if !null {
                change(out, start, null_bit, false);
            }
            null_bit = null_bit.saturating_add(1);
        }
        let short = encode_value(column.storage, *value, out);
        if column.storage.is_packed() {
            if short {
                change(out, start, pack_bit, true);
            }
            pack_bit = pack_bit.saturating_add(1);
        }
        each(number, out.len());
    }
}

fn change(out: &mut [u8], start: usize, bit: usize, set: bool) {
    if let Some(byte) = out.get_mut(start.saturating_add(bit / 8)) {
        let mask = 1 << (bit % 8);
        if set { *byte |= mask } else { *byte &= !mask }
    }
}

/// Appends a value. Returns `true` if the value was packed, which its packing bit records.
fn encode_value(storage: Storage, value: Value<'_>, out: &mut Vec<u8>) -> bool {
    let (number, bytes) = match value {
        Value::Null => (0, &[][..]),
        Value::Int(number) => (number, &[][..]),
        Value::Bytes(bytes, _) => (0, bytes),
    };
    match storage {
        Storage::Int(_) | Storage::Date if number == 0 => return true,
        Storage::Int(length) => put(out, number, usize::from(length)),
        Storage::Date => put(out, number, 3),
        Storage::Char(length) => return encode_char(usize::from(length), bytes, out),
        Storage::VarChar(length) => {
            let bytes = bytes.get(..usize::from(length)).unwrap_or(bytes);
            match u8::try_from(bytes.len()) {
                Ok(length @ 0..=254) => out.push(length),
                _ => {
                    let [.., high, low] = bytes.len().to_be_bytes();
                    out.extend_from_slice(&[255, high, low]);
                }
            }
            out.extend_from_slice(bytes);
        }
        Storage::Blob(_) if bytes.is_empty() => return true,
        Storage::Blob(length) => {
            put(out, i64::try_from(bytes.len()).unwrap_or(i64::MAX), usize::from(length));
            out.extend_from_slice(bytes);
        }
    }
    false
}

fn encode_char(length: usize, bytes: &[u8], out: &mut Vec<u8>) -> bool {
    let bytes = bytes.get(..length).unwrap_or(bytes).trim_ascii_end();
    let prefix = if length > 255 { 2 } else { 1 };
    // Packed only if that is shorter.
    if length > 3 && bytes.len().saturating_add(prefix) < length {
        put(out, i64::try_from(bytes.len()).unwrap_or(i64::MAX), prefix);
        out.extend_from_slice(bytes);
        return true;
    }
    out.extend_from_slice(bytes);
    out.resize(out.len().saturating_add(length.saturating_sub(bytes.len())), b' ');
    false
}

fn put(out: &mut Vec<u8>, value: i64, bytes: usize) {
    let value = value.to_le_bytes();
    out.extend_from_slice(value.get(..bytes).unwrap_or(&value));
}

#[cfg(test)]
mod tests {
    use super::super::column::Column;
    use super::*;

    fn column(name: &str, storage: Storage, nullable: bool) -> Column {
        Column { name: name.into(), storage, nullable, has_default: false, binary: false }
    }

    fn definition() -> Definition {
        Definition::new(vec![
            column("Id", Storage::Int(4), false),
            column("Elo", Storage::Int(2), true),
            column("Date", Storage::Date, true),
            column("Eco", Storage::Char(9), true),
            column("Name", Storage::VarChar(765), false),
            column("Bin", Storage::Blob(3), true),
        ])
    }

    const ROW: &[u8] = &[
        0b0000_1010, // packing bits: Elo is zero, Eco short
        0b1111_0001, // null bits: Elo is null; four without a column
        0xfe,
        0xff,
        0xff,
        0xff, // Id -2
        0x21,
        0xa2,
        0x0f, // 2001, first of January
        3,
        b'D',
        b'8',
        b'5', // Eco, length-prefixed
        2,
        b'A',
        b'b', // Name
        2,
        0,
        0,
        0x13,
        0xff, // Bin of two bytes
    ];

    #[test]
    fn parse_row_sample_round_trips() {
        let row = parse_row(&definition(), ROW).unwrap();
        let expected = [
            Value::Int(-2),
            Value::Null,
            Value::Int(2001 * 512 + 32 + 1),
            Value::Bytes(b"D85", 10),
            Value::Bytes(b"Ab", 14),
            Value::Bytes(&[0x13, 0xff], 19),
        ];
        assert_eq!(row.as_slice(), expected);
        let mut out = Vec::new();
        encode_row(&definition(), &expected, &mut out, |_, _| ());
        assert_eq!(out, ROW);
    }

    #[test]
    fn encode_row_empty_values_take_no_space() {
        let mut out = Vec::new();
        let values = [Value::Int(0), NULL, NULL, NULL, Value::Bytes(b"", 0), NULL];
        encode_row(&definition(), &values, &mut out, |_, _| ());
        // The bits of Id, Elo, Date, Eco and Bin; all null; lengths of Eco and Name.
        assert_eq!(out, [0b0001_1111, 0xff, 0, 0]);
        let row = parse_row(&definition(), &out).unwrap();
        assert_eq!(row.get(1..4), Some(&[NULL, NULL, NULL][..]));
    }

    #[test]
    fn encode_row_long_text_has_long_length() {
        let text = [b'x'; 300];
        let mut out = Vec::new();
        let values = [Value::Int(1), NULL, NULL, NULL, Value::Bytes(&text, 0), NULL];
        encode_row(&definition(), &values, &mut out, |_, _| ());
        assert_eq!(out.get(7..10), Some(&[255, 1, 44][..]));
        let row = parse_row(&definition(), &out).unwrap();
        assert_eq!(row[4], Value::Bytes(&text, 10));
    }

    #[test]
    fn parse_row_truncated_is_error() {
        for length in 0..ROW.len() {
            assert!(parse_row(&definition(), &ROW[..length]).is_err());
        }
        let longer = [ROW, &[0]].concat();
        assert_eq!(parse_row(&definition(), &longer), Err(("the end of the row", ROW.len())));
    }
}
