//! Findings of a conversion: printed during the run, written as JSON lines, and summarised at the
//! end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use scoresheet::arrange::Arrangement;
use scoresheet::chess_store::files::Staged;
use scoresheet::chess_store::{AnyError, Warning, WarningCounts};
use scoresheet::{Outcome, Progress, Summary, Watch, describe, describe_warning};
use serde_json::Value;

use crate::exit::{Failure, Verbosity, games};
use crate::interrupt;
use crate::json;
use crate::progress::Bar;

/// A file of JSON lines, one for each damage, refusal or loss.
pub(crate) struct Report {
    path: PathBuf,
    out: BufWriter<File>,
    /// `None` for a stream, such as `/dev/stderr`.
    staged: Option<Staged>,
    failed: Option<io::Error>,
}

impl Report {
    pub(crate) fn create(path: &Path) -> Result<Report, Failure> {
        interrupt::watch();
        let mut staged = (!scoresheet::is_stream(path)).then(Staged::new);
        let file = match &mut staged {
            Some(staged) => staged.create(path),
            None => File::options().write(true).open(path),
        };
        let file = file.map_err(|error| Failure::disk(path, &error))?;
        Ok(Report { path: path.into(), out: BufWriter::new(file), staged, failed: None })
    }

    fn line(&mut self, (base, number): Origin<'_>, kind: &str, more: Value) {
        if self.failed.is_none() {
            let finding = json::finding(base, Some(number), kind, more);
            self.failed = json::line(&mut self.out, &finding).err();
        }
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Report { path, mut out, staged, failed: error } = self;
        let done = error.map_or(Ok(()), Err).and_then(|()| out.flush());
        let commit = || staged.map_or(Ok(()), Staged::commit);
        done.and_then(|()| commit()).map_err(|error| Failure::disk(&path, &error))
    }
}

/// Follows the conversion of one base.
pub(crate) struct Follower<'a> {
    pub(crate) base: &'a Path,
    pub(crate) output: &'a Path,
    pub(crate) verbosity: Verbosity,
    pub(crate) bar: Bar,
    pub(crate) report: Option<&'a mut Report>,
    pub(crate) told: &'a mut Told,
    /// How many more games may be written.
    pub(crate) left: Option<&'a mut u64>,
    /// The sources of the games, and the index of the first one. Findings of reading them were
    /// reported before.
    pub(crate) arranged: Option<(&'a Arrangement, u64)>,
}

/// A game: the file of its base, and its number there, from zero.
type Origin<'a> = (&'a Path, u64);

impl Follower<'_> {
    /// Reports the findings of reading a game.
    pub(crate) fn read(
        &mut self,
        number: u64,
        (warnings, unlisted): (&[Warning], &WarningCounts),
        damage: Option<&AnyError>,
    ) {
        if let Some(report) = &mut self.report {
            for warning in warnings {
                report.line((self.base, number), "deviation", json::warning(warning));
            }
            for (name, message, count) in unlisted.iter() {
                let members = json::unlisted_warnings(name, message, count);
                report.line((self.base, number), "deviation", members);
            }
            if let Some(error) = damage {
                report.line((self.base, number), "damage", json::error(error));
            }
        }
        if let Some(error) = damage
            && self.told.wants(&error.message().to_string())
        {
            self.bar.say(&describe(self.base, error).to_string());
        }
        if self.verbosity == Verbosity::Verbose {
            for warning in warnings {
                self.bar.say(&describe_warning(self.base, warning).to_string());
            }
            let (base, game) = (self.base.display(), number.saturating_add(1));
            for (name, message, count) in unlisted.iter() {
                self.bar.say(&format!("{base}: game {game}: {message}: {count} more [{name}]"));
            }
        }
    }

    /// Reports what happened to a game in the output.
    fn wrote(&mut self, origin: Origin<'_>, outcome: &Outcome<'_>) {
        if let Some(report) = &mut self.report {
            if let Some(error) = outcome.refusal {
                report.line(origin, "refusal", json::error(error));
            }
            for loss in outcome.losses {
                report.line(origin, "loss", json::loss(loss));
            }
            for (kind, count) in outcome.losses.unlisted_counts() {
                report.line(origin, "loss", json::unlisted_losses(kind, count));
            }
        }
        let game = origin.1.saturating_add(1);
        if let Some(error) = outcome.refusal {
            let message = format!("refused: {}", error.message());
            if self.told.wants(&message) {
                self.bar.say(&format!("{}: game {game} {message}", self.output.display()));
            }
        }
        if self.verbosity == Verbosity::Verbose {
            for loss in outcome.losses {
                self.bar.say(&format!("{}: game {game}: lost {loss}", origin.0.display()));
            }
            for (kind, count) in outcome.losses.unlisted_counts() {
                let base = origin.0.display();
                self.bar.say(&format!("{base}: game {game}: lost {kind}: {count} more"));
            }
        }
    }
}

impl Watch for Follower<'_> {
    fn outcome(&mut self, outcome: &Outcome<'_>) -> ControlFlow<()> {
        if interrupt::is_asked() {
            return ControlFlow::Break(());
        }
        let here = (self.base, outcome.number);
        match self.arranged {
            Some((all, first)) => {
                let origin = all.origin(first.saturating_add(outcome.number));
                self.wrote(origin.unwrap_or(here), outcome);
            }
            None => {
                let warnings = (outcome.warnings, outcome.unlisted);
                self.read(outcome.number, warnings, outcome.damage);
                self.wrote(here, outcome);
            }
        }
        match self.left.as_deref_mut() {
            Some(left) if outcome.written > 0 => {
                *left = left.saturating_sub(1);
                if *left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn progress(&mut self, progress: Progress) {
        self.bar.set(progress);
    }
}

/// Prints damages and refusals one by one until a limit for each kind is reached.
pub(crate) struct Told {
    all: bool,
    /// How many findings there were of each kind, with an example.
    kinds: BTreeMap<String, (u64, String)>,
}

/// Limits for what is printed: findings of one kind, and kinds.
const TOLD: u64 = 3;
const KINDS: usize = 20;

impl Told {
    pub(crate) fn new(verbosity: Verbosity) -> Told {
        Told { all: verbosity == Verbosity::Verbose, kinds: BTreeMap::new() }
    }

    /// Counts a finding with the message `what`. Returns whether to print it: only the first few of
    /// a kind are printed.
    pub(crate) fn wants(&mut self, what: &str) -> bool {
        let is_new = self.kinds.len() < KINDS;
        let kind = kind_of(what);
        if !is_new && !self.kinds.contains_key(&kind) {
            // All findings beyond the limit of kinds are counted as one kind.
            let other = self.kinds.entry(String::new()).or_default();
            other.0 += 1;
            return self.all;
        }
        let (count, example) = self.kinds.entry(kind).or_default();
        *count = count.saturating_add(1);
        if example.is_empty() {
            what.clone_into(example);
        }
        self.all || *count <= TOLD
    }

    /// Returns lines for the findings that were not printed one by one.
    pub(crate) fn rest(&self) -> impl Iterator<Item = String> {
        let kinds = self.kinds.values().filter(|_| !self.all);
        kinds.filter_map(|(count, example)| {
            let shown = if example.is_empty() { 0 } else { TOLD };
            let more = count.checked_sub(shown).filter(|more| *more > 0)?;
            let games = if more == 1 { "game" } else { "games" };
            let example = if example.is_empty() { "of other kinds" } else { example };
            Some(format!("... and {more} more {games}: {example} (--verbose shows all)"))
        })
    }
}

/// Returns the kind of a message: its text without the numbers and quotations that differ from game
/// to game.
fn kind_of(what: &str) -> String {
    let mut kind = String::with_capacity(what.len());
    let mut quoted = false;
    for letter in what.chars() {
        quoted ^= letter == '"';
        match letter {
            '0'..='9' if kind.ends_with('#') => {}
            '0'..='9' => kind.push('#'),
            other if !quoted => kind.push(other),
            _ => {}
        }
    }
    kind
}

/// Prints one summary line, then the losses by kind.
pub(crate) fn sum_up(summary: &Summary, verbosity: Verbosity) {
    verbosity.say(summary);
    for loss in &summary.base_losses {
        verbosity.say(format_args!("  lost   {loss}"));
    }
    for (kind, count) in summary.base_losses.unlisted_counts() {
        verbosity.say(format_args!("  lost   {kind}: {count} more"));
    }
    let width = summary.losses.keys().map(|kind| kind.name().len()).max().unwrap_or(0);
    for (kind, count) in &summary.losses {
        let what = if kind.is_move() { "moved" } else { "lost " };
        let (name, about) = (kind.name(), kind.about());
        verbosity.say(format_args!("  {what}  {name:<width$}  {count:>8}  {about}"));
    }
    if summary.deleted > 0 {
        let were = if summary.deleted == 1 { "was" } else { "were" };
        verbosity.say(format_args!(
            "{} marked as deleted {were} included; --deleted=no leaves them out",
            games(summary.deleted)
        ));
    }
    for (name, count) in &summary.warnings {
        verbosity.detail(format_args!("  deviation  {name}  {count}"));
    }
}
