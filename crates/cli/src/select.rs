//! Chosen games: names that resemble those asked for, and notes about a filter.

use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use commands::Reading;
use commands::selection::{Selection, spelling};
use pages::numbers::grouped;
use scoresheet::filter::{Criterion, Filter, Neighbours};
use scoresheet::{Format, Scanned, Scanner};

use crate::exit::{Done, Failure, Verbosity, listed, say};
use crate::inputs;
use crate::neighbours::{MAX_FEW, report};
use crate::progress::Bar;

/// The criteria that are names of players.
const NAMES: [&str; 4] = ["player", "white", "black", "against"];

/// Passes each game of `files` that `filter` selects to `each`, with its file. Of several files, one that
/// cannot be read is reported and left out.
pub(crate) fn each_selected(
    files: &[PathBuf],
    (from, reading): (Option<&'static Format>, &Reading),
    filter: &Filter,
    verbosity: Verbosity,
    mut each: impl FnMut(&Path, &Scanned<'_>) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let (mut done, mut seen) = (Done::WELL, 0u64);
    for file in files {
        let opened = inputs::open(file, from, &reading.options());
        let mut bar = Bar::new(verbosity);
        let read = opened.map_err(Failure::from).and_then(|mut base| {
            inputs::report_odd(&base, verbosity);
            done.damage |= base.is_damaged();
            seen += Scanner::new().filter(filter.clone()).run(&mut base, |scanned| {
                bar.set(scanned.progress);
                done.damage |= scanned.damage.is_some();
                each(file, scanned)?;
                Ok::<_, Failure>(ControlFlow::Continue(()))
            })?;
            Ok(())
        });
        drop(bar);
        match read {
            Err(Failure::Failed(message)) if files.len() > 1 => {
                say(format_args!("scoresheet: {message}"));
                done.refusals = true;
            }
            read => read?,
        }
    }
    report_undecided(filter, verbosity);
    report_missing(filter, seen, verbosity);
    Ok(done)
}

/// Reports the likely mistakes in a filter, and how many games were left out because their date is only
/// partly known.
pub(crate) fn report_undecided(filter: &Filter, verbosity: Verbosity) {
    for (name, message) in filter.warnings() {
        verbosity.say(format_args!("note: --{name}: {message}"));
    }
    let note = match filter.undecided() {
        0 => return,
        1 => "note: 1 game is left out: its date is partly unknown, and can be inside or outside \
              the range"
            .to_owned(),
        games => format!(
            "note: {} games are left out: their dates are partly unknown, and can be inside or \
             outside the range",
            grouped(games)
        ),
    };
    verbosity.say(note);
}

/// Reports the numbers of `--games` that exceed the number of games.
pub(crate) fn report_missing(filter: &Filter, games: u64, verbosity: Verbosity) {
    let missing = filter.missing_numbers(games);
    if missing.is_empty() {
        return;
    }
    let range = |range: &RangeInclusive<u64>| match (*range.start(), *range.end()) {
        (first, u64::MAX) => format!("{}..", first.saturating_add(1)),
        (first, last) if first == last => first.saturating_add(1).to_string(),
        (first, last) => format!("{}-{}", first.saturating_add(1), last.saturating_add(1)),
    };
    let missing: Vec<String> = missing.iter().map(range).collect();
    let are = if games == 1 { "is 1 game" } else { &*format!("are {} games", grouped(games)) };
    verbosity
        .say(format_args!("note: --games {} is not there: there {are}", listed(&missing, ", ")));
}

/// Reports how to search for other spellings of a name.
fn report_spellings(name: &str, has_list: bool, verbosity: Verbosity) {
    let start: String =
        name.trim().chars().take_while(|letter| letter.is_alphabetic()).take(3).collect();
    let list = if has_list { "" } else { ", and --players FILE knows many" };
    verbosity.say(format_args!(
        "note: the name may be spelt otherwise: --where 'White=^{start}' shows similar ones{list}"
    ));
}

/// Reports names of the bases that resemble the names asked for, after no game was found, or few by
/// names alone. `player` is a name besides the values of the options.
pub(crate) fn report_names(
    selection: &Selection,
    player: Option<&str>,
    (files, reading): (&[PathBuf], &Reading),
    found: u64,
    verbosity: Verbosity,
) {
    let is_name = |(criterion, _): &(&Criterion, String)| NAMES.contains(&criterion.name);
    let may_be_few = found == 0 || found <= MAX_FEW && selection.given.iter().all(is_name);
    if selection.exact || verbosity == Verbosity::Quiet || !may_be_few {
        return;
    }
    let words = |option: &'static str| {
        player.filter(|_| option == "player").into_iter().chain(selection.values(option))
    };
    // A pipe is read once.
    if selection.spelling.as_ref().is_some_and(scoresheet::is_pipe) {
        return;
    }
    let mut filter = Filter::default();
    for criterion in NAMES.into_iter().filter_map(Criterion::named) {
        for word in words(criterion.name) {
            let _ = criterion.add(&mut filter, word, false);
        }
    }
    if let Some(spelling) = selection.spelling.as_ref().and_then(|path| spelling(path).ok()) {
        filter = filter.spelt(&spelling);
    }
    let of_options = [&filter.player, &filter.white, &filter.black, &filter.against];
    let mut asked = Vec::new();
    for (option, texts) in NAMES.into_iter().zip(of_options) {
        asked.extend(
            words(option)
                .zip(texts)
                .filter_map(|(word, text)| Some((word, Neighbours::new(word, text.clone()).ok()?))),
        );
    }
    let Some(first) = asked.first().map(|(word, _)| *word) else { return };
    let has_neighbours = report(asked, files, &reading.options(), found, verbosity);
    if found == 0 && has_neighbours != Some(true) {
        report_spellings(first, selection.spelling.is_some(), verbosity);
    }
}
