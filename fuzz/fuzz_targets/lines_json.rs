//! `packed::lines_json` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(packed::lines_json);
