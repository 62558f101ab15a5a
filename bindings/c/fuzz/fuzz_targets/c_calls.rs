//! `c_calls` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    scoresheet_c_fuzz::c_calls(data);
});

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("this program was built without libFuzzer; run `cargo xtask c --fuzz SECONDS`");
}
