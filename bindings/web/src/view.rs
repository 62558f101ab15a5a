//! The rows of the table: selected games in some order.

use scoresheet::Database;
use scoresheet::Filter;
use scoresheet::chess_core::{Game, Header};
use scoresheet::chess_store::Diagnostics;
use scoresheet::columns::{Rank, Row, SortKey};
use scoresheet::filter::{Prefilter, QueryError};
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

/// A row: number, players with ratings, result, date, ECO code, event, site, round, deleted flag.
pub(crate) type Cells = (u64, [String; 10], bool);

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
    pub(crate) fn search(&mut self, database: &dyn Database, count: u64) -> Progress {
        let len = database.len();
        let Some(found) = &mut self.found else {
            return Progress { done: true, looked: len, found: len };
        };
        let end = self.next.saturating_add(count).min(len);
        let mut reader = database.reader();
        let mut prefilter = Prefilter::new(&self.filter);
        let chosen = prefilter.select(&mut *reader, self.next..end);
        found.extend(chosen.iter().copied().map(low));
        self.next = end;
        Progress { done: end == len, looked: end, found: found.len() as u64 }
    }

    pub(crate) fn sort(&mut self, database: &dyn Database, by: &str) -> Result<(), QueryError> {
        self.sorted = None;
        if by.is_empty() {
            return Ok(());
        }
        let order = [SortKey::parse(by)?];
        let asks_moves = order.iter().any(|key| key.column.asks_moves());
        let mut reader = database.reader();
        let (mut game, mut notes) = (Game::new(), Diagnostics::lenient());
        let mut ranks: Vec<(Rank, u32)> = Vec::new();
        for number in self.all(database.len()) {
            notes.clear();
            // A damaged game is sorted by the part that can be read.
            if asks_moves {
                let _ = reader.game(number, &mut game, &mut notes);
            } else {
                let _ = reader.header(number, &mut game.header, &mut notes);
            }
            let file = std::path::Path::new("");
            let whole = asks_moves.then_some(&game);
            let row = Row::new(number.saturating_add(1), file, &game.header).with_game(whole);
            ranks.push((Rank::new(&order, &row), low(number)));
        }
        ranks.sort();
        self.sorted = Some(ranks.into_iter().map(|(_, number)| number).collect());
        Ok(())
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

    pub(crate) fn rows(&self, database: &dyn Database, first: u64, count: u64) -> Vec<Cells> {
        let end = first.saturating_add(count).min(self.len(database.len()));
        let mut reader = database.reader();
        let (mut header, mut notes) = (Header::default(), Diagnostics::lenient());
        let cells = (first..end).map(|row| {
            let number = self.number(row);
            notes.clear();
            // A damaged game has the values that could be read.
            let _ = reader.header(number, &mut header, &mut notes);
            let values = TAGS.map(|tag| header.get(tag).unwrap_or_default());
            (number.saturating_add(1), values, header.deleted)
        });
        cells.collect()
    }
}
