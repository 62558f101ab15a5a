//! The library for a browser's worker: files by the numbers that host.js gives them, answers as JSON.
//!
//! Nothing here takes long at once. What looks at all games (finding them in a text, a search, a
//! check, an export) is begun, and then goes on by steps of so many games for as long as its caller
//! wants.

mod export;
mod files;
mod game;
mod host;
mod open;
mod report;
mod view;

mod query;

use scoresheet::chess_core::Position;
use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::export::Export;
use crate::files::Files;
use crate::open::Games;
use crate::query::Query;
use crate::report::Check;
use crate::view::View;

/// One base, the games chosen of it, and what is under way.
#[wasm_bindgen]
#[derive(Default)]
pub struct Session {
    files: Files,
    games: Games,
    view: View,
    check: Option<Check>,
    export: Option<Export>,
}

type Answer = Result<String, JsError>;

fn answer(value: &impl Serialize) -> Answer {
    serde_json::to_string(value).map_err(|error| failed(&error))
}

fn failed(error: &dyn std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

#[wasm_bindgen]
impl Session {
    /// Without files.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Session {
        Session::default()
    }

    /// Adds a file under its name, with the folders it was in.
    pub fn add(&mut self, name: String, file: u32) {
        self.files.add(name, file);
    }

    /// Bases among the files, `{bases: [{name, format, title, files}], others: [{name, why}]}`.
    ///
    /// # Errors
    /// None that is known of.
    pub fn bases(&mut self) -> Answer {
        answer(&self.files.sort())
    }

    /// Opens the base of this name. Until [`grow`](Session::grow) has answered `false`, a text has
    /// not all of its games.
    ///
    /// # Errors
    /// Those of the format.
    pub fn open(
        &mut self,
        name: &str,
        encoding: Option<String>,
        password: Option<String>,
    ) -> Answer {
        self.games = Games::None;
        self.view = View::default();
        self.check = None;
        self.export = None;
        self.games = Games::open(&self.files.inputs(name), encoding, password)?;
        self.about()
    }

    /// Looks for more games; `false` when there are no more to come.
    ///
    /// # Errors
    /// Those of the format; the games before stay.
    pub fn grow(&mut self) -> Result<bool, JsError> {
        self.games.grow()
    }

    /// What is known of the base.
    ///
    /// # Errors
    /// None that is known of.
    pub fn about(&self) -> Answer {
        answer(&self.games.about())
    }

    /// Chooses games anew. The games are found by [`search`](Session::search). A field that cannot be
    /// read is the answer, `{field, why}`, and no game is chosen.
    ///
    /// # Errors
    /// If it is no query.
    pub fn query(&mut self, query: &str) -> Answer {
        let query: Query = serde_json::from_str(query).map_err(|error| failed(&error))?;
        match query.filter() {
            Ok(filter) => {
                self.view.choose(filter);
                answer(&json!(null))
            }
            Err(wrong) => {
                self.view.choose_none();
                answer(&wrong)
            }
        }
    }

    /// Looks at so many more games: `{done, looked, found}`.
    ///
    /// # Errors
    /// None that is known of.
    pub fn search(&mut self, count: u32) -> Answer {
        let database = self.games.database();
        let progress = database.map(|database| self.view.search(database, count.into()));
        answer(&progress)
    }

    /// Sorts what was found by a column, `-` before it for the greatest first; an empty text puts it
    /// in the order of the base.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn sort(&mut self, by: &str) -> Result<(), JsError> {
        let Some(database) = self.games.database() else { return Ok(()) };
        self.view.sort(database, by).map_err(|error| failed(&error))
    }

    /// Rows of the table, each `[number, White, WhiteElo, Black, BlackElo, Result, Date, ECO,
    /// Event, Site, Round, deleted]`.
    ///
    /// # Errors
    /// None that is known of.
    pub fn rows(&self, first: u32, count: u32) -> Answer {
        match self.games.database() {
            Some(database) => answer(&self.view.rows(database, first.into(), count.into())),
            None => answer(&json!([])),
        }
    }

    /// The place of a game, numbered from 1, among the rows.
    #[must_use]
    pub fn place(&self, number: u32) -> Option<u32> {
        self.view.place(u64::from(number.saturating_sub(1)))
    }

    /// A game, numbered from 1, for the board.
    ///
    /// # Errors
    /// If there is none.
    pub fn game(&self, number: u32) -> Answer {
        answer(&game::read(&self.games, number)?)
    }

    /// A game's text.
    ///
    /// # Errors
    /// If there is none.
    pub fn pgn(&self, number: u32) -> Answer {
        game::pgn(&self.games, number)
    }

    /// The bytes of a game by field.
    ///
    /// # Errors
    /// If there is none.
    pub fn dump(&self, number: u32) -> Answer {
        answer(&game::dump(&self.games, number)?)
    }

    /// Begins to look for damage.
    pub fn check(&mut self) {
        self.check = self.games.database().map(|_| Check::default());
    }

    /// Checks so many more games: `{done, looked, damaged, odd, findings: [{number, kind, text}]}`.
    ///
    /// # Errors
    /// If no check was begun.
    pub fn check_more(&mut self, count: u32) -> Answer {
        let check = self.check.as_mut().zip(self.games.database());
        let (check, database) = check.ok_or_else(|| JsError::new("no check was begun"))?;
        answer(&check.go_on(&self.games, database, count.into()))
    }

    /// Begins to write the rows of the table, or the games of these numbers, as `pgn`, `jsonl`, `csv`
    /// or `si4`; `name` is that of the files without extension.
    ///
    /// # Errors
    /// For another format.
    pub fn export(&mut self, format: &str, name: &str, numbers: &[u32]) -> Result<(), JsError> {
        let count = self.games.database().map_or(0, |database| database.len());
        let games = match numbers {
            [] => self.view.all(count),
            some => some.iter().map(|number| u64::from(number.saturating_sub(1))).collect(),
        };
        self.export = Some(Export::new(format, name, games)?);
        Ok(())
    }

    /// Writes so many more games: `{done, total, files: [{name, file}], losses, refused}`.
    ///
    /// # Errors
    /// If none was begun; those of writing.
    pub fn export_more(&mut self, count: u32) -> Answer {
        let export = self.export.as_mut().zip(self.games.database());
        let (export, database) = export.ok_or_else(|| JsError::new("no export was begun"))?;
        answer(&export.go_on(database, count)?)
    }
}

/// What is wrong with a position to search, if anything is.
#[wasm_bindgen]
#[must_use]
pub fn position_fault(fen: &str) -> Option<String> {
    scoresheet::filter::PositionPattern::parse(fen).err().map(|error| error.to_string())
}

/// The position after a move such as `e2e4` or `e7e8q`, castling also as the king's step of two
/// squares: `{fen, san}`, or `null` if it is not legal.
///
/// # Errors
/// If the position cannot be read.
#[wasm_bindgen]
pub fn play(fen: &str, from_to: &str) -> Answer {
    let position = Position::from_fen(fen).map_err(|error| failed(&error))?;
    answer(&game::play(&position, from_to))
}

/// The version of the library.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
