//! Checks the crates for targets without an operating system: wasm32, and chess-core without `std`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::ci::run_command;
use crate::tools::missing;

/// Packages that must build for a browser.
const FOR_WASM: [&str; 11] = [
    "chess-core",
    "chess-store",
    "openings",
    "scoresheet-pgn",
    "scoresheet-scid",
    "dcg",
    "scoresheet-cbf",
    "cbh",
    "movecode",
    "chessassistant",
    "scoresheet",
];

/// Checks the libraries for wasm32, and chess-core for a target without `std`.
pub(crate) fn run() -> Result<(), Failure> {
    let wasm = "wasm32-unknown-unknown";
    match Toolchain::for_target(wasm) {
        Some(toolchain) => toolchain.check(wasm, "std,panic_abort", &FOR_WASM)?,
        None => missing("wasm32", wasm, "no toolchain has this target or its sources")?,
    }
    let bare = "thumbv7em-none-eabi";
    match Toolchain::for_target(bare) {
        Some(toolchain) => toolchain.check(bare, "core,alloc", &["chess-core", "openings"]),
        None => missing("no_std", bare, "no toolchain has this target or its sources"),
    }
}

/// A toolchain that can build for another target. It has the standard library of the target, or the
/// sources to build that library.
pub(crate) struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    from_sources: bool,
}

impl Toolchain {
    /// Returns the toolchain that runs this program if it supports `target`, or else the system's.
    pub(crate) fn for_target(target: &str) -> Option<Toolchain> {
        let system = ["/usr/bin/cargo", "/usr/bin/rustc"].map(PathBuf::from);
        [["cargo", "rustc"].map(PathBuf::from), system].into_iter().find_map(|[cargo, rustc]| {
            let libraries = sysroot(&rustc)?.join("lib/rustlib");
            let has = |name: &str| libraries.join(name).is_dir();
            let from_sources = !has(target);
            let able = !from_sources || has("src/rust/library");
            able.then_some(Toolchain { cargo, rustc, from_sources })
        })
    }

    fn check(&self, target: &str, libraries: &str, packages: &[&str]) -> Result<(), Failure> {
        let mut command = self.cargo("check", target, libraries);
        command.arg("--lib");
        for package in packages {
            command.args(["--package", package]);
        }
        run_command(&mut command)
    }

    /// Returns a Cargo command for `target`. It builds `libraries` from source if the toolchain lacks them.
    pub(crate) fn cargo(&self, subcommand: &str, target: &str, libraries: &str) -> Command {
        let mut command = Command::new(&self.cargo);
        command.args([subcommand, "--target", target]).env("RUSTC", &self.rustc);
        if self.from_sources {
            // Building the standard library is not stable yet.
            command.arg(format!("-Zbuild-std={libraries}")).env("RUSTC_BOOTSTRAP", "1");
        }
        command
    }
}

fn sysroot(rustc: &Path) -> Option<PathBuf> {
    let output = Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}
