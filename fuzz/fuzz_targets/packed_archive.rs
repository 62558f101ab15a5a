//! `packed::packed_archive` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::packed::packed_archive(data));
