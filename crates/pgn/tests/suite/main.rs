//! Integration tests of the public API.

mod blocks;
mod conformance;
mod hostile;
mod round_trip;
