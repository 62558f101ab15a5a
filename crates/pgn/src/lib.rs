//! Portable Game Notation: the text format every chess program reads.

mod error;
mod export;
mod line;
mod san;
mod seam;
mod text;
mod writer;

pub use error::{Error, ErrorKind};
pub use export::{Exporter, to_string, write_game};
pub use san::{San, write_san};
pub use seam::FORMATS;
pub use writer::Writer;
