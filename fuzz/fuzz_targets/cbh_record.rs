//! `cbh::cbh_record` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::cbh::cbh_record(data));
