//! Reads the games that a filter selects, one after another.

use std::ops::Range;
use std::sync::Arc;

use scoresheet::chess_core::{Game, Header};
use scoresheet::chess_store::Diagnostics;
use scoresheet::filter::{NamedError, Prefilter};
use scoresheet::spelling::Spelling;
use scoresheet::{Filter, GameReader, describe_warning};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::failure::Damage;
use crate::open::Games;
use crate::{Answer, Session, answer, failed};

/// Parses a filter: the names and values of the program's options, `[[name, value], ...]` as JSON. The
/// module opens no paths, so the value of `spelling` is the text of the file.
pub(crate) fn filter(named: &str) -> Result<Filter, JsError> {
    let named: Vec<(String, String)> =
        serde_json::from_str(named).map_err(|error| failed(&error))?;
    let (spellings, named): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|(name, _)| name == "spelling");
    let filter = Filter::named(named.iter().map(|(name, value)| (&**name, &**value)))
        .map_err(|error| failed(&error))?;
    match spellings.as_slice() {
        [] => Ok(filter),
        [(_, text)] => {
            let read = Spelling::read(text.as_bytes());
            let spelling = read.map_err(|error| failed(&format!("spelling: {error}")))?;
            Ok(filter.spelt(&Arc::new(spelling)))
        }
        _ => Err(failed(&NamedError::SeveralSpellings)),
    }
}

/// Returns the games in `range` that `filter` selects.
pub(crate) fn select(
    filter: &Filter,
    reader: &mut dyn GameReader,
    range: Range<u64>,
) -> Result<Vec<u64>, JsError> {
    if filter.is_open() {
        return Ok(range.collect());
    }
    let mut prefilter = Prefilter::new(filter);
    let selected = prefilter.select(reader, range).map_err(|error| failed(&error))?;
    Ok(selected.to_vec())
}

/// A pass over the games of a session's database.
#[wasm_bindgen]
pub struct Walk {
    filter: Filter,
    next: u64,
    /// Selected games that were not returned yet.
    waiting: Vec<u64>,
}

/// Games of a pass, and how far it is.
#[derive(Serialize)]
struct Step {
    done: bool,
    /// Games that the filter has examined.
    looked: u64,
    games: Vec<One>,
}

#[derive(Serialize)]
struct One {
    number: u64,
    #[serde(flatten)]
    content: Content,
    damage: Option<Damage>,
    warnings: Vec<String>,
}

/// The parts of a game that a pass returns.
#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Number {},
    Header { tags: Vec<(String, String)>, deleted: bool },
    Game { game: Game, deleted: bool },
    WithPgn { game: Game, pgn: String, deleted: bool },
}

/// The most games of a step that only counts.
const COUNTED: usize = 1 << 16;

#[wasm_bindgen]
impl Walk {
    /// Starts before the first game. `filter` is `[[name, value], ...]` as JSON.
    ///
    /// # Errors
    /// An invalid filter.
    #[wasm_bindgen(constructor)]
    pub fn new(named: &str) -> Result<Walk, JsError> {
        Ok(Walk { filter: filter(named)?, next: 0, waiting: Vec::new() })
    }

    /// Examines up to `count` games and returns those that the filter selects: `{done, looked, games:
    /// [{number, ...}]}`. `what` is `numbers`, `headers`, `games` or `pgn`.
    ///
    /// # Errors
    /// `what` is none of these.
    pub fn step(&mut self, session: &Session, count: u32, what: &str) -> Answer {
        let games = &session.games;
        let Some(database) = games.database() else {
            return answer(&Step { done: true, looked: 0, games: Vec::new() });
        };
        let mut reader = database.reader();
        let len = database.len();
        if self.waiting.is_empty() {
            // A filter examines large ranges faster than small ones.
            let size = if self.filter.is_open() { u64::from(count) } else { COUNTED as u64 };
            let end = self.next.saturating_add(size).min(len);
            self.waiting = select(&self.filter, &mut *reader, self.next..end)?;
            self.next = end;
        }
        let taken = self.waiting.len().min(count.max(1) as usize);
        let numbers: Vec<u64> = self.waiting.drain(..taken).collect();
        let read = numbers.iter().map(|number| read(games, &mut *reader, *number, what));
        let read = read.collect::<Result<Vec<One>, JsError>>()?;
        let done = self.next == len && self.waiting.is_empty();
        answer(&Step { done, looked: self.next, games: read })
    }

    /// Examines up to `count` games and returns `{done, looked, found}`, where `found` is the number of
    /// games among these that the filter selects.
    ///
    /// # Errors
    /// No known errors.
    pub fn count(&mut self, session: &Session, count: u32) -> Answer {
        let (mut found, mut len) = (0, 0);
        if let Some(database) = session.games.database() {
            len = database.len();
            let end = self.next.saturating_add(count.into()).min(len);
            found = select(&self.filter, &mut *database.reader(), self.next..end)?.len();
            self.next = end;
        }
        answer(&serde_json::json!({"done": self.next == len, "looked": self.next, "found": found}))
    }
}

#[wasm_bindgen]
impl Session {
    /// Returns one game in the form of [`Walk::step`]; `number` counts from 1.
    ///
    /// # Errors
    /// There is no such game.
    pub fn one(&self, number: u32, what: &str) -> Answer {
        let none = || JsError::new("there is no such game");
        let database = self.games.database().ok_or_else(none)?;
        let number = u64::from(number).checked_sub(1).filter(|number| *number < database.len());
        answer(&read(&self.games, &mut *database.reader(), number.ok_or_else(none)?, what)?)
    }
}

fn read(
    games: &Games,
    reader: &mut dyn GameReader,
    number: u64,
    what: &str,
) -> Result<One, JsError> {
    let (mut game, mut notes) = (Game::new(), Diagnostics::lenient());
    let mut damage = None;
    let content = match what {
        "numbers" => Content::Number {},
        "headers" => {
            let mut header = Header::default();
            let read = reader.header(number, &mut header, &mut notes);
            damage = read.err().map(|error| Damage::new(games.path(), &error));
            let mut tags = Vec::new();
            header.for_each_tag(|name, value| tags.push((name.to_owned(), value.to_string())));
            Content::Header { tags, deleted: header.deleted }
        }
        "games" | "pgn" => {
            let read = reader.game(number, &mut game, &mut notes);
            damage = read.err().map(|error| Damage::new(games.path(), &error));
            let deleted = game.header.deleted;
            match what {
                "games" => Content::Game { game, deleted },
                _ => Content::WithPgn { pgn: scoresheet::pgn::to_string(&game), game, deleted },
            }
        }
        _ => return Err(JsError::new("numbers, headers, games or pgn")),
    };
    let is_last = games.database().is_some_and(|base| number.saturating_add(1) == base.len());
    if damage.is_none()
        && is_last
        && let Some(why) = games.broken()
    {
        let message = format!("the file breaks off in this game or after it: {why}");
        damage = Some(Damage { message, place: None });
    }
    let warnings = notes.warnings().iter();
    let warnings = warnings.map(|warning| describe_warning(games.path(), warning).to_string());
    Ok(One { number: number.saturating_add(1), content, damage, warnings: warnings.collect() })
}
