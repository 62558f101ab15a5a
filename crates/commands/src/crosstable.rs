//! `scoresheet crosstable`

use std::path::PathBuf;

use clap::Args;
use scoresheet::reports::TieBreak;

use crate::selection::Selection;
use crate::shared::{Finding, NoSampling, Reading, Showing};

/// Shows the table of a tournament or match
#[derive(Debug, Args)]
#[command(after_help = "\
The games must be of one event; choose with --event, --site and --date. Games with one event and \
site, and no gap of more than four months between them, are one event. docs/reports.md says how \
performance and tie-breaks are computed.

Examples:
  scoresheet crosstable linares.pgn
  scoresheet crosstable old.si4 --event linares --date 1993
  scoresheet crosstable open.pgn --tie-breaks buchholz,wins --csv > open.csv
  scoresheet crosstable open.pgn --trf > open.trf
  scoresheet crosstable club.pgn --merge --html > club.html")]
pub struct Crosstable {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Take all games for one event
    #[arg(long)]
    pub merge: bool,
    /// Rank by direct, sb, wins, buchholz, cut1, performance [default: usual for the event]
    #[arg(long, value_name = "LIST", value_delimiter = ',',
        value_parser = |text: &str| text.parse::<TieBreak>())]
    pub tie_breaks: Vec<TieBreak>,
    /// Print the tournament report file of FIDE, TRF16, which pairing programs read
    #[arg(long, conflicts_with_all = ["json", "csv", "html"])]
    pub trf: bool,
    #[command(flatten)]
    pub showing: Showing,
    #[command(flatten)]
    pub finding: Finding,
    #[command(flatten)]
    pub sampling: NoSampling,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub reading: Reading,
}
