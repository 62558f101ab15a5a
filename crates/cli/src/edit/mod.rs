//! `scoresheet edit`

mod compact;
mod incoming;
mod set;
mod spell;
mod table;

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::slice;

use commands::selection::Selection;
use commands::{Change, Chosen, Edit, NoSampling, Sampling};
use pages::numbers::{games, grouped};
use scoresheet::chess_core::Game;
use scoresheet::chess_store::{AnyError, Diagnostics, Fact, Losses, Scope, UnknownFact};
use scoresheet::collection::{History, Update, Updating};
use scoresheet::dedupe::Deduper;
use scoresheet::filter::Prefilter;
use scoresheet::filter::ranges;
use scoresheet::sample::Sampler;
use scoresheet::{Base, Editor, Filter, Format, GameReader, IndexBefore, describe};

use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::interrupt;
use crate::report::{self, Reported};

use crate::select;
use crate::unique;
use incoming::Incoming;

pub(crate) fn run(arguments: &Edit, verbosity: Verbosity) -> Result<Done, Failure> {
    let options = arguments.reading.options();
    refuse_sample(&arguments.change)?;
    interrupt::watch_edit();
    let opened = arguments.waiting.until_free(|| scoresheet::edit(&arguments.file, &options));
    let editor = opened.map_err(|error| not_changed(&error))?;
    let keeps_games = matches!(
        arguments.change,
        Change::Append { .. } | Change::Delete(_) | Change::Undelete(_) | Change::Flag { .. }
    );
    let index = || IndexBefore::of(&arguments.file, &options);
    let index = (keeps_games && !arguments.dry_run).then(index).flatten();
    let mut session = Session {
        arguments,
        count: editor.len(),
        editor: Some(editor),
        verbosity,
        losses: Losses::new(),
        reported: Reported::new(verbosity),
        last_told: None,
        rehearsed: Vec::new(),
        unknown_tags: BTreeSet::new(),
        done: Done::WELL,
    };
    let done = match &arguments.change {
        Change::Delete(games) => session.mark(games, true),
        Change::Undelete(games) => session.mark(games, false),
        Change::Dedupe { contained, selection, .. } => session.dedupe(*contained, selection),
        Change::Set { csv: Some(path), .. } => session.set_table(path),
        Change::Set { words, sampling, selection, csv: None } => {
            session.set(words, selection.as_ref(), *sampling)
        }
        Change::Spell { file, all, sampling, selection } => {
            session.spell(file, *all, selection.as_ref(), *sampling)
        }
        Change::Fill { sampling, selection } => session.fill(selection, *sampling),
        Change::Flag { add, take, only, games } => session.flag([add, take, only], games),
        Change::Replace { game, with, .. } => session.replace(*game, with),
        Change::Append { from, unique: true, .. } => session.append_new(from),
        Change::Append { from, .. } => session.append(from),
        Change::Rename { old, new, tag } => session.rename(old, new, tag),
        Change::About { facts } => session.about(facts),
        Change::Compact => session.compact(),
    };
    // Changes made before an error stay, too.
    let kept = session.act(|editor, _| editor.sync());
    let done = done.and(kept);
    // The editor still locks the base.
    extend(index, verbosity);
    session.rehearsed.iter().for_each(|line| verbosity.say(line));
    session.reported.rest().for_each(|line| verbosity.say(line));
    let file = arguments.file.display();
    for loss in &session.losses {
        let game = loss.game.map_or(String::new(), |game| format!("game {}: ", game + 1));
        verbosity.detail(format_args!("{file}: {game}lost {loss}"));
    }
    for (kind, count) in session.losses.unlisted_counts() {
        verbosity.detail(format_args!("{file}: lost {kind}: {count} more"));
    }
    report::report_losses(&session.losses.counts().collect(), None, verbosity);
    done.map(|()| Done { losses: !session.losses.is_empty(), ..session.done })
}

/// Adds the games that were appended to the position index of the base, if there was one.
pub(crate) fn extend(index: Option<IndexBefore>, verbosity: Verbosity) {
    if let Some(Err(error)) = index.map(IndexBefore::extend) {
        verbosity.say(format_args!("the index of positions is not kept: {error}"));
    }
}

/// Refuses `--sample` where a change does not concern chosen games.
fn refuse_sample(change: &Change) -> Result<(), Failure> {
    let refuse = |sampling: &NoSampling, why| sampling.check(why);
    Ok(match change {
        Change::Dedupe { sampling, .. } => refuse(sampling, unique::NO_SAMPLE),
        Change::Replace { sampling, .. } => refuse(sampling, "the game is named by its number"),
        Change::Append { sampling, .. } => {
            refuse(sampling, "all games are appended; take a sample with `convert` first")
        }
        _ => Ok(()),
    }?)
}

/// Returns the failure to open a base for editing, with the formats that can be edited.
pub(crate) fn not_changed(error: &scoresheet::Error) -> Failure {
    if !matches!(error, scoresheet::Error::Unsupported { .. }) {
        return Failure::Failed(error.to_string());
    }
    let changed = scoresheet::formats().filter(|format| format.edit.is_some());
    let names: Vec<String> =
        changed.filter_map(|format| Some(format!(".{}", format.extensions.first()?))).collect();
    Failure::Failed(format!("{error}; convert it first, to one of {}", names.join(", ")))
}

/// One edit of one base.
struct Session<'a> {
    arguments: &'a Edit,
    count: u64,
    /// The base. `None` once it has been compacted.
    editor: Option<Box<dyn Editor>>,
    verbosity: Verbosity,
    losses: Losses,
    /// Damaged and refused games.
    reported: Reported,
    /// The number of the damaged game that was reported last.
    last_told: Option<u64>,
    /// The lines of a dry run. They follow the summary.
    rehearsed: Vec<String>,
    /// Tags that are set and that nobody knows.
    unknown_tags: BTreeSet<String>,
    done: Done,
}

/// The most lines of a dry run.
const REHEARSED: usize = 100_000;

/// How many games an edit changed.
#[derive(Clone, Copy, Default)]
struct Tally {
    changed: u64,
    /// Games that needed no change.
    already: u64,
}

impl Tally {
    fn count(&mut self, changed: bool) {
        let counter = if changed { &mut self.changed } else { &mut self.already };
        *counter += 1;
    }
}

/// A game that was chosen, and the reader that found it. Its index entry is at hand there.
struct Found<'r> {
    number: u64,
    reader: &'r mut dyn GameReader,
}

/// Number of games that are marked at once.
const MARKS: usize = 1 << 12;
/// Number of games that are searched at once. The buffer of the search still holds their headers when
/// the chosen games are read.
const AT_ONCE: u64 = 1 << 10;

/// The games that an edit concerns.
struct Choice {
    numbers: Vec<RangeInclusive<u64>>,
    /// The filter of the options.
    all: Filter,
    /// The filter of the sample, if there is one.
    drawn: Option<Filter>,
}

/// A search for the games of a [`Choice`].
struct Search<'b> {
    filter: &'b Filter,
    prefilter: Prefilter<'b>,
    reader: Box<dyn GameReader + Send + 'b>,
    /// The ranges to be searched.
    ranges: slice::Iter<'b, RangeInclusive<u64>>,
    /// The rest of the current range.
    range: Range<u64>,
}

impl Search<'_> {
    /// Finds the next game, and reads its header into `game`, or all of it if the filter asks for the
    /// moves.
    fn next(
        &mut self,
        session: &mut Session<'_>,
        game: &mut Game,
    ) -> Result<Option<Found<'_>>, Failure> {
        loop {
            interrupt::check_edit()?;
            if let Some(number) = self.prefilter.next_candidate(&mut *self.reader) {
                if session.is_chosen(self.filter, &mut *self.reader, number, game)? {
                    return Ok(Some(Found { number, reader: &mut *self.reader }));
                }
                continue;
            }
            if self.range.is_empty() {
                let Some(range) = self.ranges.next() else { return Ok(None) };
                self.range = *range.start()..range.end().saturating_add(1);
            }
            let next = self.range.end.min(self.range.start.saturating_add(AT_ONCE));
            self.prefilter.start(&mut *self.reader, self.range.start..next);
            self.range.start = next;
        }
    }
}

/// Returns the numbers that are in a range of `numbers` and in one of `others`.
fn common(
    numbers: &[RangeInclusive<u64>],
    others: &[RangeInclusive<u64>],
) -> Vec<RangeInclusive<u64>> {
    let both = |one: &RangeInclusive<u64>, other: &RangeInclusive<u64>| {
        *one.start().max(other.start())..=*one.end().min(other.end())
    };
    let pairs = numbers.iter().flat_map(|one| others.iter().map(move |other| both(one, other)));
    pairs.filter(|range| !range.is_empty()).collect()
}

/// Returns the numbers of all ranges, in rising ranges that have none in common.
fn merged(mut ranges: Vec<RangeInclusive<u64>>) -> Vec<RangeInclusive<u64>> {
    ranges.sort_by_key(|range| *range.start());
    let mut merged: Vec<RangeInclusive<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start() <= last.end() => {
                *last = *last.start()..=*last.end().max(range.end());
            }
            _ => merged.push(range),
        }
    }
    merged
}

impl Session<'_> {
    /// Sets facts of the base. All names are checked before anything is changed.
    fn about(&mut self, facts: &[String]) -> Result<(), Failure> {
        let mut parsed = Vec::new();
        for text in facts {
            let Some((name, value)) = text.split_once('=') else {
                return Err(Failure::Usage(format!("{text:?} is not NAME=VALUE")));
            };
            let fact: Fact =
                name.parse().map_err(|error: UnknownFact| Failure::Usage(error.to_string()))?;
            parsed.push((fact, value));
        }
        for (fact, value) in &parsed {
            self.act(|editor, _| editor.set_fact(*fact, value))?;
            let done = if value.is_empty() { "taken away" } else { "set" };
            self.verbosity.say(format_args!("{fact} {done}"));
        }
        Ok(())
    }

    fn mark(&mut self, games: &Chosen, deleted: bool) -> Result<(), Failure> {
        let Chosen { numbers, sampling, selection } = games;
        let choice = self.choice(numbers, selection.as_ref(), *sampling)?;
        let word = if deleted { "delete" } else { "undelete" };
        let mut marks = Vec::new();
        let base = self.base()?;
        let tally = self.each_chosen(&base, &choice, |session, Found { number, .. }, game| {
            let changes = game.header.deleted != deleted;
            if changes {
                session.tell(format_args!("{word} game {}", number + 1));
                marks.push(number);
                if marks.len() >= MARKS {
                    session.put_marks(&mut marks, deleted)?;
                }
            }
            Ok(changes)
        });
        self.put_marks(&mut marks, deleted)?;
        self.sum_up(if deleted { "deleted" } else { "undeleted" }, tally?);
        Ok(())
    }

    /// Marks games as deleted, or removes their marks.
    fn put_marks(&mut self, games: &mut Vec<u64>, deleted: bool) -> Result<(), Failure> {
        let games = std::mem::take(games);
        self.act(|editor, _| editor.set_deleted_all(&games, deleted))
    }

    /// Marks repeated games as deleted. Deleted games are not compared unless the selection asks
    /// for them, so a game is not marked because it repeats a deleted one.
    fn dedupe(&mut self, contained: bool, selection: &Selection) -> Result<(), Failure> {
        let mut filter = selection.filter()?;
        filter.deleted = filter.deleted.or(Some(false));
        let mut deduper = Deduper::new().filter(filter.clone());
        let mut base = self.base()?;
        let each = &mut |_| match interrupt::is_asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        deduper.add(&mut base, each)?;
        if contained && !interrupt::is_asked() {
            deduper.look_within(&mut base, each)?;
        }
        interrupt::check_edit()?;
        let found = deduper.finish();
        let mut tally = Tally::default();
        for pairs in found.pairs.chunks(MARKS) {
            interrupt::check_edit()?;
            let mut marks = Vec::new();
            for pair in pairs {
                let (game, stays) = (pair.game.number, pair.stays.number + 1);
                self.tell(format_args!("game {} repeats game {stays}", game + 1));
                self.tell(format_args!("delete game {}", game + 1));
                marks.push(game);
                tally.count(true);
            }
            self.put_marks(&mut marks, true)?;
        }
        self.verbosity.say(format_args!("{} compared", games(found.games)));
        self.report_choice(&filter);
        self.sum_up("deleted", tally);
        Ok(())
    }

    /// Returns the base for reading.
    fn base(&self) -> Result<Base, Failure> {
        Ok(inputs::open(&self.arguments.file, None, &self.arguments.reading.options())?)
    }

    fn format(&self) -> Result<&'static Format, Failure> {
        Ok(scoresheet::detect(&self.arguments.file)?)
    }

    /// Returns the games that the options choose: the games of `numbers` that `selection` selects, or a
    /// sample of them. Without numbers, all games of the base may be selected.
    fn choice(
        &self,
        numbers: &[String],
        selection: Option<&Selection>,
        sampling: Sampling,
    ) -> Result<Choice, Failure> {
        let numbers = self.numbers(numbers)?;
        let all = selection.map(Selection::filter).transpose()?.unwrap_or_default();
        let mut drawn = None;
        if let Some(size) = sampling.sample {
            let mut filter = all.clone();
            filter.games = match filter.games.as_slice() {
                [] => numbers.clone(),
                games => common(&numbers, games),
            };
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            // A filter without numbers selects all games.
            if !filter.games.is_empty() {
                let mut sampler = Sampler::new(filter, size, sampling.seed);
                sampler.add(&mut self.base()?)?;
                drawn = sampler.finish().into_iter().next();
            }
        }
        Ok(Choice { numbers, all, drawn })
    }

    /// Passes the chosen games of `base` to `each`, with their headers, and with their moves if the
    /// filter needs them. `each` returns whether it changes the game.
    fn each_chosen(
        &mut self,
        base: &Base,
        choice: &Choice,
        mut each: impl FnMut(&mut Self, Found<'_>, &mut Game) -> Result<bool, Failure>,
    ) -> Result<Tally, Failure> {
        let (mut search, mut game) = (self.search(base, choice)?, Game::new());
        let mut tally = Tally::default();
        while let Some(found) = search.next(self, &mut game)? {
            tally.count(each(self, found, &mut game)?);
        }
        self.end_search(choice, tally);
        Ok(tally)
    }

    /// Starts to search the games of `choice`.
    fn search<'b>(&self, base: &'b Base, choice: &'b Choice) -> Result<Search<'b>, Failure> {
        let database = base.database().ok_or_else(|| self.without_numbers())?;
        let filter = choice.drawn.as_ref().unwrap_or(&choice.all);
        let (ranges, reader) = (choice.numbers.iter(), database.reader());
        let prefilter = Prefilter::new(filter);
        Ok(Search { filter, prefilter, reader, ranges, range: 0..0 })
    }

    /// Reports what a search could not decide on, and whether it found a game.
    fn end_search(&mut self, choice: &Choice, tally: Tally) {
        self.report_choice(&choice.all);
        self.done.found_nothing = tally.changed == 0 && tally.already == 0;
    }

    /// Reports games that the filter could not decide on.
    fn report_choice(&self, filter: &Filter) {
        select::report_undecided(filter, self.verbosity);
        select::report_missing(filter, self.count, self.verbosity);
    }

    /// Returns whether a filter selects a game, as in `list`. A damaged game is judged by the part that
    /// could be read, and reported if it is selected.
    fn is_chosen(
        &mut self,
        filter: &Filter,
        reader: &mut dyn GameReader,
        number: u64,
        game: &mut Game,
    ) -> Result<bool, Failure> {
        let mut diagnostics = Diagnostics::lenient();
        let mut read = Ok(());
        if !filter.asks_moves() {
            read = reader.header(number, &mut game.header, &mut diagnostics);
        }
        let asks_game = filter.asks_moves() || read.is_err();
        if asks_game {
            game.clear();
            read = reader.game(number, game, &mut diagnostics);
        }
        // If the filter needs no moves, the search has selected the game by its header.
        let chosen = !asks_game || filter.selects(game);
        filter.answer()?;
        let damage = Failure::or_damage(&self.arguments.file, read)?;
        if let Some(error) = damage.filter(|_| chosen) {
            self.report_damage(number, &error);
            self.done.damage = true;
        }
        Ok(chosen)
    }

    /// Reports the damage of a game once.
    fn report_damage(&mut self, number: u64, error: &AnyError) {
        if self.last_told.replace(number) != Some(number)
            && self.reported.wants(&error.message().to_string())
        {
            say(describe(&self.arguments.file, error));
        }
    }

    /// Returns the numbers given, which must be in the base, or all numbers if none are given. They
    /// rise, and each is in one range only.
    fn numbers(&self, given: &[String]) -> Result<Vec<RangeInclusive<u64>>, Failure> {
        let mut numbers = Vec::new();
        for text in given {
            let read = ranges::games(text);
            for range in read.map_err(|error| Failure::Usage(error.to_string()))? {
                numbers.push(self.clip(&range)?);
            }
        }
        if given.is_empty()
            && let Some(last) = self.count.checked_sub(1)
        {
            numbers.push(0..=last);
        }
        Ok(merged(numbers))
    }

    fn replace(&mut self, game: u64, with: &Path) -> Result<(), Failure> {
        let number = self.number(game)?;
        let mut incoming = Incoming::new(&[with.to_path_buf()], self.verbosity)?;
        let mut new = Game::new();
        let found = incoming.next(&mut new)?;
        if !found || incoming.damaged > 0 {
            let what = if found { "its first game is damaged" } else { "no game" };
            return Err(Failure::Failed(format!("{}: {what}", with.display())));
        }
        let (white, black) = (&new.header.white, &new.header.black);
        self.verbosity.say(format_args!("replace game {game} with {white} - {black}"));
        self.act(|editor, losses| editor.replace(number, &new, losses).map(|_| ()))
    }

    fn append(&mut self, from: &[PathBuf]) -> Result<(), Failure> {
        let verbosity = self.verbosity;
        self.refuse_own(from)?;
        let mut incoming = Incoming::new(from, verbosity)?;
        let added = match self.arguments.dry_run {
            true => self.count_games(&mut incoming)?,
            false => self.append_each(&mut incoming)?,
        };
        let Incoming { reported, read, damaged, damaged_base, .. } = incoming;
        reported.rest().for_each(|line| verbosity.say(line));
        self.done.damage |= damaged > 0 || damaged_base;
        // As in `convert`: if every game is damaged, nothing is left of the base.
        self.done.refusals |= read > 0 && damaged == read;
        let refused = read.saturating_sub(added);
        let lossy = self.losses.games();
        let counts = [(damaged, "damaged"), (refused, "refused"), (lossy, "with losses")];
        let mut words = format!("{}appended {}", self.dry_run_words(), games(added));
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            words.push_str(&format!(", {} {what}", grouped(count)));
        }
        verbosity.say(words);
        Ok(())
    }

    fn refuse_own(&self, from: &[PathBuf]) -> Result<(), Failure> {
        let own = fs::canonicalize(&self.arguments.file).ok();
        let is_own = |path: &&PathBuf| own.is_some() && fs::canonicalize(path).ok() == own;
        match from.iter().find(is_own) {
            Some(path) => {
                let message = format!("{}: is the base itself; it would double", path.display());
                Err(Failure::Usage(message))
            }
            None => Ok(()),
        }
    }

    /// Appends the games that the base lacks, in their order.
    fn append_new(&mut self, from: &[PathBuf]) -> Result<(), Failure> {
        self.refuse_own(from)?;
        let files = inputs::expand(from)?;
        unique::check_twice(&files)?;
        let mut updating = Updating::default();
        updating.only_new = true;
        let each = &mut |_| match interrupt::is_asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let (mut base, none) = (self.base()?, History::default());
        let mut update = Update::plan(&mut base, &files, &updating, &none, each)?;
        drop(base);
        interrupt::check_edit()?;
        let mut added = update.new_games();
        self.done.damage |= update.damaged > 0;
        if let Some(editor) = self.editor.as_deref_mut().filter(|_| !self.arguments.dry_run) {
            let reported = &mut self.reported;
            let applied = update.apply(editor, &mut self.losses, &mut |error| {
                if reported.wants(&error.message().to_string()) {
                    say(format_args!("refused: {}", error.message()));
                }
            })?;
            added = applied.added;
            self.done.refusals |= applied.refused > 0;
        }
        let (words, left_out) = (self.dry_run_words(), games(update.read.saturating_sub(added)));
        let added = games(added);
        self.verbosity.say(format_args!("{words}appended {added}; {left_out} left out"));
        Ok(())
    }

    /// Appends the games that `incoming` returns, and counts them. A game that the format cannot hold
    /// is reported and skipped.
    fn append_each(&mut self, incoming: &mut Incoming) -> Result<u64, Failure> {
        let verbosity = self.verbosity;
        let Some(editor) = &mut self.editor else { return Ok(0) };
        let mut failure = None;
        let done = loop {
            let mut next_or_end = |game: &mut Game| {
                let more = incoming.next(game).unwrap_or_else(|error| {
                    failure = Some(error);
                    false
                });
                if more {
                    verbosity.detail(appended(game));
                }
                Ok(more)
            };
            match editor.append_all(&mut next_or_end, &mut self.losses) {
                Err(error) if error.scope() == Scope::Game => {
                    let (base, place) = (self.arguments.file.display(), incoming.place());
                    let message = format!("refused: {}", error.message());
                    if self.reported.wants(&message) {
                        say(format_args!("{base}: {place}{} {message}", report::at_ply(&error)));
                    }
                    self.done.refusals = true;
                }
                done => break done,
            }
        };
        let added = editor.len().saturating_sub(self.count);
        done.map_err(|error| failed(&self.arguments.file, &error))?;
        failure.map_or(Ok(added), Err)
    }

    /// Reads all games, for the messages that reading prints. Returns their number.
    fn count_games(&mut self, incoming: &mut Incoming) -> Result<u64, Failure> {
        let (mut game, mut count) = (Game::new(), 0u64);
        while incoming.next(&mut game)? {
            self.tell(appended(&game));
            count += 1;
        }
        Ok(count)
    }

    /// Changes the base, unless this is a dry run.
    fn act(
        &mut self,
        act: impl FnOnce(&mut dyn Editor, &mut Losses) -> Result<(), AnyError>,
    ) -> Result<(), Failure> {
        match &mut self.editor {
            Some(editor) if !self.arguments.dry_run => act(&mut **editor, &mut self.losses)
                .map_err(|error| failed(&self.arguments.file, &error)),
            _ => Ok(()),
        }
    }

    /// Returns whether each of many games is reported.
    fn tells(&self) -> bool {
        self.arguments.dry_run || self.verbosity == Verbosity::Verbose
    }

    fn tell(&mut self, what: impl fmt::Display) {
        match self.arguments.dry_run {
            true if self.rehearsed.len() < REHEARSED => self.rehearsed.push(what.to_string()),
            true => {}
            false => self.verbosity.detail(what),
        }
    }

    /// Describes the changes that were made, or would be made in a dry run.
    fn sum_up(&self, done: &str, tally: Tally) {
        let mut words = format!("{done} {}", games(tally.changed));
        if tally.already > 0 {
            words.push_str(&format!("; {} more needed no change", grouped(tally.already)));
        }
        self.verbosity.say(format_args!("{}{words}", self.dry_run_words()));
    }

    fn dry_run_words(&self) -> &'static str {
        if self.arguments.dry_run { "dry run, nothing is written: " } else { "" }
    }

    fn number(&self, game: u64) -> Result<u64, Failure> {
        if game <= self.count { Ok(game.saturating_sub(1)) } else { Err(self.missing(game)) }
    }

    /// Returns the games of a range that begins within the base; its end may be open.
    fn clip(&self, range: &RangeInclusive<u64>) -> Result<RangeInclusive<u64>, Failure> {
        let (first, last) = (*range.start(), *range.end());
        let open = last == u64::MAX;
        if first >= self.count || (last >= self.count && !open) {
            let beyond = if open { first } else { last };
            return Err(self.missing(beyond.saturating_add(1)));
        }
        Ok(first..=last.min(self.count.saturating_sub(1)))
    }

    fn without_numbers(&self) -> Failure {
        let path = self.arguments.file.display();
        Failure::Failed(format!("{path}: its games have no numbers"))
    }

    fn missing(&self, game: u64) -> Failure {
        Failure::Failed(inputs::no_game(&self.arguments.file, game, self.count))
    }
}

/// Names a game that is appended.
fn appended(game: &Game) -> String {
    format!("append {} - {}", game.header.white, game.header.black)
}

fn failed(path: &Path, error: &AnyError) -> Failure {
    Failure::Failed(describe(path, error).to_string())
}
