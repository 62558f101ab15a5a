//! Words, signs, numbers, texts and designators, with their places.

use chess_core::{Bitboard, Square};

use crate::error::{Error, ErrorKind, Result};
use crate::expr::Men;
use crate::words::WORDS;

/// A token and its place in the text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind<'t>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind<'t> {
    Men { men: Men, bare: bool },
    Number(i64),
    Text(&'t str),
    Word(&'t str),
    Sign(&'static str),
    End,
}

impl Kind<'_> {
    /// Returns the sign, or nothing for another token.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Kind::Sign(sign) => sign,
            _ => "",
        }
    }
}

/// Signs, longer ones first.
const SIGNS: &[&str] = &[
    "-->", "<--", "[x]", "--", "->", "<-", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=",
    "~~", "{", "}", "(", ")", "<", ">", "=", "+", "-", "*", "/", "%", "#", "|", "&", "~", ":", ".",
    ",", "?", "]",
];

/// Signs of CQL 6.2 and what they stand for. Those that stand for words come last.
const SIGNS_6_2: &[(&str, &str)] = &[
    ("――", "--"),
    ("→", "->"),
    ("←", "<-"),
    ("×", "[x]"),
    ("∪", "|"),
    ("∩", "&"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("▦", "."),
];
const WORDS_6_2: &[(&str, &str)] = &[("⊢", "path"), ("⬓", "flipcolor")];

/// Returns the token at or after `at`.
pub(crate) fn token(text: &str, at: usize) -> Result<Token<'_>> {
    let start = skip_space(text, at)?;
    let rest = text.get(start..).unwrap_or_default();
    let is = |kind, length: usize| Token { kind, start, end: start.saturating_add(length) };
    let Some(first) = rest.chars().next() else { return Ok(is(Kind::End, 0)) };
    if rest.starts_with("[x]") {
        return Ok(is(Kind::Sign("[x]"), 3));
    }
    if let Some((men, bare, length)) = designator(rest) {
        return Ok(is(Kind::Men { men, bare }, length));
    }
    if first.is_ascii_digit() {
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let Some(number) = rest.get(..length).and_then(|digits| digits.parse().ok()) else {
            return Err(Error::at(ErrorKind::Limit, text, start, "the number exceeds 63 bits"));
        };
        return Ok(is(Kind::Number(number), length));
    }
    if first == '"' {
        let inside = rest.get(1..).unwrap_or_default();
        let Some(length) = inside.find('"') else {
            let message = "the text is not closed: a quotation mark is missing";
            return Err(Error::at(ErrorKind::Unclosed, text, start, message));
        };
        let content = inside.get(..length).unwrap_or_default();
        return Ok(is(Kind::Text(content), length.saturating_add(2)));
    }
    if is_word(first) {
        for castling in ["o-o-o", "o-o"] {
            if rest.strip_prefix(castling).is_some_and(|rest| !rest.starts_with(is_word)) {
                return Ok(is(Kind::Word(castling), castling.len()));
            }
        }
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        if !WORDS.contains(&word) {
            misread(text, start, word)?;
        }
        return Ok(is(Kind::Word(word), length));
    }
    for (sign, word) in WORDS_6_2 {
        if rest.starts_with(sign) {
            return Ok(is(Kind::Word(word), sign.len()));
        }
    }
    for (sign, ascii) in SIGNS_6_2 {
        if rest.starts_with(sign) {
            return Ok(is(Kind::Sign(ascii), sign.len()));
        }
    }
    for sign in SIGNS {
        if rest.starts_with(sign) {
            return Ok(is(Kind::Sign(sign), sign.len()));
        }
    }
    let message = match first {
        '[' => return Err(bad_bracket(text, start)),
        ';' => "\";\" begins a comment in CQL 5; in CQL 6: //".to_owned(),
        '\'' | '“' | '”' | '«' => "a text stands between \" and \"".to_owned(),
        '!' => "\"!\" is no sign alone: write not, or != to compare".to_owned(),
        _ => format!("\"{first}\" is no sign of the language"),
    };
    Err(Error::at(ErrorKind::Unknown, text, start, message))
}

fn skip_space(text: &str, mut at: usize) -> Result<usize> {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        at = at.saturating_add(rest.len().saturating_sub(trimmed.len()));
        let length = if trimmed.starts_with("//") {
            trimmed.find('\n').unwrap_or(trimmed.len())
        } else if trimmed.starts_with("/*") {
            match trimmed.find("*/") {
                Some(end) => end.saturating_add(2),
                None => {
                    let message = "the comment is not closed: */ is missing";
                    return Err(Error::at(ErrorKind::Unclosed, text, at, message));
                }
            }
        } else {
            return Ok(at);
        };
        at = at.saturating_add(length);
    }
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Refuses a word that looks like a designator or a move.
fn misread(text: &str, start: usize, word: &str) -> Result<()> {
    let mut chars = word.chars();
    let (Some(a), Some(b), Some(c)) = (chars.next(), chars.next(), chars.next()) else {
        return two_letters(text, start, word);
    };
    let bad = |message: String| Err(Error::at(ErrorKind::Unknown, text, start, message));
    if piece(a).is_none() || !c.is_ascii_digit() || chars.next().is_some() {
        return Ok(());
    }
    if b == 'x' {
        let line = text.get(..start).unwrap_or_default().matches('\n').count().saturating_add(1);
        return bad(format!(
            "unknown word {word} (line {line}): a capture is written {a}[x]a{c}, a square needs a file a-h and a rank 1-8"
        ));
    }
    if matches!(b, 'a'..='j') { bad(format!("there is no square {b}{c}")) } else { Ok(()) }
}

/// Refuses `i4` and `a9`.
fn two_letters(text: &str, start: usize, word: &str) -> Result<()> {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some('a'..='j'), Some('0'..='9')) => {
            let message = format!("there is no square {word}");
            Err(Error::at(ErrorKind::Unknown, text, start, message))
        }
        _ => Ok(()),
    }
}

/// The error for a bracket that is neither a list of pieces nor one of squares.
fn bad_bracket(text: &str, start: usize) -> Error {
    let inside = text.get(start.saturating_add(1)..).unwrap_or_default();
    let Some(length) = inside.find(']') else {
        return Error::at(
            ErrorKind::Unclosed,
            text,
            start,
            "the bracket is not closed: ] is missing",
        );
    };
    let inside = inside.get(..length).unwrap_or_default();
    let message = match inside.chars().find(|c| piece(*c).is_none()) {
        Some(c) if c.is_alphabetic() && !inside.contains(|c: char| c.is_ascii_digit()) => {
            format!("{c} is no piece: K Q R B N P, k q r b n p, A, a, _")
        }
        Some(' ') => "no space inside the brackets: pieces [RQ], squares [a1,h8]".to_owned(),
        _ => format!("[{inside}] is no list of pieces such as [RQ] or squares such as [a1,c3-5]"),
    };
    Error::at(ErrorKind::Unknown, text, start, message)
}

/// Returns the pieces that a letter or figurine means.
fn piece(c: char) -> Option<u16> {
    const WHITE: u16 = 0b11_1111;
    let letters = "KQRBNPkqrbnp_".chars().position(|known| known == c);
    let figures = "♔♕♖♗♘♙♚♛♜♝♞♟□".chars().position(|known| known == c);
    if let Some(place) = letters.or(figures) {
        return u32::try_from(place).ok().and_then(|place| 1_u16.checked_shl(place));
    }
    match c {
        'A' | '△' => Some(WHITE),
        'a' | '▲' => Some(WHITE << 6),
        '◭' => Some(WHITE | WHITE << 6),
        _ => None,
    }
}

/// Reads a designator at the start of `text`: pieces, squares or both. Returns its men, whether it
/// names no square, and its length. The longest reading wins, and no word may follow.
fn designator(text: &str) -> Option<(Men, bool, usize)> {
    let mut best: Option<(Men, bool, usize)> = None;
    let mut offer = |men, bare, length: usize| {
        let ends = !text.get(length..).unwrap_or_default().starts_with(is_word);
        if ends && best.is_none_or(|(_, _, most)| length > most) {
            best = Some((men, bare, length));
        }
    };
    if let Some((squares, length)) = squares(text) {
        offer(Men { kinds: Men::ANY, squares }, false, length);
    }
    if let Some((kinds, length)) = pieces(text) {
        offer(Men { kinds, squares: Bitboard::ALL }, true, length);
        let rest = text.get(length..).unwrap_or_default();
        if let Some((squares, more)) = squares(rest) {
            offer(Men { kinds, squares }, false, length.saturating_add(more));
        }
    }
    best
}

fn pieces(text: &str) -> Option<(u16, usize)> {
    let first = text.chars().next()?;
    if first == '[' {
        let (inside, _) = text.get(1..)?.split_once(']')?;
        let kinds = inside.chars().try_fold(0, |all, c| Some(all | piece(c)?))?;
        return (kinds != 0).then(|| (kinds, inside.len().saturating_add(2)));
    }
    let kinds = piece(first)?;
    let mut length = first.len_utf8();
    if first.is_ascii() {
        return Some((kinds, length));
    }
    // Figurines need no brackets.
    let mut kinds = kinds;
    for c in text.get(length..)?.chars().take_while(|c| !c.is_ascii()) {
        let Some(more) = piece(c) else { break };
        kinds |= more;
        length = length.saturating_add(c.len_utf8());
    }
    Some((kinds, length))
}

fn squares(text: &str) -> Option<(Bitboard, usize)> {
    let Some(inside) = text.strip_prefix('[') else { return area(text) };
    let (mut all, mut at) = (Bitboard::EMPTY, 1_usize);
    let mut rest = inside;
    loop {
        let (squares, length) = area(rest)?;
        all |= squares;
        rest = rest.get(length..)?;
        at = at.saturating_add(length).saturating_add(1);
        if let Some(more) = rest.strip_prefix(',') {
            rest = more;
            let spaces = rest.len().saturating_sub(rest.trim_start().len());
            rest = rest.trim_start();
            at = at.saturating_add(spaces);
        } else {
            return rest.starts_with(']').then_some((all, at));
        }
    }
}

/// Reads `a1`, `a-c1`, `a1-4` or `a-c1-4`.
fn area(text: &str) -> Option<(Bitboard, usize)> {
    let (files, length) = span(text, b'a')?;
    let (ranks, more) = span(text.get(length..)?, b'1')?;
    let within = |span: (u8, u8), n: u8| span.0.min(span.1) <= n && n <= span.0.max(span.1);
    let squares = Square::all()
        .filter(|square| within(files, square.file()) && within(ranks, square.rank()))
        .fold(Bitboard::EMPTY, |all, square| all | Bitboard::of(square));
    Some((squares, length.saturating_add(more)))
}

/// Reads one of eight characters from `first` on, or two of them with `-` between.
fn span(text: &str, first: u8) -> Option<((u8, u8), usize)> {
    let bytes = text.as_bytes();
    let number = |at: usize| bytes.get(at)?.checked_sub(first).filter(|n| *n < 8);
    let low = number(0)?;
    let high = number(2).filter(|_| bytes.get(1) == Some(&b'-'));
    Some(((low, high.unwrap_or(low)), if high.is_some() { 3 } else { 1 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        let (mut at, mut all) = (0, Vec::new());
        loop {
            let token = token(text, at).unwrap();
            at = token.end;
            match token.kind {
                Kind::End => return all,
                Kind::Men { men, .. } => all.push(format!("{}:{}", men.kinds, men.squares.count())),
                Kind::Number(n) => all.push(n.to_string()),
                Kind::Text(text) => all.push(format!("'{text}'")),
                Kind::Word(word) => all.push(word.to_owned()),
                Kind::Sign(sign) => all.push(sign.to_owned()),
            }
        }
    }

    #[test]
    fn tokens_adjacent_readings_longest_wins() {
        assert_eq!(kinds("a-h3 Bad b2 bb2"), ["8191:8", "Bad", "8191:1", "512:1"]);
        assert_eq!(kinds("r[x]Nc3"), ["256:64", "[x]", "16:1"]);
        assert_eq!(kinds("#A-#a"), ["#", "63:64", "-", "#", "4032:64"]);
        assert_eq!(kinds("--=[NBR]"), ["--", "=", "28:64"]);
        assert_eq!(kinds("p[c6-7,e6-7]"), ["2048:4"]);
        assert_eq!(kinds("o-o-o o-o x-=1"), ["o-o-o", "o-o", "x", "-=", "1"]);
        assert_eq!(kinds("♖♕a1 × □"), ["6:1", "[x]", "4096:64"]);
        assert_eq!(kinds("N-->N--"), ["16:64", "-->", "16:64", "--"]);
    }
}
