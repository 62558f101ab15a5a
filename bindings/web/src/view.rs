//! The rows of the table: selected games in some order.

use scoresheet::Database;
use scoresheet::Filter;
use scoresheet::GameReader;
use scoresheet::chess_core::{Game, Header, Position};
use scoresheet::chess_store::{Diagnostics, Query};
use scoresheet::columns::{self, SortKey};
use scoresheet::filter::{Prefilter, QueryError, Unanswered};
use scoresheet::openings::Tracker;
use serde::Serialize;

/// By default, all games in database order.
#[derive(Default)]
pub(crate) struct View {
    filter: Filter,
    /// The next game to search.
    next: u64,
    /// The games found, numbered from 0; `None` means all games.
    found: Option<Vec<u32>>,
    /// The games found, sorted.
    sorted: Option<Vec<u32>>,
}

/// The progress of a search.
#[derive(Serialize)]
pub(crate) struct Progress {
    done: bool,
    looked: u64,
    found: u64,
}

/// A row: number, players with ratings, result, date, ECO code, event, site, round, name of the
/// opening, deleted flag.
pub(crate) type Cells = (u64, [String; 11], bool);

const TAGS: [&str; 10] =
    ["White", "WhiteElo", "Black", "BlackElo", "Result", "Date", "ECO", "Event", "Site", "Round"];

fn low(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl View {
    pub(crate) fn choose(&mut self, filter: Filter) {
        let found = if filter.is_open() { None } else { Some(Vec::new()) };
        *self = View { filter, next: 0, found, sorted: None };
    }

    /// Selects no game, because the query is invalid.
    pub(crate) fn choose_none(&mut self) {
        *self = View { next: u64::MAX, found: Some(Vec::new()), ..View::default() };
    }

    /// Searches the next `count` games.
    pub(crate) fn search(
        &mut self,
        database: &dyn Database,
        count: u64,
    ) -> Result<Progress, Unanswered> {
        let len = database.len();
        let Some(found) = &mut self.found else {
            return Ok(Progress { done: true, looked: len, found: len });
        };
        let end = self.next.saturating_add(count).min(len);
        let mut reader = database.reader();
        let mut prefilter = Prefilter::new(&self.filter);
        let chosen = prefilter.select(&mut *reader, self.next..end)?;
        found.extend(chosen.iter().copied().map(low));
        self.next = end;
        Ok(Progress { done: end == len, looked: end, found: found.len() as u64 })
    }

    /// Takes the games that the base's server found with the filter: the distance of each number from the one
    /// before.
    pub(crate) fn take(&mut self, len: u64, steps: &[u32]) {
        let number = |last: &mut u32, step: &u32| {
            *last = last.saturating_add(*step);
            Some(*last)
        };
        self.found = Some(steps.iter().scan(0, number).collect());
        self.next = len;
    }

    pub(crate) fn sort(&mut self, database: &dyn Database, by: &str) -> Result<(), QueryError> {
        self.sorted = None;
        if by.is_empty() {
            return Ok(());
        }
        let by = SortKey::parse(by)?;
        let games = self.all(database.len());
        let sorted = columns::sorted(&mut *database.reader(), &games, &by);
        self.sorted = Some(sorted.into_iter().map(low).collect());
        Ok(())
    }

    /// Returns the games found, in database order; `None` means all games.
    pub(crate) fn found(&self) -> Option<&[u32]> {
        self.found.as_deref()
    }

    pub(crate) fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Returns the number of rows.
    fn len(&self, games: u64) -> u64 {
        let list = self.sorted.as_ref().or(self.found.as_ref());
        list.map_or(games, |list| list.len() as u64)
    }

    /// Returns the game of a row.
    fn number(&self, row: u64) -> u64 {
        let list = self.sorted.as_ref().or(self.found.as_ref());
        let Some(list) = list else { return row };
        let place = usize::try_from(row).unwrap_or(usize::MAX);
        list.get(place).map_or(u64::MAX, |number| u64::from(*number))
    }

    /// Returns the games of all rows.
    pub(crate) fn all(&self, games: u64) -> Vec<u64> {
        (0..self.len(games)).map(|row| self.number(row)).collect()
    }

    /// Returns the row of a game.
    pub(crate) fn place(&self, number: u64) -> Option<u32> {
        let number = u32::try_from(number).ok()?;
        match (&self.sorted, &self.found) {
            (Some(list), _) => list.iter().position(|one| *one == number).map(|at| low(at as u64)),
            (None, Some(list)) => list.binary_search(&number).ok().map(|at| low(at as u64)),
            (None, None) => Some(number),
        }
    }

    /// Returns rows. `with_openings` says whether the moves are read for the names of openings.
    pub(crate) fn rows(
        &self,
        database: &dyn Database,
        (first, count): (u64, u64),
        with_openings: bool,
    ) -> Vec<Cells> {
        let end = first.saturating_add(count).min(self.len(database.len()));
        let mut reader = database.reader();
        let (mut header, mut notes) = (Header::default(), Diagnostics::lenient());
        let mut scratch = Game::new();
        let cells = (first..end).map(|row| {
            let number = self.number(row);
            notes.clear();
            // A damaged game has the values that could be read.
            let _ = reader.header(number, &mut header, &mut notes);
            let [a, b, c, d, e, f, g, h, i, j] =
                TAGS.map(|tag| header.get(tag).unwrap_or_default());
            let opening = if with_openings {
                opening(&mut *reader, number, &mut scratch)
            } else {
                String::new()
            };
            let values = [a, b, c, d, e, f, g, h, i, j, opening];
            (number.saturating_add(1), values, header.deleted)
        });
        cells.collect()
    }
}

/// The number of positions in which the name of an opening is looked for. The longest line of the
/// table has 36.
const OPENING_PLIES: u32 = 300;

/// Returns the name of the opening that was played, or an empty text.
fn opening(reader: &mut dyn GameReader, number: u64, scratch: &mut Game) -> String {
    let (mut tracker, mut left) = (Tracker::default(), OPENING_PLIES);
    let visit = &mut |_: &Header, position: &Position, _| {
        left = left.saturating_sub(1);
        tracker.visit(position) && left > 0
    };
    // A damaged game has the opening of the part that can be read.
    let _ = reader.visit_main_line(number, &Query::default(), scratch, visit);
    tracker.opening().map(|opening| opening.name().to_owned()).unwrap_or_default()
}
