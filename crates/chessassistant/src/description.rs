//! The CDP: signature, version, number of games and the comment on the base.

use nom::IResult;
use nom::Parser as _;
use nom::bytes::complete::take;
use nom::number::complete::le_u32;

use crate::layout::{CDP_SIZE, CDP_TEXT_WIDTH, CDP_VERSION, SIGNATURE};

/// The contents of a CDP.
// chessassistant §2 "CDP"
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Description {
    pub(crate) signature: Vec<u8>,
    pub(crate) version: Vec<u8>,
    pub(crate) unknown_64: u32,
    pub(crate) games: u32,
    pub(crate) comment: Vec<u8>,
}

impl Description {
    /// The description that this crate writes for a base or table of `games` entries.
    pub(crate) fn new(games: u32, comment: Vec<u8>) -> Description {
        Description {
            signature: SIGNATURE.to_vec(),
            version: CDP_VERSION.to_vec(),
            unknown_64: 0,
            games,
            comment,
        }
    }

    /// Parses a CDP. A truncated comment is kept as far as it goes. Returns `None` if the fixed
    /// part is incomplete.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Description> {
        parse_description(bytes).ok().map(|(_, description)| description)
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(CDP_SIZE.saturating_add(self.comment.len()));
        put_padded(&self.signature, CDP_TEXT_WIDTH, &mut out);
        put_padded(&self.version, CDP_TEXT_WIDTH, &mut out);
        out.extend_from_slice(&self.unknown_64.to_le_bytes());
        out.extend_from_slice(&self.games.to_le_bytes());
        // The comment is truncated to the length written.
        let length = u32::try_from(self.comment.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&length.to_le_bytes());
        let written = usize::try_from(length).unwrap_or(usize::MAX);
        out.extend_from_slice(self.comment.get(..written).unwrap_or(&self.comment));
        out
    }
}

fn parse_description(input: &[u8]) -> IResult<&[u8], Description> {
    let (rest, (signature, version, unknown_64, games, length)) =
        (take(CDP_TEXT_WIDTH), take(CDP_TEXT_WIDTH), le_u32, le_u32, le_u32).parse(input)?;
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(rest.len());
    let (rest, comment) = take(length)(rest)?;
    let description = Description {
        signature: unpadded(signature).to_vec(),
        version: unpadded(version).to_vec(),
        unknown_64,
        games,
        comment: unpadded(comment).to_vec(),
    };
    Ok((rest, description))
}

/// The text without its NUL padding.
pub(crate) fn unpadded(field: &[u8]) -> &[u8] {
    let end = field.iter().rposition(|byte| *byte != 0).map_or(0, |last| last.saturating_add(1));
    field.get(..end).unwrap_or_default()
}

/// Appends the text in a field of this width, truncated or padded with NULs.
pub(crate) fn put_padded(text: &[u8], width: usize, out: &mut Vec<u8>) {
    let text = text.get(..width).unwrap_or(text);
    out.extend_from_slice(text);
    out.resize(out.len().saturating_add(width.saturating_sub(text.len())), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_description_reads_each_field() {
        let mut bytes = b"Chess Assistant 3.0 database.".to_vec(); // 0 signature
        bytes.resize(50, 0);
        bytes.extend_from_slice(b"\nChess Data Pro format. Version 1.3"); // 50 version
        bytes.resize(100, 0);
        bytes.extend_from_slice(&[0, 0, 0, 0]); // 100 unknown
        bytes.extend_from_slice(&[3, 0, 0, 0]); // 104 three games
        bytes.extend_from_slice(&[2, 0, 0, 0]); // 108 length of the comment
        bytes.extend_from_slice(b"Hi"); // 112 comment
        let description = Description::parse(&bytes).unwrap();
        assert_eq!(description, Description::new(3, b"Hi".to_vec()));
        assert_eq!(description.encode(), bytes);
        assert_eq!(Description::parse(&bytes[..111]), None);
        bytes[108..112].copy_from_slice(&[0xff; 4]);
        assert_eq!(Description::parse(&bytes).unwrap().comment, b"Hi", "as much as there is");
    }
}
