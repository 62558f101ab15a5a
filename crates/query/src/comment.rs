//! Searches in comments.

use std::str::FromStr;

use chess_core::{Game, Token};
use chess_store::Word;
use regex::Regex;

use crate::{QueryError, tag};

/// A regular expression that one comment of a game must match.
#[derive(Clone, Debug)]
pub struct CommentTest {
    pattern: Regex,
    /// The expression, if it is letters, digits and blanks of ASCII. Texts in ASCII are then searched
    /// without the regular expression, which is slower.
    word: Option<Word>,
    /// The longest part of `word` without blanks.
    part: Option<Word>,
}

impl CommentTest {
    /// Parses a regular expression. It matches any part of a comment and ignores case; use `^`, `$` and
    /// `(?-i)` to change this. Commands such as `[%clk 0:10:00]` are part of a comment.
    ///
    /// # Errors
    /// [`QueryError`] if the expression is empty or invalid.
    pub fn parse(text: &str) -> Result<CommentTest, QueryError> {
        let pattern = tag::regex(text)?;
        let word = Word::new(text);
        let longest = text.split(' ').max_by_key(|part| part.len());
        let part = word.as_ref().and_then(|_| Word::new(longest?));
        Ok(CommentTest { pattern, word, part })
    }

    /// Returns a word that each matching comment has, if the expression tells one.
    pub(super) fn word(&self) -> Option<&Word> {
        self.part.as_ref()
    }

    /// Returns whether a comment of `game` matches, on any line.
    #[must_use]
    pub fn holds(&self, game: &Game) -> bool {
        game.tokens().any(|token| match token {
            Token::Comment(text) => self.is_match(text),
            _ => false,
        })
    }

    fn is_match(&self, text: &str) -> bool {
        match &self.word {
            Some(word) if text.is_ascii() => word.is_in(text.as_bytes()),
            // Letters beyond ASCII can be equal to ASCII letters, as the Kelvin sign to k.
            _ => self.pattern.is_match(text),
        }
    }
}

impl FromStr for CommentTest {
    type Err = QueryError;

    /// Calls [`parse`](CommentTest::parse).
    fn from_str(text: &str) -> Result<CommentTest, QueryError> {
        CommentTest::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_tests_each_comment_alone() {
        let mut game = Game::new();
        game.push_move("e2e4".parse().unwrap());
        game.push_comment("A Blunder [%eval -3.5]").unwrap();
        game.push_move("e7e5".parse().unwrap());
        game.start_variation().unwrap();
        game.push_move("c7c5".parse().unwrap());
        game.push_comment("better").unwrap();
        game.close_variations();
        for (pattern, holds) in [
            ("blunder", true),
            ("(?-i)blunder", false),
            ("^better$", true),
            ("%eval -[3-9]", true),
            ("blunder.*better", false),
            ("\\bworse\\b", false),
        ] {
            assert_eq!(CommentTest::parse(pattern).unwrap().holds(&game), holds, "{pattern}");
        }
        assert!(!CommentTest::parse(".").unwrap().holds(&Game::new()));
    }

    #[test]
    fn is_match_plain_word_agrees_with_regular_expression() {
        for word in ["kasparov", "KASPAROV", "k", "vs karpov", "7"] {
            let test = CommentTest::parse(word).unwrap();
            assert!(test.word.is_some(), "{word}");
            for text in ["Kasparov vs Karpov 1987", "kaspar ov", "\u{212a}asparov", "é k", "", "K"]
            {
                assert_eq!(test.is_match(text), test.pattern.is_match(text), "{word} in {text}");
            }
        }
        for pattern in ["k.", "^k", "é", "(?-i)k"] {
            assert!(CommentTest::parse(pattern).unwrap().word.is_none(), "{pattern}");
        }
    }

    #[test]
    fn parse_empty_or_invalid_expression_is_error() {
        assert!(matches!(CommentTest::parse(""), Err(QueryError::Empty)));
        assert!(matches!("(".parse::<CommentTest>(), Err(QueryError::Regex(_))));
    }
}
