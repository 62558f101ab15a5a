//! Sorts the games of a base by a column, from its index as far as possible.
//!
//! A name of the base is compared once, however many games have it: the distinct names are sorted, and
//! each game then has the place of its name among them. Other values of the index are compared as
//! numbers.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::Path;

use chess_core::{Date, Eco, Elo, Game, GameResult};
use chess_store::erased::GameReader;
use chess_store::{Diagnostics, IndexSummary, NameField};

use crate::columns::{Column, Key, Row, SortKey};

/// Sorts `games`, which are numbers of games of one base, by a column. Games with equal values stay
/// in the order in which they are given. A damaged game is sorted by the part that can be read.
#[must_use]
pub fn sorted(reader: &mut dyn GameReader, games: &[u64], by: &SortKey) -> Vec<u64> {
    let mut keys = Keys::new(&by.column);
    let places: Vec<u32> = games.iter().map(|game| keys.place(reader, *game)).collect();
    let ranks = keys.ranks(by.descending);
    let rank = |place: &u32| ranks.get(*place as usize).copied().unwrap_or(u32::MAX);
    let mut order: Vec<(u32, u64)> = places.iter().map(rank).zip(games.iter().copied()).collect();
    order.sort_by_key(|(rank, _)| *rank);
    order.into_iter().map(|(_, game)| game).collect()
}

/// The distinct values of a column.
struct Keys<'a> {
    column: &'a Column,
    keys: Vec<Key>,
    /// Places in `keys`, by the value in the index.
    known: HashMap<Value, u32>,
    game: Game,
    name: String,
}

/// A value of the index that decides the sort key.
#[derive(PartialEq, Eq, Hash)]
enum Value {
    Name(u32),
    Elo(Option<Elo>),
    Elos([Option<Elo>; 2]),
    Result(GameResult),
    Date(Date),
    Eco(Eco),
}

/// Where the values of a column are in an index.
enum Source {
    Name(NameField),
    /// `None` if the header must be read.
    Typed(fn(&IndexSummary) -> Option<Value>),
    /// Not in the index.
    Game,
}

fn source(column: &Column) -> Source {
    let name = match column {
        Column::Tag(name) => &**name,
        Column::Elo => return Source::Typed(|s| Some(Value::Elos([s.white_elo, s.black_elo]))),
        Column::Year | Column::Month => "Date",
        _ => return Source::Game,
    };
    match name {
        "White" => Source::Name(NameField::White),
        "Black" => Source::Name(NameField::Black),
        "Event" => Source::Name(NameField::Event),
        "Site" => Source::Name(NameField::Site),
        "Round" => Source::Name(NameField::Round),
        "WhiteElo" => Source::Typed(|summary| Some(Value::Elo(summary.white_elo))),
        "BlackElo" => Source::Typed(|summary| Some(Value::Elo(summary.black_elo))),
        "Result" => Source::Typed(|summary| Some(Value::Result(summary.result))),
        "Date" => Source::Typed(|summary| Some(Value::Date(summary.date))),
        // Without a code, the header may have a text that is none.
        "ECO" => Source::Typed(|summary| summary.eco.map(Value::Eco)),
        _ => Source::Game,
    }
}

impl<'a> Keys<'a> {
    fn new(column: &'a Column) -> Keys<'a> {
        Keys {
            column,
            keys: Vec::new(),
            known: HashMap::new(),
            game: Game::new(),
            name: String::new(),
        }
    }

    /// Returns the place of the key of a game in `keys`.
    fn place(&mut self, reader: &mut dyn GameReader, game: u64) -> u32 {
        let source = source(self.column);
        let summary = match source {
            Source::Game => None,
            _ => reader.summarize(game),
        };
        let value = match (&source, &summary) {
            (Source::Name(field), Some(summary)) => Some(Value::Name(summary.name(*field))),
            (Source::Typed(value), Some(summary)) => value(summary),
            _ => None,
        };
        if let Some(place) = value.as_ref().and_then(|value| self.known.get(value)) {
            return *place;
        }
        let header = &mut self.game.header;
        match (&source, &summary, &value) {
            (Source::Name(field), Some(summary), _) => {
                header.clear();
                reader.name(*field, summary.name(*field), &mut self.name);
                header.set(self.column.name(), &self.name);
            }
            (Source::Typed(_), Some(summary), Some(_)) => {
                header.clear();
                summary.fill(header);
            }
            _ if self.column.asks_moves() => {
                let _ = reader.game(game, &mut self.game, &mut Diagnostics::lenient());
            }
            _ => {
                let _ = reader.header(game, header, &mut Diagnostics::lenient());
            }
        }
        let whole = Some(&self.game).filter(|_| self.column.asks_moves());
        let row = Row::new(game.saturating_add(1), Path::new(""), &self.game.header);
        let place = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        self.keys.push(self.column.key(&row.with_game(whole)));
        if let Some(value) = value {
            self.known.insert(value, place);
        }
        place
    }

    /// Returns the rank of each key. Equal keys have equal ranks.
    fn ranks(&self, descending: bool) -> Vec<u32> {
        let mut order: Vec<u32> = (0..).take(self.keys.len()).collect();
        let key = |place: u32| self.keys.get(place as usize).unwrap_or(&Key::Missing);
        let compare = |one: u32, other: u32| key(one).compare(key(other), descending);
        order.sort_by(|one, other| compare(*one, *other));
        let mut ranks = vec![0; order.len()];
        let (mut rank, mut before) = (0u32, None);
        for place in order {
            let is_new = before.is_some_and(|before| compare(before, place) != Ordering::Equal);
            rank = rank.saturating_add(u32::from(is_new));
            if let Some(own) = ranks.get_mut(place as usize) {
                *own = rank;
            }
            before = Some(place);
        }
        ranks
    }
}
