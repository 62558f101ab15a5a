//! `scid::scid_round_trip` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(scid::scid_round_trip);
