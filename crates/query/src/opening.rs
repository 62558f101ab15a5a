//! Tests of openings, by name or by the codes of the table of openings.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use chess_core::Position;
use openings::{Opening, fingerprint};

use crate::{Line, QueryError, ranges, sort_key};

/// Openings to search for, whatever the tags of a game say.
///
/// A name stands for positions, and a game has it if its main line passes one of them. A range of codes
/// goes by the last named position of the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningTest {
    /// A bit for each opening of the table, by its number.
    wanted: Arc<[u64]>,
    /// Fingerprints of positions, in rising order.
    positions: Arc<[u64]>,
    by_code: bool,
}

/// Words that tell no opening from another.
const GENERAL: &[&str] = &["defense", "game", "line", "opening", "system", "the", "variation"];
/// The beginnings of words that may be written apart: `Nimzo-Indian`. The Semi-Slav is no Slav.
const BEGINNINGS: &[&str] = &[
    "accelerated",
    "anglo",
    "anti",
    "bogo",
    "delayed",
    "hyperaccelerated",
    "neo",
    "nimzo",
    "semi",
];

/// Names as players say them. Each stands for a name of the table with all below it (`@`), for this name
/// only (`!`), or for moves.
///
/// The table has the names of Lichess; the aliases are common English usage.
const ALIASES: &[(&str, &[&str])] = &[
    ("spanish", &["@Ruy Lopez"]),
    ("spanish exchange|ruy lopez exchange", &["@Ruy Lopez: Exchange Variation"]),
    ("open spanish|open ruy lopez", &["!Ruy Lopez: Open"]),
    ("closed spanish|closed ruy lopez", &["@Ruy Lopez: Closed"]),
    ("berlin|spanish berlin", &["!Ruy Lopez: Berlin Defense"]),
    ("marshall|marshall attack", &["@Ruy Lopez: Marshall Attack"]),
    ("giuoco piano|italian", &["@Italian Game"]),
    ("evans|evans gambit", &["!Italian Game: Evans Gambit"]),
    ("two knights", &["e4 e5 Nf3 Nc6 Bc4 Nf6"]),
    ("petroff|petrov|petrovs|russian", &["e4 e5 Nf3 Nf6"]),
    ("vienna", &["e4 e5 Nc3"]),
    ("center counter|centre counter|scandinavian", &["e4 d5"]),
    ("modern", &["e4 g6"]),
    ("pirc", &["e4 d6 d4 Nf6", "e4 g6 d4 Bg7 Nc3 d6 Nf3 Nf6"]),
    ("french advance", &["!French Defense: Advance Variation"]),
    ("panov|panov attack|panov botvinnik", &["e4 c6 d4 d5 exd5 cxd5 c4"]),
    ("closed sicilian", &["e4 c5 Nc3"]),
    (
        "open sicilian",
        &["e4 c5 Nf3 d6 d4", "e4 c5 Nf3 Nc6 d4", "e4 c5 Nf3 e6 d4", "e4 c5 Nf3 g6 d4"],
    ),
    (
        "dragon",
        &[
            "!Sicilian Defense: Dragon Variation",
            "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6",
            "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 d6 Be2 g6",
            "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6 Nc3 Bg7 Be3 Nf6 Be2 d6",
        ],
    ),
    ("yugoslav attack", &["e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6 Be3 Bg7 f3"]),
    ("english attack", &["@Sicilian Defense: Najdorf Variation, English Attack"]),
    ("moscow|moscow sicilian", &["!Sicilian Defense: Moscow Variation"]),
    ("morra|smith morra", &["e4 c5 d4 cxd4 c3", "@Sicilian Defense: Smith-Morra Gambit Accepted"]),
    (
        "alapin",
        &[
            "e4 c5 c3",
            "e4 c5 Nf3 d6 c3",
            "e4 c5 Nf3 e6 c3",
            "e4 c5 Nf3 Nc6 c3",
            "@Sicilian Defense: Delayed Alapin Variation",
        ],
    ),
    ("qgd", &["@Queen's Gambit Declined"]),
    ("qga|queens gambit accepted", &["d4 d5 c4 dxc4"]),
    (
        "exchange slav",
        &[
            "d4 d5 c4 c6 cxd5 cxd5",
            "d4 d5 c4 c6 Nf3 Nf6 cxd5 cxd5",
            "d4 d5 c4 c6 Nc3 Nf6 cxd5 cxd5",
        ],
    ),
    ("meran", &["@Semi-Slav Defense: Meran Variation"]),
    ("grunfeld", &["@Grünfeld Defense", "@Neo-Grünfeld Defense", "d4 Nf6 c4 g6 f3 d5"]),
    ("qid", &["@Queen's Indian Defense"]),
    ("kid", &["@King's Indian Defense"]),
    ("kia", &["@King's Indian Attack"]),
    ("samisch", &["@King's Indian Defense: Sämisch Variation"]),
    ("bogo indian", &["d4 Nf6 c4 e6 Nf3 Bb4+"]),
    ("benko|volga|volga gambit", &["!Benko Gambit", "!Benko Gambit Accepted"]),
    (
        "modern benoni",
        &[
            "d4 Nf6 c4 c5 d5 e6",
            "d4 Nf6 c4 e6 Nf3 c5 d5",
            "d4 Nf6 c4 e6 Nc3 c5 d5",
            "d4 Nf6 c4 e6 g3 c5 d5",
            "d4 Nf6 c4 c5 d5 d6 Nc3 g6 e4 Bg7 Nf3 O-O Be2 e6",
        ],
    ),
    (
        "stonewall",
        &[
            "@Dutch Defense: Stonewall Variation",
            "d4 f5 g3 Nf6 Bg2 e6 c4 d5",
            "d4 f5 g3 Nf6 Bg2 e6 Nf3 d5",
            "d4 f5 c4 e6 Nf3 Nf6 g3 d5",
            "d4 f5 c4 Nf6 g3 e6 Bg2 d5 Nf3 c6",
            "d4 f5 c4 Nf6 g3 e6 Bg2 Be7 Nf3 O-O O-O d5",
        ],
    ),
    ("trompowsky", &["d4 Nf6 Bg5"]),
    ("budapest|budapest gambit", &["d4 Nf6 c4 e5"]),
    ("english", &["c4"]),
];

impl OpeningTest {
    /// Parses a name of an opening (`najdorf`, `king's indian samisch`, `spanish`) or ranges of ECO codes
    /// (`B90..B99`). Case, accents, hyphens and words such as `defence` do not matter.
    ///
    /// The first of these that the table has counts: a usual name, an opening of this name, a variation of
    /// this name, all names with these words.
    ///
    /// # Errors
    /// [`QueryError`] if no opening of the table matches.
    pub fn parse(text: &str) -> Result<OpeningTest, QueryError> {
        if let Ok(codes) = ranges::ecos(text) {
            let fits = |opening: &Opening| {
                codes.iter().any(|range| crate::filter::in_codes(range, opening.eco()))
            };
            return OpeningTest::of(text, Opening::all().filter(fits), Vec::new(), true);
        }
        let asked = words(text);
        if asked.is_empty() {
            return Err(QueryError::Empty);
        }
        let is_asked = |name: &str| words(name) == asked;
        let mut aliases = ALIASES.iter();
        if let Some((_, places)) = aliases.find(|(names, _)| names.split('|').any(is_asked)) {
            return OpeningTest::of_places(text, places);
        }
        let ways: [fn(&Named, &BTreeSet<String>) -> bool; 3] =
            [Named::is_family, Named::is_variation, Named::has_words];
        for fits in ways {
            let fitting = named().iter().filter(|named| fits(named, &asked));
            let openings = fitting.map(|named| named.opening);
            if let Ok(test) = OpeningTest::of(text, openings, Vec::new(), false) {
                return Ok(test);
            }
        }
        Err(QueryError::NoOpening(text.to_owned()))
    }

    /// Collects the places of an alias.
    fn of_places(text: &str, places: &[&str]) -> Result<OpeningTest, QueryError> {
        let (mut openings, mut positions) = (Vec::new(), Vec::new());
        for place in places {
            let is_below = |name: &str, rest: &str| {
                name.strip_prefix(rest)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ',']))
            };
            match (place.strip_prefix('@'), place.strip_prefix('!')) {
                (Some(name), _) => {
                    openings.extend(Opening::all().filter(|it| is_below(it.name(), name)));
                }
                (None, Some(name)) => {
                    openings.extend(Opening::all().filter(|it| it.name() == name))
                }
                (None, None) => positions.push(fingerprint(Line::parse(place)?.end())),
            }
        }
        OpeningTest::of(text, openings, positions, false)
    }

    fn of(
        text: &str,
        openings: impl IntoIterator<Item = Opening>,
        mut positions: Vec<u64>,
        by_code: bool,
    ) -> Result<OpeningTest, QueryError> {
        let mut wanted: Vec<u64> = Vec::new();
        for opening in openings {
            let (word, bit) = place(opening);
            if wanted.len() <= word {
                wanted.resize(word.saturating_add(1), 0);
            }
            if let Some(word) = wanted.get_mut(word) {
                *word |= bit;
            }
        }
        if wanted.is_empty() && positions.is_empty() {
            return Err(QueryError::NoOpening(text.to_owned()));
        }
        positions.sort_unstable();
        Ok(OpeningTest { wanted: wanted.into(), positions: positions.into(), by_code })
    }

    /// Returns whether `opening` is one of the openings of the table that were asked for.
    #[must_use]
    pub fn is(&self, opening: Opening) -> bool {
        let (word, bit) = place(opening);
        self.wanted.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Returns whether a game that passes this position has the opening. `named` is the last
    /// opening so far.
    pub(crate) fn passes(&self, position: &Position, named: Option<Opening>) -> bool {
        !self.by_code
            && (named.is_some_and(|opening| self.is(opening))
                || !self.positions.is_empty()
                    && self.positions.binary_search(&fingerprint(position)).is_ok())
    }

    /// Returns whether a game whose last named position is `last` has the opening.
    pub(crate) fn ends(&self, last: Option<Opening>) -> bool {
        self.by_code && last.is_some_and(|opening| self.is(opening))
    }

    /// Returns how many positions of the table, and of usual names, are searched for.
    #[must_use]
    pub fn positions(&self) -> usize {
        let named: u32 = self.wanted.iter().map(|word| word.count_ones()).sum();
        usize::try_from(named).unwrap_or(usize::MAX).saturating_add(self.positions.len())
    }
}

/// An opening of the table with the words of its name.
struct Named {
    opening: Opening,
    family: BTreeSet<String>,
    /// The words of each part below the family.
    parts: Vec<BTreeSet<String>>,
}

impl Named {
    fn is_family(&self, asked: &BTreeSet<String>) -> bool {
        self.family == *asked
    }

    /// A variation alone, or with its opening.
    fn is_variation(&self, asked: &BTreeSet<String>) -> bool {
        let with_family = |part: &BTreeSet<String>| {
            let is_named = |word: &String| part.contains(word) || self.family.contains(word);
            asked.is_superset(part) && asked.is_superset(&self.family) && asked.iter().all(is_named)
        };
        self.parts.iter().any(|part| part == asked || with_family(part))
    }

    fn has_words(&self, asked: &BTreeSet<String>) -> bool {
        let mut parts = asked.iter().map(|word| {
            self.family.contains(word) || self.parts.iter().any(|part| part.contains(word))
        });
        parts.all(|is_there| is_there)
    }
}

/// Returns the openings of the table. Their names are split into words once.
fn named() -> &'static [Named] {
    static NAMED: OnceLock<Vec<Named>> = OnceLock::new();
    NAMED.get_or_init(|| {
        let of = |opening: Opening| {
            let rest = opening.name().split_once(':').map_or("", |(_, rest)| rest);
            let parts = rest.split(',').filter(|part| !part.trim().is_empty());
            Named { opening, family: words(opening.family()), parts: parts.map(words).collect() }
        };
        Opening::all().map(of).collect()
    })
}

/// Returns the words by which names of openings are compared.
fn words(text: &str) -> BTreeSet<String> {
    let mut text = sort_key(text).replace("defence", "defense").replace(['\'', '’'], "");
    for (two, one) in [("ae", "a"), ("oe", "o"), ("ue", "u")] {
        text = text.replace(two, one);
    }
    let mut words: Vec<String> = Vec::new();
    for word in text.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        match words.last_mut() {
            Some(last) if BEGINNINGS.contains(&&**last) => last.push_str(word),
            _ if word.is_empty() => {}
            _ => words.push(word.to_owned()),
        }
    }
    let telling = |word: &&String| !GENERAL.contains(&&***word);
    let has_telling = words.iter().any(|word| telling(&word));
    words.into_iter().filter(|word| !has_telling || telling(&word)).collect()
}

/// Returns the word and the bit of an opening.
fn place(opening: Opening) -> (usize, u64) {
    let number = usize::from(opening.number());
    (number / 64, 1 << (number % 64))
}

impl FromStr for OpeningTest {
    type Err = QueryError;

    /// Calls [`parse`](OpeningTest::parse).
    fn from_str(text: &str) -> Result<OpeningTest, QueryError> {
        OpeningTest::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Opening> {
        let test = OpeningTest::parse(text).unwrap();
        Opening::all().filter(|opening| test.is(*opening)).collect()
    }

    #[test]
    fn parse_words_finds_names_with_all_words() {
        let najdorf = found("Najdorf");
        assert!(najdorf.len() > 20, "{}", najdorf.len());
        assert!(najdorf.iter().all(|opening| opening.name().contains("Najdorf")));
        assert!(najdorf.iter().all(|opening| opening.family() == "Sicilian Defense"));
        let english = found("english najdorf");
        assert!(!english.is_empty() && english.len() < najdorf.len());
        assert_eq!(found("king's indian defence"), found("Kings-Indian: DEFENSE"));
        assert_eq!(found("Gruenfeld"), found("Grünfeld"));
    }

    #[test]
    fn parse_name_means_the_opening_and_no_word_inside_others() {
        let families = |text: &str| {
            let mut families: Vec<_> = found(text).iter().map(|one| one.family()).collect();
            families.dedup();
            families
        };
        assert_eq!(families("slav"), ["Slav Defense"]);
        assert_eq!(families("semi-slav"), ["Semi-Slav Defense"]);
        assert_eq!(families("Nimzoindian"), ["Nimzo-Indian Defense"]);
        assert_eq!(families("KID"), ["King's Indian Defense"]);
        assert_eq!(families("tarrasch"), ["Tarrasch Defense"]);
        assert_eq!(families("french tarrasch"), ["French Defense"]);
        assert_eq!(found("Spanish"), found("Ruy Lopez"));
    }

    #[test]
    fn parse_every_alias_has_positions() {
        for (names, places) in ALIASES {
            for name in names.split('|') {
                assert!(OpeningTest::parse(name).unwrap().positions() >= places.len(), "{name}");
            }
            for place in *places {
                assert!(OpeningTest::of_places("", &[place]).is_ok(), "{place}");
            }
        }
    }

    #[test]
    fn parse_codes_finds_all_openings_with_them() {
        let all = found("b90-B99");
        assert!(all.iter().all(|opening| (190..=199).contains(&opening.eco().code())));
        assert!(all.len() > 20, "{}", all.len());
        assert_eq!(found("B9"), all);
    }

    #[test]
    fn parse_words_of_no_opening_is_error() {
        let error = OpeningTest::parse("najdrof").unwrap_err();
        assert_eq!(error, QueryError::NoOpening("najdrof".to_owned()));
        assert_eq!(OpeningTest::parse(""), Err(QueryError::Empty));
        assert!("!".parse::<OpeningTest>().is_err());
    }
}
