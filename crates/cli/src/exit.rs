//! Exit codes, failures and messages.

use std::fmt;
use std::io;
use std::path::Path;

use commands::FailOn;
use pages::numbers::grouped;
pub(crate) use pages::say;
use scoresheet::chess_store::{AnyError, Scope, system_message};
use scoresheet::describe;
use scoresheet::filter::Unanswered;

/// The outcome of a command that ran to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Done {
    /// The requested item was not found, or the checked base is damaged.
    pub(crate) found_nothing: bool,
    /// Part of a game could not be kept.
    pub(crate) losses: bool,
    /// An input could not be read to its end.
    pub(crate) damage: bool,
    /// A game was refused, or an input could not be read.
    pub(crate) refusals: bool,
}

impl Done {
    /// Returns the outcome of a command without problems.
    pub(crate) const WELL: Done =
        Done { found_nothing: false, losses: false, damage: false, refusals: false };

    /// Returns the outcome with `found_nothing` set unless `found` is true.
    pub(crate) fn found_if(found: bool) -> Done {
        Done { found_nothing: !found, ..Done::WELL }
    }

    /// Returns the outcome with `damage` set to the argument.
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

/// The reason why a command did not run to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line makes no sense: exit code 2.
    Usage(String),
    /// The command could not be carried out: exit code 3.
    Failed(String),
    /// Ctrl-C before the output was complete: exit code 130.
    Interrupted,
    /// Ctrl-C while the command only displayed something: exit code 130.
    Stopped,
    /// Ctrl-C during an edit: exit code 130.
    StoppedEdit,
    /// The reader of the output has gone; no message is needed.
    BrokenPipe,
}

/// The exit code after Ctrl-C, by the convention of shells.
pub(crate) const INTERRUPTED: u8 = 130;

/// The message for an output that was not finished.
pub(crate) const NOTHING_WRITTEN: &str = "interrupted; nothing was written";

/// The message for an edit that was not finished.
pub(crate) const CHANGES_STAY: &str = "interrupted; changes made before stay in the base";

/// The message for an edit that had no time to write what it had read.
pub(crate) const CHANGES_LOST: &str = "interrupted; changes that were not written yet are lost";

/// Returns the exit code, and prints the message of a failure.
pub(crate) fn code(done: Result<Done, Failure>, fail_on: &[FailOn]) -> u8 {
    let (message, code) = match done {
        Ok(done) => return done.code(fail_on),
        Err(Failure::BrokenPipe) => return 0,
        Err(Failure::Usage(message)) => (message, 2),
        Err(Failure::Failed(message)) => (message, 3),
        Err(Failure::Stopped) => ("interrupted".to_owned(), INTERRUPTED),
        Err(Failure::StoppedEdit) => (CHANGES_STAY.to_owned(), INTERRUPTED),
        Err(Failure::Interrupted) => (NOTHING_WRITTEN.to_owned(), INTERRUPTED),
    };
    say(format_args!("scoresheet: {message}"));
    code
}

/// The names that a message lists.
const MAX_NAMES: usize = 10;

/// Joins names for a message, with the number of omitted names.
pub(crate) fn listed(names: &[String], between: &str) -> String {
    let (first, rest) = names.split_at_checked(MAX_NAMES).unwrap_or((names, &[]));
    let more = match rest.len() {
        0 => String::new(),
        more => format!("{between}and {} more", grouped(more as u64)),
    };
    first.join(between) + &more
}

/// How much the program prints.
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

    /// Prints a line unless `--quiet` was given.
    pub(crate) fn say(self, line: impl fmt::Display) {
        if self != Verbosity::Quiet {
            say(line);
        }
    }

    /// Prints a line if `--verbose` was given.
    pub(crate) fn detail(self, line: impl fmt::Display) {
        if self == Verbosity::Verbose {
            say(line);
        }
    }
}

impl From<commands::Error> for Failure {
    fn from(error: commands::Error) -> Failure {
        match error {
            commands::Error::Usage(message) => Failure::Usage(message),
            commands::Error::Failed(message) => Failure::Failed(message),
        }
    }
}

impl From<scoresheet::Error> for Failure {
    fn from(error: scoresheet::Error) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl Failure {
    /// Returns the error of a single game, or the failure that ends the command if the base or the
    /// disk fails.
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

    /// Returns the failure for a file that cannot be read or written.
    pub(crate) fn disk(path: &Path, error: &io::Error) -> Failure {
        Failure::Failed(format!("{}: {}", path.display(), system_message(error)))
    }
}

impl From<Unanswered> for Failure {
    fn from(error: Unanswered) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<io::Error> for Failure {
    /// Converts errors of standard output.
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::disk(Path::new("standard output"), &error),
        }
    }
}
