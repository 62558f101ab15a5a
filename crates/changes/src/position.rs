//! A game becomes one of its positions.

use std::sync::Arc;

use chess_core::Game;
use query::{Filter, Matcher, PositionPattern, QueryError, columns};

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
    Match(Sought),
}

/// A filter whose criteria on positions are searched for. Clones are equal.
#[derive(Clone, Debug)]
pub struct Sought(Arc<Filter>);

impl Sought {
    /// Searches for the positions that match `filter`.
    #[must_use]
    pub fn new(filter: Filter) -> Sought {
        Sought(Arc::new(filter))
    }
}

impl PartialEq for Sought {
    fn eq(&self, other: &Sought) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Sought {}

impl At {
    /// Parses `ply=20`, `end`, `position` or `match`. `match` is the first position that meets the
    /// criteria of `filter`. `position` considers only whole positions, first moves and patterns.
    ///
    /// # Errors
    /// [`QueryError`] for other texts, and for `position` and `match` with a filter that asks for no
    /// position.
    pub fn parse(text: &str, filter: &Filter) -> Result<At, QueryError> {
        let wrong = |what| Err(QueryError::unreadable(text, what));
        let ply = text.strip_prefix("ply=").map(str::parse);
        let sought = |mut filter: Filter, what| {
            let ends = filter.lines.iter().map(|line| PositionPattern::exact(line.end()));
            filter.positions.extend(ends.collect::<Vec<_>>());
            match filter.asks_positions() {
                true => Ok(At::Match(Sought::new(filter))),
                false => Err(QueryError::unreadable(text, what)),
            }
        };
        match (text, ply) {
            ("end", _) => Ok(At::End),
            ("match", _) => sought(
                filter.clone(),
                "answered without a criterion on positions, as --position, --pattern, --material or --cql",
            ),
            ("position", _) => {
                let mut boards = Filter::default();
                boards.positions.clone_from(&filter.positions);
                boards.patterns.clone_from(&filter.patterns);
                boards.lines.clone_from(&filter.lines);
                boards.mirrored = filter.mirrored.clone();
                sought(boards, "answered without --position, --moves or --pattern")
            }
            (_, Some(Ok(ply))) => Ok(At::Ply(ply)),
            _ => wrong("a place in a game; write ply=20, end, position or match"),
        }
    }

    /// Returns the matcher that finds the position, if it is a match. Each thread needs one of its own.
    #[must_use]
    pub fn matcher(&self) -> Option<Matcher> {
        match self {
            At::Match(sought) => Some(Matcher::new(&sought.0)),
            At::Ply(_) | At::End => None,
        }
    }

    /// Returns the half-moves before the position.
    fn ply(&self, game: &Game, matcher: Option<&mut Matcher>) -> Result<usize, ErrorKind> {
        let plies = game.ply_count();
        let found = match (self, matcher) {
            (At::Ply(wanted), _) => {
                let missing = ErrorKind::NoPly(*wanted, u32::try_from(plies).unwrap_or(u32::MAX));
                return usize::try_from(*wanted).ok().filter(|it| *it <= plies).ok_or(missing);
            }
            (At::Match(_), Some(matcher)) => matcher.find(game)?.plies().next(),
            (At::Match(_), None) => None,
            (At::End, _) => return Ok(plies),
        };
        found.and_then(|ply| usize::try_from(ply).ok()).ok_or(ErrorKind::NoPosition)
    }

    /// Replaces the moves of a game with its position here. The tag `Epd_sm` has the next move.
    pub(super) fn take(
        &self,
        game: &mut Game,
        matcher: Option<&mut Matcher>,
    ) -> Result<(), ErrorKind> {
        if !game.variant().keeps_boards() {
            return Err(ErrorKind::NoBoards);
        }
        let ply = self.ply(game, matcher)?;
        let mut position = game.start_position();
        let mut moves = game.main_line();
        moves.by_ref().take(ply).for_each(|m| position.apply(m));
        let next = moves.next();
        drop(moves);
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
