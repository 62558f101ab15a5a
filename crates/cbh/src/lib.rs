//! Reads and writes ChessBase databases (CBH), and their archives.
//!
//! CBH is the format of Fritz and of ChessBase since version 6. A base is a family of files that
//! share a stem. ChessBase never documented the format. This crate is based on what others have
//! published and on genuine files, which it reproduces byte for byte. Nobody has opened a base that
//! it wrote in ChessBase yet.
//!
//! | | read | write |
//! |---|---|---|
//! | headers, names, teams, titles | yes | yes, derived fields and trees as ChessBase has them |
//! | moves, variations, start positions, Chess960 | modes 0, 4, 5, 10; 1 in part | modes 0 and 10 |
//! | annotations | all; those without a PGN equivalent as `[%cbh ...]` | yes, the same bytes |
//! | guiding texts | listed, never games | yes, as HTML |
//! | archives: `.cbv`, `.cbz` with its password | yes | `.cbv`, stored |
//! | `.2cbh`, of ChessBase 17: the module [`v2`] | experimental | experimental |
//!
//! # Write
//! ```
//! use cbh::{Game, Losses};
//!
//! let mut game = Game::new();
//! game.header.set("White", "Anderssen, Adolf");
//! game.push_move("e2e4".parse()?);
//!
//! let mut writer = cbh::Writer::in_memory();
//! let mut losses = Losses::new();
//! writer.write(&game, &mut losses)?;
//! assert!(losses.is_empty(), "CBH holds all of it");
//! let files = writer.into_bytes()?;
//! assert_eq!(files.cbh.len(), 92);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Writer::create`] writes to disk. To encode on several threads, give each its own [`Encoder`].
//! [`append`](Writer::append) then stores the encoded games in order.
//!
//! # Read
//! ```
//! # use cbh::{Game, Losses};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("base.cbh");
//! # let mut writer = cbh::Writer::create(&path)?;
//! # writer.write(&Game::new(), &mut Losses::new())?;
//! # writer.finish()?;
//! let base = cbh::Database::open(path)?;
//! for game in base.games() {
//!     // An error affects this game only.
//!     let game = game?;
//!     println!("{} - {}: {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! for text in base.guiding_texts() {
//!     println!("{:?}", text?.titles);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Database::from_parts`] opens files from other storage, such as byte vectors. A
//! [`reader`](Database::reader) reads games by number and can reuse one [`Game`].
//! `Database::open_archive` and the module `archive` read archives.
//!
//! # Files of a base
//! `.cbh` headers, `.cbg` moves, `.cba` annotations, `.cbp` players, `.cbt` tournaments, `.cbc`
//! annotators, `.cbs` sources, `.cbj` extended headers, `.cbe` teams, `.cbl` titles, `.cbtt`
//! extended tournament data, `.cbm` media. The specification is docs/formats/cbh.md in the
//! repository. Its constants are in [`layout`].
//!
//! # Errors and strictness
//! Every [`Error`] has a location. A tolerated deviation is a [`Quirk`]. Lenient [`Diagnostics`]
//! collect it as a warning; strict ones turn it into an error of the game. [`OpenOptions`] chooses
//! whether opening is strict. A base with guiding texts has a warning, because they are not read as
//! games.
//!
//! # Limits
//! Name fields have 16 to 50 bytes. Tags that docs/formats/cbh.md §10 does not list are dropped
//! and reported as losses. Memory holds only the names of a base. Opening reads the whole `.cbh`
//! once.
//!
//! # Features
//! `archive` (default): archives, with temporary files to unpack them.

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
mod fingerprint;
mod formats;
mod game;
mod gather;
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
mod records;
mod search;
mod setup;
mod tag_values;
mod tags;
mod texts;
mod tree;
pub mod v2;
mod verify;
mod writer;

pub use chess_core::{self, Game, Header};
pub use chess_store::io::{ReadAt, WriteAt};
pub use chess_store::{
    About, AnyError, Diagnostics, Encoding, Fact, Field, Games, GuidingText, Input, Inputs,
    Location, Loss, LossKind, Losses, Reader, Scope, TextDecoder, Warning,
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
pub use writer::{Encoded, Encoder, Writer};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
