//! The common model of chess games: the board, the rules, and games independent of file formats.
//! Small, without files or formats; `no_std` with `alloc`.
//!
//! The crates of Scoresheet read the formats of chess databases into these types, and write these
//! types. The crate `chess-store` has the other parts that a format needs, such as files, encodings
//! and errors with locations.
//!
//! | what | where |
//! |---|---|
//! | board and rules | [`Position`], [`Move`], [`Square`], [`Piece`], [`Bitboard`] |
//! | a game | [`Game`], [`Token`], [`Header`], [`Setup`] |
//! | on the way through a game | [`Replay`], [`Tree`], [`Visitor`], [`Annotations`] |
//! | many lines as one | [`MoveTree`] |
//! | values | [`Date`], [`Eco`], [`Elo`], [`GameResult`], [`Nag`] |
//!
//! # Examples
//! Build a game and check it against the rules:
//! ```
//! use chess_core::{Game, Position};
//!
//! // Fool's mate.
//! let mut game = Game::new();
//! for m in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     game.push_move(m.parse()?);
//! }
//! let mut position = game.start_position();
//! for m in game.main_line() {
//!     assert!(position.is_legal(m));
//!     position.apply(m);
//! }
//! assert!(position.is_checkmate());
//! assert_eq!(position.to_fen(), "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
//! # Ok::<(), chess_core::MoveError>(())
//! ```
//!
//! Count how often each position was reached, ignoring the clocks:
//! ```
//! use std::collections::HashMap;
//!
//! use chess_core::{Game, Position};
//!
//! fn count<'a>(games: impl IntoIterator<Item = &'a Game>) -> HashMap<Position, u32> {
//!     let mut counts = HashMap::new();
//!     for game in games {
//!         let mut position = game.start_position();
//!         for m in game.main_line() {
//!             position.apply(m);
//!             *counts.entry(position.without_clocks()).or_default() += 1;
//!         }
//!     }
//!     counts
//! }
//! # let mut game = Game::new();
//! # for m in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3"] {
//! #     game.push_move(m.parse()?);
//! # }
//! # assert_eq!(count([&game]).into_values().max(), Some(2));
//! # Ok::<(), chess_core::MoveError>(())
//! ```
//!
//! Games as JSON, with the feature `serde`:
//! ```
//! # #[cfg(feature = "serde")] {
//! use chess_core::Game;
//!
//! let line = r#"{"tags":[["White","Morphy"]],"fen":null,"line":["e2e4","$1",{"comment":"best"}]}"#;
//! let game: Game = serde_json::from_str(line).unwrap();
//! assert_eq!(game.header.white, "Morphy");
//! assert!(serde_json::to_string(&game).unwrap().ends_with(r#","fen":null,"line":["e2e4","$1",{"comment":"best"}]}"#));
//! # }
//! ```
//!
//! # Limits
//! - A game holds up to 4 GiB of comments ([`LineError::TooMuchText`]). Tokens, variations and
//!   half-moves are counted in 32 bits.
//! - The two counters of a position, half-moves and full moves, stop at 65535.
//! - Years end at 9999, ratings and NAGs at 65535.
//! - The rules are standard chess and Chess960. Games of other variants are recognised
//!   ([`Game::variant`]) and read by the rules of chess.
//!
//! # Features
//! `serde` (off by default): serializes [`Game`] and [`Header`] as the canonical JSON of
//! docs/model.md, and the small values as text. It needs a self-describing format such as JSON.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod annotations;
mod bitboard;
mod castling;
mod date;
mod drawings;
mod eco;
mod engine;
mod evaluation;
mod fen;
mod game;
mod header;
mod legal;
mod move_tree;
mod moves;
mod piece;
mod polyglot_keys;
mod position;
mod replay;
mod result_text;
#[cfg(feature = "serde")]
mod serde;
mod sets;
mod square;
mod tables;
mod tree;
mod values;
mod variant;
mod zobrist;

#[cfg(feature = "serde")]
pub use self::serde::CanonicalLine;
pub use annotations::{Annotations, LineStarts, Note};
pub use bitboard::{
    Bitboard, between, bishop_attacks, crossed, king_attacks, knight_attacks, pawn_attacks,
    piece_attacks, queen_attacks, rook_attacks,
};
pub use castling::CastlingSide;
pub use date::{Date, DateError, DateOrder};
pub use drawings::{Drawing, standard_drawings};
pub use eco::{Eco, EcoError, EcoSub};
pub use evaluation::Evaluation;
pub use fen::FenError;
pub use game::{Game, LineError, Setup, Token, Tokens};
pub use header::{Header, TYPED_TAGS, Tags, is_implied, is_typed};
pub use legal::{MoveList, PROMOTIONS};
pub use move_tree::{MoveNode, MoveTree};
pub use moves::{Move, MoveError};
pub use piece::{Color, Piece, Role};
pub use position::Position;
pub use replay::Replay;
pub use result_text::{RESULT_SPELLING_TAG, ResultText};
pub use sets::PieceSets;
pub use square::{PerSquare, Square, SquareError};
pub use tree::{Node, Tree, Visitor};
pub use values::{Elo, EloError, GameResult, GameResultError, Nag, NagError};
pub use variant::{Variant, exceeds_move_numbers, names_castling_files};
pub use zobrist::zobrist;
