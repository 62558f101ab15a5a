//! `scoresheet index`

use std::path::PathBuf;

use clap::Args;

use crate::shared::Reading;

/// Keeps an index of positions beside a base, or a list of players prepared
#[derive(Debug, Args)]
#[command(after_help = "\
The file `base.si4.positions` has the games of each position that two games or more reach. `serve`, `tree` \
and searches with --position then read only these games. Appending games keeps it up to date. After other \
changes it is not used, until this command is run again. It may be deleted at any time.

For a list of --players, the file `spelling.ssp.prepared` has its names sorted, so that every command starts \
sooner. If the list changes, the file is not used.

Examples:
  scoresheet index mega.cbh
  scoresheet index twic.si4 own.pgn
  scoresheet index spelling.ssp")]
pub struct Index {
    /// Files of bases, folders or patterns; lists of players
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
}
