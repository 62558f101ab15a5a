//! The move encoding alone: decodes a record's bytes to squares without a board.
//!
//! Sufficient for a viewer that only shows which piece goes where. [`Database`](crate::Database)
//! uses the same reader and adds the rules of chess.
//!
//! ```
//! use dcg::moves::{Record, Step};
//!
//! // 1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 $1
//! let bytes = b"\x00\x03\x1c\x0d\x24\x84\x0c\xa2\x86\x08Sicilian\x85\x01\x95\x87\x01\x01";
//! let record = Record::parse(bytes).unwrap();
//! assert_eq!(record.fen(), None);
//! let mut text = String::new();
//! for step in record.steps() {
//!     text += &match step.unwrap() {
//!         Step::Move(m) => format!("{}-{} ", m.from(), m.to()),
//!         Step::NullMove => "-- ".into(),
//!         Step::VariationStart => "( ".into(),
//!         Step::VariationEnd => ") ".into(),
//!         Step::Comment(text) => format!("{{{}}} ", String::from_utf8_lossy(text)),
//!         Step::Nags(nags) => nags.iter().map(|nag| format!("${nag} ")).collect(),
//!     };
//! }
//! assert_eq!(text, "e2-e4 e7-e5 ( c7-c5 {Sicilian} ) g1-f3 $1 ");
//! ```

use chess_core::Square;

use crate::error::ErrorKind;
use crate::layout::{
    FEN_FOLLOWS, FEN_NONE, TAG_BIT, TAG_COMMENT, TAG_NAGS, TAG_NULL_MOVE, TAG_VARIATION,
    TAG_VARIATION_END,
};
use crate::length::{Length, LengthError, parse_length};
use crate::quirk::Quirk;

/// A move as stored in two bytes: squares and a promotion code.
///
/// Castling is the king's move alone: `e1-g1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainMove(u16);

impl PlainMove {
    /// Creates a move from two squares and a promotion code, 0 for none. Only the low three bits of
    /// the code count.
    #[must_use]
    pub const fn new(from: Square, to: Square, promotion: u8) -> PlainMove {
        let code = (promotion & 7) as u16;
        PlainMove(code << 12 | (from.index() as u16) << 6 | to.index() as u16)
    }

    /// Decodes the two bytes of a move; the first is below 0x80.
    // dcg §6.3 "Moves"
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 2]) -> PlainMove {
        PlainMove(u16::from_be_bytes(bytes) & 0x7fff)
    }

    /// Encodes the move in two bytes.
    // dcg §6.3 "Moves"
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 2] {
        self.0.to_be_bytes()
    }

    /// The origin square.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_low_bits((self.0 >> 6 & 63) as u8)
    }

    /// The target square.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0 & 63) as u8)
    }

    /// The promotion code, 0 to 7, 0 for none. [`Promotions`](crate::Promotions) defines its
    /// meaning, which differs between bases.
    #[must_use]
    pub const fn promotion(self) -> u8 {
        (self.0 >> 12 & 7) as u8
    }
}

/// One item of a game, in the order of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// A move.
    Move(PlainMove),
    /// A null move.
    NullMove,
    /// A variation starts: an alternative to the last move of this line, from the position before
    /// that move.
    VariationStart,
    /// A variation ends. The line continues after the move that the variation replaced.
    VariationEnd,
    /// A comment on the last move, or on the start if there is none. UTF-8 if its writer was
    /// correct.
    Comment(&'a [u8]),
    /// Numeric annotation glyphs of the last move.
    Nags(&'a [u8]),
}

/// Why a step is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The bytes end within the length.
    #[error("the record ends inside {0}")]
    Cut(&'static str),
    /// An invalid first byte of a step.
    #[error("{0:#04x} is neither a move nor a known tag")]
    Tag(u8),
    /// An invalid first byte of a length.
    #[error("{0:#04x} does not start a length")]
    Length(u8),
    /// An invalid FEN marker.
    #[error("the FEN marker is {0:#04x}, neither 0x00 nor 0x01")]
    FenMarker(u8),
}

impl From<StepError> for ErrorKind {
    fn from(error: StepError) -> ErrorKind {
        match error {
            StepError::Cut(what) => ErrorKind::Cut(what),
            StepError::Tag(byte) => ErrorKind::Tag(byte),
            StepError::Length(byte) => ErrorKind::Length(byte),
            StepError::FenMarker(byte) => ErrorKind::FenMarker(byte),
        }
    }
}

/// A game's record without its length: an optional FEN, then the steps.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    fen: Option<&'a [u8]>,
    steps: Steps<'a>,
}

impl<'a> Record<'a> {
    /// Parses the beginning of a record.
    ///
    /// # Errors
    /// An invalid FEN marker; a FEN longer than the record.
    // dcg §6.2 "Start position"
    pub fn parse(bytes: &'a [u8]) -> Result<Record<'a>, StepError> {
        let mut steps = Steps { bytes, at: 1, quirk: None };
        match bytes.first() {
            None => Err(StepError::Cut("the FEN marker")),
            Some(&FEN_NONE) => Ok(Record { fen: None, steps }),
            Some(&FEN_FOLLOWS) => {
                let fen = Some(steps.counted("the FEN")?);
                Ok(Record { fen, steps })
            }
            Some(&other) => Err(StepError::FenMarker(other)),
        }
    }

    /// The FEN of the start position, unless it is the usual one.
    #[must_use]
    pub fn fen(&self) -> Option<&'a [u8]> {
        self.fen
    }

    /// The moves and their annotations.
    #[must_use]
    pub fn steps(&self) -> Steps<'a> {
        self.steps.clone()
    }
}

/// Iterator over the steps of a record. It ends after the first error.
#[derive(Clone, Debug)]
pub struct Steps<'a> {
    bytes: &'a [u8],
    at: usize,
    quirk: Option<Quirk>,
}

impl<'a> Steps<'a> {
    /// The offset of the next step in the record.
    #[must_use]
    #[inline]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Takes the deviation of the last length, if any.
    pub(crate) fn take_quirk(&mut self) -> Option<Quirk> {
        self.quirk.take()
    }

    /// Reads a length and the bytes that it counts.
    fn counted(&mut self, what: &'static str) -> Result<&'a [u8], StepError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Length { value, size, quirk } = parse_length(rest).map_err(|error| match error {
            LengthError::Cut => StepError::Cut("a length"),
            LengthError::Form(byte) => StepError::Length(byte),
        })?;
        let counted = rest.get(size..).unwrap_or_default();
        let end = usize::try_from(value).unwrap_or(usize::MAX);
        let counted = counted.get(..end).ok_or(StepError::Cut(what))?;
        self.quirk = quirk;
        self.at = self.at.saturating_add(size).saturating_add(end);
        Ok(counted)
    }

    // dcg §6.4 "Tags"
    fn tagged(&mut self, tag: u8) -> Result<Step<'a>, StepError> {
        self.at = self.at.saturating_add(1);
        match tag {
            TAG_VARIATION => Ok(Step::VariationStart),
            TAG_VARIATION_END => Ok(Step::VariationEnd),
            TAG_NULL_MOVE => Ok(Step::NullMove),
            TAG_COMMENT => self.counted("a comment").map(Step::Comment),
            TAG_NAGS => self.counted("a list of NAGs").map(Step::Nags),
            other => Err(StepError::Tag(other)),
        }
    }
}

impl<'a> Iterator for Steps<'a> {
    type Item = Result<Step<'a>, StepError>;

    #[inline]
    fn next(&mut self) -> Option<Result<Step<'a>, StepError>> {
        let rest = self.bytes.get(self.at..)?;
        let step = match *rest {
            [] => return None,
            [first, ..] if first >= TAG_BIT => self.tagged(first),
            [first, second, ..] => {
                self.at = self.at.saturating_add(2);
                return Some(Ok(Step::Move(PlainMove::from_bytes([first, second]))));
            }
            [_] => Err(StepError::Cut("a move")),
        };
        if step.is_err() {
            self.at = usize::MAX;
        }
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_program_records_give_moves() {
        // fixtures/dcg/promotions: f7f8=R
        let m = PlainMove::from_bytes([0x4d, 0x7d]);
        assert_eq!((m.from(), m.to(), m.promotion()), (Square::F7, Square::F8, 4));
        assert_eq!(m.to_bytes(), [0x4d, 0x7d]);
        let m = PlainMove::new(Square::E2, Square::E4, 0);
        assert_eq!(m.to_bytes(), [0x03, 0x1c]);
    }

    #[test]
    fn steps_full_record_gives_all_items() {
        #[rustfmt::skip]
        let bytes = [
            0x01,                   // a FEN follows
            0x03, b'f', b'e', b'n', // three bytes of it
            0x86, 0x01, b'a',       // comment before the first move
            0x03, 0x1c,             // e2e4
            0x87, 0x02, 0x01, 0x0e, // two NAGs
            0x84, 0x88, 0x85,       // a variation with a null move
        ];
        let record = Record::parse(&bytes).unwrap();
        assert_eq!(record.fen(), Some(b"fen".as_slice()));
        let steps: Vec<_> = record.steps().map(Result::unwrap).collect();
        let e4 = PlainMove::new(Square::E2, Square::E4, 0);
        let expected = [
            Step::Comment(b"a"),
            Step::Move(e4),
            Step::Nags(&[1, 14]),
            Step::VariationStart,
            Step::NullMove,
            Step::VariationEnd,
        ];
        assert_eq!(steps, expected);
    }

    #[test]
    fn steps_damage_ends_iteration() {
        fn last(bytes: &[u8]) -> Result<Step<'_>, StepError> {
            let record = Record::parse(bytes)?;
            let steps: Vec<_> = record.steps().collect();
            assert!(steps.iter().rev().skip(1).all(Result::is_ok));
            steps.into_iter().last().unwrap()
        }
        assert_eq!(last(&[]), Err(StepError::Cut("the FEN marker")));
        assert_eq!(last(&[0x02]), Err(StepError::FenMarker(2)));
        assert_eq!(last(&[0x01, 0x05, b'x']), Err(StepError::Cut("the FEN")));
        assert_eq!(last(&[0x00, 0x03, 0x1c, 0x03]), Err(StepError::Cut("a move")));
        assert_eq!(last(&[0x00, 0x83, 0x1c]), Err(StepError::Tag(0x83)));
        assert_eq!(last(&[0x00, 0xff]), Err(StepError::Tag(0xff)));
        assert_eq!(last(&[0x00, 0x86]), Err(StepError::Cut("a length")));
        assert_eq!(last(&[0x00, 0x86, 0x80]), Err(StepError::Length(0x80)));
        assert_eq!(last(&[0x00, 0x86, 0x02, b'a']), Err(StepError::Cut("a comment")));
    }
}
