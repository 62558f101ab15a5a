//! Old ChessBase databases (`.cbf`, `.cbi`).

mod comments;
mod database;
mod decode;
mod dump;
mod encode;
mod error;
mod glyphs;
pub mod header;
pub mod index;
pub mod layout;
pub mod names;
mod numbering;
mod options;
mod place;
mod quirk;
mod rays;
mod record;
mod setup;
pub mod tags;
mod walk;
mod writer;

pub use database::Database;
pub use error::{Error, ErrorKind};
pub use options::{CreateOptions, Dialect, OpenOptions, Records};
pub use quirk::Quirk;
pub use writer::Writer;
