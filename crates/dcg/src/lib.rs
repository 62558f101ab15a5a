//! Reads, writes and edits bases of the Simple Chess Database format (DCG). The move encoding can
//! be used alone.
//!
//! DCG is designed to be readable by anyone: a move is two squares, and listing a game needs no
//! rules of chess. Dominik Klein described it in 2017 and wrote pgn2dcg, dcg2pgn and a version of
//! his program Jerry for it. Description and program disagree in places. This crate follows the
//! program and reads both.
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
//! use dcg::{Game, Losses};
//!
//! let mut game = Game::new();
//! game.header.set("White", "Anderssen, Adolf");
//! game.push_move("e2e4".parse()?);
//!
//! let mut writer = dcg::Writer::in_memory();
//! let mut losses = Losses::new();
//! writer.write(&game, &mut losses)?;
//! assert!(losses.is_empty(), "DCG holds all of it");
//! let files = writer.into_bytes()?;
//! assert!(files.dci.starts_with(b"SimpleCDbi"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! A copy of a base also takes its facts, after the games: `writer.set_about(&base.about(), &mut
//! losses)`. Without that
//! call a copy has no default game.
//! [`Writer::create`] writes to disk. To encode on several threads, give each an [`Encoder`];
//! [`append`](Writer::append) is the serial part.
//!
//! # Read
//! ```
//! # use dcg::{Game, Losses};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("base.dci");
//! # let mut writer = dcg::Writer::create(&path)?;
//! # writer.write(&Game::new(), &mut Losses::new())?;
//! # writer.finish()?;
//! let base = dcg::Database::open(path)?;
//! for game in base.games() {
//!     // A damaged game costs no other.
//!     let game = game?;
//!     println!("{} - {}: {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Database::from_parts`] takes the files from any source, for example as byte vectors. A
//! [`reader`](Database::reader) reads any game by number into a reusable [`Game`]. [`moves`]
//! yields squares without a board.
//!
//! # Edit
//! ```
//! # use dcg::{Game, Losses};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("base.dci");
//! # let mut writer = dcg::Writer::create(&path)?;
//! # (0..8).try_for_each(|_| writer.write(&Game::new(), &mut Losses::new()))?;
//! # writer.finish()?;
//! let mut editor = dcg::Editor::open(&path)?;
//! editor.set_deleted(3, true)?;
//! let new = editor.replace(7, &Game::new(), &mut Losses::new())?;
//! editor.set_default_game(new)?;
//! editor.compact()?;
//! # assert_eq!(dcg::Database::open(path)?.len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! Marking a game takes constant time. The first append checks all existing games, so that it
//! changes none of them. If an edit stops at any point, the base still opens with all previous
//! games.
//!
//! # Files of a base
//! `.dci` index, `.dcn` players, `.dcs` sites, `.dce` events, `.dcg` games. The specification is
//! docs/formats/dcg.md in the repository; [`layout`] has its constants.
//!
//! # Errors and strictness
//! Every [`Error`] has a location. A [`Quirk`] is a tolerated deviation: a warning in lenient
//! [`Diagnostics`], an error of that game in strict ones. [`OpenOptions`] selects strict opening.
//!
//! # Limits
//! A name has 36 bytes, rounds are whole numbers, and there is no Chess960. Tags beyond the roster,
//! Elo and ECO are lost and reported as losses. Only the names of a base are kept in memory.
//! Readers do not load name files above 64 MiB.

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
pub use chess_store::io::{ReadAt, WriteAt};
pub use chess_store::{
    About, AnyError, Diagnostics, Encoding, Fact, Field, Games, Input, Inputs, Location, Loss,
    LossKind, Losses, Reader, Scope, TextDecoder, Warning,
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
