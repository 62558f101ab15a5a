//! Reads and writes Chess Assistant databases.
//!
//! Chess Assistant is a Windows program by Convekta, later ChessOK, first sold in 1991. Its format
//! is closed. This crate follows the only known description, by Dmitry Bodyagin from data of
//! Alexander Nikulin. **No base written by the program itself has been available.** The description
//! leaves some questions open. A self-check of the first games of each base settles one of them
//! ([`Reading`]). Unknown bytes are kept as tags. [`details`](Database::details)
//! counts the others.
//!
//! | | |
//! |---|---|
//! | read | version 1.3 of the base, 1.1 of the names; others with a warning |
//! | write | the same; not tried in the program itself |
//! | change in place | no |
//! | not supported | folders (classifier), trees, Chess960 |
//!
//! # Read a base
//!
//! ```no_run
//! let base = chessassistant::Database::open("games.cdp")?;
//! for game in base.games() {
//!     match game {
//!         Ok(game) => println!("{} - {}", game.header.white, game.header.black),
//!         Err(error) => println!("{error}"),
//!     }
//! }
//! # Ok::<(), chessassistant::Error>(())
//! ```
//!
//! # Write a base, and read it again, in memory
//!
//! ```
//! use chessassistant::{Database, Game, Losses, OpenOptions, Writer};
//!
//! let mut writer = Writer::in_memory();
//! let mut losses = Losses::new();
//! writer.write(&Game::new(), &mut losses)?;
//! let base = Database::from_parts(writer.into_bytes()?, &OpenOptions::default())?;
//! assert_eq!(base.len(), 1);
//! # Ok::<(), chessassistant::Error>(())
//! ```
//!
//! A copy of a base also takes its comment: `writer.set_about(&base.about(), &mut losses)`.
//!
//! # Print what answers the open questions
//!
//! ```
//! # use chessassistant::{Database, OpenOptions, Writer};
//! # let files = Writer::in_memory().into_bytes()?;
//! let base = Database::from_parts(files, &OpenOptions::default())?;
//! for (question, answer) in base.details() {
//!     println!("{question}: {answer}");
//! }
//! # Ok::<(), chessassistant::Error>(())
//! ```
//!
//! # The files of a base
//!
//! | extension | what | |
//! |---|---|---|
//! | cdp | version, number of games, comment | may be missing |
//! | emb | names of players, events, places, sources: see [`volume`] | may be missing |
//! | d00 | headers, 38 bytes each | |
//! | a02 | addresses of the records | |
//! | d02 | records: start position, moves, branches, comments | |
//! | a01 d01 axx dxx bo0 st0 | not described | not needed, not written |
//!
//! The specification is docs/formats/chessassistant.md. The code cites its sections.
//!
//! # Errors and strictness
//!
//! Damage in a game affects only that game ([`Scope::Game`]). Damage in a name affects only that
//! name, which reads as `?` with a warning. Each tolerated deviation is a [`Quirk`]: an error with
//! [`Diagnostics::strict`], and on opening with [`OpenOptions::strict`].
//!
//! # Limits
//!
//! A record has at most 32,767 bytes, the D02 and the volume 2 GiB. A table has at most 16 million
//! names of 255 bytes. Names are kept in memory, bounded by the size of the volume even if it is
//! damaged. Games are read on demand. At most 256 redirects are followed.

mod board;
mod charset;
mod codes;
mod comment;
mod database;
mod date;
mod decode;
mod description;
mod dump;
mod encode;
mod encoder;
mod error;
mod formats;
mod guess;
mod header;
mod layout;
mod names;
mod open;
mod options;
mod quirk;
mod reading;
mod record;
mod row;
mod search;
mod selfcheck;
mod setup;
mod survey;
mod symbols;
mod tables;
pub mod volume;
mod writer;

pub use chess_core;
pub use chess_core::{Date, Game, Header};
pub use chess_store::io::{ReadAt, WriteAt};
pub use chess_store::{
    About, AnyError, Diagnostics, Encoding, Fact, Field, Games, Input, Inputs, Location, Loss,
    LossKind, Losses, Reader, Scope, Warning,
};
pub use database::{Database, Parts, State};
pub use decode::Decoder;
pub use encoder::{Encoded, Encoder};
pub use error::{Error, ErrorKind};
pub use formats::FORMATS;
pub use names::{NameKind, NameTable, PlayerInfo, RawName};
pub use options::{CreateOptions, OpenOptions, Symbols};
pub use quirk::Quirk;
pub use reading::Reading;
pub use writer::Writer;
