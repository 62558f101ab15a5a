//! Checks the lower bounds of the workspace's dependencies: the code must compile with the oldest
//! version of each direct dependency that its requirement accepts.

use std::process::Command;

use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;
use crate::tools::missing;

/// Resolves the oldest versions into a lock file below target/minimal, and checks everything that is
/// published with them. Resolving needs a nightly Cargo.
pub(crate) fn run() -> Result<(), Failure> {
    let there = Command::new("cargo").args(["+nightly", "--version"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        return missing("nightly", "minimal versions", "the nightly toolchain is not installed");
    }
    let folder = workspace_root().join("target/minimal");
    std::fs::create_dir_all(&folder)?;
    let lock = folder.join("Cargo.lock");
    if lock.exists() {
        std::fs::remove_file(&lock)?;
    }
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new("cargo");
        command.arg("+nightly").args(arguments).env("CARGO_RESOLVER_LOCKFILE_PATH", &lock);
        run_command(&mut command)
    };
    cargo(&["generate-lockfile", "--quiet", "-Zdirect-minimal-versions"])?;
    cargo(&[
        "check",
        "--locked",
        "--workspace",
        "--lib",
        "--bins",
        "--target-dir",
        "target/minimal",
    ])
}
