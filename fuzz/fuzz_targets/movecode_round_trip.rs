//! `movecode::movecode_round_trip` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(movecode::movecode_round_trip);
