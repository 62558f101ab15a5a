//! Mutants of the decoders, by a program of its own: it needs a parser of Rust that nothing else does.

use std::process::Command;

use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;

/// Runs xtask/mutants.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    let manifest = workspace_root().join("xtask/mutants/Cargo.toml");
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--manifest-path"]).arg(manifest).arg("--").args(arguments);
    run_command(&mut command)
}
