//! Arena's books, `.abk`: a tree of moves. books §4 "Arena"

mod book;
mod entry;
mod header;
mod writer;

pub use book::Book;
pub use entry::Entry;
pub use header::Header;
pub use writer::Writer;

/// The size of an entry.
pub(crate) const ENTRY_SIZE: u64 = 28;
/// The number of the first entry; the header takes the place of the entries before.
pub(crate) const FIRST_ENTRY: u32 = 900;
