//! Annotation items as commands in comments, such as `[%csl Gd4]`.

use std::fmt::Write as _;

use chess_core::Square;

use super::dialect::Dialect;
use super::{evaluations, named, quotation, training};
use crate::layout::item;
use crate::moves::numbers::{number_of, square_of};

/// The PGN letters of the colours of squares and arrows.
// cbh §5.3 "Annotations in PGN"
const COLOURS: [(u8, char); 4] = [(2, 'G'), (3, 'Y'), (4, 'R'), (7, 'B')];

/// Appends the command of an item. Items without a named command are written in hexadecimal.
pub(crate) fn push_command(dialect: Dialect, kind: u8, data: &[u8], out: &mut String) {
    let start = out.len();
    if kind == item::REST && dialect == Dialect::Modern {
        return push_rest(data, out);
    }
    if push_named(dialect, kind, data, out).is_none() {
        out.truncate(start);
        push_hex(kind, data, out);
    }
}

/// Whether an item is a comment of its own: the evaluations of all moves, as ChessBase writes them.
/// They belong to the game, whose position is -1. In a `.cba`, data without a named command is not alone.
pub(crate) fn is_alone(dialect: Dialect, position: i32, kind: u8, data: &[u8]) -> bool {
    position == -1
        && kind == item::EVALUATIONS
        && (dialect == Dialect::Modern
            || push_named(dialect, kind, data, &mut String::new()).is_some())
}

/// Parses the command at the start of `text` to an item. Returns the item and the rest of the text.
///
/// Only the exact output of [`push_command`] is recognised, and evaluations in centipawns.
pub(crate) fn parse_command<'t>(
    dialect: Dialect,
    text: &'t str,
    data: &mut Vec<u8>,
) -> Option<(u8, &'t str)> {
    data.clear();
    let inside = text.strip_prefix("[%")?;
    let (inside, mut rest) = inside.split_once(']')?;
    let (word, arguments) = inside.split_once(' ')?;
    let mut named = true;
    let kind = match word {
        "csl" => parse_list(item::SQUARES, 1, arguments, data)?,
        "cal" => parse_list(item::ARROWS, 2, arguments, data)?,
        "emt" => named::parse_time(arguments, data)?,
        "eval" => match named::parse_centipawns(arguments, data) {
            Some(kind) => {
                dialect.convert_classic(kind, data)?;
                return Some((kind, rest));
            }
            None => named::parse_evaluation(arguments, data)?,
        },
        "mdl" => {
            data.extend_from_slice(&arguments.parse::<u32>().ok()?.to_be_bytes());
            item::MEDALS
        }
        "tqu" => training::parse_tqu(arguments, data)?,
        "evp" => {
            rest = evaluations::parse(arguments, rest, data)?;
            item::EVALUATIONS
        }
        "cbh" => parse_own(dialect, arguments, data, &mut named)?,
        _ => return None,
    };
    if named {
        dialect.convert_classic(kind, data)?;
    } else if kind != item::REST && !dialect.may_have(kind, data) {
        return None;
    }
    let mut again = String::new();
    push_command(dialect, kind, data, &mut again);
    let length = text.len().checked_sub(rest.len())?;
    (text.get(..length) == Some(&*again)).then_some((kind, rest))
}

/// Whether `text` starts with a command of squares or arrows.
///
/// Programs write adjacent commands of this kind without a separator.
// cbh §5.3 "Annotations in PGN"
pub(crate) fn is_drawing(text: &str) -> bool {
    text.starts_with("[%csl ") || text.starts_with("[%cal ")
}

/// Appends the named command of an item, if it has one that leads back to the same data.
fn push_named(dialect: Dialect, kind: u8, data: &[u8], out: &mut String) -> Option<()> {
    if dialect == Dialect::Modern && kind == item::QUOTATION {
        let start = out.len();
        quotation::push(data, out)?;
        let arguments = out.get(start..)?.split_once(quotation::WORD)?.1;
        let arguments = arguments.strip_prefix(' ')?.strip_suffix(']')?;
        let mut back = Vec::new();
        quotation::parse(arguments, &mut back)?;
        return (back == data).then_some(());
    }
    let classic = dialect.to_classic(kind, data)?;
    push_known(kind, &classic, out)?;
    let mut back = classic.into_owned();
    dialect.convert_classic(kind, &mut back)?;
    (back == data).then_some(())
}

fn push_known(kind: u8, data: &[u8], out: &mut String) -> Option<()> {
    match kind {
        item::EVALUATIONS => evaluations::push(data, out),
        item::SQUARES => push_list("csl", 1, data, out),
        item::ARROWS => push_list("cal", 2, data, out),
        item::TIME_SPENT => named::push_time(data, out),
        item::TRAINING => training::push(data, out),
        item::EVALUATION => named::push_evaluation(data, out),
        item::MEDALS => {
            let medals = u32::from_be_bytes(data.try_into().ok()?);
            write!(out, "[%mdl {medals}]").ok()
        }
        item::CRITICAL => named::push_critical(data, out),
        item::VARIATION_COLOUR => named::push_colour(data, out),
        item::WEB_LINK => named::push_link(data, out),
        _ => None,
    }
}

fn parse_own(
    dialect: Dialect,
    arguments: &str,
    data: &mut Vec<u8>,
    named: &mut bool,
) -> Option<u8> {
    let (word, rest) = arguments.split_once(' ').unwrap_or((arguments, ""));
    match word {
        "critical" => named::parse_critical(rest, data),
        "colour" => named::parse_colour(rest, data),
        "link" => named::parse_link(rest, data),
        training::WORD => training::parse_own(rest, data),
        // The moves of a quotation are hidden in a `.cba`.
        quotation::WORD if dialect == Dialect::Modern => {
            *named = false;
            quotation::parse(rest, data)
        }
        REST => {
            *named = false;
            let (count, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            data.extend_from_slice(&count.parse::<u32>().ok()?.to_le_bytes());
            parse_bytes(rest, data)?;
            Some(item::REST)
        }
        _ => {
            *named = false;
            let kind = parse_hex(word)?;
            parse_bytes(rest, data)?;
            Some(kind)
        }
    }
}

/// Appends a list of colours, each with one or two squares.
fn push_list(word: &str, squares: usize, data: &[u8], out: &mut String) -> Option<()> {
    let size = squares.checked_add(1)?;
    if data.is_empty() || data.len().checked_rem(size) != Some(0) {
        return None;
    }
    write!(out, "[%{word}").ok()?;
    let mut before = ' ';
    for entry in data.chunks_exact(size) {
        let (colour, squares) = entry.split_first()?;
        let (_, letter) = COLOURS.iter().find(|(code, _)| code == colour)?;
        out.push(before);
        out.push(*letter);
        before = ',';
        for number in squares {
            let number = number.checked_sub(1).filter(|number| *number < 64)?;
            write!(out, "{}", square_of(number)).ok()?;
        }
    }
    out.push(']');
    Some(())
}

fn parse_list(kind: u8, squares: usize, list: &str, data: &mut Vec<u8>) -> Option<u8> {
    for entry in list.split(',') {
        let mut letters = entry.chars();
        let letter = letters.next()?;
        let (colour, _) = COLOURS.iter().find(|(_, known)| *known == letter)?;
        data.push(*colour);
        let names = letters.as_str();
        if names.len() != squares.checked_mul(2)? {
            return None;
        }
        for index in (0..names.len()).step_by(2) {
            let square: Square = names.get(index..index.checked_add(2)?)?.parse().ok()?;
            data.push(number_of(square).checked_add(1)?);
        }
    }
    Some(kind)
}

/// The word of the bytes from the first annotation of an unknown type on.
const REST: &str = "rest";

/// Appends the rest of a record: the number of annotations that its block still has, and the bytes.
// cbh2 §5.4 "Annotations in PGN"
fn push_rest(data: &[u8], out: &mut String) {
    let (count, bytes) = data.split_first_chunk().unwrap_or((&[0; 4], &[]));
    // Writing to a string does not fail.
    let _ = write!(out, "[%cbh {REST} {} ", u32::from_le_bytes(*count));
    bytes.iter().for_each(|byte| out.extend(hex_digits(*byte)));
    out.push(']');
}

pub(super) fn hex_digits(byte: u8) -> [char; 2] {
    [byte >> 4, byte & 15].map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0'))
}

pub(super) fn parse_bytes(digits: &str, data: &mut Vec<u8>) -> Option<()> {
    for index in (0..digits.len()).step_by(2) {
        data.push(parse_hex(digits.get(index..index.checked_add(2)?)?)?);
    }
    Some(())
}

fn push_hex(kind: u8, data: &[u8], out: &mut String) {
    out.push_str("[%cbh ");
    out.extend(hex_digits(kind));
    if !data.is_empty() {
        out.push(' ');
    }
    data.iter().for_each(|byte| out.extend(hex_digits(*byte)));
    out.push(']');
}

fn parse_hex(text: &str) -> Option<u8> {
    let plain = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u8::from_str_radix(text, 16).ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_every_kind_round_trip() {
        for (kind, data, command) in [
            (item::SQUARES, &[2, 28, 4, 1][..], "[%csl Gd4,Ra1]"),
            (item::ARROWS, &[3, 34, 36], "[%cal Ye2e4]"),
            (item::ARROWS, &[7, 34, 36], "[%cal Be2e4]"),
            (item::ARROWS, &[8, 34, 36], "[%cbh 05 082224]"),
            (item::TIME_SPENT, &[0, 1, 5, 0], "[%emt 0:01:05]"),
            (item::TIME_SPENT, &[0, 1, 5, 37], "[%emt 0:01:05.37]"),
            (item::TIME_SPENT, &[0, 99, 5, 0], "[%cbh 07 00630500]"),
            (item::EVALUATION, &[25, 0, 0, 0, 20, 0], "[%eval 0.25,20]"),
            (item::EVALUATION, &[0xff, 0xff, 0, 0, 0, 0], "[%eval -0.01]"),
            (item::EVALUATION, &[0xfd, 0xff, 1, 0, 9, 0], "[%eval #-3,9]"),
            (item::MEDALS, &[0, 0, 0x80, 0], "[%mdl 32768]"),
            (item::CRITICAL, &[1], "[%cbh critical opening]"),
            (item::CRITICAL, &[4], "[%cbh 18 04]"),
            (item::VARIATION_COLOUR, &[0, 0xff, 0, 1], "[%cbh colour 0100ff]"),
            (item::VARIATION_COLOUR, &[2, 0xff, 0, 1], "[%cbh colour 0100ff 2]"),
            (item::WEB_LINK, b"\x08\x00\x03a.b\x01c", "[%cbh link a.b c]"),
            (item::WEB_LINK, b"\x09\x00\x03a.b\x01c", "[%cbh 1c 090003612e620163]"),
            (item::TRAINING, &[1], "[%cbh 09 01]"),
            (
                item::TRAINING,
                b"\x01\0\x01\x1b\0\0\0\0\0\x0a\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x21\x23\0\x0a\0\0",
                "[%tqu \"En\",\"\",\"\",\"\",\"e2e4\",\"\",10]",
            ),
            (
                item::EVALUATIONS,
                &[0, 2, 0xff, 0, 0, 0, 0, 12, 0, 20],
                "[%evp 1,1,20] [%cbh depths 12]",
            ),
            (0x44, &[], "[%cbh 44]"),
        ] {
            let (mut text, mut back) = (String::new(), Vec::new());
            push_command(Dialect::Classic, kind, data, &mut text);
            assert_eq!(text, command);
            text.push_str(" rest");
            let found = parse_command(Dialect::Classic, &text, &mut back);
            assert_eq!(found, Some((kind, " rest")), "{text}");
            assert_eq!(back, data);
        }
    }

    #[test]
    fn parse_command_centipawns_is_evaluation() {
        for (command, read) in [
            ("[%eval -21,16]", "[%eval -0.21,16]"),
            ("[%eval 1234,0]", "[%eval 12.34]"),
            ("[%eval 32764,20]", "[%eval #3,20]"),
            ("[%eval -32760,20]", "[%eval #-7,20]"),
        ] {
            for dialect in [Dialect::Classic, Dialect::Modern] {
                let (mut data, mut again) = (Vec::new(), String::new());
                let (kind, rest) = parse_command(dialect, command, &mut data).unwrap();
                push_command(dialect, kind, &data, &mut again);
                assert_eq!((&*again, rest), (read, ""));
            }
        }
    }

    #[test]
    fn parse_command_other_spelling_is_none() {
        for text in [
            "[%csl Xd4]",
            "[%cbh rest 1 aa]",
            "[%csl gd4]",
            "[%csl Gd4, Ga1]",
            "[%csl ]",
            "[%cal Ge2]",
            "[%mdl 01]",
            "[%emt 0:1:05]",
            "[%emt 0:01:05.370]",
            "[%eval 25]",
            "[%eval 25,x]",
            "[%eval 2.5,20]",
            "[%eval +0.25]",
            "[%clk 0:01:00]",
            "[%cbh 04 0201]",
            "[%cbh 9 01]",
            "[%cbh 09 1]",
            "[%cbh]",
            "[%csl Gd4",
            "%csl",
            "",
        ] {
            let found = parse_command(Dialect::Classic, text, &mut Vec::new());
            assert_eq!(found, None, "{text}");
        }
    }
}
