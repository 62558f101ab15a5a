//! Old `ChessBase` databases (`.cbf` with `.cbi`) and opening books (`.fbk`), read and written.
//!
//! `ChessBase` kept games in this format from 1987 to 1995, on the Atari ST, DOS and the first
//! Windows; `KnightStalker` (Fritz 1) shared it. The format was never published: what is known
//! was found out by its users and by the authors of other programs.
//!
//! | | read | write |
//! |---|---|---|
//! | `.cbf` + `.cbi` | yes | yes |
//! | `.cbf` alone, or with a wrong `.cbi` | yes | |
//! | `.fbk` ([`fbk`]) | experimental | experimental |
//! | games closed to other users, deleted and marked games | yes | as open games |
//! | keys (`.cko`, `.cpo`), the later `.cbh` | no | no |
//!
//! **No file written by `ChessBase` itself was at hand.** docs/formats/cbf.md marks what each
//! rule rests on.
//!
//! Read a base:
//!
//! ```
//! use cbf::prelude::*;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/cbf/tiny/base.cbf");
//! for game in cbf::Database::open(path)?.games() {
//!     // A damaged game is an error and costs no other.
//!     let game = game?;
//!     println!("{} - {}, {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! # Ok::<(), cbf::Error>(())
//! ```
//!
//! Write one, here in memory, and read it back:
//!
//! ```
//! use cbf::prelude::*;
//!
//! let mut game = Game::new();
//! game.header.set("White", "Karpov,A");
//! game.push_move("e2e4".parse()?);
//! let (mut writer, mut losses) = (cbf::Writer::in_memory()?, Vec::new());
//! writer.write(&game, &mut losses)?;
//! let (cbf, cbi) = writer.into_parts()?;
//! assert!(losses.is_empty());
//!
//! let base = cbf::Database::from_parts(cbf, Some(cbi), &cbf::OpenOptions::default())?;
//! let mut again = Game::new();
//! base.reader().game(0, &mut again, &mut Diagnostics::strict())?;
//! assert_eq!(again, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Database`] reads through [`ReadGames`], a [`Writer`] writes through [`WriteGames`]: both
//! traits are in the [`prelude`], and say how to use several threads.
//!
//! # Files of a base
//! `NAME.cbf` holds the records one after the other, `NAME.cbi` says where each starts. Either
//! may be named, in either case; without a usable `.cbi` the records are walked by their sizes.
//!
//! # Specification
//! docs/formats/cbf.md, to whose sections the code refers. Start with [`layout`].
//!
//! # Errors and strictness
//! Every [`Error`] has its place: file, byte, game, ply. What can be tolerated is a [`Quirk`]: a
//! warning, or an error with [`Diagnostics::strict`] and, on opening, [`OpenOptions::strict`].
//!
//! # Limits
//! Texts have one byte a letter: CP850 unless [`OpenOptions::encoding`] says otherwise. A base
//! ends at 4 GiB. What a record cannot hold (days and months, null moves, names beyond 63 bytes,
//! and so on) is reported game by game as [`Loss`].
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
mod place;
mod quirk;
mod record;
mod setup;
pub mod tags;
mod walk;
mod writer;

pub use chess_core::{self, Game, Header};
pub use chess_store::{
    self, Diagnostics, Encoding, Loss, ReadGames, TypedOptions, Warning, WriteGames, prelude,
};
pub use database::{Database, State};
pub use encode::{Encoded, Encoder};
pub use error::{Error, ErrorKind};
pub use formats::FORMATS;
pub use options::{CreateOptions, Dialect, OpenOptions, Records};
pub use quirk::Quirk;
pub use writer::Writer;
