//! Reports: a player's results, the cross table of an event, and statistics of a base.
//!
//! `scoresheet::Survey` reads bases once, on all cores, and hands the [`Facts`] of each selected game to a
//! [`Report`] in order. Three reports are here:
//!
//! - [`PlayerReport`]: one player by colour, year, opening, opponent and time class.
//! - [`EventReport`]: the games of an event, for a [`Crosstable`].
//! - [`Statistics`]: games by year, result, opening, time class, length and rating.
//!
//! Memory does not grow with the number of games. Names are kept up to a limit; the games of names
//! beyond that limit are counted together.
//!
//! ```
//! use chess_core::{Color, Game};
//! use query::Text;
//! use reports::{Facts, PlayerReport, Report as _};
//!
//! let mut report = PlayerReport::new(vec![Text::name("carlsen m")?]);
//! let mut game = Game::new();
//! game.header.set("White", "Carlsen, Magnus");
//! game.header.set("Result", "1-0");
//! report.add(&Facts::new(0, &game));
//! let white = report.by_color(Color::White);
//! assert_eq!((white.games, white.share()), (1, Some(1.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and rows cannot overflow; numbers read from files use checked arithmetic"
)]

mod crosstable;
mod facts;
mod lines;
mod names;
mod openings;
mod player;
pub mod repertoire;
mod score;
mod statistics;

pub use crosstable::{
    Crosstable, EventReport, EventSummary, Kind, Meeting, Outcome, PlayerTags, Standing,
    TeamStanding, TieBreak, TrfError,
};
pub use facts::{Facts, Report};
pub use lines::LineScore;
pub use names::Named;
pub use openings::OpeningGroup;
pub use player::{OpponentScore, PlayerReport, Rating, Win, YearScore};
pub use score::{Score, expected_difference, performance, shares};
pub use statistics::{Results, Statistics};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
