//! The tables that map numbers to names.

use std::collections::HashMap;

use chess_store::io::{PageCache, ReadAt};
use chess_store::{Diagnostics, Encoding, Location};

use crate::container::Tables;
use crate::error::{Error, ErrorKind};
use crate::myisam::{ReadError, RowPart, Rows, Value, parse_frm, parse_row, read_row};
use crate::quirk::Quirk;
use crate::schema::Table;
use crate::text::decode_text;

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
    /// Reads the tables that are present. `whole` is the location of the archive or folder.
    pub(crate) fn read(
        tables: &mut Tables,
        encoding: Option<Encoding>,
        whole: Location,
        diagnostics: &mut Diagnostics,
    ) -> Result<NameTables, Error> {
        let mut read = |table| match tables.take(table) {
            Some((definition, rows)) => {
                let pages = PageCache::default();
                Names::read(table, &definition, &pages.cached(&*rows), encoding, diagnostics)
            }
            None => {
                diagnostics.note(Quirk::MissingTable, whole)?;
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

/// The names of a table by number.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<i64, Box<str>>);

impl Names {
    /// Reads a table. Damaged rows are skipped with a warning.
    fn read(
        table: Table,
        definition: &[u8],
        rows: &impl ReadAt,
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
        let (here, mut names, mut row) = (Location::file("MYD"), HashMap::new(), Vec::new());
        let mut blocks = Rows::new(rows).map_err(Error::io(here))?;
        while let Some(part) = blocks.next().map_err(Error::io(here))? {
            let (at, read) = match part {
                RowPart::Row(at) => match read_row(rows, at, &mut row) {
                    Err(ReadError::Io(error)) => return Err(Error::io(here)(error)),
                    Err(ReadError::Damaged(..)) => (at, None),
                    Ok(_) => (at, parse_row(&definition, &row).ok()),
                },
                RowPart::Excessive(at) | RowPart::Damage(at) => (at, None),
            };
            match read.as_ref().map(|row| (row.get(id), row.get(name))) {
                Some((Some(Value::Int(id)), Some(Value::Bytes(name, _)))) => {
                    let (name, sound) = decode_text(name, encoding);
                    if !sound {
                        diagnostics.note(Quirk::TextEncoding, here.at(at))?;
                    }
                    names.insert(*id, name.into());
                }
                _ => diagnostics.note(Quirk::DamagedRow, here.at(at))?,
            }
        }
        Ok(Names(names))
    }

    pub(crate) fn get(&self, id: i64) -> Option<&str> {
        self.0.get(&id).map(|name| &**name)
    }

    /// Returns all numbers and names in order of number.
    pub(crate) fn sorted(&self) -> Vec<(i64, &str)> {
        let mut all: Vec<(i64, &str)> = self.0.iter().map(|(id, name)| (*id, &**name)).collect();
        all.sort_unstable();
        all
    }
}
