//! Reads opening books of Polyglot, ChessBase, Arena and ChessMaster. Writes books of Polyglot and
//! Arena, and makes books of Polyglot from games.
//!
//! A book of Polyglot or ChessBase is looked up by position. A book of Arena or ChessMaster is a
//! tree of lines from the start position. [`ReadBook`] treats all alike.
//!
//! | | read | write | make from games |
//! |---|---|---|---|
//! | [`polyglot`], `.bin` | yes | yes | yes, also byte for byte as `polyglot make-book` |
//! | [`ctg`], `.ctg` `.cto` `.ctb` | yes | no | no |
//! | [`abk`], `.abk` | yes | yes | no |
//! | [`obk`], `.obk` | experimental: no genuine book was seen | no | no |
//!
//! # Look up a position
//! ```
//! use books::{Diagnostics, Position, ReadBook as _, polyglot, zobrist};
//!
//! # let key = zobrist(&Position::start());
//! # let bytes = polyglot::Entry::new(key, "e2e4".parse()?, 10).encode().to_vec();
//! let book = polyglot::Book::new(bytes)?;
//! let (mut moves, mut diagnostics) = (Vec::new(), Diagnostics::lenient());
//! book.moves(&Position::start(), &mut moves, &mut diagnostics)?;
//! for entry in &moves {
//!     println!("{} {}", entry.m, entry.relative_weight());
//! }
//! # assert_eq!(moves.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Make a book
//! [`polyglot::Maker`] counts the moves of games and writes those that meet thresholds.
//! [`polyglot::merge`] makes one book of several, [`polyglot::Writer`] a book of any entries.
//! [`abk::Writer`] writes lines. [`to_polyglot`] and [`to_arena`] convert any book.
//!
//! # Errors and strictness
//! Every [`Error`] has a location. A [`Quirk`] is a tolerated deviation: a warning in lenient
//! [`Diagnostics`], an error in strict ones. [`ReadBook::check`] reads a whole book for them.
//!
//! # Limits
//! Books are read in place and not loaded, except the moves of an `.obk` (6 bytes each) and, where
//! a `.ctg` has no index, 8 bytes for each of its positions. A walk through a book of positions
//! remembers the positions; [`WalkOptions`] limits them. A book that is made takes 64 MiB, and the
//! rest goes to a temporary file.
//!
//! The specification is docs/formats/books.md in the repository.

pub mod abk;
mod book;
mod castling;
mod convert;
pub mod ctg;
mod error;
pub mod obk;
mod open;
pub mod polyglot;
mod quirk;
mod tree;
mod variations;
mod walk;

pub use book::{
    BookMove, Facts, Kind, ReadBook, Recommendation, Results, Summary, Visited, WalkOptions,
};
pub use chess_core::{self, Game, Move, Position, zobrist};
pub use chess_store::io::{ReadAt, WriteAt};
pub use chess_store::{Diagnostics, Location, Scope, Warning};
pub use convert::{LineMove, lines, to_arena, to_polyglot};
pub use error::{Error, ErrorKind};
pub use open::{AnyBook, detect, open, open_inputs};
pub use quirk::Quirk;
pub use tree::{Line, Node};
pub use variations::Variations;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
