//! Runs mutants of the decoders in a separate program, because it needs a Rust parser that nothing
//! else uses.

use std::process::Command;

use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;

/// Runs xtask/mutants.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    check(arguments)?;
    let manifest = workspace_root().join("xtask/mutants/Cargo.toml");
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--manifest-path"]).arg(manifest).arg("--").args(arguments);
    run_command(&mut command)
}

const USAGE: &str = "mutants [--sample N] [--left] FORMAT...";

/// Checks the arguments, so that a wrong one fails before anything is built.
fn check(arguments: &[&str]) -> Result<(), Failure> {
    let mut words = arguments.iter();
    let mut formats = 0;
    while let Some(word) = words.next() {
        match *word {
            "--left" => {}
            "--sample" => {
                let count = words.next().ok_or(USAGE)?;
                count.parse::<usize>().map_err(|_| USAGE)?;
            }
            name if scoresheet::families().iter().any(|family| family.name == name) => formats += 1,
            unknown => return Err(format!("{USAGE}: {unknown} is no format").into()),
        }
    }
    if formats == 0 { Err(USAGE.into()) } else { Ok(()) }
}
