//! Runs mutants of the decoders in a separate program, because it needs a Rust parser that nothing
//! else uses.

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
