//! `scoresheet update`, `undo` and `compare`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::shared::{Reading, Writing};
use crate::waiting::Waiting;

/// Brings a base up to date by newer files
#[derive(Debug, Args)]
#[command(after_help = "\
Games that the base lacks are added. A game that it has takes what a copy in the files knows better: \
a corrected result, date or given name, missing tags, later moves, comments. Other tags stay. Games \
are the same by the rules of `dedupe`. A second run changes nothing. A text is written anew.

`base.si4.updates` is the log, and `base.si4.undo` holds the files as they were.

Examples:
  scoresheet update base.si4 --dry-run week.pgn
  scoresheet update base.si4 week1.pgn week2.pgn
  scoresheet undo base.si4")]
pub struct Update {
    /// Base to change
    pub base: PathBuf,
    /// Bases with newer games, the newest last
    #[arg(required = true, value_name = "FILE")]
    pub from: Vec<PathBuf>,
    /// Print what would be done, and change nothing
    #[arg(long, short = 'n')]
    pub dry_run: bool,
    #[command(flatten)]
    pub waiting: Waiting,
    #[command(flatten)]
    pub reading: Reading,
}

/// Takes back the last update of a base
#[derive(Debug, Args)]
#[command(after_help = "\
The files of the base become what they were. A base that was changed after the update, or whose \
update was interrupted, stays as it is without --force.

Example:
  scoresheet undo base.si4")]
pub struct Undo {
    /// Base to restore
    pub base: PathBuf,
    /// Restore also what was changed after the update, or left by one that was interrupted
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub waiting: Waiting,
}

/// Compares two bases: which games only one of them has, and which differ
#[derive(Debug, Args)]
#[command(after_help = "\
Games are the same by the rules of `dedupe`. They differ if any tag, move or annotation does.

Examples:
  scoresheet compare mine.si4 theirs.pgn
  scoresheet compare mine.si4 theirs.pgn --games only-b --out new.pgn")]
pub struct Compare {
    /// First base
    pub a: PathBuf,
    /// Second base
    pub b: PathBuf,
    /// Games to print, or to write to OUT: with `differing` the copies of B
    #[arg(long, value_name = "WHICH")]
    pub games: Option<Which>,
    /// Base to write these games to
    #[arg(long, short, value_name = "OUT", requires = "games")]
    pub out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub writing: Writing,
    #[command(flatten)]
    pub reading: Reading,
}

/// Which games of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Which {
    // Plain comments keep the help short: the games of A that B lacks; of B that A lacks; of B that
    // differ from A's copy.
    OnlyA,
    OnlyB,
    Differing,
}
