//! `cbh::cbh_base` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cbh::cbh_base);
