//! Questions about chess games: filters, search plans, columns and order.
//!
//! A [`Filter`] is a set of criteria; a game must meet all of them. There are two ways to apply one:
//!
//! - [`Filter::selects`] tests a game that is already decoded.
//! - [`Prefilter`] tests the games of a database by index, number, header and main line, and decodes
//!   only the games that are left.
//!
//! Example: White is `karpov`, the date is `1975..`, and the position is P. The index drops the games
//! that cannot contain P, as far as the format's index tells. Then it drops the games before 1975. The
//! White names of the games that are left are compared, each name once. Finally the main line of each
//! game is followed until it reaches P or can no longer reach it.
//!
//! [`columns`] names what a list shows and sorts by. Names are those of the crate [`names`]. The crate
//! opens no bases: `scoresheet` runs filters over files, on several threads.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and rows cannot overflow; numbers read from files use checked arithmetic"
)]

mod board;
mod cells;
pub mod columns;
mod comment;
mod compare;
mod cql;
mod criteria;
mod error;
mod filter;
mod known_names;
mod line;
mod main_line;
mod matches;
mod material;
mod mirrored;
mod missing;
mod motifs;
mod named;
mod opening;
mod order;
mod outcome;
mod pattern;
mod prefilter;
pub mod ranges;
mod repertoire;
mod scoutfish;
mod tag;
mod time_class;

pub use self::cql::CqlTest;
pub use self::repertoire::{Following, Repertoire, RepertoireNode, RepertoireTest};
pub use ::cql::{Limits as CqlLimits, SortKey as CqlSortKey, SortValue};
pub use board::BoardPattern;
pub use comment::CommentTest;
pub use criteria::{CRITERIA, Criterion, Filter, Value};
pub use error::{QueryError, Unanswered};
pub use filter::{Search, reaches};
pub use known_names::KnownNames;
pub use line::Line;
pub use matches::{MatchedPosition, Matcher, Matches, ply_ranges};
pub use material::Material;
pub use mirrored::Mirrored;
pub use missing::MissingTag;
pub use named::NamedError;
pub use names::{
    Identities, Identity, Neighbours, People, Person, Text, TextError, sort_key, spelling,
};
pub use opening::OpeningTest;
pub use outcome::Outcome;
pub use pattern::PositionPattern;
pub use prefilter::{Prefilter, SUMMARY_CHUNK};
pub use tag::TagTest;
pub use time_class::{TimeClass, time_classes};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
