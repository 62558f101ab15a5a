//! `cbh::cbh_round_trip` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cbh::cbh_round_trip);
