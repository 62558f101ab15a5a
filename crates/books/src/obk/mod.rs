//! ChessMaster's books, `.obk`: moves of two bytes. books §5 "ChessMaster"

mod book;
mod entry;
mod note;

pub use book::Book;
pub use entry::Entry;
pub use note::Note;

/// The size of a move.
pub(crate) const MOVE_SIZE: u64 = 2;
/// The maximum number of moves that are read. A book of ChessMaster 9000 has 285,000.
pub(crate) const MAX_ENTRIES: u32 = 4_000_000;
