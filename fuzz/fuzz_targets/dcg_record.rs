//! `dcg::dcg_record` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(dcg::dcg_record);
