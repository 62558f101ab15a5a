//! Decodes codes to a game.

use chess_core::{CastlingSide, Game, GameResult, Move, Nag, Replay, Role};
use chess_store::{Diagnostics, Encoding, Location, unix_line_ends};

use crate::board::Board;
use crate::codes::{Code, Parsed, UnitMove, parse_code, plain_move};
use crate::directions::Directions;
use crate::error::{Error, ErrorKind};
use crate::layout::{MAX_DEPTH, NO_RESULT, RESULT_TAG, TEXT_NAMES, VARIATION_START};
use crate::moves::{Legality, castling_rook, legality};
use crate::quirk::Quirk;
use crate::text::{RawText, Texts, decode_text};

/// A game as jose stores it, in three columns of its table.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameCode<'a> {
    /// The start position; `None` for the usual one.
    pub fen: Option<&'a str>,
    /// The codes, column `Bin`.
    pub code: &'a [u8],
    /// The texts that the codes refer to, each terminated by a zero byte, column `Comments`.
    pub comments: &'a [u8],
}

/// The dialect of the byte code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// The byte code that jose writes.
    #[default]
    Jose,
    /// The byte code of jose's published description. The knight's and the king's directions are as
    /// drawn. Each text directly follows its code, and [`comments`](GameCode::comments) is empty.
    // movecode §14 "The published description"
    Published,
}

/// Options for decoding a game.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct DecodeOptions {
    /// The dialect of the byte code.
    pub dialect: Dialect,
    /// The encoding of the texts, to override detection.
    pub encoding: Option<Encoding>,
}

/// Decodes a game into `into`. Of the header, only the result is changed.
///
/// If the header has no result, it gets the result of the codes. If the two results differ, the
/// header keeps its own, and the tag [`RESULT_TAG`] holds the result of the codes or [`NO_RESULT`].
/// `at` is the location of the first code, to which errors and warnings are relative.
///
/// # Errors
/// Damaged codes. `into` then holds the moves before the damage, with all variations closed.
pub fn decode_game(
    from: &GameCode<'_>,
    into: &mut Game,
    options: &DecodeOptions,
    diagnostics: &mut Diagnostics,
    at: Location,
) -> Result<(), Error> {
    let outcome = Decoder::new(from, into, options, diagnostics, at).and_then(|mut decoder| {
        let read = decoder.read();
        if read.is_err() {
            // The damage counts, not a warning that a strict caller forbids.
            let _ = decoder.state_result();
        }
        read
    });
    into.close_variations();
    outcome
}

/// Decodes the codes of a game one by one.
pub(crate) struct Decoder<'a, 'g> {
    code: &'a [u8],
    offset: usize,
    texts: Texts<'a>,
    options: DecodeOptions,
    directions: &'static Directions,
    pub(crate) game: &'g mut Game,
    diagnostics: &'g mut Diagnostics,
    start: Location,
    replay: Replay<Board>,
    result: Option<GameResult>,
    ended: bool,
}

/// A decoded code and its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) offset: usize,
    pub(crate) length: usize,
    pub(crate) code: Code,
}

impl<'a, 'g> Decoder<'a, 'g> {
    pub(crate) fn new(
        from: &GameCode<'a>,
        game: &'g mut Game,
        options: &DecodeOptions,
        diagnostics: &'g mut Diagnostics,
        start: Location,
    ) -> Result<Decoder<'a, 'g>, Error> {
        game.clear_line();
        if let Some(fen) = from.fen {
            game.set_start_fen(fen).map_err(|error| Error::new(ErrorKind::Fen(error), start))?;
        }
        let (board, extra) = Board::start(game);
        if extra.is_some() {
            diagnostics.note(Quirk::ExtraPiece, start)?;
        }
        let replay = Replay::on(board, from.code.contains(&VARIATION_START));
        Ok(Decoder {
            code: from.code,
            offset: 0,
            texts: Texts::new(from.comments),
            options: *options,
            directions: Directions::of(options.dialect),
            game,
            diagnostics,
            start,
            replay,
            result: None,
            ended: false,
        })
    }

    /// Decodes the next code. Returns `None` after the last one.
    pub(crate) fn step(&mut self) -> Result<Option<Step>, Error> {
        let rest = self.code.get(self.offset..).unwrap_or_default();
        if self.ended || rest.is_empty() {
            return Ok(None);
        }
        let Some(Parsed { code, length, quirk }) = parse_code(rest) else {
            return Err(self.error(ErrorKind::CutCode));
        };
        if let Some(quirk) = quirk {
            self.note(quirk)?;
        }
        if self.result.is_some() && code != Code::End {
            self.note(Quirk::ResultInside)?;
        }
        let offset = self.offset;
        let mut end = offset.saturating_add(length);
        match code {
            Code::Move(code) => self.play(self.unit_move(code)?)?,
            Code::Castle(side) => self.play(self.castling(side)?)?,
            Code::Null => self.play(Move::NULL)?,
            Code::Nag(number) => self.game.push_nag(Nag(u16::from(number))),
            Code::Result(result) => self.result = Some(result),
            Code::Text(kind) => end = self.text(kind, end)?,
            Code::VariationStart => self.start_variation()?,
            Code::VariationEnd => self.end_variation()?,
            Code::Nothing => {}
            Code::End => self.ended = true,
        }
        self.offset = end;
        Ok(Some(Step { offset, length: end.saturating_sub(offset), code }))
    }

    /// Plays the run of one-byte moves at the current position. This is the hot path: most codes are
    /// one-byte moves. [`step`](Decoder::step) has the same effect, one code at a time.
    fn plain_moves(&mut self) -> Result<(), Error> {
        if self.ended || self.result.is_some() {
            return Ok(());
        }
        while let Some(code) = self.code.get(self.offset).and_then(|first| plain_move(*first)) {
            self.play(self.unit_move(code)?)?;
            self.offset = self.offset.saturating_add(1);
        }
        Ok(())
    }

    /// Decodes all codes.
    fn read(&mut self) -> Result<(), Error> {
        self.plain_moves()?;
        while self.step()?.is_some() {
            self.plain_moves()?;
        }
        self.finish()
    }

    /// Reports what is known only at the end of the codes, and states the result.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        if !self.ended {
            self.note(Quirk::NoEnd)?;
        } else if self.offset < self.code.len() {
            self.note(Quirk::BytesAfterEnd)?;
        }
        if self.replay.depth() > 0 {
            self.note(Quirk::OpenVariation)?;
        }
        if !self.texts.is_empty() {
            self.note(Quirk::SurplusText)?;
        }
        if self.result.is_none() {
            self.game.header.tags.push(RESULT_TAG, NO_RESULT);
        }
        self.state_result()
    }

    /// Compares the result of the codes, if there is one, with the header's.
    // movecode §3.5.2, §3.5.3
    fn state_result(&mut self) -> Result<(), Error> {
        let header = &mut self.game.header;
        match self.result {
            Some(result) if header.result == GameResult::Unknown => header.result = result,
            Some(result) if result != header.result => {
                header.tags.push(RESULT_TAG, result.as_str());
                self.note(Quirk::ResultDisagrees)?;
            }
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn play(&mut self, m: Move) -> Result<(), Error> {
        match legality(&self.replay.board().position, m) {
            Legality::Legal => {}
            Legality::Doubtful => self.note(Quirk::IllegalMove)?,
            Legality::Impossible => return Err(self.impossible()),
        }
        self.replay.play_with(|board| board.apply(m));
        self.game.push_move(m);
        Ok(())
    }

    #[inline]
    fn unit_move(&self, code: UnitMove) -> Result<Move, Error> {
        let Board { position, units, .. } = self.replay.board();
        let from = units.square(position.turn(), code.unit);
        let from = from.ok_or_else(|| self.no_piece())?;
        let piece = position.piece_at(from).ok_or_else(|| self.no_piece())?;
        // Pawn codes move pawns; promoted-piece codes move promoted pieces.
        if code.as_pawn != (piece.role() == Role::Pawn) {
            return Err(self.no_piece());
        }
        let to = self.directions.target(piece, from, code.value);
        let to = to.ok_or_else(|| self.impossible())?;
        Ok(match code.promotion {
            Some(role) => Move::promoting(from, to, role),
            None => Move::new(from, to),
        })
    }

    fn castling(&self, side: CastlingSide) -> Result<Move, Error> {
        let position = &self.replay.board().position;
        match (position.king(position.turn()), castling_rook(position, side)) {
            (Some(king), Some(rook)) => Ok(Move::new(king, rook)),
            _ => Err(self.no_piece()),
        }
    }

    /// Reads the text of a code that ends at `end`. Returns the offset of the next code.
    // movecode §7 "Texts"
    fn text(&mut self, kind: u8, end: usize) -> Result<usize, Error> {
        let (text, end) = match self.options.dialect {
            Dialect::Jose => (self.texts.next(), end),
            Dialect::Published => {
                let mut texts = Texts::new(self.code.get(end..).unwrap_or_default());
                let text = texts.next();
                (text, self.code.len().saturating_sub(texts.len()))
            }
        };
        match text {
            Some(text) => self.comment(kind, text)?,
            None => self.note(Quirk::MissingText)?,
        }
        Ok(end)
    }

    fn comment(&mut self, kind: u8, RawText { bytes, ended }: RawText<'_>) -> Result<(), Error> {
        if !ended {
            self.note(Quirk::UnendedText)?;
        }
        let (text, sound) = decode_text(bytes, self.options.encoding);
        let text = unix_line_ends(text);
        if !sound {
            self.note(Quirk::TextEncoding)?;
        }
        let pushed = match TEXT_NAMES.get(usize::from(kind)) {
            Some(name) if !name.is_empty() => self.game.push_comment(&format!("{name}{text}")),
            _ => self.game.push_comment(&text),
        };
        pushed.map_err(|error| self.error(ErrorKind::Line(error)))
    }

    fn start_variation(&mut self) -> Result<(), Error> {
        if self.replay.depth() >= MAX_DEPTH {
            return Err(self.error(ErrorKind::TooDeep));
        }
        self.game.start_variation().map_err(|error| self.error(ErrorKind::Line(error)))?;
        self.replay.start_variation();
        Ok(())
    }

    fn end_variation(&mut self) -> Result<(), Error> {
        self.game.end_variation().map_err(|error| self.error(ErrorKind::Line(error)))?;
        self.replay.end_variation();
        Ok(())
    }

    fn here(&self) -> Location {
        let offset = self.start.offset.unwrap_or(0).saturating_add(self.offset as u64);
        self.start.at(offset).after_ply(self.replay.ply())
    }

    fn note(&mut self, quirk: Quirk) -> Result<(), Error> {
        let here = self.here();
        Ok(self.diagnostics.note(quirk, here)?)
    }

    #[cold]
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.here())
    }

    #[cold]
    fn no_piece(&self) -> Error {
        self.error(ErrorKind::NoPiece(self.first_byte()))
    }

    #[cold]
    fn impossible(&self) -> Error {
        self.error(ErrorKind::ImpossibleMove(self.first_byte()))
    }

    fn first_byte(&self) -> u8 {
        self.code.get(self.offset).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(from: &GameCode<'_>, dialect: Dialect) -> (Game, Vec<&'static str>, Option<Error>) {
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        let options = DecodeOptions { dialect, encoding: None };
        let outcome = decode_game(from, &mut game, &options, &mut diagnostics, Location::default());
        let quirks = diagnostics.warnings().iter().map(|warning| warning.name).collect();
        (game, quirks, outcome.err())
    }

    fn shown(game: &Game) -> String {
        let tokens = game.tokens().map(|token| match token {
            chess_core::Token::Move(m) => m.to_string(),
            chess_core::Token::Comment(text) => format!("{{{text}}}"),
            other => format!("{other:?}"),
        });
        tokens.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn texts_of_either_dialect() {
        // Knight slot 1 goes two up and one left: direction 6, drawn as 1.
        let code = b"\x13\xe0one\x00\x13\x29\xe2two\x00\xd3\xff";
        let from = GameCode { fen: None, code, comments: b"" };
        let (game, quirks, error) = decode(&from, Dialect::Published);
        assert_eq!(shown(&game), "e2e4 {one} e7e5 g1f3 {illegal move: two}");
        assert_eq!((quirks, error.map(|e| e.to_string())), (vec![], None));
        let code = b"\x13\xe0\x13\x2e\xe2\xd3\xff";
        let from = GameCode { fen: None, code, comments: b"one\0two\0" };
        let (same, quirks, error) = decode(&from, Dialect::Jose);
        assert_eq!((shown(&same), quirks), (shown(&game), vec![]));
        assert!(error.is_none());
    }

    #[test]
    fn decode_game_published_text_unterminated_takes_rest() {
        let from = GameCode { fen: None, code: b"\x13\xe0one", comments: b"" };
        let (game, quirks, error) = decode(&from, Dialect::Published);
        assert_eq!(shown(&game), "e2e4 {one}");
        assert_eq!(quirks, ["movecode-unended-text", "movecode-no-end"]);
        assert!(error.is_none());
        let from = GameCode { fen: None, code: b"\x13\xe0", comments: b"" };
        let (_, quirks, _) = decode(&from, Dialect::Published);
        assert_eq!(quirks, ["movecode-missing-text", "movecode-no-end"]);
    }

    #[test]
    fn decode_game_castling_onto_piece_removes_it() {
        // 1. O-O at once, over bishop and knight: their codes name nothing from then on.
        let code = b"\x98\x13\x2e";
        let (game, quirks, error) =
            decode(&GameCode { fen: None, code, comments: b"" }, Dialect::Jose);
        assert_eq!(shown(&game), "e1h1 e7e5");
        assert_eq!(quirks, ["movecode-illegal-move"]);
        let error = error.unwrap();
        assert!(matches!(error.kind(), ErrorKind::NoPiece(0x2e)), "{error}");
    }
}
