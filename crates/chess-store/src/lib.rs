//! What every chess database format needs around a game, and the seam for code that treats all formats alike.
//!
//! A format crate builds on this; who reads or writes one format sees it through that crate,
//! which re-exports what its signatures use.
//!
//! | what | where |
//! |---|---|
//! | errors with places | [`Error`], [`AnyError`], [`Location`] |
//! | tolerated deviations | [`quirks!`], [`Diagnostics`], [`Warning`] |
//! | what a target cannot hold | [`Loss`] |
//! | text of unknown encoding | [`TextDecoder`], [`Encoding`] |
//! | positional input and output | [`io`] |
//! | the files of a base | [`files`] |
//! | what a format's own types do | [`ReadGames`], [`StreamGames`], [`WriteGames`], [`EditGames`] |
//! | all formats alike | [`seam`] |
//!
//! A format implements the typed traits, with its own error; [`seam`] erases them, with one blanket
//! implementation for each.
//!
//! # Features
//! `encodings` knows all encodings of the Encoding Standard (crate `encoding_rs`). Without it
//! [`Encoding`] has UTF-8 and the single-byte pages that old chess programs used.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnostics;
mod edit;
mod encoding;
mod error;
pub mod files;
pub mod io;
mod location;
mod loss;
mod options;
mod read;
pub mod seam;
mod stream;
mod write;

pub use diagnostics::{Diagnostics, Quirk, Warning};
pub use edit::EditGames;
pub use encoding::{Encoding, TextDecoder};
pub use error::{AnyError, Error, ErrorKind, Scope};
pub use location::Location;
pub use loss::{Loss, LossKind};
pub use options::{CreateOptions, OpenOptions, OptionError, OptionInfo, Settings, TypedOptions};
pub use read::{Field, Games, ReadGames, Reader, Visit, follow};
pub use stream::{Block, ParseGames, Place, StreamGames, StreamReader, StreamedGames};
pub use write::{EncodeGames, Own, Trim, WriteGames};

/// What code that reads or writes games wants in scope: the traits whose methods it calls.
pub mod prelude {
    pub use crate::{Diagnostics, EditGames, EncodeGames, ReadGames, StreamGames, WriteGames};
    pub use chess_core::{Game, Header};
}
