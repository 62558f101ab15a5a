//! Reads and writes ChessBase databases (CBH), and their archives.
//!
//! CBH is the format of ChessBase since version 6 and of Fritz: a family of files of one name.
//! ChessBase never described it; this crate is written from what others have published and from
//! genuine files, of which it gives the bytes back. No base it wrote has been opened in ChessBase.
//!
//! | | read | write |
//! |---|---|---|
//! | headers, names, teams, titles | yes | yes, derived fields and trees as ChessBase has them |
//! | moves, variations, start positions, Chess960 | modes 0, 4, 5, 10; 1 in part | modes 0 and 10 |
//! | annotations | all; what has no shape in PGN as `[%cbh ...]` | yes, the same bytes |
//! | guiding texts | listed, never games | no |
//! | archives: `.cbv`, `.cbz` with its password | yes | `.cbv`, stored |
//! | 2CBH, of ChessBase 17 | no | no |
//!
//! # Write
//! ```
//! use cbh::prelude::*;
//!
//! let mut game = Game::new();
//! game.header.set("White", "Anderssen, Adolf");
//! game.push_move("e2e4".parse()?);
//!
//! let mut writer = cbh::Writer::in_memory();
//! let mut losses = Vec::new();
//! writer.write(&game, &mut losses)?;
//! assert!(losses.is_empty(), "CBH holds all of it");
//! let files = writer.into_parts()?;
//! assert_eq!(files.cbh.len(), 92);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Writer::create`] writes to disk. Where threads share the work, each has an [`Encoder`], and
//! [`append`](WriteGames::append) does what must be done in order.
//!
//! # Read
//! ```
//! # use cbh::prelude::*;
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("base.cbh");
//! # let mut writer = cbh::Writer::create(&path)?;
//! # writer.write(&Game::new(), &mut Vec::new())?;
//! # writer.finish()?;
//! let base = cbh::Database::open(path)?;
//! for game in base.games() {
//!     // A damaged game costs no other.
//!     let game = game?;
//!     println!("{} - {}: {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! for text in base.guiding_texts() {
//!     println!("{:?}", text?.titles);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Database::from_parts`] takes the files from anywhere, as byte vectors. A
//! [`reader`](ReadGames::reader) reads any game by its number into the same [`Game`] again and
//! again. `Database::open_archive` and the module `archive` read archives.
//!
//! # Files of a base
//! `.cbh` headers, `.cbg` moves, `.cba` annotations, `.cbp` players, `.cbt` tournaments, `.cbc`
//! annotators, `.cbs` sources, `.cbj` more of the headers, `.cbe` teams, `.cbl` titles, `.cbtt`,
//! `.cbm`. Specification: docs/formats/cbh.md in the repository; the constants a porter needs
//! first: [`layout`].
//!
//! # Errors and strictness
//! Every [`Error`] has a place. What is tolerated is a [`Quirk`]: a warning in lenient
//! [`Diagnostics`], that game's error in strict ones. [`OpenOptions`] says whether opening is
//! strict. A base with guiding texts has a warning, as these are not read as games.
//!
//! # Limits
//! Names have 16 to 50 bytes; tags beyond those of docs/formats/cbh.md §10 are lost, and reported
//! as such. Memory holds the names of a base and no more; opening reads all of the `.cbh` once.
//!
//! # Features
//! `archive`, on unless turned off: archives, and temporary files to unpack them into.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod annotations;
#[cfg(feature = "archive")]
pub mod archive;
mod board;
mod database;
mod decode;
mod derived;
mod details;
mod dump;
mod encode;
mod encode_header;
mod entities;
mod entity_tags;
mod error;
mod extended;
mod formats;
mod game;
mod header;
pub mod layout;
mod moves;
mod name_texts;
mod names;
mod open;
mod options;
#[cfg(test)]
mod page;
mod parts;
mod quirk;
mod record;
mod search;
mod setup;
mod tags;
mod texts;
mod tree;
mod verify;
mod writer;

pub use chess_core::{self, Game, Header};
pub use chess_store::{
    self, Diagnostics, EncodeGames, Encoding, Location, Loss, LossKind, ReadGames, Scope,
    TextDecoder, Warning, WriteGames, prelude,
};
pub use database::{Database, State};
pub use entities::kind::EntityKind;
pub use error::{Error, ErrorKind};
pub use formats::FORMATS;
pub use header::{FileHeader, GameRecord};
pub use options::{CreateOptions, LongNames, OpenOptions, Texts};
pub use parts::Parts;
pub use quirk::Quirk;
pub use tags::{
    BLACK_TEAM_TAG, EVALUATION_TAG, EVENT_FLAGS_TAG, RESULT_TAG, TITLE_TAG, WHITE_TEAM_TAG,
};
pub use texts::{GuidingText, LANGUAGES};
pub use writer::{Encoded, Encoder, Writer};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
