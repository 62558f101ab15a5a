//! `packed::lines_positions` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(packed::lines_positions);
