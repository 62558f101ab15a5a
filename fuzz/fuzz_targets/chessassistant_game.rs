//! `chessassistant::chessassistant_game` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(chessassistant::chessassistant_game);
