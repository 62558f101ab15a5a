//! Time controls and time classes: how fast a game was played.
//!
//! The tag `TimeControl` decides, if it can be read. The class follows from the time for 40 moves:
//! the base time and 40 increments. Otherwise the words of the tags decide: `World Blitz 2019`.

use core::fmt;
use core::str::FromStr;

use crate::game::Game;
use crate::header::Header;

/// How fast a game was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimeClass {
    /// Less than 3 minutes for 40 moves.
    Bullet,
    /// Less than 10 minutes for 40 moves.
    Blitz,
    /// Less than an hour for 40 moves.
    Rapid,
    /// An hour or more for 40 moves.
    Classical,
    /// A day or more for a move or a game.
    Correspondence,
    /// The tags do not tell.
    Unknown,
}

const DAY: f64 = 86_400.0;
/// The moves for which time is compared.
const MOVES: f64 = 40.0;

impl TimeClass {
    /// All classes, the fastest first.
    pub const ALL: [TimeClass; 6] = [
        TimeClass::Bullet,
        TimeClass::Blitz,
        TimeClass::Rapid,
        TimeClass::Classical,
        TimeClass::Correspondence,
        TimeClass::Unknown,
    ];

    /// Returns the name: `bullet`, `blitz`, `rapid`, `classical`, `correspondence`, `unknown`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TimeClass::Bullet => "bullet",
            TimeClass::Blitz => "blitz",
            TimeClass::Rapid => "rapid",
            TimeClass::Classical => "classical",
            TimeClass::Correspondence => "correspondence",
            TimeClass::Unknown => "unknown",
        }
    }

    /// Returns the class of a game by its tags.
    #[must_use]
    pub fn of(game: &Game) -> TimeClass {
        let Header { event, tags, .. } = &game.header;
        let control = tags.get("TimeControl").unwrap_or_default();
        let is_by_mail = || tags.get("Mode").is_some_and(|mode| mode.eq_ignore_ascii_case("EM"));
        seconds(control)
            .map(of_seconds)
            .or_else(|| of_words(control))
            .or_else(|| of_words(tags.get("EventType").unwrap_or_default()))
            .or_else(|| of_words(event))
            .or_else(|| is_by_mail().then_some(TimeClass::Correspondence))
            .unwrap_or(TimeClass::Unknown)
    }
}

impl fmt::Display for TimeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no time class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeClassError;

impl fmt::Display for TimeClassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a time class")
    }
}

impl core::error::Error for TimeClassError {}

impl FromStr for TimeClass {
    type Err = TimeClassError;

    fn from_str(text: &str) -> Result<TimeClass, TimeClassError> {
        let found =
            TimeClass::ALL.into_iter().find(|class| class.name().eq_ignore_ascii_case(text));
        found.ok_or(TimeClassError)
    }
}

fn of_seconds(seconds: f64) -> TimeClass {
    match seconds {
        ..180.0 => TimeClass::Bullet,
        ..600.0 => TimeClass::Blitz,
        ..3600.0 => TimeClass::Rapid,
        ..DAY => TimeClass::Classical,
        _ => TimeClass::Correspondence,
    }
}

/// Returns the seconds for 40 moves by a `TimeControl`. `None` if it cannot be read.
fn seconds(control: &str) -> Option<f64> {
    let control = control.trim();
    if control.is_empty() {
        return None;
    }
    let (mut moves, mut total) = (0.0, 0.0);
    for period in control.split([':', ',']) {
        let TimeControl { moves: more, base, increment } = TimeControl::parse(period)?;
        if base >= DAY {
            return Some(base);
        }
        let left = MOVES - moves;
        if left <= 0.0 {
            break;
        }
        total += base + increment * more.unwrap_or(left).min(left);
        moves += more.unwrap_or(left);
    }
    // The last period repeats.
    Some(if moves > 0.0 && moves < MOVES { total * MOVES / moves } else { total })
}

/// A period of a time control: `40/7200`, `300`, `180+2`, `*60`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TimeControl {
    /// The number of moves after which the next period begins.
    pub moves: Option<f64>,
    /// The time at the start in seconds.
    pub base: f64,
    /// The time that is added for each move in seconds.
    pub increment: f64,
}

impl TimeControl {
    /// Returns the first period of a value of the tag `TimeControl`.
    #[must_use]
    pub fn first(control: &str) -> Option<TimeControl> {
        TimeControl::parse(control.split([':', ',']).next()?)
    }

    fn parse(text: &str) -> Option<TimeControl> {
        let text = text.trim();
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(number(moves).filter(|moves| *moves > 0.0)?), time),
            None => (None, text.strip_prefix('*').unwrap_or(text)),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let (base, increment) = (number(base)?, number(increment)?);
        // `3+2`, `15+10` and `90+30` mean minutes and seconds: nobody plays so fast.
        let is_minutes =
            increment > 0.0 && base > 0.0 && (base < 60.0 || base <= 150.0 && increment >= 10.0);
        let base = if is_minutes { base * 60.0 } else { base };
        Some(TimeControl { moves, base, increment })
    }
}

/// Parses a number without a sign.
fn number(text: &str) -> Option<f64> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|_| digits(text))
}

fn of_words(text: &str) -> Option<TimeClass> {
    if text.is_ascii() {
        // Most texts are, and then the bounds of their words are found faster.
        return text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()).find_map(of_word);
    }
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.map(str::as_bytes).find_map(of_word)
}

fn of_word(word: &[u8]) -> Option<TimeClass> {
    // Most words are ruled out by their length and their first letter.
    let (name, class) = match (word.len(), word.first()?.to_ascii_lowercase()) {
        (6, b'b') => ("bullet", TimeClass::Bullet),
        (11, b'u') => ("ultrabullet", TimeClass::Bullet),
        (11, b'h') => ("hyperbullet", TimeClass::Bullet),
        (9, b'l') => ("lightning", TimeClass::Bullet),
        (5, b'b') => ("blitz", TimeClass::Blitz),
        (5, b'r') => ("rapid", TimeClass::Rapid),
        (9, b'r') => ("rapidplay", TimeClass::Rapid),
        (9, b'c') => ("classical", TimeClass::Classical),
        (14, b'c') => ("correspondence", TimeClass::Correspondence),
        (4, b'c') => ("corr", TimeClass::Correspondence),
        (4, b'i') => ("iccf", TimeClass::Correspondence),
        _ => return None,
    };
    word.eq_ignore_ascii_case(name.as_bytes()).then_some(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(tags: &[(&str, &str)]) -> TimeClass {
        let mut game = Game::new();
        tags.iter().for_each(|(name, value)| game.header.set(name, value));
        TimeClass::of(&game)
    }

    #[test]
    fn of_time_control_goes_by_forty_moves() {
        use TimeClass::{Blitz, Bullet, Classical, Correspondence, Rapid, Unknown};
        for (control, expected) in [
            ("60", Bullet),
            ("60+1", Bullet),
            ("120+1", Bullet),
            ("180", Blitz),
            ("180+2", Blitz),
            ("*300", Blitz),
            ("600", Rapid),
            ("900+10", Rapid),
            ("1800+20", Rapid),
            ("5400+30", Classical),
            ("40/7200:3600", Classical),
            ("40/5400+30:1800+30", Classical),
            ("20/3600", Classical),
            ("60/300", Blitz),
            ("1/86400", Correspondence),
            ("10/864000", Correspondence),
            ("1209600", Correspondence),
            ("3+2", Blitz),
            ("15+10", Rapid),
            ("90+30", Classical),
            ("66.687+0.6", Bullet),
            ("0+1", Bullet),
            ("-", Unknown),
            ("?", Unknown),
            ("", Unknown),
            ("-60", Unknown),
            ("1e9", Unknown),
            ("0/60", Unknown),
            ("inf", Unknown),
            ("Rapid: 15m + 10s", Rapid),
        ] {
            assert_eq!(class(&[("TimeControl", control)]), expected, "{control}");
        }
    }

    #[test]
    fn of_words_counts_only_without_readable_time_control() {
        use TimeClass::{Blitz, Correspondence, Rapid, Unknown};
        assert_eq!(class(&[("Event", "World Blitz 2019")]), Blitz);
        assert_eq!(class(&[("Event", "World Blitz 2019"), ("TimeControl", "-")]), Blitz);
        assert_eq!(class(&[("Event", "World Blitz 2019"), ("TimeControl", "900+10")]), Rapid);
        assert_eq!(class(&[("Event", "Open"), ("EventType", "swiss (rapid)")]), Rapid);
        assert_eq!(class(&[("Event", "WC25/ICCF")]), Correspondence);
        assert_eq!(class(&[("Event", "Club"), ("Mode", "EM")]), Correspondence);
        assert_eq!(class(&[("Event", "Blitzkrieg Open")]), Unknown);
        assert_eq!(class(&[("Event", "Blitzé, rapido")]), Unknown);
    }

    #[test]
    fn of_words_knows_each_word_in_any_case() {
        use TimeClass::{Blitz, Bullet, Classical, Correspondence, Rapid};
        for (word, expected) in [
            ("Bullet", Bullet),
            ("UltraBullet", Bullet),
            ("hyperbullet", Bullet),
            ("LIGHTNING", Bullet),
            ("blitz", Blitz),
            ("rapid", Rapid),
            ("RapidPlay", Rapid),
            ("classical", Classical),
            ("Correspondence", Correspondence),
            ("corr", Correspondence),
            ("ICCF", Correspondence),
        ] {
            assert_eq!(of_words(&alloc::format!("Bar Open {word}-2")), Some(expected), "{word}");
        }
    }

    #[test]
    fn first_period_of_a_control_is_read() {
        let first = |text| TimeControl::first(text).map(|first| (first.base, first.increment));
        assert_eq!(first("180+2"), Some((180.0, 2.0)));
        assert_eq!(first("40/7200+30:1800"), Some((7200.0, 30.0)));
        assert_eq!(first("90+30"), Some((5400.0, 30.0)));
        assert_eq!(first("-"), None);
    }
}
