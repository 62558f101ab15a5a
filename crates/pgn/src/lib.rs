//! Portable Game Notation: chess games as text, which every chess program reads and writes.
//!
//! The standard is by Steven J. Edwards, 1994. docs/formats/pgn.md describes what the standard leaves
//! open, and what this crate reads beyond it. Comments cite its sections as `pgn §n`.
//!
//! | | read | write |
//! |---|---|---|
//! | games in import and export format | yes, as a stream | export format |
//! | SAN; long algebraic and other spellings | yes, checked against the rules | SAN |
//! | Chess960, start positions, null moves | yes | yes |
//! | UTF-8; Windows-1252 and all other one-byte encodings | yes | yes |
//! | other variants of chess | as damaged games, by the rules of chess | as they were read |
//! | UTF-16 | no | no |
//!
//! # Read
//! A [`Reader`] reads a file, a text in memory, or any other stream. [`read_all`] is for small texts.
//!
//! ```
//! let mut reader = pgn::Reader::new("1. e4 e5 2. Nf3 {good} (2. f4) Nc6 *".as_bytes());
//! for game in reader.games() {
//!     assert_eq!(game?.ply_count(), 4);
//! }
//! # Ok::<(), pgn::Error>(())
//! ```
//!
//! To read on several threads, use a [`Cutter`], which cuts the stream into blocks of whole games.
//! A [`Parser`] on each thread reads the games of a block.
//!
//! # Write
//! A [`Writer`] writes games to a file, to memory, or to any other stream. An [`Exporter`] appends
//! them to a byte buffer, and [`to_string`] formats one game.
//!
//! ```
//! # let games = pgn::read_all("1. e4 e5")?;
//! let mut losses = pgn::Losses::new();
//! let mut writer = pgn::Writer::in_memory();
//! for game in &games {
//!     writer.write(game, &mut losses)?;
//! }
//! let text = writer.into_bytes()?;
//! assert!(text.ends_with(b"1. e4 e5 *\n\n") && losses.is_empty());
//! # Ok::<(), pgn::Error>(())
//! ```
//!
//! # Single moves
//! [`San`] formats a move, and [`parse_san`] parses one.
//!
//! ```
//! use pgn::chess_core::Position;
//!
//! let start = Position::start();
//! let m = pgn::parse_san(&start, "Ng1-f3")?;
//! assert_eq!(pgn::San::new(&start, m).as_str(), "Nf3");
//! # Ok::<(), pgn::SanError>(())
//! ```
//!
//! # Errors and strictness
//! After an [`Error`] in a game, the game holds what could be read, and the next call reads the next
//! game. Deviations from the standard are [`Quirk`]s: lenient [`Diagnostics`] collect them as
//! warnings, strict [`Diagnostics`] return them as errors.
//!
//! # Limits
//! A game has at most [`MAX_GAME`] bytes and 16,384 levels of variations. NAGs go up to 65,535.

mod about;
mod block;
mod boundary;
mod cursor;
mod cutter;
mod date_order;
mod error;
mod export;
mod formats;
mod glyph;
mod known_text;
mod letters;
mod line;
mod movetext;
mod notes;
mod options;
mod parse;
mod place;
mod probe;
mod quirk;
mod reader;
mod san;
mod san_parse;
mod san_plain;
mod san_special;
mod scan;
mod standard;
mod tags;
mod text;
mod word;
mod writer;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use chess_core::{self, Game, Header};
pub use chess_store::{
    About, AnyError, Block, BlockStart, Diagnostics, Encoding, Fact, InBlock, Input, Location,
    Loss, LossKind, Losses, Scope, StreamInput, Warning,
};
pub use cutter::{Cutter, MAX_GAME};
pub use error::{Error, ErrorKind};
pub use export::{Exporter, to_string, write_game, write_tag};
pub use formats::FORMATS;
pub use options::{CreateOptions, OpenOptions};
pub use parse::Parser;
pub use quirk::Quirk;
pub use reader::{Games, IntoGames, Reader, read_all};
pub use san::{San, write_san};
pub use san_parse::{SanError, parse_san};
pub use writer::{Encoder, Writer};
