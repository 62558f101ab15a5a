//! Spellings of results by people, sites and programs.
//!
//! PGN has four spellings. Files contain many more: `1 - 0`, `0,5-0,5`, `½`, `1:0`, `1–0` with a
//! dash, `+/-` for a forfeit, `0-0` if both players lost, `White wins`. All readers of text
//! formats, filters and bindings use this module.

use alloc::string::String;

use crate::values::GameResult;

/// The tag that stores the spelling of a result that is not one of PGN's four.
pub const RESULT_SPELLING_TAG: &str = "ResultSpelling";

/// A result that was parsed leniently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ResultText {
    /// The result. [`GameResult::Unknown`] if PGN has no spelling for it.
    pub result: GameResult,
    /// The length of the spelling in bytes.
    pub len: usize,
    /// Whether the spelling contains more than `result`: a forfeit, or a loss of both players.
    pub says_more: bool,
}

impl ResultText {
    const fn new(result: GameResult, len: usize) -> ResultText {
        ResultText { result, len, says_more: false }
    }

    const fn more(self, says_more: bool) -> ResultText {
        ResultText { says_more: self.says_more || says_more, ..self }
    }

    /// Parses a complete text, such as the value of a tag. White space around it and words after a
    /// score (`1-0 (time)`) are allowed. Returns `None` for an unknown spelling.
    ///
    /// ```
    /// use chess_core::{GameResult, ResultText};
    ///
    /// let read = |text| ResultText::parse(text).map(|read| read.result);
    /// assert_eq!(read("0,5 - 0,5"), Some(GameResult::Draw));
    /// assert_eq!(read("White wins"), Some(GameResult::White));
    /// assert_eq!(read("0-0"), Some(GameResult::Unknown));
    /// assert_eq!(read("first round"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<ResultText> {
        let len = text.len();
        let text = text.trim_matches(|letter: char| {
            letter.is_whitespace() || matches!(letter, '"' | '\'' | '\u{feff}')
        });
        let all = |read: ResultText| ResultText { len, ..read };
        if let Some(read) = score(text.as_bytes(), Leniency::Tag) {
            let rest = text.as_bytes().get(read.len..).unwrap_or_default();
            let words = rest.iter().any(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80);
            return may_follow(rest).then(|| all(read.more(words)));
        }
        if let Some(read) = signs(text.as_bytes()) {
            let rest = text.get(read.len..).unwrap_or_default().trim_start();
            let word = |letter: char| letter.is_alphabetic() || letter == '(';
            return (rest.is_empty() || rest.starts_with(word)).then(|| all(read));
        }
        in_words(text).map(all)
    }

    /// Parses the result at the beginning of movetext that starts with a digit, `*`, `½`, or a
    /// point or comma before `5`. The caller must handle `0-0`, which may be castling.
    #[must_use]
    #[inline]
    pub fn at_start(text: &[u8]) -> Option<ResultText> {
        match text {
            [b'1', b'-', b'0', rest @ ..] if !rest.starts_with(b"F") => {
                Some(ResultText::new(GameResult::White, 3))
            }
            [b'0', b'-', b'1', rest @ ..] if !rest.starts_with(b"F") => {
                Some(ResultText::new(GameResult::Black, 3))
            }
            [b'*', ..] => Some(ResultText::new(GameResult::Unknown, 1)),
            // Not `1.`, which begins most games.
            [b'1', b'-' | b':' | b'/' | b' ' | b'\t' | 0x80.., ..]
            | [b'0', b'-' | b':' | b'.' | b',' | b' ' | b'\t' | 0x80.., ..]
            | [b'.' | b',', b'5', ..]
            | [0xc2, 0xbd, ..] => score(text, Leniency::Movetext),
            _ => None,
        }
    }

    /// Parses a result in signs at the beginning of a text: `+/-`, `-+`, `=`, `-:-` and similar. In
    /// movetext only the position distinguishes them from evaluations.
    #[must_use]
    pub fn signs_at_start(text: &[u8]) -> Option<ResultText> {
        // Two hyphens are a null move.
        signs(text).filter(|_| !text.starts_with(b"--"))
    }

    /// Parses the score `0-0` (both players lost) at the beginning of a text. Castling has the same
    /// spelling.
    #[must_use]
    pub fn both_lost_at_start(text: &[u8]) -> Option<ResultText> {
        let read = score(text, Leniency::Tag)?;
        let zeros = text.first() == Some(&b'0') && read.says_more;
        (zeros && read.result == GameResult::Unknown).then_some(read)
    }
}

/// Which spellings are accepted as a score.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leniency {
    /// Every spelling that can mean a score.
    Tag,
    /// Only spellings that cannot be a move number, castling or a move.
    Movetext,
}

/// The score of one player.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Zero,
    Half,
    One,
}

/// Maximum number of blanks on either side of the sign between two numbers.
const BLANKS: usize = 2;

/// Parses a score in numbers at the beginning of a text.
fn score(text: &[u8], leniency: Leniency) -> Option<ResultText> {
    use Side::{Half, One, Zero};
    if text.first() == Some(&b'*') {
        return Some(ResultText::new(GameResult::Unknown, 1));
    }
    let (white, length) = side(text, leniency)?;
    let Some((black, end, apart)) = second_side(text, length, leniency) else {
        // A single half is a draw.
        return (white == Half).then_some(ResultText::new(GameResult::Draw, length));
    };
    let rest = text.get(end..).unwrap_or_default();
    if apart && matches!(rest, [b'-', b'0' | b'1' | b'O', ..]) {
        return None;
    }
    let (result, says_more) = match (white, black) {
        (One, Zero) => (GameResult::White, false),
        (Zero, One) => (GameResult::Black, false),
        (Half, Half) => (GameResult::Draw, false),
        (Zero, Zero) if leniency == Leniency::Movetext => return None,
        (One, One) => return None,
        _ => (GameResult::Unknown, true),
    };
    let forfeit = match rest {
        [b'F' | b'f', rest @ ..] => !rest.first().is_some_and(u8::is_ascii_alphanumeric),
        _ => false,
    };
    let end = end.saturating_add(usize::from(forfeit));
    Some(ResultText::new(result, end).more(says_more || forfeit))
}

/// Returns the second number of a score, its end, and whether blanks precede it.
fn second_side(text: &[u8], at: usize, leniency: Leniency) -> Option<(Side, usize, bool)> {
    let tag = leniency == Leniency::Tag;
    let forfeit = tag && matches!(text.get(at), Some(b'F' | b'f'));
    let at = at.saturating_add(usize::from(forfeit));
    let before = blanks(text, at);
    let sign_at = at.saturating_add(before);
    let rest = text.get(sign_at..)?;
    let sign = match rest {
        [b'-' | b':', ..] => 1,
        [b'x' | b'X' | b'/' | b'_' | b'~', ..] if tag => 1,
        _ => dash(rest).unwrap_or(0),
    };
    if sign == 0 {
        // `½½` and `1/2 1/2` have no sign between the numbers.
        let halves = tag && side(text, leniency).is_some_and(|(side, _)| side == Side::Half);
        if !halves {
            return None;
        }
    }
    let after_sign = sign_at.saturating_add(sign);
    let after = blanks(text, after_sign);
    let second_at = after_sign.saturating_add(after);
    let (side, length) = side(text.get(second_at..)?, leniency)?;
    Some((side, second_at.saturating_add(length), before.saturating_add(after) > 0))
}

/// Parses the number of one player at the beginning of a text. Returns it with its length.
fn side(text: &[u8], leniency: Leniency) -> Option<(Side, usize)> {
    let tag = leniency == Leniency::Tag;
    let (side, length) = match text {
        [0xc2, 0xbd, ..] => (Side::Half, 2),
        [b'1', b'/', b'2', ..] => (Side::Half, 3),
        [b'1', 0xe2, 0x81, 0x84, b'2', ..] => (Side::Half, 5),
        [b'1', b'\\', b'2', ..] if tag => (Side::Half, 3),
        [b'1', b' ', b'/', b' ', b'2', ..] => (Side::Half, 5),
        [b'0', b'.' | b',', b'5', b'0', ..] if tag => (Side::Half, 4),
        [b'0', b'.' | b',', b'5', ..] => (Side::Half, 3),
        [b'.' | b',', b'5', ..] => (Side::Half, 2),
        [b'0', b'.' | b',', b'0', ..] if tag => (Side::Zero, 3),
        [b'1', b'.' | b',', b'0', ..] if tag => (Side::One, 3),
        [b'O' | b'o', ..] if tag => (Side::Zero, 1),
        [b'0', ..] => (Side::Zero, 1),
        [b'1', ..] => (Side::One, 1),
        _ => return None,
    };
    let next = text.get(length);
    (!next.is_some_and(u8::is_ascii_digit)).then_some((side, length))
}

fn blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().take(BLANKS).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Returns the length of a character that looks like a hyphen.
fn dash(text: &[u8]) -> Option<usize> {
    match text {
        // U+2010 to U+2015, U+2212, U+FE58, U+FE63, U+FF0D.
        [0xe2, 0x80, 0x90..=0x95, ..]
        | [0xe2, 0x88, 0x92, ..]
        | [0xef, 0xb9, 0x98 | 0xa3, ..]
        | [0xef, 0xbc, 0x8d, ..] => Some(3),
        _ => None,
    }
}

/// Returns whether the text after a score is valid: no further number belongs to the score.
fn may_follow(rest: &[u8]) -> bool {
    match rest {
        [b'0'..=b'9', ..] => false,
        [b'-' | b'/' | b':' | b'.' | b',', next, ..] => !next.is_ascii_digit(),
        _ => true,
    }
}

/// Parses a result in signs at the beginning of a text: `+` for the winner, `-` for the loser, `=`
/// for a draw.
fn signs(text: &[u8]) -> Option<ResultText> {
    let sign = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        match rest.first() {
            Some(sign @ (b'+' | b'-' | b'=')) => Some((*sign, 1)),
            _ => dash(rest).map(|length| (b'-', length)),
        }
    };
    let (white, length) = sign(0)?;
    // `+:-`, `+/-`, `+ - -`: a separate hyphen may be between two signs. `+--` is a NAG.
    let apart = blanks(text, length);
    let mut at = length.saturating_add(apart);
    let between = match text.get(at) {
        Some(b'/' | b':') => true,
        Some(b'-') if apart > 0 || white == b'=' => {
            let next = at.saturating_add(1);
            sign(next.saturating_add(blanks(text, next))).is_some()
        }
        _ => false,
    };
    if between {
        at = at.saturating_add(1);
        at = at.saturating_add(blanks(text, at));
    }
    let second = sign(at).map(|(sign, length)| (sign, at.saturating_add(length)));
    let (result, end) = match (white, second) {
        (b'+', Some((b'-', end))) => (GameResult::White, end),
        (b'-', Some((b'+', end))) => (GameResult::Black, end),
        (b'=', Some((b'=', end))) => (GameResult::Draw, end),
        (b'-', Some((b'-', end))) => (GameResult::Unknown, end),
        (b'=', None) if !between => (GameResult::Draw, length),
        _ => return None,
    };
    if sign(end).is_some() {
        return None;
    }
    Some(ResultText::new(result, end).more(white != b'='))
}

/// Parses a result in words.
fn in_words(text: &str) -> Option<ResultText> {
    // No known spelling is longer.
    if text.len() > 80 {
        return None;
    }
    let lower: String = text.chars().flat_map(char::to_lowercase).collect();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    let mut words = words.by_ref().filter(|word| !word.is_empty());
    let Some(first) = words.next() else {
        let unknown = matches!(text, "?" | "-" | "??");
        return unknown.then_some(ResultText::new(GameResult::Unknown, text.len()));
    };
    let second = words.next().unwrap_or_default();
    let result = match first {
        "draw" | "drawn" | "draws" | "tie" | "remis" | "remise" | "nulle" | "nul" | "patta"
        | "tablas" | "empate" | "unentschieden" | "ничья" | "stalemate" | "agreed" => {
            Some(GameResult::Draw)
        }
        "partie" if second == "nulle" => Some(GameResult::Draw),
        "game" if matches!(second, "drawn" | "draw") => Some(GameResult::Draw),
        "winner" | "win" | "wins" | "won" => player(second),
        "unknown" | "unfinished" | "ongoing" | "undecided" | "none" | "unterminated"
        | "adjourned" | "abandoned" | "aborted" | "live" => Some(GameResult::Unknown),
        "in" if second == "progress" => Some(GameResult::Unknown),
        "both" | "double" => {
            return Some(ResultText::new(GameResult::Unknown, text.len()).more(true));
        }
        _ => {
            let player = player(first)?;
            match second {
                "" | "win" | "wins" | "won" | "winner" | "gewinnt" | "mates" | "checkmates"
                | "is" | "victorious" | "ganan" | "gagnent" => Some(player),
                "lost" | "loses" | "resign" | "resigns" | "resigned" | "forfeit" | "forfeits"
                | "forfeited" => Some(opposite(player)),
                _ => None,
            }
        }
    }?;
    let more = lower.contains("forfeit") || lower.contains("walkover");
    Some(ResultText::new(result, text.len()).more(more))
}

/// Returns the result if the player with this name wins.
fn player(word: &str) -> Option<GameResult> {
    match word {
        "white" | "weiss" | "weiß" | "blancas" | "blancs" => Some(GameResult::White),
        "black" | "schwarz" | "negras" | "noirs" => Some(GameResult::Black),
        _ => None,
    }
}

fn opposite(result: GameResult) -> GameResult {
    if result == GameResult::White { GameResult::Black } else { GameResult::White }
}

#[cfg(test)]
mod tests {
    use super::*;

    use GameResult::{Black, Draw, Unknown, White};

    #[test]
    fn parse_spellings_of_people_and_sites_are_results() {
        for (spellings, result) in [
            (
                "1-0|1 - 0|1- 0|1 -0|1:0|1–0|1—0|1−0|1‐0|1 – 0| 1-0 |1-0.|1-0;|1-0+|1-0 ff|1-0F|\
                 1-0 (time)|1.0-0.0|1,0 - 0,0|1-O|1x0|1F-0F|+-|+/-|+:-|+ - -|+ / -|+/- (forfeit)|\
                 +−|White|White wins|white won on time|Black resigns|Winner: White|\"1-0\"",
                White,
            ),
            (
                "0-1|0 - 1|0 : 1|0-1*|0-1 (time)|O-1|-+|-/+|-:+|−/+|Black wins|WHITE RESIGNED|\
                 White lost|black|White forfeits",
                Black,
            ),
            (
                "1/2-1/2|1/2 - 1/2|1/2–1/2|1/2:1/2|1/2|½|½-½|½ - ½|½:½|½½|1/2 1/2|0.5-0.5|\
                 0.5 - 0.5|0,5-0,5|0,5 - 0,5|.5-.5|,5 - ,5|0.50-0.50|1/2-1/2.|1\\2-1\\2|\
                 1 / 2 - 1 / 2|1⁄2-1⁄2|=|=-=|=/=|Draw|drawn|draw agreed|Remis|tablas|0.5",
                Draw,
            ),
            (
                "*|?|-|0-0|0 - 0|0:0|0–0|-/-|-:-|--|0F-0F|½-0|0-½|1-½|both lost|double forfeit|\
                 unknown|in progress|Abandoned",
                Unknown,
            ),
        ] {
            for spelling in spellings.split('|') {
                let read = ResultText::parse(spelling);
                assert_eq!(read.map(|read| read.result), Some(result), "{spelling:?}");
                assert_eq!(read.map(|read| read.len), Some(spelling.len()), "{spelling:?}");
            }
        }
    }

    #[test]
    fn parse_other_texts_is_none() {
        for text in [
            "",
            " ",
            "1",
            "0",
            "2-0",
            "10-0",
            "1-01",
            "1-1",
            "1-0-1",
            "1-0/2",
            "+",
            "+/=",
            "=+",
            "+--",
            "White to move",
            "Whitehead wins",
            "first",
            "1.5-0.5",
            "2½-½",
            "+0.5",
            "x",
        ] {
            assert_eq!(ResultText::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn parse_forfeits_and_double_losses_say_more() {
        for text in ["0-0", "+/-", "-+", "1-0F", "1-0 ff", "½-0", "both lost", "-:-"] {
            assert!(ResultText::parse(text).unwrap().says_more, "{text:?}");
        }
        for text in ["1-0", "½", "1 : 0", "0,5-0,5", "=", "Draw", "*", "1-0."] {
            assert!(!ResultText::parse(text).unwrap().says_more, "{text:?}");
        }
    }

    #[test]
    fn at_start_reads_no_castling_number_or_decimal() {
        for (text, expected) in [
            ("1-0 [", Some((White, 3))),
            ("1 - 0\n", Some((White, 5))),
            ("1- 0", Some((White, 4))),
            ("0 – 1", Some((Black, 7))),
            ("1-0F\n", Some((White, 4))),
            ("1/2 ", Some((Draw, 3))),
            ("1/2-1/2", Some((Draw, 7))),
            ("½-½", Some((Draw, 5))),
            (".5-.5", Some((Draw, 5))),
            ("0,5 - 0,5", Some((Draw, 9))),
            ("1-½", Some((Unknown, 4))),
            ("*", Some((Unknown, 1))),
            ("0-0", None),
            ("0-0-0", None),
            ("1 - 0-0", None),
            ("1.0-0", None),
            ("1. e4", None),
            ("1... e5", None),
            ("1 -- ", None),
            ("12-0", None),
            ("1-1", None),
        ] {
            let read = ResultText::at_start(text.as_bytes()).map(|read| (read.result, read.len));
            assert_eq!(read, expected, "{text:?}");
        }
    }

    #[test]
    fn signs_and_zeros_at_start_are_told_apart_from_moves() {
        let signs = |text: &str| ResultText::signs_at_start(text.as_bytes()).map(|read| read.len);
        assert_eq!(signs("+/- (forfeit)"), Some(3));
        assert_eq!(signs("= \n"), Some(1));
        assert_eq!((signs("--"), signs("+--"), signs("+=")), (None, None, None));
        let lost = |text: &str| ResultText::both_lost_at_start(text.as_bytes()).map(|r| r.len);
        assert_eq!((lost("0-0\n"), lost("0 - 0"), lost("0–0")), (Some(3), Some(5), Some(5)));
        assert_eq!((lost("0-1"), lost("1-0"), lost("0-0-0")), (None, None, Some(3)));
    }
}
