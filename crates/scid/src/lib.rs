//! Reads, writes and edits the chess databases of Scid.
//!
//! [Scid](https://scid.sourceforge.net/) is a free chess database program of 1999 that is still at
//! work, as are its kin Scid vs PC and Scid on the go. Its bases are compact and quick to search;
//! large collections of games are handed about in them.
//!
//! | version | files | read | write | edit |
//! |---|---|---|---|---|
//! | 4 | `.si4 .sg4 .sn4` | yes | yes | yes |
//! | 5, with Chess960 | `.si5 .sg5 .sn5` | yes | yes | yes |
//! | 3 | `.si3 .sg3 .sn3` | yes | no | no |
//!
//! # Reading
//! ```no_run
//! use chess_core::{Diagnostics, Game};
//! use scid::Database;
//!
//! let base = Database::open("games.si4".as_ref(), &Default::default())?;
//! let mut game = Game::new();
//! for number in 0..base.len() {
//!     base.game(number, &mut game, &mut Diagnostics::lenient())?;
//!     println!("{} - {}: {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! # Ok::<(), scid::Error>(())
//! ```
//! [`Database::header`] reads the index alone; [`Database::from_parts`] takes bytes in memory.
//!
//! # Writing
//! ```no_run
//! use chess_core::Game;
//! use scid::Writer;
//!
//! let mut game = Game::new();
//! game.push_move("e2e4".parse().unwrap());
//! let mut writer = Writer::create("new.si4".as_ref(), &Default::default())?;
//! let mut losses = Vec::new();
//! writer.write(&game, &mut losses)?;
//! writer.finish()?;
//! # Ok::<(), scid::Error>(())
//! ```
//!
//! # Editing
//! ```no_run
//! use scid::Editor;
//!
//! let mut editor = Editor::open("games.si4".as_ref(), &Default::default())?;
//! editor.set_deleted(3, true)?;
//! editor.compact()?;
//! # Ok::<(), scid::Error>(())
//! ```
//! Whatever moment a change stops, the base opens with every game it had.
//!
//! # The files
//! The index has an entry of fixed size for each game: ids of names, date, ratings, flags, and where
//! its record is. The names file has each name once. The games file has the records: tags, moves as
//! one byte each, comments. docs/formats/scid.md in the repository is the whole description;
//! [`layout`] has its numbers.
//!
//! # Errors and strictness
//! [`Error`] says what and where: file, byte, game, ply. After an error in a game, the [`Game`] holds
//! what came before it and the next game reads. A [`Quirk`] is what is tolerated: a warning, or an
//! error under [`Diagnostics::strict`]. Moves are not judged by the rules of chess: old bases hold
//! illegal ones.
//!
//! # Limits
//! 16,777,214 games and 4 GiB of records in version 4; 131,071 bytes a record. Only names are kept in
//! memory. The line of Scid's opening dictionary in each entry is written as none, which makes some
//! of Scid's searches slower.
//!
//! [`Game`]: chess_core::Game
//! [`Diagnostics::strict`]: chess_core::Diagnostics::strict

mod board;
mod codes;
mod database;
mod decode;
mod dump;
mod edit;
mod encode;
mod error;
mod header;
mod index;
pub mod layout;
mod main_line;
mod moves;
mod names;
mod names_5;
mod plan;
mod quirk;
mod roster;
mod seam;
mod search;
mod table;
mod tags;
mod verify;
mod writer;

pub use database::Database;
pub use decode::decode_record;
pub use edit::{Editor, NamedFile, SwapFile};
pub use encode::{Encoder, Summary};
pub use error::{Error, ErrorKind, MoveReason};
pub use header::Info;
pub use index::{Counts, Derived, Entry, NameIds, Rating, count_code};
pub use layout::{Extensions, Version};
pub use names::{NameKind, NameList, Names, RawNames, compare_names};
pub use quirk::Quirk;
pub use seam::FORMATS;
pub use writer::Writer;
