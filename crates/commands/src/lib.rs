//! The command line of `scoresheet`: one module for each command, and `shared` for options of several commands.
//!
//! ```
//! let words = ["scoresheet", "list", "old.si4", "--player", "karpov"].map(Into::into);
//! let commands::Command::List(list) = commands::Arguments::read(&words)?.command else { panic!() };
//! assert_eq!(list.selection.values("player").collect::<Vec<_>>(), ["karpov"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Doc comments of commands and options are the help of the program.

#![allow(
    missing_docs,
    rustdoc::bare_urls,
    reason = "doc comments are plain text for terminals, and flattened options have none"
)]

mod book;
mod check;
mod collection;
mod convert;
mod crosstable;
mod dedupe;
mod dump;
mod edit;
mod formats;
pub mod hint;
mod index;
mod info;
mod list;
pub mod manual;
mod player;
mod repair;
mod repertoire;
pub mod selection;
mod serve;
mod shared;
mod show;
mod stats;
mod tree;
pub mod values;
mod waiting;

use std::ffi::OsString;

use clap::{Command as Clap, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use scoresheet::filter::QueryError;

use manual::Shell;
use selection::CHOOSING;

pub use book::{
    Book, BookCheck, BookCommand, BookConvert, BookMake, BookMerge, BookShow, MergingBy, Side,
    WeightsBy,
};
pub use check::Check;
pub use collection::{Compare, Undo, Update, Which};
#[cfg(feature = "tables")]
pub use convert::Tabling;
pub use convert::{Convert, MergeBy, Split};
pub use crosstable::Crosstable;
pub use dedupe::Dedupe;
pub use dump::Dump;
pub use edit::{Change, Chosen, Edit};
pub use formats::Formats;
pub use index::Index;
pub use info::Info;
pub use list::List;
pub use player::Player;
pub use repair::Repair;
pub use repertoire::Repertoire;
pub use serve::Serve;
pub use shared::{Finding, NoSampling, Reading, Sampling, Showing, Writing};
pub use show::Show;
pub use stats::StatsOf;
pub use tree::Tree;
pub use waiting::Waiting;

/// Outcomes that `--fail-on` counts as done in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    // Plain comments, because doc comments here would double the length of every help page.
    Loss,
    Damage,
    // This always counts; the help does not offer it.
    #[value(hide = true)]
    Refusal,
}

/// Why the values of options cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The command line makes no sense.
    Usage(String),
    /// A file cannot be read.
    Failed(String),
}

impl Error {
    fn option(name: &str, error: &QueryError) -> Error {
        Error::Usage(format!("--{name}: {error}"))
    }
}

/// Reads, writes and converts chess databases
#[derive(Debug, Parser)]
#[command(name = "scoresheet", version, after_help = ABOUT, propagate_version = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// Print errors only
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Report every deviation and loss, game by game
    #[arg(long, short, global = true)]
    pub verbose: bool,
    /// Exit with code 4 on these too
    #[arg(long, global = true, value_name = "KINDS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
}

impl Arguments {
    /// Parses the command line. The help of `convert`, `dedupe` and `show` names the options that choose
    /// games, and the help of `list` describes them, so that each help fits on two screens.
    pub fn read(words: &[OsString]) -> Result<Arguments, clap::Error> {
        let brief = |command: Clap| {
            let hide = |argument: clap::Arg| {
                let is_choosing = argument.get_help_heading() == Some(CHOOSING);
                let hides = is_choosing || argument.is_hide_set();
                argument.hide(hides)
            };
            let names = choosing_names(&command);
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            command.mut_args(hide).after_help(format!("{names}\n\n{examples}"))
        };
        let mut command = Arguments::command();
        for name in ["convert", "dedupe", "show"] {
            command = command.mut_subcommand(name, brief);
        }
        let mut matches = command.try_get_matches_from_mut(words)?;
        Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
    }
}

/// Names the options that choose games, in a paragraph.
fn choosing_names(command: &Clap) -> String {
    let mut text =
        "Choosing games, as in `scoresheet list`, whose help describes the options:".to_owned();
    let chosen = command.get_arguments().filter(|arg| arg.get_help_heading() == Some(CHOOSING));
    for name in chosen.filter_map(clap::Arg::get_long) {
        text.push_str(" --");
        text.push_str(name);
    }
    text
}

const ABOUT: &str = "\
Examples:
  scoresheet list old.si4 --player karpov --date 1970..1979
  scoresheet convert old.si4 new.pgn
  scoresheet tree old.si4 --moves '1. e4 c5'
  scoresheet list --help      describes all options that choose games

Name any file of a base; the other files are found beside it. The content of a file tells its \
format, or else its extension does. Games are numbered from 1.

Exit codes:
  0    done; losses and damage are reported, see --fail-on
  1    no game was found; for `check`: something is damaged
  2    the command line is wrong; nothing was done
  3    not done: a file cannot be read or written, or --strict found something
  4    done in part: a game refused, an input unreadable, or as --fail-on says
  130  interrupted

On a terminal, tables and games go through the pager that PAGER names: `less` by default, none if \
it is empty. NO_COLOR turns colours off, COLUMNS sets the width; a file or pipe has none, and gets \
whole names. docs/json.md describes --json.";

#[derive(Debug, Subcommand)]
pub enum Command {
    Info(Info),
    List(List),
    Show(Show),
    Convert(Box<Convert>),
    Tree(Tree),
    Player(Box<Player>),
    Crosstable(Box<Crosstable>),
    Stats(Box<StatsOf>),
    Dedupe(Dedupe),
    Update(Update),
    Undo(Undo),
    Compare(Compare),
    Check(Check),
    Repair(Repair),
    Edit(Edit),
    Book(Book),
    Repertoire(Box<Repertoire>),
    Index(Index),
    Serve(Box<Serve>),
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

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
