//! Converts games to what the export format of the PGN standard can hold.
//! pgn §2.6 "Exact export format"
//!
//! The writer extends the standard: null moves, illegal moves, escapes in comments, every character
//! of Unicode. Programs that accept nothing else than the standard get a converted game, and each
//! conversion is a [`Loss`].

use chess_core::{
    Color, Game, Header, Move, RESULT_SPELLING_TAG, Replay, Token, is_implied, is_typed,
};
use chess_store::{Loss, LossKind, Losses};

use crate::export::write_tag;
use crate::line::WIDTH;
use crate::san::write_san;

/// The longest line that the standard allows, without its line feed (D, §4.3).
const LONGEST_LINE: usize = 254;
/// The longest tag name that is written.
const LONGEST_NAME: usize = 100;
/// The longest word of a comment, so that its braces fit on the line.
const LONGEST_WORD: usize = WIDTH.saturating_sub(2);
/// The highest NAG of the standard (D, §10).
const HIGHEST_NAG: u16 = 255;
const ROSTER: usize = 7;

/// Which characters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// The characters of ISO 8859-1, as the standard demands (D, §4.1).
    Latin1,
    /// All characters that can be printed. The caller encodes them.
    All,
}

/// Appends the tags: the roster, then the others by their names in ASCII order (D, §8.1.1 and §8.1).
pub(crate) fn write_tags(game: &Game, charset: Charset, out: &mut Vec<u8>, losses: &mut Losses) {
    let mut tags: Vec<(String, String)> = Vec::new();
    typed(&game.header).for_each_tag(|name, value| {
        if name != "FEN" || game.setup().is_none() {
            tags.push((name.to_owned(), value.to_string()));
        }
    });
    for (name, value) in game.header.tags.iter().filter(|(name, _)| is_typed(name)) {
        losses.push(Loss::new(kind_of(name), value));
    }
    if let Some(setup) = game.setup() {
        let mut add = |name: &str, value: &str| {
            if !tags.iter().any(|(tag, _)| tag == name) {
                tags.push((name.to_owned(), value.to_owned()));
            }
        };
        add("FEN", setup.fen());
        add("SetUp", "1");
        if setup.position().is_chess960() {
            add("Variant", "Chess960");
        }
    }
    for (place, (name, value)) in tags.iter_mut().enumerate() {
        if place >= ROSTER {
            convert_name(name, losses);
        }
        convert_value(name, value, charset, losses);
    }
    if let Some(others) = tags.get_mut(ROSTER..) {
        others.sort_by(|one, other| one.0.cmp(&other.0));
    }
    let mut last = None;
    for (name, value) in &tags {
        if last == Some(name) {
            losses.push(Loss::new(LossKind::Tag, name));
            continue;
        }
        write_tag(name, value.as_bytes(), out);
        last = Some(name);
    }
}

/// Returns the header without the original spellings of typed tags.
fn typed(header: &Header) -> Header {
    let mut typed = header.clone();
    if header.tags.iter().any(|(name, _)| is_typed(name)) {
        typed.tags = header.untyped_tags().collect();
    }
    // The spelling of a result adds nothing to a result.
    if header
        .tags
        .get(RESULT_SPELLING_TAG)
        .is_some_and(|text| is_implied(RESULT_SPELLING_TAG, text))
    {
        typed.remove_tags(RESULT_SPELLING_TAG);
    }
    typed
}

fn kind_of(name: &str) -> LossKind {
    match name {
        "Date" | "EventDate" => LossKind::Date,
        "WhiteElo" | "BlackElo" => LossKind::Rating,
        "ECO" => LossKind::Eco,
        "Result" => LossKind::Result,
        "Deleted" => LossKind::Flag,
        _ => LossKind::Tag,
    }
}

/// Makes a name of letters, digits and underscores (D, §8.1).
fn convert_name(name: &mut String, losses: &mut Losses) {
    let is_good = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphanumeric());
    if starts_well && name.chars().all(is_good) && name.len() <= LONGEST_NAME {
        return;
    }
    losses.push(Loss::new(LossKind::TagMoved, name.as_str()));
    let mut good: String =
        name.chars().map(|letter| if is_good(letter) { letter } else { '_' }).collect();
    if !starts_well {
        good.insert(0, 'X');
    }
    good.truncate(LONGEST_NAME);
    *name = good;
}

/// Makes a value of printing characters that fits on a line.
fn convert_value(name: &str, value: &mut String, charset: Charset, losses: &mut Losses) {
    if value.is_empty() {
        "?".clone_into(value);
    }
    if convert_characters(value, charset) {
        losses.push(Loss::new(LossKind::Characters, name));
    }
    // `[Name "value"]`, where quotes and backslashes take two characters.
    let mut room = LONGEST_LINE.saturating_sub(name.len()).saturating_sub(5);
    for (place, letter) in value.char_indices() {
        let width = if matches!(letter, '"' | '\\') { 2 } else { 1 };
        match room.checked_sub(width) {
            Some(rest) => room = rest,
            None => {
                losses.push(Loss::new(LossKind::TextCut, name));
                value.truncate(place);
                return;
            }
        }
    }
}

/// Replaces the characters that cannot be written. Returns whether there were any.
fn convert_characters(text: &mut String, charset: Charset) -> bool {
    let is_good = |letter: char| {
        matches!(letter, ' '..='~' | '\u{a0}'..='\u{ff}')
            || charset == Charset::All && !letter.is_control()
    };
    if text.chars().all(is_good) {
        return false;
    }
    let mut good = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            letter if is_good(letter) => good.push(letter),
            letter if letter.is_control() => good.push(' '),
            '\u{300}'..='\u{36f}' => {}
            letter => good.push_str(deunicode::deunicode_char(letter).unwrap_or("?")),
        }
    }
    // A transliteration can be any ASCII text.
    *text = good.replace(|letter: char| letter.is_control(), " ");
    true
}

/// Makes a comment that needs no escapes and can be wrapped.
fn convert_comment(text: &str, charset: Charset, ply: u32, losses: &mut Losses) -> String {
    // Line ends are white space, as other programs read them.
    let mut good = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !good.is_empty() {
            good.push(' ');
        }
        good.push_str(word);
    }
    let mut changed = convert_characters(&mut good, charset);
    if good.contains('}') {
        good = good.replace('{', "(").replace('}', ")");
        changed = true;
    }
    if good.contains("\\x") {
        good = good.replace("\\x", "/x");
        changed = true;
    }
    if good.split(' ').any(|word| word.chars().count() > LONGEST_WORD) {
        good = break_words(&good);
        changed = true;
    }
    if changed {
        losses.push(Loss::at_ply(LossKind::Characters, "comment", ply));
    }
    good
}

fn break_words(text: &str) -> String {
    let mut broken = String::with_capacity(text.len());
    let mut width = 0usize;
    for letter in text.chars() {
        width = if letter == ' ' { 0 } else { width.saturating_add(1) };
        if width > LONGEST_WORD {
            broken.push(' ');
            width = 1;
        }
        broken.push(letter);
    }
    broken
}

/// A null move or an illegal move, and the rest of its line, which becomes a comment.
struct Rest {
    text: String,
    /// The number of open variations where the text begins.
    depth: u32,
    ply: u32,
    /// Whether a move of Black needs its number.
    interrupted: bool,
}

/// Returns the moves and annotations of `game` as the standard can hold them, without header.
pub(crate) fn convert_line(game: &Game, charset: Charset, losses: &mut Losses) -> Game {
    let mut line = Game::new();
    if let Some(setup) = game.setup()
        && line.set_start_fen(setup.fen()).is_err()
    {
        line.set_start(*setup.position());
    }
    line.header.result = game.header.result;
    let mut replay = Replay::new(game);
    let mut rest: Option<Rest> = None;
    let mut depth = 0u32;
    for token in game.tokens() {
        if let Some(open) = rest.take_if(|rest| token == Token::VariationEnd && rest.depth == depth)
        {
            end_rest(open, &mut line, charset, losses);
        }
        match token {
            Token::VariationStart => depth = depth.saturating_add(1),
            Token::VariationEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
        if rest.is_none()
            && let Token::Move(m) = token
            && (m == Move::NULL || !replay.position().is_legal(m))
        {
            let kind = if m == Move::NULL { LossKind::NullMove } else { LossKind::Move };
            let ply = replay.ply();
            losses.push(Loss::at_ply(kind, "it is in a comment, with the rest of its line", ply));
            rest = Some(Rest { text: String::new(), depth, ply, interrupted: true });
        }
        match &mut rest {
            Some(rest) => rest.push(token, &replay),
            None => push(token, &mut line, replay.ply(), charset, losses),
        }
        replay.step(token);
    }
    if let Some(open) = rest {
        end_rest(open, &mut line, charset, losses);
    }
    line.close_variations();
    line
}

fn push(token: Token<'_>, line: &mut Game, ply: u32, charset: Charset, losses: &mut Losses) {
    // The comments of one game are not too long for another, and its variations are balanced.
    let _ = match token {
        Token::Comment(text) => line.push_comment(&convert_comment(text, charset, ply, losses)),
        Token::Nag(nag) if nag.0 > HIGHEST_NAG => {
            losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), ply));
            Ok(())
        }
        Token::VariationEnd if line.drop_empty_variation(true) => Ok(()),
        token => line.push(token),
    };
}

fn end_rest(rest: Rest, line: &mut Game, charset: Charset, losses: &mut Losses) {
    let text = convert_comment(&rest.text, charset, rest.ply, losses);
    let _ = line.push_comment(&text);
}

impl Rest {
    /// Appends a token as text.
    fn push(&mut self, token: Token<'_>, replay: &Replay) {
        let glued = self.text.is_empty() || self.text.ends_with('(');
        if !glued && token != Token::VariationEnd {
            self.text.push(' ');
        }
        let was_interrupted = std::mem::replace(&mut self.interrupted, true);
        match token {
            Token::Move(m) => {
                let position = replay.position();
                let number = position.fullmove_number();
                match position.turn() {
                    Color::White => self.text.push_str(&format!("{number}. ")),
                    Color::Black if was_interrupted => {
                        self.text.push_str(&format!("{number}... "));
                    }
                    Color::Black => {}
                }
                write_san(position, m, &mut self.text);
                self.interrupted = false;
            }
            Token::Nag(nag) => self.text.push_str(&nag.to_string()),
            Token::Comment(text) => {
                self.text.push('{');
                self.text.push_str(text);
                self.text.push('}');
            }
            Token::VariationStart => self.text.push('('),
            Token::VariationEnd => self.text.push(')'),
        }
    }
}

/// Encodes a converted text in ISO 8859-1.
pub(crate) fn encode_latin1(text: &[u8], into: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(text);
    into.extend(text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?')));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::Writer;
    use crate::{CreateOptions, read_all};

    fn exported(pgn: &str) -> (Vec<u8>, Losses) {
        let options = CreateOptions { export_format: true, ..CreateOptions::default() };
        let mut writer = Writer::in_memory_with(&options);
        let mut losses = Losses::new();
        for game in read_all(pgn).unwrap() {
            writer.write(&game, &mut losses).unwrap();
        }
        (writer.into_bytes().unwrap(), losses)
    }

    fn moves(pgn: &str) -> (String, Vec<LossKind>) {
        let (bytes, losses) = exported(&format!("[White \"A\"]\n\n{pgn}\n\n"));
        let text = String::from_utf8(bytes).unwrap();
        let moves = text.trim().split_once("\n\n").unwrap().1.replace('\n', " ");
        (moves, losses.iter().map(|loss| loss.kind).collect())
    }

    #[test]
    fn export_tags_are_sorted_and_canonical() {
        let (bytes, losses) = exported(
            "[Zeta \"1\"]\n[White \"M\u{fc}ller\u{2014}\u{427}\"]\n[ECO \"B20\"]\n[Date \"1999.1.2\"]\n\
             [alpha \"\"]\n[Annotator \"a\tb\"]\n[WhiteElo \"2500\"]\n\
             [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n\n",
        );
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        assert_eq!(
            text,
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"1999.01.02\"]\n[Round \"?\"]\n\
             [White \"M\u{fc}ller--Ch\"]\n[Black \"?\"]\n[Result \"*\"]\n[Annotator \"a b\"]\n\
             [ECO \"B20\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\
             [WhiteElo \"2500\"]\n[Zeta \"1\"]\n[alpha \"?\"]\n\n1. O-O *\n\n"
        );
        let kinds: Vec<LossKind> = losses.iter().map(|loss| loss.kind).collect();
        assert_eq!(kinds, [LossKind::Date, LossKind::Characters, LossKind::Characters]);
    }

    #[test]
    fn export_long_value_is_cut_at_line_length() {
        let (bytes, losses) = exported(&format!("[Site \"{}\"]\n\n*\n\n", "x\\\\\\\"".repeat(90)));
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.lines().all(|line| line.len() <= LONGEST_LINE), "{text}");
        assert!(text.lines().any(|line| line.len() > LONGEST_LINE - 5 && line.ends_with("\"]")));
        assert_eq!(losses.listed()[0].kind, LossKind::TextCut);
    }

    #[test]
    fn export_odd_tag_names_are_converted_and_written_once() {
        let (bytes, losses) = exported("[A-b \"1\"]\n[A_b \"2\"]\n[\u{e9} \"3\"]\n\n*\n\n");
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("[A_b \"1\"]\n[X_ \"3\"]\n\n"), "{text}");
        let kinds: Vec<LossKind> = losses.iter().map(|loss| loss.kind).collect();
        assert_eq!(kinds, [LossKind::TagMoved, LossKind::TagMoved, LossKind::Tag]);
    }

    #[test]
    fn export_plain_game_has_no_losses() {
        let line = "{a} 1. e4 $1 {b (c} 1... e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 1-0";
        assert_eq!(moves(line), (line.to_owned(), vec![]));
    }

    #[test]
    fn export_null_and_illegal_moves_become_comments() {
        assert_eq!(
            moves("1. e4 -- {x} 2. d4 (2. c4 $1 c5) e5 *"),
            (
                "1. e4 {1... -- (x) 2. d4 (2. c4 $1 2... c5) 2... e5} *".to_owned(),
                vec![LossKind::NullMove, LossKind::Characters]
            )
        );
        assert_eq!(
            moves("1. e4 (1. d4 -- 2. c4) (1. -- e5) 1... e5 2. Nf3 *"),
            (
                "1. e4 (1. d4 {1... -- 2. c4}) {1. -- e5} 1... e5 2. Nf3 *".to_owned(),
                vec![LossKind::NullMove, LossKind::NullMove]
            )
        );
        assert_eq!(moves("1. e2e5 d5 *"), ("{1. e2e5 d5} *".to_owned(), vec![LossKind::Move]));
    }

    #[test]
    fn export_comment_needs_no_escape() {
        let mut game = Game::new();
        let long = "y".repeat(200);
        for text in ["a } b { c", "two\nlines \\x7d", "\u{265e} \u{1f600}", &long, "  padded  x "] {
            game.push_comment(text).unwrap();
        }
        game.push_nag(chess_core::Nag(256));
        let options = CreateOptions { export_format: true, ..CreateOptions::default() };
        let mut writer = Writer::in_memory_with(&options);
        let mut losses = Losses::new();
        writer.write(&game, &mut losses).unwrap();
        let bytes = writer.into_bytes().unwrap();
        assert!(bytes.is_ascii());
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        let line = text.split_once("\n\n").unwrap().1.replace('\n', " ");
        assert!(line.starts_with("{a ) b ( c} {two lines /x7d} {"), "{line}");
        assert!(line.contains(" {padded x} *"), "{line}");
        assert_eq!(losses.total(), 5, "{losses:?}");
        assert_eq!(losses.listed()[4].kind, LossKind::Nag);
    }
}
