//! The command line: one module for each command, and `shared` for options of several commands.

mod book;
mod check;
mod collection;
mod convert;
mod crosstable;
mod dedupe;
mod dump;
mod edit;
mod formats;
mod index;
mod info;
mod list;
mod player;
mod repair;
mod repertoire;
mod serve;
mod shared;
mod show;
mod stats;
mod tree;

use std::ffi::OsString;

use clap::{Command as Clap, CommandFactory, Error, FromArgMatches, Parser, Subcommand};

use crate::exit::FailOn;
use crate::manual::Shell;
use crate::select::CHOOSING;

pub(crate) use book::{
    Book, BookCheck, BookCommand, BookConvert, BookMake, BookMerge, BookShow, MergingBy, Side,
    WeightsBy,
};
pub(crate) use check::Check;
pub(crate) use collection::{Compare, Undo, Update, Which};
#[cfg(feature = "tables")]
pub(crate) use convert::Tabling;
pub(crate) use convert::{Convert, MergeBy, Split};
pub(crate) use crosstable::Crosstable;
pub(crate) use dedupe::Dedupe;
pub(crate) use dump::Dump;
pub(crate) use edit::{Change, Chosen, Edit};
pub(crate) use formats::Formats;
pub(crate) use index::Index;
pub(crate) use info::Info;
pub(crate) use list::List;
pub(crate) use player::Player;
pub(crate) use repair::Repair;
pub(crate) use repertoire::Repertoire;
pub(crate) use serve::Serve;
pub(crate) use shared::{Finding, NoSampling, Reading, Sampling, Showing, Writing};
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

impl Arguments {
    /// Parses the command line. The help of `convert`, `dedupe` and `show` names the options that choose
    /// games, and the help of `list` describes them, so that each help fits on two screens.
    pub(crate) fn read(words: &[OsString]) -> Result<Arguments, Error> {
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
