//! `scoresheet check`

use std::path::PathBuf;

use clap::Args;

use super::shared::Reading;

/// Reads everything and reports damage
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet check old.si4
  scoresheet check --json disk/ > damage.jsonl")]
pub(crate) struct Check {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print one JSON object for each finding
    #[arg(long)]
    pub(crate) json: bool,
    /// Count tolerated deviations as damage
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}
