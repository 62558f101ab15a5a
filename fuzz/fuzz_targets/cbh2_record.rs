//! `cbh2::cbh2_record` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cbh2::cbh2_record);
