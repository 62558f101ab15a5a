//! `scoresheet dump`

use std::path::PathBuf;

use clap::Args;

use crate::shared::Reading;
use crate::values::game_number;

/// Prints the bytes of one game with the names of their fields
#[derive(Debug, Args)]
#[command(after_help = "\
The page of the format in docs/formats explains the fields.

Example:
  scoresheet dump old.si4 12")]
pub struct Dump {
    /// Any file of the base
    pub file: PathBuf,
    /// Number of the game, from 1
    #[arg(value_parser = game_number)]
    pub number: u64,
    /// Print one JSON object for each field
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: Reading,
}
