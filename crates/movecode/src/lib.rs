//! stub

mod codes;
#[cfg(feature = "archive")]
mod container;
#[cfg(feature = "archive")]
mod database;
mod decode;
mod dump;
mod encode;
mod error;
#[cfg(feature = "archive")]
mod header;
#[cfg(feature = "archive")]
mod index;
#[cfg(feature = "archive")]
mod info;
pub mod layout;
mod moves;
#[cfg(feature = "archive")]
mod myisam;
#[cfg(feature = "archive")]
mod names;
#[cfg(feature = "archive")]
mod row_writer;
#[cfg(feature = "archive")]
mod writer;
#[cfg(feature = "archive")]
pub use writer::Writer;
#[cfg(feature = "archive")]
mod seam;
#[cfg(feature = "archive")]
pub use seam::FORMATS;
#[cfg(feature = "archive")]
mod schema;
#[cfg(feature = "archive")]
pub use database::Database;
#[cfg(feature = "archive")]
pub use header::COLLECTION_TAG;
mod quirk;
mod text;
mod units;

pub use decode::{DecodeOptions, Dialect, GameCode, decode_game};
pub use dump::{dump_comments, dump_game};
pub use encode::{EncodedGame, encode_game};
pub use error::{Error, ErrorKind};
pub use quirk::Quirk;
