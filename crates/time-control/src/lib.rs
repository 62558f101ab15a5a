//! Time controls and time classes: how fast a game was played.
//!
//! The tag `TimeControl` decides, if it can be read. The class follows from the time for 40 moves:
//! the base time and 40 increments. Otherwise the words of the tags decide: `World Blitz 2019`.
//!
//! A time control is read as a sequence of lexemes, so that `90'/40 moves + 30' + 30"` and
//! `40/5400+30:1800+30` are the same. A text with an unknown word is not read at all.
//!
//! ```
//! use time_control::{TimeClass, TimeControl};
//!
//! let mut game = chess_core::Game::new();
//! game.header.set("TimeControl", "180+2");
//! let control = TimeControl::of(&game).unwrap();
//! assert_eq!((control.base, control.increment), (180.0, 2.0));
//! assert_eq!(TimeClass::of(&game), TimeClass::Blitz);
//! ```
//!
//! docs/filters.md, "How fast a game was", has the rules.

#![no_std]

#[cfg(test)]
extern crate alloc;

use core::fmt;
use core::str::FromStr;

use chess_core::{Game, Header};

use self::evidence::{are_seconds, of_words};

mod evidence;
#[cfg(test)]
mod tests;

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
        let by_words = || {
            let words = [control, tags.get("EventType").unwrap_or_default(), event];
            words.into_iter().find_map(of_words)
        };
        if let Some(Reading { forty, .. }) = Reading::of(game) {
            let (class, below) = (of_seconds(forty), of_seconds(forty - 0.001));
            // On the line between two classes the words decide.
            let is_below = class != below && by_words() == Some(below);
            return if is_below { below } else { class };
        }
        by_words()
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

/// The first period of a time control: `40/7200`, `300`, `180+2`, `*60`.
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
    /// Returns the first period of a game's time control. `None` if the tag is missing or says
    /// nothing certain.
    ///
    /// Numbers are seconds, as the PGN standard says. `3+2` and `90+30` can be minutes: the clocks,
    /// the duration, the site and the event of the game decide.
    #[must_use]
    pub fn of(game: &Game) -> Option<TimeControl> {
        Reading::of(game).map(|reading| reading.first)
    }
}

/// A reading of the tag `TimeControl`.
#[derive(Clone, Copy, Debug)]
struct Reading {
    first: TimeControl,
    /// The seconds for 40 moves, or for a period of days.
    forty: f64,
    /// All numbers are small and have no unit.
    may_be_minutes: bool,
    /// Nobody plays so fast, if they are seconds.
    is_too_fast: bool,
}

impl Reading {
    fn of(game: &Game) -> Option<Reading> {
        let control = game.header.tags.get("TimeControl")?;
        let seconds = Reading::parse(control, 1.0)?;
        if !seconds.may_be_minutes {
            return Some(seconds);
        }
        let minutes = Reading::parse(control, 60.0)?;
        let are_seconds = are_seconds(game, control, &seconds, &minutes);
        Some(if are_seconds.unwrap_or(!seconds.is_too_fast) { seconds } else { minutes })
    }

    /// Parses a time control. A base without a unit is multiplied by `scale`.
    fn parse(control: &str, scale: f64) -> Option<Reading> {
        let lexer = |clocks| Lexer { rest: control, clocks, is_clock: false };
        let is_plain = control.bytes().all(|b| b.is_ascii_digit() || b" .+/:,*".contains(&b));
        // A text with a unit, `3|2` and `G/60` count in minutes.
        let in_minutes = !is_plain
            && lexer(false)
                .any(|lexeme| matches!(lexeme, Lexeme::Unit(_) | Lexeme::Pipe | Lexeme::Game));
        let scale = if in_minutes { 60.0 } else { scale };
        // A colon separates periods. Where it cannot, it is the colon of a clock: `1:30:00`.
        [false, true]
            .into_iter()
            .find_map(|clocks| Periods::new(scale, in_minutes || clocks).read(lexer(clocks)))
    }
}

/// The meaning of the next number of a time control.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// The number of moves or the base of a period.
    Start,
    /// The same of the next period.
    Next,
    /// The number of moves of a period whose base is known.
    Moves,
    Increment,
    /// Nothing, unless it is the minutes after the hours.
    Done,
}

/// Reads the periods of a time control.
struct Periods {
    /// The seconds of a base without a unit.
    scale: f64,
    /// The text has units or clocks, which the standard does not have.
    in_minutes: bool,
    slot: Slot,
    moves: Option<f64>,
    base: Option<f64>,
    /// The unit of the base; `None` if it has none.
    unit: Option<f64>,
    increment: Option<f64>,
    first: Option<TimeControl>,
    /// The moves and seconds of the periods that are read, up to 40 moves.
    total: (f64, f64),
    /// The time of a period of days.
    days: Option<f64>,
    /// A period without a number of moves is the last one.
    is_last: bool,
    /// Whether all numbers are small, and whether one is too fast for seconds.
    is_small: bool,
    is_too_fast: bool,
}

impl Periods {
    fn new(scale: f64, in_minutes: bool) -> Periods {
        Periods {
            scale,
            in_minutes,
            slot: Slot::Start,
            moves: None,
            base: None,
            unit: None,
            increment: None,
            first: None,
            total: (0.0, 0.0),
            days: None,
            is_last: false,
            is_small: true,
            is_too_fast: false,
        }
    }

    fn read(mut self, mut lexer: Lexer<'_>) -> Option<Reading> {
        while let Some(lexeme) = lexer.next() {
            match (lexeme, self.slot) {
                (Lexeme::Number(number), _) => self.number(number, &mut lexer)?,
                (Lexeme::Plus, Slot::Done | Slot::Next | Slot::Increment)
                | (Lexeme::Pipe, Slot::Done) => self.slot = Slot::Increment,
                (Lexeme::Per, Slot::Done) => self.slot = Slot::Moves,
                (Lexeme::Per, Slot::Start) if self.moves.is_some() => {}
                (Lexeme::Next, Slot::Done) => self.slot = Slot::Next,
                (Lexeme::Next, Slot::Start | Slot::Next) => {}
                (Lexeme::Moves, Slot::Moves) => {
                    if self.increment.is_none() {
                        self.set_moves(1.0)?;
                    }
                    self.slot = Slot::Done;
                }
                (Lexeme::Moves, Slot::Done) if self.increment.is_some() => {}
                (Lexeme::Game, Slot::Moves | Slot::Done) => self.slot = Slot::Done,
                (Lexeme::Game, Slot::Start | Slot::Next) => {
                    let mut ahead = lexer.clone();
                    if ahead.next() == Some(Lexeme::Per) {
                        lexer = ahead;
                    }
                }
                // A delay adds no time.
                (Lexeme::Delay, _) => match lexer.next() {
                    Some(Lexeme::Number(_)) => {}
                    _ => return None,
                },
                (Lexeme::From, Slot::Done) => {
                    let mut rest = lexer.clone();
                    let is_first = rest.all(|lexeme| match lexeme {
                        Lexeme::Number(number) => number == 1.0,
                        Lexeme::Moves | Lexeme::Filler | Lexeme::From => true,
                        _ => false,
                    });
                    return if is_first { self.finish() } else { None };
                }
                (Lexeme::Filler, _) => {}
                _ => return None,
            }
        }
        self.finish()
    }

    fn number(&mut self, number: f64, lexer: &mut Lexer<'_>) -> Option<()> {
        if self.slot == Slot::Next {
            self.end_period()?;
        }
        let mut ahead = lexer.clone();
        match ahead.next() {
            Some(Lexeme::Unit(unit)) => {
                *lexer = ahead;
                return self.time(number * unit, unit);
            }
            Some(Lexeme::Moves) if self.slot != Slot::Increment => {
                *lexer = ahead;
                return self.set_moves(number);
            }
            Some(Lexeme::Per) if self.slot == Slot::Start => {
                let after = ahead.clone();
                if let Some(Lexeme::Number(_)) = ahead.next() {
                    *lexer = after;
                    return self.set_moves(number);
                }
            }
            _ => {}
        }
        match self.slot {
            Slot::Moves => return self.set_moves(number),
            Slot::Increment if self.increment.is_none() => self.increment = Some(number),
            Slot::Start if self.in_minutes && number > MAX_MINUTES => return None,
            Slot::Start => self.base = Some(number * self.scale),
            _ => return None,
        }
        self.slot = Slot::Done;
        Some(())
    }

    fn time(&mut self, seconds: f64, unit: f64) -> Option<()> {
        match (self.slot, self.base) {
            (Slot::Start, _) => (self.base, self.unit) = (Some(seconds), Some(unit)),
            // `90'/40 + 30' + 30"`
            (Slot::Increment, _) if unit >= 60.0 || seconds >= 300.0 => {
                self.end_period()?;
                (self.base, self.unit) = (Some(seconds), Some(unit));
            }
            (Slot::Increment, _) if self.increment.is_none() => self.increment = Some(seconds),
            // `1h30m`
            (Slot::Done, Some(base)) if self.unit == Some(3600.0) && unit == 60.0 => {
                (self.base, self.unit) = (Some(base + seconds), Some(unit));
            }
            _ => return None,
        }
        self.slot = Slot::Done;
        Some(())
    }

    fn set_moves(&mut self, moves: f64) -> Option<()> {
        if self.moves.is_some() || moves <= 0.0 || moves % 1.0 != 0.0 {
            return None;
        }
        self.moves = Some(moves);
        match self.slot {
            Slot::Moves => self.slot = Slot::Done,
            Slot::Start => {}
            _ => return None,
        }
        Some(())
    }

    fn end_period(&mut self) -> Option<()> {
        let (mut moves, mut base) = (self.moves.take(), self.base.take()?);
        let (unit, given) = (self.unit.take(), self.increment.take());
        let increment = given.unwrap_or(0.0);
        if self.is_last || base <= 0.0 && increment <= 0.0 {
            return None;
        }
        if let (Some(number), None) = (moves, unit) {
            // `1800/40`
            if number > 100.0 {
                let is_swapped = number >= 600.0 && base <= 100.0 && base % 1.0 == 0.0;
                (moves, base) = (Some(base).filter(|_| is_swapped), number);
                moves?;
            }
            // `40/2` can be hours.
            if self.in_minutes && number >= 20.0 && base < 600.0 {
                return None;
            }
            // `3/2`
            if number < 10.0 && base < 60.0 && (number > 1.0 || given.is_some()) {
                return None;
            }
        }
        self.is_last = moves.is_none();
        let is_whole = base % 1.0 == 0.0 && increment % 1.0 == 0.0;
        self.is_small &= unit.is_none() && is_whole && base <= 150.0;
        self.is_too_fast |= base > 0.0 && increment > 0.0 && (base < 60.0 || increment >= 10.0);
        let first = self.first.get_or_insert(TimeControl { moves, base, increment });
        if self.in_minutes && given.is_some() {
            // It is for all moves.
            first.increment = increment;
        }
        if base >= DAY {
            self.days = self.days.or(Some(base));
        }
        let (played, seconds) = &mut self.total;
        let left = MOVES - *played;
        if left > 0.0 {
            let added = if self.in_minutes { 0.0 } else { increment };
            *seconds += base + added * moves.unwrap_or(left).min(left);
            *played += moves.unwrap_or(left);
        }
        self.slot = Slot::Start;
        Some(())
    }

    fn finish(mut self) -> Option<Reading> {
        match self.slot {
            // `40/90, SD/30; +30`
            Slot::Done | Slot::Next => self.end_period()?,
            _ => return None,
        }
        let first = self.first?;
        let (played, seconds) = self.total;
        // The last period repeats.
        let total = if played < MOVES { seconds * MOVES / played } else { seconds };
        let late = if self.in_minutes { first.increment * MOVES } else { 0.0 };
        Some(Reading {
            first,
            forty: self.days.unwrap_or(total + late),
            may_be_minutes: !self.in_minutes && self.is_small && first.base > 0.0,
            is_too_fast: self.is_too_fast,
        })
    }
}

/// A larger base in minutes is something else.
const MAX_MINUTES: f64 = 150.0;

/// A part of a time control.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Lexeme {
    Number(f64),
    /// A unit of time in seconds.
    Unit(f64),
    Plus,
    Pipe,
    /// `/`, `in`, `for`
    Per,
    /// The end of a period.
    Next,
    Moves,
    /// `G/60`, `SD/30`
    Game,
    /// The `d` of `d5`.
    Delay,
    /// `from move 1`
    From,
    Filler,
    Unknown,
}

#[derive(Clone)]
struct Lexer<'a> {
    rest: &'a str,
    /// Whether a colon belongs to a clock.
    clocks: bool,
    /// The last number was a clock.
    is_clock: bool,
}

impl Iterator for Lexer<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        if core::mem::take(&mut self.is_clock) {
            return Some(Lexeme::Unit(1.0));
        }
        // Some write the quotes of `10"` with the backslash of PGN.
        let text = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
        let first = text.chars().next()?;
        let run = |test: &dyn Fn(char) -> bool| text.find(|c| !test(c)).unwrap_or(text.len());
        let (length, lexeme) = match first {
            '0'..='9' => {
                let colon = self.clocks;
                let end = run(&|c| c.is_ascii_digit() || c == '.' || c == ':' && colon);
                let digits = text.get(..end).unwrap_or_default();
                self.is_clock = digits.contains(':');
                let number =
                    if self.is_clock { control_clock(digits) } else { digits.parse().ok() };
                (end, number.map_or(Lexeme::Unknown, Lexeme::Number))
            }
            '+' | '&' => (1, Lexeme::Plus),
            '|' => (1, Lexeme::Pipe),
            '/' => (1, Lexeme::Per),
            ':' | ',' | ';' => (1, Lexeme::Next),
            '*' | '(' | ')' | '[' | ']' | '.' => (1, Lexeme::Filler),
            '"' | '\u{201c}' | '\u{201d}' | '\u{2033}' => (first.len_utf8(), Lexeme::Unit(1.0)),
            '\'' | '\u{2018}' | '\u{2019}' | '\u{2032}' => {
                let is_double = text.chars().nth(1) == Some(first);
                let count = if is_double { 2 } else { 1 };
                let unit = if is_double { 1.0 } else { 60.0 };
                (first.len_utf8().saturating_mul(count), Lexeme::Unit(unit))
            }
            _ => {
                let end = run(&|c| c.is_alphabetic()).max(first.len_utf8());
                let (word, after) = text.split_at_checked(end).unwrap_or((text, ""));
                let is_delay = word.eq_ignore_ascii_case("d")
                    && after.starts_with(|next: char| next.is_ascii_digit());
                (end, if is_delay { Lexeme::Delay } else { lexeme_of(word) })
            }
        };
        self.rest = text.get(length..).unwrap_or_default();
        Some(lexeme)
    }
}

fn lexeme_of(word: &str) -> Lexeme {
    let words: [(&[&str], Lexeme); 11] = [
        (&["s", "sec", "secs", "second", "seconds"], Lexeme::Unit(1.0)),
        (&["m", "min", "mins", "minute", "minutes"], Lexeme::Unit(60.0)),
        (&["h", "hr", "hrs", "hour", "hours"], Lexeme::Unit(3600.0)),
        (&["d", "day", "days"], Lexeme::Unit(DAY)),
        (&["move", "moves", "mv", "mvs"], Lexeme::Moves),
        (&["g", "game", "sd", "rest", "end", "side", "player"], Lexeme::Game),
        (&["per", "in", "for", "to"], Lexeme::Per),
        (&["plus", "increment", "inc", "bonus"], Lexeme::Plus),
        (&["then", "followed"], Lexeme::Next),
        (&["from", "starting"], Lexeme::From),
        (
            &["pt", "by", "the", "first", "one", "of", "with", "an", "a", "each", "standard"],
            Lexeme::Filler,
        ),
    ];
    let is = |known: &&str| known.eq_ignore_ascii_case(word);
    let found = words.iter().find(|(known, _)| known.iter().any(is));
    match found {
        Some((_, lexeme)) => *lexeme,
        None if of_words(word).is_some() => Lexeme::Filler,
        None => Lexeme::Unknown,
    }
}

/// Parses `h:mm:ss` or `mm:ss`. `None` for `1:30`, which can be either, and for `90:30`.
fn control_clock(text: &str) -> Option<f64> {
    let mut parts = text.split(':').skip(1);
    let is_clock = parts.all(|part| part.len() == 2 && part.starts_with(|c: char| c < '6'));
    let seconds = parse_clock(text).filter(|_| is_clock)?;
    let is_long = text.split(':').count() == 3;
    let is_short = seconds >= 180.0 && (seconds < 3600.0 || seconds % 60.0 == 0.0);
    (is_long || is_short).then_some(seconds)
}

/// Parses a clock into seconds: `1:02:03.4`, `02:03`, `3`. An expired clock may be negative:
/// `-0:00:01`.
#[must_use]
pub fn parse_clock(text: &str) -> Option<f64> {
    let (text, sign) = match text.strip_prefix('-') {
        Some(text) => (text, -1.0),
        None => (text.strip_prefix('+').unwrap_or(text), 1.0),
    };
    let mut seconds = 0.0;
    let mut parts = 0u8;
    for part in text.split(':') {
        parts = parts.checked_add(1).filter(|parts| *parts <= 3)?;
        seconds = seconds * 60.0 + number(part)?;
    }
    Some(seconds * sign)
}

/// Parses a number without a sign.
fn number(text: &str) -> Option<f64> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|_| digits(text))
}
