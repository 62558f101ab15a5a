//! The header.

use chess_store::{Encoding, TextDecoder};
use nom::bytes::complete::{tag, take};
use nom::number::complete::{le_u32, u8 as byte};
use nom::{IResult, Parser};

use super::{ENTRY_SIZE, FIRST_ENTRY};
use crate::error::{Error, ErrorKind};

/// The header of a book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Header {
    /// A comment of at most 120 bytes.
    pub comment: String,
    /// The author, at most 80 bytes.
    pub author: String,
    /// The number of plies of the longest line.
    pub depth: u32,
    /// The number of moves that are not deleted.
    pub moves: u32,
    /// Arena plays moves with at least this number of games.
    pub min_games: u32,
    /// Arena plays moves with at least this number of games won.
    pub min_wins: u32,
    /// Arena plays moves of White with at least this percentage of games won.
    pub win_percent_white: u32,
    /// Arena plays moves of Black with at least this percentage of games won.
    pub win_percent_black: u32,
    /// How much the priority counts, 0 to 15.
    pub by_priority: u32,
    /// How much the number of games counts, 0 to 15.
    pub by_games: u32,
    /// How much the score counts, 0 to 15.
    pub by_score: u32,
    /// Arena leaves the book after this number of plies.
    pub max_plies: u32,
}

const COMMENT_SIZE: usize = 120;
const AUTHOR_SIZE: usize = 80;
/// The bytes that Arena's own books have after the fields.
const FILLER: u8 = b'x';

impl Header {
    /// Parses the header of a book. Returns `None` if the bytes are too few or not a book.
    // books §4.1 "Header"
    pub(crate) fn parse(bytes: &[u8]) -> Option<Header> {
        header(bytes).ok().map(|(_, header)| header)
    }

    /// Appends the bytes of the header.
    // books §4.1 "Header"
    pub(crate) fn encode(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        let size = usize::try_from(ENTRY_SIZE).unwrap_or(0).saturating_mul(FIRST_ENTRY as usize);
        out.extend_from_slice(b"\x03ABK");
        out.extend_from_slice(&u32::try_from(size).unwrap_or(0).to_le_bytes());
        out.extend_from_slice(&u32::try_from(ENTRY_SIZE).unwrap_or(0).to_le_bytes());
        write_text(&self.comment, "comment", COMMENT_SIZE, out)?;
        write_text(&self.author, "author", AUTHOR_SIZE, out)?;
        let numbers = [
            self.depth,
            self.moves,
            self.min_games,
            self.min_wins,
            self.win_percent_white,
            self.win_percent_black,
            self.by_priority,
            self.by_games,
            self.by_score,
            self.max_plies,
        ];
        numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        out.resize(start.saturating_add(size), FILLER);
        Ok(())
    }
}

fn header(input: &[u8]) -> IResult<&[u8], Header> {
    let (input, _) = tag(b"\x03ABK".as_slice()).or(tag(b"\x03AB2".as_slice())).parse(input)?;
    let (input, _) = take(8usize)(input)?;
    let (input, (comment, author)) = (text(COMMENT_SIZE), text(AUTHOR_SIZE)).parse(input)?;
    let (input, (depth, moves, min_games, min_wins)) =
        (le_u32, le_u32, le_u32, le_u32).parse(input)?;
    let (input, (win_percent_white, win_percent_black)) = (le_u32, le_u32).parse(input)?;
    let (input, (by_priority, by_games, by_score)) = (le_u32, le_u32, le_u32).parse(input)?;
    let (input, max_plies) = le_u32(input)?;
    let header = Header {
        comment,
        author,
        depth,
        moves,
        min_games,
        min_wins,
        win_percent_white,
        win_percent_black,
        by_priority,
        by_games,
        by_score,
        max_plies,
    };
    Ok((input, header))
}

/// Parses a length and a field of this size. The code page is not known.
fn text(size: usize) -> impl FnMut(&[u8]) -> IResult<&[u8], String> {
    move |input| {
        let (input, length) = byte(input)?;
        let (input, field) = take(size)(input)?;
        let bytes = field.get(..usize::from(length)).unwrap_or(field);
        Ok((input, TextDecoder::utf8_or(Encoding::WINDOWS_1252).decode(bytes).into_owned()))
    }
}

fn write_text(text: &str, name: &'static str, size: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let end = out.len().saturating_add(size).saturating_add(1);
    match u8::try_from(text.len()) {
        Ok(length) if text.len() <= size => out.push(length),
        _ => return Err(ErrorKind::LongText(name, size).at(super::book::at(0))),
    }
    out.extend_from_slice(text.as_bytes());
    out.resize(end, 0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_parsed_after_encode_is_equal() {
        let header = Header {
            comment: "made for tests".to_owned(),
            author: "Müller".to_owned(),
            depth: 40,
            moves: 73,
            min_games: 1,
            min_wins: 2,
            win_percent_white: 10,
            win_percent_black: 20,
            by_priority: 3,
            by_games: 5,
            by_score: 7,
            max_plies: 60,
        };
        let mut bytes = Vec::new();
        header.encode(&mut bytes).unwrap();
        assert_eq!(bytes.len(), 25_200);
        assert_eq!(bytes[214..218], 40u32.to_le_bytes());
        assert_eq!(bytes[250..256], *b"\x3c\0\0\0xx");
        assert_eq!(Header::parse(&bytes), Some(header.clone()));
        assert_eq!(Header::parse(&bytes[..253]), None);
        let long = Header { author: "x".repeat(81), ..header };
        let error = long.encode(&mut bytes).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::LongText("author", 80)), "{error}");
    }
}
