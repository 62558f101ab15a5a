//! `cbf::cbf_base` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cbf::cbf_base);
