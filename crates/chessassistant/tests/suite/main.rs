//! The tests of this crate, in one program.

mod allocations;
mod common;
mod conformance;
mod hostile;
mod options;
mod rewrite;
mod round_trip;
mod search;
mod threads;
mod vectors;
