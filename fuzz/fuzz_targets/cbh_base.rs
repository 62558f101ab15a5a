//! `cbh::cbh_base` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::cbh::cbh_base(data));
