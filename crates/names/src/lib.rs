//! Names of chess players, events and sites.
//!
//! - A [`Person`] is a parsed name. [`Person::could_be`] says whether two names can belong to one person.
//! - A [`Text`] searches for a name, for words or for an exact text.
//! - [`People`] tells apart the people behind the names of games.
//! - [`Neighbours`] finds the names nearest to a name that no game has.
//! - [`spelling`] reads spelling files of Scid and rating lists of FIDE.
//!
//! ```
//! use names::{Person, Text};
//!
//! assert!(Text::name("kortschnoj")?.is_in("Korchnoi, V"));
//! let [one, other] = ["Ding Liren", "Ding, L."].map(Person::parse);
//! assert!(one.zip(other).is_some_and(|(one, other)| one.could_be(&other)));
//! # Ok::<(), names::TextError>(())
//! ```

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of names cannot overflow; numbers read from files use checked arithmetic"
)]

mod error;
mod fold;
mod given;
mod neighbours;
mod people;
mod person;
pub mod spelling;
mod text;

pub use error::TextError;
pub use fold::sort_key;
pub use neighbours::Neighbours;
pub use people::{Identities, Identity, People};
pub use person::Person;
pub use text::Text;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
