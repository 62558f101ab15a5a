//! An opening book beside the database.

use std::path::Path;

use scoresheet::books::{
    AnyBook, BookMove, Diagnostics, Kind, ReadAt as _, Variations, WalkOptions, abk, ctg, detect,
    obk, polyglot,
};
use scoresheet::chess_core::{Game, Position};
use scoresheet::{Input, Inputs, OpenOptions, book_score, describe, describe_warning};
use serde::Serialize;
use serve::PlayedMove;

/// A book with at most this number of bytes is checked when it is opened.
const MAX_CHECKED: u64 = 2 << 20;
/// The most warnings that are listed.
const MAX_TOLD: usize = 5;

/// An open book.
pub(crate) struct Book {
    name: String,
    book: AnyBook,
}

/// The name and the format of a book.
#[derive(Serialize)]
pub(crate) struct About {
    name: String,
    title: &'static str,
    /// Damage.
    warnings: Vec<String>,
}

/// The moves of a book in a position.
#[derive(Serialize)]
pub(crate) struct Moves {
    name: String,
    moves: Vec<ShownMove>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct ShownMove {
    #[serde(flatten)]
    played: PlayedMove,
    fen: String,
    /// The share of the weights of all moves, from 0 to 1.
    share: f64,
    weight: Option<u16>,
    /// Arena's priority, from 0 to 9.
    priority: Option<u8>,
    /// ChessMaster's class, from 0 to 3.
    class: Option<u8>,
    /// The marks of the move, such as `!`, as numeric annotation glyphs.
    nag: Option<u16>,
    /// Whether the book says to play or to avoid the move.
    recommended: Option<bool>,
    deleted: bool,
    games: Option<u64>,
    white: u64,
    draws: u64,
    black: u64,
    score: Option<f64>,
}

fn extension_of(name: &str) -> String {
    Path::new(name).extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

impl Book {
    /// Opens a book. `files` has all files of this book, and no others.
    pub(crate) fn open(files: &[(String, Input)]) -> Result<(Book, About), String> {
        let of = |extension: &str| {
            files.iter().find(|(name, _)| extension_of(name) == extension).cloned()
        };
        let first = of("ctg").or_else(|| files.first().cloned());
        let (name, file) = first.ok_or_else(|| "there is no book".to_owned())?;
        let path = Path::new(&name);
        let failed = |error: scoresheet::books::Error| describe(path, &error.into()).to_string();
        let mut start = [0; 16];
        let count = file.read_full(0, &mut start).map_err(|error| format!("{name}: {error}"))?;
        let extension = extension_of(&name);
        let book: AnyBook = match detect(start.get(..count).unwrap_or_default(), &extension) {
            Some(Kind::Polyglot) => Box::new(polyglot::Book::new(file.clone()).map_err(failed)?),
            Some(Kind::Arena) => Box::new(abk::Book::new(file.clone()).map_err(failed)?),
            Some(Kind::ChessMaster) => Box::new(obk::Book::new(file.clone()).map_err(failed)?),
            Some(Kind::ChessBase) if extension == "ctg" => {
                let beside = |extension| of(extension).map(|(_, file)| file);
                let book = ctg::Book::new(file.clone(), beside("cto"), beside("ctb"));
                Box::new(book.map_err(failed)?)
            }
            Some(Kind::ChessBase) => {
                return Err(format!("{name}: the .ctg of the book is missing; open it too"));
            }
            _ if extension == "fbk" => Box::new(variations(&name, &file)?),
            _ => return Err(format!("{name}: this is no opening book")),
        };
        let mut warnings = Vec::new();
        let size = files.iter().map(|(_, file)| file.size().unwrap_or(u64::MAX)).max();
        if size.is_some_and(|size| size <= MAX_CHECKED) {
            let mut diagnostics = Diagnostics::lenient();
            let checked = book.check(WalkOptions::default(), &mut diagnostics).map_err(failed)?;
            if checked.entries == 0 {
                return Err(format!("{name}: there is no move in the book"));
            }
            if book.kind() == Kind::Polyglot && checked.reached == 0 {
                let why =
                    "no position can be reached from the start; perhaps it is no opening book";
                return Err(format!("{name}: {why}"));
            }
            warnings = told(path, &diagnostics);
        }
        let about = About { name: name.clone(), title: book.kind().title(), warnings };
        Ok((Book { name, book }, about))
    }

    /// Returns the moves of a position, the weightiest first.
    pub(crate) fn moves(&self, fen: &str) -> Result<Moves, String> {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        let (mut found, mut diagnostics) = (Vec::new(), Diagnostics::lenient());
        let path = Path::new(&self.name);
        let read = self.book.moves(&position, &mut found, &mut diagnostics);
        read.map_err(|error| describe(path, &error.into()).to_string())?;
        found.sort_by_key(|one| std::cmp::Reverse(one.relative_weight()));
        let all = found.iter().map(BookMove::relative_weight).fold(0, u64::saturating_add);
        let shown = |found: &BookMove| ShownMove::new(&position, found, all);
        Ok(Moves {
            name: self.name.clone(),
            moves: found.iter().map(shown).collect(),
            warnings: told(path, &diagnostics),
        })
    }
}

/// Returns the damage among warnings, each kind once.
fn told(path: &Path, diagnostics: &Diagnostics) -> Vec<String> {
    let damage = diagnostics.warnings().iter().filter(|warning| warning.is_damage());
    let mut told: Vec<(&str, String)> = Vec::new();
    for warning in damage {
        if told.len() < MAX_TOLD && told.iter().all(|(name, _)| *name != warning.name) {
            told.push((warning.name, describe_warning(path, warning).to_string()));
        }
    }
    told.into_iter().map(|(_, text)| text).collect()
}

/// Reads the game with variations that a book of old ChessBase is.
fn variations(name: &str, file: &Input) -> Result<Variations, String> {
    let mut inputs = Inputs::new(name);
    inputs.add(name, file.clone());
    let base = scoresheet::open_inputs(&inputs, &OpenOptions::default());
    let base = base.map_err(|error| error.to_string())?;
    let mut game = Game::new();
    if let Some(database) = base.database() {
        let read = database.reader().game(0, &mut game, &mut Diagnostics::lenient());
        read.map_err(|error| describe(Path::new(name), &error).to_string())?;
    }
    Ok(Variations::new(Kind::OldChessBase, &game))
}

impl ShownMove {
    fn new(position: &Position, found: &BookMove, all: u64) -> ShownMove {
        let mut after = *position;
        after.apply(found.m);
        let number = position.fullmove_number().into();
        let results = found.results.unwrap_or_default();
        #[allow(clippy::cast_precision_loss, reason = "a share in percent")]
        let share = found.relative_weight() as f64 / all.max(1) as f64;
        ShownMove {
            played: PlayedMove::new(position, found.m, &after, number),
            fen: after.to_fen(),
            share,
            weight: found.weight,
            priority: found.priority,
            class: found.class,
            nag: found.annotation.map(|nag| nag.0.into()),
            recommended: found
                .recommendation
                .map(|mark| mark == scoresheet::books::Recommendation::Play),
            deleted: found.deleted,
            games: found.results.map(|results| results.games),
            white: results.white,
            draws: results.draws,
            black: results.black,
            score: book_score(position, found),
        }
    }
}
