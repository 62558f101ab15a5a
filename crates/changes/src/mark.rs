//! Comments at the positions that a filter finds.

use std::collections::BTreeMap;

use chess_core::{Game, Token};
use query::{Matcher, Unanswered};

/// The comment at a position for which no query makes one.
const MARK: &str = "match";

/// Adds a comment to each position of `game` that matches: the comments of the queries, or else `match`.
/// A comment that is there follows in the same braces.
///
/// # Errors
/// The filter cannot be answered for this game.
pub fn mark(game: &mut Game, matcher: &mut Matcher) -> Result<(), Unanswered> {
    let found = matcher.find(game)?;
    let mut marks: BTreeMap<Option<usize>, String> = BTreeMap::new();
    for (place, position) in found.positions.iter().enumerate() {
        let first = found.comments.partition_point(|(of, _)| *of < place);
        let here = found.comments.iter().skip(first).take_while(|(of, _)| *of == place);
        let text = here.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ");
        let text = if text.is_empty() { MARK.to_owned() } else { text };
        marks.insert(position.token, text);
    }
    if marks.is_empty() {
        return Ok(());
    }
    let old = std::mem::take(game);
    // A position that no FEN describes stays with its moves.
    if let Some(setup) = old.setup()
        && game.set_start_fen(setup.fen()).is_err()
    {
        game.set_start(*setup.position());
    }
    let mut mark = marks.remove(&None);
    for (place, token) in old.tokens().enumerate() {
        // A part of a game that was held, and a few words, are not too long.
        let _ = match (token, mark.take()) {
            (Token::Comment(text), Some(mark)) => game.push_comment(&format!("{mark} {text}")),
            // Glyphs stand between a move and its comment.
            (Token::Nag(_), waiting) => {
                mark = waiting;
                game.push(token)
            }
            (token, Some(mark)) => game.push_comment(&mark).and_then(|()| game.push(token)),
            (token, None) => game.push(token),
        };
        if matches!(token, Token::Move(_)) {
            mark = marks.remove(&Some(place));
        }
    }
    if let Some(mark) = mark {
        let _ = game.push_comment(&mark);
    }
    game.header = old.header;
    Ok(())
}

#[cfg(test)]
mod tests {
    use query::Filter;

    use super::*;

    #[test]
    fn mark_positions_keep_moves_and_comments() {
        for (cql, moves, expected) in [
            ("Pe4 wtm", "1. e4 e5 2. Nf3 *", "1. e4 e5 {match} 2. Nf3 *"),
            ("Pe4", "1. e4 $1 {good} 1... e5 *", "1. e4 $1 {match good} 1... e5 {match} *"),
            ("initial or Nf3", "1. e4 e5 2. Nf3 *", "{match} 1. e4 e5 2. Nf3 {match} *"),
            ("pe5 comment(\"move \" ply)", "1. e4 e5 *", "1. e4 e5 {move 2} *"),
            (
                "cql(variations) Pd4",
                "1. e4 (1. d4 d5) 1... e5 *",
                "1. e4 (1. d4 {match} 1... d5 {match}) 1... e5 *",
            ),
            ("mate", "1. e4 e5 *", "1. e4 e5 *"),
        ] {
            let mut game = pgn::read_all(format!("[Event \"E\"]\n\n{moves}\n")).unwrap().remove(0);
            let filter = Filter::new().with("cql", cql).unwrap();
            let header = game.header.clone();
            mark(&mut game, &mut Matcher::new(&filter)).unwrap();
            assert_eq!(game.header, header);
            let written = pgn::to_string(&game);
            let written = written.trim().split_once("\n\n").unwrap().1.replace('\n', " ");
            assert_eq!(written, expected, "{cql}");
        }
    }
}
