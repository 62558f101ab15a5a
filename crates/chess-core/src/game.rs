//! Games: a header, an optional start position, and a flat list of tokens.

use alloc::string::String;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::slice;

use crate::fen::FenError;
use crate::header::Header;
use crate::moves::Move;
use crate::position::Position;
use crate::values::Nag;

/// A game with its tokens in PGN order.
///
/// A variation is an alternative to the last move before it on its level. Its tokens are between
/// [`Token::VariationStart`] and [`Token::VariationEnd`], which are always balanced. A comment
/// keeps its place among the tokens.
///
/// A `Game` is meant to be reused. [`clear`](Game::clear) keeps its buffers, so that decoding many
/// games needs no allocations.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Players, site, result and all other tags.
    pub header: Header,
    setup: Option<Setup>,
    line: Vec<Item>,
    comments: String,
    /// Number of open variations.
    depth: u32,
    /// Whether the innermost open level has a move that a variation can replace.
    replaceable: bool,
    variations: u32,
}

/// A custom start position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    position: Position,
    fen: String,
}

impl Setup {
    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns whether this is the usual start position, which other games have without a FEN.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        self.position.same_position(&Position::start())
    }

    /// The FEN as given by the source. It may contain less or more than the position.
    #[must_use]
    pub fn fen(&self) -> &str {
        &self.fen
    }
}

/// One token of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Token<'a> {
    /// A move; [`Move::NULL`] is one.
    Move(Move),
    /// A NAG for the move before it.
    Nag(Nag),
    /// The text of a comment, without braces.
    Comment(&'a str),
    /// The start of an alternative to the last move of this level. It starts from the position
    /// before that move.
    VariationStart,
    /// The end of the innermost variation. The line continues after the replaced move.
    VariationEnd,
}

/// A stored token. Comments are ranges of `Game::comments`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Move(Move),
    Nag(Nag),
    Comment { start: u32, end: u32 },
    VariationStart,
    VariationEnd,
}

impl Item {
    #[inline]
    fn token(self, comments: &str) -> Token<'_> {
        match self {
            Item::Move(m) => Token::Move(m),
            Item::Nag(nag) => Token::Nag(nag),
            Item::Comment { start, end } => {
                Token::Comment(comments.get(start as usize..end as usize).unwrap_or_default())
            }
            Item::VariationStart => Token::VariationStart,
            Item::VariationEnd => Token::VariationEnd,
        }
    }
}

/// The error for a token in an invalid place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// A variation starts before the first move of its level.
    #[error("a variation starts where there is no move to replace")]
    NothingToReplace,
    /// A variation ends that has not started.
    #[error("a variation ends that was never started")]
    NotOpen,
    /// The comments exceed 4 GiB.
    #[error("the comments of one game exceed 4 GiB")]
    TooMuchText,
}

impl Game {
    /// Creates an empty game from the standard start position.
    #[must_use]
    pub fn new() -> Game {
        Game::default()
    }

    /// Clears the game and keeps its buffers.
    pub fn clear(&mut self) {
        self.header.clear();
        self.clear_line();
    }

    /// Removes the start position and all tokens, but keeps the header.
    pub fn clear_line(&mut self) {
        self.setup = None;
        self.line.clear();
        self.comments.clear();
        self.depth = 0;
        self.replaceable = false;
        self.variations = 0;
    }

    /// Returns the approximate memory size of tokens, comments and tags in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let line = self.line.len().saturating_mul(size_of::<Item>());
        let Header { event, site, round, white, black, tags, .. } = &self.header;
        let roster = [event, site, round, white, black].map(String::len);
        let roster = roster.into_iter().fold(tags.size(), usize::saturating_add);
        line.saturating_add(self.comments.len()).saturating_add(roster)
    }

    /// Clears and frees the buffers larger than `most` bytes. Without this, every reused game would
    /// come to hold the memory of the largest game.
    pub fn trim(&mut self, most: usize) {
        let line = self.line.capacity().saturating_mul(size_of::<Item>());
        if line > most || self.comments.capacity() > most || self.header.tags.capacity() > most {
            *self = Game::new();
        }
    }

    /// Returns the custom start position, if the game has one.
    #[must_use]
    pub fn setup(&self) -> Option<&Setup> {
        self.setup.as_ref()
    }

    /// Returns the start position of the game.
    #[must_use]
    pub fn start_position(&self) -> Position {
        match &self.setup {
            Some(setup) => setup.position,
            None => Position::start(),
        }
    }

    /// Sets a custom start position.
    pub fn set_start(&mut self, position: Position) {
        self.setup = Some(Setup { position, fen: position.to_fen() });
    }

    /// Sets the start position from a FEN and keeps its text. If the FEN has pieces in hand, only
    /// the board is used; see [`Variant::from_fen`](crate::Variant::from_fen).
    ///
    /// # Errors
    /// [`FenError`] if the text is not a FEN. The game is then unchanged.
    pub fn set_start_fen(&mut self, fen: &str) -> Result<(), FenError> {
        let position = crate::fen::position_of_game(fen)?;
        self.setup = Some(Setup { position, fen: String::from(fen) });
        Ok(())
    }

    /// See [`drop_stray_castling`](Game::drop_stray_castling).
    pub(crate) fn forbid_stray_castling(&mut self) {
        if let Some(setup) = &mut self.setup {
            setup.position.forbid_stray_castling();
        }
    }

    /// Appends a move.
    #[inline]
    pub fn push_move(&mut self, m: Move) {
        self.replaceable = true;
        self.line.push(Item::Move(m));
    }

    /// Appends moves, one after the other.
    pub fn push_moves(&mut self, moves: &[Move]) {
        self.replaceable |= !moves.is_empty();
        self.line.extend(moves.iter().map(|m| Item::Move(*m)));
    }

    /// Appends a NAG.
    #[inline]
    pub fn push_nag(&mut self, nag: Nag) {
        self.line.push(Item::Nag(nag));
    }

    /// Appends a comment.
    ///
    /// # Errors
    /// [`LineError::TooMuchText`] beyond 4 GiB in one game.
    pub fn push_comment(&mut self, text: &str) -> Result<(), LineError> {
        let start = u32::try_from(self.comments.len());
        let end = self.comments.len().checked_add(text.len()).map(u32::try_from);
        let (Ok(start), Some(Ok(end))) = (start, end) else {
            return Err(LineError::TooMuchText);
        };
        self.comments.push_str(text);
        self.line.push(Item::Comment { start, end });
        Ok(())
    }

    /// Starts an alternative to the last move of the current level.
    ///
    /// # Errors
    /// [`LineError::NothingToReplace`] if the level has no move yet.
    pub fn start_variation(&mut self) -> Result<(), LineError> {
        if !self.replaceable {
            return Err(LineError::NothingToReplace);
        }
        self.depth = self.depth.saturating_add(1);
        self.variations = self.variations.saturating_add(1);
        self.replaceable = false;
        self.line.push(Item::VariationStart);
        Ok(())
    }

    /// Ends the innermost variation.
    ///
    /// # Errors
    /// [`LineError::NotOpen`] on the main line.
    pub fn end_variation(&mut self) -> Result<(), LineError> {
        self.depth = self.depth.checked_sub(1).ok_or(LineError::NotOpen)?;
        // The enclosing level has a move: the one that the variation replaces.
        self.replaceable = true;
        self.line.push(Item::VariationEnd);
        Ok(())
    }

    /// Removes the innermost open variation if it has no move. Its comments move behind the move
    /// that it was to replace, if `keep_comments` is true. Returns `false` on the main line, or if
    /// the variation has a move.
    pub fn drop_empty_variation(&mut self, keep_comments: bool) -> bool {
        if self.depth == 0 || self.replaceable {
            return false;
        }
        // Without a move it contains no other variation, so this is its own start.
        let Some(start) = self.line.iter().rposition(|item| *item == Item::VariationStart) else {
            return false;
        };
        let mut end = start;
        for place in start..self.line.len() {
            let Some(item @ Item::Comment { start: text, .. }) = self.line.get(place).copied()
            else {
                continue;
            };
            if !keep_comments {
                self.comments.truncate(text as usize);
                break;
            }
            if let Some(to) = self.line.get_mut(end) {
                *to = item;
            }
            end = end.saturating_add(1);
        }
        self.line.truncate(end);
        self.depth = self.depth.saturating_sub(1);
        self.variations = self.variations.saturating_sub(1);
        self.replaceable = true;
        true
    }

    /// Ends every open variation, for example after damage. Returns their number.
    pub fn close_variations(&mut self) -> u32 {
        let open = self.depth;
        while self.end_variation().is_ok() {}
        open
    }

    /// Appends a token of another game.
    ///
    /// # Errors
    /// The errors of the method for that kind of token.
    pub fn push(&mut self, token: Token<'_>) -> Result<(), LineError> {
        match token {
            Token::Move(m) => self.push_move(m),
            Token::Nag(nag) => self.push_nag(nag),
            Token::Comment(text) => return self.push_comment(text),
            Token::VariationStart => return self.start_variation(),
            Token::VariationEnd => return self.end_variation(),
        }
        Ok(())
    }

    /// Iterates over the tokens in order.
    #[inline]
    pub fn tokens(&self) -> Tokens<'_> {
        Tokens { items: self.line.iter(), comments: &self.comments }
    }

    /// Returns the token with this index, from 0.
    #[must_use]
    #[inline]
    pub fn token(&self, place: usize) -> Option<Token<'_>> {
        self.line.get(place).map(|item| item.token(&self.comments))
    }

    /// Returns the texts of all comments, concatenated. This is for searching all comments at once.
    #[must_use]
    pub fn all_comments(&self) -> &str {
        &self.comments
    }

    /// Returns the number of open variations at the end.
    #[must_use]
    pub fn open_variations(&self) -> u32 {
        self.depth
    }

    /// Returns the number of variations, at any depth.
    #[must_use]
    pub fn variation_count(&self) -> u32 {
        self.variations
    }

    /// Returns the number of plies of the main line.
    #[must_use]
    pub fn ply_count(&self) -> usize {
        if self.variations == 0 {
            return self.line.iter().filter(|item| matches!(item, Item::Move(_))).count();
        }
        self.main_line().count()
    }

    /// Iterates over the moves of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = Move> + '_ {
        MainLine { items: self.line.iter(), depth: 0 }
    }
}

/// The iterator of [`Game::main_line`].
struct MainLine<'a> {
    items: slice::Iter<'a, Item>,
    depth: u32,
}

impl Iterator for MainLine<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        loop {
            match self.items.next()? {
                Item::Move(m) if self.depth == 0 => return Some(*m),
                Item::VariationStart => self.depth = self.depth.saturating_add(1),
                Item::VariationEnd => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }
}

impl PartialEq for Game {
    /// Compares headers, start positions (as FEN text) and tokens.
    fn eq(&self, other: &Game) -> bool {
        self.header == other.header
            && self.setup == other.setup
            && self.line.len() == other.line.len()
            && self.tokens().eq(other.tokens())
    }
}

impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.header, &self.setup, self.line.len()).hash(state);
        self.tokens().for_each(|token| token.hash(state));
    }
}

/// An iterator over the tokens of a game; see [`Game::tokens`].
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    items: core::slice::Iter<'a, Item>,
    comments: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        self.items.next().map(|item| item.token(self.comments))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl ExactSizeIterator for Tokens<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::vec;

    fn e4() -> Move {
        "e2e4".parse().unwrap()
    }

    #[test]
    fn start_variation_without_move_is_error() {
        let mut game = Game::new();
        assert_eq!(game.start_variation(), Err(LineError::NothingToReplace));
        game.push_comment("before").unwrap();
        assert_eq!(game.start_variation(), Err(LineError::NothingToReplace));
        game.push_move(e4());
        game.start_variation().unwrap();
        assert_eq!(game.start_variation(), Err(LineError::NothingToReplace));
        game.end_variation().unwrap();
        assert_eq!(game.end_variation(), Err(LineError::NotOpen));
        game.start_variation().unwrap();
        game.push_move(e4());
        game.start_variation().unwrap();
        assert_eq!(game.close_variations(), 2);
        assert_eq!((game.open_variations(), game.variation_count(), game.ply_count()), (0, 3, 1));
    }

    #[test]
    fn clear_game_equals_new_game() {
        let tokens = [
            Token::Comment("a"),
            Token::Move(e4()),
            Token::Nag(Nag(300)),
            Token::Comment(""),
            Token::VariationStart,
            Token::Move(Move::NULL),
            Token::VariationEnd,
        ];
        let mut game = Game::new();
        for token in tokens {
            game.push(token).unwrap();
        }
        assert_eq!(game.tokens().collect::<Vec<_>>(), tokens);
        assert_eq!(game.main_line().collect::<Vec<_>>(), vec![e4()]);
        assert_eq!(game.ply_count(), 1);
        game.set_start_fen("4k3/8/8/8/8/8/8/4K3 w").unwrap();
        game.clear();
        assert_eq!(game, Game::new());
        assert_eq!(game.start_variation(), Err(LineError::NothingToReplace));
    }

    #[test]
    fn ply_count_without_variations_counts_moves_only() {
        let mut game = Game::new();
        assert_eq!(game.ply_count(), 0);
        game.push_comment("a").unwrap();
        game.push_moves(&[e4(), Move::NULL]);
        game.push_nag(Nag(1));
        assert_eq!(game.ply_count(), 2);
        game.start_variation().unwrap();
        game.push_move(e4());
        assert_eq!(game.ply_count(), 2);
    }

    #[test]
    fn drop_empty_variation_keeps_or_drops_its_comments() {
        for (keep, left) in [(true, vec!["a", "b"]), (false, vec![])] {
            let mut game = Game::new();
            game.push_move(e4());
            assert!(!game.drop_empty_variation(keep), "on the main line");
            game.start_variation().unwrap();
            game.push_comment("a").unwrap();
            game.push_nag(Nag(1));
            game.push_comment("b").unwrap();
            assert!(game.drop_empty_variation(keep));
            let texts = game.tokens().filter_map(|token| match token {
                Token::Comment(text) => Some(text),
                _ => None,
            });
            assert_eq!(texts.collect::<Vec<_>>(), left);
            assert_eq!(game.all_comments(), left.concat());
            assert_eq!((game.open_variations(), game.variation_count()), (0, 0));
            game.start_variation().unwrap();
            game.push_move(e4());
            assert!(!game.drop_empty_variation(keep), "there is a move");
        }
    }

    #[test]
    fn set_fen_keeps_its_text() {
        let mut game = Game::new();
        let fen = "4k3/8/8/8/8/8/8/4K3 b KQkq";
        game.set_start_fen(fen).unwrap();
        assert_eq!(game.setup().map(Setup::fen), Some(fen));
        assert_eq!(game.start_position().to_fen(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
        assert!(game.set_start_fen("nonsense").is_err());
        assert_eq!(game.setup().map(Setup::fen), Some(fen));
    }
}
