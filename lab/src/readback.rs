//! Reads random games that ports/python writes from the descriptions of the formats. It needs Python 3.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use scoresheet::OpenOptions;
use scoresheet::chess_core::Game;
use scoresheet::chess_store::Diagnostics;
use serde_json::Value;
use tempfile::TempDir;
use testkit::workspace_root;

use crate::command::run_command;
use crate::{Failure, numberings};

/// The extensions of the files that are opened.
const MAIN: [&str; 5] = ["dci", "cdp", "si4", "si5", "jose"];

/// How the games of a base were read.
#[derive(Default)]
struct Tally {
    games: u64,
    warnings: u64,
    wrong_lines: u64,
    wrong_tags: u64,
    damaged: u64,
}

/// Reads games of old ChessBase in each dialect, and games of the other formats.
pub(crate) fn run() -> Result<(), Failure> {
    numberings::run(random("cbf_random.py")?.path())?;
    others(random("random_bases.py")?.path())
}

/// Returns the folder of the games that a program of ports/python writes.
fn random(program: &str) -> Result<TempDir, Failure> {
    let folder = tempfile::tempdir()?;
    let program = workspace_root().join("ports/python").join(program);
    run_command(Command::new("python3").arg("-B").arg(program).arg(folder.path()))?;
    Ok(folder)
}

/// Prints a row for each base of `folder`, and fails if a game differs from its line in the .jsonl.
fn others(folder: &Path) -> Result<(), Failure> {
    println!("| base | games | wrong lines | wrong tags | damaged | warnings |");
    println!("|---|---|---|---|---|---|");
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().and_then(OsStr::to_str).is_some_and(|found| MAIN.contains(&found)) {
            paths.push(path);
        }
    }
    paths.sort();
    let (mut games, mut wrong) = (0, Vec::new());
    for path in &paths {
        let name = path.file_stem().unwrap_or_default().display().to_string();
        let tally = read_back(path, &name)?;
        let Tally { games: count, warnings, wrong_lines, wrong_tags, damaged } = tally;
        println!("| {name} | {count} | {wrong_lines} | {wrong_tags} | {damaged} | {warnings} |");
        games += count;
        if wrong_lines + wrong_tags + damaged > 0 {
            wrong.push(name);
        }
    }
    if games == 0 {
        return Err(format!("{}: no games", folder.display()).into());
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("read back wrongly: {}", wrong.join(", ")).into())
}

/// Reads a base, and compares each game with its line in the .jsonl.
fn read_back(path: &PathBuf, name: &str) -> Result<Tally, Failure> {
    let mut options = OpenOptions::default();
    if name.ends_with("-published") {
        options.settings.set("dialect", "published");
    }
    let base = scoresheet::open_with(path, &options)?;
    let database = base.database().ok_or("a database")?;
    let lines = fs::read_to_string(path.with_extension("jsonl"))?;
    if database.len() != lines.lines().count() as u64 {
        return Err(format!("{name}: another number of games").into());
    }
    let mut tally = Tally { games: database.len(), ..Tally::default() };
    let (mut reader, mut game) = (database.reader(), Game::new());
    for (number, line) in (0..).zip(lines.lines()) {
        let mut diagnostics = Diagnostics::lenient();
        tally.damaged += u64::from(reader.game(number, &mut game, &mut diagnostics).is_err());
        tally.warnings += u64::from(!diagnostics.warnings().is_empty());
        let expected: Value = serde_json::from_str(line)?;
        let actual = serde_json::to_value(&game)?;
        let differs = |key: &str| u64::from(actual[key] != expected[key]);
        tally.wrong_lines += differs("line") | differs("fen");
        tally.wrong_tags += differs("tags");
    }
    Ok(tally)
}
