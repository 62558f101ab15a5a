//! `pgn::pgn_san` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(pgn::pgn_san);
