//! The data of annotations in `.2cba`.
//!
//! An annotation has no length there. Its size follows from its type, so a reader that meets an
//! unknown type cannot go on.

use chess_store::{Encoding, TextDecoder};
use nom::bytes::complete::{tag, take};
use nom::combinator::verify;
use nom::multi::length_data;
use nom::number::complete::{le_u8, le_u16, le_u32};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser as _};

use super::comments::language_name;
use super::dialect::{TextParts, push_prefix};
use super::text;
use super::training::WITHOUT_MOVES;
use crate::layout::item;

/// The language number of a text for readers of any language. // cbh2 §5.3 "Text"
pub(super) const ANY_LANGUAGE: u16 = 7;

/// The language numbers of texts, and the same language as a nation.
// cbh2 §5.3 "Text"
const LANGUAGES: [(u16, u8); 9] =
    [(0, 42), (1, 53), (2, 49), (3, 43), (4, 70), (5, 103), (6, 117), (12, 116), (18, 55)];

/// The size of the data of a time control. // cbh2 §5.2 "Types"
const TIME_CONTROL: usize = 38;

pub(super) fn text_of(data: &[u8]) -> Option<TextParts<'_>> {
    let ([0, 0, l1, l2, rest @ ..], bytes) = data.split_first_chunk::<8>()? else { return None };
    let length = u32::from_le_bytes(*rest);
    let whole = usize::try_from(length) == Ok(bytes.len());
    whole.then_some(TextParts { language: u16::from_le_bytes([*l1, *l2]), bytes })
}

pub(super) fn push_language(language: u16, out: &mut String) {
    if language == ANY_LANGUAGE {
        return;
    }
    let nation = LANGUAGES.iter().find(|(number, _)| *number == language);
    match nation.and_then(|(_, nation)| language_name(*nation)) {
        Some(name) => push_prefix(name, out),
        None => push_prefix(format_args!("#{language}"), out),
    }
}

pub(super) fn language_of(name: &str) -> Option<u16> {
    let named = |(_, nation): &&(u16, u8)| language_name(*nation) == Some(name);
    if let Some((number, _)) = LANGUAGES.iter().find(named) {
        return Some(*number);
    }
    let number: u16 = name.strip_prefix('#')?.parse().ok()?;
    let plain = number != ANY_LANGUAGE && LANGUAGES.iter().all(|(known, _)| *known != number);
    (plain && name == format!("#{number}")).then_some(number)
}

/// The bytes after a structure whose size was looked for.
type Rest<'a> = IResult<&'a [u8], (), ()>;

fn skip(size: usize, input: &[u8]) -> Rest<'_> {
    take(size).map(|_| ()).parse(input)
}

/// Skips a length of four bytes and that many bytes.
fn skip_bytes(input: &[u8]) -> Rest<'_> {
    length_data(le_u32).map(|_| ()).parse(input)
}

/// Skips as many structures as the count says.
fn skip_many(count: impl Into<usize>, one: fn(&[u8]) -> Rest<'_>, input: &[u8]) -> Rest<'_> {
    (0..count.into()).try_fold((input, ()), |(input, ()), _| one(input))
}

/// Skips a list of a training question: a count, and for each entry a kind and bytes.
fn skip_list(input: &[u8]) -> Rest<'_> {
    let (input, count) = le_u16(input)?;
    skip_many(count, |input| (take(2_usize), skip_bytes).map(|_| ()).parse(input), input)
}

// cbh2 §5.5 "Training"
fn skip_training(input: &[u8]) -> Rest<'_> {
    let variant = verify(le_u8, |variant| matches!(variant, 1 | 2));
    let (input, variant) =
        delimited(tag(&[1, 1][..]), variant, tag(&[0, 0, 0][..])).parse(input)?;
    let (input, _) = skip(6, input)?;
    let (input, ()) = skip_many(4_u8, skip_list, input)?;
    let (input, solutions) = le_u8(input)?;
    let solution: fn(&[u8]) -> Rest<'_> = match variant {
        1 => |input| preceded(take(4_usize), skip_list).parse(input),
        _ => |input| (take(1_usize), skip_list, skip_list).map(|_| ()).parse(input),
    };
    skip_many(solutions, solution, input)
}

// cbh2 §5.6 "Quotation"
fn skip_quotation(input: &[u8]) -> Rest<'_> {
    /// The bytes after the texts: the fields of the tournament, and round with others.
    const FIELDS: usize = 35 + 44;
    let variant = verify(le_u8, |variant| matches!(variant, 1 | 2));
    let (input, _) =
        (tag(&[1][..]), variant, tag(&[0][..]), take(2_usize), tag(&[1, 0, 0, 0, 0][..]))
            .parse(input)?;
    let text: fn(&[u8]) -> Rest<'_> = |input| length_data(le_u8).map(|_| ()).parse(input);
    let (input, ()) = skip_many(6_u8, text, input)?;
    let (input, ()) = skip(FIELDS, input)?;
    let (input, ()) = skip_many(
        2_u8,
        |input| preceded(tag(&[1, 0, 1, 0, 0][..]), skip_bytes).parse(input),
        input,
    )?;
    let (input, usual) = preceded(take(26_usize), le_u8).parse(input)?;
    // A board of 64 squares, and 11 unknown bytes.
    let (input, ()) = skip(if usual == 0 { 64 + 11 } else { 0 }, input)?;
    let (input, moves) = preceded(take(2_usize), le_u32).parse(input)?;
    let moves = usize::try_from(moves).ok().and_then(|moves| moves.checked_mul(5));
    let (input, ()) = skip(moves.unwrap_or(usize::MAX), input)?;
    tag(&[0, 0, 0, 0][..]).map(|_| ()).parse(input)
}

/// Returns the size of the annotation of type `kind` at the start of `data`. Returns `None` if the
/// type is unknown or `data` is too short.
// cbh2 §5.2 "Types"
pub(crate) fn size_of(kind: u8, data: &[u8]) -> Option<usize> {
    let parsed = match kind {
        item::TEXT_AFTER | item::TEXT_BEFORE => preceded(take(4_usize), skip_bytes).parse(data),
        item::SYMBOLS => skip(3, data),
        item::SQUARES | item::ARROWS | item::PIECE_PATH => skip_bytes(data),
        item::TIME_SPENT
        | item::UNKNOWN_08
        | item::WHITE_CLOCK
        | item::BLACK_CLOCK
        | item::MEDALS
        | item::VARIATION_COLOUR
        | item::VIDEO_TIME => skip(4, data),
        item::PAWN_STRUCTURE | item::CRITICAL => skip(1, data),
        item::TRAINING => skip_training(data),
        item::QUOTATION => skip_quotation(data),
        item::WEB_LINK => (tag(&[1][..]), skip_bytes, skip_bytes).map(|_| ()).parse(data),
        item::VIDEO => (tag(&[1, 0][..]), take(2_usize), skip_bytes).map(|_| ()).parse(data),
        item::EVALUATION => skip(6, data),
        item::TIME_CONTROL => skip(TIME_CONTROL, data),
        item::EVALUATIONS => preceded(tag(&[1][..]), skip_bytes).parse(data),
        item::UNKNOWN_27 => skip(2, data),
        _ => return None,
    };
    let (rest, ()) = parsed.ok()?;
    data.len().checked_sub(rest.len())
}

/// Whether the format has this type, so that its size follows from its data.
pub(crate) const fn is_known(kind: u8) -> bool {
    matches!(
        kind,
        item::TEXT_AFTER
            | item::TEXT_BEFORE
            | item::SYMBOLS
            | item::SQUARES
            | item::ARROWS
            | item::TIME_SPENT
            | item::UNKNOWN_08
            | item::TRAINING
            | item::QUOTATION
            | item::PAWN_STRUCTURE
            | item::PIECE_PATH
            | item::WHITE_CLOCK
            | item::BLACK_CLOCK
            | item::CRITICAL
            | item::WEB_LINK
            | item::VIDEO
            | item::EVALUATION
            | item::MEDALS
            | item::VARIATION_COLOUR
            | item::TIME_CONTROL
            | item::VIDEO_TIME
            | item::EVALUATIONS
            | item::UNKNOWN_27
    )
}

/// Whether `data` has the layout of `.2cba` in a type whose layout differs in `.cba`.
pub(super) fn is_modern_only(kind: u8, data: &[u8]) -> bool {
    let differs = matches!(
        kind,
        item::TRAINING
            | item::QUOTATION
            | item::PIECE_PATH
            | item::WEB_LINK
            | item::VIDEO
            | item::TIME_CONTROL
            | item::EVALUATIONS
    );
    differs && size_of(kind, data) == Some(data.len())
}

/// Returns the data in the layout of `.cba`, for the types that a named command shows.
pub(super) fn to_classic(kind: u8, data: &[u8]) -> Option<Vec<u8>> {
    match kind {
        item::SQUARES | item::ARROWS => data.get(4..).map(<[u8]>::to_vec),
        item::TIME_SPENT | item::MEDALS => Some(data.iter().rev().copied().collect()),
        item::CRITICAL | item::EVALUATION | item::VARIATION_COLOUR => Some(data.to_vec()),
        item::WEB_LINK => {
            let (address, rest) = split_bytes(data.get(1..)?)?;
            let (caption, _) = split_bytes(rest)?;
            let size = address.len().checked_add(caption.len())?.checked_add(4)?;
            let mut out = u16::try_from(size).ok()?.to_le_bytes().to_vec();
            for part in [address, caption] {
                out.push(u8::try_from(part.len()).ok()?);
                out.extend_from_slice(part);
            }
            Some(out)
        }
        item::TRAINING => training_to_classic(data),
        item::EVALUATIONS => evaluations_to_classic(data),
        _ => None,
    }
}

/// Converts evaluations: `01`, i32 size, i16 count, entries of i16 value, depth and kind.
// cbh2 §5.2 "Types"
fn evaluations_to_classic(data: &[u8]) -> Option<Vec<u8>> {
    // The size was needed to find the end of the data, and the command compares the count.
    let ([1, ..], rest) = data.split_first_chunk::<5>()? else { return None };
    let (count, entries) = rest.split_first_chunk::<2>()?;
    let mut out = u16::from_le_bytes(*count).to_be_bytes().to_vec();
    let (entries, []) = entries.as_chunks::<4>() else { return None };
    for [v1, v2, depth, kind] in entries {
        out.extend_from_slice(&[*kind, *depth, *v2, *v1]);
    }
    Some(out)
}

fn evaluations_from_classic(data: &[u8]) -> Option<Vec<u8>> {
    let (count, entries) = data.split_first_chunk::<2>()?;
    let mut rest = u16::from_be_bytes(*count).to_le_bytes().to_vec();
    for [kind, depth, v1, v2] in entries.as_chunks::<4>().0 {
        rest.extend_from_slice(&[*v2, *v1, *depth, *kind]);
    }
    let mut out = vec![1];
    out.extend(with_length(&rest)?);
    Some(out)
}

/// Converts a training question. Its texts have lengths of two bytes in `.cba` and of four here. No
/// `.cba` is known to have the variant without moves; it gets the same form.
// cbh2 §5.5 "Training"
fn training_to_classic(data: &[u8]) -> Option<Vec<u8>> {
    let (start, rest) = data.split_first_chunk::<6>()?;
    let [1, 1, variant @ (1 | 2), 0, 0, 0] = *start else { return None };
    let (start, mut rest) = rest.split_first_chunk::<6>()?;
    let mut body = start.to_vec();
    let list = |rest: &mut &[u8], body: &mut Vec<u8>| {
        let (count, mut after) = rest.split_first_chunk::<2>()?;
        body.extend_from_slice(count);
        for _ in 0..u16::from_le_bytes(*count) {
            let (language, sized) = after.split_first_chunk::<2>()?;
            let (text, next) = split_bytes(sized)?;
            let text = TextDecoder::utf8_or(Encoding::WINDOWS_1252).decode(text);
            let text = text::encode_name(&text);
            body.extend_from_slice(language);
            body.extend_from_slice(&u16::try_from(text.len()).ok()?.to_le_bytes());
            body.extend_from_slice(&text);
            after = next;
        }
        *rest = after;
        Some(())
    };
    for _ in 0..4 {
        list(&mut rest, &mut body)?;
    }
    let (count, after) = rest.split_first()?;
    body.push(*count);
    rest = after;
    for _ in 0..*count {
        let (fields, after) = rest.split_at_checked(solution_size(variant))?;
        body.extend_from_slice(fields);
        rest = after;
        for _ in 0..variant {
            list(&mut rest, &mut body)?;
        }
    }
    let mut out = vec![1, 0, variant];
    let size = u16::try_from(body.len().checked_add(2)?).ok()?;
    out.extend_from_slice(&size.to_le_bytes());
    out.extend(body);
    rest.is_empty().then_some(out)
}

fn training_from_classic(data: &[u8]) -> Option<Vec<u8>> {
    let variant = *data.get(2)?;
    let (start, mut rest) = data.get(5..)?.split_first_chunk::<6>()?;
    let mut out = vec![1, 1, variant, 0, 0, 0];
    out.extend_from_slice(start);
    let list = |rest: &mut &[u8], out: &mut Vec<u8>| {
        let (count, mut after) = rest.split_first_chunk::<2>()?;
        out.extend_from_slice(count);
        for _ in 0..u16::from_le_bytes(*count) {
            let ([l1, l2, s1, s2], next) = after.split_first_chunk::<4>()?;
            let length = usize::from(u16::from_le_bytes([*s1, *s2]));
            let (text, next) = next.split_at_checked(length)?;
            out.extend_from_slice(&[*l1, *l2]);
            let text = TextDecoder::utf8_or(Encoding::WINDOWS_1252).decode(text);
            out.extend(with_length(text.as_bytes())?);
            after = next;
        }
        *rest = after;
        Some(())
    };
    for _ in 0..4 {
        list(&mut rest, &mut out)?;
    }
    let (count, after) = rest.split_first()?;
    out.push(*count);
    rest = after;
    for _ in 0..*count {
        let (fields, after) = rest.split_at_checked(solution_size(variant))?;
        out.extend_from_slice(fields);
        rest = after;
        for _ in 0..variant {
            list(&mut rest, &mut out)?;
        }
    }
    rest.is_empty().then_some(out)
}

/// Returns the size of the fields before the lists of a solution. There are as many lists as the
/// number of the variant says.
const fn solution_size(variant: u8) -> usize {
    if variant == WITHOUT_MOVES { 1 } else { 4 }
}

/// The inverse of [`to_classic`].
pub(super) fn from_classic(kind: u8, data: &[u8]) -> Option<Vec<u8>> {
    match kind {
        item::SQUARES | item::ARROWS => Some(with_length(data)?),
        item::TIME_SPENT | item::MEDALS => Some(data.iter().rev().copied().collect()),
        item::WEB_LINK => {
            let (length, rest) = data.get(2..)?.split_first()?;
            let (address, rest) = rest.split_at_checked(usize::from(*length))?;
            let (_, caption) = rest.split_first()?;
            let mut out = vec![1];
            out.extend(with_length(address)?);
            out.extend(with_length(caption)?);
            Some(out)
        }
        item::TRAINING => training_from_classic(data),
        item::EVALUATIONS => evaluations_from_classic(data),
        _ => Some(data.to_vec()),
    }
}

fn with_length(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = u32::try_from(bytes.len()).ok()?.to_le_bytes().to_vec();
    out.extend_from_slice(bytes);
    Some(out)
}

/// Splits off a length of four bytes and that many bytes.
fn split_bytes(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = data.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_of_truncated_data_is_none() {
        let quotation = {
            let mut data = b"\x01\x01\0\0\0\x01\0\0\0\0".to_vec();
            (0..6).for_each(|_| data.extend_from_slice(b"\x02a\0"));
            data.resize(data.len() + 79, 0);
            (0..2).for_each(|_| data.extend_from_slice(b"\x01\0\x01\0\0\x04\0\0\0FIDE"));
            data.resize(data.len() + 26, 0);
            // From the usual position: 1, two bytes, no moves, 0.
            data.extend_from_slice(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            data
        };
        for (kind, data) in [
            (item::TEXT_AFTER, &b"\0\0\x07\0\x02\0\0\0ab"[..]),
            (item::SYMBOLS, &[1, 0, 0]),
            (item::ARROWS, b"\x03\0\0\0\x02\x22\x24"),
            (item::TIME_SPENT, &[0, 5, 1, 0]),
            (
                item::TRAINING,
                b"\x01\x01\x01\0\0\0\x3c\0\0\0\x05\0\0\0\0\0\0\0\0\0\x01\x21\x23\0\0\0\0",
            ),
            (item::QUOTATION, &quotation),
            (item::CRITICAL, &[2]),
            (item::WEB_LINK, b"\x01\x01\0\0\0a\x01\0\0\0b"),
            (item::VIDEO, b"\x01\0\0\0\x01\0\0\0a"),
            (item::EVALUATION, &[0; 6]),
            (item::TIME_CONTROL, &[1; 38]),
            (item::EVALUATIONS, b"\x01\x02\0\0\0\0\0"),
            (item::UNKNOWN_27, &[1, 0]),
        ] {
            let mut longer = data.to_vec();
            longer.push(0);
            assert_eq!(size_of(kind, &longer), Some(data.len()), "{kind:02x}");
            assert!(is_known(kind));
            for length in 0..data.len() {
                assert_eq!(size_of(kind, &data[..length]), None, "{kind:02x}, {length}");
            }
        }
        assert_eq!(size_of(item::SOUND, &[0; 40]), None);
        assert!(!is_known(item::SOUND));
    }

    #[test]
    fn language_every_number_round_trips() {
        for language in (0..300).filter(|language| *language != ANY_LANGUAGE) {
            let mut prefix = String::new();
            push_language(language, &mut prefix);
            let name = prefix.strip_prefix("[%cbh lang ").unwrap().strip_suffix("] ").unwrap();
            assert_eq!(language_of(name), Some(language), "{name}");
        }
        assert_eq!((language_of("#7"), language_of("#0"), language_of("xx")), (None, None, None));
    }

    #[test]
    fn languages_match_specification() {
        let page = include_str!("../../../../docs/formats/tables/cbh-languages.tsv");
        let mut found = Vec::new();
        for row in page.lines().filter(|row| !row.starts_with('#')) {
            let cells: Vec<_> = row.split('\t').collect();
            let (nation, language) = (cells[1].parse().unwrap(), cells[2].parse().unwrap());
            assert_eq!(language_name(nation), Some(cells[0]));
            found.push((language, nation));
        }
        found.sort_unstable();
        assert_eq!(found, LANGUAGES);
    }
}
