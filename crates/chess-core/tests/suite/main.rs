//! Tests that span several modules, or compare with an independent library.

#[cfg(feature = "serde")]
mod json;
mod perft;
mod random_walk;
