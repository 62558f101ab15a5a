//! `cql::cql_query` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| scoresheet_fuzz::cql::cql_query(data));

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("{}", scoresheet_fuzz::HOW_TO_RUN);
    std::process::exit(2);
}
