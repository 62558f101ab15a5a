//! `cbh2::cbh2_round_trip` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cbh2::cbh2_round_trip);
