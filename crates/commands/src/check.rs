//! `scoresheet check`

use std::path::PathBuf;

use clap::Args;

use crate::shared::Reading;

/// Reads everything and reports damage
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet check old.si4
  scoresheet check --json disk/ > damage.jsonl")]
pub struct Check {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object for each finding
    #[arg(long)]
    pub json: bool,
    /// Count tolerated deviations as damage
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub reading: Reading,
}
