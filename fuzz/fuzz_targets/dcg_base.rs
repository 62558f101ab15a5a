//! `dcg::dcg_base` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(dcg::dcg_base);
