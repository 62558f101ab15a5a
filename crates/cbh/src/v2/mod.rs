//! Reads bases of ChessBase 17 and later: `.2cbh`.
//!
//! The format shares its annotations, tags and codes with `.cbh`, but neither layout nor moves.
//! Everything here follows from descriptions that others published. No genuine file was at hand, so
//! docs/formats/cbh2.md says for each rule where it comes from.
//!
//! # Read
//! ```no_run
//! let base = cbh::v2::Database::open("mega.2cbh")?;
//! for game in base.games() {
//!     let game = game?;
//!     println!("{} - {}", game.header.white, game.header.black);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Write
//! ```
//! use cbh::{Game, Losses};
//! use cbh::v2::{Database, Writer};
//!
//! let mut game = Game::new();
//! game.header.set("White", "Anderssen, Adolf");
//! game.push_move("e2e4".parse()?);
//!
//! let mut writer = Writer::in_memory();
//! writer.write(&game, &mut Losses::new())?;
//! let base = Database::from_parts(writer.into_bytes()?, &cbh::OpenOptions::default())?;
//! assert_eq!(base.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Writer::write_text`] writes a guiding text between the games.
//!
//! # Files of a base
//! `.2cbh` headers, `.2cbg` moves and guiding texts, `.2cba` annotations, `.2lid` entities, `.2lgd`
//! games of each entity, `.2lcd` sort orders. The last two can be missing: they are derived.

mod blocks;
mod board;
mod database;
mod decode;
mod derived;
mod details;
mod dump;
mod encode;
mod encode_header;
mod entities;
mod entity;
mod entity_cache;
mod entity_table;
mod fingerprint;
mod formats;
mod frame;
mod game_lists;
mod header;
mod header_tags;
pub mod layout;
mod list_reader;
mod open;
mod order;
mod orders;
mod parts;
mod quirk;
mod search;
mod setup;
mod text_index;
mod texts;
mod verify;
mod verify_indexes;
mod words;
mod writer;

pub use database::{Database, State};
pub use entities::EntityType;
pub use formats::FORMATS;
pub use header::{FileHeader, GameRecord, Rating, RecordKind};
pub use header_tags::{
    ANALYSIS_TAG, BLACK_PLAYER_TAG, BLACK_RATING_TAG, EVENT_END_TAG, EVENT_NATION_TAG,
    EVENT_PLACE_TAG, EVENT_TIEBREAKS_TAG, EVENT_UNKNOWN_TAG, WHITE_PLAYER_TAG, WHITE_RATING_TAG,
};
pub use parts::Parts;
pub use quirk::Quirk;
pub(crate) use words::has_word;
pub use writer::{Encoded, Encoder, Writer};
