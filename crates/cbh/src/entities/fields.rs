//! The fields in the data of entities.

use std::borrow::Cow;

use chess_store::TextDecoder;
use nom::bytes::complete::take;
use nom::number::complete::{le_i32, u8 as byte};
use nom::{IResult, Parser};

/// The size of the two counts at the end of all data: references and first game.
pub(crate) const COUNTS: usize = 8;

/// Returns the bytes of a field before its first zero.
pub(crate) fn until_zero(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Decodes the text of a field of `size` bytes, given up to its first zero. Also returns whether
/// its last character was cut off.
// cbh §6.2 "Fields"
pub(crate) fn field_text<'a>(
    bytes: &'a [u8],
    size: usize,
    text: &TextDecoder,
) -> (Cow<'a, str>, bool) {
    if bytes.len() >= size {
        let whole = text.utf8_prefix(bytes);
        let piece = bytes.get(whole.len()..).unwrap_or_default();
        if is_cut(whole, piece) {
            return (Cow::Borrowed(whole), true);
        }
    }
    (text.decode(bytes), false)
}

/// Whether a text ends with an incomplete UTF-8 character, and is not more likely in a code page.
fn is_cut(whole: &str, piece: &[u8]) -> bool {
    let begins =
        |error: std::str::Utf8Error| error.error_len().is_none() && error.valid_up_to() == 0;
    if !std::str::from_utf8(piece).is_err_and(begins) {
        return false;
    }
    // In the code page this would be a capital letter, and capitals do not follow small letters.
    let odd_in_page = matches!(piece, [0xc2..=0xdf])
        && whole.as_bytes().last().is_some_and(u8::is_ascii_lowercase);
    !whole.is_ascii() || piece.len() > 1 || odd_in_page
}

/// Appends a text to a field of `size` bytes. Pads it with zeros, or truncates it.
pub(crate) fn push_field(text: &[u8], size: usize, out: &mut Vec<u8>) {
    let end = out.len().saturating_add(size);
    out.extend_from_slice(text.get(..size).unwrap_or(text));
    out.resize(end, 0);
}

/// A tournament. Its texts are undecoded.
// cbh §6.2 "Fields"
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tournament<'a> {
    pub(crate) title: &'a [u8],
    pub(crate) place: &'a [u8],
    pub(crate) date: u32,
    pub(crate) kind: u8,
    pub(crate) team: u8,
    pub(crate) nation: u8,
    pub(crate) unknown_4d: u8,
    pub(crate) category: u8,
    pub(crate) flags: u8,
    pub(crate) rounds: u8,
    pub(crate) unknown_51: u8,
}

pub(crate) fn parse_tournament(data: &[u8]) -> Option<Tournament<'_>> {
    fn fields(input: &[u8]) -> IResult<&[u8], Tournament<'_>> {
        let (rest, (title, place, date)) = (take(40usize), take(30usize), le_i32).parse(input)?;
        let (rest, (kind, team, nation, unknown_4d)) = (byte, byte, byte, byte).parse(rest)?;
        let (rest, (category, flags, rounds, unknown_51)) = (byte, byte, byte, byte).parse(rest)?;
        let (title, place, date) = (until_zero(title), until_zero(place), date.cast_unsigned());
        let fields = Tournament {
            title,
            place,
            date,
            kind,
            team,
            nation,
            unknown_4d,
            category,
            flags,
            rounds,
            unknown_51,
        };
        Ok((rest, fields))
    }
    fields(data).ok().map(|(_, fields)| fields)
}

impl Tournament<'_> {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_field(self.title, 40, out);
        push_field(self.place, 30, out);
        out.extend_from_slice(&self.date.to_le_bytes());
        out.extend_from_slice(&[self.kind, self.team, self.nation, self.unknown_4d]);
        out.extend_from_slice(&[self.category, self.flags, self.rounds, self.unknown_51]);
    }
}

/// A source. Its texts are undecoded.
// cbh §6.2 "Fields"
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Source<'a> {
    pub(crate) title: &'a [u8],
    pub(crate) publisher: &'a [u8],
    pub(crate) publication: u32,
    pub(crate) date: u32,
    pub(crate) version: u8,
    pub(crate) quality: u8,
}

pub(crate) fn parse_source(data: &[u8]) -> Option<Source<'_>> {
    fn fields(input: &[u8]) -> IResult<&[u8], Source<'_>> {
        let (rest, (title, publisher)) = (take(25usize), take(16usize)).parse(input)?;
        let (rest, (publication, date, version, quality)) =
            (le_i32, le_i32, byte, byte).parse(rest)?;
        let (publication, date) = (publication.cast_unsigned(), date.cast_unsigned());
        let (title, publisher) = (until_zero(title), until_zero(publisher));
        Ok((rest, Source { title, publisher, publication, date, version, quality }))
    }
    fields(data).ok().map(|(_, fields)| fields)
}

impl Source<'_> {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_field(self.title, 25, out);
        push_field(self.publisher, 16, out);
        out.extend_from_slice(&self.publication.to_le_bytes());
        out.extend_from_slice(&self.date.to_le_bytes());
        out.extend_from_slice(&[self.version, self.quality]);
    }
}

/// A team. Its name is undecoded.
// cbh §6.2 "Fields"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Team<'a> {
    pub(crate) title: &'a [u8],
    pub(crate) number: u32,
    pub(crate) season: u8,
    pub(crate) year: u32,
    pub(crate) nation: u8,
}

pub(crate) fn parse_team(data: &[u8]) -> Option<Team<'_>> {
    fn fields(input: &[u8]) -> IResult<&[u8], Team<'_>> {
        let (rest, (title, number, season, year, nation)) =
            (take(45usize), le_i32, byte, le_i32, byte).parse(input)?;
        let (number, year) = (number.cast_unsigned(), year.cast_unsigned());
        Ok((rest, Team { title: until_zero(title), number, season, year, nation }))
    }
    fields(data).ok().map(|(_, fields)| fields)
}

impl Team<'_> {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_field(self.title, 45, out);
        out.extend_from_slice(&self.number.to_le_bytes());
        out.push(self.season);
        out.extend_from_slice(&self.year.to_le_bytes());
        out.push(self.nation);
    }
}

/// Returns the last and first name of a player.
pub(crate) fn player(data: &[u8]) -> (&[u8], &[u8]) {
    let (last, rest) = data.split_at_checked(30).unwrap_or_default();
    (until_zero(last), until_zero(rest.get(..20).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_store::Encoding;

    #[test]
    fn field_text_cut_character_is_detected() {
        let text = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
        let read = |bytes: &[u8]| {
            let (text, cut) = field_text(bytes, 6, &text);
            (text.into_owned(), cut)
        };
        for (bytes, expected) in [
            (&b"M\xc3\xbcll\xc3"[..], ("M\u{fc}ll", true)), // as UTF-8 before
            (b"abcde\xc5", ("abcde", true)),                // no capital after a small letter
            (b"abcd\xe2\x82", ("abcd", true)),              // two bytes of three
            (b"ABCDE\xc9", ("ABCDE\u{c9}", false)),         // a capital of the code page
            (b"abcde\xe9", ("abcde\u{e9}", false)),         // a small letter of it
            (b"M\xc3\xbcl\xc3", ("M\u{fc}l\u{c3}", false)), // the field is not full
            (b"M\xfcll\xc3\xa9", ("M\u{fc}ll\u{e9}", false)), // both encodings
            (b"M\xc3\xbclle", ("M\u{fc}lle", false)),
        ] {
            assert_eq!(read(bytes), (expected.0.to_owned(), expected.1), "{bytes:x?}");
        }
        let asked = TextDecoder::only(Encoding::WINDOWS_1252);
        assert!(!field_text(b"M\xc3\xbcll\xc3", 6, &asked).1);
    }

    #[test]
    fn push_field_pads_and_truncates() {
        let tournament = Tournament {
            title: b"Biel",
            place: b"Biel",
            date: 0x0fd2ee,
            kind: 0x24,
            team: 0,
            nation: 135,
            category: 12,
            flags: 2,
            rounds: 11,
            ..Tournament::default()
        };
        let mut bytes = Vec::new();
        tournament.encode(&mut bytes);
        assert_eq!(bytes.len() + COUNTS, 90);
        assert_eq!(bytes[70..], [0xee, 0xd2, 0x0f, 0, 0x24, 0, 135, 0, 12, 2, 11, 0]);
        assert_eq!(parse_tournament(&bytes), Some(tournament));
        let source = Source {
            title: b"TWIC",
            publisher: b"M. C.",
            publication: 1,
            date: 2,
            version: 3,
            quality: 1,
        };
        bytes.clear();
        source.encode(&mut bytes);
        assert_eq!((bytes.len() + COUNTS, parse_source(&bytes)), (59, Some(source)));
        let team = Team { title: b"Biel", number: 2, season: 1, year: 1988, nation: 135 };
        bytes.clear();
        team.encode(&mut bytes);
        assert_eq!((bytes.len() + COUNTS, parse_team(&bytes)), (63, Some(team)));
        bytes.clear();
        push_field(b"Tal", 30, &mut bytes);
        push_field(b"Mikhail", 20, &mut bytes);
        assert_eq!(player(&bytes), (&b"Tal"[..], &b"Mikhail"[..]));
    }
}
