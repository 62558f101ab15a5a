//! The format as data, forwarding to this crate's own types.

use std::path::Path;

use chess_core::seam::{
    Confidence, CreateOptions, Creator, Database as DatabaseSeam, Field, Format, Loss, OpenOptions,
    Opener, Writer as WriterSeam,
};
use chess_core::{AnyError, Diagnostics, Game, Header, Warning};

use crate::container::{is_tar_of_tables, looks_packed};
use crate::database::Database;
use crate::writer::Writer;

/// The formats of this crate.
pub const FORMATS: &[Format] = &[Format {
    name: "jose",
    title: "jose archive",
    extensions: &["jose", "frm", "myd", "myi"],
    probe,
    open: Some(Opener::Database(open)),
    create: Some(Creator::Database(create)),
    edit: None,
}];

fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    match extension {
        "jose" if looks_packed(start) => Some(Confidence::Certain),
        "jose" => Some(Confidence::Name),
        "frm" if start.starts_with(&[0xfe, 0x01]) => Some(Confidence::Likely),
        "myi" if start.starts_with(&[0xfe, 0xfe]) => Some(Confidence::Likely),
        "myd" => Some(Confidence::Name),
        _ if is_tar_of_tables(start) => Some(Confidence::Certain),
        _ => None,
    }
}

fn open(path: &Path, options: &OpenOptions) -> Result<Box<dyn DatabaseSeam>, AnyError> {
    Ok(Box::new(Database::open(path, options)?))
}

fn create(path: &Path, options: &CreateOptions) -> Result<Box<dyn WriterSeam>, AnyError> {
    Ok(Box::new(Writer::create(path, options)?))
}

impl DatabaseSeam for Database {
    fn len(&self) -> u64 {
        Database::len(self)
    }

    fn header(
        &self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        Ok(Database::header(self, game, header, diagnostics)?)
    }

    fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        Ok(Database::game(self, game, into, diagnostics)?)
    }

    fn dump(&self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), AnyError> {
        Ok(Database::dump(self, game, each)?)
    }

    fn about(&self) -> Vec<(&'static str, String)> {
        Database::about(self)
    }

    fn warnings(&self) -> &[Warning] {
        Database::warnings(self)
    }
}

impl WriterSeam for Writer {
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        Ok(Writer::write(self, game, losses)?)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        Ok(Writer::finish(*self)?)
    }
}
