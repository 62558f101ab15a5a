//! Writes or compares the public API of each published crate, in a separate program: it needs a reader
//! of rustdoc's JSON that nothing else uses.

use std::process::Command;

use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;
use crate::tools::missing;

/// The compiler whose JSON the program reads. Other compilers write another version of it.
const COMPILER: &str = "1.95";

/// Runs xtask/api.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    let version = Command::new("rustdoc").arg("--version").output()?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.starts_with(&format!("rustdoc {COMPILER}.")) {
        let why =
            format!("docs/api is written with Rust {COMPILER}, and this is {}", version.trim());
        return missing("rust-api", "api", &why);
    }
    let manifest = workspace_root().join("xtask/api/Cargo.toml");
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--locked", "--manifest-path"]).arg(manifest).arg("--");
    run_command(command.args(arguments))
}
