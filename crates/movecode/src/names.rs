//! The tables that give names to numbers.

use std::collections::HashMap;

use chess_core::io::ReadAt;
use chess_core::seam::{Loss, LossKind};
use chess_core::{Diagnostics, Encoding, Location};

use crate::container::Tables;
use crate::error::{Error, ErrorKind, strict};
use crate::myisam::{ReadError, RowPart, Rows, Value, parse_frm, parse_row, read_row};
use crate::quirk::Quirk;
use crate::schema::{NAME, Table};
use crate::text::{cut, decode_text};

/// The tables that a row refers to.
#[derive(Debug, Default)]
pub(crate) struct NameTables {
    pub(crate) collections: Names,
    pub(crate) players: Names,
    pub(crate) events: Names,
    pub(crate) sites: Names,
    pub(crate) openings: Names,
}

impl NameTables {
    /// Reads what tables there are.
    pub(crate) fn read(
        tables: &mut Tables,
        encoding: Option<Encoding>,
        diagnostics: &mut Diagnostics,
    ) -> Result<NameTables, Error> {
        let mut read = |table| match tables.take(table) {
            Some((definition, rows)) => {
                Names::read(table, &definition, &*rows, encoding, diagnostics)
            }
            None => {
                let here = Location::file("jose");
                diagnostics.note(Quirk::MissingTable, here).map_err(strict)?;
                Ok(Names::default())
            }
        };
        Ok(NameTables {
            collections: read(Table::Collection)?,
            players: read(Table::Player)?,
            events: read(Table::Event)?,
            sites: read(Table::Site)?,
            openings: read(Table::Opening)?,
        })
    }
}

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
        diagnostics: &mut Diagnostics,
    ) -> Result<Names, Error> {
        let expected = |expected| {
            let kind = ErrorKind::Table { table: table.name(), expected };
            Error::new(kind, Location::file("frm"))
        };
        let definition = parse_frm(definition).map_err(expected)?;
        let id = definition.column("Id").ok_or_else(|| expected("a column Id"))?;
        let name = definition.column("Name").ok_or_else(|| expected("a column Name"))?;
        let mut note = |quirk, at| {
            let here = Location::file("MYD").at(at);
            diagnostics.note(quirk, here).map_err(strict)
        };
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
                        note(Quirk::TextEncoding, at)?;
                    }
                    names.insert(*id, name.into());
                }
                _ => note(Quirk::DamagedRow, at)?,
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

fn io_error(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io(error), Location::file("MYD"))
}

/// The first number given to a name; jose's own begin there too.
pub(crate) const FIRST_ID: i64 = 1001;

/// Names and the numbers given to them in the order they came.
#[derive(Default)]
pub(crate) struct Ids(HashMap<Box<str>, i64>);

impl Ids {
    /// The number of a name; zero for jose's `-`. A name longer than the column is cut.
    pub(crate) fn of(&mut self, name: &str, losses: &mut Vec<Loss>) -> i64 {
        if name == "-" {
            return 0;
        }
        let fitting = cut(name, NAME);
        if fitting.len() < name.len() {
            losses.push(Loss::new(LossKind::TextCut, fitting));
        }
        if let Some(id) = self.0.get(fitting) {
            return *id;
        }
        let id = FIRST_ID.saturating_add(i64::try_from(self.0.len()).unwrap_or(i64::MAX));
        self.0.insert(fitting.into(), id);
        id
    }

    /// All numbers and names in the order of the numbers.
    pub(crate) fn sorted(&self) -> Vec<(i64, &str)> {
        let mut all: Vec<(i64, &str)> = self.0.iter().map(|(name, id)| (*id, &**name)).collect();
        all.sort_unstable();
        all
    }
}
