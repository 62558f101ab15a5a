//! Conversion between header values and tags.

use std::fmt::Write as _;

use chess_core::{Eco, EcoSub, GameResult, Header, ResultText};

use crate::entity_tags::push_tag;
use crate::layout::ECO_CHESS960;

/// A result that PGN cannot express: `1-0 by forfeit`, `both lost`.
pub const RESULT_TAG: &str = "CbhResult";
/// The evaluation of a line as a NAG number without its sign: `16`.
pub const EVALUATION_TAG: &str = "CbhEvaluation";
/// The flags of a tournament. 1 and 2 mean complete, 4 board points, 8 three points for a win.
pub const EVENT_FLAGS_TAG: &str = "CbhEventFlags";
/// White's team: its number, 1 for a season, and its year, as in `2 1 1988`. Absent for a first
/// team in the year of the game.
pub const WHITE_TEAM_TAG: &str = "CbhWhiteTeam";
/// Like [`WHITE_TEAM_TAG`], for Black.
pub const BLACK_TEAM_TAG: &str = "CbhBlackTeam";
/// The titles of the game in the first language.
pub const TITLE_TAG: &str = "CbhTitle";

/// The spelling of results. The code of a result is its place in this list.
// cbh §3.2 "Game record"
const RESULTS: [(GameResult, &str); 8] = [
    (GameResult::Black, ""),
    (GameResult::Draw, ""),
    (GameResult::White, ""),
    (GameResult::Unknown, ""),
    (GameResult::Black, "0-1 by forfeit"),
    (GameResult::Draw, "1/2-1/2 by forfeit"),
    (GameResult::White, "1-0 by forfeit"),
    (GameResult::Unknown, "both lost"),
];

/// Returns the result of a code, and its detail.
pub(crate) fn result_of(code: u8) -> Option<(GameResult, &'static str)> {
    RESULTS.get(usize::from(code)).map(|(result, word)| (*result, *word))
}

/// Returns the detail that a spelling of a result adds: a forfeit, or a loss of both sides.
pub(crate) fn detail_of_result(spelling: &str) -> Option<&'static str> {
    let read = ResultText::parse(spelling).filter(|read| read.says_more)?;
    let both = ResultText::both_lost_at_start(spelling.trim().as_bytes()).is_some();
    match read.result {
        GameResult::White => Some("1-0 by forfeit"),
        GameResult::Black => Some("0-1 by forfeit"),
        GameResult::Unknown if both => Some("both lost"),
        _ => None,
    }
}

/// Returns the code of a result and its detail.
pub(crate) fn code_of_result(result: GameResult, word: &str) -> Option<u8> {
    let code = RESULTS.iter().position(|known| *known == (result, word))?;
    u8::try_from(code).ok()
}

/// Returns the opening of a number, or `Err` if the number is invalid.
// cbh §3.2 "Game record"
pub(crate) fn eco_of(number: u16) -> Result<Option<Eco>, ()> {
    if !(0x80..ECO_CHESS960).contains(&number) {
        return if number == 0 || number >= ECO_CHESS960 { Ok(None) } else { Err(()) };
    }
    let code = (number >> 7).saturating_sub(1);
    let sub = match u8::try_from(number & 0x7f) {
        Ok(0) | Err(_) => EcoSub::None,
        Ok(sub) => EcoSub::Number(sub),
    };
    if code > 499 {
        return Err(());
    }
    match Eco::with_sub(code, sub) {
        Some(eco) => Ok(Some(eco)),
        None => Err(()),
    }
}

/// Sets the opening code of a header. Returns `false` if the number stands for none.
pub(crate) fn set_eco(number: u16, header: &mut Header) -> bool {
    let eco = eco_of(number);
    header.eco = eco.unwrap_or(None);
    eco.is_ok()
}

/// Sets the result of a header and the tag of its word. Returns `false` if the code is unknown.
pub(crate) fn set_result(code: u8, header: &mut Header) -> bool {
    let Some((result, word)) = result_of(code) else { return false };
    header.result = result;
    push_tag(&mut header.tags, RESULT_TAG, word);
    true
}

/// Describes a result for a dump.
pub(crate) fn describe_result(code: u8) -> String {
    match result_of(code) {
        Some((result, "")) => result.to_string(),
        Some((_, word)) => word.to_owned(),
        None => String::new(),
    }
}

/// Describes an opening code for a dump.
pub(crate) fn describe_eco(number: u16) -> String {
    eco_of(number).ok().flatten().map_or(String::new(), |eco| eco.to_string())
}

/// Returns the number of an opening, and whether it is exact.
pub(crate) fn number_of_eco(eco: Eco) -> (u16, bool) {
    if eco.code() > 499 {
        return (0, false);
    }
    let (sub, whole) = match eco.sub() {
        EcoSub::None => (0, true),
        EcoSub::Number(0) => (0, false),
        EcoSub::Number(number) => (u16::from(number), true),
        EcoSub::Letter(..) => (0, false),
    };
    (eco.code().saturating_add(1) << 7 | sub, whole)
}

/// Tournament types by number, from 1.
const KINDS: [&str; 8] = ["game", "match", "tourn", "swiss", "team", "k.o.", "simul", "schev"];
/// Tournament speeds by bit.
const SPEEDS: [(u8, &str); 3] = [(0x20, "blitz"), (0x40, "rapid"), (0x80, "corr")];

/// Appends the description of a tournament type, such as `team-swiss (blitz)`.
// cbh §10 "Tags"
pub(crate) fn push_event_type(kind: u8, team: u8, out: &mut String) -> Option<()> {
    let name = match kind & 0x1f {
        0 => "",
        number => KINDS.get(usize::from(number).checked_sub(1)?)?,
    };
    if team & !1 != 0 {
        return None;
    }
    if team == 1 {
        out.push_str("team-");
    }
    out.push_str(name);
    for (bit, speed) in SPEEDS {
        if kind & bit != 0 {
            // Writing to a string does not fail.
            let space = if out.is_empty() { "" } else { " " };
            let _ = write!(out, "{space}({speed})");
        }
    }
    Some(())
}

/// Like [`push_event_type`], but falls back to the two numbers.
pub(crate) fn event_type(kind: u8, team: u8) -> String {
    let mut words = String::new();
    match push_event_type(kind, team, &mut words) {
        Some(()) => words,
        None => format!("#{kind} #{team}"),
    }
}

/// Parses a description from [`event_type`] to the type byte and the team byte.
pub(crate) fn parse_event_type(words: &str) -> Option<(u8, u8)> {
    if let Some(numbers) = words.strip_prefix('#') {
        let (kind, team) = numbers.split_once(" #")?;
        let found = (kind.parse().ok()?, team.parse().ok()?);
        return (event_type(found.0, found.1) == words).then_some(found);
    }
    let (team, rest) = words.strip_prefix("team-").map_or((0, words), |rest| (1, rest));
    let (name, mut speeds) = match rest.find('(') {
        Some(at) => rest.split_at_checked(at)?,
        None => (rest, ""),
    };
    let name = name.trim_end_matches(' ');
    let mut kind = match name {
        "" => 0,
        name => (1u8..).zip(KINDS).find(|(_, known)| *known == name)?.0,
    };
    while let Some(rest) = speeds.trim_start_matches(' ').strip_prefix('(') {
        let (speed, rest) = rest.split_once(')')?;
        kind |= SPEEDS.iter().find(|(_, known)| *known == speed)?.0;
        speeds = rest;
    }
    let found = (kind, team);
    (event_type(kind, team) == words).then_some(found)
}

/// Appends round and subround in PGN form.
pub(crate) fn push_round(round: u16, subround: u16, out: &mut String) {
    out.clear();
    if (round, subround) == (0, 0) {
        return out.push('?');
    }
    push_number(round, out);
    if subround != 0 {
        out.push('.');
        push_number(subround, out);
    }
}

/// Appends a number without the machinery of `fmt`, because most games have a round.
fn push_number(number: u16, out: &mut String) {
    if let Some(digit) = char::from_digit(u32::from(number), 10) {
        return out.push(digit);
    }
    let (mut digits, mut rest) = ([b'0'; 5], number);
    let mut first = digits.len();
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        // A digit fits a byte.
        *digit = b'0'.saturating_add(u8::try_from(rest % 10).unwrap_or(0));
        (rest, first) = (rest / 10, place);
        if rest == 0 {
            break;
        }
    }
    out.extend(digits.iter().skip(first).map(|digit| char::from(*digit)));
}

/// Parses a round of numbers up to `most`.
pub(crate) fn parse_round(round: &str, most: u16) -> Option<(u16, u16)> {
    if round == "?" {
        return Some((0, 0));
    }
    let (whole, part) = round.split_once('.').unwrap_or((round, "0"));
    let found = (whole.parse().ok()?, part.parse().ok()?);
    let mut again = String::new();
    push_round(found.0, found.1, &mut again);
    (again == round && found.0 <= most && found.1 <= most).then_some(found)
}

/// Formats hundredths of a second, as in `1:40:51`.
pub(crate) fn clock(hundredths: u32) -> String {
    let (seconds, rest) = (hundredths / 100, hundredths % 100);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match rest {
        0 => format!("{hours}:{minutes:02}:{seconds:02}"),
        rest => format!("{hours}:{minutes:02}:{seconds:02}.{rest:02}"),
    }
}

/// Parses a clock from [`clock`] to hundredths of a second.
pub(crate) fn parse_clock(text: &str) -> Option<u32> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let mut seconds = 0u32;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let hundredths = seconds.checked_mul(100)?.checked_add(rest.parse().ok()?)?;
    (clock(hundredths) == text).then_some(hundredths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_every_number_round_trips() {
        for kind in 0..=255 {
            for team in [0, 1, 2, 255] {
                assert_eq!(parse_event_type(&event_type(kind, team)), Some((kind, team)));
            }
        }
        assert_eq!(event_type(0x24, 1), "team-swiss (blitz)");
        assert_eq!(parse_event_type("swiss "), None);
        for number in 0..=u16::MAX {
            if let Ok(Some(eco)) = eco_of(number) {
                assert_eq!(number_of_eco(eco), (number, true));
            }
        }
        assert_eq!(eco_of(0x80).unwrap().unwrap().to_string(), "A00");
        for hundredths in [0, 1, 6000, 360_000, 605_100, u32::MAX] {
            assert_eq!(parse_clock(&clock(hundredths)), Some(hundredths));
        }
        assert_eq!(
            (parse_clock("00:01:00"), parse_clock("1:60"), parse_clock("")),
            (None, None, None)
        );
        for text in ["?", "1", "255.255", "0.3", "10", "65535.100"] {
            let (round, subround) = parse_round(text, u16::MAX).unwrap();
            let mut again = String::new();
            push_round(round, subround, &mut again);
            assert_eq!(again, text);
        }
        for text in ["", "-", "01", "256", "1.0", "1.2.3", "0"] {
            assert_eq!(parse_round(text, 255), None, "{text}");
        }
    }
}
