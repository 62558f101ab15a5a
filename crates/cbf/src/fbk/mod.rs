//! Opening books, `.fbk`: **experimental**. cbf §12 "FBK books"
//!
//! All that is known of the format is half a page from 1993. One reading of it was found that makes
//! a tree of a file. No genuine book is known, so it was never tried on one. A book is read as one
//! game whose variations are its branches; moves marked as weak carry the NAG `$2`.

mod read;
mod tree;
mod write;

pub use read::{Book, State};
pub use write::{Encoded, Encoder, Writer};

/// The tag of a book read as a game; its value is `experimental`.
pub const BOOK: &str = "CbfBook";
/// The glyph of a move that the book marks as weak.
pub const WEAK: chess_core::Nag = chess_core::Nag(2);

/// Size of a move.
pub(crate) const MOVE_SIZE: usize = 2;
/// In the first byte: no other alternative to this move follows later.
pub(crate) const LAST: u8 = 0x40;
/// In the first byte: the line ends here.
pub(crate) const ENDS: u8 = 0x80;
/// In the second byte: unused.
pub(crate) const SPARE: u8 = 0x40;
/// In the second byte: the program should not play it.
pub(crate) const IS_WEAK: u8 = 0x80;
