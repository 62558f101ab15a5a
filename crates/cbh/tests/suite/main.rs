//! All tests of this crate in one binary.

mod allocations;
mod archives;
mod common;
mod conformance;
mod conformance_v2;
mod far_offsets;
mod handmade_archives;
mod hostile;
mod options;
mod reader_v2;
mod rewrite;
mod round_trip;
mod search;
mod texts;
mod threads;
mod v2;
