//! The sizes of codes, for walking a record without playing it.

use crate::error::ErrorKind;
use crate::layout::{
    BRANCH_BEGIN, BRANCH_END, COMMENT, EN_PASSANT, EXTENDED, EXTENDED_LAST, LONG_COMMENT,
    NULL_MOVE, PROMOTION, SETUP, SETUP_SIZE, SYMBOL, UNKNOWN_233,
};

/// The bytes before the content of a comment: its code and its length.
pub(crate) fn container_size(code: u8) -> usize {
    match code {
        SYMBOL => 1,
        COMMENT => 2,
        _ => 5,
    }
}

/// The size of the first code of `codes`, including its payload.
// chessassistant §7.2 "Codes"
pub(crate) fn code_size(codes: &[u8]) -> Result<usize, ErrorKind> {
    let Some(code) = codes.first().copied() else { return Ok(0) };
    let (size, what) = match code {
        0..PROMOTION | EN_PASSANT | NULL_MOVE | BRANCH_BEGIN | BRANCH_END => return Ok(1),
        PROMOTION => (3, "a promotion"),
        EXTENDED..=EXTENDED_LAST => (2, "an extended move"),
        SETUP => (SETUP_SIZE.saturating_add(1), "a start position"),
        UNKNOWN_233 => (2, "an unknown code"),
        SYMBOL => (3, "a symbol"),
        COMMENT => {
            let length = codes.get(1).copied().ok_or(ErrorKind::Truncated("a comment"))?;
            (usize::from(length).saturating_add(2), "a comment")
        }
        LONG_COMMENT => {
            let length = codes.get(1..).and_then(|rest| rest.first_chunk());
            let length = length.copied().ok_or(ErrorKind::Truncated("a comment"))?;
            let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
            (length.saturating_add(5), "a comment")
        }
        _ => return Err(ErrorKind::UnknownCode(code)),
    };
    if size <= codes.len() { Ok(size) } else { Err(ErrorKind::Truncated(what)) }
}
