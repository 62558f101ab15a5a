//! A game becomes one of its positions.

use chess_core::{Game, Position};
use query::{BoardPattern, Filter, PositionPattern, QueryError, columns};

use super::ErrorKind;

/// The position that a game becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum At {
    /// After this number of half-moves.
    Ply(u32),
    /// After the main line.
    End,
    /// The first position of the main line that matches.
    Position(Sought),
}

/// Positions that are searched for. One of them must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sought {
    /// Whole positions.
    pub positions: Vec<PositionPattern>,
    /// Boards with wildcards.
    pub patterns: Vec<BoardPattern>,
}

impl Sought {
    fn fits(&self, position: &Position) -> bool {
        self.positions.iter().any(|pattern| pattern.fits(position))
            || self.patterns.iter().any(|pattern| pattern.fits(position))
    }
}

impl At {
    /// Parses `ply=20`, `end` or `position`. The positions for `position` are those that `filter`
    /// asks for.
    ///
    /// # Errors
    /// [`QueryError`] for other texts, and for `position` with a filter that asks for no position.
    pub fn parse(text: &str, filter: &Filter) -> Result<At, QueryError> {
        let wrong = |what| Err(QueryError::unreadable(text, what));
        let ply = text.strip_prefix("ply=").map(str::parse);
        match (text, ply) {
            ("end", _) => Ok(At::End),
            ("position", _) => {
                let ends = filter.lines.iter().map(|line| PositionPattern::exact(line.end()));
                let positions = filter.positions.iter().cloned().chain(ends).collect();
                let sought = Sought { positions, patterns: filter.patterns.clone() };
                if sought == Sought::default() {
                    return wrong("answered without --position, --moves or --pattern");
                }
                Ok(At::Position(sought))
            }
            (_, Some(Ok(ply))) => Ok(At::Ply(ply)),
            _ => wrong("a place in a game; write ply=20, end or position"),
        }
    }

    fn is_reached(&self, ply: u32, position: &Position) -> bool {
        match self {
            At::Ply(wanted) => ply == *wanted,
            At::End => false,
            At::Position(sought) => sought.fits(position),
        }
    }

    /// Replaces the moves of a game with its position here. The tag `Epd_sm` has the next move.
    pub(super) fn take(&self, game: &mut Game) -> Result<(), ErrorKind> {
        if !game.variant().keeps_boards() {
            return Err(ErrorKind::NoBoards);
        }
        let mut position = game.start_position();
        let (mut ply, mut next) = (0u32, None);
        let mut moves = game.main_line();
        let found = loop {
            if self.is_reached(ply, &position) {
                next = moves.next();
                break true;
            }
            let Some(m) = moves.next() else { break matches!(self, At::End) };
            position.apply(m);
            ply = ply.saturating_add(1);
        };
        drop(moves);
        if !found {
            return Err(match self {
                At::Ply(wanted) => ErrorKind::NoPly(*wanted, ply),
                _ => ErrorKind::NoPosition,
            });
        }
        game.clear_line();
        game.set_start(position);
        if let Some(m) = next {
            let mut answer = Game::new();
            answer.set_start(position);
            answer.push_move(m);
            game.header.put("Epd_sm", &columns::san(&answer));
        }
        if game.header.tags.get("PlyCount").is_some() {
            game.header.put("PlyCount", "0");
        }
        Ok(())
    }
}
