//! `chessassistant::chessassistant_volume` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(chessassistant::chessassistant_volume);
