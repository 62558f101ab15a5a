//! `cbh2::cbh2_base` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cbh2::cbh2_base);
