//! `scoresheet repair`

use std::path::PathBuf;

use clap::Args;

use crate::shared::{Reading, Writing};

/// Writes a sound base from a damaged one, and reports what was lost
#[derive(Debug, Args)]
#[command(after_help = "\
A damaged game is kept up to the damage; --drop leaves it out. Games of Scid that the index does
not give, or gives wrongly, are found in the .sg4 or .sg5.

Examples:
  scoresheet repair broken.si4 sound.si4
  scoresheet repair broken.si4 sound.si4 --drop")]
pub struct Repair {
    /// Any file of the damaged base
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Base to write, of the same format or of another
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Leave damaged games out
    #[arg(long)]
    pub drop: bool,
    #[command(flatten)]
    pub writing: Writing,
    #[command(flatten)]
    pub reading: Reading,
}
