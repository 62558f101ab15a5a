//! Reads, writes and edits bases of the Simple Chess Database format (DCG), and its move encoding by itself.
//!
//! DCG is a format meant to be readable by anyone: a move is two squares, and no rule of chess is
//! needed to list a game. Dominik Klein described it in 2017 and wrote pgn2dcg, dcg2pgn and a
//! version of his program Jerry for it. The description and the program disagree in places; this
//! crate follows the program and reads both.
//!
//! | | read | write | edit |
//! |---|---|---|---|
//! | bases of pgn2dcg (39-byte index entries) | yes | yes, byte for byte | yes |
//! | bases of builds before 17 January 2017 (35-byte entries) | yes | no | delete, compact |
//! | promotion codes as described (knight 1 to queen 4) | yes, told by evidence | no | no |
//! | bases an import left unfinished | yes | | yes |
//! | "version 1" of 2018, never programmed | no | no | no |
//!
//! # Read
//! ```no_run
//! use chess_core::{Diagnostics, Game, seam::OpenOptions};
//!
//! let base = dcg::Database::open("base.dci".as_ref(), &OpenOptions::default())?;
//! let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
//! for number in 0..base.len() {
//!     // A damaged game costs no other, and `game` holds the moves before the damage.
//!     if let Err(error) = base.game(number, &mut game, &mut diagnostics) {
//!         eprintln!("{error}");
//!     }
//!     println!("{} - {}: {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! # Ok::<(), dcg::Error>(())
//! ```
//! [`Database::from_parts`] takes the files from anywhere, as byte vectors. Squares without a
//! board come from [`moves`].
//!
//! # Write
//! ```no_run
//! use chess_core::{Game, seam::CreateOptions};
//!
//! let mut writer = dcg::Writer::create("new.dci".as_ref(), &CreateOptions::default())?;
//! let mut game = Game::new();
//! game.header.set("White", "Anderssen, Adolf");
//! game.push_move("e2e4".parse().unwrap());
//! let mut losses = Vec::new();
//! writer.write(&game, &mut losses)?;
//! assert!(losses.is_empty(), "DCG holds all of it");
//! writer.finish()?;
//! # Ok::<(), dcg::Error>(())
//! ```
//! [`Encoder`] and [`decode_record`] go from a game to its record and back without any file.
//!
//! # Edit
//! ```no_run
//! use chess_core::{Game, seam::OpenOptions};
//!
//! let mut editor = dcg::Editor::open("base.dci".as_ref(), &OpenOptions::default())?;
//! editor.set_deleted(3, true)?;
//! let new = editor.replace(7, &Game::new(), &mut Vec::new())?;
//! editor.set_default_game(new)?;
//! editor.compact()?;
//! # Ok::<(), dcg::Error>(())
//! ```
//! Each but [`compact`](Editor::compact) takes the same time in a base of any size, and whatever
//! moment it stops, the base opens with every game it had.
//!
//! # Files of a base
//! `.dci` index, `.dcn` players, `.dcs` sites, `.dce` events, `.dcg` games. Specification:
//! docs/formats/dcg.md in the repository; the constants a porter needs first: [`layout`].
//!
//! # Errors and strictness
//! Every [`Error`] has a place. What is tolerated is a [`Quirk`]: a warning in lenient
//! [`Diagnostics`](chess_core::Diagnostics), that game's error in strict ones.
//!
//! # Limits
//! A name has 36 bytes; rounds are whole numbers; no Chess960; tags beyond the roster, Elo and
//! ECO are lost, and reported as such. Memory holds the names of a base and no more; name files
//! above 64 MiB are read from the disk when reading.

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
pub use header::{DATE_TAG, ECO_TAG, RESULT_TAG, STATUS_TAG};
pub use index::{IndexEntry, IndexHeader};
pub use promotion::{Evidence, Numbering, Promotions, code_of};
pub use quirk::Quirk;
pub use seam::FORMATS;
pub use writer::Writer;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
