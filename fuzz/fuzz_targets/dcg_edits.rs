//! `edits::dcg_edits` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::edits::dcg_edits(data));
