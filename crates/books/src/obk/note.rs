//! A note after the moves.

use chess_store::{Encoding, TextDecoder};
use nom::bytes::complete::take;
use nom::number::complete::{le_u32, u8 as byte};
use nom::{IResult, Parser};

/// A note to a move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Note {
    /// The number of the move; it is not known whether they count from zero.
    pub index: u32,
    /// 80 the name of a variation, 81 a comment, 82 an ECO code.
    pub kind: u8,
    /// The text.
    pub text: String,
}

/// Parses the note at the start of `bytes`. Returns its size, too.
// books §5.4 "Notes"
pub(crate) fn parse(bytes: &[u8]) -> Option<(Note, usize)> {
    let (rest, note) = note(bytes).ok()?;
    Some((note, bytes.len().saturating_sub(rest.len())))
}

fn note(input: &[u8]) -> IResult<&[u8], Note> {
    let (input, (index, length, kind)) = (le_u32, byte, byte).parse(input)?;
    let (input, text) = take(length)(input)?;
    let text = TextDecoder::utf8_or(Encoding::WINDOWS_1252).decode(text).into_owned();
    Ok((input, Note { index, kind, text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_note_reads_each_field() {
        #[rustfmt::skip]
        let bytes = [
            0x01, 0x00, 0x00, 0x00, // move 1
            0x03,                   // three bytes
            0x52,                   // an ECO code
            b'C', b'2', b'0',
            0xff,
        ];
        let note = Note { index: 1, kind: 82, text: "C20".to_owned() };
        assert_eq!(parse(&bytes), Some((note, 9)));
        assert_eq!(parse(&bytes[..8]), None);
    }
}
