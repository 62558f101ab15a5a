//! The common model of chess games: board and rules, game and header.
//!
//! A small crate without files and formats, `no_std` with `alloc`. What a database format needs
//! around a game is in `chess-store`.
//!
//! | what | where |
//! |---|---|
//! | board and rules | [`Position`], [`Move`], [`Square`], [`Piece`], [`Bitboard`] |
//! | a game | [`Game`], [`Token`], [`Header`], [`Replay`] |
//! | values | [`Date`], [`Eco`], [`Elo`], [`GameResult`], [`Nag`] |
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
//! `serde` reads and writes a game as the canonical JSON of docs/model.md, and small values as text.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod bitboard;
mod date;
mod eco;
mod fen;
mod game;
mod header;
mod legal;
mod moves;
mod piece;
mod position;
mod replay;
#[cfg(feature = "serde")]
mod serde;
mod square;
mod tables;
mod values;

pub use bitboard::{
    Bitboard, between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, piece_attacks,
    queen_attacks, rook_attacks,
};
pub use date::{Date, DateError};
pub use eco::{Eco, EcoError, EcoSub};
pub use fen::FenError;
pub use game::{Game, LineError, Setup, Token, Tokens};
pub use header::{Header, TYPED_TAGS, Tags, is_implied, is_typed};
pub use legal::{MoveList, PROMOTIONS};
pub use moves::{Move, MoveError};
pub use piece::{Color, Piece, Role};
pub use position::{CastlingSide, Position};
pub use replay::Replay;
pub use square::{PerSquare, Square, SquareError};
pub use values::{Elo, EloError, GameResult, GameResultError, Nag, NagError};
