//! Reads and writes jose's byte code of games, and the `.jose` archives that hold it.
//!
//! [jose](https://github.com/peteschaefer/jose) is a chess database program. It keeps a game as a
//! stream of bytes, mostly one per move, and exports games as archives: MyISAM tables in a packed
//! tar. The codec ([`decode_game`], [`encode_game`]) works on bytes in memory and needs no
//! archive; [`Database`] and [`Writer`] are the archive.
//!
//! | | read | write |
//! |---|---|---|
//! | codes as jose writes them, 2002 to 1.5 | yes | as jose 1.5, byte for byte |
//! | codes as jose's published description has them | by option | no |
//! | archive: tar.gz | yes | yes |
//! | archive: tar, zip, bzip2, an unpacked folder | yes | no |
//! | archive: RAR | with the feature `rar`; else the error names a program that unpacks it | no |
//!
//! # Codes
//! ```
//! use movecode::{DecodeOptions, Diagnostics, EncodedGame, Game, GameCode, Location};
//!
//! // 1. d4 Nf6 {Indian} 1/2-1/2
//! let code = GameCode { fen: None, code: b"\x0f\x2b\xe0\xd1\xff", comments: b"Indian\0" };
//! let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
//! let (options, at) = (DecodeOptions::default(), Location::default());
//! movecode::decode_game(&code, &mut game, &options, &mut diagnostics, at)?;
//! assert_eq!(game.ply_count(), 2);
//!
//! let mut encoded = EncodedGame::default();
//! movecode::encode_game(&game, &mut encoded, &mut movecode::Losses::new())?;
//! assert_eq!((encoded.code, encoded.comments), (code.code.to_vec(), code.comments.to_vec()));
//! # Ok::<(), movecode::Error>(())
//! ```
//!
//! # Archives
//! The games of an archive, as a [`Database`]:
#![cfg_attr(feature = "archive", doc = "```")]
#![cfg_attr(not(feature = "archive"), doc = "```ignore")]
//! use movecode::Database;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/movecode/basic/base.jose");
//! # if std::path::Path::new(path).exists() {
//! let base = Database::open(path)?;
//! for game in base.games() {
//!     println!("{}", game?.header.white);
//! }
//! # }
//! # Ok::<(), movecode::Error>(())
//! ```
//!
//! Write an archive in memory and read it, reusing one game. [`create`](Writer::create) and
//! [`finish`](Writer::finish) write a file instead:
#![cfg_attr(feature = "archive", doc = "```")]
#![cfg_attr(not(feature = "archive"), doc = "```ignore")]
//! use movecode::{Database, Diagnostics, Game, Losses, OpenOptions, Writer};
//!
//! let (mut game, mut losses) = (Game::new(), Losses::new());
//! let mut writer = Writer::in_memory();
//! writer.write(&game, &mut losses)?;
//! let archive = writer.into_bytes()?;
//!
//! let base = Database::from_archive(std::io::Cursor::new(&archive), &OpenOptions::default())?;
//! let (mut reader, mut diagnostics) = (base.reader(), Diagnostics::strict());
//! while reader.read_game(&mut game, &mut diagnostics)? {
//!     assert_eq!(game.ply_count(), 0);
//! }
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
//! An [`Error`] has a location: file, offset, game and ply. A [`Quirk`] is a tolerable deviation. It
//! is a warning, or an error with [`Diagnostics::strict`] and, on opening, with
//! [`strict`](OpenOptions::strict). A damaged row affects its game only. Data lost in writing is
//! reported as [`Loss`].
//!
//! # Limits
//! Variations nest up to 4096 deep. An archive may unpack to 64 MiB plus 200 times its size, over all
//! layers and files. [`OpenOptions::max_unpacked`] changes this limit. Rows stay in their file or in
//! an unnamed temporary file, so memory grows with the names only. Without temporary files (wasm32),
//! rows are held in memory.
//!
//! # Threads
//! Many threads can read a [`Database`], each with its own [`reader`](Database::reader),
//! and encode for a [`Writer`]. Finishing a writer compresses on one thread per core, or on the number
//! of threads in [`CreateOptions`].
//!
//! # Features
//! `archive` (default) provides archives and their decompression; without it only the codec is built.
//! `rar` reads archives in RAR, with a decoder that takes half a minute to build.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "archive"), allow(rustdoc::broken_intra_doc_links, reason = "archives"))]

mod board;
mod codes;
mod decode;
mod directions;
mod dump;
mod encode;
mod error;
#[cfg_attr(not(feature = "archive"), allow(dead_code, reason = "only archives have the column"))]
mod evals;
pub mod layout;
mod moves;
mod quirk;
mod text;
mod units;

#[cfg(feature = "archive")]
mod container;
#[cfg(feature = "archive")]
mod database;
#[cfg(feature = "archive")]
mod encoder;
#[cfg(feature = "archive")]
mod formats;
#[cfg(feature = "archive")]
mod gzip;
#[cfg(feature = "archive")]
mod header;
#[cfg(feature = "archive")]
mod ids;
#[cfg(feature = "archive")]
mod index;
#[cfg(feature = "archive")]
mod info;
#[cfg(feature = "archive")]
mod myisam;
#[cfg(feature = "archive")]
mod names;
#[cfg(feature = "archive")]
mod options;
#[cfg(feature = "archive")]
mod row_dump;
#[cfg(feature = "archive")]
mod row_writer;
#[cfg(feature = "archive")]
mod schema;
#[cfg(feature = "archive")]
mod small_tables;
#[cfg(feature = "archive")]
mod writer;

pub use chess_core;
pub use chess_core::{Game, Header};
pub use chess_store::io::{ReadAt, WriteAt};
pub use chess_store::{
    About, AnyError, Diagnostics, Encoding, Fact, Field, Games, Input, Inputs, Location, Loss,
    LossKind, Losses, Reader, Scope, Warning,
};
#[cfg(feature = "archive")]
pub use database::{Database, State};
pub use decode::{DecodeOptions, Dialect, GameCode, decode_game};
pub use dump::{dump_comments, dump_game};
pub use encode::{EncodedGame, encode_game};
#[cfg(feature = "archive")]
pub use encoder::{Encoded, Encoder};
pub use error::{Error, ErrorKind};
#[cfg(feature = "archive")]
pub use formats::FORMATS;
#[cfg(feature = "archive")]
pub use header::COLLECTION_TAG;
#[cfg(feature = "archive")]
pub use options::{CreateOptions, OpenOptions};
pub use quirk::Quirk;
#[cfg(feature = "archive")]
pub use writer::{Parts, Writer};
