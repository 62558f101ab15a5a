//! `tables::table_file` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(tables::table_file);
