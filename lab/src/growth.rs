//! Writes and reads every format with ten times more games, and ten times more again. Time per game
//! must stay the same, and memory must grow only with the names.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use scoresheet::{Format, formats};

use crate::Failure;
use crate::command::run_command;
use crate::times::{NOISE, megabytes, run_program};

/// The smallest number of games.
const FEWEST: u64 = 10_000;
/// Tolerance: with ten times more games, the time per game may grow by this factor.
const SLOWER: f64 = 1.5;

/// Games per kilobyte of record bounds, in bases that have long records
/// (`chess_store::RecordBounds`).
const GAMES_A_KILOBYTE: u64 = 3 << 10;

const USAGE: &str = "growth GAMES.pgn [COUNT [FORMAT...]]";

/// Measures with the games of a PGN file, repeated up to a maximum number of games. The default
/// maximum is a million, and the default formats are all. The files are in the folder for temporary
/// files.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [games, words @ ..] = words else { return Err(USAGE.into()) };
    let (most, wanted) = match words {
        [] => (1_000_000, words),
        [most, wanted @ ..] => (most.parse().map_err(|_| USAGE)?, wanted),
    };
    // An opening book holds positions, not games.
    let fits = |f: &&'static Format| f.open.is_some() && f.create.is_some() && f.name != "fbk";
    let is_wanted = |f: &&'static Format| wanted.is_empty() || wanted.contains(&f.name);
    let measured: Vec<&'static Format> = formats().filter(fits).filter(is_wanted).collect();
    if measured.len() < wanted.len().max(1) {
        return Err(format!("{USAGE}: some of these are no formats").into());
    }
    let text = std::fs::read(games).map_err(|error| format!("{games}: {error}"))?;
    let build = ["build", "--profile", "dist", "-p", "scoresheet-cli"];
    run_command(Command::new(env!("CARGO")).args(build))?;
    let counts: Vec<u64> = std::iter::successors(Some(FEWEST), |count| Some(count * 10))
        .take_while(|n| *n <= most)
        .collect();
    let folder = tempfile::tempdir()?;
    let mut table = Table::default();
    for count in counts.iter().copied() {
        let source = folder.path().join("games.pgn");
        write_games(&text, &source, count)?;
        measure(&measured, &source, count, folder.path(), &mut table)?;
    }
    table.print(&counts);
    table.judge(counts.last().copied().unwrap_or(0))
}

/// Writes a number of games by repeating the games of the text.
fn write_games(text: &[u8], to: &Path, count: u64) -> Result<(), Failure> {
    let starts: Vec<usize> = text
        .windows(8)
        .enumerate()
        .filter(|(_, window)| window.starts_with(b"\n[Event "))
        .map(|(at, _)| at + 1)
        .collect();
    let (Some(first), Some(last)) = (starts.first(), starts.last()) else {
        return Err("too few games".into());
    };
    let whole = starts.len() as u64 - 1;
    let mut out = BufWriter::new(File::create(to)?);
    for _ in 0..count.checked_div(whole).unwrap_or(0) {
        out.write_all(&text[*first..*last])?;
    }
    let rest = usize::try_from(count.checked_rem(whole).unwrap_or(0))?;
    out.write_all(&text[*first..starts[rest]])?;
    Ok(out.flush()?)
}

/// Writes each format and reads it again.
fn measure(
    measured: &[&'static Format],
    source: &Path,
    count: u64,
    folder: &Path,
    table: &mut Table,
) -> Result<(), Failure> {
    let named = |name| formats().find(|format| format.name == name).ok_or("built without formats");
    let (pgn, si4) = (named("pgn")?, named("si4")?);
    for format in measured.iter().copied() {
        let base = folder.join("base").with_extension(format.extensions[0]);
        let again = folder.join("again").with_extension(si4.extensions[0]);
        for (work, (from, input), (to, output)) in
            [("write", (pgn, source), (format, &base)), ("read", (format, &base), (si4, &again))]
        {
            let run = run_program(from, input, to, output, 1)?;
            let microseconds = run.used.processor * 1e6 / count as f64;
            eprintln!("{} {work} {count}: {microseconds:.1} µs a game", format.name);
            table.add(format.name, work, microseconds, run.used.kilobytes);
        }
        remove_bases(folder)?;
    }
    Ok(())
}

/// Remove each base after use: ten million games of every format need too much space.
fn remove_bases(folder: &Path) -> Result<(), Failure> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name != "games.pgn") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// For each format and action: microseconds per game and kilobytes, for each number of games.
type Row = (&'static str, &'static str, Vec<(f64, u64)>);

#[derive(Default)]
struct Table {
    rows: Vec<Row>,
}

impl Table {
    fn add(&mut self, format: &'static str, work: &'static str, microseconds: f64, kilobytes: u64) {
        let cell = (microseconds, kilobytes);
        match self.rows.iter_mut().find(|row| (row.0, row.1) == (format, work)) {
            Some(row) => row.2.push(cell),
            None => self.rows.push((format, work, vec![cell])),
        }
    }

    fn print(&self, counts: &[u64]) {
        print!("| | |");
        counts.iter().for_each(|count| print!(" {count} games |"));
        println!("\n|---|---|{}", "---:|".repeat(counts.len()));
        for (format, work, cells) in &self.rows {
            print!("| {format} | {work} |");
            for (microseconds, kilobytes) in cells {
                print!(" {microseconds:.1} µs, {} MB |", megabytes(*kilobytes));
            }
            println!();
        }
    }

    /// Compares the last two measurements. The last one has `games` games.
    fn judge(&self, games: u64) -> Result<(), Failure> {
        let room = NOISE + games / GAMES_A_KILOBYTE;
        let mut grown = Vec::new();
        for (format, work, cells) in &self.rows {
            let [.., (before, less), (after, more)] = cells.as_slice() else { continue };
            if *after > before * SLOWER {
                grown.push(format!("{format} {work}: {before:.1} µs a game became {after:.1}"));
            }
            if *more > less + room {
                let (less, more) = (megabytes(*less), megabytes(*more));
                grown.push(format!("{format} {work}: {less} MB became {more}"));
            }
        }
        if grown.is_empty() { Ok(()) } else { Err(grown.join("\n").into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_games_repeats_the_text() {
        let text = b"\n[Event \"1\"]\n\n*\n\n[Event \"2\"]\n\n*\n\n[Event \"end\"]\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        write_games(text, &path, 5).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        assert_eq!(written.matches("[Event").count(), 5);
        assert!(written.ends_with("[Event \"1\"]\n\n*\n\n"));
    }

    #[test]
    fn compare_growth_above_limit_is_error() {
        let mut table = Table::default();
        for (microseconds, kilobytes) in [(10.0, 8000), (11.0, 8500), (12.0, 9000)] {
            table.add("si4", "read", microseconds, kilobytes);
        }
        assert!(table.judge(1000).is_ok());
        table.add("si4", "read", 30.0, 100_000);
        assert_eq!(table.judge(1000).unwrap_err().to_string().lines().count(), 2);
    }
}
