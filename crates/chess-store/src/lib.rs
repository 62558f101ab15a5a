//! Common parts of all chess database formats, except the game itself, and type-erased traits for
//! code that treats all formats alike.
//!
//! # For users of a format
//! A format's crate re-exports the types that its users need, so few users depend on this crate.
//! Code that is generic over formats imports the traits of this crate, or works with [`erased`].
//!
//! | what | where |
//! |---|---|
//! | errors with places | [`AnyError`], [`Location`], [`Scope`] |
//! | tolerated deviations | [`Diagnostics`], [`Warning`] |
//! | what a target cannot hold | [`Loss`] |
//! | facts of a base as a whole | [`About`] |
//! | the encoding of texts | [`Encoding`] |
//! | readers of any format | [`Reader`], [`Games`] |
//! | files that are open already | [`Inputs`], [`io::ReadAt`], [`io::WriteAt`] |
//! | all formats alike | [`erased`] |
//!
//! # For authors of a format
//! A format implements the typed traits with its own error type. [`erased`] has one blanket
//! implementation for each of them, and [`inherent!`] makes their methods inherent. These parts may
//! change in any minor release.
//!
//! | what | where |
//! |---|---|
//! | the error type of a format | [`Error`], [`ErrorKind`] |
//! | the list of tolerated deviations | [`quirks!`], [`Quirk`] |
//! | options by name | [`TypedOptions`], [`OptionInfo`] |
//! | text of unknown encoding | [`TextDecoder`], [`EncodingSurvey`] |
//! | buffered and positional input and output | [`io`] |
//! | the files of a base, replaced as a unit | [`files`] |
//! | names kept once each | [`names`] |
//! | how far records may reach | [`RecordBounds`] |
//! | what a format's own types do | [`ReadGames`], [`Describe`], [`SearchIndex`], [`StreamGames`], [`WriteGames`], [`EditGames`] |
//! | searches by index | [`Query`], [`IndexRows`], [`IndexSummary`] |
//!
//! # Example
//! This example decodes text from an old file. A deviation from the format is a warning, or an
//! error on request:
//! ```
//! use chess_store::{Diagnostics, Encoding, Location, TextDecoder};
//!
//! chess_store::quirks! {
//!     /// What this reader tolerates.
//!     PaddedName = "demo-padded-name", "a name is followed by spaces";
//! }
//!
//! fn read_name(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<String, chess_store::Warning> {
//!     // UTF-8 where it is valid, else the page of DOS.
//!     let text = TextDecoder::utf8_or(Encoding::CP850).decode(bytes);
//!     let name = text.trim_end();
//!     if name.len() < text.len() {
//!         diagnostics.note(Quirk::PaddedName, Location::file("dat").at(40))?;
//!     }
//!     Ok(name.to_owned())
//! }
//!
//! let mut lenient = Diagnostics::lenient();
//! assert_eq!(read_name(b"H\x81bner  ", &mut lenient).as_deref(), Ok("Hübner"));
//! let warning = lenient.warnings()[0];
//! assert_eq!(warning.to_string(), ".dat, byte 40: a name is followed by spaces [demo-padded-name]");
//! assert_eq!(read_name(b"H\x81bner  ", &mut Diagnostics::strict()), Err(warning));
//! # assert!(matches!(warning.quirk(), Some(Quirk::PaddedName)));
//! ```
//!
//! # Features
//! `encodings` (off by default): [`Encoding::from_label`] accepts all encodings of the Encoding
//! Standard, through the crate `encoding_rs`. Without the feature it accepts UTF-8 and the
//! single-byte code pages of old chess programs.
//!
//! `compressed` reads gzip and bzip2 ([`io::compressed`]).
//!
//! `spool` keeps the bytes of unpacked archives in temporary files (crate `tempfile`).

#![cfg_attr(docsrs, feature(doc_cfg))]

mod about;
mod diagnostics;
mod edit;
mod encoding;
pub mod erased;
mod error;
mod field_size;
pub mod files;
mod guiding_text;
mod inherent;
mod inputs;
pub mod io;
mod location;
mod loss;
pub mod names;
mod options;
mod read;
mod record_bounds;
mod search;
mod stream;
mod summary;
mod variant;
mod word;
mod write;

#[doc(hidden)]
pub use chess_core as __core;

pub use about::{About, Fact, UnknownFact};
pub use diagnostics::{Diagnostics, Quirk, Warning, WarningCounts};
pub use edit::{EditGames, NextReplacement, Replacement};
pub use encoding::{
    Encoding, EncodingSurvey, TextDecoder, has_cr_lf, set_unix_line_ends, unix_line_ends,
};
pub use error::{AnyError, Error, ErrorKind, Scope, system_message};
pub use field_size::{FieldInteger, field_size};
pub use guiding_text::GuidingText;
pub use inputs::{FindFiles, Input, Inputs, StreamInput};
pub use location::{BlockStart, InBlock, Locate, Location, Place};
pub use loss::{Loss, LossKind, LossMark, Losses};
pub use options::{CreateOptions, OpenOptions, OptionError, OptionInfo, Settings, TypedOptions};
pub use read::{Describe, Field, FieldWriter, Games, ReadGames, Reader};
pub use record_bounds::RecordBounds;
pub use search::{
    IndexRows, LineVisit, MaterialLimit, Query, SearchIndex, Verdict, Visit, Walk, visit_game,
    walk_along,
};
pub use stream::{
    Block, Later, ParseGames, ParseText, SplitText, StreamGames, StreamReader, StreamedGames,
};
pub use summary::{Features, IndexSummary, NameField, StatRow};
pub use variant::{UnsupportedVariant, check_variant, known_boards};
pub use word::Word;
pub use write::{EncodeGames, ScratchEncoder, Trim, WriteGames};
