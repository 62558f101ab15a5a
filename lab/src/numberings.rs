//! Reads back random games that ports/python wrote in each dialect of old ChessBase. cbf §6.3
//! "Dialects"

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use scoresheet::chess_core::Game;
use scoresheet::chess_store::Diagnostics;
use scoresheet::{OpenOptions, format_named, open_as};
use serde_json::Value;

use crate::Failure;

/// How the games of a dialect were read.
struct Read {
    /// The numbering that the reader found, and its evidence.
    found: String,
    /// By kind of game.
    tallies: BTreeMap<String, Tally>,
}

/// How the games of one dialect and kind were read.
#[derive(Default)]
struct Tally {
    games: u32,
    /// Read correctly, without and with a warning.
    right: [u32; 2],
    /// Read wrongly, without and with a warning or error.
    wrong: [u32; 2],
}

/// The number of games read wrongly without a warning that a dialect may have. A game of one of the
/// four numberings that a base can have is never read so. The others are read by their games alone.
const fn silent_limit(dialect: &str) -> u32 {
    // `next-after-phantom` differs from `usual` only where a number stands for no move.
    match dialect.as_bytes() {
        b"text" => 1,
        _ => 0,
    }
}

/// Prints a table of the dialects (docs/coverage.md "Random games"), and fails if a limit is exceeded.
pub(crate) fn run(folder: &Path) -> Result<(), Failure> {
    println!(
        "| dialect | numbering found | games | right | right, with a warning | wrong, with a warning | wrong, without a warning |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut found = Vec::new();
    for dialect in ["usual", "text", "no-stale-file", "no-edge-pawn", "plain", "next-after-phantom"]
    {
        let Read { found: numbering, tallies } = read_back(folder, dialect)?;
        let mut total = Tally::default();
        for tally in tallies.values() {
            total.games += tally.games;
            for at in 0..2 {
                total.right[at] += tally.right[at];
                total.wrong[at] += tally.wrong[at];
            }
        }
        print_row(dialect, &numbering, &total);
        if dialect == "usual" {
            for (kind, tally) in &tallies {
                print_row(&format!("usual, {kind}"), "", tally);
            }
        }
        if total.games == 0 || total.wrong[0] > silent_limit(dialect) {
            found.push(format!("{dialect}: {} of {} games", total.wrong[0], total.games));
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    Err(format!("wrong without a warning: {}", found.join(", ")).into())
}

fn print_row(name: &str, numbering: &str, tally: &Tally) {
    let Tally { games, right, wrong } = tally;
    println!(
        "| {name} | {numbering} | {games} | {} | {} | {} | {} |",
        right[0], right[1], wrong[1], wrong[0]
    );
}

/// Reads a base, and compares each game with its line in the .jsonl.
fn read_back(folder: &Path, dialect: &str) -> Result<Read, Failure> {
    let format = format_named("cbf").ok_or("built without cbf")?;
    let path = folder.join(dialect);
    let base = open_as(path.with_extension("cbf"), format, &OpenOptions::default())?;
    let database = base.database().ok_or("cbf is a database")?;
    let lines = fs::read_to_string(path.with_extension("jsonl"))?;
    if database.len() != lines.lines().count() as u64 {
        return Err(format!("{dialect}: another number of games").into());
    }
    let mut tallies = BTreeMap::<String, Tally>::new();
    let (mut reader, mut game) = (database.reader(), Game::new());
    for (number, line) in (0..).zip(lines.lines()) {
        let mut diagnostics = Diagnostics::lenient();
        let read = reader.game(number, &mut game, &mut diagnostics);
        let told = usize::from(read.is_err() || !diagnostics.warnings().is_empty());
        let expected: Value = serde_json::from_str(line)?;
        let actual = serde_json::to_value(&game)?;
        let same = ["fen", "line"].iter().all(|key| actual[key] == expected["game"][key]);
        let kind = expected["kind"].as_str().ok_or("a game without a kind")?;
        let tally = tallies.entry(kind.to_owned()).or_default();
        tally.games += 1;
        let count = if same { &mut tally.right } else { &mut tally.wrong };
        count[told] += 1;
    }
    let details = database.details().into_iter();
    let found = details.filter(|(name, _)| *name == "move codes").map(|(_, value)| value);
    Ok(Read { found: found.collect(), tallies })
}
