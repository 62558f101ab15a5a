//! Finds chess games by pieces, structures, moves and sequences of positions, in the Chess Query
//! Language.
//!
//! CQL was designed by Gady Costeff and Lewis Stiller. This crate implements the core of CQL 6 over
//! the games of [`chess_core`]: a parser whose errors say what to write instead, and an evaluator on
//! bitboards. It reads no files.
//!
//! | part of the language | here |
//! |---|---|
//! | pieces, squares, sets, counts, comparisons, arithmetic | yes |
//! | attacks, rays, pins, directions, pawn structure | yes |
//! | transforms | yes, without `rotate45` |
//! | moves, `line`, `path`, `find`, identity of pieces | yes |
//! | header, comments, variations, `sort`, `persistent` | yes |
//! | `echo`, functions, loops, dictionaries | no; the error says so |
//!
//! # Examples
//! Find the positions of a game in which a mate stands on the board:
//! ```
//! use chess_core::Game;
//! use cql::Query;
//!
//! let mut game = Game::new();
//! for m in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     game.push_move(m.parse()?);
//! }
//! let query = Query::parse("flipcolor { btm mate Q attacks k }")?;
//! let mut searcher = query.searcher();
//! let found = searcher.find(&game)?.expect("fool's mate");
//! assert_eq!(found.hits().iter().map(|hit| hit.ply).collect::<Vec<_>>(), [4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An error shows the place and a remedy:
//! ```
//! let error = cql::Query::parse("wtm passdpawns").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 1, column 5: unknown word; did you mean passedpawns?\n  wtm passdpawns\n      ^"
//! );
//! ```
//!
//! The bounds of a query, which a base can test in its index before it decodes a game:
//! ```
//! use chess_core::{Piece, Role, Color};
//! use cql::{Condition, Query};
//!
//! let query = Query::parse("q==0 r attacks K")?;
//! let queens = Condition::Men { pieces: vec![Piece::new(Role::Queen, Color::Black)], min: 0, max: 0 };
//! assert!(matches!(query.bounds(), Condition::All(list) if list.contains(&queens)));
//! # Ok::<(), cql::Error>(())
//! ```
//!
//! # The language
//! docs/query.md is a tutorial with a cookbook, and a reference in numbered rules. It marks what the
//! documentation of CQL states and what is a choice of this crate.
//!
//! # Errors and warnings
//! [`Query::parse`] returns the first error. Types are checked before the search.
//! [`Query::warnings`] lists what is valid and probably not meant, such as filters that contradict
//! each other.
//!
//! # Limits
//! [`Limits`] bounds the text, the depth, the filters after transforms, and the evaluations in one
//! game. Sequences are automata: their cost is at most the square of the length of the game, however
//! repetitions are nested. A search holds about 250 bytes for each position of a game.

mod balance;
mod bounds;
mod error;
mod eval;
mod explain;
mod expr;
mod geometry;
mod layouts;
mod lexer;
mod limits;
mod line;
mod machine;
mod parser;
mod search;
mod transform;
mod words;

pub use bounds::Condition;
pub use error::{Error, ErrorKind, Place, Result, Warning};
pub use eval::SortValue;
pub use limits::Limits;
pub use parser::SortKey;
pub use search::{Hit, Match, Query, Searcher};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
