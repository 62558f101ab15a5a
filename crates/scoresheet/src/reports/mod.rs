//! Reports: a player's results, the cross table of an event, and statistics of a base.
//!
//! A [`Survey`] reads bases once, on all cores, and hands each selected game to a [`Report`] in
//! order. Three reports are here:
//!
//! - [`PlayerReport`]: one player by colour, year, opening, opponent and time class.
//! - [`EventReport`]: the games of an event, for a [`Crosstable`].
//! - [`Statistics`]: games by year, result, opening, time class, length and rating.
//!
//! Memory does not grow with the number of games. Names are kept up to a limit; the games of names
//! beyond that limit are counted together.
//!
//! ```no_run
//! use scoresheet::filter::Text;
//! use scoresheet::reports::{PlayerReport, Survey};
//!
//! let mut report = PlayerReport::new(vec![Text::name("carlsen m")?]);
//! let mut survey = Survey::new().filter(report.filter());
//! survey.run(&mut scoresheet::open("twic.si4")?, &mut report, &mut |_| ())?;
//! let white = report.by_color(scoresheet::chess_core::Color::White);
//! println!("{} games with White, {:?}", white.games, white.share());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod crosstable;
mod lines;
mod names;
mod openings;
mod player;
mod score;
mod statistics;
mod survey;

pub use crosstable::{
    Crosstable, EventReport, EventSummary, Kind, Meeting, Outcome, Standing, TieBreak,
};
pub use lines::LineScore;
pub use names::Named;
pub use openings::OpeningGroup;
pub use player::{OpponentScore, PlayerReport, Rating, Win, YearScore};
pub use score::{Score, expected_difference, shares};
pub use statistics::{Results, Statistics};
pub use survey::{Facts, Report, Survey};
