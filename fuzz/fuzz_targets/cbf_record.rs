//! `cbf::cbf_record` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::cbf::cbf_record(data));
