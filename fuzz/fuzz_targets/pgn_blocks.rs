//! `pgn::pgn_blocks` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::pgn::pgn_blocks(data));
