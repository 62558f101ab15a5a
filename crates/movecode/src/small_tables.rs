//! Encodes the tables other than the games: names, collections, versions.

use crate::ids::Ids;
use crate::myisam::{Definition, NULL, Value, encode_row, encode_row_block};
use crate::schema::Table;
use crate::text::encoded_text;

/// Attributes of a collection, as in the known archive.
const COLLECTION_ATTRIBUTES: i64 = 8;
/// The versions of schema and tables in the known archive.
const SCHEMA_VERSION: i64 = 1001;
const TABLE_VERSION: i64 = 101;

/// The rows of a small table.
pub(crate) struct TableRows {
    definition: Definition,
    pub(crate) bytes: Vec<u8>,
    pub(crate) count: u64,
}

impl TableRows {
    fn new(table: Table) -> TableRows {
        TableRows { definition: table.definition(), bytes: Vec::new(), count: 0 }
    }

    fn push(&mut self, values: &[Value<'_>]) {
        let mut row = Vec::new();
        encode_row(&self.definition, values, &mut row, |_, _| ());
        encode_row_block(&row, &mut self.bytes);
        self.count = self.count.saturating_add(1);
    }
}

/// Encodes a table of names, including jose's entry for none.
pub(crate) fn name_rows(table: Table, names: &Ids) -> TableRows {
    let mut rows = TableRows::new(table);
    rows.push(&[Value::Int(0), Value::Bytes(b"-", 0)]);
    for (id, name) in names.iter() {
        rows.push(&[Value::Int(i64::from(id)), Value::Bytes(&encoded_text(name), 0)]);
    }
    rows
}

pub(crate) fn opening_rows(names: &Ids) -> TableRows {
    let mut rows = TableRows::new(Table::Opening);
    let mut push = |id, name: &[u8]| {
        rows.push(&[
            Value::Int(i64::from(id)),
            Value::Int(0),
            Value::Int(0),
            Value::Bytes(b"-", 0),
            Value::Bytes(name, 0),
        ]);
    };
    push(0, b"-");
    for (id, name) in names.iter() {
        push(id, &encoded_text(name));
    }
    rows
}

// movecode §9.2 "MetaInfo"
pub(crate) fn meta_rows() -> TableRows {
    let mut rows = TableRows::new(Table::MetaInfo);
    let schema = Value::Bytes(b"META", 0);
    let version = Value::Int(SCHEMA_VERSION);
    rows.push(&[Value::Bytes(b"SCHEMA_VERSION", 0), schema, NULL, version, NULL]);
    let table = Value::Bytes(b"MetaInfo", 0);
    let version = Value::Int(TABLE_VERSION);
    rows.push(&[Value::Bytes(b"TABLE_VERSION", 0), schema, table, version, NULL]);
    rows
}

/// Encodes the collections with the number of games in each.
pub(crate) fn collection_rows(collections: &Ids, counts: &[u32]) -> TableRows {
    let mut rows = TableRows::new(Table::Collection);
    for ((id, name), games) in collections.iter().zip(counts) {
        rows.push(&[
            Value::Int(i64::from(id)),
            Value::Int(0),
            Value::Bytes(&encoded_text(name), 0),
            Value::Int(COLLECTION_ATTRIBUTES),
            NULL,
            Value::Int(i64::from(*games)),
        ]);
    }
    rows
}
