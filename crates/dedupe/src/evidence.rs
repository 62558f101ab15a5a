//! Weighs what speaks for two records to be one game, where their headers or moves differ.
//!
//! Each agreement gives points and each difference takes some. The more plies agree, the more the
//! header may differ. [`REPEAT`] points make two games one; [`NEAR`] points are listed. Games of the
//! same players and day differ in the round, so nothing makes up for another round.
//!
//! Example: 60 plies are equal (15), both players (4), the round (3) and the event (2), but the result
//! differs (-6) and the day is one off (-1): 17 points.

use std::fmt;

use chess_core::{Color, Date, GameResult};

use crate::fingerprint::{
    Fingerprint, LONG, SHORT, dates_agree, events_agree, families_agree, next_day, numbers_agree,
    people_agree, rounds_agree,
};
use crate::names::{Id, Names, words};

/// Enough points for one game.
pub(crate) const REPEAT: i32 = 12;
/// Enough points to be listed.
pub(crate) const NEAR: i32 = 8;
/// The most points that header and players can give.
const MAX_OF_HEADER: i32 = 14;

/// How the main lines of two games differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    Equal,
    /// The shorter game lacks this number of plies at its end.
    Prefix(u32),
    /// The games have the same number of plies, and this number of them differ.
    Different(u32),
}

impl Moves {
    /// Compares the bytes of two main lines. Returns `None` if more than some plies differ.
    pub(crate) fn of(one: &[u8], other: &[u8]) -> Option<Moves> {
        let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
        let plies = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        if short.len() < long.len() {
            return long.starts_with(short).then(|| Moves::Prefix(plies(long.len() - short.len())));
        }
        let most = short.len() / 8;
        let different = one.iter().zip(other).filter(|(one, other)| one != other);
        match different.take(most + 1).count() {
            0 => Some(Moves::Equal),
            count if count <= most && short.len() >= LONG as usize => {
                Some(Moves::Different(plies(count)))
            }
            _ => None,
        }
    }

    fn points(self, plies: u32) -> i32 {
        let equal = i32::try_from(plies.min(60) / 4).unwrap_or(0);
        match self {
            Moves::Equal => equal,
            Moves::Prefix(_) => equal - 3,
            Moves::Different(count) => equal - 2 - 2 * i32::try_from(count).unwrap_or(i32::MAX / 4),
        }
    }
}

/// The differences between two games that are, or may be, one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Plies that differ.
    moves: u32,
    /// Plies that the shorter game lacks at its end.
    missing: u32,
    /// For each of `FIELDS`: whether it differs.
    fields: [bool; FIELDS.len()],
}

const FIELDS: [&str; 9] = [
    "White",
    "Black",
    "date by a day",
    "order of day and month",
    "year",
    "date",
    "round",
    "result",
    "event",
];
const WHITE: usize = 0;
const BLACK: usize = 1;
const DAY: usize = 2;
const ORDER: usize = 3;
const YEAR: usize = 4;
const DATE: usize = 5;
const ROUND: usize = 6;
const RESULT: usize = 7;
const EVENT: usize = 8;

impl Differences {
    fn note(&mut self, field: usize) {
        if let Some(slot) = self.fields.get_mut(field) {
            *slot = true;
        }
    }

    /// Notes that a player is another person.
    pub(crate) fn note_person(&mut self, color: Color) {
        self.note(if color == Color::White { WHITE } else { BLACK });
    }

    /// Returns whether nothing differs except spellings and what only one game knows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Differences::default()
    }
}

/// `result, 2 half-moves`
impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = FIELDS.iter().zip(self.fields).filter(|(_, differs)| *differs);
        let mut all: Vec<String> = fields.map(|(field, _)| (*field).to_owned()).collect();
        let plies = |count: u32| match count {
            1 => "1 half-move".to_owned(),
            count => format!("{count} half-moves"),
        };
        if self.moves > 0 {
            all.push(plies(self.moves));
        }
        if self.missing > 0 {
            all.push(format!("{} missing at the end", plies(self.missing)));
        }
        f.write_str(&all.join(", "))
    }
}

/// Returns the points for two games with these moves, if there are enough to be listed.
pub(crate) fn weigh(
    one: &Fingerprint,
    other: &Fingerprint,
    moves: Moves,
    names: &Names,
) -> Option<(i32, Differences)> {
    if one.whole != 0 || other.whole != 0 || one.proof.differs(&other.proof) {
        return None;
    }
    let mut differences = Differences::default();
    match moves {
        Moves::Equal => {}
        Moves::Prefix(count) => differences.missing = count,
        Moves::Different(count) => differences.moves = count,
    }
    let plies = one.plies.min(other.plies);
    let mut points = moves.points(plies);
    let mut add = |field: usize, worth: i32| {
        points += worth;
        if worth < 0 {
            differences.note(field);
        }
        points
    };
    let (field, mut worth) = date(one.date, other.date, plies);
    if worth < 0 && matches!(moves, Moves::Different(_)) {
        // Two games of a match can have a long line in common.
        worth -= 10;
    }
    if add(field, worth) + MAX_OF_HEADER < NEAR {
        return None;
    }
    add(RESULT, result(one.result, other.result));
    add(ROUND, text(one.round, other.round, names, round));
    add(EVENT, text(one.event, other.event, names, event(plies < SHORT)));
    add(WHITE, text(one.white, other.white, names, person));
    let points = add(BLACK, text(one.black, other.black, names, person));
    (points >= NEAR).then_some((points, differences))
}

fn date(one: Date, other: Date, plies: u32) -> (usize, i32) {
    let ((year, month, day), (other_year, other_month, other_day)) = (one.parts(), other.parts());
    let full = one.day().is_some() && one.month().is_some() && one.year().is_some();
    let years = year.abs_diff(other_year);
    if one == other && full {
        return (DATE, 4);
    }
    if dates_agree(one, other) {
        return (DATE, i32::from(year != 0 && other_year != 0));
    }
    if next_day(one) == Some(other) || next_day(other) == Some(one) {
        return (DAY, -1);
    }
    if years == 0 && (month, day) == (other_day, other_month) {
        return (ORDER, -1);
    }
    if years == 1 && (month, day) == (other_month, other_day) && plies >= LONG {
        return (YEAR, -4);
    }
    (DATE, -20)
}

fn result(one: GameResult, other: GameResult) -> i32 {
    match (one, other) {
        _ if one == other => i32::from(one != GameResult::Unknown),
        (GameResult::Unknown, _) | (_, GameResult::Unknown) => 0,
        _ => -6,
    }
}

/// Compares two names, if both are known.
fn text(one: Id, other: Id, names: &Names, compare: impl Fn(&str, &str) -> i32) -> i32 {
    match (names.folded(one), names.folded(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => 0,
    }
}

fn round(one: &str, other: &str) -> i32 {
    match one == other {
        true => 3,
        false if rounds_agree(one, other) => 2,
        false => -20,
    }
}

fn event(short: bool) -> impl Fn(&str, &str) -> i32 {
    move |one, other| match one == other {
        true => 2,
        false if !numbers_agree(one, other) => {
            if short {
                -20
            } else {
                -2
            }
        }
        false if events_agree(one, other) => 1,
        false => -2,
    }
}

fn person(one: &str, other: &str) -> i32 {
    if one == other || people_agree(one, other) {
        return 2;
    }
    if families_agree(one, other) || are_alike(one, other) {
        return -1;
    }
    let shares_word = words(one).any(|word| word.len() > 1 && words(other).any(|o| o == word));
    if shares_word { -4 } else { -8 }
}

/// Returns whether surnames are spelt alike: `kortchnoi` and `korchnoi`, `jussupow` and `yusupov`.
/// At least half of their pairs of letters are the same.
fn are_alike(one: &str, other: &str) -> bool {
    fn pairs(name: &str) -> Vec<(u8, u8)> {
        let surname = name.split(',').next().unwrap_or_default().as_bytes();
        let letters = || surname.iter().copied().filter(u8::is_ascii_alphanumeric);
        letters().zip(letters().skip(1)).take(64).collect()
    }
    let (one, mut other) = (pairs(one), pairs(other));
    let all = one.len() + other.len();
    let same = one.iter().filter(|pair| {
        let place = other.iter().position(|other| other == *pair);
        place.map(|place| other.swap_remove(place)).is_some()
    });
    all > 0 && same.count() * 4 >= all
}

#[cfg(test)]
mod tests {
    use chess_core::Game;

    use super::*;
    use crate::fingerprint::Fingerprinter;

    const TAGS: [(&str, &str); 6] = [
        ("White", "Korchnoi, Viktor"),
        ("Black", "Karpov, Anatoly"),
        ("Date", "1978.07.18"),
        ("Round", "5"),
        ("Event", "World Championship"),
        ("Result", "1/2-1/2"),
    ];

    /// Returns what differs, and whether the games are one, for a game of this number of plies and
    /// the same game with other tags.
    fn verdict(plies: usize, moves: Moves, tags: &[(&str, &str)]) -> Option<(bool, String)> {
        let mut names = Names::default();
        let interner = names.interner();
        let game = |tags: &[(&str, &str)]| {
            let mut game = Game::new();
            tags.iter().for_each(|(name, value)| game.header.set(name, value));
            let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle();
            cycle.take(plies).for_each(|m| game.push_move(m.parse().unwrap()));
            game
        };
        let games = [game(&TAGS), game(&[&TAGS[..], tags].concat())];
        let [one, other] = games
            .each_ref()
            .map(|game| Fingerprinter::new(&interner).fingerprint(game, &mut Vec::new()));
        let (points, differences) = weigh(&one, &other, moves, &names)?;
        Some((points >= REPEAT, differences.to_string()))
    }

    #[test]
    fn differences_are_outweighed_by_equal_moves() {
        let repeat = |text: &str| Some((true, text.to_owned()));
        let near = |text: &str| Some((false, text.to_owned()));
        for (plies, tag, expected) in [
            (16, ("Date", "1978.07.19"), repeat("date by a day")),
            (60, ("Date", "1978.07.??"), repeat("")),
            (60, ("Date", "1979.07.18"), repeat("year")),
            (20, ("Date", "1979.07.18"), None),
            (60, ("Date", "1978.09.18"), None),
            (40, ("Result", "1-0"), repeat("result")),
            (16, ("Result", "1-0"), near("result")),
            (60, ("Round", "6"), None),
            (60, ("Round", "Round 5"), repeat("")),
            (16, ("White", "Korchnio, Viktor"), repeat("White")),
            (16, ("White", "Tal, Mihail"), near("White")),
            (40, ("White", "Tal, Mihail"), repeat("White")),
            (60, ("UTCTime", "10:00:00"), repeat("")),
        ] {
            assert_eq!(verdict(plies, Moves::Equal, &[tag]), expected, "{plies} {tag:?}");
        }
        let both = [("Date", "1978.07.19"), ("Result", "1-0")];
        assert_eq!(verdict(16, Moves::Equal, &both), None);
        assert_eq!(verdict(60, Moves::Equal, &both), repeat("date by a day, result"));
    }

    #[test]
    fn moves_that_differ_need_an_equal_header() {
        let repeat = |text: &str| Some((true, text.to_owned()));
        let one_wrong = Moves::Different(1);
        assert_eq!(verdict(40, one_wrong, &[]), repeat("1 half-move"));
        let next_day = [("Date", "1978.07.19")];
        assert!(verdict(40, one_wrong, &next_day).is_none_or(|(is_repeat, _)| !is_repeat));
        let cut = Moves::Prefix(6);
        assert_eq!(verdict(20, cut, &[]), repeat("6 half-moves missing at the end"));
        assert!(verdict(20, cut, &[("Round", "6")]).is_none());
    }

    #[test]
    fn moves_of_lines_are_equal_a_prefix_or_nearly_equal() {
        let line: Vec<u8> = (0..48).collect();
        let mut wrong = line.clone();
        assert_eq!(Moves::of(&line, &line[..40]), Some(Moves::Prefix(8)));
        for (place, count) in (10..).zip(1..=6) {
            wrong[place] = 255;
            assert_eq!(Moves::of(&wrong, &line), Some(Moves::Different(count)));
        }
        wrong[40] = 255;
        assert_eq!(Moves::of(&wrong, &line), None);
        assert_eq!(Moves::of(&wrong[..40], &line), None);
    }

    #[test]
    fn are_alike_compares_surnames() {
        for (one, other, alike) in [
            ("kortchnoi, v", "korchnoi, viktor", true),
            ("jussupow, artur", "yusupov, artur", true),
            ("tal, m", "petrosian, t", false),
            ("li, a", "so, b", false),
            ("", "", false),
        ] {
            assert_eq!(are_alike(one, other), alike, "{one} {other}");
        }
    }
}
