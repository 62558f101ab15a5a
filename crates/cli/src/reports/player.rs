//! `scoresheet player`

use commands::Player;
use pages::numbers::{counted, games, grouped};
use pages::{PlayerForms, named};
use scoresheet::filter::Identities;
use scoresheet::reports::PlayerReport;

use super::read;
use crate::exit::{Done, Failure, Verbosity, say};
use crate::select;

pub(crate) fn run(arguments: &Player, verbosity: Verbosity) -> Result<Done, Failure> {
    let Player { who, files, all, showing, finding, sampling, selection, reading } = arguments;
    let filter = selection.filter_of_player(who)?;
    let mut report = PlayerReport::new(filter.player.clone())
        .against(filter.against.clone())
        .most_wins(showing.limit.unwrap_or(USUAL_WINS));
    let read = read(files, filter, *sampling, (reading, finding), &mut report, verbosity)?;
    if let Some(people) = report.several().filter(|_| !all) {
        return Err(several(&people));
    }
    let shown =
        PlayerForms { report: &report, counted: &read.counted(), most: showing.most(), who };
    let done = read.show(&shown, showing, verbosity)?;
    let found = read.survey.selected();
    if sampling.sample.is_none() {
        select::report_names(selection, Some(who), (files, reading), found, verbosity);
    }
    Ok(done)
}

/// The people that a message lists.
const PEOPLE_TOLD: usize = 20;

/// Prints the people, and returns the error about a name of several people.
fn several(found: &Identities) -> Failure {
    for person in found.people.iter().take(PEOPLE_TOLD) {
        say(named(person));
    }
    let more = found.people.len().saturating_sub(PEOPLE_TOLD);
    if more > 0 {
        say(format_args!("and {}", counted(more as u64, "more person", "more people")));
    }
    let unclear: u64 = found.unclear.iter().map(|(_, games)| games).sum::<u64>() + found.others;
    if let Some((name, _)) = found.unclear.first() {
        say(format_args!("{name} and the like, which may be either: {}", games(unclear)));
    }
    Failure::Usage(format!(
        "the name means {} people; give more of the name, or choose with --exact or --date; --all \
         adds them up",
        grouped(found.people.len() as u64)
    ))
}

/// The best wins that are shown without `--limit`.
const USUAL_WINS: usize = 10;
