//! `pgn::pgn_blocks` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(pgn::pgn_blocks);
