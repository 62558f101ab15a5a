//! The `scoresheet` program: reads, writes and converts chess databases.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and rows cannot overflow; numbers read from files use checked arithmetic"
)]

mod args;
mod board;
mod canonical_lines;
mod check;
mod clean;
mod convert;
mod dump;
mod edit;
mod exit;
mod formats;
mod hint;
mod info;
mod inputs;
mod interrupt;
mod json;
mod list;
mod manual;
mod output;
mod overwrite;
mod progress;
mod report;
mod rows;
mod sample;
mod select;
mod show;
mod spell;
mod style;
mod tree;
mod unique;
mod values;
mod waiting;

use std::process::ExitCode;

use args::{Arguments, Command};
use exit::{FailOn, Verbosity};

fn main() -> ExitCode {
    interrupt::survive_size_limit();
    let arguments = Arguments::read().unwrap_or_else(|error| hint::exit(error));
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
        Command::Dedupe(dedupe) => unique::run(dedupe, verbosity),
        Command::Check(check) => check::run(check, verbosity),
        Command::Repair(repair) => convert::repair(repair, verbosity),
        Command::Edit(edit) => edit::run(edit, verbosity),
        Command::Dump(dump) => dump::run(dump),
        Command::Formats(formats) => formats::run(formats),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man => manual::page(),
    };
    exit::code(done, &arguments.fail_on)
}
