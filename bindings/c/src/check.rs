//! Checks a base, as `scoresheet check` does.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;

use scoresheet::chess_store::{Location, Scope, Warning};
use scoresheet::{Scanned, Unit};

use crate::base::Base;
use crate::findings::{Finding, FindingKind, Findings};
use crate::options::handle_place;
use crate::status::{Error, Failure, Status, ask, call};
use crate::{Progress, Watcher};

/// The counts of a check.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// The number of games read.
    pub games: u64,
    /// The number of damaged games.
    pub damaged: u64,
    /// The number of games with deviations.
    pub deviating: u64,
    /// The number of damages of the base as a whole.
    pub base_damages: u64,
    /// The number of deviations of the base as a whole.
    pub base_deviations: u64,
    /// The number of findings, kept or not.
    pub findings: u64,
    /// Whether the base could not be read to its end, or is a text without a game.
    pub is_broken: bool,
    /// Whether nothing is broken or damaged.
    pub is_sound: bool,
}

/// The result of a check.
#[derive(Debug)]
pub struct Report {
    counts: CheckCounts,
    findings: Findings,
    most: usize,
}

impl Report {
    fn note(&mut self, add: impl FnOnce(&mut Findings)) {
        self.counts.findings = self.counts.findings.saturating_add(1);
        if self.findings.len() < self.most {
            add(&mut self.findings);
        }
    }

    fn of_base(&mut self, is_damage: bool) {
        let CheckCounts { base_damages, base_deviations, .. } = &mut self.counts;
        let counter = if is_damage { base_damages } else { base_deviations };
        *counter = counter.saturating_add(1);
    }

    fn base_warning(&mut self, warning: &Warning) {
        self.of_base(warning.is_damage());
        self.note(|findings| findings.add_warning(warning));
    }

    fn game(&mut self, scanned: &Scanned<'_>) {
        const STALE: &str = "stale-index";
        let at = Location::default().in_game(scanned.number);
        let mut deviates = scanned.warnings.iter().any(|warning| !warning.is_damage());
        for warning in scanned.warnings {
            self.note(|findings| findings.add_warning(warning));
        }
        for (name, message, count) in scanned.unlisted.iter() {
            let text = format_args!("{message}: {count} more");
            self.note(|findings| findings.add(FindingKind::Deviation, name, text, at));
        }
        for field in scanned.stale {
            deviates = true;
            let text = format_args!("the index entry disagrees with the game: {field}");
            self.note(|findings| findings.add(FindingKind::Deviation, STALE, text, at));
        }
        if let Some(why) = scanned.unverified {
            deviates = true;
            let text = format_args!("the index entry cannot be compared: {}", why.message());
            self.note(|findings| findings.add(FindingKind::Deviation, STALE, text, at));
        }
        if let Some(error) = scanned.damage {
            self.counts.damaged = self.counts.damaged.saturating_add(1);
            self.note(|findings| findings.add_error(error));
        }
        let counts = &mut self.counts;
        counts.deviating = counts.deviating.saturating_add(u64::from(deviates));
        counts.games = counts.games.saturating_add(1);
    }

    fn broken(&mut self, message: &dyn std::fmt::Display, at: Location) {
        self.counts.is_broken = true;
        self.note(|findings| findings.add(FindingKind::Damage, "broken", message, at));
    }
}

/// Reads all games of a base, and compares them with the index. At most `most` findings are kept; all are
/// counted. `progress` may be NULL.
///
/// A damaged or broken base is no failure: the report says so. `*report` is NULL after a failure.
/// Free it with `scoresheet_report_free`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_check(
    base: Option<&Base>,
    most: usize,
    progress: Progress,
    context: *mut c_void,
    report: Option<&mut MaybeUninit<*mut Report>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let out = handle_place(report, "report")?;
        let base = base.ok_or_else(|| Failure::null("base"))?;
        let report = check(base, most, Watcher::new(progress, context))?;
        out.write(Box::into_raw(Box::new(report)));
        Ok(())
    })
}

fn check(base: &Base, most: usize, watcher: Watcher) -> Result<Report, Failure> {
    let mut games = base.in_order()?;
    let counts = CheckCounts::default();
    let mut report = Report { counts, findings: Findings::default(), most };
    games.warnings().iter().for_each(|warning| report.base_warning(warning));
    match games.database().map(scoresheet::Database::check) {
        Some(Ok(odd)) => odd.iter().for_each(|what| {
            report.of_base(false);
            report.note(|findings| {
                let at = Location::default();
                findings.add(FindingKind::Deviation, "whole-base", what, at);
            });
        }),
        Some(Err(error)) => {
            report.of_base(true);
            report.note(|findings| findings.add_error(&error));
        }
        None => {}
    }
    let mut stopped = false;
    let read = base.scanner().verify(true).run_watched(
        &mut games,
        |scanned| {
            report.game(scanned);
            Ok::<_, scoresheet::Error>(ControlFlow::Continue(()))
        },
        |reached| {
            let told = watcher.reached(reached);
            stopped |= told.is_break();
            told
        },
    );
    if stopped {
        return Err(Failure::cancelled());
    }
    let read = match read {
        Err(error) if error.is_unsupported() => return Err(error.into()),
        read => read,
    };
    match &read {
        Err(scoresheet::Error::Base { error, .. }) => {
            debug_assert!(error.scope() == Scope::Base, "a scan goes on after a damaged game");
            report.broken(&error.message(), error.location());
        }
        Err(error) => report.broken(error, Location::default()),
        Ok(_) => {}
    }
    if games.database().is_none() {
        // Warnings about a compressed stream are complete once it has been read.
        games.warnings().iter().for_each(|warning| report.base_warning(warning));
    }
    let reached = games.reader().progress();
    if read.is_ok() && report.counts.games == 0 && reached.unit == Unit::Bytes && reached.done > 0 {
        report.broken(&"contains no games", Location::default());
    }
    let counts = &mut report.counts;
    counts.is_sound = !counts.is_broken && counts.damaged == 0 && counts.base_damages == 0;
    Ok(report)
}

/// Returns the counts of a check.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_report_counts(report: Option<&Report>) -> CheckCounts {
    report.map_or(CheckCounts::default(), |report| report.counts)
}

/// Returns the number of findings that were kept.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_report_finding_count(report: Option<&Report>) -> usize {
    report.map_or(0, |report| report.findings.len())
}

/// Returns a finding; `index` counts from zero. Its texts belong to the report.
///
/// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such finding.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_report_finding_at(
    report: Option<&Report>,
    index: usize,
    finding: Option<&mut MaybeUninit<Finding>>,
) -> Status {
    let (Some(report), Some(out)) = (report, finding) else { return Status::BadArgument };
    ask(Status::OutOfRange, || {
        out.write(report.findings.get(index)?);
        Some(Status::Ok)
    })
}

/// Frees a report. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_report_free(report: Option<Box<Report>>) {
    drop(report);
}
