//! Tests the ports to other languages with the same test vectors.

use std::process::Command;

use testkit::workspace_root;

use crate::ci::run_command;
use crate::tools::missing;
use crate::{Failure, bundle, kaitai};

/// The argument of a program.
#[derive(Clone, Copy)]
enum Takes {
    Nothing,
    Check,
    /// The path of `scoresheet`, to compare with.
    Program,
}

/// The programs that are run.
const PROGRAMS: [(&str, Takes); 8] = [
    ("ports/python/books.py", Takes::Nothing),
    ("ports/python/cql.py", Takes::Nothing),
    ("ports/python/vectors.py", Takes::Nothing),
    ("ports/python/writing.py", Takes::Program),
    ("ports/python/tables.py", Takes::Nothing),
    ("ports/python/fields.py", Takes::Check),
    ("ports/python/figures.py", Takes::Check),
    ("xtask/bases/make.py", Takes::Check),
];

/// Runs the ports, the descriptions for Kaitai Struct and the conformance bundle over the fixtures.
pub(crate) fn run() -> Result<(), Failure> {
    let there = Command::new("python3").arg("--version").output();
    if !there.is_ok_and(|output| output.status.success()) {
        return missing("python3", "ports/python", "python3 is not installed");
    }
    let root = workspace_root();
    let scoresheet = bundle::build_program()?;
    for (program, takes) in PROGRAMS {
        let mut command = Command::new("python3");
        command.arg("-B").arg(root.join(program));
        match takes {
            Takes::Nothing => &mut command,
            Takes::Check => command.arg("--check"),
            Takes::Program => command.arg(&scoresheet),
        };
        run_command(&mut command)?;
    }
    kaitai::run()?;
    bundle::run(true)
}
