//! Reads, writes and edits the chess databases of Scid.
//!
//! [Scid](https://scid.sourceforge.net/) is a free chess database program, first released in 1999
//! and still in use, as are its relatives Scid vs PC and Scid on the go. Its bases are compact and
//! quick to search. Large game collections are distributed in this format.
//!
//! | version | files | read | write | edit |
//! |---|---|---|---|---|
//! | 4 | `.si4 .sg4 .sn4` | yes | yes | yes |
//! | 5, with Chess960 | `.si5 .sg5 .sn5` | yes | yes | yes |
//! | 3 | `.si3 .sg3 .sn3` | yes | no | no |
//!
//! # Reading
//! ```
//! use scid::Database;
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # std::env::set_current_dir(&folder).unwrap();
//! # scid::Writer::create("games.si4")?.finish()?;
//! let base = Database::open("games.si4")?;
//! for game in base.games() {
//!     let game = game?;
//!     println!("{} - {}: {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! # Ok::<(), scid::Error>(())
//! ```
//! [`reader`](Database::reader) reads any game by number into a reusable [`Game`], or only its
//! header, which needs only the index. Each thread has its own reader.
//!
//! # Writing
//! ```
//! use scid::{Database, Game, Losses, Writer};
//!
//! let mut game = Game::new();
//! game.push_move("e2e4".parse().unwrap());
//! let mut writer = Writer::in_memory(); // or Writer::create("new.si4")?
//! let mut losses = Losses::new();
//! writer.write(&game, &mut losses)?;
//! let files = writer.into_bytes()?; // or writer.finish()?
//!
//! // The bytes of a base can be read as they are.
//! let base = Database::from_parts(files, &Default::default())?;
//! assert_eq!(base.games().next().unwrap()?, game);
//! # Ok::<(), scid::Error>(())
//! ```
//! A copy of a base also takes its facts, after the games: `writer.set_about(&base.about(), &mut
//! losses)`. Without
//! that call a copy has no description, type, names of flags and default game.
//! To encode on several threads, give each an [`Encoder`]; one thread [appends](Writer::append) the
//! results.
//!
//! # Editing
//! ```
//! use scid::Editor;
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # std::env::set_current_dir(&folder).unwrap();
//! # let mut writer = scid::Writer::create("games.si4")?;
//! # writer.write(&scid::Game::new(), &mut scid::Losses::new())?;
//! # writer.finish()?;
//! let mut editor = Editor::open("games.si4")?;
//! editor.set_deleted(0, true)?;
//! editor.compact()?;
//! # Ok::<(), scid::Error>(())
//! ```
//! If an edit stops at any point, the base still opens with all previous games.
//!
//! # The files
//! The index has an entry of fixed size for each game: name ids, date, ratings, flags, and the
//! offset of its record. The names file has each name once. The games file has the records: tags,
//! moves of one byte each, comments. The specification is docs/formats/scid.md in the repository;
//! [`layout`] has its constants.
//!
//! # Errors and strictness
//! An [`Error`] has a location: file, byte, game, ply. After an error in a game, the [`Game`] holds
//! everything before the damage, and other games are unaffected. A [`Quirk`] is a tolerated
//! deviation: a warning, or an error under [`Diagnostics::strict`]. Moves are not checked for
//! legality, because old bases hold illegal ones.
//!
//! # Limits
//! Version 4 holds 16,777,214 games and 4 GiB of records. A record has at most 131,071 bytes. Only
//! names are kept in memory. At most 1,000 games that the header counts and the index lacks are
//! listed.

mod bits;
mod board;
mod codes;
mod database;
mod decode;
mod dump;
mod edit;
mod encode;
mod encoder;
mod error;
mod facts;
mod fields;

mod formats;
mod header;
mod index;
pub mod layout;
mod moves;
mod name_index;
mod name_table;
mod names;
mod names_4;
mod names_5;
mod names_restored;
mod opening_lines;
mod options;
mod output;
mod parts;
mod quirk;
mod record;
mod record_notes;
mod record_scan;
mod record_tags;
mod roster;
mod salvage;
mod scan;
mod search;
mod statistics;
mod stream;
mod tag_placement;
mod tags;
mod unmarked;
mod verify;
mod writer;

pub use chess_core;
pub use chess_core::{Game, Header, Position};
pub use chess_store::io::{ReadAt, WriteAt};
pub use chess_store::{
    About, AnyError, Diagnostics, Encoding, Fact, Field, Games, Input, Inputs, Location, Loss,
    LossKind, Losses, Reader, Scope, TextDecoder, Warning,
};

pub use database::{Database, State};
pub use decode::decode_record;
pub use edit::{DiskFiles, Editor, MemoryFiles, NewFiles};
pub use encoder::{Encoded, Encoder};
pub use error::{Error, ErrorKind, MoveReason};
pub use formats::FORMATS;
pub use header::Info;
pub use index::{Counts, Derived, IndexEntry, NameIds, Rating, count_code};
pub use layout::{Extensions, Version};
pub use names::{NameKind, NameList, Names, compare_names};
pub use options::{CreateOptions, OpenOptions};
pub use parts::Parts;
pub use quirk::Quirk;
pub use writer::Writer;
