//! `movecode::movecode_record` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(movecode::movecode_record);
