//! `scoresheet info`

use std::path::PathBuf;

use clap::Args;

use crate::shared::Reading;

/// Describes a base: format, games, players, years, features, deviations
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet info old.si4
  scoresheet info --json *.cbf | jq .games")]
pub struct Info {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Read all games, also where the index tells enough; finds damage, null moves and non-ASCII
    /// texts
    #[arg(long)]
    pub games: bool,
    /// Print one JSON object for each base
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: Reading,
}
