//! Kills the program or fails a call at every system call, and runs many processes on one base, for
//! every format. docs/robustness.md explains the figures.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use scoresheet::formats;
use testkit::attack::{Fault, Target, attack_calls, has_strace, storm};

use crate::Failure;
use crate::ci::run_command;

/// The duration of each storm, unless given.
const SECONDS: u64 = 60;

const USAGE: &str = "robustness [--seconds N] [FORMAT...]";

/// Attacks one format, or all.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let (seconds, words) = match words {
        ["--seconds", seconds, rest @ ..] => (seconds.parse().map_err(|_| USAGE)?, rest),
        _ => (SECONDS, words),
    };
    let written = || {
        formats()
            .filter(|format| format.create.is_some() && format.open.is_some())
            .filter(|format| format.name != "fbk")
    };
    if let Some(unknown) = words.iter().find(|word| !written().any(|format| format.name == **word))
    {
        return Err(format!("{USAGE}: {unknown} is no format that is written").into());
    }
    if !has_strace() {
        return Err("strace must be installed".into());
    }
    run_command(Command::new(env!("CARGO")).args(["build", "-p", "scoresheet-cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
    // Use a copy, so that builds in the meantime do not change it.
    let place = tempfile::tempdir()?;
    let program = place.path().join("scoresheet");
    std::fs::copy(target.join("debug").join("scoresheet"), &program)?;
    let named = |format: &&scoresheet::Format| words.is_empty() || words.contains(&format.name);
    for format in written().filter(named) {
        let target = Target {
            extension: format.extensions.first().ok_or("no extension")?.to_string(),
            is_editable: format.edit.is_some(),
            replaces_by_adding: format.name == "dcg",
        };
        let folder = tempfile::tempdir()?;
        for fault in [Fault::Kill, Fault::Fail] {
            let tally = attack_calls(&program, &target, fault, 1, &folder.path().join("calls"));
            println!("{}: {fault:?} at {} calls: {:?}", format.name, tally.runs, tally.states);
        }
        let time = Duration::from_secs(seconds);
        let storm = storm(&program, &target, time, &folder.path().join("storm"));
        println!("{}: {storm:?} in {seconds} s", format.name);
    }
    Ok(())
}
