//! `cbh::cbh_archive` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::cbh::cbh_archive(data));
