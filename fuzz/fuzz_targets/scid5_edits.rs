//! `edits::scid5_edits` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(edits::scid5_edits);
