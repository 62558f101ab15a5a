//! PGN behind the common door.

use std::io;

use chess_core::seam::{
    self, Confidence, CreateOptions, Creator, Format, Loss, OpenOptions, Opener, Source,
    Writer as SeamWriter,
};
use chess_core::{AnyError, Diagnostics, Game};

use crate::reader::Reader;
use crate::writer::Writer;

/// The format, as data.
pub const FORMATS: &[Format] = &[Format {
    name: "pgn",
    title: "Portable Game Notation",
    extensions: &["pgn"],
    probe,
    open: Some(Opener::Source(open)),
    create: Some(Creator::Sink(create)),
    edit: None,
}];

fn open(
    source: Box<dyn io::Read + Send>,
    options: &OpenOptions,
) -> Result<Box<dyn Source>, AnyError> {
    let mut reader = Reader::with_options(source, options);
    reader.begin()?;
    Ok(Box::new(reader))
}

impl<R: io::Read + Send> Source for Reader<R> {
    fn next(&mut self, into: &mut Game, diagnostics: &mut Diagnostics) -> Result<bool, AnyError> {
        Ok(self.read_game(into, diagnostics)?)
    }

    fn position(&self) -> Option<u64> {
        Some(Reader::position(self))
    }
}

fn create(
    sink: Box<dyn io::Write + Send>,
    options: &CreateOptions,
) -> Result<Box<dyn SeamWriter>, AnyError> {
    Ok(Box::new(Writer::with_options(sink, options)))
}

impl<W: io::Write + Send> seam::Writer for Writer<W> {
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        Ok(Writer::write(self, game, losses)?)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        Writer::finish(*self)?;
        Ok(())
    }
}

/// A tag section, or movetext that starts with move 1.
fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let text = text.trim_ascii_start();
    let tag = text.starts_with(b"[") && text.get(1).is_some_and(u8::is_ascii_alphabetic);
    match (tag || text.starts_with(b"1."), extension == "pgn") {
        (true, true) => Some(Confidence::Certain),
        (true, false) if text.starts_with(b"[Event \"") => Some(Confidence::Certain),
        (true, false) => Some(Confidence::Likely),
        (false, true) => Some(Confidence::Name),
        (false, false) => None,
    }
}
