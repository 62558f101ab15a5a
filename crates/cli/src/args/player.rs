//! `scoresheet player`

use std::path::PathBuf;

use clap::Args;

use super::shared::{Finding, Reading, Sampling, Showing};
use crate::select::Selection;

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
pub(crate) struct Player {
    /// Name of the player
    #[arg(value_name = "NAME")]
    pub(crate) who: String,
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Add up the people whom the name means, if they are several
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) showing: Showing,
    #[command(flatten)]
    pub(crate) finding: Finding,
    #[command(flatten)]
    pub(crate) sampling: Sampling,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) reading: Reading,
}
