//! The tables that give names to numbers.

use std::collections::HashMap;

use chess_core::io::ReadAt;
use chess_core::{Encoding, Location, Quirk as _, Warning};

use crate::error::{Error, ErrorKind};
use crate::myisam::{ReadError, RowPart, Rows, Value, parse_frm, parse_row, read_row};
use crate::quirk::Quirk;
use crate::schema::Table;
use crate::text::decode_text;

/// The names of a table by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<i64, Box<str>>);

impl Names {
    /// Reads a table; damaged rows are passed over with a warning.
    pub(crate) fn read(
        table: Table,
        definition: &[u8],
        rows: &dyn ReadAt,
        encoding: Option<Encoding>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Names, Error> {
        let expected = |expected| {
            let kind = ErrorKind::Table { table: table.name(), expected };
            Error::new(kind, Location::file("frm"))
        };
        let definition = parse_frm(definition).map_err(expected)?;
        let id = definition.column("Id").ok_or_else(|| expected("a column Id"))?;
        let name = definition.column("Name").ok_or_else(|| expected("a column Name"))?;
        let mut names = HashMap::new();
        let mut row = Vec::new();
        let mut blocks = Rows::new(rows).map_err(io_error)?;
        while let Some(part) = blocks.next().map_err(io_error)? {
            let (RowPart::Row(at) | RowPart::Damage(at)) = part;
            let read = match read_row(rows, at, &mut row) {
                Err(ReadError::Io(error)) => return Err(io_error(error)),
                Err(ReadError::Damaged(..)) => None,
                Ok(_) => parse_row(&definition, &row).ok(),
            };
            match read.as_ref().map(|row| (row.get(id), row.get(name))) {
                Some((Some(Value::Int(id)), Some(Value::Bytes(name, _)))) => {
                    let (name, sound) = decode_text(name, encoding);
                    if !sound {
                        warnings.push(warning(Quirk::TextEncoding, at));
                    }
                    names.insert(*id, name.into());
                }
                _ => warnings.push(warning(Quirk::DamagedRow, at)),
            }
        }
        Ok(Names(names))
    }

    pub(crate) fn get(&self, id: i64) -> Option<&str> {
        self.0.get(&id).map(|name| &**name)
    }

    /// All numbers and names in the order of the numbers.
    pub(crate) fn sorted(&self) -> Vec<(i64, &str)> {
        let mut all: Vec<(i64, &str)> = self.0.iter().map(|(id, name)| (*id, &**name)).collect();
        all.sort_unstable();
        all
    }
}

fn warning(quirk: Quirk, at: u64) -> Warning {
    let at = Location::file("MYD").at(at);
    Warning { name: quirk.name(), message: quirk.message(), at }
}

fn io_error(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io(error), Location::file("MYD"))
}
