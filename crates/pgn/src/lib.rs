//! Portable Game Notation: the text format every chess program reads.

mod cursor;
mod error;
mod export;
mod glyph;
mod line;
mod movetext;
mod notes;
mod parse;
mod place;
mod quirk;
mod reader;
mod san;
mod san_parse;
mod seam;
mod tags;
mod text;
mod writer;

pub use error::{Error, ErrorKind};
pub use export::{Exporter, to_string, write_game};
pub use quirk::Quirk;
pub use reader::{MAX_GAME, Reader, read_all};
pub use san::{San, write_san};
pub use san_parse::{SanError, parse_san};
pub use seam::FORMATS;
pub use writer::Writer;
