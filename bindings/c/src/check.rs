//! Checks a base, as `scoresheet check` does.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use scoresheet::check::{self, What};
use scoresheet::chess_store::Location;

use crate::base::Base;
use crate::findings::{Finding, FindingKind, Findings};
use crate::status::{Error, Failure, Status, ask, create, needed};
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
    fn add(&mut self, finding: &check::Finding<'_>) {
        self.counts.findings = self.counts.findings.saturating_add(1);
        if self.findings.len() >= self.most {
            return;
        }
        let at = finding.game.map_or(Location::default(), |game| Location::default().in_game(game));
        match finding.what {
            What::Warning(warning) => self.findings.add_warning(warning),
            What::Damage(error) => self.findings.add_error(error),
            What::Broken(scoresheet::Error::Base { error, .. }) => {
                let (message, at) = (error.message(), error.location());
                self.findings.add(FindingKind::Damage, finding.name(), message, at);
            }
            _ => {
                let kind =
                    if finding.is_damage() { FindingKind::Damage } else { FindingKind::Deviation };
                self.findings.add(kind, finding.name(), finding, at);
            }
        }
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
    create(report, "report", error, || {
        check(needed(base, "base")?, most, Watcher::new(progress, context))
    })
}

fn check(base: &Base, most: usize, watcher: Watcher) -> Result<Report, Failure> {
    let mut games = base.in_order()?;
    let counts = CheckCounts::default();
    let mut report = Report { counts, findings: Findings::default(), most };
    let mut stopped = false;
    let counts = check::run_watched(
        &mut games,
        &base.scanner(),
        |finding| {
            report.add(finding);
            Ok::<_, scoresheet::Error>(())
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
    let counts = counts?;
    report.counts = CheckCounts {
        games: counts.games,
        damaged: counts.damaged,
        deviating: counts.deviating,
        base_damages: counts.base_damages,
        base_deviations: counts.base_deviations,
        findings: report.counts.findings,
        is_broken: counts.is_broken,
        is_sound: counts.is_sound(false),
    };
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
