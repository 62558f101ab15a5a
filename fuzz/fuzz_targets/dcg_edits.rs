//! `edits::dcg_edits` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(edits::dcg_edits);
