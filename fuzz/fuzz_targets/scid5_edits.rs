//! `edits::scid5_edits` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::edits::scid5_edits(data));
