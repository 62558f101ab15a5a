//! `scoresheet list`

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use commands::List;
use pages::clean::clean;
use pages::numbers::grouped;
use scoresheet::chess_core::{Game, Header};
use scoresheet::chess_store::{AnyError, Diagnostics, Warning};
use scoresheet::columns::{Column, Rank, Row, SortKey};
use scoresheet::filter::{Matcher, SortValue};
use scoresheet::{Base, Database, Filter, GameReader, Scanner, describe, describe_warning};
use scoresheet::{Selected, Selector};
use serde_json::{Map, Value, json};

use crate::exit::{Done, Failure, Verbosity};
use crate::inputs;
use crate::interrupt;
use crate::json;
use crate::output::Paged;
use crate::report::Reported;
use crate::rows::{self, Rows};
use crate::sample::Filters;
use crate::select;

/// Lists games. If `seeks_damage` is true, the moves of all games are checked, whatever the size of
/// the base.
pub(crate) fn run(
    arguments: &List,
    verbosity: Verbosity,
    seeks_damage: bool,
) -> Result<Done, Failure> {
    let files = inputs::expand(&arguments.files)?;
    let filter = arguments.selection.filter()?;
    let options = arguments.reading.options();
    let several = files.len() > 1;
    let table = rows::of(arguments, several, Column::of_queries(&filter));
    let mut sort = arguments.order.sort.clone();
    if sort.is_empty() && !arguments.count {
        sort = SortKey::of_queries(&filter);
    }
    let has_counters = filter.cql_tests().any(|test| test.query().has_counters());
    let shows_matches = table.columns().iter().any(Column::asks_matches);
    if shows_matches && !filter.asks_positions() {
        let message = "the column match needs --position, --pattern, --material or --cql";
        return Err(Failure::Usage(message.to_owned()));
    }
    let matcher = (shows_matches
        || has_counters
        || arguments.json && arguments.columns.is_empty() && !filter.queries.is_empty())
    .then(|| Matcher::new(&filter));
    let filters = Filters::sampled(filter, arguments.order.sampling, &files, None, &options)?;
    let mut listing = Listing {
        out: match (arguments.json, arguments.csv) {
            (_, true) => Paged::data(),
            (true, _) => Paged::text(),
            _ => Paged::table(),
        },
        verbosity,
        reported: Reported::new(verbosity),
        shows_moves: table.columns().iter().any(Column::asks_moves)
            || sort.iter().any(|key| key.column.asks_moves()),
        counts: arguments.count,
        seeks_damage,
        here: Seen::default(),
        table,
        matcher,
        sort: &sort,
        line: Vec::new(),
        sorted: Vec::new(),
        headed: false,
        limit: arguments
            .order
            .limit
            .map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)),
        totals: Totals { all: Some(0), complete: true, ..Totals::default() },
        done: Done::WELL,
    };
    let mut done = Ok(());
    let mut unread = 0usize;
    for (number, file) in files.iter().enumerate() {
        let opened = inputs::open_to_search(file, &options, &arguments.finding, verbosity);
        let opened = inputs::refuse_folder(file, opened);
        done = match opened {
            Ok(mut base) => {
                inputs::report_odd(&base, verbosity);
                listing.list(&mut base, filters.of_input(number))
            }
            Err(Failure::Failed(message)) if several => {
                listing.out.say(format!("scoresheet: {message}"));
                listing.done.refusals = true;
                unread += 1;
                Ok(())
            }
            Err(failure) => Err(failure),
        };
        if done.is_err() || !listing.totals.complete {
            break;
        }
    }
    if unread == files.len() {
        done = Err(Failure::Failed("none of the files can be read".to_owned()));
    }
    listing.write_rest()?;
    if done.is_ok() && listing.counts {
        writeln!(listing.out, "{}", listing.totals.listed)?;
    } else if done.is_ok() && listing.table.is_for_programs() {
        listing.head()?;
    }
    if has_counters && done.is_ok() {
        listing.write_counters(arguments)?;
    }
    // The pager comes first: messages follow the rows that it shows.
    let (out, reported) = (listing.out, listing.reported);
    out.finish()?;
    reported.rest().for_each(|line| verbosity.say(line));
    done?;
    verbosity.say(listing.totals.summary(filters.are_open()));
    if let Some(all) = listing.totals.all {
        select::report_undecided(filters.all(), verbosity);
        select::report_missing(filters.all(), all, verbosity);
    }
    listing.done.found_nothing = listing.totals.found == 0 && listing.totals.complete;
    let is_whole = listing.totals.complete && arguments.order.sampling.sample.is_none();
    if listing.done.found_nothing || is_whole {
        let (found, bases) = (listing.totals.found, (&*files, &arguments.reading));
        select::report_names(&arguments.selection, None, bases, found, verbosity);
    }
    Ok(listing.done)
}

/// The size of a base, in games, above which moves are read only if the command line needs them.
/// Damage in the moves is then not reported.
const MOVES_READ: u64 = 10_000;

/// The reader and the buffers of the calling thread.
struct Scratch<'a> {
    reader: Box<dyn GameReader + Send + 'a>,
    header: Header,
    game: Game,
    diagnostics: Diagnostics,
}

impl<'a> Scratch<'a> {
    fn new(reader: Box<dyn GameReader + Send + 'a>) -> Scratch<'a> {
        let diagnostics = Diagnostics::lenient();
        Scratch { reader, header: Header::default(), game: Game::new(), diagnostics }
    }
}

/// The rows of a listing while they are written.
struct Listing<'a> {
    table: Box<dyn Rows>,
    /// Finds what the rows show of the matches, and counts.
    matcher: Option<Matcher>,
    out: Paged,
    verbosity: Verbosity,
    reported: Reported,
    shows_moves: bool,
    /// Whether only the number of games is printed.
    counts: bool,
    /// Whether the moves of all selected games are read.
    seeks_damage: bool,
    /// State of the current base.
    here: Seen,
    sort: &'a [SortKey],
    line: Vec<u8>,
    /// Rows that wait for their turn.
    sorted: Vec<(Rank, u64, Vec<u8>)>,
    headed: bool,
    limit: usize,
    totals: Totals,
    done: Done,
}

/// Counts of games.
#[derive(Clone, Copy, Default)]
struct Totals {
    /// Games that were selected, and shown or counted.
    listed: u64,
    /// Games that were selected.
    found: u64,
    /// Games that were shown and are marked as deleted.
    deleted: u64,
    /// Games in the bases, selected or not. `None` if the number is unknown.
    all: Option<u64>,
    /// Whether all games were searched.
    complete: bool,
}

/// Numbers of selected and of damaged games of a base.
#[derive(Clone, Copy, Default)]
struct Seen {
    chosen: u64,
    damaged: u64,
}

impl Totals {
    fn summary(self, is_open: bool) -> String {
        let games = |count: u64| if count == 1 { "game" } else { "games" };
        let (listed, found) = (self.listed, self.found);
        let (some, total) = (grouped(listed), grouped(found));
        let mut words = match self.all {
            _ if !self.complete && listed == 0 => "no game was looked at".to_owned(),
            _ if !self.complete => {
                format!("first {some} {} found; the rest was not looked at", games(listed))
            }
            _ if listed < found && is_open => format!("first {some} of {total} {}", games(found)),
            _ if listed < found => format!("first {some} of {total} {} found", games(found)),
            Some(all) => format!("{some} of {} {}", grouped(all), games(all)),
            None => format!("{some} {} found", games(listed)),
        };
        if self.deleted > 0 {
            words.push_str(&format!(", {} marked as deleted (×)", grouped(self.deleted)));
        }
        words
    }
}

/// Returns whether each game that the index does not rule out is read. The index of a large base may tell
/// the length of a game.
fn reads_games(filter: &Filter, len: u64) -> bool {
    if len > MOVES_READ { filter.asks_whole_game() } else { filter.asks_more_than_positions() }
}

impl Listing<'_> {
    /// Returns whether no more rows are wanted.
    fn is_full(&self) -> bool {
        self.sort.is_empty() && self.totals.listed >= self.limit as u64
    }

    fn list(&mut self, base: &mut Base, filter: &Filter) -> Result<(), Failure> {
        let path = base.path().to_path_buf();
        let len = base.len();
        self.here = Seen::default();
        self.done.damage |= base.is_damaged();
        let narrowed = base.narrowed(filter);
        let filter = narrowed.as_ref().unwrap_or(filter);
        let seen = match base.database() {
            Some(database) if !self.shows_moves && !reads_games(filter, database.len()) => {
                self.list_headers(database, &path, filter)?
            }
            _ if self.is_full() => {
                self.totals.complete = false;
                0
            }
            _ => {
                let seen = self.list_games(base, &path, filter)?;
                if self.totals.complete {
                    inputs::holds_games(base, seen);
                    inputs::accept_read(base, false, self.verbosity)?;
                }
                seen
            }
        };
        // A text is read up to the last game asked for.
        let is_whole = self.totals.complete && seen < filter.end_number();
        let all = len.or(Some(seen).filter(|_| is_whole));
        self.totals.all = self.totals.all.zip(all).map(|(all, more)| all.saturating_add(more));
        let Seen { chosen, damaged } = self.here;
        self.done.refusals |= filter.is_open() && chosen > 0 && damaged >= chosen;
        Ok(())
    }

    /// Lists games without reading more of the moves than a search must.
    fn list_headers(
        &mut self,
        database: &dyn Database,
        path: &Path,
        filter: &Filter,
    ) -> Result<u64, Failure> {
        let mut scratch = Scratch::new(database.reader());
        let len = database.len();
        let reads_moves = self.seeks_damage || len <= MOVES_READ;
        let listed = Selector::new(filter).run(database, |selected| {
            match self.list_selected(path, &selected, reads_moves, &mut scratch) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => ControlFlow::Break(failure),
            }
        });
        match listed? {
            ControlFlow::Continue(()) => Ok(len),
            ControlFlow::Break(failure) => Err(failure),
        }
    }

    /// Lists the selected games of a range.
    fn list_selected(
        &mut self,
        path: &Path,
        selected: &Selected<'_>,
        reads_moves: bool,
        Scratch { reader, header, game, diagnostics }: &mut Scratch<'_>,
    ) -> Result<(), Failure> {
        let is_chosen = |number: &&u64| selected.numbers.binary_search(number).is_ok();
        let tells = !reads_moves && !self.is_full();
        for number in selected.damaged.iter().filter(is_chosen).filter(|_| tells) {
            diagnostics.clear();
            let read = reader.game(*number, game, diagnostics);
            let damage = Failure::or_damage(path, read)?;
            self.tell(path, damage.as_ref(), diagnostics.warnings());
        }
        if interrupt::is_asked() {
            return Err(Failure::Stopped);
        }
        self.totals.found += selected.numbers.len() as u64;
        for number in selected.numbers {
            if interrupt::is_asked() {
                return Err(Failure::Stopped);
            }
            // The remaining games are only counted.
            if !self.counts && self.is_full() {
                break;
            }
            self.here.chosen += 1;
            diagnostics.clear();
            let mut damage = None;
            if reads_moves {
                let read = reader.game(*number, game, diagnostics);
                damage = Failure::or_damage(path, read)?;
                self.report_chosen(path, damage.as_ref(), diagnostics.warnings());
            }
            if self.counts {
                self.totals.listed += 1;
                continue;
            }
            diagnostics.clear();
            let read = reader.header(*number, header, diagnostics);
            let of_header = Failure::or_damage(path, read)?;
            if !reads_moves || damage.is_none() && of_header.is_some() {
                self.report_chosen(path, of_header.as_ref(), diagnostics.warnings());
            }
            self.row(&Row::new(number + 1, path, header))?;
        }
        Ok(())
    }

    /// Lists games on all cores.
    fn list_games(
        &mut self,
        base: &mut Base,
        path: &Path,
        filter: &Filter,
    ) -> Result<u64, Failure> {
        Scanner::new().filter(filter.clone()).run(base, |scanned| {
            if interrupt::is_asked() {
                return Err(Failure::Stopped);
            }
            self.here.chosen += 1;
            self.report_chosen(path, scanned.damage, scanned.warnings);
            let number = scanned.number + 1;
            self.totals.found += 1;
            let game = scanned.game;
            self.row(&Row::new(number, path, &game.header).with_game(Some(game)))?;
            self.totals.complete = !self.is_full();
            Ok(match self.totals.complete {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
        })
    }

    /// Writes the names of the columns before the first row.
    fn head(&mut self) -> Result<(), Failure> {
        if !std::mem::replace(&mut self.headed, true) {
            self.table.head(&mut self.out)?;
        }
        Ok(())
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), Failure> {
        let mut matcher = self.matcher.take();
        let found = match (&mut matcher, row.game) {
            (Some(matcher), Some(game)) => Some(matcher.find(game)?),
            _ => None,
        };
        let added = self.add(&row.with_matches(found));
        self.matcher = matcher;
        added
    }

    fn add(&mut self, row: &Row<'_>) -> Result<(), Failure> {
        if self.counts {
            self.count(row.header.deleted);
            return Ok(());
        }
        if self.sort.is_empty() {
            self.head()?;
            self.count(row.header.deleted);
            self.line.clear();
            self.table.row(&mut self.line, row)?;
            return Ok(self.table.put(&mut self.out, &self.line)?);
        }
        let mut line = vec![u8::from(row.header.deleted)];
        self.table.row(&mut line, row)?;
        self.sorted.push((Rank::new(self.sort, row), self.sorted.len() as u64, line));
        // Drop a row that cannot be among the first rows.
        if self.sorted.len() >= self.limit.saturating_mul(2).saturating_add(1024) {
            self.sort_rows();
        }
        Ok(())
    }

    fn sort_rows(&mut self) {
        self.sorted.sort_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
        self.sorted.truncate(self.limit);
        for (place, row) in (0..).zip(&mut self.sorted) {
            row.1 = place;
        }
    }

    /// Writes the rows that wait for others.
    fn write_rest(&mut self) -> Result<(), Failure> {
        self.sort_rows();
        for (_, _, line) in std::mem::take(&mut self.sorted) {
            if let Some((deleted, line)) = line.split_first() {
                self.head()?;
                self.count(*deleted != 0);
                self.table.put(&mut self.out, line)?;
            }
        }
        self.table.finish(&mut self.out)?;
        Ok(())
    }

    /// Writes the persistent variables of the queries, over the games that are listed.
    fn write_counters(&mut self, arguments: &List) -> Result<(), Failure> {
        let counters = || self.matcher.iter().flat_map(Matcher::counters);
        if arguments.json {
            let value = |value: SortValue| match value {
                SortValue::Number(number) => number.into(),
                value => value.to_string().into(),
            };
            let counters: Map<String, Value> =
                counters().map(|(name, it)| (name.to_owned(), value(it))).collect();
            return Ok(json::line(&mut self.out, &json!({ "counters": counters }))?);
        }
        for (name, value) in counters() {
            let line = format!("{name}: {value}");
            match arguments.csv {
                true => self.verbosity.say(line),
                false => writeln!(self.out, "{}", clean(&line))?,
            }
        }
        Ok(())
    }

    fn count(&mut self, deleted: bool) {
        self.totals.listed += 1;
        self.totals.deleted += u64::from(deleted);
    }

    /// Like [`tell`](Listing::tell), for a game that is selected already.
    fn report_chosen(&mut self, path: &Path, damage: Option<&AnyError>, warnings: &[Warning]) {
        self.here.damaged += u64::from(damage.is_some());
        self.tell(path, damage, warnings);
    }

    fn tell(&mut self, path: &Path, damage: Option<&AnyError>, warnings: &[Warning]) {
        if let Some(error) = damage {
            self.done.damage = true;
            if self.reported.wants(&error.message().to_string()) {
                self.out.say(describe(path, error).to_string());
            }
        }
        if self.verbosity == Verbosity::Verbose {
            for warning in warnings {
                self.out.say(describe_warning(path, warning).to_string());
            }
        }
    }
}
