//! Games to any stream of bytes.

use std::io;

use chess_core::seam::{CreateOptions, Loss, LossKind};
use chess_core::{Encoding, Game, Location};

use crate::error::{Error, ErrorKind};
use crate::export::Exporter;

/// How much text is gathered before it is written out.
const BUFFER: usize = 1 << 16;

/// Writes games in PGN export format, one after the other.
#[derive(Debug)]
pub struct Writer<W> {
    inner: W,
    exporter: Exporter,
    text: Vec<u8>,
    encoding: Option<Encoding>,
    written: u64,
    games: u64,
}

impl<W: io::Write> Writer<W> {
    /// Writes UTF-8 to `inner`, gathering games first, so that it needs no buffer of its own.
    pub fn new(inner: W) -> Writer<W> {
        Writer::with_options(inner, &CreateOptions::default())
    }

    /// As [`Writer::new`], in the encoding that `options` asks for. There are no extra options.
    pub fn with_options(inner: W, options: &CreateOptions) -> Writer<W> {
        let encoding = options.encoding.filter(|encoding| encoding.name() != "UTF-8");
        let (exporter, text) = (Exporter::new(), Vec::with_capacity(BUFFER));
        Writer { inner, exporter, text, encoding, written: 0, games: 0 }
    }

    /// Writes a game. PGN holds all there is to a game; only in an encoding other than UTF-8
    /// characters can be lost.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        let start = self.text.len();
        self.exporter.write_game(game, &mut self.text);
        if let Some(encoding) = self.encoding {
            self.encode(encoding, start, losses);
        }
        self.games = self.games.saturating_add(1);
        if self.text.len() >= BUFFER { self.flush_text() } else { Ok(()) }
    }

    /// Writes out what is left, and gives the stream back.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn finish(mut self) -> Result<W, Error> {
        self.flush_text()?;
        match self.inner.flush() {
            Ok(()) => Ok(self.inner),
            Err(error) => Err(self.io_error(error)),
        }
    }

    /// Puts the text from `start` into another encoding.
    fn encode(&mut self, encoding: Encoding, start: usize, losses: &mut Vec<Loss>) {
        let text = self.text.get(start..).unwrap_or_default();
        let text = String::from_utf8_lossy(text).into_owned();
        let (bytes, complete) = encoding.encode(&text);
        self.text.truncate(start);
        self.text.extend_from_slice(&bytes);
        if !complete {
            losses.push(Loss::new(LossKind::Characters, encoding.name()));
        }
    }

    fn flush_text(&mut self) -> Result<(), Error> {
        self.inner.write_all(&self.text).map_err(|error| self.io_error(error))?;
        self.written = self.written.saturating_add(self.text.len() as u64);
        self.text.clear();
        Ok(())
    }

    fn io_error(&self, error: io::Error) -> Error {
        let at = Location::file("pgn").at(self.written).in_game(self.games.saturating_sub(1));
        Error::new(ErrorKind::Io(error), at)
    }
}
