//! The crate from outside.

mod blocks;
mod conformance;
mod hostile;
mod round_trip;
