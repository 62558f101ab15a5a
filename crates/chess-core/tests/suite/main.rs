//! Everything that needs more than one file of the crate, or an independent judge.

#[cfg(feature = "serde")]
mod json;
mod perft;
mod random_walk;
