//! Tests the ports to other languages with the same test vectors.

use std::process::Command;

use testkit::workspace_root;

use crate::ci::run_command;
use crate::tools::missing;
use crate::{Failure, bundle, kaitai};

/// The programs that are run, and whether they take `--check`.
const PROGRAMS: [(&str, bool); 8] = [
    ("ports/python/books.py", false),
    ("ports/python/cql.py", false),
    ("ports/python/vectors.py", false),
    ("ports/python/writing.py", false),
    ("ports/python/tables.py", false),
    ("ports/python/fields.py", true),
    ("ports/python/figures.py", true),
    ("xtask/bases/make.py", true),
];

/// Runs the ports, the descriptions for Kaitai Struct and the conformance bundle over the fixtures.
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
    kaitai::run()?;
    bundle::run(true)
}
