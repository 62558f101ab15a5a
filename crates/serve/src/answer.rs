//! The bodies of answers.

use scoresheet::chess_core::{Elo, Game, GameResult, Move, Position};
use scoresheet::chess_store::Diagnostics;
use scoresheet::openings::Opening;
use scoresheet::pgn::San;
use scoresheet::position_index::{MODES, SPEEDS, mode_of, speed_of};
use scoresheet::reports::performance;
use serde::Serialize;

use crate::count::{Counts, Found, Tally};
use crate::question::{Kind, Question};
use crate::shown::OpeningName;
use crate::{Source, id};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    white: u64,
    draws: u64,
    black: u64,
    moves: Vec<MoveBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recent_games: Option<Vec<GameBody>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_games: Option<Vec<GameBody>>,
    opening: Option<OpeningName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_position: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<MonthBody>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveBody {
    uci: String,
    san: String,
    #[serde(flatten)]
    ratings: Ratings,
    white: u64,
    draws: u64,
    black: u64,
    game: Option<GameBody>,
    opening: Option<OpeningName>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Ratings {
    #[serde(rename_all = "camelCase")]
    Mover { average_rating: Option<u64> },
    #[serde(rename_all = "camelCase")]
    Player { average_opponent_rating: Option<u64>, performance: Option<i64> },
}

#[derive(Serialize)]
struct MonthBody {
    month: String,
    white: u64,
    draws: u64,
    black: u64,
}

#[derive(Serialize)]
struct GameBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    id: String,
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    black: PlayerBody,
    white: PlayerBody,
    year: u16,
    month: Option<String>,
}

#[derive(Serialize)]
struct PlayerBody {
    name: String,
    rating: u16,
}

/// Returns the body of an answer.
pub(crate) fn to_json(sources: &[Source], question: &Question, counts: Counts) -> String {
    let [white, draws, black] = counts.results();
    let mut games = Games { sources, kind: question.kind, game: Game::new() };
    let position = &question.position;
    let shown = counts.moves.iter().take(question.moves);
    let moves = shown.map(|(m, tally)| move_of(&mut games, position, *m, tally)).collect();
    let is_player = question.kind == Kind::Player;
    let is_masters = question.kind == Kind::Masters;
    // The top games that the other list leaves out are left out even if fewer are shown.
    let top: Vec<_> = if is_player { Vec::new() } else { counts.top.iter().take(4).collect() };
    let is_top = |found: &Found| {
        top.iter().any(|top| (top.source, top.number) == (found.source, found.number))
    };
    let recent: Vec<GameBody> = counts
        .recent
        .iter()
        .filter(|found| !is_top(found))
        .take(question.recent_games.min(8usize.saturating_sub(top.len())))
        .map(|found| games.list(found))
        .collect();
    let top_games = counts.top.iter().take(question.top_games);
    let top_games: Vec<GameBody> = top_games.map(|found| games.list(found)).collect();
    let body = Body {
        white,
        draws,
        black,
        moves,
        recent_games: (!is_masters).then_some(recent),
        top_games: (!is_player).then_some(top_games),
        opening: question.opening.map(Into::into),
        queue_position: is_player.then_some(0),
        history: question.has_history.then(|| history(question, &counts)),
    };
    serde_json::to_string(&body).unwrap_or_default()
}

fn move_of(games: &mut Games<'_>, position: &Position, m: Move, tally: &Tally) -> MoveBody {
    let [white, draws, black] = tally.results;
    let mean = |sum: u64, count: u64| {
        sum.saturating_mul(2).saturating_add(count).checked_div(count.saturating_mul(2))
    };
    let (sum, count, half_points) = tally.met;
    let ratings = match games.kind {
        Kind::Player => Ratings::Player {
            average_opponent_rating: mean(sum, count),
            performance: performance(sum, count, half_points),
        },
        _ => Ratings::Mover { average_rating: mean(tally.own.0, tally.own.1) },
    };
    let mut after = *position;
    after.apply(m);
    MoveBody {
        uci: m.to_string(),
        san: San::new(position, m).as_str().to_owned(),
        ratings,
        white,
        draws,
        black,
        game: tally.game.filter(|_| tally.games() == 1).map(|found| games.read(&found)),
        opening: Opening::at(&after).map(Into::into),
    }
}

/// One entry for each month from the first that is asked for, or has games, to the last that has games.
fn history(question: &Question, counts: &Counts) -> Vec<MonthBody> {
    let months = &counts.months;
    let (Some((first, _)), Some((last, _))) = (months.first_key_value(), months.last_key_value())
    else {
        return Vec::new();
    };
    let (mut year, mut month) = question.since.unwrap_or(*first);
    let mut history = Vec::new();
    while (year, month) <= *last {
        let [white, draws, black] = months.get(&(year, month)).copied().unwrap_or_default();
        history.push(MonthBody { month: format!("{year:04}-{month:02}"), white, draws, black });
        (year, month) =
            if month < 12 { (year, month.saturating_add(1)) } else { (year.saturating_add(1), 1) };
    }
    history
}

/// Reads the games of an answer.
struct Games<'s> {
    sources: &'s [Source],
    kind: Kind,
    game: Game,
}

impl Games<'_> {
    /// The game of a list, with its move.
    fn list(&mut self, found: &Found) -> GameBody {
        GameBody { uci: Some(found.m.to_string()), ..self.read(found) }
    }

    fn read(&mut self, found: &Found) -> GameBody {
        let before = self.sources.iter().take(found.source).map(|it| it.database().len());
        let number = before.fold(found.number, u64::saturating_add);
        if let Some(source) = self.sources.get(found.source) {
            // A damaged game is shown by its header.
            let mut notes = Diagnostics::lenient();
            let _ = source.database().reader().game(found.number, &mut self.game, &mut notes);
        }
        let header = &self.game.header;
        let (year, month, _) = header.date.parts();
        let rating = |elo: Option<Elo>| elo.map_or(0, Elo::get);
        let is_masters = self.kind == Kind::Masters;
        GameBody {
            uci: None,
            id: id::of(header, number),
            winner: match header.result {
                GameResult::White => Some("white"),
                GameResult::Black => Some("black"),
                _ => None,
            },
            speed: name_in(&SPEEDS, speed_of(&self.game).filter(|_| !is_masters)),
            mode: name_in(&MODES, mode_of(&self.game).filter(|_| !is_masters)),
            black: PlayerBody { name: header.black.clone(), rating: rating(header.black_elo) },
            white: PlayerBody { name: header.white.clone(), rating: rating(header.white_elo) },
            year,
            month: (year > 0 && month > 0).then(|| format!("{year:04}-{month:02}")),
        }
    }
}

fn name_in(names: &[&'static str], place: Option<usize>) -> Option<&'static str> {
    names.get(place?).copied()
}

/// Returns a game as PGN: seven tags, ratings, one line of moves.
pub(crate) fn to_pgn(game: &Game) -> String {
    let header = &game.header;
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        text += &format!("[{name} \"{value}\"]\n");
    };
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "Result"] {
        tag(name, header.get(name).as_deref().unwrap_or("?"));
    }
    for name in ["WhiteElo", "BlackElo"] {
        if let Some(value) = header.get(name) {
            tag(name, &value);
        }
    }
    if let Some(setup) = game.setup() {
        tag("SetUp", "1");
        tag("FEN", &setup.position().to_fen());
    }
    text.push('\n');
    let mut position = game.start_position();
    for (ply, m) in game.main_line().enumerate() {
        let number = position.fullmove_number();
        match position.turn() {
            scoresheet::chess_core::Color::White => text += &format!("{number}. "),
            scoresheet::chess_core::Color::Black if ply == 0 => text += &format!("{number}... "),
            scoresheet::chess_core::Color::Black => {}
        }
        text += San::new(&position, m).as_str();
        text.push(' ');
        position.apply(m);
    }
    text += header.get("Result").as_deref().unwrap_or("*");
    text.push('\n');
    text
}
