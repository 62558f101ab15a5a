//! The formats behind the common door.

use std::path::Path;

use chess_core::io::ReadAt;
use chess_core::seam::{
    self, Confidence, CreateOptions as SeamCreate, Creator, Database as SeamDatabase, Field,
    Format, Loss, OpenOptions as SeamOpen, Opener, Writer as SeamWriter,
};
use chess_core::{AnyError, Diagnostics, Game, Header, Warning};

use crate::fbk::{self, Book};
use crate::header::{Checksum, parse_header};
use crate::layout::HEADER_SIZE;
use crate::{CreateOptions, Database, OpenOptions, Writer};

/// The formats of this crate.
pub const FORMATS: &[Format] = &[
    Format {
        name: "cbf",
        title: "ChessBase (old)",
        extensions: &["cbf", "cbi"],
        probe: probe_base,
        open: Some(Opener::Database(open_base)),
        create: Some(Creator::Database(create_base)),
        edit: None,
    },
    Format {
        name: "fbk",
        title: "ChessBase opening book (experimental)",
        extensions: &["fbk"],
        probe: probe_book,
        open: Some(Opener::Database(open_book)),
        create: Some(Creator::Database(create_book)),
        edit: None,
    },
];

fn open_base(path: &Path, options: &SeamOpen) -> Result<Box<dyn SeamDatabase>, AnyError> {
    let options = OpenOptions::try_from(options)?;
    Ok(Box::new(Database::open(path, &options)?))
}

fn create_base(path: &Path, options: &SeamCreate) -> Result<Box<dyn SeamWriter>, AnyError> {
    let options = CreateOptions::try_from(options)?;
    Ok(Box::new(Writer::create(path, &options)?))
}

fn open_book(path: &Path, _: &SeamOpen) -> Result<Box<dyn SeamDatabase>, AnyError> {
    Ok(Box::new(Book::open(path)?))
}

fn create_book(path: &Path, _: &SeamCreate) -> Result<Box<dyn SeamWriter>, AnyError> {
    Ok(Box::new(fbk::Writer::create(path)?))
}

impl<R: ReadAt> SeamDatabase for Database<R> {
    fn len(&self) -> u64 {
        Database::len(self)
    }

    fn header(&self, game: u64, header: &mut Header, d: &mut Diagnostics) -> Result<(), AnyError> {
        Ok(Database::header(self, game, header, d)?)
    }

    fn game(&self, game: u64, into: &mut Game, d: &mut Diagnostics) -> Result<(), AnyError> {
        Ok(Database::game(self, game, into, d)?)
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

impl seam::Writer for Writer {
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        Ok(Writer::write(self, game, losses)?)
    }

    fn warnings(&self) -> &[Warning] {
        Writer::warnings(self)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        Ok(Writer::finish(*self)?)
    }
}

impl<R: ReadAt> SeamDatabase for Book<R> {
    fn len(&self) -> u64 {
        Book::len(self)
    }

    fn header(&self, game: u64, header: &mut Header, _: &mut Diagnostics) -> Result<(), AnyError> {
        Ok(Book::header(self, game, header)?)
    }

    fn game(&self, game: u64, into: &mut Game, d: &mut Diagnostics) -> Result<(), AnyError> {
        Ok(Book::game(self, game, into, d)?)
    }

    fn dump(&self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), AnyError> {
        Ok(Book::dump(self, game, each)?)
    }

    fn about(&self) -> Vec<(&'static str, String)> {
        vec![("Status", "experimental: no genuine book is known".to_owned())]
    }

    fn warnings(&self) -> &[Warning] {
        Book::warnings(self)
    }
}

impl seam::Writer for fbk::Writer {
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        Ok(fbk::Writer::write(self, game, losses)?)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        Ok(fbk::Writer::finish(*self)?)
    }
}

/// No file has a mark: records that follow each other must do, or the name.
fn probe_base(start: &[u8], extension: &str) -> Option<Confidence> {
    match (extension, sound_records(start)) {
        ("cbf", 1..) | (_, 3..) => Some(Confidence::Likely),
        ("cbf", 0) => Some(Confidence::Name),
        // The first game lies at the start of the .cbf: its entry is 2.
        ("cbi", _) if start.get(4..8) == Some(&[0, 0, 0, 2]) => Some(Confidence::Likely),
        ("cbi", _) => Some(Confidence::Name),
        _ => None,
    }
}

/// How many records with a known checksum follow each other from the start.
fn sound_records(start: &[u8]) -> usize {
    let mut rest = start;
    let mut count = 0usize;
    while let Some(header) = parse_header(rest) {
        if header.check() == Checksum::Foreign || header.result & 0xc0 != 0 {
            return if count > 0 { 0 } else { count };
        }
        count = count.saturating_add(1);
        match rest.get(header.record_size()..) {
            Some(after) if after.len() >= HEADER_SIZE => rest = after,
            _ => break,
        }
    }
    count
}

fn probe_book(_: &[u8], extension: &str) -> Option<Confidence> {
    (extension == "fbk").then_some(Confidence::Name)
}
