//! Builds the program as one static binary, which runs on any Linux for its processor.

use std::path::Path;
use std::process::Command;

use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;

/// Features of the programs that are handed out: see .github/workflows/release.yml.
const FEATURES: &str = "full,libzstd";

/// Builds the program, checks that it is static, and runs the program's tests with it.
pub(crate) fn run() -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        return Err("static binaries are built on Linux".into());
    }
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    // With an explicit target, the flags do not apply to build scripts.
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--profile", "dist", "--package", "scoresheet-cli", "--target", &target]);
    build.args(["--features", FEATURES]);
    run_command(build.env("RUSTFLAGS", "-C target-feature=+crt-static"))?;
    let folder = std::env::var_os("CARGO_TARGET_DIR").map(Into::into);
    let folder = folder.unwrap_or_else(|| workspace_root().join("target"));
    let program = folder.join(target).join("dist/scoresheet");
    assert_static(&program)?;
    let mut tests = Command::new(env!("CARGO"));
    tests.args(["test", "--package", "scoresheet-cli", "--test", "program"]);
    // Without tables, the tests expect messages that say how to get them.
    tests.args(["--features", FEATURES]);
    run_command(tests.env("SCORESHEET_PROGRAM", &program))?;
    println!("{}: static, {} bytes", program.display(), program.metadata()?.len());
    Ok(())
}

fn assert_static(program: &Path) -> Result<(), Failure> {
    match asks_for_a_loader(&std::fs::read(program)?) {
        Some(false) => Ok(()),
        Some(true) => Err(format!("{}: asks for a loader", program.display()).into()),
        None => Err(format!("{}: is no ELF file of 64 bits", program.display()).into()),
    }
}

/// Returns whether a program has a segment of type `PT_INTERP`. Returns `None` if it is not a
/// 64-bit little-endian ELF file.
fn asks_for_a_loader(program: &[u8]) -> Option<bool> {
    program.strip_prefix(b"\x7fELF\x02\x01")?;
    let half = |at: usize| Some(u16::from_le_bytes(program.get(at..at + 2)?.try_into().ok()?));
    let table = u64::from_le_bytes(program.get(0x20..0x28)?.try_into().ok()?);
    let (size, count) = (usize::from(half(0x36)?), usize::from(half(0x38)?));
    let table = program.get(usize::try_from(table).ok()?..)?.get(..size * count)?;
    Some(size > 0 && table.chunks(size).any(|header| header.starts_with(&[3, 0, 0, 0])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(kinds: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x02\x01".to_vec();
        bytes.resize(0x40, 0);
        bytes[0x20] = 0x40; // where the table of segments is
        bytes[0x36] = 8; // size of a segment's header, here only as long as needed
        bytes[0x38] = kinds.len() as u8;
        for kind in kinds {
            bytes.extend([*kind, 0, 0, 0, 0, 0, 0, 0]);
        }
        bytes
    }

    #[test]
    fn asks_for_a_loader_interp_segment_is_found() {
        assert_eq!(asks_for_a_loader(&program(&[6, 3, 1])), Some(true));
        assert_eq!(asks_for_a_loader(&program(&[6, 1])), Some(false));
        assert_eq!(asks_for_a_loader(b"#!/bin/sh"), None);
    }
}
