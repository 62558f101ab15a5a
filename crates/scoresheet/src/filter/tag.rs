//! Tests of tag values.

use std::str::FromStr;

use chess_core::{Game, Header, TYPED_TAGS};
use regex::{Regex, RegexBuilder};

use super::QueryError;

/// A regular expression that the value of a tag must match, or must not match.
#[derive(Clone, Debug)]
pub struct TagTest {
    name: String,
    pattern: Regex,
    wanted: bool,
}

/// Size limit of a compiled pattern in bytes.
const MOST: usize = 1 << 20;

impl TagTest {
    /// Parses `TAG=PATTERN` or `TAG!=PATTERN`. The pattern matches any part of the value and
    /// ignores case; use `^`, `$` and `(?-i)` to change this. A game without the tag does not
    /// match, so `!=` selects it. Tag names ignore case.
    ///
    /// # Errors
    /// [`QueryError`] if the tag name is missing or the regular expression is invalid.
    pub fn parse(text: &str) -> Result<TagTest, QueryError> {
        let missing =
            || QueryError::unreadable(text, "TAG=REGEX or TAG!=REGEX, as TimeControl=^180");
        let (name, pattern) = text.split_once('=').ok_or_else(missing)?;
        let (name, wanted) = name.strip_suffix('!').map_or((name, true), |name| (name, false));
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(missing());
        }
        if pattern.is_empty() {
            return Err(QueryError::Empty);
        }
        let built = RegexBuilder::new(pattern).case_insensitive(true).size_limit(MOST).build();
        let pattern = built.map_err(|error| QueryError::Regex(error.to_string()))?;
        Ok(TagTest { name: name.to_owned(), pattern, wanted })
    }

    /// Returns whether the tag is a typed field of [`Header`].
    pub(super) fn is_of_header(&self) -> bool {
        TYPED_TAGS.iter().any(|name| self.is_named(name))
    }

    fn is_named(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case(&self.name)
    }

    /// Returns whether `game` passes the test. A start position counts as the tags `FEN` and
    /// `SetUp`.
    #[must_use]
    pub fn holds(&self, game: &Game) -> bool {
        match game.setup() {
            Some(setup) if self.is_named("FEN") => {
                self.pattern.is_match(setup.fen()) == self.wanted
            }
            Some(_) if self.is_named("SetUp") => self.pattern.is_match("1") == self.wanted,
            _ => self.holds_in(&game.header),
        }
    }

    pub(super) fn holds_in(&self, header: &Header) -> bool {
        let mut fits = false;
        header.for_each_tag(|name, value| {
            if !fits && self.is_named(name) {
                fits = match value.as_str() {
                    Some(text) => self.pattern.is_match(text),
                    None => self.pattern.is_match(&value.to_string()),
                };
            }
        });
        fits == self.wanted
    }
}

impl FromStr for TagTest {
    type Err = QueryError;

    /// Calls [`parse`](TagTest::parse).
    fn from_str(text: &str) -> Result<TagTest, QueryError> {
        TagTest::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_str_agrees_with_parse() {
        let test: TagTest = "WhiteTitle=GM".parse().unwrap();
        let mut game = Game::new();
        assert!(!test.holds(&game));
        game.header.set("WhiteTitle", "GM");
        assert!(test.holds(&game));
        assert!("White".parse::<TagTest>().is_err());
    }

    #[test]
    fn holds_on_set_and_missing_tags_follows_pattern() {
        let mut game = Game::new();
        game.header.set("White", "Carlsen, Magnus");
        game.header.set("WhiteTitle", "GM");
        game.set_start_fen("8/8/8/8/8/8/8/K1k5 w - - 0 1").unwrap();
        for (test, holds) in [
            ("White=^carl", true),
            ("white=magnus$", true),
            ("White=(?-i)carl", false),
            ("White!=carl", false),
            ("WhiteTitle=GM|IM", true),
            ("BlackTitle=GM", false),
            ("BlackTitle!=GM", true),
            ("Round=\\?", true),
            ("SetUp=1", true),
            ("fen=^8/8", true),
            ("FEN!=k", false),
        ] {
            assert_eq!(TagTest::parse(test).unwrap().holds(&game), holds, "{test}");
        }
        for wrong in ["White", "=x", "White=", "White=(", "Wh ite=x", "!=x"] {
            assert!(TagTest::parse(wrong).is_err(), "{wrong}");
        }
    }
}
