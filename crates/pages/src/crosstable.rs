//! Cross tables.

use chess_core::Color;
use reports::{Crosstable, EventSummary, Kind, Meeting, Standing, TeamStanding, TieBreak};
use serde_json::{Map, Value, json};

use crate::forms::{Counted, Forms, insert_list, left_out};
use crate::numbers::{counted, decimal_points, games, grouped, json_points, number, points};
use crate::page::{Column, Page, Table, Title};

/// Returns the event, site and dates, as far as they are known.
#[must_use]
pub fn event_name(event: &EventSummary) -> Vec<String> {
    let mut texts = vec![event.event.clone()];
    texts.extend(Some(event.site.clone()).filter(|site| site != "?"));
    texts.extend(event.dates.map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    }));
    texts
}

/// A cross table, with its players limited.
#[derive(Clone, Copy, Debug)]
pub struct CrosstableForms<'a> {
    /// The table. `None` if no game was selected.
    pub table: Option<&'a Crosstable>,
    /// The games that it counts.
    pub counted: &'a Counted,
    /// The most players.
    pub most: usize,
}

/// The members of the JSON about the event.
const OF_EVENT: [&str; 15] = [
    "event",
    "site",
    "dates",
    "games",
    "kind",
    "cycles",
    "rounds",
    "unfinished",
    "forfeits",
    "without_moves",
    "missing",
    "other_reading",
    "play_off",
    "repeated",
    "byes",
];

/// A match of more games has no column for each of them.
const MAX_GAME_COLUMNS: usize = 40;

fn kind_name(table: &Crosstable) -> String {
    match table.kind {
        Kind::Match => "match".to_owned(),
        Kind::RoundRobin { cycles: 1 } => "round robin".to_owned(),
        Kind::RoundRobin { cycles: 2 } => "double round robin".to_owned(),
        Kind::RoundRobin { cycles } => format!("round robin with {cycles} games a pair"),
        Kind::MatchRoundRobin { cycles: 1 } => "round robin of matches".to_owned(),
        Kind::MatchRoundRobin { cycles } => {
            format!("round robin with {cycles} matches a pair")
        }
        Kind::Swiss { rounds } => format!("Swiss, {}", counted(rounds.into(), "round", "rounds")),
        Kind::KnockOut { rounds } => {
            format!("knock-out, {}", counted(rounds.into(), "round", "rounds"))
        }
        Kind::Scheveningen => {
            "two sides, each player against the other side (Scheveningen)".to_owned()
        }
        Kind::Simul => "simultaneous exhibition".to_owned(),
        Kind::Arena => "arena".to_owned(),
        Kind::TeamMatch => "team match".to_owned(),
        Kind::TeamRoundRobin { cycles: 1 } => "team round robin".to_owned(),
        Kind::TeamRoundRobin { cycles: 2 } => "double team round robin".to_owned(),
        Kind::TeamRoundRobin { cycles } => {
            format!("team round robin with {cycles} matches a pair")
        }
        Kind::TeamSwiss { rounds } => {
            format!("team Swiss, {}", counted(rounds.into(), "round", "rounds"))
        }
        Kind::TeamKnockOut { rounds } => {
            format!("team knock-out, {}", counted(rounds.into(), "round", "rounds"))
        }
        Kind::Teams if table.teams.is_empty() => "teams that the games do not name".to_owned(),
        Kind::Teams => "teams; the pairings follow no known system".to_owned(),
        _ => "list of players; the pairings follow no known system".to_owned(),
    }
}

fn heading(tie_break: TieBreak) -> &'static str {
    match tie_break {
        TieBreak::DirectEncounter => "direct",
        TieBreak::SonnebornBerger => "SB",
        TieBreak::Wins => "wins",
        TieBreak::Buchholz => "Buchholz",
        TieBreak::BuchholzCut1 => "cut 1",
        TieBreak::Performance => "perf",
        other => other.code(),
    }
}

/// Formats a value without superfluous zeros: `4.25`, `3.5`, `2`.
fn tie_break_text(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Returns the headings of the columns of games.
fn game_columns(table: &Crosstable) -> Vec<usize> {
    let count = match table.kind {
        Kind::RoundRobin { .. } | Kind::MatchRoundRobin { .. } => table.players.len(),
        Kind::Swiss { rounds } => usize::try_from(rounds).unwrap_or(0),
        Kind::Match => {
            let games = table.players.first().map_or(0, |player| player.games.len());
            if games > MAX_GAME_COLUMNS { 0 } else { games }
        }
        _ => 0,
    };
    (1..=count).collect()
}

/// Returns the cell of a player in the column of an opponent, a round or a game.
fn game_cell(table: &Crosstable, own: usize, player: &Standing, column: usize) -> String {
    let Some(place) = column.checked_sub(1) else { return String::new() };
    let signs = |games: &mut dyn Iterator<Item = &Meeting>| -> String {
        games.map(|game| game.outcome.sign()).collect()
    };
    match table.kind {
        Kind::RoundRobin { .. } | Kind::MatchRoundRobin { .. } if place == own => "x".to_owned(),
        Kind::RoundRobin { .. } | Kind::MatchRoundRobin { .. } => {
            signs(&mut player.games.iter().filter(|game| game.opponent == place))
        }
        Kind::Match => signs(&mut player.games.iter().skip(place).take(1)),
        _ => {
            let in_round =
                |game: &&Meeting| game.round.is_some_and(|round| round as usize == column);
            let cell = |game: &Meeting| {
                let color = if game.color == Color::White { 'w' } else { 'b' };
                format!("{}{color}{}", game.opponent + 1, game.outcome.sign())
            };
            player.games.iter().find(in_round).map(cell).unwrap_or_default()
        }
    }
}

/// Returns the place; players after the first of several who share a place have none.
fn place_text(table: &Crosstable, own: usize, player: &Standing) -> String {
    let before = own.checked_sub(1).and_then(|before| table.players.get(before));
    match before {
        Some(before) if before.place == player.place => format!("{}=", player.place),
        _ => player.place.to_string(),
    }
}

impl CrosstableForms<'_> {
    fn standings(&self, table: &Crosstable) -> Table {
        let mut columns = vec![Column::text("player"), Column::number("Elo")];
        let numbered = |number| Column { title: Title::Number(number), is_number: true };
        let numbers = game_columns(table);
        columns.extend(numbers.iter().copied().map(numbered));
        columns.push(Column::number("points"));
        columns.extend(table.tie_breaks.iter().map(|one| Column::number(heading(*one))));
        columns.push(Column::number("games"));
        // Where a column shows each game, nobody needs the counts.
        if numbers.is_empty() {
            columns.extend(["won", "drawn", "lost"].map(Column::number));
        }
        columns.push(Column::number("performance"));
        let mut shown = Table::new("Standings", &columns);
        shown.dispensable = &["performance", "games", "Elo"];
        shown.first = "no.".to_owned();
        for (own, player) in table.players.iter().enumerate().take(self.most) {
            let Standing { name, elo, half_points, score, tie_breaks, .. } = player;
            let mut row = vec![format!("{:>3}", own + 1), name.clone(), number(*elo)];
            row.extend(numbers.iter().map(|column| game_cell(table, own, player, *column)));
            row.push(points(*half_points));
            row.extend(tie_breaks.iter().map(|value| tie_break_text(*value)));
            row.push(grouped(score.finished()));
            if numbers.is_empty() {
                row.extend([score.wins, score.draws, score.losses].map(grouped));
            }
            row.push(number(score.performance()));
            shown.rows.push(row);
        }
        shown.more = left_out(table.players.len(), self.most);
        shown
    }

    fn notes(table: &Crosstable) -> Vec<String> {
        let ties = table.players.windows(2).filter(|pair| match pair {
            [one, other] => one.place == other.place,
            _ => false,
        });
        let mut notes = Vec::new();
        if ties.count() > 0 {
            let shared = table.players.iter().enumerate().filter_map(|(own, player)| {
                let text = place_text(table, own, player);
                text.ends_with('=').then(|| format!("no. {} is {text}", own + 1))
            });
            let shared: Vec<String> = shared.take(5).collect();
            notes.push(format!("shared places: {}", shared.join(", ")));
        }
        if let (Some((other, missing)), Kind::RoundRobin { cycles }) =
            (table.other_reading, table.kind)
        {
            let mut readings = [(cycles, table.missing), (other, missing)];
            readings.sort_unstable();
            let [one, two] = readings.map(|(cycles, missing)| {
                let games = counted(missing as u64, "game is missing", "games are missing");
                let each = counted(cycles.into(), "game", "games");
                format!("{games} if each pair has {each}")
            });
            notes.push(format!("{one}, {two}"));
        } else if table.missing > 0 {
            let missing = counted(table.missing as u64, "game is missing", "games are missing");
            let is_least = matches!(table.kind, Kind::MatchRoundRobin { .. });
            notes.push(if is_least { format!("at least {missing}") } else { missing });
        }
        let mut note = |count: usize, one: &str, many: &str| {
            if count > 0 {
                notes.push(counted(count as u64, one, many));
            }
        };
        note(
            table.play_off,
            "game decides a tie after the last round, and does not count",
            "games decide ties after the last round, and do not count",
        );
        note(table.unfinished, "game has no result (*)", "games have no result (*)");
        note(
            table.forfeits,
            "game is a forfeit (+ -); it counts for points only",
            "games are forfeits (+ -); they count for points only",
        );
        note(
            table.byes,
            "game has no opponent (?); it counts for points only",
            "games have no opponent (?); they count for points only",
        );
        note(
            table.without_moves,
            "game has a winner and no moves; it counts as played, and may be a forfeit",
            "games have a winner and no moves; they count as played, and may be forfeits",
        );
        note(
            table.repeated,
            "game repeats the players, the round and the moves of another, and does not count",
            "games repeat the players, the round and the moves of others, and do not count",
        );
        notes
    }
}

fn teams(teams: &[TeamStanding]) -> Table {
    let columns = [
        Column::text("team"),
        Column::number("match points"),
        Column::number("points"),
        Column::number("matches"),
    ];
    let mut shown = Table::new("Teams", &columns);
    shown.first = "no.".to_owned();
    for (number, team) in (1..).zip(teams) {
        let (matches, half_points) = (grouped(team.matches), points(team.half_points));
        let row = [team.name.clone(), grouped(team.match_points), half_points, matches];
        let mut cells = vec![format!("{number:>3}")];
        cells.extend(row);
        shown.rows.push(cells);
    }
    shown
}

impl Forms for CrosstableForms<'_> {
    fn page(&self) -> Page {
        let Some(table) = self.table else {
            let facts = vec![("games", self.counted.text())];
            return Page { title: "Cross table".to_owned(), facts, ..Page::default() };
        };
        let mut named = event_name(&table.event);
        let title = if named.is_empty() { String::new() } else { named.remove(0) };
        let title = if title == "?" { "Cross table".to_owned() } else { title };
        let mut facts = Vec::new();
        if !named.is_empty() {
            facts.push(("where, when", named.join(", ")));
        }
        let players = counted(table.players.len() as u64, "player", "players");
        let all = games(table.event.games as u64);
        facts.push(("event", format!("{}; {players}, {all}", kind_name(table))));
        facts.push(("games", self.counted.text()));
        let mut tables = vec![self.standings(table)];
        if !table.teams.is_empty() {
            tables.insert(0, teams(&table.teams));
        }
        Page { title, facts, tables, notes: CrosstableForms::notes(table) }
    }

    fn json(&self) -> Map<String, Value> {
        let mut all = Map::new();
        self.counted.insert_into(&mut all);
        let Some(table) = self.table else {
            all.extend(OF_EVENT.map(|name| (name.to_owned(), Value::Null)));
            all.insert("games".into(), 0.into());
            all.insert("teams".into(), Value::Array(Vec::new()));
            all.insert("players".into(), Value::Array(Vec::new()));
            return all;
        };
        let (kind, cycles, rounds) = match table.kind {
            Kind::Match => ("match", None, None),
            Kind::RoundRobin { cycles } => ("round-robin", Some(cycles), None),
            Kind::MatchRoundRobin { cycles } => ("match-round-robin", Some(cycles), None),
            Kind::Swiss { rounds } => ("swiss", None, Some(rounds)),
            Kind::KnockOut { rounds } => ("knock-out", None, Some(rounds)),
            Kind::Scheveningen => ("scheveningen", None, None),
            Kind::Simul => ("simul", None, None),
            Kind::Arena => ("arena", None, None),
            Kind::TeamMatch => ("team-match", None, None),
            Kind::TeamRoundRobin { cycles } => ("team-round-robin", Some(cycles), None),
            Kind::TeamSwiss { rounds } => ("team-swiss", None, Some(rounds)),
            Kind::TeamKnockOut { rounds } => ("team-knock-out", None, Some(rounds)),
            Kind::Teams => ("teams", None, None),
            _ => ("open", None, None),
        };
        let dates = table.event.dates.map(|(first, last)| [first.to_string(), last.to_string()]);
        let values = [
            json!(table.event.event),
            json!(table.event.site),
            json!(dates),
            json!(table.event.games),
            json!(kind),
            json!(cycles),
            json!(rounds),
            json!(table.unfinished),
            json!(table.forfeits),
            json!(table.without_moves),
            json!(table.missing),
            json!(
                table
                    .other_reading
                    .map(|(cycles, missing)| { json!({ "cycles": cycles, "missing": missing }) })
            ),
            json!(table.play_off),
            json!(table.repeated),
            json!(table.byes),
        ];
        all.extend(OF_EVENT.map(str::to_owned).into_iter().zip(values));
        let teams = table.teams.iter().map(|team| {
            json!({
                "name": team.name,
                "match_points": team.match_points,
                "points": json_points(team.half_points),
                "matches": team.matches,
            })
        });
        all.insert("teams".into(), teams.collect());
        insert_list(&mut all, "players", &table.players, self.most, |player| {
            let names = table.tie_breaks.iter().map(|one| one.name().to_owned());
            let ties = names.zip(player.tie_breaks.iter().map(|value| json!(value)));
            let games: Vec<Value> = player.games.iter().map(meeting_json).collect();
            json!({
                "place": player.place,
                "name": player.name,
                "elo": player.elo.map(|elo| elo.get()),
                "points": json_points(player.half_points),
                "tie_breaks": ties.collect::<Map<_, _>>(),
                "played": player.score.finished(),
                "won": player.score.wins,
                "drawn": player.score.draws,
                "lost": player.score.losses,
                "performance": player.score.performance(),
                "games": games,
            })
        });
        all
    }

    fn csv(&self) -> Vec<Vec<String>> {
        let Some(table) = self.table else { return Vec::new() };
        let mut head = vec!["place", "name", "elo", "points", "played", "won", "drawn", "lost"];
        head.push("performance");
        head.extend(table.tie_breaks.iter().map(|one| one.name()));
        let columns = game_columns(table);
        let what = match table.kind {
            Kind::RoundRobin { .. } | Kind::MatchRoundRobin { .. } => "player",
            Kind::Swiss { .. } => "round",
            _ => "game",
        };
        let mut head: Vec<String> = head.into_iter().map(str::to_owned).collect();
        head.extend(columns.iter().map(|column| format!("{what}_{column}")));
        let mut lines = vec![head];
        for (own, player) in table.players.iter().enumerate().take(self.most) {
            let Standing { place, name, elo, half_points, score, .. } = player;
            let mut line = vec![place.to_string(), name.clone(), number(*elo)];
            line.push(decimal_points(*half_points));
            let counts = [score.finished(), score.wins, score.draws, score.losses];
            line.extend(counts.map(|count| count.to_string()));
            line.push(number(score.performance()));
            line.extend(player.tie_breaks.iter().map(|value| tie_break_text(*value)));
            line.extend(columns.iter().map(|column| game_cell(table, own, player, *column)));
            lines.push(line);
        }
        lines
    }
}

fn meeting_json(game: &Meeting) -> Value {
    json!({
        "opponent": game.opponent + 1,
        "color": if game.color == Color::White { "white" } else { "black" },
        "result": game.outcome.sign(),
        "round": game.round,
        "date": if game.date.is_unknown() { Value::Null } else { game.date.to_string().into() },
    })
}
