//! Searches for games without a tag.

use std::str::FromStr;

use chess_core::{Color, Game, Header, TYPED_TAGS};

use crate::QueryError;
use crate::tag::rated;

/// A tag whose value is unknown: it is not there, or its value is empty, `?`, `-` or `????.??.??`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTag {
    name: String,
}

impl MissingTag {
    /// Parses the name of a tag. Case does not matter.
    ///
    /// # Errors
    /// [`QueryError`] if this can be no name of a tag.
    pub fn parse(text: &str) -> Result<MissingTag, QueryError> {
        if text.is_empty() {
            return Err(QueryError::Empty);
        }
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        if !text.chars().all(is_name) {
            return Err(QueryError::unreadable(text, "the name of a tag, as WhiteElo"));
        }
        // The typed fields have these exact names.
        let typed = TYPED_TAGS.into_iter().find(|name| name.eq_ignore_ascii_case(text));
        Ok(MissingTag { name: typed.unwrap_or(text).to_owned() })
    }

    pub(super) fn is_of_header(&self) -> bool {
        TYPED_TAGS.contains(&&*self.name)
    }

    /// Returns which rating the tag is, if it is one.
    pub(super) fn rated(&self) -> Option<Color> {
        rated(&self.name)
    }

    /// Returns whether `game` lacks the tag. A start position counts as the tags `FEN` and `SetUp`,
    /// unless it is the usual one.
    #[must_use]
    pub fn holds(&self, game: &Game) -> bool {
        let is_setup = ["FEN", "SetUp"].iter().any(|name| name.eq_ignore_ascii_case(&self.name));
        if is_setup && game.setup().is_some_and(|setup| !setup.is_usual()) {
            return false;
        }
        self.holds_in(&game.header)
    }

    pub(super) fn holds_in(&self, header: &Header) -> bool {
        match &*self.name {
            "WhiteElo" => header.white_elo.is_none(),
            "BlackElo" => header.black_elo.is_none(),
            "ECO" => header.eco.is_none(),
            "Date" => header.date.is_unknown(),
            "EventDate" => header.event_date.is_none_or(|date| date.is_unknown()),
            _ => self.is_unset(header),
        }
    }

    fn is_unset(&self, header: &Header) -> bool {
        let mut is_known = false;
        header.for_each_tag(|name, value| {
            is_known |= name.eq_ignore_ascii_case(&self.name)
                && value.to_string().chars().any(|c| !matches!(c, '?' | '.' | '-' | ' '));
        });
        !is_known
    }
}

impl FromStr for MissingTag {
    type Err = QueryError;

    /// Calls [`parse`](MissingTag::parse).
    fn from_str(text: &str) -> Result<MissingTag, QueryError> {
        MissingTag::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_if_value_says_nothing() {
        let mut game = Game::new();
        game.header.set("White", "Tal");
        game.header.set("WhiteElo", "");
        game.header.set("BlackElo", "2700");
        game.header.set("Annotator", "-");
        game.header.set("EventDate", "????.??.??");
        game.header.set("Round", "1");
        for (name, holds) in [
            ("white", false),
            ("Black", true),
            ("whiteelo", true),
            ("BlackElo", false),
            ("ECO", true),
            ("Date", true),
            ("EventDate", true),
            ("Annotator", true),
            ("TimeControl", true),
            ("Round", false),
            ("FEN", true),
            ("Result", false),
        ] {
            assert_eq!(MissingTag::parse(name).unwrap().holds(&game), holds, "{name}");
        }
        game.set_start_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
        assert!(MissingTag::parse("FEN").unwrap().holds(&game));
        game.set_start_fen("8/8/8/8/8/8/8/K1k5 w - - 0 1").unwrap();
        for name in ["fen", "SETUP"] {
            assert!(!MissingTag::parse(name).unwrap().holds(&game), "{name}");
        }
    }

    #[test]
    fn parse_text_that_is_no_name_is_error() {
        assert_eq!(MissingTag::parse(""), Err(QueryError::Empty));
        assert!("White Elo".parse::<MissingTag>().is_err());
    }
}
