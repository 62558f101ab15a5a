//! `.frm`: the definition of a table.

use chess_store::field_size;
use nom::bytes::complete::{tag, take};
use nom::number::complete::{le_u8, le_u16, le_u24, le_u32};
use nom::{IResult, Parser as _};

use super::column::{Column, Definition, Storage};

/// First bytes of the file.
const MAGIC: [u8; 2] = [0xfe, 0x01];
/// The server's id of the MyISAM engine.
const ENGINE: u8 = 9;
/// The file version that MySQL 5.0 writes. Column entries of 17 bytes exist since version 8.
const VERSION: u8 = 10;
const OLDEST_VERSION: u8 = 8;
/// Offset of the field that holds the offset of the form.
const FORM_POINTER: usize = 67;
/// Length of the form's header.
const FORM_HEADER: usize = 288;
/// Offset of the column counts in the form's header.
const FORM_COUNTS: usize = 258;
/// Option bits of packed (dynamic) rows without a deletion bit.
const OPTION_PACKED: u16 = 1;
/// Offset of the default record, and of the form, in written files.
const DEFAULTS: usize = 0x1010;
const FORM: usize = 0x2000;
/// The block size of the file.
const BLOCK: usize = 0x1000;
/// The server version 5.0.15, which wrote the known archive.
const SERVER: u32 = 50015;
const UTF8: u8 = 33;

/// Flags of a column: nullable, or without a default.
const MAY_BE_NULL: u16 = 0x8000;
const NO_DEFAULT: u16 = 0x4000;
const IS_BLOB: u16 = 0x0400;

/// Ids of column types.
mod kind {
    pub(super) const TINY: u8 = 1;
    pub(super) const SHORT: u8 = 2;
    pub(super) const LONG: u8 = 3;
    pub(super) const LONGLONG: u8 = 8;
    pub(super) const INT24: u8 = 9;
    pub(super) const NEWDATE: u8 = 14;
    pub(super) const VARCHAR: u8 = 15;
    pub(super) const TINY_BLOB: u8 = 249;
    pub(super) const MEDIUM_BLOB: u8 = 250;
    pub(super) const LONG_BLOB: u8 = 251;
    pub(super) const BLOB: u8 = 252;
    pub(super) const STRING: u8 = 254;
}

/// A column entry of the file, which does not include the name.
#[derive(Clone, Copy, Debug)]
struct Entry {
    length: u16,
    position: u32,
    flags: u16,
    kind: u8,
}

/// Parses the columns of a definition. The error describes what was expected.
// movecode §10 "Table definitions"
pub(crate) fn parse_frm(bytes: &[u8]) -> Result<Definition, &'static str> {
    let (_, (version, engine, options)) = header(bytes).map_err(|_| "the mark of a definition")?;
    if version < OLDEST_VERSION {
        return Err("a definition of MySQL 4.1 or later");
    }
    if engine != ENGINE || options & OPTION_PACKED == 0 {
        return Err("a MyISAM table with packed rows");
    }
    let form = bytes.get(FORM_POINTER..).and_then(number32).unwrap_or(u32::MAX);
    let form = usize::try_from(form).ok().and_then(|at| bytes.get(at..)).ok_or("a form")?;
    let (_, (entries, names)) = form_columns(form).map_err(|_| "entries of columns")?;
    let mut names = names.split(|byte| *byte == 0xff).skip(1);
    let mut columns: Vec<(u32, Column)> = Vec::with_capacity(entries.len());
    for entry in entries {
        let name = names.next().filter(|name| !name.is_empty()).ok_or("a name of a column")?;
        let name = String::from_utf8_lossy(name).into_owned();
        let storage = storage(&entry).ok_or("a column type that jose uses")?;
        let nullable = entry.flags & MAY_BE_NULL != 0;
        let has_default = entry.flags & (MAY_BE_NULL | NO_DEFAULT) == 0;
        columns
            .push((entry.position, Column { name, storage, nullable, has_default, binary: false }));
    }
    columns.sort_by_key(|(position, _)| *position);
    let columns = columns.into_iter().map(|(_, column)| column).collect();
    Ok(Definition::new(columns))
}

/// Parses version, engine and options.
fn header(input: &[u8]) -> IResult<&[u8], (u8, u8, u16)> {
    let (rest, (_, version, engine, _, options)) =
        (tag(&MAGIC[..]), le_u8, le_u8, take(26usize), le_u16).parse(input)?;
    Ok((rest, (version, engine, options)))
}

fn number32(input: &[u8]) -> Option<u32> {
    let parsed: IResult<&[u8], u32> = le_u32.parse(input);
    parsed.ok().map(|(_, number)| number)
}

/// Parses the entries and the names of a form.
fn form_columns(form: &[u8]) -> IResult<&[u8], (Vec<Entry>, &[u8])> {
    let (counts, _) = take(FORM_COUNTS).parse(form)?;
    let (_, (count, screens, _, _, names)) =
        (le_u16, le_u16, take(4usize), le_u16, le_u16).parse(counts)?;
    let (rest, _) = (take(FORM_HEADER), take(screens)).parse(form)?;
    let (rest, entries) = nom::multi::count(entry, usize::from(count)).parse(rest)?;
    let (rest, names) = take(names).parse(rest)?;
    Ok((rest, (entries, names)))
}

/// Parses a column entry of seventeen bytes: obsolete screen position, length, position in the record
/// from 1, flags, a check, two bytes, type, character set, length of the comment.
fn entry(input: &[u8]) -> IResult<&[u8], Entry> {
    let (rest, (_, length, position, flags, _, kind, _)) =
        (take(3usize), le_u16, le_u24, le_u16, take(3usize), le_u8, take(3usize)).parse(input)?;
    Ok((rest, Entry { length, position, flags, kind }))
}

fn storage(entry: &Entry) -> Option<Storage> {
    Some(match entry.kind {
        kind::TINY => Storage::Int(1),
        kind::SHORT => Storage::Int(2),
        kind::INT24 => Storage::Int(3),
        kind::LONG => Storage::Int(4),
        kind::LONGLONG => Storage::Int(8),
        kind::NEWDATE => Storage::Date,
        kind::STRING => Storage::Char(entry.length),
        kind::VARCHAR => Storage::VarChar(entry.length),
        kind::TINY_BLOB => Storage::Blob(1),
        kind::BLOB => Storage::Blob(2),
        kind::MEDIUM_BLOB => Storage::Blob(3),
        kind::LONG_BLOB => Storage::Blob(4),
        _ => return None,
    })
}

/// Returns the stored properties of a column: type, length, type flags, check.
fn describe(column: &Column) -> (u8, u16, u16, u8) {
    match column.storage {
        Storage::Int(1) => (kind::TINY, 4, 0x000b, 0),
        Storage::Int(2) => (kind::SHORT, 6, 0x0013, 0),
        Storage::Int(3) => (kind::INT24, 9, 0x004b, 0),
        Storage::Int(8) => (kind::LONGLONG, 20, 0x0043, 0),
        Storage::Int(_) => (kind::LONG, 11, 0x001b, 0),
        Storage::Date => (kind::NEWDATE, 10, 0x0070, 0),
        Storage::Char(length) => (kind::STRING, length, 0, 0),
        Storage::VarChar(length) => (kind::VARCHAR, length, 0, 0),
        Storage::Blob(_) => (kind::MEDIUM_BLOB, 8, IS_BLOB | 0x0048 | u16::from(column.binary), 20),
    }
}

/// Encodes the definition as MySQL 5.0 does. `numbers` is the character set stored for numbers.
pub(crate) fn encode_frm(definition: &Definition, numbers: u8) -> Vec<u8> {
    let record = definition.record_length();
    let screens = encode_screens(definition);
    let names = encode_names(definition);
    let entries = encode_entries(definition, numbers);
    let form = FORM_HEADER
        .saturating_add(screens.len())
        .saturating_add(entries.len())
        .saturating_add(names.len());
    let total = FORM.saturating_add(form);

    let mut file = Vec::with_capacity(total);
    file.extend_from_slice(&[MAGIC[0], MAGIC[1], VERSION, ENGINE, 3, 0]);
    put16(&mut file, BLOCK); // where keys begin
    put16(&mut file, 1); // forms
    put32(&mut file, total.next_multiple_of(BLOCK));
    put16(&mut file, 16); // length of the keys
    put16(&mut file, record);
    pad(&mut file, 27);
    file.extend_from_slice(&[2, 8, 0, 9, 0, 0, 5]);
    pad(&mut file, 38);
    file.push(UTF8);
    pad(&mut file, 47);
    put32(&mut file, 16);
    file.extend_from_slice(&SERVER.to_le_bytes());
    put32(&mut file, 10); // length of the engine's name and what precedes it
    pad(&mut file, 64);
    file.extend_from_slice(b"//\0");
    put32(&mut file, FORM);
    pad(&mut file, BLOCK);
    file.extend_from_slice(&[0, 0, 0, 0, 2, 0, 0xff, 0]); // no keys
    pad(&mut file, DEFAULTS);
    encode_defaults(definition, &mut file);
    file.extend_from_slice(&[0, 0, 6, 0]);
    file.extend_from_slice(b"MyISAM");
    pad(&mut file, FORM);

    put16(&mut file, form);
    put16(&mut file, BLOCK);
    pad(&mut file, FORM.saturating_add(256));
    put16(&mut file, definition.columns.len().div_ceil(COLUMNS_A_SCREEN));
    put16(&mut file, definition.columns.len());
    put16(&mut file, screens.len());
    let lengths = definition.columns.iter().map(|column| usize::from(describe(column).1));
    put16(&mut file, lengths.fold(0, usize::saturating_add));
    put16(&mut file, 0);
    put16(&mut file, record);
    put16(&mut file, names.len());
    pad(&mut file, FORM.saturating_add(0x116));
    put16(&mut file, 80);
    put16(&mut file, 22);
    put16(&mut file, definition.count(|column| column.nullable));
    pad(&mut file, FORM.saturating_add(FORM_HEADER));
    file.extend_from_slice(&screens);
    file.extend_from_slice(&entries);
    file.extend_from_slice(&names);
    file
}

/// The server lays the columns out on screens of 80 by 22 characters, as its forefather did.
const COLUMNS_A_SCREEN: usize = 19;

fn encode_screens(definition: &Definition) -> Vec<u8> {
    let mut screens = Vec::new();
    for columns in definition.columns.chunks(COLUMNS_A_SCREEN) {
        let mut screen = Vec::new();
        screen.push(low_byte(columns.len().saturating_add(1)));
        screen.push(low_byte(columns.len()));
        screen.extend_from_slice(&[2, 20, 41]);
        screen.resize(screen.len().saturating_add(40), b' ');
        screen.push(0);
        for (row, column) in (4u8..).zip(columns) {
            screen.extend_from_slice(&[row, 0, name_width(column)]);
            screen.extend_from_slice(column.name.as_bytes());
            screen.push(0);
        }
        put16(&mut screens, screen.len().saturating_add(2));
        screens.extend_from_slice(&screen);
    }
    screens
}

/// Name and a character after it.
fn name_width(column: &Column) -> u8 {
    low_byte(column.name.len().saturating_add(1))
}

fn encode_entries(definition: &Definition, numbers: u8) -> Vec<u8> {
    let mut entries = Vec::new();
    let mut position = definition.null_bytes.saturating_add(1);
    for columns in definition.columns.chunks(COLUMNS_A_SCREEN) {
        for (row, column) in (4u8..).zip(columns) {
            let (kind, length, flags, check) = describe(column);
            let width = name_width(column);
            let shown = length.min(u16::from(79u8.saturating_sub(width)));
            entries.extend_from_slice(&[row, width, low_byte(usize::from(shown))]);
            entries.extend_from_slice(&length.to_le_bytes());
            let [low, middle, high, ..] = position.to_le_bytes();
            entries.extend_from_slice(&[low, middle, high]);
            let null = match (column.nullable, column.has_default) {
                (true, _) => MAY_BE_NULL,
                (false, false) => NO_DEFAULT,
                (false, true) => 0,
            };
            entries.extend_from_slice(&(flags | null).to_le_bytes());
            let charset = match column.storage {
                Storage::Int(_) | Storage::Date => numbers,
                _ if column.binary => 63,
                _ => UTF8,
            };
            entries.extend_from_slice(&[check, 0, 0, kind, charset, 0, 0]);
            position = position.saturating_add(usize::from(column.storage.record_length()));
        }
    }
    entries
}

fn encode_names(definition: &Definition) -> Vec<u8> {
    let mut names = vec![0xff];
    for column in &definition.columns {
        names.extend_from_slice(column.name.as_bytes());
        names.push(0xff);
    }
    names.push(0);
    names
}

/// A record of defaults: all null, texts of fixed length blank, the rest zero.
fn encode_defaults(definition: &Definition, file: &mut Vec<u8>) {
    file.resize(file.len().saturating_add(definition.null_bytes), 0xff);
    for column in &definition.columns {
        let blank = if matches!(column.storage, Storage::Char(_)) { b' ' } else { 0 };
        let length = usize::from(column.storage.record_length());
        file.resize(file.len().saturating_add(length), blank);
    }
}

fn pad(file: &mut Vec<u8>, to: usize) {
    if file.len() < to {
        file.resize(to, 0);
    }
}

/// Why lengths and counts fit their fields.
const FEW_COLUMNS: &str = "the tables have a few columns with short names";

fn put16(file: &mut Vec<u8>, value: usize) {
    let value: u16 = field_size(value, FEW_COLUMNS);
    file.extend_from_slice(&value.to_le_bytes());
}

fn put32(file: &mut Vec<u8>, value: usize) {
    let value: u32 = field_size(value, FEW_COLUMNS);
    file.extend_from_slice(&value.to_le_bytes());
}

fn low_byte(value: usize) -> u8 {
    field_size(value, FEW_COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_frm_of_jose_matches_snapshot() {
        let cases = testkit::cases("movecode");
        let case = cases.iter().find(|case| case.name == "folder").unwrap();
        insta::assert_debug_snapshot!(parse_frm(&case.bytes("IO_Game.frm")).unwrap());
    }
}
