//! The statistics of games.

use std::ops::RangeInclusive;

use reports::{OpeningGroup, Results, Statistics, shares};
use serde_json::{Map, Value, json};

use crate::forms::{Counted, Forms, insert_list, left_out};
use crate::numbers::{grouped, percent, tenths};
use crate::page::{Column, Page, Table};
use crate::svg::{self, Bar};

const COLUMNS: [Column; 8] = [
    Column::number("games"),
    Column::number("share"),
    Column::number("1-0"),
    Column::number("½-½"),
    Column::number("0-1"),
    Column::number("*"),
    Column::number("White scores"),
    Column::text("ECO"),
];
const PARTS: [&str; 4] = ["1-0", "½-½", "0-1", "no result"];

/// The statistics of games, with the openings limited.
#[derive(Clone, Copy, Debug)]
pub struct StatisticsForms<'a> {
    /// The statistics.
    pub statistics: &'a Statistics,
    /// The games that they count.
    pub counted: &'a Counted,
    /// The most openings.
    pub most: usize,
}

/// With more years than this, text and HTML show decades.
const MAX_YEARS: usize = 40;

/// A named row of a list.
type Row = (String, Results);

fn bar((label, results): &Row) -> Bar {
    let parts = [results.white, results.draws, results.black, results.unfinished()];
    Bar { label: label.clone(), parts }
}

/// Makes a table. The shares of games add up to 100%, and so do the shares of results in a row.
fn table(title: &str, rows: &[Row]) -> Table {
    let mut table = Table::new(title, &COLUMNS);
    let games: Vec<u64> = rows.iter().map(|(_, results)| results.games).collect();
    for ((name, results), share) in rows.iter().zip(shares(&games)) {
        let parts = [results.white, results.draws, results.black, results.unfinished()];
        let of_results = shares(&parts).into_iter().zip(parts);
        let mut row = vec![name.clone(), grouped(results.games), tenths(share)];
        row.extend(of_results.enumerate().map(|(place, (share, part))| match part {
            0 if place == 3 => String::new(),
            _ => tenths(share),
        }));
        row.push(percent(results.white_share()));
        table.rows.push(row);
    }
    table
}

/// Formats `2400–2599`, `2800 and more`, `under 1200`.
fn band(range: &RangeInclusive<usize>) -> String {
    match (*range.start(), *range.end()) {
        (first, last) if first == last => first.to_string(),
        (first, usize::MAX) => format!("{first} and more"),
        (first, last) => format!("{first}–{last}"),
    }
}

fn rating_band(range: &Option<RangeInclusive<usize>>) -> String {
    match range {
        None => "unknown".to_owned(),
        Some(range) if *range.start() == 0 => format!("under {}", range.end().saturating_add(1)),
        Some(range) => band(range),
    }
}

fn length_band(range: &Option<RangeInclusive<usize>>) -> String {
    range.as_ref().map_or_else(|| "damaged".to_owned(), band)
}

fn opening_name(group: &OpeningGroup<Results>) -> &'static str {
    group.name.unwrap_or("unnamed")
}

impl StatisticsForms<'_> {
    fn years(&self) -> Vec<Row> {
        let name = |year: Option<u16>| year.map_or("unknown".to_owned(), |year| year.to_string());
        let years = self.statistics.years().into_iter();
        years.map(|(year, results)| (name(year), results)).collect()
    }

    /// The games by decade, if there are too many years to read.
    fn decades(&self) -> Option<Vec<Row>> {
        let years = self.statistics.years();
        if years.len() <= MAX_YEARS {
            return None;
        }
        let mut decades: Vec<Row> = Vec::new();
        for (year, results) in years {
            let name = year.map_or("unknown".to_owned(), |year| format!("{}s", year / 10 * 10));
            match decades.last_mut().filter(|(last, _)| *last == name) {
                Some((_, sum)) => sum.merge(&results),
                None => decades.push((name, results)),
            }
        }
        Some(decades)
    }

    fn time_classes(&self) -> Vec<Row> {
        let classes = self.statistics.time_classes().into_iter();
        classes.map(|(class, results)| (class.to_string(), results)).collect()
    }

    fn lengths(&self) -> Vec<Row> {
        let bands = self.statistics.lengths().into_iter();
        bands.map(|(range, results)| (length_band(&range), results)).collect()
    }

    fn ratings(&self) -> Vec<Row> {
        let bands = self.statistics.ratings().into_iter();
        bands.map(|(range, results)| (rating_band(&range), results)).collect()
    }

    fn openings(&self) -> Table {
        let all = self.statistics.openings();
        // Shares refer to all games, so they are computed before the limit.
        let rows: Vec<Row> =
            all.iter().map(|group| (opening_name(group).to_owned(), group.value)).collect();
        let mut table = table("opening", &rows);
        for (row, group) in table.rows.iter_mut().zip(&all) {
            row.push(match group.eco {
                Some((first, last)) if first != last => format!("{first}–{last}"),
                Some((code, _)) => code.to_string(),
                None => String::new(),
            });
        }
        table.rows.truncate(self.most);
        table.more = left_out(all.len(), self.most);
        table
    }
}

fn results_json(results: &Results) -> Map<String, Value> {
    let members = [
        ("games", json!(results.games)),
        ("white", json!(results.white)),
        ("draws", json!(results.draws)),
        ("black", json!(results.black)),
        ("white_score", json!(results.white_share())),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn object(members: Vec<(&str, Value)>, results: &Results) -> Value {
    let mut object: Map<String, Value> =
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    object.extend(results_json(results));
    object.into()
}

/// The bounds of a range, or null.
fn bounds(range: &Option<RangeInclusive<usize>>) -> Value {
    let last = |last: usize| if last == usize::MAX { Value::Null } else { last.into() };
    range.as_ref().map_or(Value::Null, |range| json!([range.start(), last(*range.end())]))
}

impl Forms for StatisticsForms<'_> {
    fn page(&self) -> Page {
        let total = self.statistics.total();
        let mut facts = vec![("games", self.counted.text())];
        if let Some(plies) = self.statistics.mean_plies() {
            let longest = self.statistics.longest().div_ceil(2);
            facts.push((
                "length",
                format!("{:.1} moves on average, {longest} at most", plies / 2.0),
            ));
        }
        if self.statistics.damaged() > 0 {
            let damaged = grouped(self.statistics.damaged());
            facts.push(("damaged", format!("{damaged}; counted by what could be read")));
        }
        let all = [("all".to_owned(), total)];
        let mut results = table("results", &all);
        let bars: Vec<Bar> = all.iter().map(bar).collect();
        results.picture = svg::shares("Results", PARTS, &bars);
        let mut tables = vec![results];
        let lists = [
            ("year", "Games by year", self.years()),
            ("rating", "Games by rating", self.ratings()),
            ("time class", "Games by time class", self.time_classes()),
            ("moves", "Games by length", self.lengths()),
        ];
        for (title, what, rows) in lists {
            let bars: Vec<Bar> = rows.iter().map(bar).collect();
            let decades = self.decades().filter(|_| title == "year");
            let mut table = match decades {
                Some(decades) => self::table("decade", &decades),
                None => self::table(title, &rows),
            };
            table.picture = match title {
                "year" => {
                    let parts = |(year, of_year): (Option<u16>, Results)| {
                        (year, bar(&(String::new(), of_year)).parts)
                    };
                    let years = self.statistics.years().into_iter().map(parts);
                    svg::columns(what, PARTS, &svg::by_year(&years.collect::<Vec<_>>()))
                }
                _ => svg::shares(what, PARTS, &bars),
            };
            tables.push(table);
        }
        tables.push(self.openings());
        Page { title: "Statistics".to_owned(), facts, tables, notes: Vec::new() }
    }

    fn json(&self) -> Map<String, Value> {
        let mut all = Map::new();
        let most = usize::MAX;
        let statistics = self.statistics;
        self.counted.insert_into(&mut all);
        all.insert("total".into(), results_json(&statistics.total()).into());
        all.insert("mean_plies".into(), json!(statistics.mean_plies()));
        all.insert("longest_plies".into(), statistics.longest().into());
        insert_list(&mut all, "years", &statistics.years(), most, |(year, results)| {
            object(vec![("year", json!(year))], results)
        });
        insert_list(&mut all, "ratings", &statistics.ratings(), most, |(range, results)| {
            object(vec![("elo", bounds(range))], results)
        });
        insert_list(
            &mut all,
            "time_classes",
            &statistics.time_classes(),
            most,
            |(class, results)| object(vec![("time_class", class.name().into())], results),
        );
        insert_list(&mut all, "lengths", &statistics.lengths(), most, |(range, results)| {
            object(vec![("moves", bounds(range))], results)
        });
        insert_list(&mut all, "openings", &statistics.openings(), self.most, |group| {
            let eco = group.eco.map(|(first, last)| [first.to_string(), last.to_string()]);
            object(vec![("name", json!(group.name)), ("eco", json!(eco))], &group.value)
        });
        all
    }

    fn csv(&self) -> Vec<Vec<String>> {
        let head = ["list", "name", "games", "white", "draws", "black", "white_score"];
        let mut lines: Vec<Vec<String>> = vec![head.map(str::to_owned).into()];
        let all = self.statistics.openings();
        let openings = all.iter().take(self.most);
        let openings = openings
            .map(|group| (group.name.unwrap_or_default().to_owned(), group.value))
            .collect();
        let lists = [
            ("total", vec![("all".to_owned(), self.statistics.total())]),
            ("year", self.years()),
            ("rating", self.ratings()),
            ("time class", self.time_classes()),
            ("moves", self.lengths()),
            ("opening", openings),
        ];
        for (list, rows) in lists {
            for (name, results) in rows {
                let counts = [results.games, results.white, results.draws, results.black];
                let mut line = vec![list.to_owned(), name];
                line.extend(counts.map(|count| count.to_string()));
                let share = results.white_share();
                line.push(share.map(|share| format!("{share:.4}")).unwrap_or_default());
                lines.push(line);
            }
        }
        lines
    }
}
