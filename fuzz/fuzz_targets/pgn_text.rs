//! `pgn::pgn_text` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(pgn::pgn_text);
