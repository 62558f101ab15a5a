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
//! ```no_run
//! use cbf::{Database, OpenOptions};
//! use chess_core::{Diagnostics, Game};
//!
//! let base = Database::open("GAMES.CBF".as_ref(), &OpenOptions::default())?;
//! let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
//! for number in 0..base.len() {
//!     // A damaged game keeps its moves before the damage and costs no other.
//!     if let Err(error) = base.game(number, &mut game, &mut diagnostics) {
//!         eprintln!("{error}");
//!     }
//!     println!("{} - {}, {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! # Ok::<(), cbf::Error>(())
//! ```
//!
//! Write one, here in memory, and read it back:
//!
//! ```
//! use std::io::Cursor;
//!
//! use cbf::{CreateOptions, Database, OpenOptions, Writer};
//! use chess_core::{Diagnostics, Game};
//!
//! let mut game = Game::new();
//! game.header.set("White", "Karpov,A");
//! game.push_move("e2e4".parse()?);
//! let (cbf, cbi) = (Cursor::new(Vec::new()), Cursor::new(Vec::new()));
//! let mut writer = Writer::new(cbf, cbi, &CreateOptions::default())?;
//! let mut losses = Vec::new();
//! writer.write(&game, &mut losses)?;
//! let (cbf, cbi) = writer.into_parts()?;
//! assert!(losses.is_empty());
//!
//! let (cbf, cbi) = (cbf.into_inner(), cbi.into_inner());
//! let base = Database::from_parts(cbf, Some(cbi), &OpenOptions::default())?;
//! let mut again = Game::new();
//! base.game(0, &mut again, &mut Diagnostics::strict())?;
//! assert!(again == game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
//! warning, or with [`Diagnostics::strict`](chess_core::Diagnostics::strict) an error.
//!
//! # Limits
//! Texts have one byte a letter: CP850 unless [`OpenOptions::encoding`] says otherwise. A base
//! ends at 4 GiB. What a record cannot hold (days and months, null moves, names beyond 63 bytes,
//! and so on) is reported game by game as [`Loss`](chess_core::seam::Loss).
//!
//! # Features
//! None.

mod comments;
mod database;
mod decode;
mod dump;
mod encode;
mod error;
pub mod fbk;
mod finder;
mod glyphs;
pub mod header;
pub mod index;
pub mod layout;
pub mod names;
mod numbering;
mod options;
mod place;
mod quirk;
mod record;
mod seam;
mod setup;
pub mod tags;
mod walk;
mod writer;

pub use database::Database;
pub use error::{Error, ErrorKind};
pub use options::{CreateOptions, Dialect, OpenOptions, Records};
pub use quirk::Quirk;
pub use seam::FORMATS;
pub use writer::Writer;
