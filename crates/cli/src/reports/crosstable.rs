//! `scoresheet crosstable`

use std::io::Write as _;

use commands as args;
use pages::numbers::{counted, games, grouped};
use pages::{CrosstableForms, event_name};
use scoresheet::reports::{EventReport, EventSummary};

use super::read;
use crate::exit::{Done, Failure, Verbosity, say};
use crate::output::Stdout;
use crate::select;

pub(crate) fn run(arguments: &args::Crosstable, verbosity: Verbosity) -> Result<Done, Failure> {
    let args::Crosstable {
        files,
        merge,
        tie_breaks,
        trf,
        showing,
        finding,
        sampling,
        selection,
        reading,
    } = arguments;
    sampling.check("a table needs every game of its event")?;
    let mut report = EventReport::new().merge(*merge);
    let (filter, all) = (selection.filter()?, args::Sampling::default());
    let read = read(files, filter, all, (reading, finding), &mut report, verbosity)?;
    if report.is_too_large() {
        let message = "too many games for one event; choose with --event, --site or --date";
        return Err(Failure::Usage(message.to_owned()));
    }
    let table = report.table(tie_breaks);
    if table.is_none() && read.survey.selected() > 0 {
        return Err(several(&report.events()));
    }
    if let Some(table) = table.as_ref().filter(|_| *trf) {
        let text = table.trf().map_err(|error| Failure::Failed(error.to_string()))?;
        let mut out = Stdout.data();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        return Ok(Done::WELL);
    }
    let most = showing.limit.unwrap_or(usize::MAX);
    let (table, counted) = (table.as_ref(), &read.counted());
    let done = read.show(&CrosstableForms { table, counted, most }, showing, verbosity)?;
    if done.found_nothing {
        select::report_names(selection, None, (files, reading), 0, verbosity);
    }
    Ok(done)
}

/// The events that a message lists.
const EVENTS_TOLD: usize = 10;

/// Prints the events, and returns the error about games of several events.
fn several(events: &[EventSummary]) -> Failure {
    for event in events.iter().take(EVENTS_TOLD) {
        let games = games(event.games as u64);
        say(format_args!("{}: {games}", event_name(event).join(", ")));
    }
    let more = events.len().saturating_sub(EVENTS_TOLD);
    if more > 0 {
        say(format_args!("and {}", counted(more as u64, "more event", "more events")));
    }
    Failure::Usage(format!(
        "the games are of {} events; choose one with --event, --site or --date (and --exact), or \
         take all games for one event with --merge",
        grouped(events.len() as u64)
    ))
}
