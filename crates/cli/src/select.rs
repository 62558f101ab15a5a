//! Options that choose games.

use std::ops::RangeInclusive;

use clap::builder::ArgAction;
use clap::{Args, ValueEnum};
use scoresheet::Filter;
use scoresheet::chess_core::{Date, Eco, GameResult, Position};

/// Which games; everything given must hold. Texts match any part, in either case.
#[derive(Debug, Args)]
#[command(next_help_heading = "Choosing games")]
pub(crate) struct Selection {
    /// Numbers, from 1: 1-100,205
    #[arg(long, value_name = "RANGES", value_parser = ranges, action = ArgAction::Append)]
    games: Vec<Ranges>,
    /// In the name of either player
    #[arg(long, value_name = "TEXT")]
    player: Option<String>,
    /// In the name of White
    #[arg(long, value_name = "TEXT")]
    white: Option<String>,
    /// In the name of Black
    #[arg(long, value_name = "TEXT")]
    black: Option<String>,
    /// In the event
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// In the site
    #[arg(long, value_name = "TEXT")]
    site: Option<String>,
    /// When played: 1990, 1990..1995, 1990.05.., ..2000
    #[arg(long, value_name = "RANGE", value_parser = dates)]
    date: Option<RangeInclusive<Date>>,
    /// Opening codes: B90..B99, C, D8
    #[arg(long, value_name = "RANGE", value_parser = ecos)]
    eco: Option<RangeInclusive<Eco>>,
    /// Rating of both players: 2500.., 2000..2200
    #[arg(long, value_name = "RANGE", value_parser = elos)]
    elo: Option<RangeInclusive<u16>>,
    /// One of these results: 1-0,0-1,1/2-1/2,*
    #[arg(long, value_name = "RESULT", value_delimiter = ',', value_parser = result)]
    result: Vec<GameResult>,
    /// Games marked as deleted: only these, or none of them
    #[arg(long, value_name = "YES|NO", num_args = 0..=1, require_equals = true,
        default_missing_value = "yes")]
    deleted: Option<YesNo>,
    /// Games with comments, glyphs or variations: only these, or none of them
    #[arg(long, value_name = "YES|NO", num_args = 0..=1, require_equals = true,
        default_missing_value = "yes")]
    annotated: Option<YesNo>,
    /// Games that reach a position on their main line
    #[arg(long, value_name = "FEN", value_parser = position)]
    position: Option<Box<Position>>,
    /// Look for the position in variations too
    #[arg(long, requires = "position")]
    variations: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum YesNo {
    Yes,
    No,
}

impl YesNo {
    fn is_yes(self) -> bool {
        matches!(self, YesNo::Yes)
    }
}

impl Selection {
    /// As the library has it.
    pub(crate) fn filter(&self) -> Filter {
        let games = self.games.iter().flat_map(|ranges| ranges.0.iter().cloned()).collect();
        let mut filter = Filter::default();
        filter.games = (!self.games.is_empty()).then_some(games);
        filter.player.clone_from(&self.player);
        filter.white.clone_from(&self.white);
        filter.black.clone_from(&self.black);
        filter.event.clone_from(&self.event);
        filter.site.clone_from(&self.site);
        filter.date.clone_from(&self.date);
        filter.eco.clone_from(&self.eco);
        filter.elo.clone_from(&self.elo);
        filter.results = (!self.result.is_empty()).then(|| self.result.clone());
        filter.deleted = self.deleted.map(YesNo::is_yes);
        filter.annotated = self.annotated.map(YesNo::is_yes);
        filter.position = self.position.as_deref().copied();
        filter.in_variations = self.variations;
        filter
    }
}

/// Ranges of game numbers, from zero.
#[derive(Clone, Debug)]
pub(crate) struct Ranges(pub(crate) Vec<RangeInclusive<u64>>);

/// `1-100,205,300-`
pub(crate) fn ranges(text: &str) -> Result<Ranges, String> {
    let number = |text: &str| {
        let number = text.trim().parse::<u64>().ok().and_then(|number| number.checked_sub(1));
        number.ok_or_else(|| format!("{text:?} is no game number; they count from 1"))
    };
    let range = |part: &str| match part.split_once('-') {
        None => number(part).map(|number| number..=number),
        Some((first, "")) => Ok(number(first)?..=u64::MAX),
        Some((first, last)) => filled(part, number(first)?..=number(last)?),
    };
    text.split(',').map(range).collect::<Result<_, String>>().map(Ranges)
}

/// A range with something in it.
fn filled<T: PartialOrd>(
    text: &str,
    range: RangeInclusive<T>,
) -> Result<RangeInclusive<T>, String> {
    if range.is_empty() { Err(format!("{text:?} ends before it begins")) } else { Ok(range) }
}

/// The two ends of `a..b`, `a..`, `..b` or `a`.
fn ends(text: &str) -> (Option<&str>, Option<&str>) {
    let given = |text: &'_ str| !text.is_empty();
    match text.split_once("..") {
        None => (Some(text), Some(text)),
        Some((first, last)) => {
            (Some(first).filter(|text| given(text)), Some(last).filter(|text| given(text)))
        }
    }
}

fn dates(text: &str) -> Result<RangeInclusive<Date>, String> {
    let date = |text: &str| {
        let date = Date::parse_lenient(text);
        let sound = date.year().is_some() && text.starts_with(|c: char| c.is_ascii_digit());
        if sound { Ok(date) } else { Err(format!("{text:?} is no date like 1990 or 1990.05.31")) }
    };
    let (first, last) = ends(text);
    let first = first.map_or(Ok(Date::UNKNOWN), date)?;
    let last = last.map_or(Ok(Date::UNKNOWN), date)?;
    if let Some(year) = last.year() {
        let (_, month, day) = last.parts();
        let latest = |part: u8| if part == 0 { u8::MAX } else { part };
        filled(text, first.parts()..=(year, latest(month), latest(day)))?;
    }
    Ok(first..=last)
}

fn ecos(text: &str) -> Result<RangeInclusive<Eco>, String> {
    // `B` is B00 to B99, `B9` is B90 to B99.
    let code = |text: &str, fill: &str| {
        let missing = fill.get(text.len().min(3)..).unwrap_or_default();
        let whole = format!("{}{missing}", text.to_ascii_uppercase());
        whole.parse::<Eco>().map_err(|_| format!("{text:?} is no ECO code like B90"))
    };
    let (first, last) = ends(text);
    let (first, last) = (code(first.unwrap_or("A"), "A00")?, code(last.unwrap_or("F"), "F99")?);
    filled(text, first.code()..=last.code())?;
    Ok(first..=last)
}

fn elos(text: &str) -> Result<RangeInclusive<u16>, String> {
    let elo = |text: &str| text.parse().map_err(|_| format!("{text:?} is no rating"));
    let (first, last) = ends(text);
    filled(text, first.map_or(Ok(1), elo)?..=last.map_or(Ok(u16::MAX), elo)?)
}

fn result(text: &str) -> Result<GameResult, String> {
    match text {
        "1/2" | "=" => Ok(GameResult::Draw),
        other => other.parse().map_err(|_| "1-0, 0-1, 1/2-1/2 or *".to_owned()),
    }
}

fn position(fen: &str) -> Result<Box<Position>, String> {
    Position::from_fen(fen).map(Box::new).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_from_one() {
        assert_eq!(ranges("1-100,205").unwrap().0, [0..=99, 204..=204]);
        assert_eq!(ranges("7-").unwrap().0, [6..=u64::MAX]);
        assert!(ranges("0").is_err());
        assert!(ranges("a-b").is_err());
        assert_eq!(ranges("5-5").unwrap().0, [4..=4]);
        assert!(ranges("3-1").unwrap_err().contains("ends before it begins"));
    }

    #[test]
    fn eco_prefixes_are_ranges() {
        let codes = |text| ecos(text).map(|range| range.start().code()..=range.end().code());
        assert_eq!(codes("B9"), Ok(190..=199));
        assert_eq!(codes("b90..C"), Ok(190..=299));
        assert_eq!(codes(".."), Ok(0..=599));
        assert!(codes("X").is_err());
        assert_eq!(codes("B9..B95"), Ok(190..=195));
        assert!(codes("C..B").is_err());
    }

    #[test]
    fn date_ends_may_be_open() {
        assert_eq!(dates("1990..1995").unwrap().start().parts(), (1990, 0, 0));
        assert!(dates("..1995").unwrap().start().is_unknown());
        assert!(dates("tomorrow").is_err());
        assert!(dates("1990..1990").is_ok() && dates("1990.05..1990").is_ok());
        assert!(dates("1995..1990").is_err() && dates("1990.05..1990.04.30").is_err());
    }

    #[test]
    fn rating_ranges() {
        assert_eq!(elos("2500.."), Ok(2500..=u16::MAX));
        assert_eq!(elos("..2000"), Ok(1..=2000));
        assert!(elos("good").is_err() && elos("2200..2000").is_err());
    }
}
