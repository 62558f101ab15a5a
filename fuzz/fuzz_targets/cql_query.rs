//! `cql::cql_query` under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

scoresheet_fuzz::program!(cql::cql_query);
