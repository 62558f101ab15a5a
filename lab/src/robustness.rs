//! Kills the program or fails a call at every system call, and runs many processes on one base, for
//! every format. docs/robustness.md explains the figures.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use scoresheet::formats;
use testkit::attack::{Fault, Storm, Tally, Target, attack_calls, has_strace, storm};

use crate::Failure;
use crate::command::run_command;
use crate::rows::Rows;

/// The duration of each storm, unless given.
const SECONDS: u64 = 60;

const USAGE: &str = "robustness [--write] [--seconds N] [FORMAT...]";

/// The figures of the last long run.
const FIGURES: &str = "docs/robustness/faults.csv";
const HEAD: &str = "format,killed,killed_old,killed_new,killed_both,\
                    failed,failed_old,failed_new,failed_both,storm_changes,storm_reads";

/// Attacks one format, or all. With `--write`, puts the figures into [`FIGURES`].
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let (write, words) = match words {
        ["--write", rest @ ..] => (true, rest),
        _ => (false, words),
    };
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
    run_command(Command::new(env!("CARGO")).args(["build", "--bin", "scoresheet"]))?;
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
        let tallies = [Fault::Kill, Fault::Fail].map(|fault| {
            let tally = attack_calls(&program, &target, fault, 1, &folder.path().join("calls"));
            println!("{}: {fault:?} at {} calls: {:?}", format.name, tally.runs, tally.states);
            tally
        });
        let time = Duration::from_secs(seconds);
        let storm = storm(&program, &target, time, &folder.path().join("storm"));
        println!("{}: {storm:?} in {seconds} s", format.name);
        if write {
            let rows = vec![row(format.name, &tallies, &storm)];
            Rows { head: HEAD, key: 1, rows }.write(FIGURES)?;
        }
    }
    Ok(())
}

/// Returns the cells of a format.
fn row(format: &str, tallies: &[Tally; 2], storm: &Storm) -> Vec<String> {
    let of_tally = |tally: &Tally| {
        let state = |state| tally.states.get(state).copied().unwrap_or(0);
        [tally.runs, state("old"), state("new"), state("both")].map(|count| count.to_string())
    };
    let mut row = vec![format.to_owned()];
    row.extend(tallies.iter().flat_map(of_tally));
    row.extend([storm.changes.to_string(), storm.reads.to_string()]);
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_has_a_cell_for_each_name_of_the_head() {
        let tally = |runs| Tally { runs, states: [("old", runs - 1), ("new", 1)].into() };
        let storm = Storm { changes: 5, reads: 6, told: 0 };
        let row = row("si4", &[tally(9), tally(2)], &storm);
        assert_eq!(row.join(","), "si4,9,8,1,0,2,1,1,0,5,6");
        assert_eq!(row.len(), HEAD.split(',').count());
    }
}
