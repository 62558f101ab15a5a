//! The tests of this crate, as one program.

mod allocations;
mod archives;
mod common;
mod conformance;
mod hostile;
mod options;
mod rewrite;
mod round_trip;
mod search;
mod threads;
