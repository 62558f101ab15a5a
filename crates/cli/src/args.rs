//! The command line: one module for each command, and `shared` for options of several commands.

mod check;
mod convert;
mod crosstable;
mod dedupe;
mod dump;
mod edit;
mod formats;
mod info;
mod list;
mod player;
mod repair;
mod shared;
mod show;
mod stats;
mod tree;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

use crate::exit::FailOn;

pub(crate) use check::Check;
#[cfg(feature = "tables")]
pub(crate) use convert::Tabling;
pub(crate) use convert::{Convert, Split};
pub(crate) use crosstable::Crosstable;
pub(crate) use dedupe::Dedupe;
pub(crate) use dump::Dump;
pub(crate) use edit::{Change, Chosen, Edit};
pub(crate) use formats::Formats;
pub(crate) use info::Info;
pub(crate) use list::List;
pub(crate) use player::Player;
pub(crate) use repair::Repair;
pub(crate) use shared::{Order, Reading, Showing, Writing};
pub(crate) use show::Show;
pub(crate) use stats::StatsOf;
pub(crate) use tree::Tree;

/// Reads, writes and converts chess databases
#[derive(Debug, Parser)]
#[command(name = "scoresheet", version, after_help = ABOUT, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print errors only
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Report every deviation and loss, game by game
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
    /// Exit with code 4 on these too
    #[arg(long, global = true, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
}

const ABOUT: &str = "\
Name any file of a base; the other files are found beside it. The content of a file tells its
format, or else its extension does. Games are numbered from 1.

Exit codes:
  0    done; losses and damage are reported, see --fail-on
  1    no game was found; for `check`: something is damaged
  2    the command line is wrong; nothing was done
  3    not done: a file cannot be read or written, or --strict found something
  4    done in part: a game was refused, an input cannot be read, or what --fail-on names happened
  130  interrupted

On a terminal, tables and games go through the pager that PAGER names: `less` by default, none if
it is empty. NO_COLOR turns colours off, COLUMNS sets the width. docs/json.md describes --json.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Info(Info),
    List(List),
    Show(Show),
    Convert(Box<Convert>),
    Tree(Tree),
    Player(Box<Player>),
    Crosstable(Box<Crosstable>),
    Stats(Box<StatsOf>),
    Dedupe(Dedupe),
    Check(Check),
    Repair(Repair),
    Edit(Edit),
    Dump(Dump),
    Formats(Formats),
    /// Prints the completions of a shell
    #[command(after_help = "Examples:
  scoresheet completions bash > ~/.local/share/bash-completion/completions/scoresheet
  scoresheet completions fish > ~/.config/fish/completions/scoresheet.fish
  scoresheet completions zsh > ~/.zfunc/_scoresheet")]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Prints the manual page
    #[command(after_help = "Examples:
  scoresheet man | man -l -
  scoresheet man > ~/.local/share/man/man1/scoresheet.1")]
    Man,
}
