//! `scoresheet player`

use std::path::PathBuf;

use clap::Args;

use crate::selection::Selection;
use crate::shared::{Finding, Reading, Sampling, Showing};

/// Shows a player's results by colour, year, opening and opponent
#[derive(Debug, Args)]
#[command(after_help = "\
NAME follows the rules of --player, which adds further names of the same player. The report lists \
the spellings that it found. A name that means several people is an error, which lists them.

Examples:
  scoresheet player 'carlsen m' twic.si4
  scoresheet player karpov old.si4 --against kasparov --date 1984..1990
  scoresheet player kasimdzhanov *.pgn --player qosimjonov --limit 20
  scoresheet player polgar old.si4 --all
  scoresheet player 'tal m' old.si4 --html > tal.html")]
pub struct Player {
    /// Name of the player
    #[arg(value_name = "NAME")]
    pub who: String,
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Add up the people whom the name means, if they are several
    #[arg(long)]
    pub all: bool,
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
