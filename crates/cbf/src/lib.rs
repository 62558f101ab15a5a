//! Old `ChessBase` databases (`.cbf` with `.cbi`) and opening books (`.fbk`), read and written.
//!
//! `ChessBase` kept games in this format from 1987 to 1995, on the Atari ST, DOS and the first
//! Windows; `KnightStalker` (Fritz 1) shared it. The format was never published. Users and authors of
//! other programs reverse engineered it.
//!
//! | | read | write |
//! |---|---|---|
//! | `.cbf` + `.cbi` | yes | yes |
//! | `.cbf` alone, or with a wrong `.cbi` | yes | |
//! | `.fbk` ([`fbk`]) | experimental | experimental |
//! | games closed to other users, deleted and marked games | yes | as open games |
//! | keys (`.cko`, `.cpo`), the later `.cbh` | no | no |
//!
//! **No file written by `ChessBase` itself was available.** docs/formats/cbf.md states the evidence
//! of each rule.
//!
//! Read a base:
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/cbf/tiny/base.cbf");
//! for game in cbf::Database::open(path)?.games() {
//!     // A damaged game is an error and affects no other game.
//!     let game = game?;
//!     println!("{} - {}, {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! # Ok::<(), cbf::Error>(())
//! ```
//!
//! Write a base in memory, and read it back:
//!
//! ```
//! use cbf::{Diagnostics, Game, Losses};
//!
//! let mut game = Game::new();
//! game.header.set("White", "Karpov,A");
//! game.push_move("e2e4".parse()?);
//! let (mut writer, mut losses) = (cbf::Writer::in_memory(), Losses::new());
//! writer.write(&game, &mut losses)?;
//! assert!(losses.is_empty());
//!
//! let base = cbf::Database::from_parts(writer.into_bytes()?, &cbf::OpenOptions::default())?;
//! let mut again = Game::new();
//! base.reader().game(0, &mut again, &mut Diagnostics::strict())?;
//! assert_eq!(again, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each thread has a [`reader`](Database::reader) of its own, or an [`Encoder`], whose results one
//! thread [appends](Writer::append).
//!
//! # Files of a base
//! `NAME.cbf` holds the records one after the other. `NAME.cbi` holds the offset of each. Either path
//! opens the base, in upper or lower case. Without a usable `.cbi` the records are scanned by size.
//!
//! # Specification
//! docs/formats/cbf.md, to whose sections the code refers. Start with [`layout`].
//!
//! # Errors and strictness
//! Every [`Error`] has a location: file, byte, game, ply. A [`Quirk`] is a tolerable deviation. It is
//! a warning, or an error with [`Diagnostics::strict`] and, on opening, [`OpenOptions::strict`].
//!
//! # Limits
//! Texts use a single-byte encoding: CP850, or [`OpenOptions::encoding`]. A .cbf is at most 4 GiB
//! long. Data that a record cannot hold is reported per game as [`Loss`]: days and months, null
//! moves, names beyond 63 bytes, and so on.
//!
//! # Features
//! None. For encodings that are not constants of [`Encoding`], depend on `chess-store` with its
//! feature `encodings`.

mod comments;
mod database;
mod decode;
mod dump;
mod encode;
mod error;
pub mod fbk;
mod finder;
mod formats;
mod glyphs;
pub mod header;
pub mod index;
pub mod layout;
mod mask;
mod moves;
pub mod names;
mod numbering;
mod options;
mod parts;
mod place;
mod quirk;
mod record;
mod setup;
mod survey;
pub mod tags;
mod walk;
mod writer;

pub use chess_core::{self, Game, Header};
pub use chess_store::io::{ReadAt, WriteAt};
pub use chess_store::{
    About, AnyError, Diagnostics, Encoding, Fact, Field, Games, Input, Inputs, Location, Loss,
    LossKind, Losses, Reader, Scope, Warning,
};
pub use database::{Database, State};
pub use encode::{Encoded, Encoder};
pub use error::{Error, ErrorKind};
pub use formats::FORMATS;
pub use options::{CreateOptions, Dialect, OpenOptions, Records};
pub use parts::Parts;
pub use quirk::Quirk;
pub use survey::{MoveNumbering, NumberingEvidence};
pub use writer::Writer;
