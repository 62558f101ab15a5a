//! Reads castling and the null move in all their spellings. pgn §3.3 "Moves"

use chess_core::{CastlingSide, Move, Position, Square};

use crate::quirk::Quirk;
use crate::san_parse::{Marks, Read, SanError, skip_check};

/// Returns whether `text` begins like castling or a null move.
pub(crate) fn looks_like_castling_or_null(text: &[u8]) -> bool {
    special_length(text).is_some()
}

/// The result of [`special_length`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    Null,
    Castling(CastlingSide),
}

/// The spellings of castling and null moves; longer spellings come first.
const SPECIAL: [(&[u8], Special); 16] = [
    (b"0-0-0", Special::Castling(CastlingSide::Queen)),
    (b"0-0", Special::Castling(CastlingSide::King)),
    (b"o-o-o", Special::Castling(CastlingSide::Queen)),
    (b"o-o", Special::Castling(CastlingSide::King)),
    (b"OOO", Special::Castling(CastlingSide::Queen)),
    (b"OO", Special::Castling(CastlingSide::King)),
    (b"0000", Special::Null),
    (b"000", Special::Castling(CastlingSide::Queen)),
    (b"00", Special::Castling(CastlingSide::King)),
    (b"ooo", Special::Castling(CastlingSide::Queen)),
    (b"oo", Special::Castling(CastlingSide::King)),
    (b"--", Special::Null),
    (b"Z0", Special::Null),
    (b"@@@@", Special::Null),
    (b"null", Special::Null),
    (b"pass", Special::Null),
];

fn special_length(text: &[u8]) -> Option<(Special, usize)> {
    // The most common spelling.
    if let [b'O', b'-', b'O', rest @ ..] = text {
        let long = rest.starts_with(b"-O");
        let side = if long { CastlingSide::Queen } else { CastlingSide::King };
        return Some((Special::Castling(side), if long { 5 } else { 3 }));
    }
    SPECIAL.iter().find(|(spelling, _)| text.starts_with(spelling)).map(|(s, m)| (*m, s.len()))
}

/// Reads castling or a null move.
pub(crate) fn read_special(text: &[u8], position: &Position) -> Result<Read, SanError> {
    let mut marks = Marks::default();
    let (special, len) = special_length(text).ok_or(SanError::Unreadable)?;
    let side = match special {
        Special::Null => {
            marks.add(Quirk::NullMoveSpelling, !text.starts_with(b"--"));
            return Ok(Read { m: Move::NULL, len, marks });
        }
        Special::Castling(side) => side,
    };
    marks.add(Quirk::ZeroCastling, !text.starts_with(b"O-"));
    let m = castle(position, side).ok_or(SanError::Illegal)?;
    Ok(Read { m, len: skip_check(text, len), marks })
}

/// Returns the rook of an illegal castling move: the one with a castling right, otherwise the
/// outermost.
pub(crate) fn castling_rook(position: &Position, side: CastlingSide) -> Option<Square> {
    let us = position.turn();
    position.castling_rook(us, side).or_else(|| position.outermost_rook(us, side))
}

/// Reads an illegal `O-O` or `O-O-O`. With zeros it may be the result of a double loss.
pub(crate) fn read_illegal_castling(text: &[u8], position: &Position) -> Option<Read> {
    if !text.starts_with(b"O-O") {
        return None;
    }
    let Some((Special::Castling(side), len)) = special_length(text) else { return None };
    let m = Move::new(position.king(position.turn())?, castling_rook(position, side)?);
    Some(Read { m, len: skip_check(text, len), marks: Marks::default() })
}

pub(crate) fn castle(position: &Position, side: CastlingSide) -> Option<Move> {
    let us = position.turn();
    let m = Move::new(position.king(us)?, position.castling_rook(us, side)?);
    position.is_legal(m).then_some(m)
}
