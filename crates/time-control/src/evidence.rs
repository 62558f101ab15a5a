//! Evidence of a time control beside the tag: clocks, duration, site and event of the game.

use chess_core::{Game, Token};

use super::{DAY, MOVES, Reading, TimeClass, TimeControl, of_seconds, parse_clock};

/// Decides by the rest of the game whether a time control is in seconds. `None` without evidence.
pub(super) fn are_seconds(
    game: &Game,
    control: &str,
    seconds: &Reading,
    minutes: &Reading,
) -> Option<bool> {
    let TimeControl { base, increment, .. } = seconds.first;
    if let Some(clock) = first_clock(game) {
        return Some(clock <= base + 2.0 * increment);
    }
    let tag = |name: &str| game.header.tags.get(name);
    for clock in ["WhiteClock", "BlackClock"].into_iter().filter_map(|name| parse_clock(tag(name)?))
    {
        // It can be the clock at the end of the game, too.
        if clock == base || clock > base + increment * MOVES {
            return Some(clock == base);
        }
    }
    let plies = u32::try_from(game.main_line().count()).unwrap_or(u32::MAX);
    let most = 2.0 * base + increment * (f64::from(plies) + 2.0);
    if let Some(duration) = duration(game) {
        return Some(duration <= most * 1.1 + 10.0);
    }
    let is_engine = |name: &str| tag(name).is_some_and(|kind| kind.eq_ignore_ascii_case("program"));
    if tag("GameStartTime").is_some() || is_engine("WhiteType") || is_engine("BlackType") {
        return Some(true);
    }
    let places = [game.header.site.as_str(), tag("Link").unwrap_or_default()];
    if places.into_iter().any(writes_seconds) {
        return Some(true);
    }
    let words = [control, tag("EventType").unwrap_or_default(), &game.header.event];
    let class = words.into_iter().find_map(of_words)?;
    let distance = |reading: &Reading| (of_seconds(reading.forty) as u8).abs_diff(class as u8);
    let (seconds, minutes) = (distance(seconds), distance(minutes));
    (seconds != minutes).then_some(seconds < minutes)
}

/// Returns the first `[%clk]` of a game in seconds. `1:30` can be hours or minutes, and does not
/// count.
fn first_clock(game: &Game) -> Option<f64> {
    game.tokens().find_map(|token| {
        let Token::Comment(text) = token else { return None };
        let (_, value) = text.split_once("[%clk ")?;
        let (value, _) = value.split_once(']')?;
        let value = value.trim();
        parse_clock(value).filter(|_| value.matches(':').count() != 1)
    })
}

/// Returns the duration of a game in seconds.
fn duration(game: &Game) -> Option<f64> {
    let tag = |name: &str| game.header.tags.get(name);
    let time = |name: &str| {
        let value = tag(name)?;
        // `2024-05-01T10:00:00 +0200`
        let words = value.split([' ', 'T', 'Z']);
        { words }.find_map(|word| parse_clock(word).filter(|_| word.contains(':')))
    };
    let pairs =
        [("GameStartTime", "GameEndTime"), ("TimeStart", "TimeEnd"), ("StartTime", "EndTime")];
    time("GameDuration").or_else(|| {
        let (start, end) = pairs.into_iter().find_map(|(start, end)| time(start).zip(time(end)))?;
        Some(if end < start { end + DAY - start } else { end - start })
    })
}

/// Returns whether a place is a server, which writes seconds. A broadcast has what the organiser
/// writes.
fn writes_seconds(place: &str) -> bool {
    const SERVERS: [&str; 7] =
        ["lichess", "chess.com", "freechess", "fics", "chessclub", "icc", "playchess"];
    let has = |words: &[&str]| {
        let mut parts = place.split(|letter: char| !(letter.is_alphanumeric() || letter == '.'));
        parts.any(|part| {
            let part = part.trim_start_matches("www.");
            let host = part.split_once('.').map_or(part, |(host, _)| host);
            words
                .iter()
                .any(|word| word.eq_ignore_ascii_case(part) || word.eq_ignore_ascii_case(host))
        })
    };
    has(&SERVERS) && !has(&["broadcast", "study"])
}

pub(super) fn of_words(text: &str) -> Option<TimeClass> {
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
