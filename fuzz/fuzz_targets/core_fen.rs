//! `core::core_fen` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::core::core_fen(data));
