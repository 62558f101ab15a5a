//! `scoresheet repertoire`

use std::path::PathBuf;

use clap::Args;

use crate::book::Side;
use crate::selection::Selection;
use crate::shared::Reading;
use crate::values::whole;

/// Compares a repertoire with games: missing answers, lines that nobody plays
#[derive(Debug, Args)]
#[command(after_help = "\
A repertoire is a PGN file; all variations count, by position and not by order of moves. An answer \
is missing if games played it in a position in which the repertoire has other moves. A book \
becomes a repertoire by `scoresheet book convert`, games by `convert --merge-games`.

Examples:
  scoresheet repertoire white.pgn twic.si4 --for white --min-games 20 --elo 2400+
  scoresheet repertoire white.pgn mine.pgn --player 'Doe, Jane' --leaving
  scoresheet list mine.pgn --leaves-repertoire white.pgn")]
pub struct Repertoire {
    /// The repertoire, a PGN file
    pub repertoire: PathBuf,
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The side whose repertoire it is: only answers of the other side can be missing
    #[arg(long = "for", value_enum, value_name = "SIDE")]
    pub side: Option<Side>,
    /// List answers that at least N games played
    #[arg(long, value_name = "N", default_value = "2", value_parser = whole::<u64>(1..=u64::MAX))]
    pub min_games: u64,
    /// List at most N answers and N lines
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=u64::MAX))]
    pub limit: Option<usize>,
    /// List the games that leave the repertoire, and where
    #[arg(long)]
    pub leaving: bool,
    /// Print one JSON object for each finding
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub reading: Reading,
}
