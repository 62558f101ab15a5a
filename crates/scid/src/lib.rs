//! Scid databases.

mod board;
mod codes;
mod database;
mod decode;
mod dump;
mod edit;
mod encode;
mod error;
mod header;
mod index;
pub mod layout;
mod names;
mod plan;
mod quirk;
mod roster;
mod seam;
mod search;
mod table;
mod tags;
mod verify;
mod writer;

pub use database::Database;
pub use decode::decode_record;
pub use edit::{Editor, NamedFile, SwapFile};
pub use encode::{Encoder, Summary};
pub use error::{Error, ErrorKind, MoveReason};
pub use header::Info;
pub use index::{Counts, Derived, Entry, NameIds, Rating, count_code};
pub use layout::{Extensions, Version};
pub use names::{NameKind, NameList, Names, RawNames, compare_names};
pub use quirk::Quirk;
pub use seam::FORMATS;
pub use writer::Writer;
