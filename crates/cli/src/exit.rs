//! How the program ends, and what it says on the way.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::clean::clean;

/// How a command that ran to its end went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// All well: exit code 0.
    Well,
    /// Something was damaged, refused, lost or not found: exit code 1.
    WithLosses,
}

impl Done {
    /// All well if so.
    pub(crate) fn well_if(well: bool) -> Done {
        if well { Done::Well } else { Done::WithLosses }
    }
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
pub(crate) fn code(done: Result<Done, Failure>) -> ExitCode {
    let (message, code) = match done {
        Ok(Done::Well) | Err(Failure::BrokenPipe) => return ExitCode::SUCCESS,
        Ok(Done::WithLosses) => return ExitCode::from(1),
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

impl From<io::Error> for Failure {
    /// For errors of standard output.
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Failed(format!("standard output: {error}")),
        }
    }
}
