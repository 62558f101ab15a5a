//! Polyglot's books, `.bin`: sorted entries of 16 bytes. books §2 "Polyglot"

mod book;
mod entry;
mod maker;
mod merge;
mod repair;
mod sorter;
mod writer;

pub use book::{Book, Entries};
pub use entry::Entry;
pub use maker::{MakeOptions, Maker, Weights};
pub use merge::{Merging, merge};
pub use repair::{Repaired, repair};
pub use writer::Writer;

/// The size of an entry.
pub(crate) const ENTRY_SIZE: u64 = 16;
/// The maximum number of entries that are read for one position.
pub(crate) const MAX_ENTRIES: usize = 1024;
