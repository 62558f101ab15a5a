//! Checks of the code that needs Parquet and Arrow, which no default build includes.

use std::process::Command;

use crate::Failure;
use crate::ci::{RELAXED, document, run_command};
use crate::examples::{self, Special};

/// Selects all packages in one command, because Cargo would otherwise build Arrow for each.
const SELECTED: [&str; 10] = [
    "--package",
    "scoresheet-tables",
    "--package",
    "scoresheet",
    "--package",
    "scoresheet-cli",
    "--package",
    "scoresheet-fuzz",
    "--features",
    "scoresheet-tables/parquet,scoresheet/tables,scoresheet-cli/full,scoresheet-fuzz/tables",
];

/// Tests, lints, documents and runs the examples of everything that has the feature.
pub(crate) fn run() -> Result<(), Failure> {
    cargo("test", &["--lib", "--test", "tables", "--test", "replay"])?;
    // Time and memory of the writers that no default build contains.
    let bounds = with_selected("test", &["--test", "doubling", "--test", "memory"]);
    run_command(Command::new(env!("CARGO")).args(bounds).env("FORMATS", "parquet,arrow"))?;
    cargo("clippy", &["--lib", "--bins", "--", "-D", "warnings"])?;
    let relaxed = RELAXED.iter().flat_map(|lint| ["-A", lint]);
    let all = ["--all-targets", "--", "-D", "warnings"];
    cargo("clippy", &all.into_iter().chain(relaxed).collect::<Vec<_>>())?;
    run_examples()?;
    document(&with_selected("doc", &["--no-deps"]))
}

/// Runs the examples that need the feature.
pub(crate) fn run_examples() -> Result<(), Failure> {
    examples::run(Some(&Special { feature: "tables", selected: &SELECTED }))
}

fn cargo(command: &str, arguments: &[&str]) -> Result<(), Failure> {
    run_command(Command::new(env!("CARGO")).args(with_selected(command, arguments)))
}

fn with_selected<'a>(command: &'a str, arguments: &[&'a str]) -> Vec<&'a str> {
    std::iter::once(command).chain(SELECTED).chain(arguments.iter().copied()).collect()
}
