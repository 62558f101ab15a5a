//! Writes games as text in export format. pgn §2 "What is written"

use std::fmt::{self, Write as _};

use chess_core::{Color, Date, Elo, Game, Header, Move, Nag, Position, Replay, Token, is_typed};

use crate::line::Lines;
use crate::san::play_spelt;
use crate::text::{encode_comment, encode_name, encode_value};
use crate::word::Word;

/// Writes games as text, and reuses its memory from game to game.
#[derive(Debug)]
pub struct Exporter {
    replay: Replay,
    /// The parts of the last game that were not written, each with its ply.
    pub(crate) lost: Vec<(Lost, u32)>,
}

/// A part that PGN cannot hold: a variation without a move, or a NAG in such a variation. Comments
/// of the variation move behind the move that it was to replace.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lost {
    Variation,
    PlaceOfComment,
    Nag(Nag),
}

impl Default for Exporter {
    fn default() -> Exporter {
        Exporter { replay: Replay::new(&Game::new()), lost: Vec::new() }
    }
}

impl Exporter {
    /// Creates an exporter.
    #[must_use]
    pub fn new() -> Exporter {
        Exporter::default()
    }

    /// Appends `game` and an empty line to `out`, in UTF-8. A variation without a move is not
    /// written, but its comments are.
    pub fn write_game(&mut self, game: &Game, out: &mut Vec<u8>) {
        write_tags(game, out);
        out.push(b'\n');
        self.write_movetext(game, out);
        out.push(b'\n');
    }

    /// Appends the movetext of `game`, including the result and its line feed.
    pub fn write_movetext(&mut self, game: &Game, out: &mut Vec<u8>) {
        let mut lines = Lines::new(out);
        self.write_line(game, &mut lines, |_, _| {});
        lines.end();
    }

    /// Appends the movetext of `game` on one line, without a line feed at its end. Only comments
    /// can contain line feeds. Calls the callback with each main-line move and the position before
    /// it. Returns the position after the last main-line move.
    #[inline]
    pub fn write_movetext_line(
        &mut self,
        game: &Game,
        out: &mut Vec<u8>,
        each: impl FnMut(&Position, Move),
    ) -> &Position {
        self.write_line(game, &mut Lines::endless(out), each);
        self.replay.position()
    }

    #[inline]
    fn write_line(
        &mut self,
        game: &Game,
        lines: &mut Lines<'_>,
        mut each: impl FnMut(&Position, Move),
    ) {
        self.replay.restart(game);
        self.lost.clear();
        // Whether a Black move needs its number.
        let mut interrupted = true;
        // Whether the open variation has no move. PGN cannot hold such a variation.
        let mut empty = false;
        for (place, token) in game.tokens().enumerate() {
            match token {
                Token::Move(m) => {
                    if self.replay.depth() == 0 {
                        each(self.replay.position(), m);
                    }
                    self.write_move(m, interrupted, lines);
                    interrupted = false;
                    continue;
                }
                Token::Nag(nag) if empty => {
                    self.lost.push((Lost::Nag(nag), self.replay.ply()));
                    continue;
                }
                Token::VariationEnd if empty => empty = false,
                Token::Nag(nag) => lines.word(decimal(nag.0, Word::new(u64::from(b'$'), 1))),
                Token::Comment(text) => encode_comment(text, lines),
                Token::VariationStart => match comments_of_empty_variation(game, place) {
                    Some(commented) => {
                        empty = true;
                        let lost = if commented { Lost::PlaceOfComment } else { Lost::Variation };
                        self.lost.push((lost, self.replay.ply()));
                    }
                    None => lines.open(),
                },
                Token::VariationEnd => lines.close(),
            }
            self.replay.step(token);
            interrupted = true;
        }
        lines.token(game.header.result.as_str().as_bytes());
    }

    #[inline]
    fn write_move(&mut self, m: Move, interrupted: bool, lines: &mut Lines<'_>) {
        let position = self.replay.position();
        if position.turn() == Color::White {
            write_number(position, Dots::White, lines);
        } else if interrupted {
            write_number(position, Dots::Black, lines);
        }
        match self.replay.play_with(|position| play_spelt(position, m)) {
            Ok(word) => lines.word(word),
            Err(san) => lines.token(san.as_bytes()),
        }
    }
}

/// Returns whether the variation that begins at token `place` has comments. `None` if it has a move.
fn comments_of_empty_variation(game: &Game, place: usize) -> Option<bool> {
    let (mut next, mut commented) = (place, false);
    loop {
        next = next.saturating_add(1);
        match game.token(next) {
            Some(Token::Comment(_)) => commented = true,
            Some(Token::Nag(_)) => {}
            Some(Token::Move(_) | Token::VariationStart) => return None,
            Some(Token::VariationEnd) | None => return Some(commented),
        }
    }
}

/// Appends `game` and an empty line to `out`. For many games use an [`Exporter`].
pub fn write_game(game: &Game, out: &mut Vec<u8>) {
    Exporter::new().write_game(game, out);
}

/// Returns `game` as a string; see [`write_game`].
#[must_use]
pub fn to_string(game: &Game) -> String {
    let mut out = Vec::new();
    write_game(game, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// Writes a move number: `12.` or `12...`
#[inline]
fn write_number(position: &Position, dots: Dots, lines: &mut Lines<'_>) {
    let number = position.fullmove_number();
    let Some(digits) = DIGITS.get(usize::from(number)) else {
        return write_long_number(number, dots, lines);
    };
    let len = 1u32.wrapping_add(u32::from(number > 9)).wrapping_add(u32::from(number > 99));
    let (dots, count) = dots.text();
    let text = u64::from(*digits) | dots << (len << 3 & 63);
    lines.word(Word::new(text, len.wrapping_add(count)));
}

#[cold]
fn write_long_number(number: u16, dots: Dots, lines: &mut Lines<'_>) {
    let digits = decimal(number, Word::default());
    let (dots, count) = dots.text();
    let mut text = digits.padded().get(..digits.len()).unwrap_or_default().to_vec();
    text.extend(dots.to_le_bytes().iter().take(count as usize));
    lines.token(&text);
}

/// The dots after a move number.
#[derive(Clone, Copy)]
enum Dots {
    White,
    Black,
}

impl Dots {
    /// Returns the dots, first character lowest, and their count.
    #[inline]
    const fn text(self) -> (u64, u32) {
        match self {
            Dots::White => (b'.' as u64, 1),
            Dots::Black => (u32::from_le_bytes(*b"...\0") as u64, 3),
        }
    }
}

/// The digits of the numbers below 1000, first digit lowest.
static DIGITS: [u32; 1000] = digits();

#[allow(clippy::indexing_slicing, reason = "runs in the compiler only")]
const fn digits() -> [u32; 1000] {
    let mut table = [0; 1000];
    let mut number = 0u16;
    while number < 1000 {
        let (hundreds, tens, ones) = (digit(number / 100), digit(number / 10), digit(number));
        let all = u32::from_be_bytes([0, ones, tens, hundreds]) | 0x0030_3030;
        let leading = if number < 10 {
            16
        } else if number < 100 {
            8
        } else {
            0
        };
        table[number as usize] = all >> leading;
        number = number.wrapping_add(1);
    }
    table
}

/// Appends `number` in decimal to `prefix`.
fn decimal(number: u16, prefix: Word) -> Word {
    let mut text = prefix;
    let mut unit = match number {
        0..10 => 1,
        10..100 => 10,
        100..1000 => 100,
        1000..10000 => 1000,
        _ => 10000u16,
    };
    while unit > 0 {
        text.push(b'0'.wrapping_add(digit(number.checked_div(unit).unwrap_or(0))));
        unit /= 10;
    }
    text
}

#[inline]
#[allow(clippy::cast_possible_truncation, reason = "below ten")]
const fn digit(number: u16) -> u8 {
    (number % 10) as u8
}

/// Appends the tag section: the seven-tag roster, the other tags, the start position. pgn §2.2
/// "Tags"
fn write_tags(game: &Game, out: &mut Vec<u8>) {
    let header = &game.header;
    if header.tags.iter().any(|(name, _)| is_typed(name)) {
        // The header keeps an original spelling; the model decides where it applies.
        write_tags_as_spelt(game, out);
    } else {
        write_typed_tags(header, out);
        for (name, value) in header.tags.iter() {
            if name != "FEN" || game.setup().is_none() {
                write_tag(name, value.as_bytes(), out);
            }
        }
    }
    write_start(game, out);
}

fn write_tags_as_spelt(game: &Game, out: &mut Vec<u8>) {
    let mut text = String::new();
    game.header.for_each_tag(|name, value| {
        if name != "FEN" || game.setup().is_none() {
            text.clear();
            let _ = text.write_fmt(value);
            write_tag(name, text.as_bytes(), out);
        }
    });
}

/// Writes the same tags as [`Header::for_each_tag`] gives for typed fields, without the cost of
/// formatting.
fn write_typed_tags(header: &Header, out: &mut Vec<u8>) {
    write_line(b"[Event ", header.event.as_bytes(), out);
    write_line(b"[Site ", header.site.as_bytes(), out);
    write_date(b"[Date ", header.date, out);
    write_line(b"[Round ", header.round.as_bytes(), out);
    write_line(b"[White ", header.white.as_bytes(), out);
    write_line(b"[Black ", header.black.as_bytes(), out);
    write_line(b"[Result ", header.result.as_str().as_bytes(), out);
    write_elo(b"[WhiteElo ", header.white_elo, out);
    write_elo(b"[BlackElo ", header.black_elo, out);
    if let Some(eco) = header.eco {
        let mut text = Short { bytes: [0; 16], len: 0 };
        let _ = write!(text, "{eco}");
        write_line(b"[ECO ", text.as_bytes(), out);
    }
    if let Some(date) = header.event_date {
        write_date(b"[EventDate ", date, out);
    }
    if header.deleted {
        write_line(b"[Deleted ", b"1", out);
    }
}

/// Appends a tag on its own line, escaped where necessary.
#[inline]
pub fn write_tag(name: &str, value: &[u8], out: &mut Vec<u8>) {
    out.push(b'[');
    encode_name(name.as_bytes(), out);
    write_line(b" ", value, out);
}

/// Appends a tag line; `start` is the text up to the value.
#[inline]
fn write_line(start: &[u8], value: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(start);
    encode_value(value, out);
    out.extend_from_slice(b"]\n");
}

fn write_elo(start: &[u8], elo: Option<Elo>, out: &mut Vec<u8>) {
    if let Some(elo) = elo {
        let digits = decimal(elo.get(), Word::default());
        write_line(start, digits.padded().get(..digits.len()).unwrap_or_default(), out);
    }
}

fn write_date(start: &[u8], date: Date, out: &mut Vec<u8>) {
    write_line(start, &date.spelt(), out);
}

/// Appends the start position as the last tag, with the tags that belong to it: `SetUp` unless the
/// header has it, and `Variant` if the castling is legal only in Chess960. After `FEN`, our reader
/// ignores these two tags as redundant.
fn write_start(game: &Game, out: &mut Vec<u8>) {
    let Some(setup) = game.setup() else { return };
    write_tag("FEN", setup.fen().as_bytes(), out);
    if game.header.tags.get("SetUp").is_none() {
        write_tag("SetUp", b"1", out);
    }
    if setup.position().is_chess960() && game.header.tags.get("Variant").is_none() {
        write_tag("Variant", b"Chess960", out);
    }
}

/// A short string on the stack.
struct Short {
    bytes: [u8; 16],
    len: usize,
}

impl Short {
    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len.saturating_add(text.len());
        let place = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_core::{Eco, GameResult};

    fn movetext(game: &Game) -> String {
        to_string(game).split_once("\n\n").unwrap().1.to_owned()
    }

    fn game(line: &str) -> Game {
        let mut game = Game::new();
        for token in line.split_whitespace() {
            match token {
                "(" => game.start_variation().unwrap(),
                ")" => game.end_variation().unwrap(),
                text if text.starts_with('$') => {
                    game.push_nag(Nag(text[1..].parse().unwrap()));
                }
                text if text.starts_with('{') => {
                    game.push_comment(text.trim_matches(['{', '}'])).unwrap();
                }
                text => game.push_move(text.parse().unwrap()),
            }
        }
        game
    }

    #[test]
    fn write_tags_roster_is_first_and_start_is_last() {
        let mut game = Game::new();
        game.header.white = "O\"Brien \\".into();
        game.header.date = "1987.04.??".parse().unwrap();
        game.header.white_elo = Elo::new(2650);
        game.header.eco = "B90k2".parse::<Eco>().ok();
        game.header.result = GameResult::Draw;
        game.header.set("Annotator", "me");
        game.set_start_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 7").unwrap();
        game.push_move("f1g1".parse().unwrap());
        assert_eq!(
            to_string(&game),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"1987.04.??\"]\n[Round \"?\"]\n\
             [White \"O\\\"Brien \\\\\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\
             [WhiteElo \"2650\"]\n[ECO \"B90k2\"]\n[Annotator \"me\"]\n\
             [FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 7\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n\
             7. O-O 1/2-1/2\n\n"
        );
    }

    #[test]
    fn write_typed_tags_matches_header_for_each_tag() {
        let mut game = Game::new();
        for (year, month, day) in [(0, 0, 0), (7, 0, 31), (1999, 12, 1), (9999, 10, 0)] {
            game.header.date = Date::new(year, month, day).unwrap();
            game.header.event_date = Some(game.header.date);
            game.header.white_elo = Elo::new(year);
            game.header.deleted = month == 12;
            game.header.eco = Eco::new(year % 500);
            let (mut quick, mut model) = (Vec::new(), Vec::new());
            write_tags(&game, &mut quick);
            write_tags_as_spelt(&game, &mut model);
            assert_eq!(quick, model);
        }
    }

    #[test]
    fn write_tags_kept_spelling_is_written_once() {
        let mut game = Game::new();
        game.header.set("Foo", "1");
        game.header.set("Date", "1999.1.2");
        let text = to_string(&game);
        assert!(text.contains("[Date \"1999.1.2\"]") && text.matches("Date").count() == 1);
    }

    #[test]
    fn movetext_black_after_interruption_is_numbered() {
        let game = game("e2e4 e7e5 $1 ( c7c5 {yes} g1f3 ( b1c3 ) d7d6 ) g1f3 {so} b8c6 0000 a7a6");
        assert_eq!(
            movetext(&game),
            "1. e4 e5 $1 (1... c5 {yes} 2. Nf3 (2. Nc3) 2... d6) 2. Nf3 {so} 2... Nc6 3. --\na6 *\n\n"
        );
    }

    #[test]
    fn movetext_lines_have_at_most_79_characters() {
        let line = "g1f3 g8f6 f3g1 f6g8 ".repeat(300);
        let text = movetext(&game(&line));
        assert!(text.lines().all(|line| line.len() <= 79), "{text}");
        assert!(text.lines().filter(|line| line.len() < 60).count() < 3);
    }

    #[test]
    fn write_game_empty_variations_are_omitted() {
        let mut odd = game("{} e2e4 ( ) ( {alone} ) ( $3 ) e7e5 ( {c} c7c5 )");
        odd.header.result = GameResult::White;
        assert_eq!(movetext(&odd), "{} 1. e4 {alone} 1... e5 ({c} 1... c5) 1-0\n\n");
        let mut exporter = Exporter::new();
        exporter.write_game(&odd, &mut Vec::new());
        assert_eq!(exporter.lost.len(), 4, "three variations and a NAG");
    }

    #[test]
    fn write_number_has_one_or_three_dots() {
        for number in [1, 9, 10, 99, 100, 999, 1000, 65535] {
            let mut position = Position::start();
            position.set_clocks(0, number);
            for (dots, text) in [(Dots::White, "."), (Dots::Black, "...")] {
                let mut out = Vec::new();
                write_number(&position, dots, &mut Lines::new(&mut out));
                assert_eq!(out, format!("{number}{text}").as_bytes());
            }
        }
    }

    #[test]
    fn decimal_matches_display() {
        for number in [0, 7, 10, 99, 100, 999, 1000, 9999, 10000, 65535] {
            let word = decimal(number, Word::new(u64::from(b'$'), 1));
            assert_eq!(&word.padded()[..word.len()], format!("${number}").as_bytes());
        }
    }
}
