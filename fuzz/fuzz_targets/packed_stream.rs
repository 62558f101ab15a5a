//! `packed::packed_stream` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::packed::packed_stream(data));
