//! Reads all bases in a folder. Each must open, and none may cause a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use scoresheet::chess_core::Game;
use scoresheet::chess_store::{Diagnostics, Scope};
use scoresheet::{Format, formats};

use crate::{Failure, chessbase17, genuine};

/// Bases in a folder with this name may fail to open.
const DAMAGED: &str = "robust";

/// Opens each base and reads all of it.
pub(crate) fn run(folder: &Path) -> Result<(), Failure> {
    let mut bases = Vec::new();
    find(folder, &mut bases)?;
    bases.sort();
    if bases.is_empty() {
        return Err(format!("{}: no base of any format", folder.display()).into());
    }
    let mut failures = Vec::new();
    for path in &bases {
        match catch_unwind(AssertUnwindSafe(|| read(path))) {
            Ok(Ok(line)) => println!("{}: {line}", path.display()),
            Ok(Err(error)) if path.iter().any(|part| part == DAMAGED) => println!("{error}"),
            Ok(Err(error)) if is_packed(path) => println!("{error} (packed beside it)"),
            Ok(Err(error)) => failures.push(error.to_string()),
            Err(_) => failures.push(format!("{}: panicked", path.display())),
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Returns the files whose extension is the first extension of a readable format.
fn find(folder: &Path, bases: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, bases)?;
            continue;
        }
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let first = |f: &Format| f.extensions.first() == Some(&&*extension);
        if extension == "cbv" || formats().any(|f| f.open.is_some() && first(f)) {
            bases.push(path);
        }
    }
    Ok(())
}

/// Returns whether a companion file is compressed, so that no program would open the base.
fn is_packed(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    entries.into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with(&format!("{stem}.")) && name.ends_with(".xz")
    })
}

fn read(path: &Path) -> Result<String, Failure> {
    let mut base = scoresheet::open(path)?;
    let (format, name) = (base.format().title, base.format().name);
    let (mut games, mut damaged, mut odd) = (0, 0, 0);
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = base.reader();
    loop {
        diagnostics.clear();
        match reader.read_game(&mut game, &mut diagnostics) {
            Ok(false) => break,
            Ok(true) => {}
            Err(error) if error.scope() == Scope::Base => {
                return Err(error.into());
            }
            Err(_) => damaged += 1,
        }
        games += 1;
        odd += u64::from(!diagnostics.warnings().is_empty());
    }
    let said = format!("{format}, {games} games, {damaged} damaged, {odd} with warnings");
    if name == "2cbh" {
        return Ok(format!("{said}; {}", chessbase17::compare(path)?));
    }
    if name == "cbh" {
        return Ok(format!("{said}; {}", genuine::compare(path)?));
    }
    Ok(said)
}
