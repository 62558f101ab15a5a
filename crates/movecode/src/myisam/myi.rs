//! `.MYI`: the state of a table. The tables of an archive have no keys, so the file is a header only.

use super::column::{Definition, Storage};
use chess_store::field_size;

/// Size of the file, which is the header only.
const MYI_SIZE: usize = 1024;

/// Encodes the state of a table with `rows` rows in a `.MYD` of `data` bytes.
///
/// Times, process ids and the server's serial number of the table are zero.
// movecode §13 "Table states"
pub(crate) fn encode_myi(definition: &Definition, rows: u64, data: u64) -> Vec<u8> {
    let fields = fields(definition);
    let mut file = Vec::with_capacity(MYI_SIZE);
    let header = 276usize.saturating_add(fields.len().saturating_mul(7));
    file.extend_from_slice(&[0xfe, 0xfe, 0x07, 0x01]);
    put16(&mut file, 1); // packed rows
    put16(&mut file, header);
    put16(&mut file, 0xb0); // length of the state
    put16(&mut file, 0x64); // length of the base
    put16(&mut file, 0xb0); // offset of the base
    pad(&mut file, 0x14);
    file.push(33); // character set
    pad(&mut file, 0x1a);
    file.extend_from_slice(&[0x19, 0xff]); // changed since it was made; not sorted by a key
    put64(&mut file, rows);
    put64(&mut file, 0); // deleted rows
    put64(&mut file, rows); // blocks
    put64(&mut file, u64::MAX); // first free block
    put64(&mut file, MYI_SIZE as u64);
    put64(&mut file, data);
    pad(&mut file, 0x78);
    put32(&mut file, 1); // updates
    pad(&mut file, 0xb0);
    put64(&mut file, MYI_SIZE as u64); // where keys would begin
    pad(&mut file, 0xdc);
    encode_base(definition, fields.len(), &mut file);
    pad(&mut file, 0x114);
    for (kind, length, null_bit, null_byte) in fields {
        put16(&mut file, kind);
        put16(&mut file, length);
        file.push(null_bit);
        put16(&mut file, null_byte);
    }
    pad(&mut file, MYI_SIZE);
    file
}

/// Encodes the lengths of rows, and the sizes of packing bits and blobs.
fn encode_base(definition: &Definition, fields: usize, file: &mut Vec<u8>) {
    let record = definition.record_length();
    let bits = definition.pack_bytes;
    let blobs = definition.count(|column| matches!(column.storage, Storage::Blob(_)));
    let texts = definition.count(|column| matches!(column.storage, Storage::VarChar(_)));
    let wide = definition
        .count(|column| matches!(column.storage, Storage::VarChar(length) if length > 255));
    let fixed = definition.count(|column| matches!(column.storage, Storage::Char(_)));
    let unpacked = record.saturating_add(wide);
    let least = definition.null_bytes.saturating_add(bits).saturating_add(texts);
    put32(file, record);
    put32(file, unpacked);
    put32(file, least.saturating_add(fixed));
    let most = unpacked.saturating_add(least).saturating_add(1);
    put32(file, most.saturating_add(blobs.saturating_mul(1 << 24)));
    put32(file, 20); // the shortest block
    put32(file, fields);
    put32(file, bits);
    file.extend_from_slice(&[6, 3, 0, 0]); // bytes of pointers into rows and keys; no keys
    put16(file, bits);
    put16(file, blobs);
    put16(file, 0);
    put16(file, 8);
}

/// Returns type, length, null bit and null byte of each field. The null bits themselves come first,
/// then the columns.
fn fields(definition: &Definition) -> Vec<(usize, usize, u8, usize)> {
    let mut fields = Vec::new();
    if definition.null_bytes > 0 {
        fields.push((0, definition.null_bytes, 0, 0));
    }
    let mut bit = 0usize;
    for column in &definition.columns {
        let kind = match column.storage {
            Storage::Char(length) if length > 3 => 1,
            Storage::Char(_) => 0,
            Storage::Int(_) | Storage::Date => 3,
            Storage::Blob(_) => 4,
            Storage::VarChar(_) => 8,
        };
        let (null_bit, null_byte) = match column.nullable {
            true => (1 << (bit % 8), bit / 8),
            false => (0, 0),
        };
        bit = bit.saturating_add(usize::from(column.nullable));
        fields.push((kind, usize::from(column.storage.record_length()), null_bit, null_byte));
    }
    fields
}

fn pad(file: &mut Vec<u8>, to: usize) {
    if file.len() < to {
        file.resize(to, 0);
    }
}

/// Why lengths and counts fit their fields.
const FEW_KEYS: &str = "the tables have a few keys of a few columns";

fn put16(file: &mut Vec<u8>, value: usize) {
    let value: u16 = field_size(value, FEW_KEYS);
    file.extend_from_slice(&value.to_be_bytes());
}

fn put32(file: &mut Vec<u8>, value: usize) {
    let value: u32 = field_size(value, FEW_KEYS);
    file.extend_from_slice(&value.to_be_bytes());
}

fn put64(file: &mut Vec<u8>, value: u64) {
    file.extend_from_slice(&value.to_be_bytes());
}
