//! `packed::packed_stream` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(packed::packed_stream);
