//! Tests the ports to other languages with the same test vectors.

use std::process::Command;

use tempfile::TempDir;
use testkit::workspace_root;

use crate::ci::run_command;
use crate::tools::missing;
use crate::{Failure, numberings, readback};

/// The programs that are run, and whether they take `--check`.
const PROGRAMS: [(&str, bool); 7] = [
    ("ports/python/vectors.py", false),
    ("ports/python/writing.py", false),
    ("ports/python/tables.py", false),
    ("ports/python/fields.py", true),
    ("ports/python/figures.py", true),
    ("xtask/bases/make.py", true),
    ("ports/python/rules_broken.py", false),
];

/// Runs ports/python over the fixtures. Needs Python 3.
pub(crate) fn run() -> Result<(), Failure> {
    let there = Command::new("python3").arg("--version").output();
    if !there.is_ok_and(|output| output.status.success()) {
        return missing("python3", "ports/python", "python3 is not installed");
    }
    let root = workspace_root();
    for (program, check) in PROGRAMS {
        let mut command = Command::new("python3");
        command.arg("-B").arg(root.join(program));
        if check {
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
