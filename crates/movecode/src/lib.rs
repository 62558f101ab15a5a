//! Reads and writes jose's byte code of games, and the `.jose` archives that hold it.
//!
//! [jose](https://github.com/peteschaefer/jose) is a chess database program. It keeps a game as a
//! stream of bytes, mostly one a move, and exports games as archives: MyISAM tables in a packed
//! tar. The codec ([`decode_game`], [`encode_game`]) works on bytes in memory and needs no
//! archive; [`Database`] and [`Writer`] are the archive.
//!
//! | | read | write |
//! |---|---|---|
//! | codes as jose writes them, 2002 to 1.5 | yes | as jose 1.5, byte for byte |
//! | codes as jose's published description has them | by option | no |
//! | archive: tar.gz | yes | yes |
//! | archive: tar, zip, bzip2, an unpacked folder | yes | no |
//! | archive: RAR | with the feature `rar`; else it says what unpacks it | no |
//!
//! # Codes
//! ```
//! use chess_core::{Diagnostics, Game, Location};
//! use movecode::{DecodeOptions, EncodedGame, GameCode, decode_game, encode_game};
//!
//! // 1. d4 Nf6 {Indian} 1/2-1/2
//! let code = GameCode { fen: None, code: b"\x0f\x2b\xe0\xd1\xff", comments: b"Indian\0" };
//! let mut game = Game::new();
//! let mut diagnostics = Diagnostics::lenient();
//! decode_game(&code, &mut game, &DecodeOptions::default(), &mut diagnostics, Location::default())?;
//! assert_eq!(game.ply_count(), 2);
//!
//! let mut encoded = EncodedGame::default();
//! encode_game(&game, &mut encoded, &mut Vec::new())?;
//! assert_eq!(encoded.code, code.code);
//! assert_eq!(encoded.comments, code.comments);
//! # Ok::<(), movecode::Error>(())
//! ```
//!
//! # Archives
#![cfg_attr(feature = "archive", doc = "```no_run")]
#![cfg_attr(not(feature = "archive"), doc = "```ignore")]
//! use chess_core::{Diagnostics, Game};
//! use movecode::{Database, Writer};
//!
//! let base = Database::open("games.jose".as_ref(), &Default::default())?;
//! let mut copy = Writer::create("copy.jose".as_ref(), &Default::default())?;
//! let (mut game, mut losses) = (Game::new(), Vec::new());
//! for number in 0..base.len() {
//!     base.game(number, &mut game, &mut Diagnostics::lenient())?;
//!     copy.write(&game, &mut losses)?;
//! }
//! copy.finish()?;
//! # Ok::<(), movecode::Error>(())
//! ```
//!
//! # Files
//! An archive holds `IO_Game`, `IO_Player`, `IO_Event`, `IO_Site`, `IO_Opening`, `IO_Collection`
//! and `MetaInfo`, each as `.frm` (columns), `.MYD` (rows) and `.MYI` (state; not read). Columns
//! are found by name, so archives of other versions of jose read too.
//!
//! The specification is docs/formats/movecode.md; comments in the code cite its sections.
//!
//! # Errors and strictness
//! An [`Error`] tells file, offset, game and half-move. What is odd but can be read is a
//! [`Quirk`]: a warning, or with [`Diagnostics::strict`](chess_core::Diagnostics::strict) an
//! error. A damaged row costs its game only. What a game loses in writing is told as
//! [`Loss`](chess_core::seam::Loss)es.
//!
//! # Limits
//! Variations 4096 deep. An archive may unpack to 64 MiB and 200 times its size. Rows stay in
//! their file, or in a temporary one without a name; memory grows with the names only.
//!
//! # Features
//! `archive` (default) brings the archive and what unpacks it; without it only the codec is left.
//! `rar` reads archives in RAR, with a decoder that takes half a minute to build.

mod codes;
#[cfg(feature = "archive")]
mod container;
#[cfg(feature = "archive")]
mod database;
mod decode;
mod directions;
mod dump;
mod encode;
mod error;
#[cfg(feature = "archive")]
mod header;
#[cfg(feature = "archive")]
mod index;
#[cfg(feature = "archive")]
mod info;
pub mod layout;
mod moves;
#[cfg(feature = "archive")]
mod myisam;
#[cfg(feature = "archive")]
mod names;
mod quirk;
#[cfg(feature = "archive")]
mod row_dump;
#[cfg(feature = "archive")]
mod row_writer;
#[cfg(feature = "archive")]
mod schema;
#[cfg(feature = "archive")]
mod seam;
#[cfg(feature = "archive")]
mod small_tables;
mod text;
mod units;
mod walk;
#[cfg(feature = "archive")]
mod writer;

#[cfg(feature = "archive")]
pub use database::Database;
pub use decode::{DecodeOptions, Dialect, GameCode, decode_game};
pub use dump::{dump_comments, dump_game};
pub use encode::{EncodedGame, encode_game};
pub use error::{Error, ErrorKind};
#[cfg(feature = "archive")]
pub use header::COLLECTION_TAG;
pub use quirk::Quirk;
#[cfg(feature = "archive")]
pub use seam::FORMATS;
#[cfg(feature = "archive")]
pub use writer::Writer;
