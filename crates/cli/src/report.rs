//! Findings of a conversion: printed during the run, written as JSON lines, and summarised at the
//! end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pages::numbers::games;
use scoresheet::arrange::Arrangement;
use scoresheet::chess_store::files::Staged;
use scoresheet::chess_store::{AnyError, Encoding, Loss, LossKind, Warning, WarningCounts};
use scoresheet::{Format, Outcome, Progress, Summary, Watch, describe, describe_warning};
use serde_json::Value;

use crate::exit::{Failure, Verbosity};
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
            #[expect(clippy::disallowed_methods, reason = "a stream is written to directly")]
            None => File::options().write(true).open(path),
        };
        let file = file.map_err(|error| Failure::disk(path, &error))?;
        Ok(Report { path: path.into(), out: BufWriter::new(file), staged, failed: None })
    }

    fn line(&mut self, (base, number): Origin<'_>, kind: &str, more: Value) {
        self.put(base, Some(number), kind, more);
    }

    fn put(&mut self, base: &Path, number: Option<u64>, kind: &str, more: Value) {
        if self.failed.is_none() {
            let finding = json::finding(base, number, kind, more);
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
    pub(crate) reported: &'a mut Reported,
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
            && self.reported.wants(&error.message().to_string())
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
        let characters = |loss: &&Loss| loss.kind == LossKind::Characters;
        for loss in outcome.losses.iter().filter(characters) {
            self.reported.count_letters(&loss.detail);
        }
        let game = origin.1.saturating_add(1);
        if let Some(error) = outcome.refusal {
            let message = format!("refused: {}", error.message());
            if self.reported.wants(&message) {
                let ply = at_ply(error);
                self.bar.say(&format!("{}: game {game}{ply} {message}", self.output.display()));
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

    fn output_warning(&mut self, warning: &Warning) {
        if let Some(report) = &mut self.report {
            report.put(self.output, warning.at.game, "deviation", json::warning(warning));
        }
        if self.reported.wants(warning.message) {
            self.bar.say(&describe_warning(self.output, warning).to_string());
        }
    }

    fn progress(&mut self, progress: Progress) {
        self.bar.set(progress);
    }
}

/// Prints damages and refusals one by one until a limit for each kind is reached.
pub(crate) struct Reported {
    all: bool,
    /// How many findings there were of each kind.
    kinds: BTreeMap<String, Findings>,
    /// The number of lost letters that each of the [`PAGES`] has, and of all lost letters. `None` if
    /// the encoding is not a matter of choice, or was chosen.
    letters: Option<([u64; PAGES.len()], u64)>,
}

/// Findings of one kind.
#[derive(Default)]
struct Findings {
    count: u64,
    /// The first finding. If others differ from it, what they have in common.
    message: String,
}

/// The code pages that a hint may name.
const PAGES: [&str; 6] = [
    "windows-1251",
    "windows-1250",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1257",
];

/// Limits for what is printed: findings of one kind, and kinds.
const TOLD: u64 = 3;
const KINDS: usize = 20;

impl Reported {
    pub(crate) fn new(verbosity: Verbosity) -> Reported {
        Reported { all: verbosity == Verbosity::Verbose, kinds: BTreeMap::new(), letters: None }
    }

    /// Names a better code page at the end, if the format has no Unicode and the user chose no page.
    pub(crate) fn with_hint(self, format: &Format, chosen: Option<Encoding>) -> Reported {
        let is_page = matches!(format.name, "cbf" | "chessassistant");
        let letters = (is_page && chosen.is_none()).then_some(([0; PAGES.len()], 0));
        Reported { letters, ..self }
    }

    /// Counts the letters of a lost text.
    fn count_letters(&mut self, text: &str) {
        let Some((counts, all)) = &mut self.letters else { return };
        let mut buffer = [0; 4];
        for letter in text.chars().filter(|letter| !letter.is_ascii() && letter.is_alphabetic()) {
            *all += 1;
            for (count, page) in counts.iter_mut().zip(PAGES) {
                let page = Encoding::from_label(page);
                let has = page.is_some_and(|page| page.encode(letter.encode_utf8(&mut buffer)).1);
                *count += u64::from(has);
            }
        }
    }

    /// Returns a line that names the code page with most of the lost letters.
    fn page(&self) -> Option<String> {
        let (counts, all) = self.letters.as_ref()?;
        // Of equal pages the first.
        let best = counts.iter().zip(PAGES).rev().max_by_key(|(count, _)| **count);
        let (count, page) = best.filter(|(count, _)| count.saturating_mul(2) > *all)?;
        let what = format!("has {count} of the {all} letters in the texts that lost some");
        Some(format!("{page} {what}; choose it with --to-encoding {page}"))
    }

    /// Counts a finding with the message `what`. Returns whether to print it: only the first few of
    /// a kind are printed.
    pub(crate) fn wants(&mut self, what: &str) -> bool {
        let is_new = self.kinds.len() < KINDS;
        let kind = kind_of(what);
        if !is_new && !self.kinds.contains_key(&kind) {
            // All findings beyond the limit of kinds are counted as one kind.
            let other = self.kinds.entry(String::new()).or_default();
            other.count += 1;
            return self.all;
        }
        let Findings { count, message } = self.kinds.entry(kind).or_default();
        *count += 1;
        if message.is_empty() {
            what.clone_into(message);
        } else if message != what {
            *message = in_common(what);
        }
        self.all || *count <= TOLD
    }

    /// Returns lines for the findings that were not printed one by one.
    pub(crate) fn rest(&self) -> impl Iterator<Item = String> {
        let kinds = self.kinds.values().filter(|_| !self.all);
        let rest = kinds.filter_map(|Findings { count, message }| {
            let shown = if message.is_empty() { 0 } else { TOLD };
            let more = count.checked_sub(shown).filter(|more| *more > 0)?;
            let games = if more == 1 { "game" } else { "games" };
            let message = if message.is_empty() { "of other kinds" } else { message };
            Some(format!("... and {more} more {games}: {message} (--verbose shows all)"))
        });
        rest.chain(self.page())
    }
}

/// Returns the ply of a refused move, for a message that names the game.
pub(crate) fn at_ply(error: &AnyError) -> String {
    let ply = error.location().ply;
    ply.map_or_else(String::new, |ply| format!(", ply {}", ply.saturating_add(1)))
}

/// Returns a message with `…` for the numbers and quotations that differ from game to game.
fn in_common(what: &str) -> String {
    let mut common = String::with_capacity(what.len());
    for (place, part) in what.split('"').enumerate() {
        match place.is_multiple_of(2) {
            true => common.push_str(&part.replace(|letter: char| letter.is_ascii_digit(), "…")),
            false => common.push_str("\"…\""),
        }
    }
    while common.contains("……") {
        common = common.replace("……", "…");
    }
    common
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

/// Prints the losses by kind.
pub(crate) fn report_losses(
    losses: &BTreeMap<LossKind, u64>,
    format: Option<&Format>,
    verbosity: Verbosity,
) {
    let has_columns = format.is_some_and(has_columns);
    let width = losses.keys().map(|kind| kind.name().len()).max().unwrap_or(0);
    for (kind, count) in losses {
        let what = if kind.is_move() { "moved" } else { "lost " };
        let tip = match kind {
            LossKind::Tag if has_columns => "; --columns adds columns for them",
            _ => "",
        };
        let (name, about) = (kind.name(), kind.about());
        verbosity.say(format_args!("  {what}  {name:<width$}  {count:>8}  {about}{tip}"));
    }
}

/// Returns whether the columns of a format can be chosen.
pub(crate) fn has_columns(format: &Format) -> bool {
    format.create_options.iter().any(|option| option.name == "columns")
}

/// Prints one summary line, then the losses by kind.
pub(crate) fn sum_up(summary: &Summary, format: &Format, verbosity: Verbosity) {
    verbosity.say(summary);
    for loss in &summary.base_losses {
        verbosity.say(format_args!("  lost   {loss}"));
    }
    for (kind, count) in summary.base_losses.unlisted_counts() {
        verbosity.say(format_args!("  lost   {kind}: {count} more"));
    }
    report_losses(&summary.losses, Some(format), verbosity);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_rest_quotes_no_single_game_for_several() {
        let mut reported = Reported::new(Verbosity::Usual);
        for square in ["a1", "b1", "c1", "d1", "e100"] {
            reported.wants(&format!(
                "\"R{square}\" can be more than one move, after 1{}",
                square.len()
            ));
            reported.wants("the game has no end");
        }
        let rest: Vec<String> = reported.rest().collect();
        let more = [
            "... and 2 more games: \"…\" can be more than one move, after … (--verbose shows all)",
            "... and 2 more games: the game has no end (--verbose shows all)",
        ];
        assert_eq!(rest, more);
    }
}
