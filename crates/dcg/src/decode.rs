//! Decodes a record to a `Game`. The inverse is `encode`.

use chess_core::{Game, LineError, Move, Nag, Replay};
use chess_store::{Diagnostics, Encoding, Location, TextDecoder, check_variant, unix_line_ends};

use crate::error::{Error, ErrorKind};
use crate::layout::TAG_VARIATION;
use crate::moves::{PlainMove, Record, Step, StepError};
use crate::promotion::{Promotions, chess_move};
use crate::quirk::Quirk;

/// The decoding options of a base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RecordOptions {
    /// The meaning of the promotion codes.
    pub promotions: Promotions,
    /// The encoding of texts that are not UTF-8.
    pub text: TextDecoder,
}

impl Default for RecordOptions {
    /// The defaults: promotions as in the author's program, Windows-1252 for texts that are not
    /// UTF-8.
    fn default() -> RecordOptions {
        RecordOptions {
            promotions: Promotions::Program,
            text: TextDecoder::utf8_or(Encoding::WINDOWS_1252),
        }
    }
}

/// Decodes records to games. Reusable. A [`Database`](crate::Database) finds the records.
#[derive(Debug, Default)]
pub struct RecordDecoder {
    replay: Replay,
}

impl RecordDecoder {
    /// Decodes the start position and the line of a record, without its length, into `game`. The
    /// header stays unchanged. `at` is the location of the record's first byte.
    ///
    /// # Errors
    /// Damage, with [`Scope::Game`](chess_store::Scope::Game). `game` then holds all moves before
    /// it.
    pub fn decode(
        &mut self,
        record: &[u8],
        options: RecordOptions,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
        at: Location,
    ) -> Result<(), Error> {
        game.clear_line();
        let replay = &mut self.replay;
        let decoding = Decoding::new(record, replay, options, game, diagnostics, at);
        let result = decoding.and_then(Decoding::run);
        game.close_variations();
        if game.drop_stray_castling() {
            diagnostics.note(Quirk::CastlingRights, at)?;
        }
        check_variant(game, result, || at)
    }
}

/// A record being decoded.
struct Decoding<'a, 'g> {
    record: Record<'a>,
    options: RecordOptions,
    game: &'g mut Game,
    diagnostics: &'g mut Diagnostics,
    at: Location,
    replay: &'g mut Replay,
    /// Whether an illegal move was noted. More are likely after the first.
    illegal: bool,
    /// Whether the innermost line has a move.
    started: bool,
}

impl<'a, 'g> Decoding<'a, 'g> {
    fn new(
        bytes: &'a [u8],
        replay: &'g mut Replay,
        options: RecordOptions,
        game: &'g mut Game,
        diagnostics: &'g mut Diagnostics,
        at: Location,
    ) -> Result<Decoding<'a, 'g>, Error> {
        let record = Record::parse(bytes).map_err(|error| ErrorKind::from(error).at(at))?;
        if let Some(fen) = record.fen() {
            let fen = options.text.decode(fen);
            game.set_start_fen(&fen).map_err(|error| ErrorKind::Fen(error).at(at))?;
        }
        // Only variations need the position before each move.
        replay.restart_on(game.start_position(), bytes.contains(&TAG_VARIATION));
        Ok(Decoding {
            record,
            options,
            game,
            diagnostics,
            at,
            replay,
            illegal: false,
            started: false,
        })
    }

    fn run(mut self) -> Result<(), Error> {
        let mut steps = self.record.steps();
        if let Some(quirk) = steps.take_quirk() {
            self.note(quirk, 1)?;
        }
        loop {
            let offset = steps.offset();
            let Some(step) = steps.next() else { break };
            if let Ok(Step::Move(m)) = step {
                self.play(m, offset)?;
                continue;
            }
            if let Some(quirk) = steps.take_quirk() {
                self.note(quirk, offset)?;
            }
            self.step(step, offset)?;
        }
        match self.game.open_variations() {
            0 => Ok(()),
            _ => self.note(Quirk::UnclosedVariation, steps.offset()),
        }
    }

    #[inline]
    fn play(&mut self, m: PlainMove, offset: usize) -> Result<(), Error> {
        let promotions = self.options.promotions;
        let Some(played) = chess_move(m, self.replay.position(), promotions) else {
            return Err(ErrorKind::Promotion(m.promotion()).at(self.place(offset)));
        };
        if m.promotion() != 0 {
            if played.promotion().is_none() {
                self.note(Quirk::IdlePromotion, offset)?;
            } else if promotions.role(m.promotion()).is_none() {
                self.note(Quirk::ForeignPromotion, offset)?;
            }
        }
        if !self.illegal && (m.from() == m.to() || !self.replay.position().is_legal(played)) {
            self.illegal = true;
            self.note(Quirk::IllegalMove, offset)?;
        }
        if played.to() == m.to() && self.replay.position().castling_side(played).is_some() {
            self.note(Quirk::RookCastling, offset)?;
        }
        self.push(played);
        Ok(())
    }

    #[inline]
    fn push(&mut self, m: Move) {
        self.started = true;
        self.game.push_move(m);
        self.replay.play(m);
    }

    // dcg §6.4 "Tags"
    fn step(&mut self, step: Result<Step<'_>, StepError>, offset: usize) -> Result<(), Error> {
        let step = step.map_err(|error| ErrorKind::from(error).at(self.place(offset)))?;
        match step {
            Step::Move(m) => self.play(m, offset),
            Step::NullMove => {
                self.push(Move::NULL);
                Ok(())
            }
            Step::VariationStart => {
                self.line(offset, Game::start_variation)?;
                self.replay.start_variation();
                self.started = false;
                Ok(())
            }
            Step::VariationEnd => {
                self.line(offset, Game::end_variation)?;
                self.replay.end_variation();
                self.started = true;
                Ok(())
            }
            Step::Comment(bytes) => self.comment(bytes, offset),
            Step::Nags(nags) => self.nags(nags, offset),
        }
    }

    fn comment(&mut self, bytes: &[u8], offset: usize) -> Result<(), Error> {
        if !self.started && self.game.open_variations() > 0 {
            self.note(Quirk::CommentBeforeVariation, offset)?;
        }
        if std::str::from_utf8(bytes).is_err() {
            self.note(Quirk::NotUtf8, offset)?;
        }
        let text = unix_line_ends(self.options.text.decode(bytes));
        self.line(offset, |game| game.push_comment(&text))
    }

    fn nags(&mut self, nags: &[u8], offset: usize) -> Result<(), Error> {
        if nags.is_empty() {
            self.note(Quirk::EmptyNags, offset)?;
        }
        if !self.started {
            self.note(Quirk::NagsBeforeMove, offset)?;
        }
        for nag in nags {
            self.game.push_nag(Nag(u16::from(*nag)));
        }
        Ok(())
    }

    fn line(
        &mut self,
        offset: usize,
        change: impl FnOnce(&mut Game) -> Result<(), LineError>,
    ) -> Result<(), Error> {
        change(self.game).map_err(|error| {
            let kind = match error {
                LineError::NothingToReplace => ErrorKind::VariationStart,
                LineError::NotOpen => ErrorKind::VariationEnd,
                _ => ErrorKind::TooMuchText,
            };
            kind.at(self.place(offset))
        })
    }

    #[cold]
    fn note(&mut self, quirk: Quirk, offset: usize) -> Result<(), Error> {
        let at = self.place(offset);
        Ok(self.diagnostics.note(quirk, at)?)
    }

    #[cold]
    fn place(&self, offset: usize) -> Location {
        let start = self.at.offset.unwrap_or(0);
        self.at.at(start.saturating_add(offset as u64)).after_ply(self.replay.ply())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line of a record as canonical JSON, the warnings, and the error.
    fn decode(record: &[u8]) -> (String, Vec<&'static str>, Option<String>) {
        let mut game = Game::new();
        let mut diagnostics = Diagnostics::lenient();
        let at = Location::file("dcg").at(100).in_game(0);
        let (mut decoder, options) = (RecordDecoder::default(), RecordOptions::default());
        let result = decoder.decode(record, options, &mut game, &mut diagnostics, at);
        let json = testkit::game_lines([&game]);
        let line = json.split_once("\"line\":").unwrap().1.trim_end().trim_end_matches('}').into();
        let notes = diagnostics.warnings().iter().map(|warning| warning.name).collect();
        (line, notes, result.err().map(|error| error.to_string()))
    }

    #[test]
    fn decode_variations_sample_reads_second_game() {
        // fixtures/dcg/variations, byte 97
        #[rustfmt::skip]
        let record = [
            0x00,                               // usual start
            0x03, 0x1c, 0x0d, 0x24,             // e4 e5
            0x01, 0x95, 0x0e, 0x6a,             // Nf3 Nc6
            0x01, 0x61, 0x87, 0x02, 0x01, 0x0e, // Bb5 $1 $14
            0x84, 0x01, 0x5a, 0x87, 0x01, 0x02, // (Bc4 $2
            0x86, 0x02, b'I', b't',             // {It}
            0x0f, 0x62, 0x87, 0x01, 0x06,       // Bc5 $6
            0x84, 0x0f, 0xad, 0x85,             // (Nf6)
            0x02, 0x92, 0x85,                   // c3)
            0x0c, 0x28,                         // a6
        ];
        let (line, notes, error) = decode(&record);
        assert_eq!(
            line,
            r#"["e2e4","e7e5","g1f3","b8c6","f1b5","$1","$14","(","f1c4","$2",{"comment":"It"},"f8c5","$6","(","g8f6",")","c2c3",")","a7a6"]"#
        );
        assert_eq!((notes, error), (vec![], None));
    }

    #[test]
    fn decode_castling_targets_rook() {
        #[rustfmt::skip]
        let record = [
            0x00,
            0x03, 0x1c, 0x0d, 0x24, 0x01, 0x95, 0x0f, 0xad, // e4 e5 Nf3 Nf6
            0x01, 0x5a, 0x0f, 0x62, 0x01, 0x06,             // Bc4 Bc5 e1g1
        ];
        let (line, notes, _) = decode(&record);
        assert!(line.ends_with(r#""f8c5","e1h1"]"#), "{line}");
        assert!(notes.is_empty());
        // The king captures its own rook, the Chess960 way to write castling.
        let mut rook = record;
        rook[14] = 0x07;
        let (line, notes, _) = decode(&rook);
        assert!(line.ends_with(r#""f8c5","e1h1"]"#), "{line}");
        assert_eq!(notes, ["dcg-rook-castling"]);
    }

    #[test]
    fn decode_damaged_keeps_earlier_moves() {
        let (line, notes, error) = decode(&[0x00, 0x03, 0x1c, 0x84, 0x02, 0xdb, 0x83, 0x00]);
        assert_eq!(line, r#"["e2e4","(","d2d4",")"]"#);
        assert!(notes.is_empty());
        assert_eq!(
            error.unwrap(),
            ".dcg, byte 106, game 1, ply 2: 0x83 is neither a move nor a known tag"
        );
    }

    #[test]
    fn decode_deviation_is_quirk() {
        for (record, name) in [
            (&[0x00, 0x03, 0x14, 0x07, 0x3c, 0x07, 0x3c][..], "dcg-illegal-move"),
            (&[0x00, 0x00, 0x00], "dcg-illegal-move"),
            (
                &[0x00, 0x03, 0x1c, 0x84, 0x86, 0x01, b'x', 0x02, 0xdb, 0x85],
                "dcg-comment-before-variation",
            ),
            (&[0x00, 0x03, 0x1c, 0x87, 0x00], "dcg-empty-nags"),
            (&[0x00, 0x87, 0x01, 0x01], "dcg-nags-before-move"),
            (&[0x00, 0x03, 0x1c, 0x84, 0x02, 0xdb], "dcg-unclosed-variation"),
            (&[0x00, 0x86, 0x01, 0xe9], "dcg-not-utf8"),
            (&[0x00, 0x86, 0x81, 0x01, b'x'], "dcg-overlong-length"),
        ] {
            let (_, notes, error) = decode(record);
            assert_eq!((notes, error), (vec![name], None), "{record:02x?}");
        }
    }

    #[test]
    fn decode_damage_is_error() {
        for (record, message) in [
            (&[][..], "byte 100, game 1: the record ends inside the FEN marker"),
            (&[0x07], "byte 100, game 1: the FEN marker is 0x07, neither 0x00 nor 0x01"),
            (
                &[0x01, 0x01, b'x'],
                "byte 100, game 1: the start position cannot be read: 'x' does not belong in the board of a FEN",
            ),
            (
                &[0x00, 0x84],
                "byte 101, game 1, ply 1: a variation starts where there is no move to replace",
            ),
            (
                &[0x00, 0x03, 0x1c, 0x85],
                "byte 103, game 1, ply 2: a variation ends that was never started",
            ),
            (&[0x00, 0x63, 0x1c], "byte 101, game 1, ply 1: 6 is no promotion code"),
            (&[0x00, 0x03, 0x1c, 0x0d], "byte 103, game 1, ply 2: the record ends inside a move"),
            (
                &[0x00, 0x03, 0x1c, 0x86, 0x05, b'a'],
                "byte 103, game 1, ply 2: the record ends inside a comment",
            ),
        ] {
            assert_eq!(decode(record).2.as_deref(), Some(&*format!(".dcg, {message}")));
        }
    }
}
