//! `scid::scid_record` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(scid::scid_record);
