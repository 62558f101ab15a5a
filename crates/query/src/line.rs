//! Opening lines: the first moves of a game.

use std::str::FromStr;

use chess_core::{Game, Move, Position};

use crate::QueryError;

/// Moves from the start position, in this exact order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    moves: Vec<Move>,
    end: Position,
}

impl Line {
    /// Parses moves in SAN, with or without move numbers (`1. e4 c5 2. Nf3`), or in UCI notation
    /// (`e2e4 c7c5`).
    ///
    /// # Errors
    /// [`QueryError`] names the move that is unreadable or illegal.
    pub fn parse(text: &str) -> Result<Line, QueryError> {
        let mut line = Line { moves: Vec::new(), end: Position::start() };
        for word in text.split_whitespace() {
            // `12.Nf3`, `3...Nf6`, `3…`
            let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '…');
            let numbered = word.contains(['.', '…']) || word.bytes().all(|b| b.is_ascii_digit());
            let word = if numbered { word.trim_start_matches(is_number) } else { word };
            if !word.is_empty() {
                line.play(word)?;
            }
        }
        if line.moves.is_empty() { Err(QueryError::Empty) } else { Ok(line) }
    }

    fn play(&mut self, word: &str) -> Result<(), QueryError> {
        let by_squares = word.parse::<Move>().ok().filter(|m| self.end.is_legal(*m));
        let m = match by_squares {
            Some(m) => m,
            None => pgn::parse_san(&self.end, word).map_err(|error| QueryError::Move {
                text: word.to_owned(),
                ply: self.moves.len().saturating_add(1),
                why: error.to_string(),
            })?,
        };
        self.moves.push(m);
        self.end.apply(m);
        Ok(())
    }

    /// The position after the last move.
    #[must_use]
    pub fn end(&self) -> &Position {
        &self.end
    }

    /// Returns whether the main line of `game` begins with these moves.
    #[must_use]
    pub fn begins(&self, game: &Game) -> bool {
        if game.setup().is_some_and(|setup| !setup.is_usual()) {
            return false;
        }
        let mut played = game.main_line();
        self.moves.iter().all(|m| played.next() == Some(*m))
    }
}

impl FromStr for Line {
    type Err = QueryError;

    /// Calls [`parse`](Line::parse).
    fn from_str(text: &str) -> Result<Line, QueryError> {
        Line::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_usual_spellings_gives_same_line() {
        let expected = Line::parse("e2e4 c7c5 g1f3").unwrap();
        for text in [
            "1. e4 c5 2. Nf3",
            "1.e4 c5 2.Nf3",
            "1 e4 c5 2 Nf3",
            "e4 1... c5 Nf3!",
            "1. e4 1…c5 2. Nf3",
        ] {
            assert_eq!(Line::parse(text).as_ref(), Ok(&expected), "{text}");
        }
        let mut game = Game::new();
        for m in ["e2e4", "c7c5", "g1f3", "d7d6"] {
            game.push_move(m.parse().unwrap());
        }
        assert!(expected.begins(&game));
        assert!(!Line::parse("1. e4 c5 2. Nf3 Nc6").unwrap().begins(&game));
        assert!(!Line::parse("1. e4 c5 2. Nf3 d6 3. d4").unwrap().begins(&game));
    }

    #[test]
    fn from_str_agrees_with_parse() {
        assert_eq!("1. e4 c5".parse(), Line::parse("1. e4 c5"));
        assert_eq!(" 1. ".parse::<Line>(), Err(QueryError::Empty));
    }

    #[test]
    fn parse_invalid_line_is_error() {
        assert_eq!(Line::parse(" 1. "), Err(QueryError::Empty));
        let error = Line::parse("1. e4 e4").unwrap_err().to_string();
        assert!(error.contains("half-move 2") && error.contains("e4"), "{error}");
        assert!(Line::parse("1. e4 castle").is_err());
    }
}
