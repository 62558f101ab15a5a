//! Opening books of any format, and books as games.

use std::path::Path;

use books::{AnyBook, BookMove, Kind, LineMove, Recommendation, Variations, WalkOptions};
use chess_core::{Color, Game, GameResult, LineError, MoveTree, Position};
use chess_store::{AnyError, Diagnostics, Inputs, OpenOptions};

use crate::base::{Base, open_inputs};
use crate::detect::extension_of;
use crate::error::Error;

/// Opens an opening book. Returns `None` if the file is no book of a known format. A base of games
/// is none, nor is a Polyglot book whose name does not end in `.bin`.
///
/// # Errors
/// The file cannot be read, or lacks the header of its format.
pub fn open_book(path: impl AsRef<Path>) -> Result<Option<AnyBook>, Error> {
    let path = path.as_ref();
    let book = books::open(path).map_err(|error| Error::base(path, error.into()))?;
    or_variations(book, path, || crate::base::open(path))
}

/// Opens an opening book of files that are open already; see [`Inputs`]. Otherwise like [`open_book`].
///
/// # Errors
/// As [`open_book`].
pub fn open_book_inputs(inputs: &Inputs) -> Result<Option<AnyBook>, Error> {
    let path = inputs.named();
    let book = books::open_inputs(inputs).map_err(|error| Error::base(path, error.into()))?;
    or_variations(book, path, || open_inputs(inputs, &OpenOptions::default()))
}

/// Returns `book`, or the game with variations that a book of old ChessBase is.
fn or_variations(
    book: Option<AnyBook>,
    path: &Path,
    open: impl FnOnce() -> Result<Base, Error>,
) -> Result<Option<AnyBook>, Error> {
    if book.is_some() || cfg!(not(feature = "cbf")) || extension_of(path) != "fbk" {
        return Ok(book);
    }
    let (base, mut game) = (open()?, Game::new());
    if let Some(database) = base.database() {
        let read = database.reader().game(0, &mut game, &mut Diagnostics::lenient());
        read.map_err(|error| Error::base(path, error))?;
    }
    Ok(Some(Box::new(Variations::new(Kind::OldChessBase, &game))))
}

/// Replaces `game` with the lines of a book as variations. A comment has the data of a move:
/// `120 games, 55.0%`, `weight 20`. The moves of a position are in the order of the book.
///
/// # Errors
/// Errors of the book, and a game that has no room for the variations.
pub fn book_to_game(
    book: &AnyBook,
    options: WalkOptions,
    game: &mut Game,
    diagnostics: &mut Diagnostics,
) -> Result<(), AnyError> {
    let mut tree: MoveTree<Option<BookMove>> = MoveTree::new();
    let mut line = vec![MoveTree::<Option<BookMove>>::ROOT];
    let mut add = |found: LineMove<'_>| {
        line.truncate(found.ply.saturating_add(1));
        let parent = line.last().copied().unwrap_or_default();
        let id = tree.child(parent, found.book_move.m);
        if let Some(node) = tree.node_mut(id).filter(|_| !found.is_bridge) {
            node.data = Some(*found.book_move);
        }
        line.push(id);
        Ok(())
    };
    books::lines(&**book, options, &mut add, diagnostics)?;
    game.clear();
    game.header.event = book.kind().title().into();
    game.header.result = GameResult::Unknown;
    let written = tree.write_line(game, |game, node| {
        let Some(found) = &node.data else { return Ok(()) };
        if let Some(nag) = found.annotation {
            game.push_nag(nag);
        }
        push_comment(game, found)
    });
    written.map_err(|error| {
        let location = chess_store::Location::default();
        chess_store::Error::new(books::ErrorKind::TooLarge(error), location).into()
    })
}

fn push_comment(game: &mut Game, found: &BookMove) -> Result<(), LineError> {
    let mut parts: Vec<String> = Vec::new();
    if let Some(weight) = found.weight {
        parts.push(format!("weight {weight}"));
    }
    if let Some(results) = found.results {
        let one = if results.games == 1 { "game" } else { "games" };
        parts.push(format!("{} {one}", results.games));
        if results.has_results() {
            parts.push(format!("+{} ={} -{}", results.white, results.draws, results.black));
        }
    }
    if let Some(priority) = found.priority {
        parts.push(format!("priority {priority}"));
    }
    if let Some(class) = found.class {
        parts.push(format!("class {class}"));
    }
    match found.recommendation {
        Some(Recommendation::Play) => parts.push("to be played".into()),
        Some(Recommendation::Avoid) => parts.push("not to be played".into()),
        None => {}
    }
    if found.deleted {
        parts.push("deleted".into());
    }
    if parts.is_empty() { Ok(()) } else { game.push_comment(&parts.join(", ")) }
}

/// Returns the share of the points that the side to move scored in the games of a book's move, from
/// 0 to 1, if results are known.
#[must_use]
pub fn book_score(position: &Position, found: &BookMove) -> Option<f64> {
    let results = found.results.filter(|results| results.has_results())?;
    let points = |side: Color| results.half_points(side);
    let all = points(Color::White).saturating_add(points(Color::Black));
    #[allow(clippy::cast_precision_loss, reason = "no book has so many games")]
    Some(points(position.turn()) as f64 / all as f64)
}

/// A value of [`book_row`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BookValue {
    /// The format does not have it, or the book does not know it.
    None,
    /// A number.
    Number(u64),
    /// A text.
    Text(String),
}

/// Returns the data of a move of a book by name, for JSON, CSV and tables.
#[must_use]
pub fn book_row(position: &Position, found: &BookMove) -> [(&'static str, BookValue); 13] {
    let number = |value: Option<u64>| value.map_or(BookValue::None, BookValue::Number);
    let text = |value: Option<&str>| {
        value.map_or(BookValue::None, |value| BookValue::Text(value.to_owned()))
    };
    let results = found.results;
    let known = results.filter(|results| results.has_results());
    let recommendation = found.recommendation.map(|recommendation| match recommendation {
        Recommendation::Play => "play",
        Recommendation::Avoid => "avoid",
    });
    let mut one = Game::new();
    one.set_start(*position);
    one.push_move(found.m);
    [
        ("uci", BookValue::Text(position.engine_move(found.m).to_string())),
        ("san", BookValue::Text(query::columns::san(&one))),
        ("weight", number(found.weight.map(u64::from))),
        ("learn", number(found.learn.map(u64::from))),
        ("games", number(results.map(|results| results.games))),
        ("white", number(known.map(|results| results.white))),
        ("draws", number(known.map(|results| results.draws))),
        ("black", number(known.map(|results| results.black))),
        ("priority", number(found.priority.map(u64::from))),
        ("class", number(found.class.map(u64::from))),
        ("nag", number(found.annotation.map(|nag| u64::from(nag.0)))),
        ("recommendation", text(recommendation)),
        ("deleted", text(found.deleted.then_some("yes"))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "cbf")]
    #[test]
    fn open_book_inputs_of_old_chessbase_has_its_lines() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cbf/book/base.fbk");
        let mut inputs = Inputs::new("base.fbk");
        inputs.add("base.fbk", std::fs::read(&path).unwrap());
        let moves = |book: Option<AnyBook>| {
            let (book, mut moves) = (book.unwrap(), Vec::new());
            assert_eq!(book.kind(), Kind::OldChessBase);
            let start = Position::default();
            book.moves(&start, &mut moves, &mut Diagnostics::lenient()).unwrap();
            moves
        };
        let found = moves(open_book_inputs(&inputs).unwrap());
        assert!(!found.is_empty());
        assert_eq!(format!("{found:?}"), format!("{:?}", moves(open_book(&path).unwrap())));
        let mut text = Inputs::new("games.txt");
        text.add("games.txt", b"1. e4".to_vec());
        assert!(open_book_inputs(&text).unwrap().is_none());
    }
}
