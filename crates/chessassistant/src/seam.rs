//! The seam: this format as data, and its types behind the traits; forwarding only.

use std::fs::File;
use std::io::BufWriter;

use chess_core::seam::{
    self, Confidence, CreateOptions, Creator, Field, Format, Loss, OpenOptions, Opener,
};
use chess_core::{AnyError, Diagnostics, Game, Header, Warning};

use crate::database::Database;
use crate::layout::VERSION_MARK;
use crate::volume::contains;
use crate::writer::Writer;

/// This format.
pub const FORMATS: &[Format] = &[Format {
    name: "chessassistant",
    title: "Chess Assistant",
    extensions: &["cdp", "emb", "d00", "a02", "d02"],
    probe,
    open: Some(Opener::Database(|path, options: &OpenOptions| {
        Ok(Box::new(Database::open(path, options)?))
    })),
    create: Some(Creator::Database(|path, options: &CreateOptions| {
        Ok(Box::new(Writer::create(path, options)?))
    })),
    edit: None,
}];

/// CDP and EMB carry a mark; the others are known by their names only.
fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    let marked = || {
        let head = start.get(..start.len().min(128)).unwrap_or_default();
        contains(head, VERSION_MARK).then_some(Confidence::Certain)
    };
    match extension {
        "cdp" | "emb" => marked(),
        "d00" | "a02" | "d02" => Some(Confidence::Name),
        _ => None,
    }
}

impl seam::Database for Database {
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

impl seam::Writer for Writer<BufWriter<File>> {
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        Ok(Writer::write(self, game, losses)?)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        Writer::finish(*self)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ours() {
        let cdp = crate::description::Description::new(0, Vec::new()).encode();
        assert_eq!(probe(&cdp, "cdp"), Some(Confidence::Certain));
        assert_eq!(probe(b"something", "cdp"), None);
        assert_eq!(probe(b"", "d02"), Some(Confidence::Name));
        assert_eq!(probe(&cdp, "pgn"), None);
    }
}
