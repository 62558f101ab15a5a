//! `scoresheet stats`

use std::path::PathBuf;

use clap::Args;

use crate::selection::Selection;
use crate::shared::{Finding, Reading, Sampling, Showing};

/// Counts games by year, result, opening, time class, length and rating
#[derive(Debug, Args)]
#[command(after_help = "\
Each list adds up to all games that were chosen. Openings go by the moves.

Examples:
  scoresheet stats twic.si4
  scoresheet stats old.si4 --elo 2500.. --limit 20
  scoresheet stats *.pgn --time-class blitz --csv > blitz.csv
  scoresheet stats twic.si4 --html > twic.html")]
pub struct StatsOf {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub showing: Showing,
    #[command(flatten)]
    pub finding: Finding,
    #[command(flatten)]
    pub sampling: Sampling,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub reading: Reading,
}
