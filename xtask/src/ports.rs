//! Tests the ports to other languages with the same test vectors.

use std::process::Command;

use tempfile::TempDir;
use testkit::workspace_root;

use crate::ci::run_command;
use crate::tools::missing;
use crate::{Failure, numberings, readback};

/// Runs ports/python over the fixtures. Needs Python 3.
pub(crate) fn run() -> Result<(), Failure> {
    let there = Command::new("python3").arg("--version").output();
    if !there.is_ok_and(|output| output.status.success()) {
        return missing("python3", "ports/python", "python3 is not installed");
    }
    let root = workspace_root();
    for program in ["ports/python/vectors.py", "ports/python/writing.py", "xtask/bases/make.py"] {
        let mut command = Command::new("python3");
        command.arg("-B").arg(root.join(program));
        if program.ends_with("make.py") {
            command.arg("--check");
        }
        run_command(&mut command)?;
    }
    let random = |program: &str| -> Result<TempDir, Failure> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new("python3");
        run_command(command.arg("-B").arg(root.join(program)).arg(folder.path()))?;
        Ok(folder)
    };
    numberings::run(random("ports/python/cbf_random.py")?.path())?;
    readback::run(random("ports/python/random_bases.py")?.path())
}
