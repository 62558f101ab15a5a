//! An opening book beside the database.

use std::path::Path;

use scoresheet::books::{AnyBook, BookMove, Diagnostics, Kind, ReadAt as _, WalkOptions};
use scoresheet::chess_core::Position;
use scoresheet::{Input, Inputs, book_score, describe, describe_warning, open_book_inputs};
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

impl Book {
    /// Opens a book. `files` has all files of this book, and no others.
    pub(crate) fn open(files: &[(String, Input)]) -> Result<(Book, About), String> {
        let is_ctg = |(name, _): &&(String, Input)| {
            Path::new(name).extension().is_some_and(|own| own.eq_ignore_ascii_case("ctg"))
        };
        let first = files.iter().find(is_ctg).or_else(|| files.first());
        let (name, _) = first.cloned().ok_or_else(|| "there is no book".to_owned())?;
        let path = Path::new(&name);
        let mut inputs = Inputs::new(path);
        files.iter().for_each(|(name, file)| inputs.add(name, file.clone()));
        let book = open_book_inputs(&inputs).map_err(|error| error.to_string())?;
        let book = book.ok_or_else(|| format!("{name}: this is no opening book"))?;
        let mut warnings = Vec::new();
        let size = files.iter().map(|(_, file)| file.size().unwrap_or(u64::MAX)).max();
        if size.is_some_and(|size| size <= MAX_CHECKED) {
            let mut diagnostics = Diagnostics::lenient();
            let checked = book.check(WalkOptions::default(), &mut diagnostics);
            let checked = checked.map_err(|error| describe(path, &error.into()).to_string())?;
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
            nag: found.annotation.map(|nag| nag.0),
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
