//! The two texts of a record: players and source. cbf §4 "Names"

use std::borrow::Cow;

use chess_store::Encoding;

use crate::layout::text::PLAYER_PIECES;
use crate::mask::mask;

/// The only blank of a name: a no-break space is a letter. cbf §4 "Names"
pub(crate) const SPACE: char = ' ';

/// Masks or unmasks the two concatenated texts, which have `length` bytes in all. The end may be
/// missing. cbf §4.1 "Mask"
pub(crate) fn mask_names(texts: &mut [u8], length: usize) {
    let [low, ..] = length.to_le_bytes();
    mask(texts, length, low.wrapping_mul(3), 3);
}

/// Returns `true` if bytes A2 to A7 can be signs of pieces in this encoding: where they are no letters
/// of a whole alphabet.
fn has_signs(page: Encoding) -> bool {
    [Encoding::CP850, Encoding::CP437, Encoding::ATARI_ST].contains(&page)
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'-' | b',')
}

fn sign(byte: u8) -> Option<char> {
    let (_, piece) = PLAYER_PIECES.iter().find(|(code, _)| *code == byte)?;
    Some(*piece)
}

/// Decodes a player text. A word of nothing but signs of pieces is that, as in the title of an ending.
// cbf §4.2.10
pub(crate) fn decode_players(text: &[u8], page: Encoding) -> Cow<'_, str> {
    if !text.iter().any(|byte| (0xa2..=0xa7).contains(byte)) || !has_signs(page) {
        return page.decode(text);
    }
    let mut decoded = String::new();
    for part in text.split_inclusive(|byte| is_separator(*byte)) {
        let length = part.iter().position(|byte| is_separator(*byte)).unwrap_or(part.len());
        let (word, separator) = part.split_at_checked(length).unwrap_or((part, &[]));
        match word.iter().map(|byte| sign(*byte)).collect::<Option<String>>() {
            Some(signs) => decoded.push_str(&signs),
            None => decoded.push_str(&page.decode(word)),
        }
        decoded.push_str(&page.decode(separator));
    }
    decoded.into()
}

/// Encodes a player text so that [`decode_players`] reads it again. Returns `false` if some character
/// was replaced.
// cbf §4.2.10
pub(crate) fn encode_players(text: &str, page: Encoding) -> (Cow<'_, [u8]>, bool) {
    let (plain, complete) = page.encode(text);
    let is_sign = |byte: &u8| sign(*byte).is_some();
    let figurines = || PLAYER_PIECES.iter().any(|(_, piece)| text.contains(*piece));
    if !has_signs(page) || !plain.iter().any(is_sign) && (complete || !figurines()) {
        return (plain, complete);
    }
    let (mut encoded, mut complete) = (Vec::new(), true);
    for part in text.split_inclusive([' ', '-', ',']) {
        let word = part.trim_end_matches([' ', '-', ',']);
        let code = |piece: char| PLAYER_PIECES.iter().find(|(_, known)| *known == piece);
        match word
            .chars()
            .map(|piece| code(piece).map(|(code, _)| *code))
            .collect::<Option<Vec<_>>>()
        {
            Some(signs) => encoded.extend(signs),
            None => {
                let (bytes, whole) = page.encode(word);
                // Letters that would be read as signs lose their accents.
                let is_misread = bytes.iter().all(is_sign);
                complete &= whole && !is_misread;
                let bare = |byte: u8| match byte {
                    0xa2 | 0xa7 if is_misread => b'o',
                    0xa3 if is_misread => b'u',
                    0xa4 if is_misread => b'n',
                    0xa5 if is_misread => b'N',
                    0xa6 if is_misread => b'a',
                    byte => byte,
                };
                encoded.extend(bytes.iter().map(|byte| bare(*byte)));
            }
        }
        encoded.extend(part.bytes().skip(word.len()));
    }
    (encoded.into(), complete)
}

/// The players of a player text; `None` means unknown. cbf §4.2 "Players"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Players<'a> {
    /// White, or the title if the text has no hyphen.
    pub white: Option<&'a str>,
    /// Black.
    pub black: Option<&'a str>,
    /// `true` if the text could be split in another way.
    pub ambiguous: bool,
}

/// Splits a player text at the hyphen between two names.
///
/// A hyphen between blanks takes precedence. Otherwise the only hyphen with one comma on both sides
/// (`Last,First`) separates the names. Otherwise the first hyphen after the first comma does.
#[must_use]
pub fn split_players(text: &str) -> Players<'_> {
    let any = || text.match_indices('-').map(|(at, _)| at);
    let is_blank = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)) == Some(&b' ');
    let spaced = || any().filter(|at| is_blank(at.checked_sub(1)) && is_blank(at.checked_add(1)));
    let spaced_count = spaced().count();
    let (at, ambiguous) = if spaced_count > 0 {
        (spaced().next(), spaced_count > 1)
    } else {
        match any().count() {
            0 | 1 => (any().next(), false),
            _ => {
                let comma = text.find(',').unwrap_or(0);
                let balanced = || any().filter(|at| is_balanced(text, *at));
                match balanced().count() {
                    1 => (balanced().next(), false),
                    0 => (any().find(|at| *at > comma).or_else(|| any().next()), true),
                    _ => (balanced().next(), true),
                }
            }
        }
    };
    let cut = at.and_then(|at| Some((text.get(..at)?, text.get(at.saturating_add(1)..)?)));
    let (white, black) = cut.unwrap_or((text, ""));
    Players { white: known(white), black: known(black), ambiguous }
}

/// Returns `true` if both sides of a hyphen have one comma.
fn is_balanced(text: &str, at: usize) -> bool {
    let commas = |part: Option<&str>| part.map_or(0, |part| part.matches(',').count());
    commas(text.get(..at)) == 1 && commas(text.get(at.saturating_add(1)..)) == 1
}

/// Returns the trimmed text, or `None` if it is empty.
fn known(text: &str) -> Option<&str> {
    let text = text.trim_matches(SPACE);
    (!text.is_empty()).then_some(text)
}

/// Builds a player text that [`split_players`] splits into the same names, if one exists.
pub(crate) fn join_players(white: Option<&str>, black: Option<&str>, out: &mut String) {
    for hyphen in ["", "-", " - "] {
        out.clear();
        out.push_str(white.unwrap_or_default());
        out.push_str(hyphen);
        out.push_str(black.unwrap_or_default());
        let read = split_players(out);
        let same = read.white == white && read.black == black;
        if same && (!read.ambiguous || hyphen == " - ") {
            return;
        }
    }
    out.clear();
    out.push_str(white.unwrap_or_default());
    out.push('-');
    out.push_str(black.unwrap_or_default());
}

/// The parts of a source text; `None` means unknown. cbf §4.3 "Source"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Source<'a> {
    /// Site or event; the text does not distinguish them.
    pub event: Option<&'a str>,
    /// Round, from `(3)` or `(3/11)`.
    pub round: Option<&'a str>,
    /// Annotator, from `[Name]`.
    pub annotator: Option<&'a str>,
}

/// Splits a source text: `Event (round) [annotator]`, each part optional.
#[must_use]
pub fn split_source(text: &str) -> Source<'_> {
    let (rest, annotator) = strip_last(text, '[', ']', |name| !name.trim_matches(SPACE).is_empty());
    let (rest, round) = strip_last(rest, '(', ')', is_round);
    Source { event: known(rest), round, annotator: annotator.and_then(known) }
}

/// Strips a bracketed last part if `passes` accepts it.
fn strip_last(
    text: &str,
    open: char,
    close: char,
    passes: impl Fn(&str) -> bool,
) -> (&str, Option<&str>) {
    let part = || {
        let (rest, inner) = text.trim_end_matches(SPACE).strip_suffix(close)?.rsplit_once(open)?;
        passes(inner).then_some((rest, Some(inner)))
    };
    part().unwrap_or((text, None))
}

/// Returns `true` for a round such as `3`, `3/11`, `3.1` or `-`.
pub(crate) fn is_round(text: &str) -> bool {
    let numbers = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '/'));
    numbers || text == "-"
}

/// Builds a source text.
pub(crate) fn join_source(source: Source<'_>, out: &mut String) {
    out.clear();
    out.push_str(source.event.unwrap_or_default());
    for (part, open, close) in [(source.round, '(', ')'), (source.annotator, '[', ']')] {
        let Some(part) = part else { continue };
        if !out.is_empty() {
            out.push(' ');
        }
        out.push(open);
        out.push_str(part);
        out.push(close);
    }
}

/// Returns `true` if two texts are equal apart from blanks.
pub(crate) fn same_but_blanks(a: &str, b: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| *c != SPACE).collect::<String>();
    a == b || letters(a) == letters(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mask_names_sample_round_trips() {
        // The names of record 1 of fixtures/cbf/tiny, CP850: u and a with dots, o with dots.
        let plain = b"M\x81ller,K-B\x84cker,JK\x94ln (3)";
        let mut texts = *plain;
        mask_names(&mut texts, 25);
        assert_ne!(texts, *plain);
        // The last byte is masked with three times the length.
        assert_eq!(texts[24], plain[24] ^ 75);
        assert_eq!(texts[23], plain[23] ^ 75u8.wrapping_mul(3));
        mask_names(&mut texts, 25);
        assert_eq!(texts, *plain);
    }

    #[test]
    fn decode_players_word_of_signs_is_pieces() {
        let page = Encoding::CP850;
        for (bytes, text) in [
            (&b"White \xa2\xa3"[..], "White ♔♕"),
            (b"\xa2\xa6-\xa2", "♔♖-♔"),
            (b"\xa2\xa3\xa4\xa5\xa6\xa7", "♔♕♘♗♖♙"),
            (b"Mu\xa4oz,A-\xa5u,B", "Muñoz,A-Ñu,B"),
        ] {
            assert_eq!(decode_players(bytes, page), text);
            let (encoded, complete) = encode_players(text, page);
            assert_eq!((&*encoded, complete), (bytes, true), "{text}");
        }
        // In another alphabet these bytes are letters.
        assert_eq!(decode_players(b"\xa2", Encoding::WINDOWS_1252), "¢");
    }

    #[test]
    fn encode_players_word_like_signs_loses_accents() {
        let (encoded, complete) = encode_players("Ñ-ó", Encoding::CP850);
        assert_eq!((&*encoded, complete), (&b"N-o"[..], false));
        let (encoded, complete) = encode_players("♔x-y", Encoding::CP850);
        assert_eq!((encoded.len(), complete), (4, false));
    }

    #[test]
    fn split_players_hyphens_are_resolved() {
        let cases: [(&str, Option<&str>, Option<&str>, bool); 15] = [
            ("Karpov,A-Kasparov,G", Some("Karpov,A"), Some("Kasparov,G"), false),
            ("Karpov - Kasparov", Some("Karpov"), Some("Kasparov"), false),
            ("Endgame study", Some("Endgame study"), None, false),
            ("", None, None, false),
            ("-Kasparov", None, Some("Kasparov"), false),
            ("Karpov-", Some("Karpov"), None, false),
            // One comma on both sides decides.
            ("Saint-Amant,P-Staunton,H", Some("Saint-Amant,P"), Some("Staunton,H"), false),
            // Blanks around the hyphen decide.
            ("Saint-Amant - Staunton", Some("Saint-Amant"), Some("Staunton"), false),
            ("Jean-Luc - Marie-Jo", Some("Jean-Luc"), Some("Marie-Jo"), false),
            // Ambiguous.
            ("Smith - - Jones", Some("Smith"), Some("- Jones"), true),
            ("Saint-Amant-Staunton", Some("Saint"), Some("Amant-Staunton"), true),
            ("Levenfish,G-Ilyin-Genevsky,A", Some("Levenfish,G"), Some("Ilyin-Genevsky,A"), true),
            ("Dupont,Jean-Luc-Smith,J", Some("Dupont,Jean"), Some("Luc-Smith,J"), true),
            ("A,B-C-D", Some("A,B"), Some("C-D"), true),
            ("A - B - C", Some("A"), Some("B - C"), true),
        ];
        for (text, white, black, ambiguous) in cases {
            assert_eq!(split_players(text), Players { white, black, ambiguous }, "{text}");
        }
    }

    #[test]
    fn join_players_all_pairs_round_trip() {
        let names =
            [None, Some("Karpov"), Some("Saint-Amant"), Some("Ilyin-Genevsky,A"), Some("-")];
        let mut text = String::new();
        for white in names {
            for black in names {
                join_players(white, black, &mut text);
                let read = split_players(&text);
                assert_eq!((read.white, read.black), (white, black), "{text}");
            }
        }
        join_players(Some("Karpov,A"), Some("Kasparov,G"), &mut text);
        assert_eq!(text, "Karpov,A-Kasparov,G");
    }

    #[test]
    fn split_source_parts_round_trip() {
        let cases = [
            ("Linares (3)", Some("Linares"), Some("3"), None),
            ("Wch (12/24) [Kasparov]", Some("Wch"), Some("12/24"), Some("Kasparov")),
            ("(7)", None, Some("7"), None),
            ("[Tal]", None, None, Some("Tal")),
            ("Linares (final)", Some("Linares (final)"), None, None),
            ("", None, None, None),
            ("Hastings (8.5)[X]", Some("Hastings"), Some("8.5"), Some("X")),
        ];
        let mut text = String::new();
        for (source, event, round, annotator) in cases {
            let read = split_source(source);
            assert_eq!(read, Source { event, round, annotator }, "{source}");
            join_source(read, &mut text);
            assert!(same_but_blanks(&text, source), "{text}");
        }
    }
}
