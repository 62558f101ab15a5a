//! Moves as a record writes them: codes of one byte, words of two.

pub(crate) mod cell;
pub(crate) mod codes;
pub(crate) mod mode;
pub(crate) mod numbers;
pub(crate) mod steps;
mod tables;
pub(crate) mod threats;
pub(crate) mod word;
