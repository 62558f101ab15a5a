//! Writes lines.

use std::io::Write;

use chess_core::{Elo, Game, Header, TYPED_TAGS};
use chess_store::{EncodeGames, Location, Loss, LossKind, Losses, ScratchEncoder, WriteGames};

use super::{Error, ErrorKind};

/// Buffer size of the writer in bytes.
const BUFFER: usize = 1 << 16;

/// Formats a game as a line.
pub(super) trait LineOf: Clone + Send + 'static {
    /// Returns the header line of the file.
    fn head(&self) -> String;
    /// Appends the line with its line feed.
    fn line(&self, game: &Game, out: &mut Vec<u8>, losses: &mut Losses) -> Result<(), ErrorKind>;
}

/// The canonical line of docs/model.md.
#[derive(Clone)]
pub(super) struct Json;

impl LineOf for Json {
    fn head(&self) -> String {
        String::new()
    }

    fn line(&self, game: &Game, out: &mut Vec<u8>, losses: &mut Losses) -> Result<(), ErrorKind> {
        serde_json::to_writer(&mut *out, game)
            .map_err(|error| ErrorKind::Json(error.to_string()))?;
        out.push(b'\n');
        report_hidden(&game.header, losses);
        Ok(())
    }
}

/// A line keeps the original spelling of a typed tag. Some values of the game come from elsewhere
/// in its source, and a reader of the line cannot see them: the result after the moves, or
/// `UTCDate` in place of `Date`.
fn report_hidden(header: &Header, losses: &mut Losses) {
    if !header.tags.iter().any(|(name, _)| TYPED_TAGS.contains(&name)) {
        return;
    }
    let mut read = Header::default();
    header.for_each_tag(|name, value| read.set(name, &value.to_string()));
    let elo = |elo: Option<Elo>| elo.map(|elo| elo.to_string()).unwrap_or_default();
    let mut report = |kind, hidden: bool, text: &dyn Fn() -> String| {
        if hidden {
            losses.push(Loss::new(kind, text()));
        }
    };
    report(LossKind::Result, read.result != header.result, &|| header.result.to_string());
    report(LossKind::Date, read.date != header.date, &|| header.date.to_string());
    report(LossKind::Date, read.event_date != header.event_date, &|| {
        header.event_date.map(|date| date.to_string()).unwrap_or_default()
    });
    report(LossKind::Rating, read.white_elo != header.white_elo, &|| elo(header.white_elo));
    report(LossKind::Rating, read.black_elo != header.black_elo, &|| elo(header.black_elo));
    report(LossKind::Eco, read.eco != header.eco, &|| {
        header.eco.map(|eco| eco.to_string()).unwrap_or_default()
    });
}

/// Writes lines to a stream.
pub(super) struct Writer<L: LineOf> {
    sink: Box<dyn Write + Send>,
    text: Vec<u8>,
    line_of: L,
    own: ScratchEncoder<Writer<L>>,
}

impl<L: LineOf> Writer<L> {
    pub(super) fn new(sink: Box<dyn Write + Send>, line_of: L) -> Writer<L> {
        let text = line_of.head().into_bytes();
        Writer { sink, text, line_of, own: ScratchEncoder::default() }
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

    fn append(&mut self, encoded: &mut Vec<u8>, _: &mut Losses) -> Result<(), Error> {
        self.text.extend_from_slice(encoded);
        if self.text.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<(), Error> {
        self.flush()?;
        self.sink.flush().map_err(Error::io(Location::default()))
    }

    fn own(&mut self) -> &mut ScratchEncoder<Writer<L>> {
        &mut self.own
    }
}

/// Encodes lines on any thread.
pub(super) struct Encoder<L>(L);

impl<L: LineOf> EncodeGames for Encoder<L> {
    type Error = Error;
    type Encoded = Vec<u8>;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut Vec<u8>,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        into.clear();
        let line = self.0.line(game, into, losses);
        line.map_err(|kind| Error::new(kind, Location::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(pgn: &str) -> Losses {
        let game = pgn::read_all(pgn).unwrap().remove(0);
        let (mut line, mut losses) = (Vec::new(), Losses::new());
        Json.line(&game, &mut line, &mut losses).unwrap();
        let mut read: Game = serde_json::from_slice(&line).unwrap();
        assert_eq!(losses.is_empty(), read == game, "{pgn}");
        read.header.result = game.header.result;
        read.header.date = game.header.date;
        assert_eq!(read, game);
        losses
    }

    #[test]
    fn write_line_reports_values_hidden_by_spelling() {
        for whole in ["[Result \"1-0\"]", "[Date \"1999.1.2\"]\n[WhiteElo \"\"]\n[ECO \"x\"]", ""] {
            assert_eq!(losses(&format!("{whole}\n\n1. e4 1-0\n")), []);
        }
        assert_eq!(losses("[Result \"1/2\"]\n\n1. e4 1/2-1/2\n"), []);
        let date = losses("[Date \"yesterday\"]\n[UTCDate \"2020.05.06\"]\n\n1. e4 *\n");
        assert_eq!(date, [Loss::new(LossKind::Date, "2020.05.06")]);
    }
}
