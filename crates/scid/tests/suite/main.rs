//! The tests of the crate's public API.

mod compact;
mod conformance;
mod crash;
mod files;
mod headers;
mod hostile;
mod opening_lines;
mod power;
mod roundtrip;
mod search;
mod stop;
mod structures;
mod threads;
mod wide_ids;
