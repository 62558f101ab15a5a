//! `cbf::cbf_record` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cbf::cbf_record);
