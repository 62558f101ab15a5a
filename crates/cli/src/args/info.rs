//! `scoresheet info`

use std::path::PathBuf;

use clap::Args;

use super::shared::Reading;

/// Describes a base: format, games, players, years, features, deviations
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet info old.si4
  scoresheet info --json *.cbf | jq .games")]
pub(crate) struct Info {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read all games, also where the index tells enough; finds damage, null moves and non-ASCII
    /// texts
    #[arg(long)]
    pub(crate) games: bool,
    /// Print one JSON object for each base
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}
