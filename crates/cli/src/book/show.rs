//! `scoresheet book show`

use commands::BookShow;
use pages::numbers::counted;
use pages::text;
use pages::{Column, Table};
use scoresheet::books::{BookMove, Facts, Recommendation};
use scoresheet::chess_core::Position;
use scoresheet::chess_store::Diagnostics;
use scoresheet::openings::Opening;
use scoresheet::pgn::San;
use scoresheet::{BookValue, book_row, book_score, describe_warning};
use serde_json::{Map, Value};

use super::{failure, open};
use crate::exit::{Done, Failure, Verbosity};
use crate::json;
use crate::output::Paged;
use crate::style::{colours, terminal_width};
use crate::tree::percent;

pub(super) fn run(arguments: &BookShow, verbosity: Verbosity) -> Result<Done, Failure> {
    let path = &arguments.book;
    let book = open(path)?;
    let given = arguments.fen.or(arguments.moves.as_ref().map(|line| *line.end()));
    let position = given.unwrap_or_else(Position::start);
    let (mut moves, mut diagnostics) = (Vec::new(), Diagnostics::lenient());
    let read = book.moves(&position, &mut moves, &mut diagnostics);
    read.map_err(|error| failure(path, error))?;
    let facts = book.facts(&position, &mut Diagnostics::lenient());
    let facts = facts.map_err(|error| failure(path, error))?;
    for warning in diagnostics.warnings() {
        verbosity.say(describe_warning(path, warning));
    }
    let mut out = if arguments.json { Paged::text() } else { Paged::table() };
    if arguments.json {
        for found in &moves {
            json::line(&mut out, &members(&position, found))?;
        }
    } else if !moves.is_empty() {
        text::write_table(&table(&position, &moves), terminal_width(), colours(), &mut out)?;
    }
    out.finish()?;
    if !arguments.json
        && let Some(facts) = facts
    {
        verbosity.say(said(&facts));
    }
    let count = counted(moves.len() as u64, "move", "moves");
    verbosity.say(format_args!("{}: {count}", book.kind().title()));
    let damage = diagnostics.warnings().iter().any(|warning| warning.is_damage());
    Ok(Done::found_if(!moves.is_empty()).damaged(damage))
}

/// Returns the members of a move. Columns that the format does not have are left out.
pub(super) fn members(position: &Position, found: &BookMove) -> Map<String, Value> {
    let value = |value| match value {
        BookValue::Number(number) => Some(Value::from(number)),
        BookValue::Text(text) => Some(Value::from(text)),
        _ => None,
    };
    let row = book_row(position, found).into_iter();
    row.filter_map(|(name, found)| Some((name.to_owned(), value(found)?))).collect()
}

fn recommended(recommendation: Recommendation) -> &'static str {
    match recommendation {
        Recommendation::Play => "play",
        Recommendation::Avoid => "avoid",
    }
}

fn table(position: &Position, moves: &[BookMove]) -> Table {
    let columns = [
        Column::number("weight"),
        Column::number("share"),
        Column::number("games"),
        Column::number("White"),
        Column::number("draw"),
        Column::number("Black"),
        Column::number("score"),
        Column::number("priority"),
        Column::number("class"),
        Column::text("mark"),
        Column::text("opening"),
    ];
    let mut table = Table::new("move", &columns);
    table.dispensable = &["opening", "priority", "class"];
    let all: u64 = moves.iter().map(BookMove::relative_weight).fold(0, u64::saturating_add);
    for found in moves {
        let san = San::new(position, found.m).to_string();
        let known = found.results.filter(|results| results.has_results());
        let mut after = *position;
        after.apply(found.m);
        let opening = Opening::at(&after).map(|opening| opening.name().to_owned());
        let mut marks: Vec<String> =
            found.annotation.map(|nag| nag.to_string()).into_iter().collect();
        marks.extend(found.recommendation.map(|mark| recommended(mark).to_owned()));
        marks.extend(found.deleted.then(|| "deleted".to_owned()));
        let text = |number: Option<u64>| number.map(|n| n.to_string()).unwrap_or_default();
        table.rows.push(vec![
            san,
            text(found.weight.map(u64::from)),
            percent(found.relative_weight(), all, 1),
            text(found.results.map(|results| results.games)),
            text(known.map(|results| results.white)),
            text(known.map(|results| results.draws)),
            text(known.map(|results| results.black)),
            book_score(position, found)
                .map(|score| format!("{:.1}%", score * 100.0))
                .unwrap_or_default(),
            text(found.priority.map(u64::from)),
            text(found.class.map(u64::from)),
            marks.join(" "),
            opening.unwrap_or_default(),
        ]);
    }
    table
}

/// Describes a position as a whole.
fn said(facts: &Facts) -> String {
    let results = facts.results;
    let mut parts = vec![counted(results.games, "game", "games")];
    if results.has_results() {
        parts.push(format!("+{} ={} -{}", results.white, results.draws, results.black));
    }
    if let Some((rating, _)) = facts.rating {
        parts.push(format!("average rating {rating}"));
    }
    if let Some((performance, _)) = facts.performance {
        parts.push(format!("performance {performance}"));
    }
    if let Some(recommendation) = facts.recommendation {
        parts.push(recommended(recommendation).to_owned());
    }
    if let Some(nag) = facts.commentary {
        parts.push(nag.to_string());
    }
    format!("position: {}", parts.join(", "))
}
