//! `scoresheet tree`

use std::path::PathBuf;

use clap::Args;

use crate::selection::Selection;
use crate::shared::{Finding, Reading, Sampling};
use crate::values::whole;

/// Shows the moves played from a position, and their results
#[derive(Debug, Args)]
#[command(after_help = "\
The position is that of --position or after --moves, or else the start position. A game counts \
once: where its main line first reaches the position, by any order of moves. A move has the name \
of the opening that it leads to. With --from match, the positions are those that the criteria \
find, and a move is the same wherever its piece comes from.

Examples:
  scoresheet tree twic.si4
  scoresheet tree twic.si4 --moves '1. e4 c5 2. Nf3' --elo 2600+
  scoresheet tree *.pgn.zst --depth 3 --position '8/8/8/4k3/8/4K3/4P3/8 w'
  scoresheet tree twic.si4 --cql 'flipcolor B[x]ph7(check)' --from match --depth 2
  scoresheet tree twic.si4 --json | jq '.moves[] | [.move, .games]'")]
pub struct Tree {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Begin at the first position of each game that the criteria find
    #[arg(long, value_name = "WHERE", value_parser = ["match"])]
    pub from: Option<String>,
    /// Follow N half-moves
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole::<u16>(1..=65_535))]
    pub depth: u16,
    /// Show at most N moves after each position
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=u64::MAX))]
    pub limit: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub finding: Finding,
    #[command(flatten)]
    pub sampling: Sampling,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub reading: Reading,
}
