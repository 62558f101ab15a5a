//! The tests of the crate as a whole.

mod common;
mod compact;
mod conformance;
mod edit;
mod hostile;
mod options;
mod round_trip;
mod search;
mod structures;
mod threads;
