//! Facts about a base as a whole.

use std::fmt;
use std::str::FromStr;

use crate::loss::{Loss, LossKind, Losses};

/// A fact about a base as a whole. Its owner may set it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Fact {
    /// A description that the owner wrote.
    Description,
    /// The kind of games in the base: a name from the list of the format, or a number without a
    /// name.
    Type,
    /// The number of the game to show first, counted from 1. 0 means none. A base whose first game
    /// is shown does not state this fact.
    DefaultGame,
    /// The meaning of a flag of its games. Flags are numbered from 1 to 6.
    FlagLabel(u8),
}

impl Fact {
    /// All facts, in display order.
    pub const ALL: [Fact; 9] = [
        Fact::Description,
        Fact::Type,
        Fact::DefaultGame,
        Fact::FlagLabel(1),
        Fact::FlagLabel(2),
        Fact::FlagLabel(3),
        Fact::FlagLabel(4),
        Fact::FlagLabel(5),
        Fact::FlagLabel(6),
    ];

    /// Returns a stable name in lower case with hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fact::Description => "description",
            Fact::Type => "type",
            Fact::DefaultGame => "default-game",
            Fact::FlagLabel(1) => "flag-1",
            Fact::FlagLabel(2) => "flag-2",
            Fact::FlagLabel(3) => "flag-3",
            Fact::FlagLabel(4) => "flag-4",
            Fact::FlagLabel(5) => "flag-5",
            Fact::FlagLabel(_) => "flag-6",
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a name that no fact has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no fact of a base; there are description, type, default-game, flag-1 to flag-6")]
pub struct UnknownFact(String);

impl FromStr for Fact {
    type Err = UnknownFact;

    /// Parses a [name](Fact::name).
    fn from_str(name: &str) -> Result<Fact, UnknownFact> {
        let found = Fact::ALL.into_iter().find(|fact| fact.name() == name);
        found.ok_or_else(|| UnknownFact(name.to_owned()))
    }
}

/// The facts that a base keeps of itself, each with its value as text.
///
/// ```
/// use chess_store::{About, Fact};
///
/// let mut about = About::default();
/// about.set(Fact::FlagLabel(2), "To study");
/// about.set(Fact::Description, "My games");
/// let all: Vec<_> = about.iter().map(|(fact, value)| format!("{fact}={value}")).collect();
/// assert_eq!(all, ["description=My games", "flag-2=To study"]);
/// about.set(Fact::Description, "");
/// assert_eq!(about.get(Fact::Description), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// Sorted by fact. No value is empty.
    facts: Vec<(Fact, String)>,
}

impl About {
    /// Returns the value of a fact, if it is stated.
    #[must_use]
    pub fn get(&self, fact: Fact) -> Option<&str> {
        self.iter().find(|(known, _)| *known == fact).map(|(_, value)| value)
    }

    /// States a fact. An empty value removes it.
    pub fn set(&mut self, fact: Fact, value: impl Into<String>) {
        let value = value.into();
        self.facts.retain(|(known, _)| *known != fact);
        if !value.is_empty() {
            let place = self.facts.partition_point(|(known, _)| *known < fact);
            self.facts.insert(place, (fact, value));
        }
    }

    /// Iterates over the stated facts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Fact, &str)> {
        self.facts.iter().map(|(fact, value)| (*fact, value.as_str()))
    }

    /// Returns whether no fact is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Copies the facts of another base that are not stated here. Adds the facts that are stated
    /// here with another value to `losses`.
    pub fn merge(&mut self, other: &About, losses: &mut Losses) {
        for (fact, value) in other.iter() {
            match self.get(fact) {
                None => self.set(fact, value),
                Some(known) if known == value => {}
                Some(_) => losses.push(lost(fact, value)),
            }
        }
    }

    /// Adds the facts that a format does not keep to `losses`.
    pub fn lose(&self, losses: &mut Losses, keeps: impl Fn(Fact) -> bool) {
        let gone = self.iter().filter(|(fact, _)| !keeps(*fact));
        losses.extend(gone.map(|(fact, value)| lost(fact, value)));
    }
}

/// Returns the loss of a fact.
fn lost(fact: Fact, value: &str) -> Loss {
    Loss::new(LossKind::BaseFact, format!("{fact}={value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fact_name_parses_back() {
        for fact in Fact::ALL {
            assert_eq!(fact.name().parse(), Ok(fact));
        }
        let error = "flag-7".parse::<Fact>().unwrap_err();
        assert!(error.to_string().starts_with("\"flag-7\" is no fact of a base; there are"));
    }

    #[test]
    fn merge_fact_stated_twice_keeps_the_first() {
        let (mut about, mut other, mut losses) =
            (About::default(), About::default(), Losses::new());
        about.set(Fact::Description, "one");
        about.set(Fact::Type, "Blitz");
        other.set(Fact::Description, "two");
        other.set(Fact::Type, "Blitz");
        other.set(Fact::FlagLabel(1), "x");
        about.merge(&other, &mut losses);
        assert_eq!(about.get(Fact::FlagLabel(1)), Some("x"));
        assert_eq!(about.get(Fact::Description), Some("one"));
        about.lose(&mut losses, |fact| fact != Fact::Type);
        let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
        assert_eq!(losses, ["base-fact: description=two", "base-fact: type=Blitz"]);
    }
}
