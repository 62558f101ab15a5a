//! A record to a game. (scid §4 "Games")

use chess_core::{Diagnostics, Game, LineError, Location, Move, Nag, TextDecoder};
use smallvec::SmallVec;

use crate::board::{Board, CORNERS, CastlingRooks, castling_rooks};
use crate::error::{Error, ErrorKind};
use crate::layout::{MAX_NAGS, marker, record_flag};
use crate::moves::{Unusual, play};
use crate::quirk::{Quirk, note};
use crate::tags::{RecordTag, parse_tag};

/// Decodes a record into a game whose header the index has filled: adds the record's tags,
/// replaces start position and moves.
///
/// `at` is where the record begins.
///
/// # Errors
/// Where the bytes stop making sense; the game then holds what came before, its variations
/// closed. A missing comment is reported after all moves have been read.
pub fn decode_record(
    record: &[u8],
    at: Location,
    text: &TextDecoder,
    game: &mut Game,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    decode_traced(record, at, text, game, diagnostics, None)
}

/// A named stretch of a record.
pub(crate) struct Part<'a> {
    pub(crate) index: usize,
    pub(crate) bytes: &'a [u8],
    pub(crate) name: &'static str,
    pub(crate) value: String,
}

/// Is told what the bytes of a record are, for a dump.
pub(crate) type Trace<'a> = Option<&'a mut dyn FnMut(Part<'_>)>;

/// As [`decode_record`], telling `trace` what each byte is.
pub(crate) fn decode_traced(
    record: &[u8],
    at: Location,
    text: &TextDecoder,
    game: &mut Game,
    diagnostics: &mut Diagnostics,
    trace: Trace<'_>,
) -> Result<(), Error> {
    game.clear_line();
    let mut decoder = Decoder { record, at, text, game, diagnostics, trace };
    let result = decoder.decode();
    game.close_variations();
    result
}

struct Decoder<'a, 't> {
    record: &'a [u8],
    at: Location,
    text: &'a TextDecoder,
    game: &'a mut Game,
    diagnostics: &'a mut Diagnostics,
    trace: Trace<'t>,
}

/// A level of variations to come back to.
struct Level {
    board: Board,
    before: Board,
    ply: u32,
}

impl Decoder<'_, '_> {
    fn decode(&mut self) -> Result<(), Error> {
        let rest = self.tags()?;
        let (board, rooks, stream) = self.start(rest)?;
        self.stream(board, &rooks, stream)
    }

    /// The place of the first byte of `rest`, the end of the record.
    #[cold]
    fn place(&self, rest: &[u8]) -> Location {
        let index = self.record.len().saturating_sub(rest.len()) as u64;
        self.at.at(self.at.offset.unwrap_or(0).saturating_add(index))
    }

    /// Tells the trace, if there is one, what the bytes from `rest` up to `next` are.
    #[inline]
    fn trace(
        &mut self,
        rest: &[u8],
        next: &[u8],
        name: &'static str,
        value: impl FnOnce() -> String,
    ) {
        if let Some(trace) = &mut self.trace {
            let index = self.record.len().saturating_sub(rest.len());
            let bytes = rest.get(..rest.len().saturating_sub(next.len())).unwrap_or_default();
            trace(Part { index, bytes, name, value: value() });
        }
    }

    #[cold]
    fn note(&mut self, quirk: Quirk, rest: &[u8]) -> Result<(), Error> {
        let at = self.place(rest);
        note(self.diagnostics, quirk, at)
    }
}

impl<'a> Decoder<'a, '_> {
    /// Reads the tags; what follows them is handed back.
    fn tags(&mut self) -> Result<&'a [u8], Error> {
        let mut rest = self.record;
        loop {
            let Some((next, tag)) = parse_tag(rest) else {
                return Err(Error::new(ErrorKind::RecordEnds("tags"), self.place(rest)));
            };
            match tag {
                None => {
                    self.trace(rest, next, "end of tags", String::new);
                    return Ok(next);
                }
                Some(RecordTag::Text { name, value }) => self.tag(name, value, rest)?,
                Some(RecordTag::Unassigned { code, value }) => {
                    self.note(Quirk::TagCode, rest)?;
                    let value = self.text.decode(value);
                    self.game.header.tags.push(&format!("ScidTag{code}"), &value);
                }
                Some(RecordTag::EventDate(date)) => {
                    self.note(Quirk::BinaryEventDate, rest)?;
                    let header = &mut self.game.header;
                    header.event_date =
                        header.event_date.or_else(|| crate::roster::date(date & 0xf_ffff));
                }
            }
            self.trace(rest, next, "tag", || {
                tag.map(|tag| tag.describe(self.text)).unwrap_or_default()
            });
            rest = next;
        }
    }

    fn tag(&mut self, name: &[u8], value: &[u8], rest: &[u8]) -> Result<(), Error> {
        let (name, value) = (self.text.decode(name), self.text.decode(value));
        let header = &mut self.game.header;
        let index = match &*name {
            "Event" | "Site" | "Date" | "Round" | "White" | "Black" | "Result" | "Deleted"
            | "FEN" => return self.note(Quirk::TagOfIndex, rest),
            "WhiteElo" => header.white_elo.map(|elo| elo.to_string()),
            "BlackElo" => header.black_elo.map(|elo| elo.to_string()),
            "ECO" => header.eco.map(|eco| eco.to_string()),
            "EventDate" => header.event_date.map(|date| date.to_string()),
            _ => {
                header.tags.push(&name, &value);
                return Ok(());
            }
        };
        // Such a tag is kept among the tags even where its field says the same: so the writer
        // knows that it stood in the record. (scid §6.2 "Tags of the record")
        match index {
            Some(index) if index == value => header.tags.push(&name, &value),
            Some(_) => return self.note(Quirk::TagOfIndex, rest),
            None => {
                header.set(&name, &value);
                if header.tags.get(&name).is_none() {
                    header.tags.push(&name, &value);
                }
            }
        }
        Ok(())
    }

    /// Reads the flags byte and the start position; what follows is the stream.
    fn start(&mut self, rest: &'a [u8]) -> Result<(Board, CastlingRooks, &'a [u8]), Error> {
        let Some((flags, stream)) = rest.split_first() else {
            return Err(Error::new(ErrorKind::RecordEnds("flags"), self.place(rest)));
        };
        self.trace(rest, stream, "flags", || format!("{flags:#04x}"));
        if flags & record_flag::OWN_START == 0 {
            return Ok((Board::start(), CORNERS, stream));
        }
        let Some((fen, stream)) = split_nul(stream) else {
            return Err(Error::new(ErrorKind::RecordEnds("start position"), self.place(stream)));
        };
        let at = self.place(stream).at(self.place(rest).offset.unwrap_or(0).saturating_add(1));
        let fail = |kind| Error::new(kind, at);
        self.trace(rest.get(1..).unwrap_or_default(), stream, "start position", String::new);
        let fen = self.text.decode(fen);
        self.game.set_start_fen(&fen).map_err(|error| fail(ErrorKind::Fen(error)))?;
        let position = self.game.start_position();
        let board = Board::numbered(&position).map_err(fail)?;
        Ok((board, castling_rooks(&position), stream))
    }

    fn stream(
        &mut self,
        mut board: Board,
        rooks: &CastlingRooks,
        stream: &'a [u8],
    ) -> Result<(), Error> {
        // Both save work for the many games that have none; a false alarm costs only time.
        let keep = stream.contains(&marker::VARIATION_START);
        let mut comments = match stream.contains(&marker::COMMENT) {
            true => comments_after(stream),
            false => None,
        };
        let mut missing = None;
        let mut before = board;
        let mut levels: SmallVec<[Level; 4]> = SmallVec::new();
        let mut ply = 0u32;
        let mut nags = usize::MAX;
        let mut played = Move::NULL;
        let mut bytes = stream.iter();
        loop {
            let here = bytes.as_slice();
            let Some(&byte) = bytes.next() else {
                return Err(Error::new(ErrorKind::NoEnd, self.place(here).after_ply(ply)));
            };
            match byte {
                marker::NAG => {
                    let Some(&nag) = bytes.next() else {
                        return Err(Error::new(ErrorKind::NoEnd, self.place(here).after_ply(ply)));
                    };
                    self.game.push_nag(Nag(u16::from(nag)));
                    if nags == usize::MAX {
                        self.note(Quirk::NagBeforeMove, here)?;
                    } else {
                        nags = nags.saturating_add(1);
                        if nags == MAX_NAGS.saturating_add(1) {
                            self.note(Quirk::ManyNags, here)?;
                        }
                    }
                }
                marker::COMMENT => match comments.and_then(split_nul) {
                    Some((comment, rest)) => {
                        self.trace(comments.unwrap_or_default(), rest, "comment", String::new);
                        comments = Some(rest);
                        self.comment(comment, here)?;
                    }
                    None => missing = missing.or(Some((self.place(here), ply))),
                },
                marker::VARIATION_START => {
                    if self.game.start_variation().is_err() {
                        let at = self.place(here).after_ply(ply);
                        return Err(Error::new(ErrorKind::NothingToReplace, at));
                    }
                    levels.push(Level { board, before, ply });
                    board = before;
                    ply = ply.saturating_sub(1);
                    nags = usize::MAX;
                }
                marker::VARIATION_END => {
                    let (Some(level), Ok(())) = (levels.pop(), self.game.end_variation()) else {
                        let at = self.place(here).after_ply(ply);
                        return Err(Error::new(ErrorKind::NotOpen, at));
                    };
                    board = level.board;
                    before = level.before;
                    ply = level.ply;
                    nags = 0;
                }
                marker::GAME_END => {
                    self.trace(here, bytes.as_slice(), "game end", String::new);
                    if !levels.is_empty() {
                        let at = self.place(here).after_ply(ply);
                        return Err(Error::new(ErrorKind::Unclosed, at));
                    }
                    break;
                }
                _ => {
                    if keep {
                        before = board;
                    }
                    let m = match play(&mut board, rooks, byte, &mut bytes) {
                        Ok(m) => m,
                        Err(Unusual::Quirk(m, quirk)) => {
                            note(self.diagnostics, quirk, self.place(here).after_ply(ply))?;
                            m
                        }
                        Err(Unusual::Error(reason)) => {
                            let at = self.place(here).after_ply(ply);
                            return Err(Error::new(ErrorKind::Move { byte, reason }, at));
                        }
                    };
                    self.game.push_move(m);
                    ply = ply.saturating_add(1);
                    nags = 0;
                    played = m;
                }
            }
            self.trace(here, bytes.as_slice(), stream_name(byte), || stream_value(here, played));
        }
        self.after_end(comments.unwrap_or(bytes.as_slice()), missing)
    }

    /// What may follow the end marker, and what was found missing before it.
    fn after_end(
        &mut self,
        mut rest: &[u8],
        missing: Option<(Location, u32)>,
    ) -> Result<(), Error> {
        if let Some((at, ply)) = missing {
            return Err(Error::new(ErrorKind::NoComment, at.after_ply(ply)));
        }
        while let Some((comment, next)) = split_nul(rest).filter(|(comment, _)| !comment.is_empty())
        {
            self.note(Quirk::SurplusComments, rest)?;
            self.comment(comment, rest)?;
            self.trace(rest, next, "surplus comment", String::new);
            rest = next;
        }
        if !rest.is_empty() {
            self.note(Quirk::TrailingBytes, rest)?;
            self.trace(rest, &[], "trailing bytes", String::new);
        }
        Ok(())
    }

    fn comment(&mut self, comment: &[u8], rest: &[u8]) -> Result<(), Error> {
        match self.game.push_comment(&self.text.decode(comment)) {
            Ok(()) => Ok(()),
            Err(LineError::TooMuchText | _) => {
                Err(Error::new(ErrorKind::TooMuchText, self.place(rest)))
            }
        }
    }
}

/// What a dump calls a byte of the stream.
fn stream_name(byte: u8) -> &'static str {
    match byte {
        marker::NAG => "nag",
        marker::COMMENT => "comment marker",
        marker::VARIATION_START => "variation start",
        marker::VARIATION_END => "variation end",
        _ => "move",
    }
}

/// What it says of it.
fn stream_value(bytes: &[u8], played: Move) -> String {
    match bytes {
        [marker::NAG, nag, ..] => format!("${nag}"),
        [marker::COMMENT..=marker::VARIATION_END, ..] => String::new(),
        _ => played.to_string(),
    }
}

/// Splits off the text before the first NUL.
fn split_nul(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((bytes.get(..end)?, bytes.get(end.saturating_add(1)..)?))
}

/// What follows the end marker. A queen's second byte is above all markers; a NAG may be any.
fn comments_after(stream: &[u8]) -> Option<&[u8]> {
    let mut bytes = stream.iter();
    loop {
        match *bytes.next()? {
            marker::GAME_END => return Some(bytes.as_slice()),
            marker::NAG => drop(bytes.next()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_core::{Diagnostics, Location, Position, Token};

    /// Tags, flags, moves and comments of `1. e4 $1 {good} (1. d4) 1... e5 2. Qh5`.
    const RECORD: &[u8] = &[
        0,    // no tags
        0,    // flags: nothing special
        0xcf, // pawn 12 (e2), code 15: two squares
        11,
        1,       // NAG 1
        12,      // comment
        13,      // variation
        0xbf,    // pawn 11 (d2), two squares
        14,      // end of variation
        0xcf,    // pawn 12 (e7), two squares
        0x43,    // queen: the rook move to its own file announces
        64 + 39, // a diagonal move, to h5
        15,      // end of game
        b'g',
        b'o',
        b'o',
        b'd',
        0, // the comment
    ];

    fn decode(record: &[u8]) -> (Game, Result<(), Error>, Vec<&'static str>) {
        let mut game = Game::new();
        let mut diagnostics = Diagnostics::lenient();
        let text = TextDecoder::utf8_or(chess_core::Encoding::WINDOWS_1252);
        let at = Location::file("sg4").at(100).in_game(0);
        let result = decode_record(record, at, &text, &mut game, &mut diagnostics);
        let quirks = diagnostics.warnings().iter().map(|warning| warning.name).collect();
        (game, result, quirks)
    }

    fn line(game: &Game) -> String {
        let words = game.tokens().map(|token| match token {
            Token::Move(m) => m.to_string(),
            Token::Nag(nag) => nag.to_string(),
            Token::Comment(text) => format!("{{{text}}}"),
            Token::VariationStart => String::from("("),
            Token::VariationEnd => String::from(")"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_record_byte_by_byte() {
        let (game, result, quirks) = decode(RECORD);
        result.unwrap();
        assert_eq!(line(&game), "e2e4 $1 {good} ( d2d4 ) e7e5 d1h5");
        assert!(quirks.is_empty());
    }

    #[test]
    fn cut_anywhere_it_keeps_what_came_before() {
        // After so many bytes, this is what has been said; comments stand at the end.
        let kept = [
            (2, ""),
            (3, "e2e4"),
            (5, "e2e4 $1"),
            (8, "e2e4 $1 ( d2d4 )"),
            (10, "e2e4 $1 ( d2d4 ) e7e5"),
            (12, "e2e4 $1 ( d2d4 ) e7e5 d1h5"),
            (13, "e2e4 $1 ( d2d4 ) e7e5 d1h5"),
        ];
        for (length, expected) in kept {
            let (game, result, _) = decode(&RECORD[..length]);
            assert!(result.is_err(), "{length}");
            assert_eq!(line(&game), expected, "{length}");
        }
        assert!((0..RECORD.len()).all(|length| decode(&RECORD[..length]).1.is_err()));
    }

    #[test]
    fn what_is_tolerated() {
        let quirks = |stream: &[u8]| {
            let (_, result, quirks) = decode(&[&[0, 0], stream].concat());
            result.unwrap();
            quirks
        };
        assert_eq!(quirks(&[11, 5, 15]), ["scid-nag-before-move"]);
        assert_eq!(quirks(&[15, b'x', 0]), ["scid-surplus-comments"]);
        assert_eq!(quirks(&[15, b'x']), ["scid-trailing-bytes"]);
        // Rook a1 takes its own pawn on a2.
        assert_eq!(quirks(&[0x19, 15]), ["scid-takes-own"]);
        let nags = [[11u8, 9]; 8].concat();
        assert_eq!(quirks(&[&[0xcf][..], &nags, &[15]].concat()), ["scid-many-nags"]);
    }

    #[test]
    fn what_is_not() {
        let error = |stream: &[u8]| {
            let (_, result, _) = decode(&[&[0, 0], stream].concat());
            result.unwrap_err().to_string()
        };
        let said = [
            error(&[0x60]),
            error(&[0x18]),
            error(&[0x02]),
            error(&[0x0a, 15]),
            error(&[0xcf, 0x4b]),
            error(&[13]),
            error(&[14]),
            error(&[0xcf, 13, 15]),
            error(&[0xcf]),
            error(&[12, 15]),
        ];
        insta::assert_snapshot!(said.join("\n"));
    }

    /// Every move of every piece on its own board agrees with the model's board.
    #[test]
    fn plays_as_the_model_does() {
        let mut random = testkit::Random::new(7);
        for _ in 0..2000 {
            let mut position = Position::start();
            let mut board = Board::start();
            for _ in 0..60 {
                let mut bytes = [random.byte(), 64 | random.byte() & 63].into_iter();
                let first = bytes.next().unwrap();
                let rest: Vec<u8> = bytes.collect();
                if (11..16).contains(&first) {
                    continue;
                }
                let saved = board;
                match play(&mut board, &CORNERS, first, &mut rest.iter()) {
                    Ok(m) | Err(Unusual::Quirk(m, _)) => position.apply(m),
                    Err(Unusual::Error(_)) => board = saved,
                }
                assert!(board.same_pieces(&position), "{}", position.to_fen());
            }
        }
    }
}
