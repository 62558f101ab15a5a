//! What a conversion met: told as it goes, written as JSON lines, added up at the end.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use scoresheet::chess_store::files::Staged;
use scoresheet::{Outcome, Progress, Summary, Watch, describe, describe_warning};

use crate::exit::{Failure, Verbosity};
use crate::interrupt;
use crate::json;
use crate::progress::Bar;

/// A file of JSON lines, one a damage, refusal or loss.
pub(crate) struct Report {
    path: PathBuf,
    out: BufWriter<File>,
    staged: Staged,
    failed: Option<io::Error>,
}

impl Report {
    pub(crate) fn create(path: &Path) -> Result<Report, Failure> {
        interrupt::watch();
        let mut staged = Staged::new();
        let file = staged.create(path).map_err(|error| failed(path, &error))?;
        Ok(Report { path: path.into(), out: BufWriter::new(file), staged, failed: None })
    }

    fn add(&mut self, base: &Path, outcome: &Outcome<'_>) {
        let number = outcome.number;
        let mut line = |kind, more| {
            if self.failed.is_none() {
                let finding = json::finding(base, number, kind, more);
                self.failed = json::line(&mut self.out, &finding).err();
            }
        };
        for warning in outcome.warnings {
            line("deviation", json::warning(warning));
        }
        if let Some(error) = outcome.damage {
            line("damage", json::error(error));
        }
        if let Some(error) = outcome.refusal {
            line("refusal", json::error(error));
        }
        for loss in outcome.losses {
            line("loss", json::loss(loss));
        }
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Report { path, mut out, staged, failed: error } = self;
        let done = error.map_or(Ok(()), Err).and_then(|()| out.flush());
        done.and_then(|()| staged.commit()).map_err(|error| failed(&path, &error))
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("{}: {error}", path.display()))
}

/// Follows the conversion of one base.
pub(crate) struct Follower<'a> {
    pub(crate) base: &'a Path,
    pub(crate) output: &'a Path,
    pub(crate) verbosity: Verbosity,
    pub(crate) bar: Bar,
    pub(crate) report: Option<&'a mut Report>,
    pub(crate) told: &'a mut Told,
}

impl Watch for Follower<'_> {
    fn outcome(&mut self, outcome: &Outcome<'_>) -> ControlFlow<()> {
        if interrupt::is_asked() {
            return ControlFlow::Break(());
        }
        if let Some(report) = &mut self.report {
            report.add(self.base, outcome);
        }
        if let Some(error) = outcome.damage {
            self.tell(describe(self.base, error).to_string());
        }
        if let Some(error) = outcome.refusal {
            let game = outcome.number.saturating_add(1);
            let message = error.message();
            self.tell(format!("{}: game {game} refused: {message}", self.output.display()));
        }
        if self.verbosity == Verbosity::Verbose {
            for warning in outcome.warnings {
                self.bar.say(&describe_warning(self.base, warning).to_string());
            }
            let game = outcome.number.saturating_add(1);
            for loss in outcome.losses {
                self.bar.say(&format!("{}: game {game}: lost {loss}", self.base.display()));
            }
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: Progress) {
        self.bar.set(progress);
    }
}

impl Follower<'_> {
    fn tell(&mut self, line: String) {
        if let Some(line) = self.told.next(line) {
            self.bar.say(&line);
        }
    }
}

/// Tells damages and refusals one by one, until there are too many to read.
pub(crate) struct Told {
    count: u64,
    limit: u64,
    /// Said once in place of the others.
    more: &'static str,
}

impl Told {
    pub(crate) fn new(verbosity: Verbosity, more: &'static str) -> Told {
        let limit = if verbosity == Verbosity::Verbose { u64::MAX } else { 20 };
        Told { count: 0, limit, more }
    }

    /// What is to be said when there is this to say.
    pub(crate) fn next(&mut self, line: String) -> Option<String> {
        self.count = self.count.saturating_add(1);
        match self.count {
            few if few <= self.limit => Some(line),
            first if first == self.limit.saturating_add(1) => Some(self.more.to_owned()),
            _ => None,
        }
    }
}

/// One line, then what was lost by kind.
pub(crate) fn sum_up(summary: &Summary, verbosity: Verbosity) {
    verbosity.say(summary);
    let width = summary.losses.keys().map(|kind| kind.name().len()).max().unwrap_or(0);
    for (kind, count) in &summary.losses {
        verbosity.say(format_args!("  lost  {:<width$}  {count:>8}", kind.name()));
    }
    for loss in &summary.base_losses {
        verbosity.say(format_args!("  lost  {}", loss));
    }
    for (name, count) in &summary.warnings {
        verbosity.detail(format_args!("  odd   {name}  {count}"));
    }
}
