//! Decodes a record to a game. (scid §4 "Games")

use std::borrow::Cow;

use chess_core::{Game, Nag};
use chess_store::{
    Diagnostics, Location, Query, TextDecoder, Visit, check_variant, known_boards, unix_line_ends,
    visit_game,
};

use crate::error::{Error, ErrorKind};
use crate::layout::MAX_NAGS;
use crate::quirk::Quirk;
use crate::record::Record;
use crate::record_tags::read_tags;
use crate::stream::{Comments, Stream, StreamItem};
use crate::tags::RecordTag;
use crate::unmarked;

/// Decodes a record into `game`, whose header the index has already filled. Adds the record's tags
/// and replaces start position and moves.
///
/// `at` is the location of the record's first byte.
///
/// # Errors
/// Invalid bytes in the record. `game` then holds everything before the damage, with its variations
/// closed. A missing comment is reported after all moves have been read.
pub fn decode_record(
    record: &[u8],
    at: Location,
    text: &TextDecoder,
    game: &mut Game,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    read_record(record, at, text, false, game, diagnostics)
}

/// As [`decode_record`]. `chess960` is the index's flag.
pub(crate) fn read_record(
    record: &[u8],
    at: Location,
    text: &TextDecoder,
    chess960: bool,
    game: &mut Game,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    game.clear_line();
    let record = Record { bytes: record, at };
    let result = Decoder { record, text, game, diagnostics }.decode();
    game.close_variations();
    if chess960 && game.has_stray_castling() {
        // Only the index records this, so a tag preserves it.
        game.header.tags.push("Variant", "Chess960");
    }
    if game.drop_stray_castling() {
        diagnostics.note(Quirk::CastlingRights, at)?;
    }
    check_variant(game, result, || at)
}

/// Calls `each` with the positions of a record's main line. `game` supplies the header and receives
/// the start position.
///
/// # Errors
/// Invalid bytes in the record, after the positions before them.
pub(crate) fn follow_record(
    record: &[u8],
    at: Location,
    text: &TextDecoder,
    chess960: bool,
    game: &mut Game,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    game.clear_line();
    let bytes = record;
    let record = Record { bytes, at };
    let stream = match start_of(record, text, game) {
        Ok(stream) => stream,
        Err(error) => {
            visit(&game.header, &game.start_position(), None);
            return Err(error);
        }
    };
    if game.start_position().is_chess960() {
        // Castling rights may depend on all moves.
        let read = read_record(bytes, at, text, chess960, game, &mut Diagnostics::lenient());
        visit_game(game, &Query::default(), visit);
        return read;
    }
    let read = follow_stream(record, stream, game, visit);
    check_variant(game, read, || at)
}

/// Starts the stream of a record. `game` receives the start position, and a `Variant` tag if
/// needed.
fn start_of<'a>(
    record: Record<'a>,
    text: &TextDecoder,
    game: &mut Game,
) -> Result<Stream<'a>, Error> {
    let mut rest = record.bytes;
    loop {
        let (next, tag) = record.tag(rest)?;
        rest = next;
        match tag {
            None => break,
            Some(RecordTag::Text { name: b"Variant", value }) => {
                game.header.tags.push("Variant", &text.decode(value));
            }
            Some(_) => {}
        }
    }
    let (fen_place, flags) = record.flags(rest)?;
    let (stream, fen) = record.fen(flags, fen_place)?;
    record.start(fen, fen_place, stream, text, game)
}

fn follow_stream(
    record: Record<'_>,
    mut stream: Stream<'_>,
    game: &Game,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let mut position = game.start_position();
    let is_known = known_boards(game);
    let mut depth = 0usize;
    loop {
        let (here, ply) = (stream.rest(), stream.ply());
        match stream.next() {
            Ok(StreamItem::Move(m) | StreamItem::OddMove(m, _)) if depth == 0 => {
                if !visit(&game.header, &position, Some(m)) {
                    return Ok(());
                }
                position.apply(m);
                if !is_known(&position) {
                    return Ok(());
                }
            }
            Ok(StreamItem::VariationStart) => depth = depth.saturating_add(1),
            Ok(StreamItem::VariationEnd) => depth = depth.saturating_sub(1),
            Ok(StreamItem::GameEnd) => break,
            Ok(_) => {}
            Err(kind) => {
                visit(&game.header, &position, None);
                return Err(Error::new(kind, record.place(here).after_ply(ply)));
            }
        }
    }
    visit(&game.header, &position, None);
    Ok(())
}

struct Decoder<'a, 'g> {
    record: Record<'a>,
    text: &'a TextDecoder,
    game: &'g mut Game,
    diagnostics: &'g mut Diagnostics,
}

impl<'a> Decoder<'a, '_> {
    fn decode(&mut self) -> Result<(), Error> {
        let Decoder { record, text, ref mut game, ref mut diagnostics } = *self;
        let rest = read_tags(record, text, &mut game.header, diagnostics)?;
        let (fen_place, flags) = record.flags(rest)?;
        let (stream, fen) = record.fen(flags, fen_place)?;
        let stream = record.start(fen, fen_place, stream, self.text, self.game)?;
        self.stream(stream)
    }

    #[cold]
    fn note(&mut self, quirk: Quirk, rest: &[u8]) -> Result<(), Error> {
        Ok(self.diagnostics.note(quirk, self.record.place(rest))?)
    }

    fn stream(&mut self, mut stream: Stream<'a>) -> Result<(), Error> {
        let mut comments = Comments::after(stream.rest());
        let mut missing = None;
        let mut nags = 0usize;
        loop {
            stream.plain_moves(|m| {
                self.game.push_move(m);
                nags = 0;
            });
            let (here, ply) = (stream.rest(), stream.ply());
            let place = || self.record.place(here).after_ply(ply);
            match stream.next().map_err(|kind| Error::new(kind, place()))? {
                StreamItem::Move(m) => {
                    self.game.push_move(m);
                    nags = 0;
                }
                StreamItem::OddMove(m, quirk) => {
                    self.diagnostics.note(quirk, place())?;
                    self.game.push_move(m);
                    nags = 0;
                }
                StreamItem::Nag(nag) => {
                    nags = nags.saturating_add(1);
                    self.nag(nag, nags, stream.moved(), here)?;
                }
                StreamItem::Comment => match comments.next() {
                    Some(comment) => self.comment(comment, here)?,
                    None => missing = missing.or_else(|| Some(place())),
                },
                StreamItem::VariationStart => {
                    let started = self.game.start_variation();
                    started.map_err(|_| Error::new(ErrorKind::NothingToReplace, place()))?;
                    nags = 0;
                }
                StreamItem::VariationEnd => {
                    let ended = self.game.end_variation();
                    ended.map_err(|_| Error::new(ErrorKind::NotOpen, place()))?;
                    nags = 0;
                }
                StreamItem::GameEnd => break,
            }
        }
        if let Some(at) = missing {
            return Err(Error::new(ErrorKind::NoComment, at));
        }
        self.unmarked(comments.rest().unwrap_or(stream.rest()))
    }

    /// Adds a NAG, the `count`th of its node.
    fn nag(&mut self, nag: u8, count: usize, moved: bool, here: &[u8]) -> Result<(), Error> {
        self.game.push_nag(Nag(u16::from(nag)));
        if !moved {
            return self.note(Quirk::NagBeforeMove, here);
        }
        if count == MAX_NAGS.saturating_add(1) { self.note(Quirk::ManyNags, here) } else { Ok(()) }
    }

    fn comment(&mut self, comment: &[u8], here: &[u8]) -> Result<(), Error> {
        let text = self.text.decode(comment);
        if matches!(text, Cow::Owned(_)) && self.text.is_mixed(comment) {
            self.note(Quirk::MixedText, here)?;
        }
        let pushed = self.game.push_comment(&unix_line_ends(text));
        pushed.map_err(|_| self.record.error(ErrorKind::TooMuchText, here))
    }

    /// Reads the bytes after the last comment that has a marker.
    fn unmarked(&mut self, rest: &[u8]) -> Result<(), Error> {
        if rest.is_empty() { Ok(()) } else { self.unmarked_texts(rest) }
    }

    #[cold]
    fn unmarked_texts(&mut self, rest: &[u8]) -> Result<(), Error> {
        let (texts, trailing) = unmarked::split_texts(rest);
        if !texts.is_empty() {
            let decode = |text| unix_line_ends(self.text.decode(text));
            let homeless = unmarked::attach(self.game, texts, decode);
            // The places are counted from the end of the record.
            let place = |offset: usize| rest.get(offset..).unwrap_or_default();
            let homeless = homeless
                .map_err(|offset| self.record.error(ErrorKind::TooMuchText, place(offset)))?;
            for offset in homeless {
                self.note(Quirk::SurplusComments, place(offset))?;
            }
        }
        if trailing.is_empty() { Ok(()) } else { self.note(Quirk::TrailingBytes, trailing) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, CORNERS};
    use crate::moves::{Unusual, play};
    use chess_core::{Position, Token};

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
        let text = TextDecoder::utf8_or(chess_store::Encoding::WINDOWS_1252);
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
    fn decode_sample_record_reads_each_byte() {
        let (game, result, quirks) = decode(RECORD);
        result.unwrap();
        assert_eq!(line(&game), "e2e4 $1 {good} ( d2d4 ) e7e5 d1h5");
        assert!(quirks.is_empty());
    }

    #[test]
    fn decode_truncated_keeps_earlier_moves() {
        // The warnings noted up to each length. Comments come at the end.
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
    fn decode_deviation_is_quirk() {
        let quirks = |stream: &[u8]| {
            let (_, result, quirks) = decode(&[&[0, 0], stream].concat());
            result.unwrap();
            quirks
        };
        assert_eq!(quirks(&[11, 5, 15]), ["scid-nag-before-move"]);
        assert_eq!(quirks(&[15, b'x', 0, b'y', 0]), ["scid-surplus-comments"]);
        assert_eq!(quirks(&[15, b'x', 0, 0]), ["scid-trailing-bytes"]);
        assert_eq!(quirks(&[15, b'x']), ["scid-trailing-bytes"]);
        // Rook a1 takes its own pawn on a2.
        assert_eq!(quirks(&[0x19, 15]), ["scid-takes-own"]);
        let nags = [[11u8, 9]; 8].concat();
        assert_eq!(quirks(&[&[0xcf][..], &nags, &[15]].concat()), ["scid-many-nags"]);
    }

    #[test]
    fn decode_damage_is_error() {
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

    /// Scid's board agrees with the model's board about every move of every piece.
    #[test]
    fn board_random_games_match_model() {
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
