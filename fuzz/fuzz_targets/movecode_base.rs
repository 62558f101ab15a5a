//! `movecode::movecode_base` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(movecode::movecode_base);
