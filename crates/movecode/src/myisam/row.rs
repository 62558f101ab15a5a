//! Packed rows: packing and null bits, then columns.

use nom::{Err, IResult};
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
    each: impl FnMut(usize, Value<'a>, usize),
) -> Result<(), (&'static str, usize)> {
    columns(definition, bytes, each).map(|_| ()).map_err(|error| match error {
        Err::Error(missing) | Err::Failure(missing) => {
            (missing.what, bytes.len().saturating_sub(missing.left))
        }
        // The parsers have all bytes and ask for no more.
        Err::Incomplete(_) => ("a whole row", bytes.len()),
    })
}

/// The field that a row lacks, and the number of bytes that are left in its place.
struct Missing {
    what: &'static str,
    left: usize,
}

type Parsed<'a, T> = IResult<&'a [u8], T, Missing>;

fn columns<'a>(
    definition: &Definition,
    row: &'a [u8],
    mut each: impl FnMut(usize, Value<'a>, usize),
) -> Parsed<'a, ()> {
    let (input, packed) = take(definition.pack_bytes, "packing bits", row)?;
    let (mut input, nulls) = take(definition.null_bytes, "null bits", input)?;
    let (packed, nulls) = (Bits { bytes: packed }, Bits { bytes: nulls });
    let mut pack_bit = 0usize;
    let mut null_bit = 0usize;
    for (number, column) in definition.columns.iter().enumerate() {
        let short = column.storage.is_packed() && packed.next(&mut pack_bit);
        let null = column.nullable && nulls.next(&mut null_bit);
        let (rest, value) = value(column.storage, short, row.len(), input)?;
        input = rest;
        let end = row.len().saturating_sub(input.len());
        each(number, if null { Value::Null } else { value }, end);
    }
    match input {
        [] => Ok((input, ())),
        _ => Err(Err::Error(Missing { what: "the end of the row", left: input.len() })),
    }
}

/// Parses the value of a column in a row of `size` bytes. An empty value that is `short` has no bytes.
#[inline(always)]
fn value(storage: Storage, short: bool, size: usize, input: &[u8]) -> Parsed<'_, Value<'_>> {
    let (input, length) = match storage {
        Storage::Int(_) | Storage::Date if short => return Ok((input, Value::Int(0))),
        Storage::Int(width) => {
            let (input, number) = take(width.into(), "a number", input)?;
            return Ok((input, Value::Int(signed(number))));
        }
        Storage::Date => {
            let (input, date) = take(3, "a date", input)?;
            return Ok((input, Value::Int(unsigned(date))));
        }
        Storage::Blob(_) if short => (input, 0),
        Storage::Char(longest) if short => length(if longest > 255 { 2 } else { 1 }, input)?,
        Storage::Char(length) => (input, usize::from(length)),
        Storage::VarChar(_) => match length(1, input)? {
            (input, 255) => {
                let (input, wide) = take(2, "a length", input)?;
                (input, wide.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
            }
            parsed => parsed,
        },
        Storage::Blob(width) => length(width, input)?,
    };
    let what = match storage {
        Storage::Blob(_) => "as many bytes as the row says",
        _ => "a text",
    };
    let start = size.saturating_sub(input.len());
    let (input, bytes) = take(length, what, input)?;
    Ok((input, Value::Bytes(bytes, start)))
}

/// Parses a length, the least significant byte first.
#[inline(always)]
fn length(width: u8, input: &[u8]) -> Parsed<'_, usize> {
    let (input, bytes) = take(width.into(), "a length", input)?;
    Ok((input, usize::try_from(unsigned(bytes)).unwrap_or(usize::MAX)))
}

/// Takes `count` bytes. The error names `what` they are.
// nom's own `take`, with `map` and `map_err` around it, costs 8 % of reading a game.
#[inline(always)]
fn take<'a>(count: usize, what: &'static str, input: &'a [u8]) -> Parsed<'a, &'a [u8]> {
    let missing = || Err::Error(Missing { what, left: input.len() });
    let (bytes, rest) = input.split_at_checked(count).ok_or_else(missing)?;
    Ok((rest, bytes))
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
        let missing = |length: usize| parse_row(&definition(), &ROW[..length]).unwrap_err();
        assert_eq!(missing(0), ("packing bits", 0));
        assert_eq!(missing(5), ("a number", 2));
        assert_eq!(missing(8), ("a date", 6));
        assert_eq!(missing(9), ("a length", 9));
        assert_eq!(missing(12), ("a text", 10));
        assert_eq!(missing(ROW.len() - 1), ("as many bytes as the row says", 19));
        let longer = [ROW, &[0]].concat();
        assert_eq!(parse_row(&definition(), &longer), Err(("the end of the row", ROW.len())));
    }
}
