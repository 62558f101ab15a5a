//! Reads and writes ChessBase databases and their archives.

mod about;
mod annotations;
#[cfg(feature = "archive")]
pub mod archive;
mod database;
mod decode;
mod derived;
mod dump;
mod encode;
mod encode_header;
mod entities;
mod error;
mod extended;
mod game;
mod header;
pub mod layout;
mod moves;
mod names;
mod open;
mod options;
mod parts;
mod quirk;
mod record;
mod seam;
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
pub use header::{FileHeader, GameRecord};
pub use options::{CreateOptions, LongNames, OpenOptions, Texts};
pub use parts::Parts;
pub use quirk::Quirk;
pub use seam::FORMATS;
pub use tags::{
    BLACK_TEAM_TAG, EVALUATION_TAG, EVENT_FLAGS_TAG, RESULT_TAG, TITLE_TAG, WHITE_TEAM_TAG,
};
pub use texts::{GuidingText, LANGUAGES};
pub use writer::{Encoded, Encoder, Writer};
