//! `chessassistant::chessassistant_base` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(chessassistant::chessassistant_base);
