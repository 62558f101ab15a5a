//! Tests of tag values.

use std::str::FromStr;

use chess_core::{Color, Elo, Game, Header, TYPED_TAGS};
use regex::{Regex, RegexBuilder};

use crate::QueryError;
use crate::compare::{Comparison, Relation};
use crate::filter::HeaderMatch;

/// A test of the value of a tag: by a regular expression, or by a comparison.
#[derive(Clone, Debug)]
pub struct TagTest {
    name: String,
    test: Test,
    /// Whether the tag is a typed field of [`Header`].
    pub(super) is_of_header: bool,
}

#[derive(Clone, Debug)]
enum Test {
    /// The value must match, or must not match.
    Matches {
        pattern: Regex,
        wanted: bool,
    },
    Compares(Comparison),
}

/// Size limit of a compiled pattern in bytes.
const MOST: usize = 1 << 20;

impl TagTest {
    /// Parses `TAG=PATTERN` or `TAG!=PATTERN`. The pattern matches any part of the value and
    /// ignores case; use `^`, `$` and `(?-i)` to change this. A game without the tag does not
    /// match, so `!=` selects it. Tag names ignore case.
    ///
    /// `TAG==TEXT` and `TAG!==TEXT` compare the whole value with a text, letter by letter.
    ///
    /// `TAG<VALUE`, `TAG<=VALUE`, `TAG>VALUE` and `TAG>=VALUE` compare numbers, or dates of tags whose
    /// names end with `Date`. A value that is no number and no date does not match.
    ///
    /// # Errors
    /// [`QueryError`] if the tag name is missing, the regular expression is invalid, or the comparison
    /// has no meaning for the tag.
    pub fn parse(text: &str) -> Result<TagTest, QueryError> {
        let missing = || {
            QueryError::unreadable(text, "TAG=REGEX, TAG==TEXT or TAG>=NUMBER, as WhiteElo>=2500")
        };
        if let Some((name, relation, value)) = Relation::split(text) {
            if !is_name(name) {
                return Err(missing());
            }
            let test = Test::Compares(Comparison::new(name, relation, value)?);
            return Ok(TagTest::new(name, test));
        }
        let (name, pattern) = text.split_once('=').ok_or_else(missing)?;
        let (name, wanted) = name.strip_suffix('!').map_or((name, true), |name| (name, false));
        if !is_name(name) {
            return Err(missing());
        }
        let pattern = match pattern.strip_prefix('=') {
            Some("") => return Err(QueryError::Empty),
            Some(text) => regex(&format!(r"\A(?-i:{})\z", regex::escape(text)))?,
            None => regex(pattern)?,
        };
        Ok(TagTest::new(name, Test::Matches { pattern, wanted }))
    }

    fn new(name: &str, test: Test) -> TagTest {
        let is_of_header = TYPED_TAGS.iter().any(|typed| typed.eq_ignore_ascii_case(name));
        TagTest { name: name.to_owned(), test, is_of_header }
    }

    /// Returns the likely mistake: a pattern that looks like a text and does not find this text, as `180+2`.
    pub(super) fn warning(&self) -> Option<String> {
        let Test::Matches { pattern, wanted } = &self.test else { return None };
        let text = pattern.as_str();
        let text = text.strip_prefix('^').unwrap_or(text);
        let text = text.strip_suffix('$').unwrap_or(text);
        let is_plain = |letter: char| letter.is_alphanumeric() || " +()?.,:/'-".contains(letter);
        if !text.chars().all(is_plain) || pattern.is_match(text) {
            return None;
        }
        let (name, sign) = (&self.name, if *wanted { "" } else { "!" });
        Some(format!(
            "{name}{sign}={} is a regular expression and does not find {text}; \
             for this text write {name}{sign}=={text}",
            pattern.as_str()
        ))
    }

    fn is_named(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case(&self.name)
    }

    /// Returns whether `game` passes the test. A start position counts as the tags `FEN` and
    /// `SetUp`, unless it is the usual one.
    #[must_use]
    pub fn holds(&self, game: &Game) -> bool {
        self.judge(game) == HeaderMatch::Selected
    }

    pub(super) fn judge(&self, game: &Game) -> HeaderMatch {
        match game.setup().filter(|setup| !setup.is_usual()) {
            Some(setup) if self.is_named("FEN") => self.judge_values(|each| each(setup.fen())),
            Some(_) if self.is_named("SetUp") => self.judge_values(|each| each("1")),
            _ => self.judge_header(&game.header),
        }
    }

    /// Judges a rating of the index, or that there is none. `None` if the test is of another kind, which
    /// needs the text of the tag.
    pub(super) fn judge_rating(&self, rating: Option<Elo>) -> Option<HeaderMatch> {
        match (&self.test, rating) {
            (Test::Compares(comparison), Some(rating)) => {
                comparison.judge_number(rating.get().into())
            }
            (Test::Compares(_), None) => Some(HeaderMatch::Rejected),
            (Test::Matches { .. }, _) => None,
        }
    }

    /// Returns which rating the tag is, if it is one.
    pub(super) fn rated(&self) -> Option<Color> {
        rated(&self.name)
    }

    pub(super) fn judge_header(&self, header: &Header) -> HeaderMatch {
        if let Test::Compares(comparison) = &self.test {
            // The field knows the order of day and month.
            let date = match &*self.name {
                "Date" => Some(header.date),
                "EventDate" => Some(header.event_date.unwrap_or_default()),
                _ => None,
            };
            if let Some(date) = date {
                return comparison.judge_date(date);
            }
            // The field has the number of `2500*`.
            let rating = self.rated().map(|color| match color {
                Color::White => header.white_elo,
                Color::Black => header.black_elo,
            });
            if let Some(outcome) = rating.and_then(|rating| self.judge_rating(rating)) {
                return outcome;
            }
        }
        self.judge_values(|each| {
            header.for_each_tag(|name, value| {
                if self.is_named(name) {
                    match value.as_str() {
                        Some(text) => each(text),
                        None => each(&value.to_string()),
                    }
                }
            });
        })
    }

    /// Judges the values that `for_each` passes on: one of them must fit.
    fn judge_values(&self, for_each: impl FnOnce(&mut dyn FnMut(&str))) -> HeaderMatch {
        let mut outcome = HeaderMatch::Rejected;
        for_each(&mut |value| {
            if outcome != HeaderMatch::Selected {
                outcome = match &self.test {
                    Test::Compares(comparison) => comparison.judge(value),
                    Test::Matches { pattern, .. } => HeaderMatch::of(pattern.is_match(value)),
                };
            }
        });
        match &self.test {
            Test::Matches { wanted, .. } => {
                HeaderMatch::of((outcome == HeaderMatch::Selected) == *wanted)
            }
            Test::Compares(_) => outcome,
        }
    }
}

/// Returns whose rating the tag of this name is: `WhiteElo`, `BlackElo`.
pub(super) fn rated(name: &str) -> Option<Color> {
    let is = |own: &str| name.eq_ignore_ascii_case(own);
    match () {
        () if is("WhiteElo") => Some(Color::White),
        () if is("BlackElo") => Some(Color::Black),
        () => None,
    }
}

fn is_name(name: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() || letter == '_';
    !name.is_empty() && name.chars().all(fits)
}

/// Compiles a regular expression that ignores case.
pub(super) fn regex(pattern: &str) -> Result<Regex, QueryError> {
    if pattern.is_empty() {
        return Err(QueryError::Empty);
    }
    let built = RegexBuilder::new(pattern).case_insensitive(true).size_limit(MOST).build();
    built.map_err(|error| QueryError::Regex(error.to_string()))
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
        game.header.set("BlackElo", "2500*");
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
            ("SetUp>=1", true),
            ("Round<5", false),
            ("WhiteElo<3000", false),
            ("BlackElo>=2500", true),
            ("blackelo=\\*", true),
            ("White==Carlsen, Magnus", true),
            ("White==Carlsen", false),
            ("white==carlsen, magnus", false),
            ("White!==Carlsen", true),
            ("White!==Carlsen, Magnus", false),
            ("BlackElo==2500*", true),
            ("BlackElo==2500", false),
            ("BlackTitle==GM", false),
            ("BlackTitle!==GM", true),
            ("SetUp==1", true),
        ] {
            assert_eq!(TagTest::parse(test).unwrap().holds(&game), holds, "{test}");
        }
        for wrong in
            ["White", "=x", "White=", "White==", "White=(", "Wh ite=x", "!=x", "<5", "Wh ite>5"]
        {
            assert!(TagTest::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn warning_text_that_its_pattern_does_not_find_is_told() {
        let warning = |test| TagTest::parse(test).unwrap().warning();
        for (test, text) in [
            ("TimeControl=180+2", "TimeControl==180+2"),
            ("TimeControl=^180+2$", "TimeControl==180+2"),
            ("TimeControl!=180+2", "TimeControl!==180+2"),
            ("White=Smith (USA)", "White==Smith (USA)"),
        ] {
            assert!(
                warning(test).is_some_and(|said| said.ends_with(&format!("write {text}"))),
                "{test}"
            );
        }
        for test in [
            "TimeControl==180+2",
            "TimeControl=^180",
            "TimeControl=180\\+2",
            "TimeControl=[0-9]+",
            "TimeControl=180+",
            "Event=blitz|rapid",
            "Event=World.+Cup",
            "Event=blitz",
            "Round<5",
        ] {
            assert_eq!(warning(test), None, "{test}");
        }
    }
}
