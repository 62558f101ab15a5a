//! The results of a player.

use chess_core::{Color, Date, Eco};
use names::Identity;
use reports::{
    LineScore, Named, OpeningGroup, OpponentScore, PlayerReport, Rating, Score, Win, YearScore,
};
use serde_json::{Map, Value, json};

use crate::forms::{Counted, Forms, insert_list, left_out};
use crate::numbers::{
    counted, decimal_points, games, grouped, json_points, number, percent, points,
};
use crate::page::{Column, Page, Table};
use crate::svg::{self, Bar};

/// `Polgar, Judit (2 spellings, FIDE id 700070, 1986 to 2014, Elo 2365 to 2735): 1,203 games`
#[must_use]
pub fn named(person: &Identity) -> String {
    let mut facts = Vec::new();
    if person.names.len() > 1 {
        facts.push(format!("{} spellings", grouped(person.names.len() as u64)));
    }
    facts.extend(person.fide_id.map(|id| format!("FIDE id {id}")));
    let range = |(first, last): (u16, u16)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    facts.extend(person.years.map(range));
    facts.extend(person.ratings.map(|ratings| format!("Elo {}", range(ratings))));
    let name = person.names.first().map_or("", |(name, _)| name);
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
    format!("{name}{facts}: {}", games(person.games))
}

/// The spellings of a name that text and HTML show.
const SPELLINGS: usize = 10;
const COLORS: [(Color, &str); 2] = [(Color::White, "White"), (Color::Black, "Black")];
const PARTS: [&str; 4] = ["won", "drawn", "lost", "no result"];

/// The report of a player, with its rows limited.
#[derive(Clone, Copy, Debug)]
pub struct PlayerForms<'a> {
    /// The report.
    pub report: &'a PlayerReport,
    /// The games that it counts.
    pub counted: &'a Counted,
    /// The most rows of long lists.
    pub most: usize,
    /// The words that were searched.
    pub who: &'a str,
}

/// The columns of a score.
const SCORE: [Column; 8] = [
    Column::number("games"),
    Column::number("won"),
    Column::number("drawn"),
    Column::number("lost"),
    Column::number("no result"),
    Column::number("score"),
    Column::number("opponents"),
    Column::number("performance"),
];

/// Returns the cells of [`SCORE`].
fn cells(score: &Score) -> Vec<String> {
    let some = |count: u64| if count == 0 { String::new() } else { grouped(count) };
    vec![
        grouped(score.games),
        grouped(score.wins),
        grouped(score.draws),
        grouped(score.losses),
        some(score.unfinished()),
        percent(score.share()),
        number(score.opponents()),
        number(score.performance()),
    ]
}

fn row(name: String, score: &Score) -> Vec<String> {
    [vec![name], cells(score)].concat()
}

fn bar(label: &str, score: &Score) -> Bar {
    let parts = [score.wins, score.draws, score.losses, score.unfinished()];
    Bar { label: label.to_owned(), parts }
}

fn year_text(year: Option<u16>) -> String {
    year.map_or_else(|| "unknown".to_owned(), |year| year.to_string())
}

/// Returns `B90–B99`.
fn codes(eco: Option<(Eco, Eco)>) -> String {
    match eco {
        Some((first, last)) if first != last => format!("{first}–{last}"),
        Some((code, _)) => code.to_string(),
        None => String::new(),
    }
}

fn opening_name(group: &OpeningGroup<Score>) -> String {
    group.name.unwrap_or("unnamed").to_owned()
}

fn known_date(date: Date) -> String {
    if date.is_unknown() { String::new() } else { date.to_string() }
}

impl PlayerForms<'_> {
    /// The most frequent spelling, or the words that were searched.
    fn title(&self) -> String {
        let first = self.report.spellings().into_iter().next();
        first.map_or_else(|| self.who.to_owned(), |named| named.name)
    }

    fn names(&self) -> String {
        let spellings = self.report.spellings();
        let shown = spellings.iter().take(SPELLINGS);
        let mut texts: Vec<String> =
            shown.map(|named| format!("{} ({})", named.name, grouped(named.value))).collect();
        texts.extend(left_out(spellings.len(), SPELLINGS));
        texts.join("; ")
    }

    fn overview(&self) -> Table {
        let mut table = Table::new("colour", &SCORE);
        let mut bars = Vec::new();
        table.rows.push(row("both".to_owned(), &self.report.total()));
        bars.push(bar("both", &self.report.total()));
        for (color, name) in COLORS {
            let score = self.report.by_color(color);
            table.rows.push(row(name.to_owned(), &score));
            bars.push(bar(name, &score));
        }
        table.picture = svg::shares("Results by colour", PARTS, &bars);
        table
    }

    fn years(&self) -> [Table; 2] {
        let years = self.report.years();
        let mut table = Table::new("year", &SCORE);
        let ratings = [Column::number("first"), Column::number("last"), Column::number("highest")];
        let mut course = Table::new("rating", &ratings);
        let (mut parts, mut points) = (Vec::new(), Vec::new());
        for (year, YearScore { score, first, last, peak, .. }) in &years {
            table.rows.push(row(year_text(*year), score));
            parts.push((*year, bar("", score).parts));
            let elo = |rating: &Option<Rating>| number(rating.map(|rating| rating.elo));
            if let Some(rating) = last {
                course.rows.push(vec![year_text(*year), elo(first), elo(last), number(*peak)]);
                points.extend(year.map(|year| (year, rating.elo.get())));
            }
        }
        table.picture = svg::columns("Games by year", PARTS, &svg::by_year(&parts));
        course.picture = svg::course("Rating at the end of each year", &points);
        [table, course]
    }

    fn openings(&self, color: Color, name: &str) -> Table {
        let columns = [&SCORE[..], &[Column::text("ECO")]].concat();
        let mut table = Table::new(&format!("opening with {name}"), &columns);
        let all = self.report.openings(color);
        for group in all.iter().take(self.most) {
            let mut row = row(opening_name(group), &group.value);
            row.push(codes(group.eco));
            table.rows.push(row);
        }
        table.more = left_out(all.len(), self.most);
        table
    }

    fn first_moves(&self, color: Color, name: &str) -> Table {
        let own = [Column::number("games"), Column::number("score"), Column::number("performance")];
        let line = [Column::text("most frequent line"), Column::number("games")];
        let mut table =
            Table::new(&format!("first moves with {name}"), &[&own[..], &line[..]].concat());
        let all = self.report.first_moves(color);
        for LineScore { moves, score, line, line_games, .. } in all.iter().take(self.most) {
            table.rows.push(vec![
                moves.clone(),
                grouped(score.games),
                percent(score.share()),
                number(score.performance()),
                line.clone(),
                grouped(*line_games),
            ]);
        }
        table.more = left_out(all.len(), self.most);
        table
    }

    fn opponents(&self) -> Table {
        let columns = [&SCORE[..], &[Column::number("points")]].concat();
        let mut table = Table::new("opponent", &columns);
        let all = self.report.opponents();
        for Named { name, value, .. } in all.iter().take(self.most) {
            let total = value.total();
            let lost = 2 * total.finished() - total.half_points();
            let mut row = row(name.clone(), &total);
            row.push(format!("{}–{}", points(total.half_points()), points(lost)));
            table.rows.push(row);
        }
        table.more = left_out(all.len(), self.most);
        table
    }

    fn time_classes(&self) -> Table {
        let mut table = Table::new("time class", &SCORE);
        let classes = self.report.time_classes();
        // A table with the row "unknown" alone would say nothing.
        if classes.len() > 1 || classes.iter().any(|(class, _)| class.name() != "unknown") {
            table.rows =
                classes.iter().map(|(class, score)| row(class.to_string(), score)).collect();
        }
        table
    }

    fn best_wins(&self) -> Table {
        let columns = [
            Column::number("Elo"),
            Column::text("colour"),
            Column::text("date"),
            Column::text("event"),
            Column::number("game"),
        ];
        let mut table = Table::new("best wins", &columns);
        for Win { opponent, elo, color, date, event, number, .. } in self.report.best_wins() {
            table.rows.push(vec![
                opponent.clone(),
                elo.to_string(),
                if *color == Color::White { "White" } else { "Black" }.to_owned(),
                known_date(*date),
                event.clone(),
                (number + 1).to_string(),
            ]);
        }
        table
    }

    /// The note about games that cannot be counted for a player.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let own = self.report.own_games();
        if own > 0 {
            let is = if own == 1 { "is" } else { "are" };
            let games = counted(own, "game", "games");
            notes.push(format!("{games} {is} left out: the name matches both players"));
        }
        let (others, names) = self.report.other_opponents();
        let others = others.total().games;
        if others > 0 {
            let games = counted(others, "game", "games");
            let names = grouped(names as u64);
            notes.push(format!("{games} against further opponents; only {names} names are kept"));
        }
        notes
    }
}

fn score_json(score: &Score) -> Map<String, Value> {
    let members = [
        ("games", json!(score.games)),
        ("won", json!(score.wins)),
        ("drawn", json!(score.draws)),
        ("lost", json!(score.losses)),
        ("points", json_points(score.half_points())),
        ("score", json!(score.share())),
        ("opponents", json!(score.opponents())),
        ("performance", json!(score.performance())),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A score with members in front.
fn object<const N: usize>(members: [(&str, Value); N], score: &Score) -> Value {
    let mut object: Map<String, Value> =
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    object.extend(score_json(score));
    object.into()
}

fn rating_json(rating: Option<Rating>) -> Value {
    rating.map_or(
        Value::Null,
        |Rating { elo, date, .. }| json!({"elo": elo.get(), "date": known_date(date)}),
    )
}

impl Forms for PlayerForms<'_> {
    fn page(&self) -> Page {
        let mut facts = Vec::new();
        if self.report.games() > 0 {
            facts.push(("names", self.names()));
        }
        facts.push(("games", self.counted.text()));
        if let Some(Rating { elo, date, .. }) = self.report.peak() {
            let date = if date.is_unknown() { String::new() } else { format!(", {date}") };
            facts.push(("highest Elo", format!("{elo}{date}")));
        }
        let mut tables = vec![self.overview()];
        tables.push(self.time_classes());
        tables.extend(self.years());
        for (color, name) in COLORS {
            tables.push(self.openings(color, name));
        }
        for (color, name) in COLORS {
            tables.push(self.first_moves(color, name));
        }
        tables.extend([self.opponents(), self.best_wins()]);
        Page { title: self.title(), facts, tables, notes: self.notes() }
    }

    fn json(&self) -> Map<String, Value> {
        let mut all = Map::new();
        let most = self.most;
        insert_list(
            &mut all,
            "names",
            &self.report.spellings(),
            usize::MAX,
            |named| json!({"name": named.name, "games": named.value}),
        );
        self.counted.insert_into(&mut all);
        all.insert("both_players".into(), self.report.own_games().into());
        all.insert("total".into(), score_json(&self.report.total()).into());
        for (color, name) in [(Color::White, "white"), (Color::Black, "black")] {
            all.insert(name.into(), score_json(&self.report.by_color(color)).into());
        }
        all.insert("highest".into(), rating_json(self.report.peak()));
        insert_list(&mut all, "years", &self.report.years(), usize::MAX, |(year, of_year)| {
            let ratings = [
                ("year", json!(year)),
                ("elo_first", json!(of_year.first.map(|rating| rating.elo.get()))),
                ("elo_last", json!(of_year.last.map(|rating| rating.elo.get()))),
                ("elo_highest", json!(of_year.peak.map(|elo| elo.get()))),
            ];
            object(ratings, &of_year.score)
        });
        let classes = self.report.time_classes();
        insert_list(&mut all, "time_classes", &classes, usize::MAX, |(class, score)| {
            object([("time_class", class.name().into())], score)
        });
        for (color, name) in [(Color::White, "openings_white"), (Color::Black, "openings_black")] {
            insert_list(&mut all, name, &self.report.openings(color), most, |group| {
                let eco = group.eco.map(|(first, last)| [first.to_string(), last.to_string()]);
                object([("name", json!(group.name)), ("eco", json!(eco))], &group.value)
            });
        }
        for (color, name) in
            [(Color::White, "first_moves_white"), (Color::Black, "first_moves_black")]
        {
            insert_list(&mut all, name, &self.report.first_moves(color), most, |line| {
                let members = [
                    ("moves", json!(line.moves)),
                    ("line", json!(line.line)),
                    ("line_games", json!(line.line_games)),
                ];
                object(members, &line.score)
            });
        }
        insert_list(&mut all, "opponents", &self.report.opponents(), most, |named| {
            let OpponentScore { white, black, .. } = &named.value;
            let members = [
                ("name", json!(named.name)),
                ("white", score_json(white).into()),
                ("black", score_json(black).into()),
            ];
            object(members, &named.value.total())
        });
        insert_list(&mut all, "best_wins", self.report.best_wins(), usize::MAX, |win| {
            let color = if win.color == Color::White { "white" } else { "black" };
            json!({
                "opponent": win.opponent,
                "elo": win.elo.get(),
                "color": color,
                "date": known_date(win.date),
                "event": win.event,
                "game": win.number + 1,
            })
        });
        all
    }

    fn csv(&self) -> Vec<Vec<String>> {
        let head = "list,color,name,eco,games,won,drawn,lost,points,score,opponents,performance,\
                    elo_first,elo_last,elo_highest,date,event";
        let mut lines: Vec<Vec<String>> = vec![head.split(',').map(str::to_owned).collect()];
        let mut line = |list: &str,
                        color: &str,
                        name: String,
                        eco: String,
                        score: &Score,
                        more: [String; 5]| {
            let mut line = vec![list.to_owned(), color.to_owned(), name, eco];
            line.extend(
                [score.games, score.wins, score.draws, score.losses].map(|n| n.to_string()),
            );
            line.push(decimal_points(score.half_points()));
            line.push(score.share().map(|share| format!("{share:.4}")).unwrap_or_default());
            line.extend([number(score.opponents()), number(score.performance())]);
            line.extend(more);
            lines.push(line);
        };
        let none = String::new;
        let plain = || [none(), none(), none(), none(), none()];
        line("total", "", self.title(), none(), &self.report.total(), plain());
        for (color, name) in [(Color::White, "white"), (Color::Black, "black")] {
            line("total", name, self.title(), none(), &self.report.by_color(color), plain());
        }
        for (year, of_year) in self.report.years() {
            let elo = |rating: Option<Rating>| number(rating.map(|rating| rating.elo));
            let more =
                [elo(of_year.first), elo(of_year.last), number(of_year.peak), none(), none()];
            line("year", "", number(year), none(), &of_year.score, more);
        }
        for (class, score) in self.report.time_classes() {
            line("time class", "", class.to_string(), none(), &score, plain());
        }
        for (color, name) in [(Color::White, "white"), (Color::Black, "black")] {
            for group in self.report.openings(color).iter().take(self.most) {
                let opening = group.name.unwrap_or_default().to_owned();
                line("opening", name, opening, codes(group.eco), &group.value, plain());
            }
            for first in self.report.first_moves(color).iter().take(self.most) {
                line("first moves", name, first.moves.clone(), none(), &first.score, plain());
            }
        }
        for Named { name, value, .. } in self.report.opponents().iter().take(self.most) {
            line("opponent", "", name.clone(), none(), &value.total(), plain());
            for (color, score) in [("white", &value.white), ("black", &value.black)] {
                if score.games > 0 {
                    line("opponent", color, name.clone(), none(), score, plain());
                }
            }
        }
        for win in self.report.best_wins() {
            let color = if win.color == Color::White { "white" } else { "black" };
            let mut line = vec!["best win".to_owned(), color.to_owned(), win.opponent.clone()];
            line.push(none());
            line.extend(["1", "1", "0", "0", "1", "1.0000"].map(str::to_owned));
            line.push(win.elo.to_string());
            line.extend([none(), none(), none(), none(), known_date(win.date), win.event.clone()]);
            lines.push(line);
        }
        lines
    }
}
