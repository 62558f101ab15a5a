//! The `scoresheet` program: reads, writes and converts chess databases.
//!
//! The program is a function, so that packages for other languages can provide it. Its command line is
//! the interface, not this crate.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and rows cannot overflow; numbers read from files use checked arithmetic"
)]

mod board;
mod book;
mod canonical_lines;
mod check;
mod collection;
mod convert;
mod dump;
mod edit;
mod exit;
mod formats;
mod index;
mod info;
mod inputs;
mod interrupt;
mod json;
mod list;
mod neighbours;
mod output;
mod overwrite;
mod progress;
mod repertoire;
mod report;
mod reports;
mod rows;
mod sample;
mod select;
mod serve;
mod show;
mod spell;
mod style;
mod tree;
mod unique;

use std::ffi::OsString;
use std::io::Write as _;

use commands::{Arguments, Command, FailOn, hint, manual};
use exit::{Done, Failure, Verbosity};

/// Runs the program with command-line arguments; the first is the name of the program. Returns the
/// exit code.
///
/// Uses standard input and output of the process, and handles its signals. Call it at most once in a
/// process.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    interrupt::survive_size_limit();
    let words: Vec<OsString> = arguments.into_iter().collect();
    let arguments = match Arguments::read(&words) {
        Ok(arguments) => arguments,
        Err(error) => return hint::code(error, &words),
    };
    let verbosity = Verbosity::new(arguments.quiet, arguments.verbose);
    let done = match &arguments.command {
        Command::Info(info) => info::run(info, verbosity),
        Command::List(list) => {
            let seeks_damage = arguments.fail_on.contains(&FailOn::Damage);
            list::run(list, verbosity, seeks_damage)
        }
        Command::Show(show) => show::run(show, verbosity),
        Command::Convert(convert) => convert::run(convert, verbosity),
        Command::Tree(tree) => tree::run(tree, verbosity),
        Command::Player(player) => reports::player(player, verbosity),
        Command::Crosstable(table) => reports::crosstable(table, verbosity),
        Command::Stats(stats) => reports::stats(stats, verbosity),
        Command::Dedupe(dedupe) => unique::run(dedupe, verbosity),
        Command::Update(update) => collection::update(update, verbosity),
        Command::Undo(undo) => collection::undo(undo, verbosity),
        Command::Compare(compare) => collection::compare(compare, verbosity),
        Command::Check(check) => check::run(check, verbosity),
        Command::Repair(repair) => convert::repair(repair, verbosity),
        Command::Edit(edit) => edit::run(edit, verbosity),
        Command::Book(book) => book::run(book, verbosity),
        Command::Repertoire(repertoire) => repertoire::run(repertoire, verbosity),
        Command::Index(index) => index::run(index, verbosity),
        Command::Serve(serve) => serve::run(serve, verbosity),
        Command::Dump(dump) => dump::run(dump),
        Command::Formats(formats) => formats::run(formats),
        Command::Completions { shell } => printed(manual::completions(*shell, &mut output::Stdout)),
        Command::Man => printed(manual::page(&mut output::Stdout)),
    };
    // The rest of the buffer of standard output counts, too.
    let done = done.and_then(|done| Ok(output::Stdout.flush().map(|()| done)?));
    exit::code(done, &arguments.fail_on)
}

/// Returns the outcome of a text for packagers. A build without it is a failure.
fn printed(written: std::io::Result<()>) -> Result<Done, Failure> {
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::Unsupported => {
            Err(Failure::Failed(error.to_string()))
        }
        written => Ok(written.map(|()| Done::WELL)?),
    }
}
