//! `chessassistant::chessassistant_volume` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    scoresheet_fuzz::chessassistant::chessassistant_volume(data);
});
