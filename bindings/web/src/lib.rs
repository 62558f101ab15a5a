//! The library for a web worker: files are the numbers that host.js gives them, and answers are
//! JSON.
//!
//! No call takes long. A task over all games (finding them in a text, a search, a check, an export)
//! is started by one call, and continued by further calls that process a given number of games.

mod book;
mod convert;
mod export;
mod failure;
mod files;
mod game;
mod host;
mod open;
mod people;
mod query;
mod report;
mod target;
mod tree;
mod view;
mod walk;

use std::sync::Arc;

use scoresheet::chess_core::Position;
use scoresheet::spelling::{NameKind, Spelling};
use scoresheet::{FoundSection, Input, TextSection};
use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::book::Book;
use crate::export::Export;
use crate::files::Files;
use crate::host::File;
use crate::open::Games;
use crate::people::Asked;
use crate::query::Query;
use crate::report::Check;
use crate::tree::Count;
use crate::view::View;

/// A database, the selected games, and the tasks in progress.
#[wasm_bindgen]
#[derive(Default)]
pub struct Session {
    files: Files,
    games: Games,
    view: View,
    check: Option<Check>,
    export: Option<Export>,
    tree: Option<Count>,
    people: Option<Asked>,
    book: Option<Book>,
    book_files: Vec<(String, Input)>,
    spelling: Option<Arc<Spelling>>,
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
    /// Creates a session without files.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Session {
        Session::default()
    }

    /// Adds a file under its name, including its folders.
    pub fn add(&mut self, name: String, file: u32) {
        self.files.add(name, file);
    }

    /// Returns the databases among the files: `{bases: [{name, format, title, files}], others:
    /// [{name, why}]}`.
    ///
    /// # Errors
    /// No known errors.
    pub fn bases(&mut self) -> Answer {
        answer(&self.files.sort())
    }

    /// Opens a database by name. The games of a text are complete once [`grow`](Session::grow)
    /// returns `false`.
    ///
    /// # Errors
    /// The errors of the format.
    pub fn open(
        &mut self,
        name: &str,
        encoding: Option<String>,
        password: Option<String>,
    ) -> Result<String, JsValue> {
        self.open_with(name, &open::Settings { encoding, password, ..open::Settings::default() })
    }

    /// Opens a database by name, with options as JSON: `{encoding, password, maxUnpacked,
    /// options: [[name, value]]}`.
    ///
    /// # Errors
    /// The errors of the format.
    pub fn open_as(&mut self, name: &str, settings: &str) -> Result<String, JsValue> {
        let settings: open::Settings =
            serde_json::from_str(settings).map_err(|error| failed(&error))?;
        self.open_with(name, &settings)
    }

    fn open_with(&mut self, name: &str, settings: &open::Settings) -> Result<String, JsValue> {
        self.games = Games::None;
        self.view = View::default();
        self.check = None;
        self.export = None;
        self.tree = None;
        self.people = None;
        self.games = Games::open(&self.files.inputs(name), settings)?;
        Ok(self.about()?)
    }

    /// Looks for more games. Returns `false` if all games are known.
    ///
    /// # Errors
    /// The errors of the format. The games found before stay available.
    pub fn grow(&mut self) -> Result<bool, JsValue> {
        self.games.grow()
    }

    /// Splits off the next section of a text, of about `size` bytes. Its games are found by
    /// [`find`](Session::find), in this session or in one of another worker that has the text open.
    /// `undefined` if [`grow`](Session::grow) must go on.
    pub fn split(&mut self, size: u32) -> Option<Vec<u64>> {
        let section = self.games.split(size as usize)?;
        Some(section.to_numbers().to_vec())
    }

    /// Finds the games of a section that another session split off. `undefined` if it cannot be read.
    pub fn find(&mut self, section: &[u64]) -> Option<Vec<u8>> {
        let section = TextSection::from_numbers(section.try_into().ok()?);
        Some(self.games.find(section)?.to_bytes())
    }

    /// Adds the games that another session found in a section of this one, or `undefined` if it
    /// found none. Returns `false` if [`grow`](Session::grow) must find them.
    pub fn attach(&mut self, found: Option<Vec<u8>>) -> bool {
        self.games.attach(found.and_then(|found| FoundSection::from_bytes(&found)))
    }

    /// Begins a section of this session; [`step_section`](Session::step_section) finds its games.
    pub fn begin_section(&mut self, section: &[u64]) {
        if let Ok(section) = section.try_into() {
            self.games.begin_section(TextSection::from_numbers(section));
        }
    }

    /// Finds the games of one more block of the section. Adds them at the end of the section, and
    /// returns `false` then.
    pub fn step_section(&mut self) -> bool {
        self.games.step_section()
    }

    /// Returns the number of the file that a compressed text was decompressed into.
    #[must_use]
    pub fn spooled(&self) -> Option<u32> {
        self.games.spooled()
    }

    /// Returns the properties of the database.
    ///
    /// # Errors
    /// No known errors.
    pub fn about(&self) -> Answer {
        answer(&self.games.about())
    }

    /// Reads a spelling file of Scid. Later queries take the spellings of one name in it for one name.
    /// An empty file ends that. Returns the number of names of players, sites, events and rounds.
    ///
    /// # Errors
    /// `file` is not a spelling file. The one before stays.
    pub fn spell(&mut self, file: &[u8]) -> Result<u32, JsError> {
        if file.is_empty() {
            self.spelling = None;
            return Ok(0);
        }
        let spelling = Spelling::read(file).map_err(|error| failed(&error))?;
        let kinds = [NameKind::Player, NameKind::Site, NameKind::Event, NameKind::Round];
        let names: usize = kinds.into_iter().map(|kind| spelling.count(kind)).sum();
        self.spelling = Some(Arc::new(spelling));
        Ok(u32::try_from(names).unwrap_or(u32::MAX))
    }

    /// Takes over the spelling file of another session.
    pub fn spell_as(&mut self, other: &Session) {
        self.spelling.clone_from(&other.spelling);
    }

    /// Sets the query; [`search`](Session::search) then finds the games. If a field is invalid, the
    /// answer is `{field, why}`, and no game is selected.
    ///
    /// # Errors
    /// `query` is not a query in JSON.
    pub fn query(&mut self, query: &str) -> Answer {
        let query: Query = serde_json::from_str(query).map_err(|error| failed(&error))?;
        match query.filter(self.spelling.as_ref()) {
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

    /// Searches the next `count` games: `{done, looked, found}`.
    ///
    /// # Errors
    /// No known errors.
    pub fn search(&mut self, count: u32) -> Answer {
        let database = self.games.database();
        let progress = database.map(|database| self.view.search(database, count.into()));
        answer(&progress.transpose().map_err(|error| failed(&error))?)
    }

    /// Ends a search with the games that the base's server found: the distance of each number from the one
    /// before, from 0.
    pub fn found(&mut self, steps: &[u32]) {
        let len = self.games.database().map_or(0, |database| database.len());
        self.view.take(len, steps);
    }

    /// Sorts the games found by a column; a leading `-` means descending order. An empty text
    /// restores the database order.
    ///
    /// # Errors
    /// An unknown column.
    pub fn sort(&mut self, by: &str) -> Result<(), JsError> {
        let Some(database) = self.games.database() else { return Ok(()) };
        self.view.sort(database, by).map_err(|error| failed(&error))
    }

    /// Returns rows of the table, each `[number, White, WhiteElo, Black, BlackElo, Result, Date,
    /// ECO, Event, Site, Round, name of the opening, deleted]`. The name is empty without `openings`.
    ///
    /// # Errors
    /// No known errors.
    pub fn rows(&self, first: u32, count: u32, openings: bool) -> Answer {
        let range = (first.into(), count.into());
        match self.games.database() {
            Some(database) => answer(&self.view.rows(database, range, openings)),
            None => answer(&json!([])),
        }
    }

    /// Returns the row of a game; `number` counts from 1.
    #[must_use]
    pub fn place(&self, number: u32) -> Option<u32> {
        self.view.place(u64::from(number.saturating_sub(1)))
    }

    /// Returns a game for the board; `number` counts from 1.
    ///
    /// # Errors
    /// There is no such game.
    pub fn game(&self, number: u32) -> Answer {
        answer(&game::read(&self.games, number)?)
    }

    /// Returns the part of a long game around a position; `at` is the index of its node.
    ///
    /// # Errors
    /// There is no such game.
    pub fn moves(&self, number: u32, at: u32) -> Answer {
        answer(&game::moves(&self.games, number, at)?)
    }

    /// Starts to count the moves that were played in a position, in the games found.
    ///
    /// # Errors
    /// An invalid position.
    pub fn tree(&mut self, fen: &str) -> Result<(), JsError> {
        self.tree = Some(Count::new(fen, self.view.found()).map_err(|error| failed(&error))?);
        Ok(())
    }

    /// Counts the next `count` games: `{done, looked}`. The last answer also has the counts
    /// `{games, white, draws, black, score, elo, performance, years}` of the position and its name
    /// `opening`; and `branches`, the moves with their own counts, `{san, number, marks, fen, opening}`.
    ///
    /// # Errors
    /// No count was started.
    pub fn tree_more(&mut self, count: u32) -> Answer {
        let tree = self.tree.as_mut().zip(self.games.database());
        let (tree, database) = tree.ok_or_else(|| JsError::new("no count was begun"))?;
        let mut progress = tree.go_on(database, count.into()).map_err(|error| failed(&error))?;
        if progress.is_done() {
            progress = self.tree.take().map_or(progress, Count::finish);
        }
        answer(&progress)
    }

    /// Starts to count the games of the people whom the player of the query means, in the games found.
    pub fn people(&mut self) {
        self.people = Some(Asked::new(self.view.filter()));
    }

    /// Reads the next `count` games: `{done, people, unclear}`. The last answer has the people if they are
    /// several, each `{ask, name, games, years, ratings}`; `ask` is a query that finds the person.
    ///
    /// # Errors
    /// No count was started.
    pub fn people_more(&mut self, count: u32) -> Answer {
        let asked = self.people.as_mut().zip(self.games.database());
        let (asked, database) = asked.ok_or_else(|| JsError::new("no count was begun"))?;
        let found = self.view.found().unwrap_or_default();
        let progress = asked.go_on(database, found, count as usize);
        if progress.done {
            self.people = None;
        }
        answer(&progress)
    }

    /// Adds a file of an opening book; [`open_book`](Session::open_book) opens it.
    pub fn add_book(&mut self, name: String, file: u32) {
        self.book_files.push((name, Arc::new(File(file)).into()));
    }

    /// Opens the book of the files that were added, in place of the one before: `{name, title,
    /// warnings}`. Without files there is no book then.
    ///
    /// # Errors
    /// The errors of the format.
    pub fn open_book(&mut self) -> Answer {
        self.book = None;
        let files = std::mem::take(&mut self.book_files);
        if files.is_empty() {
            return answer(&json!(null));
        }
        let (book, about) = Book::open(&files).map_err(|error| failed(&error))?;
        self.book = Some(book);
        answer(&about)
    }

    /// Returns the moves of the book in a position, or `null` without a book: `{name, moves, warnings}`,
    /// each move `{san, number, marks, fen, share, weight, priority, class, nag, recommended, deleted,
    /// games, white, draws, black, score}`.
    ///
    /// # Errors
    /// An invalid position, and the errors of the format.
    pub fn book_moves(&self, fen: &str) -> Answer {
        let moves = self.book.as_ref().map(|book| book.moves(fen)).transpose();
        answer(&moves.map_err(|error| failed(&error))?)
    }

    /// Returns the text of a game.
    ///
    /// # Errors
    /// There is no such game.
    pub fn pgn(&self, number: u32) -> Answer {
        game::pgn(&self.games, number)
    }

    /// Returns the bytes of a game by field.
    ///
    /// # Errors
    /// There is no such game.
    pub fn dump(&self, number: u32) -> Answer {
        answer(&game::dump(&self.games, number)?)
    }

    /// Starts a check for damage.
    pub fn check(&mut self) {
        self.check = self.games.database().map(|_| Check::default());
    }

    /// Checks the next `count` games: `{done, looked, damaged, odd, findings: [{number, kind,
    /// text}]}`.
    ///
    /// # Errors
    /// No check was started.
    pub fn check_more(&mut self, count: u32) -> Answer {
        let check = self.check.as_mut().zip(self.games.database());
        let (check, database) = check.ok_or_else(|| JsError::new("no check was begun"))?;
        answer(&check.go_on(&self.games, database, count.into()))
    }

    /// Starts an export in a format such as `pgn`: of the games in `numbers`, or of the rows of the
    /// table. A database of several files is packed into a zip archive. `name` is the file name without extension.
    ///
    /// # Errors
    /// An unknown format.
    pub fn export(&mut self, format: &str, name: &str, numbers: &[u32]) -> Result<(), JsValue> {
        let count = self.games.database().map_or(0, |database| database.len());
        let games = match numbers {
            [] => self.view.all(count),
            some => some.iter().map(|number| u64::from(number.saturating_sub(1))).collect(),
        };
        self.export = Some(Export::new(format, name, games)?);
        Ok(())
    }

    /// Writes the next `count` games: `{done, total, files: [{name, extension, file}], written,
    /// damaged, refused, lossy, losses, messages}`.
    ///
    /// # Errors
    /// No export was started, or writing failed.
    pub fn export_more(&mut self, count: u32) -> Result<String, JsValue> {
        let export = self.export.as_mut().ok_or_else(|| JsError::new("no export was begun"))?;
        Ok(answer(&export.go_on(&self.games, count)?)?)
    }
}

/// Returns the error in a position to search for, if it is invalid.
#[wasm_bindgen]
#[must_use]
pub fn position_fault(fen: &str) -> Option<String> {
    scoresheet::filter::PositionPattern::parse(fen).err().map(|error| error.to_string())
}

/// Returns the position after a move such as `e2e4` or `e7e8q`: `{fen, san}`, or `null` if the move
/// is illegal. Castling may be written as a king move of two squares.
///
/// # Errors
/// The position is invalid.
#[wasm_bindgen]
pub fn play(fen: &str, from_to: &str) -> Answer {
    let position = Position::from_fen(fen).map_err(|error| failed(&error))?;
    answer(&game::play(&position, from_to))
}

/// Returns the version of the library.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
