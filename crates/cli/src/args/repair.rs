//! `scoresheet repair`

use std::path::PathBuf;

use clap::Args;

use super::shared::{Reading, Writing};

/// Writes a sound base from a damaged one, and reports what was lost
#[derive(Debug, Args)]
#[command(after_help = "\
A damaged game is kept up to the damage; --drop leaves it out. Games of Scid that the index does
not give, or gives wrongly, are found in the .sg4 or .sg5.

Examples:
  scoresheet repair broken.si4 sound.si4
  scoresheet repair broken.si4 sound.si4 --drop")]
pub(crate) struct Repair {
    /// Any file of the damaged base
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Base to write, of the same format or of another
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Leave damaged games out
    #[arg(long)]
    pub(crate) drop: bool,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[command(flatten)]
    pub(crate) reading: Reading,
}
