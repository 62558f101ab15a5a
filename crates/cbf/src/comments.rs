//! The comment section: one record for each move that is flagged as commented. cbf §7 "Comments"

use chess_store::Encoding;
use nom::bytes::complete::{tag, take_till, take_while};
use nom::combinator::opt;
use nom::number::complete::be_u8;
use nom::{IResult, Parser as _};

use crate::glyphs::Codes;
use crate::layout::text::{BLANK, BORDER, BREAK, PIECES};

/// Iterator over the records of a comment section.
#[derive(Clone, Debug)]
pub(crate) struct Comments<'a> {
    rest: Option<&'a [u8]>,
    /// Offset of `rest` in the section.
    offset: usize,
}

/// A comment record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Comment<'a> {
    /// Move, position and extra evaluation; 0 means none.
    pub(crate) codes: Codes,
    pub(crate) text: &'a [u8],
    /// Offset in the section.
    pub(crate) offset: usize,
    /// The raw bytes of the record.
    pub(crate) bytes: &'a [u8],
}

impl<'a> Comments<'a> {
    pub(crate) fn new(section: &'a [u8]) -> Comments<'a> {
        if section.is_empty() {
            return Comments { rest: None, offset: 0 };
        }
        match section.strip_prefix(&[BORDER]) {
            Some(rest) => Comments { rest: Some(rest), offset: 1 },
            None => Comments { rest: Some(section), offset: 0 },
        }
    }

    /// Returns `true` if a non-empty section starts and ends with a border.
    pub(crate) fn well_bordered(section: &[u8]) -> bool {
        matches!(section, [] | [BORDER, .., BORDER])
    }
}

impl<'a> Iterator for Comments<'a> {
    type Item = Comment<'a>;

    fn next(&mut self) -> Option<Comment<'a>> {
        let rest = self.rest.filter(|rest| !rest.is_empty())?;
        let offset = self.offset;
        let record = take_till::<_, _, ()>(|byte| byte == BORDER);
        let (after, (bytes, border)) = (record, opt(tag(&[BORDER][..]))).parse(rest).ok()?;
        self.rest = border.map(|_| after);
        self.offset = offset.saturating_add(bytes.len()).saturating_add(1);
        Some(parse_comment(bytes, offset))
    }
}

/// Parses a record: three codes (trailing ones may be omitted), then zeros, then text.
fn parse_comment(bytes: &[u8], offset: usize) -> Comment<'_> {
    let code = || opt(be_u8).map(Option::unwrap_or_default);
    let zeros = take_while(|byte| byte == BLANK);
    let fields: IResult<_, _, ()> = (code(), code(), code(), zeros).parse(bytes);
    // Every field may be missing, so any bytes are a record.
    let (text, (of_move, of_position, extra, _)) = fields.unwrap_or((&[], (0, 0, 0, &[])));
    Comment { codes: [of_move, of_position, extra], text, offset, bytes }
}

/// Appends a record and the border after it.
pub(crate) fn encode_comment(codes: Codes, text: &[u8], out: &mut Vec<u8>) {
    if text.is_empty() {
        let used =
            codes.iter().rposition(|code| *code != 0).map_or(0, |last| last.saturating_add(1));
        out.extend(codes.iter().take(used));
    } else {
        out.extend(codes);
        out.push(BLANK);
        out.extend(text);
    }
    out.push(BORDER);
}

/// Decodes a text, including piece symbols and line breaks.
pub(crate) fn decode_text(bytes: &[u8], encoding: Encoding, out: &mut String) {
    let is_special = |byte: &u8| matches!(*byte, BLANK | BREAK | 0xb1..=0xb6);
    let mut rest = bytes;
    while !rest.is_empty() {
        let plain = rest.iter().position(is_special).unwrap_or(rest.len());
        let (letters, after) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
        out.push_str(&encoding.decode(letters));
        let Some((special, after)) = after.split_first() else { break };
        out.push(match *special {
            BREAK => '\n',
            BLANK => ' ',
            byte => PIECES.iter().find(|(code, _)| *code == byte).map_or(' ', |(_, piece)| *piece),
        });
        rest = after;
    }
}

/// Appends the encoded bytes of a text. Returns `false` if a character had to be substituted: a letter
/// whose byte means a piece loses its accent, others become `?`.
pub(crate) fn encode_text(text: &str, encoding: Encoding, out: &mut Vec<u8>) -> bool {
    let mut complete = true;
    let mut buffer = [0; 4];
    for character in text.chars() {
        if character.is_ascii() && character != '\0' {
            out.push(if character == '\n' { BREAK } else { character as u8 });
            continue;
        }
        if let Some((code, _)) = PIECES.iter().find(|(_, piece)| *piece == character) {
            out.push(*code);
            continue;
        }
        let (bytes, had_place) = encoding.encode(character.encode_utf8(&mut buffer));
        let taken = |byte: &u8| matches!(*byte, BLANK | BREAK | BORDER | 0xb1..=0xb6);
        if had_place && bytes.len() == 1 && !bytes.iter().any(taken) {
            out.extend(bytes.iter());
        } else {
            complete = false;
            match substitute(character) {
                Some(byte) => out.push(byte),
                None if had_place || !bytes.is_ascii() => out.push(b'?'),
                None => out.extend(bytes.iter()),
            }
        }
    }
    complete
}

/// Returns the substitute for a character whose byte is reserved or that the code page lacks.
fn substitute(character: char) -> Option<u8> {
    Some(match character {
        'Á' | 'À' | 'Â' => b'A',
        'õ' => b'o',
        'ÿ' => b'y',
        '\u{a0}' => b' ',
        '♚' => 0xb1,
        '♛' => 0xb2,
        '♞' => 0xb3,
        '♝' => 0xb4,
        '♜' => 0xb5,
        '♟' => 0xb6,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The comments of record 1 of fixtures/cbf/tiny.
    #[rustfmt::skip]
    const SECTION: &[u8] = &[
        0xff,                                 // border
        0x01, 0x00, 0x00,                     // codes: !, none, none
        0x00,                                 // text follows
        b'B', b'e', b's', b't', b'.',
        0xff,                                 // border
        0x00, 0x05,                           // codes: none, unclear; the rest left out
        0xff,                                 // border
        0x05, 0x03, 0x01,                     // codes: !!, +/=, editor
        0x00,                                 // text follows
        0xb5, b'e', b'1', 0xfe, 0x84,         // rook e1, line break, a with dots
        0xff,                                 // border
        0xff,                                 // border: the record before it is empty
    ];

    #[test]
    fn comments_sample_section_round_trips() {
        let all: Vec<Comment<'_>> = Comments::new(SECTION).collect();
        assert_eq!(all.len(), 4);
        assert_eq!((all[0].codes, all[0].text, all[0].offset), ([1, 0, 0], &b"Best."[..], 1));
        assert_eq!((all[1].codes, all[1].text), ([0, 5, 0], &b""[..]));
        assert_eq!(all[2].codes, [5, 3, 1]);
        assert_eq!((all[3].codes, all[3].text), ([0, 0, 0], &b""[..]));

        let mut text = String::new();
        decode_text(all[2].text, Encoding::CP850, &mut text);
        assert_eq!(text, "♖e1\nä");
        let mut again = vec![BORDER];
        for comment in all {
            let (mut text, mut bytes) = (String::new(), Vec::new());
            decode_text(comment.text, Encoding::CP850, &mut text);
            assert!(encode_text(&text, Encoding::CP850, &mut bytes));
            encode_comment(comment.codes, &bytes, &mut again);
        }
        assert_eq!(again, SECTION);
    }

    #[test]
    fn well_bordered_missing_border_is_false() {
        assert!(Comments::well_bordered(&[]));
        assert!(Comments::well_bordered(SECTION));
        assert!(!Comments::well_bordered(&SECTION[1..]));
        assert!(!Comments::well_bordered(b"\xff"));
        // Without the last border the text keeps its last letter.
        let open = [BORDER, 0, 0, 0, 0, b'a'];
        assert!(!Comments::well_bordered(&open));
        assert_eq!(Comments::new(&open).next().unwrap().text, b"a");
        assert_eq!(Comments::new(&[]).next(), None);
    }

    #[test]
    fn decode_text_every_byte_round_trips() {
        for page in [Encoding::CP850, Encoding::CP437, Encoding::ATARI_ST, Encoding::WINDOWS_1252] {
            let bytes: Vec<u8> = (1..=0xfe).filter(|byte| *byte != b'\n').collect();
            let (mut text, mut again) = (String::new(), Vec::new());
            decode_text(&bytes, page, &mut text);
            assert!(encode_text(&text, page, &mut again), "{}", page.name());
            assert_eq!(again, bytes, "{}", page.name());
        }
    }

    #[test]
    fn encode_text_unencodable_is_substituted() {
        let mut bytes = Vec::new();
        // In CP850 the byte of A-acute is the rook's.
        assert!(!encode_text("Ágnes 将 ♞", Encoding::CP850, &mut bytes));
        assert_eq!(bytes, b"Agnes ? \xb3");
    }
}
