//! Builds a filter from names and values, for callers without a command line.

use std::sync::Arc;

use crate::QueryError;
use crate::criteria::{CRITERIA, Criterion, Filter, yes_or_no};
use crate::spelling::Spelling;

/// Names or values that do not form a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NamedError {
    /// No filter has this name.
    #[error("no filter is called {0:?}; they are {known}", known = Filter::names().collect::<Vec<_>>().join(", "))]
    Name(String),
    /// The value is invalid.
    #[error("{name}: {error}")]
    Value {
        /// Name of the filter.
        name: String,
        /// The error in its value.
        error: QueryError,
    },
    /// The spelling file cannot be read.
    #[error("spelling: {path}: {reason}")]
    Spelling {
        /// The path of the file, as given.
        path: String,
        /// The error, with its line.
        reason: String,
    },
    /// More than one spelling file.
    #[error("spelling names one file, and is given twice")]
    SeveralSpellings,
    /// `variations` without a position to look for in them.
    #[error("variations needs position: it says where to look for one")]
    NoPosition,
    /// `against` or `outcome` without a player.
    #[error("{0} needs player: it concerns that player's games")]
    NoPlayer(&'static str),
    /// `mirrored` without anything to mirror.
    #[error("mirrored needs position, pattern or material")]
    NoBoard,
}

impl Filter {
    /// Returns the names that [`named`](Filter::named) accepts: of the [`CRITERIA`], and `exact` and
    /// `spelling`. They equal the names of the program's options.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        CRITERIA.iter().map(|criterion| criterion.name).chain(["exact", "spelling"])
    }

    /// Adds a criterion, by the name and in the syntax of the program's option. A repeated call adds an
    /// alternative.
    ///
    /// # Errors
    /// [`NamedError`]
    pub fn with(mut self, name: &str, value: &str) -> Result<Filter, NamedError> {
        self.add(name, value, false)?;
        Ok(self)
    }

    /// Builds a filter from names and values. Each value has the syntax of the program's option of
    /// that name. `exact`, `variations`, `deleted` and `annotated` take `yes` or `no`. `spelling` takes
    /// the path of a spelling file, which is read at once; a caller that has its text uses
    /// [`spelt`](Filter::spelt). A name other than `spelling` may occur several times.
    ///
    /// ```
    /// use query::Filter;
    ///
    /// let filter = Filter::named([("player", "carlsen m"), ("date", "2019-05..2021")])?;
    /// assert!(Filter::named([("colour", "white")]).is_err());
    /// # Ok::<(), query::NamedError>(())
    /// ```
    ///
    /// # Errors
    /// [`NamedError`]
    pub fn named<'a>(
        given: impl IntoIterator<Item = (&'a str, &'a str), IntoIter: Clone>,
    ) -> Result<Filter, NamedError> {
        let given = given.into_iter();
        let mut exact = false;
        for (_, value) in given.clone().filter(|(name, _)| *name == "exact") {
            exact = yes_or_no(value).map_err(|error| wrong("exact", error))?;
        }
        let mut filter = Filter::default();
        let mut spelling = None;
        for (name, value) in given {
            if name == "spelling" {
                if spelling.is_some() {
                    return Err(NamedError::SeveralSpellings);
                }
                spelling = Some(value);
                continue;
            }
            if name != "exact" {
                filter.add(name, value, exact)?;
            }
        }
        if filter.in_variations && filter.positions.is_empty() && !filter.mirrored.asks_position() {
            return Err(NamedError::NoPosition);
        }
        if filter.mirrored.is_idle() {
            return Err(NamedError::NoBoard);
        }
        if filter.player.is_empty() {
            if !filter.against.is_empty() {
                return Err(NamedError::NoPlayer("against"));
            }
            if !filter.outcomes.is_empty() {
                return Err(NamedError::NoPlayer("outcome"));
            }
        }
        match spelling {
            Some(path) => Ok(filter.spelt(&spelling_file(path)?)),
            None => Ok(filter),
        }
    }

    fn add(&mut self, name: &str, value: &str, exact: bool) -> Result<(), NamedError> {
        let criterion = Criterion::named(name).ok_or_else(|| NamedError::Name(name.to_owned()))?;
        criterion.add(self, value, exact).map_err(|error| wrong(name, error))
    }
}

/// Reads the spelling file at `path`.
fn spelling_file(path: &str) -> Result<Arc<Spelling>, NamedError> {
    if path.is_empty() {
        return Err(wrong("spelling", QueryError::Empty));
    }
    Spelling::open(path)
        .map(Arc::new)
        .map_err(|error| NamedError::Spelling { path: path.to_owned(), reason: error.to_string() })
}

fn wrong(name: &str, error: QueryError) -> NamedError {
    NamedError::Value { name: name.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    /// A value that each criterion accepts.
    const VALUES: [(&str, &str); 34] = [
        ("games", "3-5"),
        ("player", "a"),
        ("against", "f"),
        ("white", "b"),
        ("black", "c"),
        ("event", "d"),
        ("site", "e"),
        ("date", "1990"),
        ("eco", "B"),
        ("opening", "najdorf"),
        ("elo", "2000.."),
        ("elo-diff", "200.."),
        ("time-class", "blitz"),
        ("base-seconds", "180"),
        ("increment", "0..2.5"),
        ("result", "1-0,draw"),
        ("outcome", "won,lost"),
        ("length", "20.."),
        ("where", "TimeControl=180"),
        ("tag-missing", "ECO"),
        ("moves", "1. e4"),
        ("position", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("variations", "yes"),
        ("material", "KRP-KR"),
        ("pattern", "Pd4 pd5 @20.."),
        ("mirrored", "colors"),
        ("comment", "novelty"),
        ("deleted", "no"),
        ("annotated", "yes"),
        ("ends", "mate"),
        ("has", "underpromotion"),
        ("cql", "mate"),
        ("in-repertoire", "1. e4 *"),
        ("leaves-repertoire", "1. e4 *"),
    ];

    #[test]
    fn named_each_name_sets_its_criterion() {
        assert!(VALUES.iter().map(|(name, _)| *name).eq(CRITERIA.iter().map(|one| one.name)));
        for (name, value) in VALUES {
            let filter = Filter::new().with(name, value).unwrap();
            let given: Vec<&str> = filter.given().iter().map(|criterion| criterion.name).collect();
            assert_eq!(given, [name]);
            assert!(Filter::new().with(name, "").is_err(), "an empty {name}");
        }
        // Mirrored criteria leave their lists.
        let plain = VALUES.into_iter().filter(|(name, _)| *name != "mirrored");
        let filter = Filter::named(plain).unwrap();
        assert_eq!(filter.given().iter().count(), CRITERIA.len() - 1);
    }

    #[test]
    fn named_repeated_names_in_any_order_are_added() {
        let filter = Filter::named([("white", "B a"), ("exact", "yes"), ("white", "C")]).unwrap();
        assert_eq!(filter.white, [Text::exact("B a").unwrap(), Text::exact("C").unwrap()]);
    }

    #[test]
    fn named_invalid_values_is_error() {
        let error = |name, value| Filter::named([(name, value)]).unwrap_err().to_string();
        assert!(error("colour", "x").contains("\"colour\"; they are games, player"));
        assert!(error("date", "1995..1990").starts_with("date: "), "{}", error("date", "x"));
        assert!(error("deleted", "maybe").contains("is not yes or no"));
        assert!(error("variations", "yes").contains("position"));
        assert!(error("against", "Karpov").contains("needs player"));
    }

    #[test]
    fn named_spelling_finds_all_spellings_of_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.ssp");
        let text = "@PLAYER \"., -_*\"\nKorchnoi, Viktor\n  = Keller, V L\n";
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        // The file counts for names before and after it.
        for given in
            [[("spelling", path), ("white", "keller")], [("white", "keller"), ("spelling", path)]]
        {
            let filter = Filter::named(given).unwrap();
            assert!(filter.white[0].is_in("Korchnoi, Viktor") && filter.spelling.is_some());
        }
        let plain = Filter::named([("white", "keller")]).unwrap();
        assert!(!plain.white[0].is_in("Korchnoi, Viktor"));
    }

    #[test]
    fn named_spelling_unreadable_or_given_twice_is_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.ssp");
        std::fs::write(&path, "@PLAYER \"\"\nTal\n@TOWN \"\"\n").unwrap();
        let path = path.to_str().unwrap();
        let error = |given: &[(&'static str, &str)]| {
            Filter::named(given.iter().copied()).unwrap_err().to_string()
        };
        let wrong = error(&[("spelling", path)]);
        assert!(wrong.contains(path) && wrong.contains("@TOWN"), "{wrong}");
        let missing = error(&[("spelling", "/no/names.ssp")]);
        assert!(missing.starts_with("spelling: /no/names.ssp: "), "{missing}");
        assert!(error(&[("spelling", "")]).starts_with("spelling: "));
        assert!(error(&[("spelling", path), ("spelling", path)]).contains("given twice"));
    }

    #[test]
    fn named_random_values_are_accepted_or_refused() {
        // A linear congruential generator: the same values in each run.
        let mut state = 1u64;
        let mut next = |most: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(state >> 33).unwrap() % most
        };
        let letters: Vec<char> = "KQRBNPkpa1e48.?*+-:/[]^!@,<>= wé9".chars().collect();
        let mut accepted = 0u32;
        let names: Vec<&str> = Filter::names().collect();
        for _ in 0..20_000 {
            let name = names[next(names.len())];
            let length = 1 + next(12);
            let value: String = (0..length).map(|_| letters[next(letters.len())]).collect();
            accepted += u32::from(Filter::named([(name, &*value)]).is_ok());
        }
        assert!(accepted > 1000, "{accepted}");
    }
}
