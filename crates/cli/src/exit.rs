//! How the program ends.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command that ran to its end went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// All well: exit code 0.
    Well,
    /// Something was damaged, refused or lost: exit code 1.
    WithLosses,
}

/// Why a command did not run to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked makes no sense: exit code 2.
    Usage(String),
    /// It could not be done: exit code 3.
    Failed(String),
    /// Nobody reads the output any more, and nobody needs to know.
    BrokenPipe,
}

/// The exit code, after a message for who needs one.
pub(crate) fn code(done: Result<Done, Failure>) -> ExitCode {
    match done {
        Ok(Done::Well) | Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Ok(Done::WithLosses) => ExitCode::from(1),
        Err(Failure::Usage(message)) => {
            say(format_args!("scoresheet: {message}"));
            ExitCode::from(2)
        }
        Err(Failure::Failed(message)) => {
            say(format_args!("scoresheet: {message}"));
            ExitCode::from(3)
        }
    }
}

/// A line on standard error; if that is closed there is nobody to tell.
pub(crate) fn say(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
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
