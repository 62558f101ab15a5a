//! Tests of the public interface.

mod common;
mod conformance;
mod evals;
mod hostile;
mod packed;
mod round_trip;
mod writing;
