//! The common model of chess games, and the seam every database format plugs into.
//!
//! A small crate without format knowledge: who reads or writes one chess format needs this and
//! that format's crate, nothing else.
//!
//! | what | where |
//! |---|---|
//! | board and rules | [`Position`], [`Move`], [`Square`], [`Piece`], [`Bitboard`] |
//! | a game | [`Game`], [`Token`], [`Header`], [`Replay`] |
//! | values | [`Date`], [`Eco`], [`Elo`], [`GameResult`], [`Nag`] |
//! | text of unknown encoding | [`TextDecoder`], [`Encoding`] |
//! | errors and warnings | [`Location`], [`Error`], [`Quirk`], [`Diagnostics`] |
//! | files (feature `std`) | [`ReadAt`](io::ReadAt), [`files`] |
//! | all formats alike (feature `std`) | [`seam`] |
//! | test vectors (feature `json`) | `json` |
//!
//! ```
//! use chess_core::{Game, Position};
//!
//! // Fool's mate.
//! let mut game = Game::new();
//! for m in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     game.push_move(m.parse().unwrap());
//! }
//! let mut position = game.start_position();
//! for m in game.main_line() {
//!     assert!(position.is_legal(m));
//!     position.apply(m);
//! }
//! assert!(position.is_checkmate());
//! assert_eq!(position.to_fen(), "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
//! ```
//!
//! # Limits
//! A game holds up to 4 GiB of comments; clocks and move numbers saturate at 65535; years end at 9999.
//!
//! # Features
//! `std` (default) brings files and the seam, without it the crate is `no_std` with `alloc`;
//! `json` brings the canonical JSON of docs/model.md.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod bitboard;
mod date;
mod eco;
mod error;
mod fen;
#[cfg(feature = "std")]
pub mod files;
mod game;
mod header;
#[cfg(feature = "std")]
pub mod io;
#[cfg(feature = "json")]
pub mod json;
mod legal;
mod location;
mod moves;
mod piece;
mod position;
mod replay;
#[cfg(feature = "std")]
pub mod seam;
mod square;
mod tables;
mod text;
mod values;

pub use bitboard::{
    Bitboard, between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, piece_attacks,
    queen_attacks, rook_attacks,
};
pub use date::{Date, DateError};
pub use eco::{Eco, EcoError, EcoSub};
pub use error::{AnyError, Diagnostics, Error, ErrorKind, Quirk, Scope, Warning};
pub use fen::FenError;
pub use game::{Game, LineError, Setup, Token, Tokens};
pub use header::{Header, TYPED_TAGS, Tags, is_implied, is_typed};
pub use legal::{MoveList, PROMOTIONS};
pub use location::Location;
pub use moves::{Move, MoveError};
pub use piece::{Color, Piece, Role};
pub use position::{CastlingSide, Position};
pub use replay::Replay;
pub use square::{PerSquare, Square, SquareError};
pub use text::{Encoding, TextDecoder};
pub use values::{Elo, GameResult, GameResultError, Nag};
