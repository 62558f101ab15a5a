//! Training questions as commands.
//!
//! A question that ChessBase's own command can hold becomes that command:
//!
//! ```text
//! [%tqu "En","Find the move","first hint","second hint","e2e4","Right",10]
//! ```
//!
//! Move, text and points repeat for each solution. All others become a command with named fields:
//! seconds, points and the question; the text on a wrong answer; two hints; and for each solution its
//! move, an unknown number, points and texts. A text follows its language.
//!
//! ```text
//! [%cbh training 360 6 en "Mate in two" de "Matt in zwei" | | es "pista" | | h6h7 0 6 en "Right"]
//! ```
//!
//! A `.2cba` has a second variant, whose solutions have no move, but points and two lists of texts:
//!
//! ```text
//! [%cbh training 60 5 en "Who is better?" | | | | 5 en "White" | en "Black has a bad bishop"]
//! ```

use std::borrow::Cow;
use std::fmt::Write as _;

use chess_core::Square;
use chess_store::{Encoding, TextDecoder};
use nom::bytes::complete::tag;
use nom::combinator::{all_consuming, map_opt, verify};
use nom::multi::{length_count, length_data};
use nom::number::complete::{le_i16, le_i32, le_u8, le_u16};
use nom::sequence::preceded;
use nom::{IResult, Parser as _};

use super::text::encode_name;
use crate::layout::item;
use crate::moves::numbers::{number_of, square_of};
use crate::texts::LANGUAGES;

/// The first bytes of the data. The variant follows. // cbh §5.5 "Training"
const START: [u8; 2] = [1, 0];
/// The variant with moves as solutions, and the one without.
const WITH_MOVES: u8 = 1;
pub(super) const WITHOUT_MOVES: u8 = 2;
/// The size of the size field.
const SIZE: usize = 2;
/// The word of the command after `[%cbh `.
pub(super) const WORD: &str = "training";

/// The texts of one field, each with its language.
type List<'a> = Vec<(u16, Cow<'a, str>)>;

/// A question with one to 255 solutions.
// cbh §5.5 "Training"
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Training<'a> {
    seconds: i32,
    points: i16,
    question: List<'a>,
    wrong: List<'a>,
    hints: [List<'a>; 2],
    solutions: Vec<Solution<'a>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Solution<'a> {
    /// Origin and target, a1 = 0, a2 = 1, and an unknown number. `None` in the second variant.
    played: Option<([u8; 2], u8)>,
    points: u8,
    texts: List<'a>,
    /// The second list of the second variant.
    more: List<'a>,
}

/// Parses a list. A text that a command cannot hold is an error.
fn list(input: &[u8]) -> IResult<&[u8], List<'_>, ()> {
    let text = map_opt(length_data(le_u16), text_of);
    length_count(le_u16, (le_u16, text)).parse(input)
}

/// Decodes a text. Returns `None` if a command cannot hold it.
fn text_of(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let text = TextDecoder::utf8_or(Encoding::WINDOWS_1252).decode(bytes);
    (is_plain(&text) && *encode_name(&text) == *bytes).then_some(text)
}

fn solution_with_move(input: &[u8]) -> IResult<&[u8], Solution<'_>, ()> {
    let square = || verify(le_u8, |square| *square < 64);
    let (input, (from, to, unknown, points, texts)) =
        (square(), square(), le_u8, le_u8, list).parse(input)?;
    let played = Some(([from, to], unknown));
    Ok((input, Solution { played, points, texts, more: List::new() }))
}

fn solution_without_move(input: &[u8]) -> IResult<&[u8], Solution<'_>, ()> {
    let (input, (points, texts, more)) = (le_u8, list, list).parse(input)?;
    Ok((input, Solution { played: None, points, texts, more }))
}

/// Whether a text can stand between quotation marks in a command.
pub(super) fn is_plain(text: &str) -> bool {
    !text.contains(|letter: char| letter.is_control() || matches!(letter, '"' | ']' | '{' | '}'))
}

impl<'a> Training<'a> {
    fn parse(data: &'a [u8]) -> Option<Training<'a>> {
        let mut head = preceded(tag::<_, _, ()>(&START[..]), (le_u8, le_u16));
        // The size counts its own bytes.
        let whole = |(fields, (_, size)): &(&[u8], (u8, u16))| {
            fields.len().checked_add(SIZE) == Some((*size).into())
        };
        let (fields, (variant, _)) = head.parse(data).ok().filter(whole)?;
        let solution = match variant {
            WITH_MOVES => solution_with_move,
            WITHOUT_MOVES => solution_without_move,
            _ => return None,
        };
        let (_, (seconds, points, question, wrong, one, two, solutions)) =
            all_consuming((le_i32, le_i16, list, list, list, list, length_count(le_u8, solution)))
                .parse(fields)
                .ok()?;
        // Without solutions, a command does not tell the variant.
        let tells = variant == WITH_MOVES || !solutions.is_empty();
        let hints = [one, two];
        tells.then_some(Training { seconds, points, question, wrong, hints, solutions })
    }

    fn encode(&self, data: &mut Vec<u8>) -> Option<()> {
        let mut body = self.seconds.to_le_bytes().to_vec();
        body.extend_from_slice(&self.points.to_le_bytes());
        let [one, two] = &self.hints;
        for list in [&self.question, &self.wrong, one, two] {
            encode_list(list, &mut body)?;
        }
        body.push(u8::try_from(self.solutions.len()).ok()?);
        for Solution { played, points, texts, more } in &self.solutions {
            if let Some(([from, to], unknown)) = played {
                body.extend_from_slice(&[*from, *to, *unknown]);
            }
            body.push(*points);
            encode_list(texts, &mut body)?;
            if played.is_none() {
                encode_list(more, &mut body)?;
            }
        }
        data.extend_from_slice(&START);
        let without = self.solutions.iter().filter(|solution| solution.played.is_none()).count();
        data.push(match without {
            0 => WITH_MOVES,
            all if all == self.solutions.len() => WITHOUT_MOVES,
            _ => return None,
        });
        let size = u16::try_from(body.len().checked_add(SIZE)?).ok()?;
        data.extend_from_slice(&size.to_le_bytes());
        data.extend_from_slice(&body);
        Some(())
    }

    /// Returns the most points of a solution.
    fn most_points(&self) -> i16 {
        self.solutions.iter().map(|solution| i16::from(solution.points)).max().unwrap_or(0)
    }

    /// Returns the language of ChessBase's command, if that command can hold the question.
    fn common_language(&self) -> Option<u16> {
        let [(language, _)] = self.question.as_slice() else { return None };
        let fits = |list: &List<'_>| match list.as_slice() {
            [] => true,
            [(of, text)] => of == language && !text.is_empty(),
            _ => false,
        };
        let holds = self.seconds == 0
            && self.points == self.most_points()
            && self.wrong.is_empty()
            && self.hints.iter().all(fits)
            && !self.solutions.is_empty()
            && self.solutions.iter().all(|solution| {
                solution.played.is_some_and(|(_, unknown)| unknown == 0) && fits(&solution.texts)
            });
        (holds && usize::from(*language) < NAMED).then_some(*language)
    }
}

fn encode_list(list: &List<'_>, out: &mut Vec<u8>) -> Option<()> {
    out.extend_from_slice(&u16::try_from(list.len()).ok()?.to_le_bytes());
    for (language, text) in list {
        let bytes = encode_name(text);
        out.extend_from_slice(&language.to_le_bytes());
        out.extend_from_slice(&u16::try_from(bytes.len()).ok()?.to_le_bytes());
        out.extend_from_slice(&bytes);
    }
    Some(())
}

/// The number of languages with a name in ChessBase's command.
const NAMED: usize = 7;

/// Appends the command of a question.
// cbh §5.5 "Training"
pub(super) fn push(data: &[u8], out: &mut String) -> Option<()> {
    let training = Training::parse(data)?;
    match training.common_language() {
        Some(language) => push_tqu(&training, language, out),
        None => push_own(&training, out),
    }
}

fn push_tqu(training: &Training<'_>, language: u16, out: &mut String) -> Option<()> {
    let name = LANGUAGES.get(usize::from(language))?;
    let (first, rest) = name.split_at_checked(1)?;
    write!(out, "[%tqu \"{}{rest}\"", first.to_ascii_uppercase()).ok()?;
    let text =
        |list: &List<'_>| list.first().map_or_else(String::new, |(_, text)| text.to_string());
    let [one, two] = &training.hints;
    for list in [&training.question, one, two] {
        write!(out, ",\"{}\"", text(list)).ok()?;
    }
    for solution in &training.solutions {
        let [from, to] = solution.played?.0.map(square_of);
        write!(out, ",\"{from}{to}\",\"{}\",{}", text(&solution.texts), solution.points).ok()?;
    }
    out.push(']');
    Some(())
}

/// Parses the arguments of ChessBase's command.
pub(super) fn parse_tqu(text: &str, data: &mut Vec<u8>) -> Option<u8> {
    let mut fields = TquFields { rest: text, first: true };
    let name = fields.quoted()?.to_ascii_lowercase();
    let language = LANGUAGES.iter().take(NAMED).position(|known| *known == name)?;
    let language = u16::try_from(language).ok()?;
    let list = |text: &'_ str| match text {
        "" => Vec::new(),
        text => vec![(language, Cow::Owned(text.to_owned()))],
    };
    let question = vec![(language, Cow::Borrowed(fields.quoted()?))];
    let hints = [list(fields.quoted()?), list(fields.quoted()?)];
    let mut training = Training { question, hints, ..Training::default() };
    while !fields.rest.is_empty() {
        let squares = parse_squares(fields.quoted()?)?;
        let texts = list(fields.quoted()?);
        let points = fields.number()?;
        let played = Some((squares, 0));
        training.solutions.push(Solution { played, points, texts, more: Vec::new() });
    }
    training.points = training.most_points();
    training.encode(data)?;
    Some(item::TRAINING)
}

/// Fields between commas.
struct TquFields<'t> {
    rest: &'t str,
    first: bool,
}

impl<'t> TquFields<'t> {
    fn comma(&mut self) -> Option<()> {
        if !std::mem::take(&mut self.first) {
            self.rest = self.rest.strip_prefix(',')?;
        }
        Some(())
    }

    fn quoted(&mut self) -> Option<&'t str> {
        self.comma()?;
        let (text, rest) = self.rest.strip_prefix('"')?.split_once('"')?;
        self.rest = rest;
        Some(text)
    }

    fn number(&mut self) -> Option<u8> {
        self.comma()?;
        let end = self.rest.find(',').unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        number.parse().ok()
    }
}

fn parse_squares(text: &str) -> Option<[u8; 2]> {
    let (from, to) = text.split_at_checked(2)?;
    let [from, to]: [Square; 2] = [from.parse().ok()?, to.parse().ok()?];
    Some([number_of(from), number_of(to)])
}

fn push_own(training: &Training<'_>, out: &mut String) -> Option<()> {
    let Training { seconds, points, question, wrong, hints: [one, two], solutions } = training;
    write!(out, "[%cbh {WORD} {seconds} {points}").ok()?;
    push_texts(question, out)?;
    for list in [wrong, one, two] {
        out.push_str(" |");
        push_texts(list, out)?;
    }
    for Solution { played, points, texts, more } in solutions {
        out.push_str(" |");
        if let Some((squares, unknown)) = played {
            let [from, to] = squares.map(square_of);
            write!(out, " {from}{to} {unknown}").ok()?;
        }
        write!(out, " {points}").ok()?;
        push_texts(texts, out)?;
        if played.is_none() {
            out.push_str(" |");
            push_texts(more, out)?;
        }
    }
    out.push(']');
    Some(())
}

fn push_texts(list: &List<'_>, out: &mut String) -> Option<()> {
    for (language, text) in list {
        match LANGUAGES.get(usize::from(*language)) {
            Some(name) => write!(out, " {name} \"{text}\"").ok()?,
            None => write!(out, " #{language} \"{text}\"").ok()?,
        }
    }
    Some(())
}

/// Words and quoted texts, parted by single blanks.
struct OwnFields<'t> {
    rest: &'t str,
}

impl<'t> OwnFields<'t> {
    fn word(&mut self) -> Option<&'t str> {
        let text = self.rest.strip_prefix(' ').unwrap_or(self.rest);
        let end = text.find(' ').unwrap_or(text.len());
        let (word, rest) = text.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }

    /// Reads texts up to the next bar. Returns whether there is one.
    fn list(&mut self) -> Option<(List<'t>, bool)> {
        let mut list = Vec::new();
        loop {
            let language = match self.word() {
                None => return self.rest.is_empty().then_some((list, false)),
                Some("|") => return Some((list, true)),
                Some(word) => match LANGUAGES.iter().position(|known| *known == word) {
                    Some(number) => u16::try_from(number).ok()?,
                    None => word.strip_prefix('#')?.parse().ok()?,
                },
            };
            let (text, rest) = self.rest.strip_prefix(" \"")?.split_once('"')?;
            self.rest = rest;
            list.push((language, Cow::Borrowed(text)));
        }
    }
}

/// Parses the arguments of `[%cbh training ...]`.
pub(super) fn parse_own(text: &str, data: &mut Vec<u8>) -> Option<u8> {
    let mut fields = OwnFields { rest: text };
    let (seconds, points) = (fields.number()?, fields.number()?);
    let mut lists = [const { Vec::new() }; 4];
    for (place, needs_bar) in lists.iter_mut().zip([true, true, true, false]) {
        let (list, bar) = fields.list()?;
        if needs_bar && !bar {
            return None;
        }
        *place = list;
    }
    let [question, wrong, one, two] = lists;
    let mut training =
        Training { seconds, points, question, wrong, hints: [one, two], solutions: Vec::new() };
    while !fields.rest.is_empty() {
        let word = fields.word()?;
        let mut solution = Solution::default();
        match parse_squares(word) {
            Some(squares) => {
                solution.played = Some((squares, fields.number()?));
                solution.points = fields.number()?;
                solution.texts = fields.list()?.0;
            }
            None => {
                solution.points = word.parse().ok()?;
                solution.texts = fields.list()?.0;
                solution.more = fields.list()?.0;
            }
        }
        training.solutions.push(solution);
    }
    training.encode(data)?;
    Some(item::TRAINING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const EXAMPLE: &[u8] = &[
        1, 0, 1,
        54, 0,                   // 54 bytes, these two included
        60, 0, 0, 0, 5, 0,       // 60 seconds, 5 points
        1, 0, 3, 0, 6, 0, b'J', b'u', b'g', b'a', b'd', 0xe1, // the question in Spanish
        0, 0,                    // no text on a wrong answer
        1, 0, 7, 0, 4, 0, b'H', b'i', b'n', b't', // a hint in any language
        0, 0,                    // no second hint
        1,                       // one solution
        33, 35, 1, 2,            // e2e4, 1 unknown, two points
        2, 0, 0, 0, 2, 0, b'O', b'k', 1, 0, 3, 0, b'G', b'u', b't',
    ];

    fn round_trip(data: &[u8], command: &str) {
        let mut text = String::new();
        push(data, &mut text).unwrap();
        assert_eq!(text, command);
        let inside = command.strip_suffix(']').unwrap();
        let mut back = Vec::new();
        match inside.strip_prefix("[%tqu ") {
            Some(arguments) => parse_tqu(arguments, &mut back).unwrap(),
            None => parse_own(inside.strip_prefix("[%cbh training ").unwrap(), &mut back).unwrap(),
        };
        assert_eq!(back, data);
    }

    #[test]
    fn training_example_round_trips() {
        let command =
            "[%cbh training 60 5 es \"Jugadá\" | | any \"Hint\" | | e2e4 1 2 en \"Ok\" de \"Gut\"]";
        round_trip(EXAMPLE, command);
        for length in 0..EXAMPLE.len() {
            assert_eq!(push(&EXAMPLE[..length], &mut String::new()), None, "{length}");
        }
    }

    #[test]
    fn training_without_moves_round_trips() {
        #[rustfmt::skip]
        let data = [
            1, 0, 2,
            39, 0,                   // 39 bytes, these two included
            60, 0, 0, 0, 5, 0,       // 60 seconds, 5 points
            1, 0, 0, 0, 3, 0, b'W', b'h', b'o', // the question
            0, 0, 0, 0, 0, 0,        // no other texts
            2,                       // two solutions
            5,                       // 5 points
            1, 0, 0, 0, 1, 0, b'A',  // a text
            0, 0,                    // no second text
            0, 0, 0, 0, 0,           // 0 points and no texts
        ];
        round_trip(&data, "[%cbh training 60 5 en \"Who\" | | | | 5 en \"A\" | | 0 |]");
        for (at, byte) in [(2, 3), (11 + 15, 0)] {
            let mut other = data.to_vec();
            other[at] = byte;
            assert_eq!(push(&other, &mut String::new()), None);
        }
        assert_eq!(parse_own("60 5 | | | | 5 | | e2e4 0 1", &mut Vec::new()), None);
    }

    #[test]
    fn training_of_one_language_is_command_of_chessbase() {
        for command in [
            "[%tqu \"En\",\"find the move\",\"\",\"\",\"e2e4\",\"\",10]",
            "[%tqu \"De\",\"\",\"erst\",\"dann\",\"e7e8\",\"Gut\",3,\"a1a2\",\"\",0]",
        ] {
            let mut data = Vec::new();
            let arguments = &command["[%tqu ".len()..command.len() - 1];
            assert_eq!(parse_tqu(arguments, &mut data), Some(item::TRAINING));
            round_trip(&data, command);
        }
        for wrong in ["", "\"En\"", "\"Xx\",\"\",\"\",\"\"", "\"En\",\"\",\"\",\"\",\"e2\",\"\",1"]
        {
            assert_eq!(parse_tqu(wrong, &mut Vec::new()), None, "{wrong}");
        }
    }

    #[test]
    fn training_text_that_ends_a_command_has_none() {
        let mut data = EXAMPLE.to_vec();
        let place = data.iter().position(|byte| *byte == b'J').unwrap();
        data[place] = b']';
        assert_eq!(push(&data, &mut String::new()), None);
    }
}
