//! `cbh::cbh_archive` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cbh::cbh_archive);
