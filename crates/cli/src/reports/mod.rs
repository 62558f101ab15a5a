//! `scoresheet player`, `crosstable` and `stats`: reports as text, JSON, comma-separated values and
//! HTML.

mod crosstable;
mod html;
pub(crate) mod page;
mod player;
mod stats;
mod svg;
pub(crate) mod text;

use std::io::Write;
use std::path::PathBuf;

use scoresheet::Filter;
use scoresheet::Survey;
use scoresheet::columns::csv_cell;
use scoresheet::reports::Report;
use serde_json::{Map, Value};

use crate::args::{Finding, Reading, Sampling, Showing};
use crate::exit::{Done, Failure, Verbosity, games, say};
use crate::inputs;
use crate::json;
use crate::output::Paged;
use crate::progress::Bar;
use crate::sample::Filters;
use crate::select::{self, grouped};
use crate::style::{colours, terminal_width};

pub(crate) use crosstable::run as crosstable;
pub(crate) use player::{named, run as player};
pub(crate) use stats::run as stats;

use page::Page;

/// The games of a report have been read.
struct Read {
    survey: Survey,
    filter: Filter,
    files: Vec<PathBuf>,
    done: Done,
}

/// Reads all files once.
fn read(
    files: &[PathBuf],
    filter: Filter,
    sampling: Sampling,
    (reading, finding): (&Reading, &Finding),
    report: &mut impl Report,
    verbosity: Verbosity,
) -> Result<Read, Failure> {
    let files = inputs::expand(files)?;
    let options = reading.options();
    let filters = Filters::sampled(filter.clone(), sampling, &files, None, &options)?;
    let mut survey = Survey::new();
    let mut done = Done::WELL;
    let mut unread = 0usize;
    for (number, file) in files.iter().enumerate() {
        survey = survey.filter(filters.of_input(number).clone());
        let before = survey.seen();
        let opened = inputs::open_to_search(file, &options, finding, verbosity);
        let mut bar = Bar::new(verbosity);
        let read = opened.and_then(|mut base| {
            inputs::report_odd(&base, verbosity);
            done.damage |= base.is_damaged();
            survey.run(&mut base, report, &mut |progress| bar.set(progress))?;
            inputs::holds_games(&mut base, survey.seen().saturating_sub(before));
            let _ = inputs::accept_read(&base, false, verbosity);
            Ok(())
        });
        drop(bar);
        match read {
            Err(error) if files.len() > 1 => {
                say(format_args!("scoresheet: {error}"));
                done.refusals = true;
                unread += 1;
            }
            read => read?,
        }
    }
    if unread == files.len() {
        return Err(Failure::Failed("none of the files can be read".to_owned()));
    }
    select::report_undecided(&filter, verbosity);
    select::report_missing(&filter, survey.seen(), verbosity);
    Ok(Read { survey, filter, files, done })
}

/// The forms of a report.
trait Forms {
    fn page(&self) -> Page;
    fn json(&self) -> Map<String, Value>;
    /// The lines of comma-separated values, the names of the columns first.
    fn csv(&self) -> Vec<Vec<String>>;
}

impl Read {
    /// Returns `1,212 games of 103,087 in twic.si4`.
    fn source(&self) -> String {
        let (selected, seen) = (self.survey.selected(), self.survey.seen());
        let file = match self.files.as_slice() {
            [file] => inputs::input_name(file).display().to_string(),
            files => format!("{} files", grouped(files.len() as u64)),
        };
        let noun = if seen == 1 { "game" } else { "games" };
        match selected == seen {
            true => format!("{} {noun} in {file}", grouped(seen)),
            false => format!("{} of {} {noun} in {file}", grouped(selected), grouped(seen)),
        }
    }

    /// Inserts the counts that every report has.
    fn insert_counts(&self, object: &mut Map<String, Value>) {
        object.insert("selected".into(), self.survey.selected().into());
        object.insert("seen".into(), self.survey.seen().into());
        object.insert("damaged".into(), self.survey.damaged().into());
        if self.filter.undecided() > 0 {
            object.insert("undecided".into(), self.filter.undecided().into());
        }
    }

    /// Prints a report, and says how many games it counts. Returns the outcome of the command.
    fn show(
        &self,
        report: &impl Forms,
        showing: &Showing,
        verbosity: Verbosity,
    ) -> Result<Done, Failure> {
        let found = self.survey.selected();
        let mut out = if showing.csv || showing.html { Paged::data() } else { Paged::text() };
        if showing.json {
            json::line(&mut out, &report.json())?;
        } else if showing.csv {
            for line in report.csv() {
                let cells: Vec<_> = line.iter().map(|cell| csv_cell(cell)).collect();
                writeln!(out, "{}", cells.join(","))?;
            }
        } else if showing.html {
            html::write(&report.page(), &mut out)?;
        } else if found > 0 {
            text::write(&report.page(), terminal_width(), colours(), &mut out)?;
        }
        out.finish()?;
        let seen = self.survey.seen();
        verbosity.say(format_args!("{} of {}", grouped(found), games(seen)));
        let damaged = self.survey.damaged();
        if damaged > 0 {
            let is = if damaged == 1 { "is" } else { "are" };
            let what = "counted by what could be read";
            verbosity.say(format_args!("{} {is} damaged; {what}", games(damaged)));
        }
        let mut done = self.done.damaged(damaged > 0);
        done.refusals |= damaged > 0 && damaged >= seen;
        done.found_nothing = found == 0;
        Ok(done)
    }
}

/// Formats tenths of a per cent: `33.4%`.
fn tenths(share: u32) -> String {
    format!("{}.{}%", share / 10, share % 10)
}

/// Formats a share from 0 to 1: `58.3%`.
fn percent(share: Option<f64>) -> String {
    share.map(|share| format!("{:.1}%", share * 100.0)).unwrap_or_default()
}

/// Formats a number if there is one.
fn number(number: Option<impl std::fmt::Display>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// Formats half points as points: `10½`.
fn points(half_points: u64) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

/// Formats half points as a decimal number: `10.5`.
fn decimal_points(half_points: u64) -> String {
    let half = if half_points % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", half_points / 2)
}

/// Returns half points as a number of JSON.
#[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
fn json_points(half_points: u64) -> Value {
    (half_points as f64 / 2.0).into()
}

/// Returns the note about the rows that a limit leaves out.
fn left_out(all: usize, most: usize) -> Option<String> {
    let more = all.saturating_sub(most);
    (more > 0).then(|| format!("… {} more", grouped(more as u64)))
}

/// Inserts a list, and how many entries the limit leaves out.
fn insert_list<T>(
    object: &mut Map<String, Value>,
    name: &str,
    list: &[T],
    most: usize,
    value: impl Fn(&T) -> Value,
) {
    object.insert(name.into(), list.iter().take(most).map(value).collect());
    let more = list.len().saturating_sub(most);
    if more > 0 {
        object.insert(format!("{name}_left_out"), more.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_halves() {
        let texts: Vec<_> = [0, 1, 2, 21].map(|n| (points(n), decimal_points(n))).into();
        let expected = [("0", "0"), ("½", "0.5"), ("1", "1"), ("10½", "10.5")]
            .map(|(a, b)| (a.into(), b.into()));
        assert_eq!(texts, expected);
        assert_eq!(tenths(1000), "100.0%");
    }
}
