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
//! | promotion codes as described (knight 1 to queen 4) | yes, told by evidence | no | yes, and they stay |
//! | bases an import left unfinished | yes | | yes |
//! | "version 1" of 2018, never programmed | no | no | no |
//!
//! # Write
//! ```
//! use dcg::prelude::*;
//!
//! let mut game = Game::new();
//! game.header.set("White", "Anderssen, Adolf");
//! game.push_move("e2e4".parse()?);
//!
//! let mut writer = dcg::Writer::in_memory();
//! let mut losses = Vec::new();
//! writer.write(&game, &mut losses)?;
//! assert!(losses.is_empty(), "DCG holds all of it");
//! let files = writer.into_parts()?;
//! assert!(files.dci.starts_with(b"SimpleCDbi"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Writer::create`] writes to disk. Where threads share the work, each has an [`Encoder`], and
//! [`append`](WriteGames::append) does what must be done in order.
//!
//! # Read
//! ```
//! # use dcg::prelude::*;
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("base.dci");
//! # let mut writer = dcg::Writer::create(&path)?;
//! # writer.write(&Game::new(), &mut Vec::new())?;
//! # writer.finish()?;
//! let base = dcg::Database::open(path)?;
//! for game in base.games() {
//!     // A damaged game costs no other.
//!     let game = game?;
//!     println!("{} - {}: {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Database::from_parts`] takes the files from anywhere, as byte vectors. A
//! [`reader`](ReadGames::reader) reads any game by its number into the same [`Game`] again and
//! again. Squares without a board come from [`moves`].
//!
//! # Edit
//! ```
//! # use dcg::prelude::*;
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("base.dci");
//! # let mut writer = dcg::Writer::create(&path)?;
//! # (0..8).try_for_each(|_| writer.write(&Game::new(), &mut Vec::new()))?;
//! # writer.finish()?;
//! let mut editor = dcg::Editor::open(&path)?;
//! editor.set_deleted(3, true)?;
//! let new = editor.replace(7, &Game::new(), &mut Vec::new())?;
//! editor.set_default_game(new)?;
//! editor.compact()?;
//! # assert_eq!(dcg::Database::open(path)?.len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! Marking a game takes the same time in a base of any size; the first game that is added takes a look
//! at all others, so that it changes none of them. Whatever moment an edit stops, the base opens
//! with every game it had.
//!
//! # Files of a base
//! `.dci` index, `.dcn` players, `.dcs` sites, `.dce` events, `.dcg` games. Specification:
//! docs/formats/dcg.md in the repository; the constants a porter needs first: [`layout`].
//!
//! # Errors and strictness
//! Every [`Error`] has a place. What is tolerated is a [`Quirk`]: a warning in lenient
//! [`Diagnostics`], that game's error in strict ones. [`OpenOptions`] says whether
//! opening is strict.
//!
//! # Limits
//! A name has 36 bytes; rounds are whole numbers; no Chess960; tags beyond the roster, Elo and
//! ECO are lost, and reported as such. Memory holds the names of a base and no more; name files
//! above 64 MiB are read from the disk when reading.

mod annotations;
mod compact;
mod database;
mod decode;
mod dump;
mod edit;
mod encode;
mod error;
mod formats;
mod header;
mod index;
pub mod layout;
mod length;
mod line;
pub mod moves;
mod name_table;
mod names;
mod open;
mod options;
mod parts;
mod promotion;
mod quirk;
mod search;
mod writer;

pub use chess_core::{self, Game, Header};
pub use chess_store::{
    self, Diagnostics, EditGames, EncodeGames, Encoding, Location, Loss, LossKind, ReadGames,
    Scope, TextDecoder, Warning, WriteGames, prelude,
};
pub use database::{Database, State};
pub use decode::{RecordDecoder, RecordOptions};
pub use edit::Editor;
pub use encode::RecordEncoder;
pub use error::{Error, ErrorKind};
pub use formats::FORMATS;
pub use header::{DATE_TAG, ECO_TAG, RESULT_TAG, STATUS_TAG};
pub use index::{IndexEntry, IndexHeader};
pub use options::{CreateOptions, LongNames, OpenOptions};
pub use parts::Parts;
pub use promotion::{PromotionEvidence, PromotionNumbering, Promotions};
pub use quirk::Quirk;
pub use writer::{Encoded, Encoder, Writer};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
