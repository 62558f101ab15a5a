//! How the program ends, and what it says on the way.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::ValueEnum;
use scoresheet::chess_store::{AnyError, Scope, system_message};
use scoresheet::describe;
use scoresheet::filter::QueryError;

use crate::clean::clean;

/// How a command that ran to its end went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Done {
    /// What was asked for is not there, or what was checked is not sound.
    pub(crate) found_nothing: bool,
    /// Something of a game could not be kept.
    pub(crate) losses: bool,
    /// Something did not read to its end.
    pub(crate) damage: bool,
    /// A game was refused, or an input could not be read.
    pub(crate) refusals: bool,
}

impl Done {
    /// All well.
    pub(crate) const WELL: Done =
        Done { found_nothing: false, losses: false, damage: false, refusals: false };

    /// Nothing was found, unless so.
    pub(crate) fn found_if(found: bool) -> Done {
        Done { found_nothing: !found, ..Done::WELL }
    }

    /// With damage, if so.
    pub(crate) fn damaged(self, damage: bool) -> Done {
        Done { damage: self.damage || damage, ..self }
    }

    fn code(self, fail_on: &[FailOn]) -> u8 {
        let failed = |kind, happened: bool| happened && fail_on.contains(&kind);
        let in_part = self.refusals
            || failed(FailOn::Loss, self.losses)
            || failed(FailOn::Damage, self.damage);
        match (in_part, self.found_nothing) {
            (true, _) => 4,
            (_, true) => 1,
            _ => 0,
        }
    }
}

/// What counts as done in part only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    // Plain comments: what is documented here would make every page of help twice as long.
    Loss,
    Damage,
    // This always counts; the help does not offer it.
    #[value(hide = true)]
    Refusal,
}

/// Why a command did not run to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked makes no sense: exit code 2.
    Usage(String),
    /// It could not be done: exit code 3.
    Failed(String),
    /// Ctrl-C before the output was whole: exit code 130.
    Interrupted,
    /// Ctrl-C while there was only something to show: exit code 130.
    Stopped,
    /// Nobody reads the output any more, and nobody needs to know.
    BrokenPipe,
}

/// Exit code after Ctrl-C, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// What is said when an output was not finished.
pub(crate) const NOTHING_WRITTEN: &str = "interrupted; nothing was written";

/// The exit code, after a message for who needs one.
pub(crate) fn code(done: Result<Done, Failure>, fail_on: &[FailOn]) -> ExitCode {
    let (message, code) = match done {
        Ok(done) => return ExitCode::from(done.code(fail_on)),
        Err(Failure::BrokenPipe) => return ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => (message, 2),
        Err(Failure::Failed(message)) => (message, 3),
        Err(Failure::Stopped) => ("interrupted".to_owned(), INTERRUPTED),
        Err(Failure::Interrupted) => (NOTHING_WRITTEN.to_owned(), INTERRUPTED),
    };
    say(format_args!("scoresheet: {message}"));
    ExitCode::from(code)
}

/// A line on standard error; if that is closed there is nobody to tell.
pub(crate) fn say(line: impl fmt::Display) {
    let line = line.to_string();
    let _ = writeln!(io::stderr(), "{}", clean(&line));
}

/// Writes a count with its noun: `1 game`, `2 games`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Writes a number of games: `1 game`, `2 games`.
pub(crate) fn games(count: u64) -> String {
    counted(count, "game", "games")
}

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verbosity {
    Quiet,
    Usual,
    Verbose,
}

impl Verbosity {
    pub(crate) fn new(quiet: bool, verbose: bool) -> Verbosity {
        match (quiet, verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Usual,
        }
    }

    /// Says a line unless quiet.
    pub(crate) fn say(self, line: impl fmt::Display) {
        if self != Verbosity::Quiet {
            say(line);
        }
    }

    /// Says a line if verbose.
    pub(crate) fn detail(self, line: impl fmt::Display) {
        if self == Verbosity::Verbose {
            say(line);
        }
    }
}

impl From<scoresheet::Error> for Failure {
    fn from(error: scoresheet::Error) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl Failure {
    /// What is wrong with one game, if that is all; a base or a disk that fails ends the command, and says
    /// nothing about the game.
    pub(crate) fn or_damage(
        path: &Path,
        read: Result<(), AnyError>,
    ) -> Result<Option<AnyError>, Failure> {
        match read {
            Err(error) if error.scope() == Scope::Base => {
                Err(Failure::Failed(describe(path, &error).to_string()))
            }
            read => Ok(read.err()),
        }
    }

    /// A file that cannot be read or written.
    pub(crate) fn disk(path: &Path, error: &io::Error) -> Failure {
        Failure::Failed(format!("{}: {}", path.display(), system_message(error)))
    }

    /// An option with a value that cannot be used.
    pub(crate) fn option(name: &str, error: &QueryError) -> Failure {
        Failure::Usage(format!("--{name}: {error}"))
    }
}

impl From<io::Error> for Failure {
    /// For errors of standard output.
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::disk(Path::new("standard output"), &error),
        }
    }
}
