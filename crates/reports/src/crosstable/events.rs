//! Tells events apart.

use std::collections::{BTreeMap, HashMap, HashSet};

use chess_core::Date;

use super::{EventReport, Played};
use crate::names::is_nobody;

/// An event with the games of a base.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventSummary {
    /// The event.
    pub event: String,
    /// The site; `?` if it is unknown.
    pub site: String,
    /// The first and the last date that is known to the day, or else the known parts.
    pub dates: Option<(Date, Date)>,
    /// Number of games.
    pub games: usize,
    /// Number of players.
    pub players: usize,
}

/// Days between two games of one event, at most.
const LONGEST_GAP: u32 = 120;

/// Returns the events of a report, those with most games first.
pub(super) fn summaries(report: &EventReport) -> Vec<EventSummary> {
    // An unknown site is the known one, if the event has no other.
    let is_known = |game: &&Played| !is_nobody(report.sites.text(game.site));
    let mut sites: HashMap<u32, Option<u32>> = HashMap::new();
    for game in report.games.iter().filter(is_known) {
        let only = sites.entry(game.event).or_insert(Some(game.site));
        *only = only.filter(|site| *site == game.site);
    }
    let mut places: BTreeMap<(u32, u32), Vec<&Played>> = BTreeMap::new();
    for game in &report.games {
        let only = sites.get(&game.event).copied().flatten();
        places.entry((game.event, only.unwrap_or(game.site))).or_default().push(game);
    }
    let mut all = Vec::new();
    for ((event, site), games) in places {
        let parts = if report.merges { vec![games] } else { by_date(games) };
        for games in parts {
            let mut players: HashSet<u32> = games.iter().flat_map(|game| game.players).collect();
            players.retain(|player| !is_nobody(report.players.text(*player)));
            let text = |text: &str| if text.is_empty() { "?" } else { text }.to_owned();
            all.push(EventSummary {
                event: text(report.events.text(event)),
                site: text(report.sites.text(site)),
                dates: dates(&games),
                games: games.len(),
                players: players.len(),
            });
        }
    }
    all.sort_by(|one, other| {
        let by_size = other.games.cmp(&one.games);
        let by_name = one.event.cmp(&other.event).then_with(|| one.site.cmp(&other.site));
        by_size.then(by_name).then_with(|| one.dates.cmp(&other.dates))
    });
    all
}

/// Splits games where their dates have a gap. Games with only a year go with the other games of that
/// year, games without a date with the only event, if there is one.
fn by_date(games: Vec<&Played>) -> Vec<Vec<&Played>> {
    let (mut dated, mut vague): (Vec<&Played>, Vec<&Played>) = games
        .into_iter()
        .partition(|game| game.date.year().is_some() && game.date.month().is_some());
    dated.sort_by_key(|game| day(game.date));
    let mut parts: Vec<Vec<&Played>> = Vec::new();
    for game in dated {
        let last = parts.last().and_then(|part| part.last());
        let gap = last.map(|last| day(game.date).saturating_sub(day(last.date)));
        match parts.last_mut() {
            Some(part) if gap.is_some_and(|gap| gap <= LONGEST_GAP) => part.push(game),
            _ => parts.push(vec![game]),
        }
    }
    vague.sort_by_key(|game| std::cmp::Reverse(game.date));
    let mut places: HashMap<Option<u16>, usize> = HashMap::new();
    for (place, part) in parts.iter().enumerate() {
        for game in part {
            places.entry(game.date.year()).or_insert(place);
        }
    }
    for game in vague {
        let year = game.date.year();
        if year.is_none() && parts.len() == 1 {
            places.insert(None, 0);
        }
        let place = *places.entry(year).or_insert(parts.len());
        match parts.get_mut(place) {
            Some(part) => part.push(game),
            None => parts.push(vec![game]),
        }
    }
    parts
}

/// Returns a number that grows by one a day. An unknown day is the first of its month.
fn day(date: Date) -> u32 {
    let (year, month, day) = date.parts();
    let months = u32::from(year) * 12 + u32::from(month);
    // Months of 31 days make a gap at most a few days longer.
    months * 31 + u32::from(day)
}

/// Returns the first and the last date. Dates with a day are preferred.
fn dates(games: &[&Played]) -> Option<(Date, Date)> {
    let range = |dates: &mut dyn Iterator<Item = Date>| {
        dates.map(|date| (date, date)).reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    };
    let full = |date: &Date| date.year().is_some() && date.day().is_some();
    let known = |date: &Date| date.year().is_some();
    let all = || games.iter().map(|game| game.date);
    range(&mut all().filter(full)).or_else(|| range(&mut all().filter(known)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{add, report};
    use super::*;

    fn events(dates: &[&str]) -> Vec<usize> {
        let mut report = EventReport::new();
        for date in dates {
            add(&mut report, &[("A", "B", "1-0")], &[("Event", "Open"), ("Date", date)]);
        }
        report.events().iter().map(|event| event.games).collect()
    }

    #[test]
    fn events_of_one_name_are_split_by_year_and_not_at_new_year() {
        assert_eq!(events(&["1954.12.28", "1955.01.05"]), [2]);
        assert_eq!(events(&["1954.12.28", "1955.12.28", "1955.12.30"]), [2, 1]);
        assert_eq!(events(&["1954.??.??", "1954.06.01", "1955.??.??"]), [2, 1]);
        assert_eq!(events(&["1954.??.??", "1954.??.??", "1955.??.??"]), [2, 1]);
        assert_eq!(events(&["????.??.??", "1954.06.01"]), [2]);
        assert_eq!(events(&["????.??.??", "1954.06.01", "1956.06.01", "????.??.??"]), [2, 1, 1]);
        assert_eq!(events(&["????.??.??", "????.??.??"]), [2]);
        assert_eq!(events(&["1954.01.??", "1954.01.20", "1954.02.??"]), [3]);
        assert_eq!(events(&[]), [0usize; 0]);
    }

    #[test]
    fn events_with_address_or_unknown_site_are_one() {
        let mut games = report(&[("A", "B", "1-0")], &[("Site", "https://lichess.org/abcdefgh")]);
        add(&mut games, &[("B", "A", "1-0")], &[("Site", "https://lichess.org/hgfedcba")]);
        assert_eq!(games.events().len(), 1);
        add(&mut games, &[("B", "A", "1-0")], &[("Site", "London")]);
        let events = games.events();
        assert_eq!((events.len(), &*events[0].site), (1, "London"));
        add(&mut games, &[("B", "A", "1-0")], &[("Site", "Paris")]);
        assert_eq!(games.events().len(), 3);
        assert!(games.table(&[]).is_none());
        let mut merged = EventReport::new().merge(true);
        add(&mut merged, &[("B", "A", "1-0")], &[("Site", "London"), ("Date", "1999.01.01")]);
        add(&mut merged, &[("B", "A", "1-0")], &[("Site", "Paris"), ("Date", "2009.01.01")]);
        assert_eq!(merged.events().len(), 1);
        assert!(merged.table(&[]).is_some());
    }
}
