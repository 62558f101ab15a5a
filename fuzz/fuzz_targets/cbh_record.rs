//! `cbh::cbh_record` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cbh::cbh_record);
