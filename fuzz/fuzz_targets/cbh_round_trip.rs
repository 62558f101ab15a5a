//! `cbh::cbh_round_trip` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::cbh::cbh_round_trip(data));
