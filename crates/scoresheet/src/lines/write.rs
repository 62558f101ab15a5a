//! Lines, written.

use std::io::Write;

use chess_core::Game;
use chess_store::{EncodeGames, Location, Loss, Own, WriteGames};

use super::{Error, ErrorKind};

/// Bytes that are gathered before they are written.
const BUFFER: usize = 1 << 16;

/// Makes a line of a game.
pub(super) trait LineOf: Clone + Send + 'static {
    /// What stands before all lines.
    const HEAD: &'static str;
    /// Appends the line with its line feed.
    fn line(&self, game: &Game, out: &mut Vec<u8>, losses: &mut Vec<Loss>)
    -> Result<(), ErrorKind>;
}

/// The canonical line of docs/model.md.
#[derive(Clone)]
pub(super) struct Json;

impl LineOf for Json {
    const HEAD: &'static str = "";

    fn line(&self, game: &Game, out: &mut Vec<u8>, _: &mut Vec<Loss>) -> Result<(), ErrorKind> {
        serde_json::to_writer(&mut *out, game)
            .map_err(|error| ErrorKind::Json(error.to_string()))?;
        out.push(b'\n');
        Ok(())
    }
}

/// Writes lines to a stream.
pub(super) struct Writer<L: LineOf> {
    sink: Box<dyn Write + Send>,
    text: Vec<u8>,
    line_of: L,
    own: Own<Writer<L>>,
}

impl<L: LineOf> Writer<L> {
    pub(super) fn new(sink: Box<dyn Write + Send>, line_of: L) -> Writer<L> {
        Writer { sink, text: L::HEAD.as_bytes().to_vec(), line_of, own: Own::default() }
    }

    fn flush(&mut self) -> Result<(), Error> {
        let written = self.sink.write_all(&self.text);
        self.text.clear();
        written.map_err(Error::io(Location::default()))
    }
}

impl<L: LineOf> WriteGames for Writer<L> {
    type Error = Error;
    type Encoder = Encoder<L>;
    type Encoded = Vec<u8>;

    fn encoder(&self) -> Encoder<L> {
        Encoder(self.line_of.clone())
    }

    fn append(&mut self, encoded: &mut Vec<u8>, _: &mut Vec<Loss>) -> Result<(), Error> {
        self.text.extend_from_slice(encoded);
        if self.text.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<(), Error> {
        self.flush()?;
        self.sink.flush().map_err(Error::io(Location::default()))
    }

    fn own(&mut self) -> &mut Own<Writer<L>> {
        &mut self.own
    }
}

/// Makes lines on any thread.
pub(super) struct Encoder<L>(L);

impl<L: LineOf> EncodeGames for Encoder<L> {
    type Error = Error;
    type Encoded = Vec<u8>;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut Vec<u8>,
        losses: &mut Vec<Loss>,
    ) -> Result<(), Error> {
        into.clear();
        let line = self.0.line(game, into, losses);
        line.map_err(|kind| Error::new(kind, Location::default()))
    }
}
