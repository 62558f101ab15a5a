//! `scoresheet show`

use std::path::PathBuf;

use clap::Args;

use crate::selection::Selection;
use crate::shared::Reading;
use crate::values::{Ply, game_number};

/// Shows one game, or the canonical lines of all games
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet show old.si4 12
  scoresheet show old.si4 12 --ply 40 --ascii
  scoresheet show old.si4 12 --ply match --cql 'path --(check) --(check)'
  scoresheet show old.si4 12 --pgn | xclip
  scoresheet show old.si4 --lines > old.jsonl")]
pub struct Show {
    /// Any file of the base, or - for standard input
    pub file: PathBuf,
    /// Number of the game, from 1
    #[arg(value_parser = game_number, required_unless_present = "lines")]
    pub number: Option<u64>,
    /// Draw the board after N half-moves of the main line, at its `end`, or at the first `match`
    #[arg(long, value_name = "N", value_parser = Ply::parse)]
    pub ply: Option<Ply>,
    /// Draw the board with letters
    #[arg(long)]
    pub ascii: bool,
    /// Print PGN
    #[arg(long, conflicts_with_all = ["json", "ply", "ascii"])]
    pub pgn: bool,
    /// Print canonical JSON
    #[arg(long, conflicts_with_all = ["ply", "ascii"])]
    pub json: bool,
    /// Print each game as canonical JSON, a damaged one with its error (docs/model.md §5)
    #[arg(long, conflicts_with_all = ["number", "pgn", "json", "ply", "ascii"])]
    pub lines: bool,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub reading: Reading,
}
