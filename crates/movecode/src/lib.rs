//! stub

mod codes;
mod decode;
mod encode;
mod error;
pub mod layout;
mod moves;
#[cfg(feature = "archive")]
mod myisam;
mod quirk;
mod text;
mod units;

pub use decode::{DecodeOptions, Dialect, GameCode, decode_game};
pub use encode::{EncodedGame, encode_game};
pub use error::{Error, ErrorKind};
pub use quirk::Quirk;
