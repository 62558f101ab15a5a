//! `scoresheet player`, `crosstable` and `stats`: reports as text, JSON, comma-separated values and
//! HTML.

mod crosstable;
mod player;
mod stats;

use std::io::Write;
use std::path::PathBuf;

use commands::{Finding, Reading, Sampling, Showing};
use pages::numbers::{games, grouped};
use pages::{Counted, Forms, html, text};
use scoresheet::columns::csv_cell;
use scoresheet::reports::Report;
use scoresheet::{Filter, Survey};

use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::json;
use crate::output::Paged;
use crate::progress::Bar;
use crate::sample::Filters;
use crate::select;
use crate::style::{colours, terminal_width};

pub(crate) use crosstable::run as crosstable;
pub(crate) use player::run as player;
pub(crate) use stats::run as stats;

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

impl Read {
    /// Returns the counts of games for the forms of a report.
    fn counted(&self) -> Counted {
        let source = match self.files.as_slice() {
            [file] => inputs::input_name(file).display().to_string(),
            files => format!("{} files", grouped(files.len() as u64)),
        };
        Counted {
            source,
            selected: self.survey.selected(),
            seen: self.survey.seen(),
            damaged: self.survey.damaged(),
            undecided: self.filter.undecided(),
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
