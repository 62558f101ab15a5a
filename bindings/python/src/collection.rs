//! Keeps a collection: updates, appends, drops repeated games, renames, compares.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use scoresheet::chess_core::Game;
use scoresheet::chess_store::{AnyError, Diagnostics, Losses, Replacement, Scope};
use scoresheet::collection::{self, History, Update, Updating};
use scoresheet::dedupe::{Deduper, Place, Taken, merge_duplicates};
use scoresheet::spelling::Filler;
use scoresheet::{
    Base, Converter, Filter, GameReader, IndexBefore, OpenOptions, Progress, describe, player_names,
};

use crate::convert::{self, Summary};
use crate::errors;
use crate::source::{self, Source};

/// Stops a reading when Ctrl-C was pressed.
#[derive(Default)]
struct Signals(RefCell<Option<PyErr>>);

impl Signals {
    fn look(&self) -> ControlFlow<()> {
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.0.replace(Some(error));
                ControlFlow::Break(())
            }
        }
    }

    /// Returns the exception that stopped a reading.
    fn raised(&self) -> PyResult<()> {
        self.0.take().map_or(Ok(()), Err)
    }
}

fn failed(error: scoresheet::Error) -> PyErr {
    errors::base(&error)
}

fn open(path: &Path) -> PyResult<Base> {
    scoresheet::open_with(path, &OpenOptions::default()).map_err(failed)
}

/// Returns the paths of databases that are read twice.
fn paths(files: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    let path = |source: Source| match source {
        Source::Path(path) => Ok(path),
        Source::Files(inputs) => {
            Err(errors::value(format!("{}: cannot be read twice", inputs.named().display())))
        }
    };
    source::sources(files, true)?.into_iter().map(path).collect()
}

/// The outcome of an update, or of its dry run.
#[derive(Default, IntoPyObject)]
pub(crate) struct Updated {
    read: u64,
    added: u64,
    changed: u64,
    same: u64,
    damaged: u64,
    refused: Vec<String>,
    losses: BTreeMap<String, u64>,
    changes: Vec<Change>,
}

/// A game that an update changed, or would change.
#[derive(IntoPyObject)]
struct Change {
    index: u64,
    white: String,
    black: String,
    taken: Vec<String>,
}

/// The games of two databases; scoresheet.compare documents it.
#[derive(IntoPyObject)]
pub(crate) struct Compared {
    games: (u64, u64),
    only_a: Vec<u64>,
    only_b: Vec<u64>,
    both: Vec<(u64, u64)>,
    differing: Vec<Differing>,
}

#[derive(IntoPyObject)]
struct Differing {
    a: u64,
    b: u64,
    differs: Vec<&'static str>,
}

fn losses_of(losses: &Losses) -> BTreeMap<String, u64> {
    losses.counts().map(|(kind, count)| (kind.name().to_owned(), count)).collect()
}

/// Brings a base up to date. With `only_new`, adds games, changes none, and leaves no log.
fn bring_up_to_date(
    base: &Path,
    files: &[PathBuf],
    only_new: bool,
    dry_run: bool,
) -> PyResult<Updated> {
    let options = OpenOptions::default();
    // An editor locks the base.
    let mut editor = match collection::is_text(base).map_err(failed)? {
        true => None,
        false => Some(scoresheet::edit(base, &options).map_err(failed)?),
    };
    let mut history =
        if only_new { History::default() } else { History::open(base).map_err(failed)? };
    let mut updating = Updating::default();
    updating.only_new = only_new;
    let (mut opened, signals) = (open(base)?, Signals::default());
    let each = &mut |_: Progress| signals.look();
    let update = Update::plan(&mut opened, files, &updating, &history, each);
    drop(opened);
    signals.raised()?;
    let mut update = update.map_err(failed)?;
    let mut updated = Updated {
        read: update.read,
        damaged: update.damaged,
        same: update.same,
        added: update.new_games(),
        ..Updated::default()
    };
    for (index, before, taken) in update.changes() {
        let taken = taken.iter().map(Taken::to_string).collect();
        let (white, black) = (before.header.white.to_string(), before.header.black.to_string());
        updated.changes.push(Change { index, white, black, taken });
    }
    updated.changed = updated.changes.len() as u64;
    if dry_run || update.is_empty() {
        return Ok(updated);
    }
    if !only_new {
        history.save().map_err(failed)?;
    }
    let index = IndexBefore::of(base, &options);
    let mut losses = Losses::new();
    let refused = &mut |error: &AnyError| updated.refused.push(describe(base, error).to_string());
    let applied = match &mut editor {
        Some(editor) => update.apply(&mut **editor, &mut losses, refused),
        None => update.rewrite(&mut losses, refused),
    };
    let has_only_added = applied.as_ref().is_ok_and(|applied| applied.changed == 0);
    // Without losses the old games of a text are written as they were. An index that cannot be extended is not used.
    if has_only_added && (editor.is_some() || losses.is_empty()) {
        let _ = index.map(IndexBefore::extend);
    }
    drop(editor);
    let applied = applied.map_err(failed)?;
    if !only_new {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        history.add(&names.join(" "), &update.log).map_err(failed)?;
    }
    (updated.added, updated.changed) = (applied.added, applied.changed);
    updated.losses = losses_of(&losses);
    Ok(updated)
}

/// Brings a database up to date; scoresheet.update documents it.
#[pyfunction]
pub(crate) fn update(
    py: Python<'_>,
    base: PathBuf,
    files: &Bound<'_, PyAny>,
    dry_run: bool,
) -> PyResult<Updated> {
    let files = paths(files)?;
    py.detach(|| bring_up_to_date(&base, &files, false, dry_run))
}

/// Takes back the last update; scoresheet.undo documents it.
#[pyfunction]
pub(crate) fn undo(py: Python<'_>, base: PathBuf, force: bool) -> PyResult<String> {
    py.detach(|| collection::undo(&base, force)).map_err(failed)
}

/// Appends games; scoresheet.append documents it.
#[pyfunction]
pub(crate) fn append(
    py: Python<'_>,
    base: PathBuf,
    files: &Bound<'_, PyAny>,
    unique: bool,
) -> PyResult<Updated> {
    let files = paths(files)?;
    let append = || {
        if unique {
            bring_up_to_date(&base, &files, true, false)
        } else {
            append_all(&base, &files)
        }
    };
    py.detach(append)
}

fn append_all(base: &Path, files: &[PathBuf]) -> PyResult<Updated> {
    let mut editor = scoresheet::edit(base, &OpenOptions::default()).map_err(failed)?;
    let (mut updated, mut losses, signals) =
        (Updated::default(), Losses::new(), Signals::default());
    let before = editor.len();
    for file in files {
        let (mut games, mut failure) = (open(file)?.into_games(), None);
        let mut next = |game: &mut Game| {
            if signals.look().is_break() {
                return Ok(false);
            }
            let more = match games.read_game(game) {
                Ok(more) => more,
                Err(error) if error.scope() == Scope::Game => {
                    updated.damaged += 1;
                    true
                }
                Err(error) => {
                    failure = Some(error);
                    false
                }
            };
            updated.read += u64::from(more);
            Ok(more)
        };
        loop {
            match editor.append_all(&mut next, &mut losses) {
                Err(error) if error.scope() == Scope::Game => {
                    updated.refused.push(describe(base, &error).to_string());
                }
                done => {
                    done.map_err(|error| errors::written(base, &error))?;
                    break;
                }
            }
        }
        signals.raised()?;
        failure.map_or(Ok(()), |error| Err(failed(error)))?;
    }
    editor.sync().map_err(|error| errors::written(base, &error))?;
    updated.added = editor.len().saturating_sub(before);
    updated.losses = losses_of(&losses);
    Ok(updated)
}

/// Compares two databases; scoresheet.compare documents it.
#[pyfunction]
pub(crate) fn compare(py: Python<'_>, a: PathBuf, b: PathBuf) -> PyResult<Compared> {
    let found = py.detach(|| {
        let signals = Signals::default();
        let open = |number: usize| {
            scoresheet::open_with(if number == 0 { &a } else { &b }, &OpenOptions::default())
        };
        let found = collection::compare(open, &mut |_| signals.look());
        signals.raised()?;
        found.map_err(failed)
    })?;
    let ([only_a, only_b], [a, b]) = (found.only, found.games);
    let differing =
        found.differing.into_iter().map(|([a, b], differs)| Differing { a, b, differs });
    Ok(Compared {
        games: (a, b),
        only_a,
        only_b,
        both: found.both.into_iter().map(|[a, b]| (a, b)).collect(),
        differing: differing.collect(),
    })
}

/// Writes games without repeated ones; scoresheet.dedupe documents it.
#[pyfunction]
pub(crate) fn dedupe(
    py: Python<'_>,
    inputs: &Bound<'_, PyAny>,
    output: PathBuf,
    contained: bool,
    merge: bool,
    overwrite: bool,
) -> PyResult<(Summary, Vec<(usize, u64, usize, u64)>)> {
    let files = paths(inputs)?;
    let sources: Vec<Source> = files.iter().cloned().map(Source::Path).collect();
    let mut writer = convert::create(&output, None, None, None, None, None, overwrite, &sources)?;
    py.detach(|| {
        let signals = Signals::default();
        let each = &mut |_: Progress| signals.look();
        let mut deduper = Deduper::new().copied_to(writer.format());
        for path in &files {
            deduper.add(&mut open(path)?, each).map_err(failed)?;
            signals.raised()?;
        }
        for path in files.iter().filter(|_| contained) {
            deduper.look_within(&mut open(path)?, each).map_err(failed)?;
            signals.raised()?;
        }
        let raw_games = deduper.take_raw_games();
        let found = deduper.finish();
        let mut converter = Converter::new();
        if merge {
            let path = |number: usize| files.get(number).map_or(Path::new(""), |path| path);
            let mut open =
                |number: usize| scoresheet::open_with(path(number), &OpenOptions::default());
            let ignore = &mut |_: Place, _: Place, _: &[Taken]| {};
            let merged = merge_duplicates(&found, files.len(), &mut open, ignore);
            converter.set_merged(merged.map_err(failed)?);
        }
        for ((number, path), raw_games) in files.iter().enumerate().zip(raw_games) {
            let mut filter = Filter::default();
            filter.without = found.of_base(number);
            converter.set_filter(filter);
            converter.set_raw_games(raw_games);
            let done = converter.run(&mut open(path)?, &mut writer, &mut ());
            done.map_err(|error| errors::conversion(&error, path, &output))?;
        }
        writer.finish().map_err(failed)?;
        let place = |place: Place| (place.base, place.number);
        let repeats = found.pairs.iter().map(|pair| {
            let ((base, number), (kept_base, kept)) = (place(pair.game), place(pair.stays));
            (base, number, kept_base, kept)
        });
        Ok((Summary::from(converter.summary()), repeats.collect()))
    })
}

/// Changes headers. `change` is called twice for each game, the second time for those that it changed; it returns the
/// tags that it set. Returns the number of games by tag.
fn change_headers(
    base: &Path,
    dry_run: bool,
    mut change: impl FnMut(&mut Game) -> Vec<String>,
) -> PyResult<BTreeMap<String, u64>> {
    let written = |error: AnyError| errors::written(base, &error);
    let mut editor = scoresheet::edit(base, &OpenOptions::default()).map_err(failed)?;
    let (opened, signals) = (open(base)?, Signals::default());
    let database = opened.database();
    let database = database.ok_or_else(|| errors::value("the games have no numbers"))?;
    let (mut reader, mut game) = (database.reader(), Game::new());
    let read = |reader: &mut dyn GameReader, number: u64, game: &mut Game| {
        game.clear();
        let header = reader.full_header(number, &mut game.header, &mut Diagnostics::lenient());
        if header.is_ok_and(|is_full| is_full) {
            return Ok(Replacement::Header);
        }
        reader.game(number, game, &mut Diagnostics::lenient())?;
        Ok::<_, AnyError>(Replacement::Game)
    };
    let (mut counts, mut changed) = (BTreeMap::new(), Vec::new());
    for number in 0..editor.len() {
        if number % 1024 == 0 && signals.look().is_break() {
            break;
        }
        let damage = read(&mut *reader, number, &mut game).err();
        if damage.is_some() {
            let header = &mut game.header;
            if reader.header(number, header, &mut Diagnostics::lenient()).is_err() {
                continue;
            }
        }
        let tags = change(&mut game);
        // A damaged game cannot be changed.
        if let Some(damage) = damage.filter(|_| !tags.is_empty()) {
            return Err(written(damage));
        }
        if !tags.is_empty() {
            changed.push(number);
        }
        for tag in tags {
            *counts.entry(tag).or_insert(0u64) += 1;
        }
    }
    signals.raised()?;
    if dry_run {
        return Ok(counts);
    }
    let mut changed = changed.into_iter();
    let mut next = |game: &mut Game| {
        let Some(number) = changed.next() else { return Ok(None) };
        let part = read(&mut *reader, number, game)?;
        change(game);
        Ok(Some((number, part)))
    };
    editor.replace_all(&mut next, &mut Losses::new()).map_err(written)?;
    editor.sync().map_err(written)?;
    Ok(counts)
}

/// Renames players, events and sites; scoresheet.rename documents it.
#[pyfunction]
pub(crate) fn rename(
    py: Python<'_>,
    base: PathBuf,
    old: &str,
    new: &str,
    tags: Vec<String>,
    dry_run: bool,
) -> PyResult<BTreeMap<String, u64>> {
    py.detach(|| {
        change_headers(&base, dry_run, |game| {
            let has_old = |tag: &&String| game.header.get(tag).is_some_and(|value| value == old);
            let renamed: Vec<String> = tags.iter().filter(has_old).cloned().collect();
            renamed.iter().for_each(|tag| game.header.put(tag, new));
            renamed
        })
    })
}

/// Writes what a list of players knows; scoresheet.fill documents it.
#[pyfunction]
pub(crate) fn fill(
    py: Python<'_>,
    base: PathBuf,
    players: PathBuf,
    dry_run: bool,
) -> PyResult<BTreeMap<String, u64>> {
    py.detach(|| {
        let mut names = BTreeSet::new();
        player_names(&mut open(&base)?, |name, _| {
            names.insert(name.to_owned());
        })
        .map_err(failed)?;
        let filler = Filler::open(&players, names.iter().map(String::as_str));
        let mut filler =
            filler.map_err(|error| errors::value(format!("{}: {error}", players.display())))?;
        change_headers(&base, dry_run, |game| {
            let mut filled = Vec::new();
            filler.fill(game, |tag| filled.push(tag.tag.to_owned()));
            filled
        })
    })
}
