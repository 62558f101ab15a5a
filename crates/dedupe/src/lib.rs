//! Finds repeated games, and completes a game by another copy of it.
//!
//! Each game is [reduced](Fingerprinter) to its fingerprint, on any thread, and [`Games`] compares them. So no
//! base is read twice. `scoresheet::dedupe::Deduper` reads bases of every format.
//!
//! ```
//! use chess_core::Game;
//! use dedupe::{Fingerprinter, Games, Place, Reduced};
//!
//! let mut game = Game::new();
//! for (name, value) in [("White", "Tal, M"), ("Black", "Larsen, B"), ("Date", "1965.08.08")] {
//!     game.header.set(name, value);
//! }
//! for m in ["e2e4", "c7c5", "g1f3", "b8c6"] {
//!     game.push_move(m.parse()?);
//! }
//! let mut copy = game.clone();
//! copy.header.set("White", "Tal, Mikhail");
//!
//! let mut games = Games::new();
//! let (names, mut added) = games.adding();
//! let (mut fingerprinter, mut reduced) = (Fingerprinter::new(&names), Reduced::default());
//! for (number, game) in [game, copy].iter().enumerate() {
//!     fingerprinter.reduce(game, &mut reduced);
//!     added.push(&reduced, Place { base: 0, number: number as u64 });
//! }
//! let found = games.finish();
//! assert_eq!(found.pairs[0].game.number, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`merge`] completes a game by another copy.

#![allow(clippy::arithmetic_side_effects, reason = "counters of games and points cannot overflow")]

mod candidates;
mod evidence;
mod fingerprint;
mod games;
mod merge;
mod names;
mod proof;

pub use evidence::Differences;
pub use fingerprint::{Fingerprinter, Reduced, hash_whole, says_something};
pub use games::{Added, Duplicates, Games, Kind, Pair, Place};
pub use merge::{Merged, Taken, merge};
pub use names::Interner;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
