//! `scoresheet serve`

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use crate::shared::Reading;

/// Answers like Lichess's opening explorer, from your own bases
#[derive(Debug, Args)]
#[command(after_help = "\
Programs for the explorer (berserk, en-croissant, ...) get its address as http://127.0.0.1:9002. \
All files are one set of games, and each is a set of its own under its name: /NAME/masters. \
Parameters named like the options that choose games choose among the games: ?eco=B90&length=20..

Only programs of this computer can ask, and no page of a browser but those that --cors names. \
docs/serve.md describes requests and answers.

Examples:
  scoresheet serve mega.cbh
  scoresheet serve twic.si4 own.pgn --port 9003
  scoresheet serve club.pgn --cors https://lichess.org
  echo '/masters?play=e2e4' | scoresheet serve twic.si4 --stdin")]
pub struct Serve {
    /// Files of bases, folders or patterns
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Listen on this port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 9002, conflicts_with = "stdin")]
    pub port: u16,
    /// Listen on this address of the computer; another one than 127.0.0.1 opens the bases to others
    #[arg(long, value_name = "IP", default_value = "127.0.0.1", conflicts_with = "stdin")]
    pub address: IpAddr,
    /// Let clients use this name of the computer; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "stdin")]
    pub allow_host: Vec<String>,
    /// Let pages of this origin read answers, as https://lichess.org; may be repeated
    #[arg(long, value_name = "ORIGIN", conflicts_with = "stdin")]
    pub cors: Vec<String>,
    /// Ask for `Authorization: Bearer TOKEN`
    #[arg(long, value_name = "TOKEN", conflicts_with = "stdin")]
    pub token: Option<String>,
    /// Show the bases on the page in this folder; by default in `page` beside the program, if it is there
    #[arg(long, value_name = "FOLDER", conflicts_with = "stdin")]
    pub page: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long, conflicts_with = "stdin")]
    pub open: bool,
    /// Read requests from standard input, a line each, and print a line of JSON for each
    #[arg(long)]
    pub stdin: bool,
    #[command(flatten)]
    pub reading: Reading,
}
