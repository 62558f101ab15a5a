//! Opening books, `.fbk`: **experimental**. cbf §12 "FBK books"
//!
//! The only source is half a page from 1993. One interpretation of it turns a file into a tree. No
//! genuine book is known, so the interpretation is untested. A book is read as one game whose
//! variations are its branches. Moves marked as weak carry the NAG `$2`.

mod read;
mod write;

pub use read::{Book, State};
pub use write::{Encoded, Encoder, Writer};

/// The tag of a book read as a game; its value is `experimental`.
pub const BOOK: &str = "CbfBook";
/// The glyph of a move that the book marks as weak.
pub const WEAK: chess_core::Nag = chess_core::Nag(2);

/// The moves from the start position, and whether the book marks them as weak.
type Tree = chess_core::MoveTree<bool>;

/// Size of a move.
pub(crate) const MOVE_SIZE: usize = 2;
/// In the first byte: no alternative to this move follows.
pub(crate) const LAST: u8 = 0x40;
/// In the first byte: the line ends here.
pub(crate) const ENDS: u8 = 0x80;
/// In the second byte: unused.
pub(crate) const SPARE: u8 = 0x40;
/// In the second byte: the program should not play it.
pub(crate) const IS_WEAK: u8 = 0x80;
