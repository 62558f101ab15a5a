//! Quotations of `.2cba` as commands.
//!
//! A quotation is another game that an annotation refers to. Its command has the six texts, the result
//! and then words with values. Values of zero are left out:
//!
//! ```text
//! [%cbh quotation "Alder" "Ann" "Birch" "Bob" "Old Open" "Testville" 1-0 elo 2400 2350 eco C45
//!  date 1990.05.06 type 4 rounds 9 round 3 2 lists "FIDE" "FIDE" moves e2e4 e7e5 g1f3]
//! ```
//!
//! `start` precedes the pieces of a start position of its own. `unknown` precedes the bytes whose
//! meaning is not known, in hexadecimal and without the zeros at their end.

use std::fmt::Write as _;

use chess_core::{Color, Date, Eco, Piece, Role, Square};

use super::command::{hex_digits, parse_bytes};
use super::training::is_plain;
use crate::header::{encode_date, parse_date, put};
use crate::layout::item;
use crate::moves::numbers::{number_of, square_of};
use crate::tags::{eco_of, number_of_eco};

/// The word of the command after `[%cbh `.
pub(super) const WORD: &str = "quotation";
/// The sizes of the fields of the tournament, and of the fields behind them.
const EVENT: usize = 35;
const GAME: usize = 44;
/// The size of the bytes before the moves, without the mark of the usual start position, and of the
/// bytes after the pieces of another one.
const BEFORE: usize = 26;
const AFTER_PIECES: usize = 11;
/// The bytes before a rating list, and after the first two numbers.
const LIST: [u8; 5] = [1, 0, 1, 0, 0];
const START: [u8; 5] = [1, 0, 0, 0, 0];
/// The offsets of known fields: in the event, and in the game.
const TYPE: usize = 4;
const NATION: usize = 6;
const ROUNDS: usize = 10;
const RATINGS: [usize; 2] = [28, 30];
const ECO: usize = 32;
const RESULT: usize = 34;
const ROUND: [usize; 2] = [8, 9];
/// The pieces by number, White's first.
const PIECES: [Role; 6] =
    [Role::King, Role::Queen, Role::Knight, Role::Bishop, Role::Rook, Role::Pawn];
/// Added to the number of a white piece for a black one.
const BLACK: u8 = 8;
/// The promotions by their two bits.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Bishop, Role::Rook];
/// The bit of the origin that marks a promotion.
const PROMOTES: u8 = 64;
/// The results by number.
const RESULTS: [&str; 3] = ["0-1", "1/2-1/2", "1-0"];

/// A quotation as stored.
// cbh2 §5.6 "Quotation"
#[derive(Clone, PartialEq, Eq, Debug)]
struct Quotation<'a> {
    /// 1 without moves, 2 with moves.
    form: u8,
    unknown: [u8; 2],
    /// White's last and first name, Black's, site, event.
    texts: [&'a str; 6],
    event: [u8; EVENT],
    game: [u8; GAME],
    lists: [&'a str; 2],
    before: [u8; BEFORE],
    /// The pieces of a start position of its own by square, and the bytes behind them.
    start: Option<([u8; 64], [u8; AFTER_PIECES])>,
    last: [u8; 2],
    moves: Vec<[u8; 2]>,
}

impl Default for Quotation<'_> {
    fn default() -> Self {
        Quotation {
            form: 1,
            unknown: [0; 2],
            texts: [""; 6],
            event: [0; EVENT],
            game: [0; GAME],
            lists: [""; 2],
            before: [0; BEFORE],
            start: None,
            last: [0; 2],
            moves: Vec::new(),
        }
    }
}

struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    fn expect(&mut self, bytes: &[u8]) -> Option<()> {
        self.rest = self.rest.strip_prefix(bytes)?;
        Some(())
    }

    /// Reads a text that a command can hold.
    fn text(&mut self, length: usize) -> Option<&'a str> {
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(bytes).ok().filter(|text| is_plain(text))
    }
}

impl<'a> Quotation<'a> {
    fn parse(data: &'a [u8]) -> Option<Quotation<'a>> {
        let mut fields = Fields { rest: data };
        let mut quotation = Quotation::default();
        let [1, form @ (1 | 2), 0] = fields.take()? else { return None };
        quotation.form = form;
        quotation.unknown = fields.take()?;
        fields.expect(&START)?;
        for text in &mut quotation.texts {
            // The length counts the zero at the end.
            let [length] = fields.take()?;
            *text = fields.text(usize::from(length).checked_sub(1)?)?;
            fields.expect(&[0])?;
        }
        quotation.event = fields.take()?;
        quotation.game = fields.take()?;
        for list in &mut quotation.lists {
            fields.expect(&LIST)?;
            let length = u32::from_le_bytes(fields.take()?);
            *list = fields.text(usize::try_from(length).ok()?)?;
        }
        quotation.before = fields.take()?;
        match fields.take()? {
            [1] => {}
            [0] => quotation.start = Some((fields.take()?, fields.take()?)),
            _ => return None,
        }
        quotation.last = fields.take()?;
        let count = u32::from_le_bytes(fields.take()?);
        for _ in 0..count {
            let [from, to, 0, 0, 0] = fields.take()? else { return None };
            quotation.moves.push([from, to]);
        }
        (fields.rest == [0; 4]).then_some(quotation)
    }

    fn encode(&self, out: &mut Vec<u8>) -> Option<()> {
        out.extend_from_slice(&[1, self.form, 0]);
        out.extend_from_slice(&self.unknown);
        out.extend_from_slice(&START);
        for text in self.texts {
            out.push(u8::try_from(text.len().checked_add(1)?).ok()?);
            out.extend_from_slice(text.as_bytes());
            out.push(0);
        }
        out.extend_from_slice(&self.event);
        out.extend_from_slice(&self.game);
        for list in self.lists {
            out.extend_from_slice(&LIST);
            out.extend_from_slice(&u32::try_from(list.len()).ok()?.to_le_bytes());
            out.extend_from_slice(list.as_bytes());
        }
        out.extend_from_slice(&self.before);
        out.push(u8::from(self.start.is_none()));
        if let Some((pieces, after)) = &self.start {
            out.extend_from_slice(pieces);
            out.extend_from_slice(after);
        }
        out.extend_from_slice(&self.last);
        out.extend_from_slice(&u32::try_from(self.moves.len()).ok()?.to_le_bytes());
        for [from, to] in &self.moves {
            out.extend_from_slice(&[*from, *to, 0, 0, 0]);
        }
        out.extend_from_slice(&[0; 4]);
        Some(())
    }

    /// Calls `each` with the parts whose bytes have no known meaning. Known fields must be zero.
    fn for_each_unknown(&mut self, mut each: impl FnMut(&mut [u8])) {
        each(&mut self.unknown);
        each(&mut self.event);
        each(&mut self.game);
        each(&mut self.before);
        if let Some((_, after)) = &mut self.start {
            each(after);
        }
        each(&mut self.last);
    }
}

/// Takes a number of one or two bytes, little-endian, and leaves zeros.
fn take(bytes: &mut [u8], at: usize, size: usize) -> u16 {
    let field = bytes.get_mut(at..).and_then(|rest| rest.get_mut(..size)).unwrap_or_default();
    let number = field.iter().rev().fold(0, |number: u16, byte| number << 8 | u16::from(*byte));
    field.fill(0);
    number
}

/// Appends the command of a quotation.
// cbh2 §5.4 "Annotations in PGN"
pub(super) fn push(data: &[u8], out: &mut String) -> Option<()> {
    let mut quotation = Quotation::parse(data)?;
    write!(out, "[%cbh {WORD}").ok()?;
    for text in quotation.texts {
        write!(out, " \"{text}\"").ok()?;
    }
    let (event, game) = (&mut quotation.event, &mut quotation.game);
    match take(event, RESULT, 1) {
        number @ 0..=2 => write!(out, " {}", RESULTS.get(usize::from(number))?).ok()?,
        number => write!(out, " {number}").ok()?,
    }
    let ratings = RATINGS.map(|at| take(event, at, 2));
    if ratings != [0; 2] {
        write!(out, " elo {} {}", ratings[0], ratings[1]).ok()?;
    }
    match eco_of(take(event, ECO, 2)) {
        Ok(None) => {}
        Ok(Some(eco)) => write!(out, " eco {eco}").ok()?,
        Err(()) => return None,
    }
    let (bits, _) = event.split_first_chunk_mut()?;
    let date = u32::from_le_bytes(std::mem::take(bits));
    if date != 0 {
        write!(out, " date {}", parse_date(date).0).ok()?;
    }
    for (word, at) in NUMBERS {
        match take(event, at, 1) {
            0 => {}
            number => write!(out, " {word} {number}").ok()?,
        }
    }
    let [round, subround] = ROUND.map(|at| take(game, at, 1));
    if (round, subround) != (0, 0) {
        write!(out, " round {round} {subround}").ok()?;
    }
    if quotation.lists != [""; 2] {
        write!(out, " lists \"{}\" \"{}\"", quotation.lists[0], quotation.lists[1]).ok()?;
    }
    if let Some((pieces, _)) = &quotation.start {
        out.push_str(" start ");
        push_pieces(pieces, out)?;
    }
    let mut unknown = Vec::new();
    quotation.for_each_unknown(|bytes| unknown.extend_from_slice(bytes));
    if let Some(last) = unknown.iter().rposition(|byte| *byte != 0) {
        out.push_str(" unknown ");
        unknown.iter().take(last.saturating_add(1)).for_each(|byte| out.extend(hex_digits(*byte)));
    }
    if quotation.form == 2 {
        out.push_str(" moves");
        for m in &quotation.moves {
            out.push(' ');
            push_move(*m, out)?;
        }
    } else if !quotation.moves.is_empty() {
        return None;
    }
    out.push(']');
    Some(())
}

/// The words of numbers of one byte, and their offsets in the event.
const NUMBERS: [(&str, usize); 3] = [("type", TYPE), ("nation", NATION), ("rounds", ROUNDS)];

fn push_move([from, to]: [u8; 2], out: &mut String) -> Option<()> {
    let promotion = usize::from(to >> 6);
    write!(out, "{}{}", square_of(from & 63), square_of(to & 63)).ok()?;
    match from >> 6 {
        0 if promotion == 0 => {}
        1 => out.push(PROMOTIONS.get(promotion)?.letter().to_ascii_lowercase()),
        _ => return None,
    }
    Some(())
}

fn parse_move(word: &str) -> Option<[u8; 2]> {
    let (from, rest) = word.split_at_checked(2)?;
    let (to, promotion) = rest.split_at_checked(2)?;
    let [from, to] = [from, to].map(|name| name.parse::<Square>().ok().map(number_of));
    if promotion.is_empty() {
        return Some([from?, to?]);
    }
    let bits = (0u8..)
        .zip(PROMOTIONS)
        .find(|(_, role)| promotion.chars().eq([role.letter().to_ascii_lowercase()]));
    Some([from? | PROMOTES, to? | bits?.0 << 6])
}

/// Appends the pieces by rank, as in a FEN.
fn push_pieces(pieces: &[u8; 64], out: &mut String) -> Option<()> {
    for rank in (0..8).rev() {
        let mut empty = 0u8;
        for file in 0..8 {
            let square = number_of(Square::at(file, rank)?);
            let number = *pieces.get(usize::from(square))?;
            if number == 0 {
                empty = empty.saturating_add(1);
                continue;
            }
            push_empty(&mut empty, out);
            out.push(piece_of(number)?.letter());
        }
        push_empty(&mut empty, out);
        if rank > 0 {
            out.push('/');
        }
    }
    Some(())
}

fn push_empty(count: &mut u8, out: &mut String) {
    if *count > 0 {
        out.push(char::from(b'0'.saturating_add(*count)));
    }
    *count = 0;
}

fn piece_of(number: u8) -> Option<Piece> {
    let color = if number < BLACK { Color::White } else { Color::Black };
    let index = usize::from(number & 7).checked_sub(1)?;
    (number < 16).then_some(())?;
    Some(Piece::new(*PIECES.get(index)?, color))
}

fn parse_pieces(text: &str) -> Option<[u8; 64]> {
    let mut pieces = [0; 64];
    for (rank, row) in (0..8).rev().zip(text.split('/')) {
        let mut file = 0u8;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(9) {
                file = file.checked_add(u8::try_from(empty).ok()?)?;
                continue;
            }
            let number = (1..16)
                .find(|number| piece_of(*number).is_some_and(|piece| piece.letter() == letter))?;
            let square = number_of(Square::at(file, rank)?);
            *pieces.get_mut(usize::from(square))? = number;
            file = file.checked_add(1)?;
        }
    }
    Some(pieces)
}

/// Words and quoted texts, parted by single blanks.
struct Words<'t> {
    rest: &'t str,
}

impl<'t> Words<'t> {
    fn word(&mut self) -> Option<&'t str> {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn quoted(&mut self) -> Option<&'t str> {
        let (text, rest) = self.rest.strip_prefix('"')?.split_once('"')?;
        self.rest = rest.strip_prefix(' ').unwrap_or(rest);
        Some(text)
    }

    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }
}

/// Parses the arguments of `[%cbh quotation ...]`.
pub(super) fn parse(text: &str, data: &mut Vec<u8>) -> Option<u8> {
    let mut words = Words { rest: text };
    let mut quotation = Quotation::default();
    for text in &mut quotation.texts {
        *text = words.quoted()?;
    }
    let result = words.word()?;
    let known = (0..).zip(RESULTS).find(|(_, spelling)| *spelling == result);
    let result = known.map_or_else(|| result.parse().ok(), |(number, _)| Some(number))?;
    let (mut event, mut game, mut unknown) = ([0; EVENT], [0; GAME], Vec::new());
    put(&mut event, RESULT, &[result]);
    while let Some(word) = words.word() {
        match word {
            "elo" => {
                for at in RATINGS {
                    put(&mut event, at, &words.number::<u16>()?.to_le_bytes());
                }
            }
            "eco" => {
                let (number, _) = number_of_eco(words.number::<Eco>()?);
                put(&mut event, ECO, &number.to_le_bytes());
            }
            "date" => {
                let date = encode_date(words.number::<Date>()?)?;
                put(&mut event, 0, &date.to_le_bytes());
            }
            "round" => {
                for at in ROUND {
                    put(&mut game, at, &[words.number()?]);
                }
            }
            "lists" => {
                for list in &mut quotation.lists {
                    *list = words.quoted()?;
                }
            }
            "start" => {
                quotation.start = Some((parse_pieces(words.word()?)?, [0; AFTER_PIECES]));
            }
            "unknown" => parse_bytes(words.word()?, &mut unknown)?,
            "moves" => {
                quotation.form = 2;
                while let Some(word) = words.word() {
                    quotation.moves.push(parse_move(word)?);
                }
            }
            word => {
                let (_, at) = NUMBERS.into_iter().find(|(known, _)| *known == word)?;
                put(&mut event, at, &[words.number()?]);
            }
        }
    }
    let mut unknown = unknown.into_iter();
    quotation.for_each_unknown(|bytes| {
        for byte in bytes {
            *byte = unknown.next().unwrap_or(0);
        }
    });
    for (place, known) in quotation.event.iter_mut().zip(event) {
        *place |= known;
    }
    for (place, known) in quotation.game.iter_mut().zip(game) {
        *place |= known;
    }
    quotation.encode(data)?;
    Some(item::QUOTATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quotation with moves; `start` are the bytes from the mark of the usual start position on.
    fn example(form: u8, unknown: u8, start: &[u8], moves: &[u8]) -> Vec<u8> {
        let mut data = vec![1, form, 0, unknown, 0, 1, 0, 0, 0, 0];
        for text in ["Alder", "Ann", "Birch", "", "Old Open", "Zürich"] {
            data.push(u8::try_from(text.len()).unwrap() + 1);
            data.extend_from_slice(text.as_bytes());
            data.push(0);
        }
        data.extend_from_slice(&[0xa6, 0x3c, 0x0f, 0]); // 1950-05-06
        data.extend_from_slice(&[4, 0, 53, 0, 0, 0, 9]); // type, nation, rounds
        data.extend_from_slice(&[0; 17]);
        data.extend_from_slice(&[0x60, 9, 0x2e, 9, 0x80, 0x7a, 2]); // 2400, 2350, C44, 1-0
        data.extend_from_slice(&[0; 8]);
        data.extend_from_slice(&[3, 2]); // round 3.2
        data.extend_from_slice(&[0; 34]);
        for _ in 0..2 {
            data.extend_from_slice(b"\x01\0\x01\0\0\x04\0\0\0FIDE");
        }
        data.extend_from_slice(&[0; 26]);
        data.extend_from_slice(start);
        data.extend_from_slice(&[0; 2]);
        data.extend_from_slice(&u32::try_from(moves.len() / 2).unwrap().to_le_bytes());
        for m in moves.chunks(2) {
            data.extend_from_slice(&[m[0], m[1], 0, 0, 0]);
        }
        data.extend_from_slice(&[0; 4]);
        data
    }

    const HEAD: &str = "\"Alder\" \"Ann\" \"Birch\" \"\" \"Old Open\" \"Zürich\" 1-0 elo 2400 2350 \
        eco C44 date 1950.05.06 type 4 nation 53 rounds 9 round 3 2 lists \"FIDE\" \"FIDE\"";

    fn round_trip(data: &[u8], arguments: &str) {
        let mut text = String::new();
        push(data, &mut text).unwrap();
        assert_eq!(text, format!("[%cbh quotation {arguments}]"));
        let mut back = Vec::new();
        assert_eq!(parse(arguments, &mut back), Some(item::QUOTATION));
        assert_eq!(back, data);
    }

    #[test]
    fn quotation_examples_round_trip() {
        // e2e4, e7e5, b7a8 with promotion to a knight.
        let moves = [33, 35, 38, 36, 64 | 14, 64 | 7];
        round_trip(&example(2, 0, &[1], &moves), &format!("{HEAD} moves e2e4 e7e5 b7a8n"));
        round_trip(&example(2, 0, &[1], &[]), &format!("{HEAD} moves"));
        round_trip(&example(1, 7, &[1], &[]), &format!("{HEAD} unknown 07"));
        let mut start = vec![0; 1 + 64 + 11];
        (start[1 + 32], start[1 + 39], start[1 + 6], start[75]) = (1, 9, 6, 5);
        // All bytes between the first two and the last known one are zero.
        let zeros = "00".repeat(2 + 35 + 44 + 26 + 10);
        let arguments = format!("{HEAD} start 4k3/P7/8/8/8/8/8/4K3 unknown {zeros}05 moves");
        round_trip(&example(2, 0, &start, &[]), &arguments);
        let whole = example(2, 0, &[1], &moves);
        for length in 0..whole.len() {
            assert_eq!(push(&whole[..length], &mut String::new()), None, "{length}");
        }
    }

    #[test]
    fn quotation_unusual_bytes_have_no_command() {
        for data in [
            example(1, 0, &[1], &[33, 35]),       // moves without their mark
            example(2, 0, &[2], &[]),             // neither usual nor another position
            example(2, 0, &[1], &[33, 64 | 35]),  // a piece without promotion
            example(2, 0, &[1], &[128 | 33, 35]), // an unknown bit
            example(2, 0, &[&[0][..], &[7; 75]].concat(), &[]), // no such piece
        ] {
            assert_eq!(push(&data, &mut String::new()), None);
        }
        for wrong in [
            "",
            "\"a\"",
            HEAD.trim_end_matches('"'),
            &format!("{HEAD} moves e2"),
            &format!("{HEAD} start 9"),
            &format!("{HEAD} king 1"),
            &format!("{HEAD} unknown 0"),
        ] {
            assert_eq!(parse(wrong, &mut Vec::new()), None, "{wrong}");
        }
    }
}
