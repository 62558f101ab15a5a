//! `scoresheet stats`

use commands::StatsOf;
use pages::StatisticsForms;
use scoresheet::reports::Statistics;

use super::read;
use crate::exit::{Done, Failure, Verbosity};
use crate::select;

pub(crate) fn run(arguments: &StatsOf, verbosity: Verbosity) -> Result<Done, Failure> {
    let StatsOf { files, showing, finding, sampling, selection, reading } = arguments;
    let mut statistics = Statistics::new();
    let filter = selection.filter()?;
    let read = read(files, filter, *sampling, (reading, finding), &mut statistics, verbosity)?;
    let (statistics, counted) = (&statistics, &read.counted());
    let shown = StatisticsForms { statistics, counted, most: showing.most() };
    let done = read.show(&shown, showing, verbosity)?;
    if done.found_nothing {
        select::report_names(selection, None, (files, reading), 0, verbosity);
    }
    Ok(done)
}
