//! `scoresheet dedupe`

use clap::Args;
use scoresheet::Format;

use crate::selection::Selection;
use crate::shared::{InputsAndOutput, NoSampling, Reading, Writing};
use crate::values::FormatName;

/// Copies games to another base and leaves out repeated ones
#[derive(Debug, Args)]
#[command(
    override_usage = "scoresheet dedupe [OPTIONS] <IN>... <OUT>
       scoresheet dedupe [OPTIONS] <IN>... -o <OUT>
       scoresheet dedupe [OPTIONS] --dry-run <IN>...",
    after_help = "\
A game repeats another if both have the same moves and their headers agree, as far as both know \
players, date, round and result. Many equal moves outweigh a date that is a day or a year off, another \
result, a name spelt otherwise, a few wrong moves or a missing end. The game with the most \
annotations stays, or else the first.

Examples:
  scoresheet dedupe big.pgn clean.pgn
  scoresheet dedupe *.pgn twic.si4 all.si4 --contained
  scoresheet dedupe big.pgn --dry-run
  scoresheet edit base.si4 dedupe"
)]
pub struct Dedupe {
    #[command(flatten)]
    pub files: InputsAndOutput,
    /// Count games that are the beginning of others as repeated too
    #[arg(long)]
    pub contained: bool,
    /// Complete the games that stay by those that go: unknown tags, fuller names and dates, comments
    #[arg(long, conflicts_with = "listing")]
    pub merge: bool,
    /// Print which game repeats which, and write nothing
    #[arg(long, short = 'n', group = "listing")]
    pub dry_run: bool,
    /// Print which games nearly repeat others, and what differs, and write nothing
    #[arg(long, group = "listing")]
    pub near: bool,
    /// With --dry-run or --near: print one JSON object for each game
    #[arg(long, requires = "listing")]
    pub json: bool,
    /// Format of the inputs, if not by content; `formats` lists them
    #[arg(long, value_name = "FORMAT", value_parser = FormatName::Readable)]
    #[arg(hide_possible_values = true)]
    pub from: Option<&'static Format>,
    #[command(flatten)]
    pub sampling: NoSampling,
    #[command(flatten)]
    pub writing: Writing,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub reading: Reading,
}
