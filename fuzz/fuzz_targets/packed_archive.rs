//! `packed::packed_archive` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(packed::packed_archive);
