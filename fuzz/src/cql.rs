//! The query language: any text as a query, and any query over a random game.

use chess_core::{Game, Position};
use cql::{Condition, Limits, Query};
use testkit::{Flavour, random_game};

/// The text up to the first NUL is a query, and the rest makes a game. The search ends within its
/// limits, both kinds of search agree, and a game that matches fulfils the bounds of the query.
pub fn cql_query(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let (text, rest) = data.split_at(end);
    let text = String::from_utf8_lossy(text);
    let mut limits = Limits::default();
    (limits.filters, limits.work) = (5_000, 300_000);
    let query = match Query::parse_with(&text, &limits) {
        Ok(query) => query,
        Err(error) => {
            let place = error.place().expect("an error of the parser has a place");
            assert!(text.is_char_boundary(place.offset) && !error.to_string().is_empty());
            return;
        }
    };
    for warning in query.warnings() {
        assert!(text.is_char_boundary(warning.place.offset) && !warning.to_string().is_empty());
    }
    let mut rest = arbitrary::Unstructured::new(rest);
    let Ok(game) = random_game(&mut rest, Flavour::ALL) else { return };
    let (mut all, mut first) = (query.searcher(), query.searcher());
    let Ok(found) = all.find(&game).map(|found| found.is_some()) else { return };
    if let Ok(matches) = first.is_match(&game) {
        assert_eq!(matches, found, "{text}");
    }
    // A second search does not depend on the first.
    if !text.contains("persistent")
        && let Ok(again) = all.is_match(&game)
    {
        assert_eq!(again, found, "{text}");
    }
    if found {
        assert!(fulfils(query.bounds(), &game), "{text}: {:?}", query.bounds());
    }
}

/// Whether a game fulfils a condition, as far as its main line decides.
fn fulfils(condition: &Condition, game: &Game) -> bool {
    if game.variation_count() > 0 {
        return *condition != Condition::Never;
    }
    let header = &game.header;
    match condition {
        Condition::Never => false,
        Condition::All(list) => list.iter().all(|part| fulfils(part, game)),
        Condition::OneOf(list) => list.iter().any(|part| fulfils(part, game)),
        Condition::Not(part) => !fulfils(part, game),
        Condition::Result(result) => header.result == *result,
        Condition::Tag { name, text } => header.get(name).is_some_and(|tag| tag.contains(text)),
        Condition::HalfMoves { min } => game.ply_count() >= *min as usize,
        Condition::Men { pieces, min, max } => positions(game).any(|position| {
            let count =
                pieces.iter().map(|piece| position.pieces(piece.role(), piece.color()).count());
            (*min..=*max).contains(&i64::from(count.sum::<u32>()))
        }),
        Condition::MoveNumber { min, max } => {
            positions(game).any(|at| (*min..=*max).contains(&i64::from(at.fullmove_number())))
        }
        _ => true,
    }
}

fn positions(game: &Game) -> impl Iterator<Item = Position> {
    let mut position = game.start_position();
    let after = game.main_line().map(move |m| {
        position.apply(m);
        position
    });
    std::iter::once(game.start_position()).chain(after)
}
