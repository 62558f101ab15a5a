//! Reads, writes and edits bases of the Simple Chess Database format (DCG).

mod compact;
mod database;
mod decode;
mod dump;
mod edit;
mod encode;
mod error;
mod header;
mod index;
pub mod layout;
mod length;
pub mod moves;
mod names;
mod promotion;
mod quirk;
mod seam;
mod writer;

pub use database::{Database, Parts};
pub use decode::{RecordOptions, decode_record};
pub use edit::Editor;
pub use encode::Encoder;
pub use error::{Error, ErrorKind};
pub use header::{DATE_TAG, ECO_TAG, LongNames, RESULT_TAG, STATUS_TAG};
pub use index::{IndexEntry, IndexHeader};
pub use promotion::{Evidence, Numbering, Promotions, code_of};
pub use quirk::Quirk;
pub use seam::FORMATS;
pub use writer::Writer;
