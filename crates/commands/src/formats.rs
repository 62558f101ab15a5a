//! `scoresheet formats`

use clap::Args;
use scoresheet::Format;

use crate::values::FormatName;

/// Lists the formats that can be read, written and changed, or the options of one
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet formats
  scoresheet formats dcg
  scoresheet formats --json | jq -r 'select(.write) | .name'")]
pub struct Formats {
    /// Show this format only, with its options
    #[arg(value_name = "FORMAT", value_parser = FormatName::Known)]
    pub format: Option<&'static Format>,
    /// Print one JSON object for each format
    #[arg(long)]
    pub json: bool,
}
