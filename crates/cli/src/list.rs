//! `scoresheet list`

use std::io::Write;

use scoresheet::chess_core::{Diagnostics, Game, Header, Scope};
use scoresheet::{Base, Filter, Source, describe};
use serde_json::{Value, json};

use crate::args::List;
use crate::exit::{Done, Failure, Verbosity};
use crate::inputs;
use crate::json;
use crate::output::Paged;
use crate::style::{Bold, colours, column, terminal_width};

pub(crate) fn run(arguments: &List, verbosity: Verbosity) -> Result<Done, Failure> {
    let mut base = inputs::open(&arguments.file, None, &arguments.reading.options())?;
    let filter = arguments.selection.filter();
    let mut out = Paged::new();
    let mut table: Box<dyn Rows> = match (arguments.json, arguments.csv) {
        (true, _) => Box::new(Lines),
        (_, true) => Box::new(Csv),
        _ => Box::new(Table::new()),
    };
    table.head(&mut out)?;
    let (listed, sound) = list(&mut base, &filter, verbosity, &mut |number, header| {
        Ok(table.row(&mut out, number.saturating_add(1), header)?)
    })?;
    out.finish()?;
    verbosity.detail(format_args!("{listed} games"));
    Ok(Done::well_if(sound && listed > 0))
}

type Each<'a> = &'a mut dyn FnMut(u64, &Header) -> Result<(), Failure>;

/// Hands out the chosen games; how many, and whether all of them read.
fn list(
    base: &mut Base,
    filter: &Filter,
    verbosity: Verbosity,
    each: Each<'_>,
) -> Result<(u64, bool), Failure> {
    let path = base.path().to_path_buf();
    let (mut game, mut header) = (Game::new(), Header::default());
    let mut diagnostics = Diagnostics::lenient();
    let (mut listed, mut sound) = (0u64, true);
    let needs_moves = filter.annotated.is_some() || filter.position.is_some();
    if let Some(database) = base.database() {
        for number in 0..database.len() {
            diagnostics.clear();
            if filter.passes_over(database, number, &mut header) {
                continue;
            }
            let read = if needs_moves {
                let read = database.game(number, &mut game, &mut diagnostics);
                if !filter.selects(number, &game) {
                    continue;
                }
                std::mem::swap(&mut header, &mut game.header);
                read
            } else {
                database.header(number, &mut header, &mut diagnostics)
            };
            if let Err(error) = read {
                verbosity.say(describe(&path, &error));
                sound = false;
            }
            listed = listed.saturating_add(1);
            each(number, &header)?;
        }
        return Ok((listed, sound));
    }
    let mut reader = base.reader();
    for number in 0.. {
        diagnostics.clear();
        match reader.next(&mut game, &mut diagnostics) {
            Ok(false) => break,
            Ok(true) => {}
            Err(error) if error.scope() == Scope::Base => {
                return Err(Failure::Failed(describe(&path, &error).to_string()));
            }
            Err(error) => {
                verbosity.say(describe(&path, &error));
                sound = false;
            }
        }
        if filter.selects(number, &game) {
            listed = listed.saturating_add(1);
            each(number, &game.header)?;
        }
    }
    Ok((listed, sound))
}

/// A way to write games, one a row.
trait Rows {
    fn head(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        let _ = out;
        Ok(())
    }
    fn row(&mut self, out: &mut dyn Write, number: u64, header: &Header) -> std::io::Result<()>;
}

/// Columns for people.
struct Table {
    bold: bool,
    name: usize,
    event: usize,
}

impl Table {
    /// Names and event share what the other columns leave of the line.
    fn new() -> Table {
        let rest = terminal_width().saturating_sub(52).max(24);
        let name = (rest / 3).clamp(8, 30);
        let event = rest.saturating_sub(name.saturating_mul(2)).clamp(8, 40);
        Table { bold: colours(), name, event }
    }

    fn line(&self, cells: [&str; 9]) -> String {
        let [number, white, white_elo, black, black_elo, result, date, eco, event] = cells;
        let line = format!(
            "{number:>7}  {} {white_elo:>4}  {} {black_elo:>4}  {result:<7}  {date:<10}  {eco:<5}  {}",
            column(white, self.name),
            column(black, self.name),
            column(event, self.event),
        );
        line.trim_end().to_owned()
    }
}

impl Rows for Table {
    fn head(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        let names = ["no.", "White", "Elo", "Black", "Elo", "result", "date", "ECO", "event"];
        writeln!(out, "{}", Bold(self.line(names), self.bold))
    }

    fn row(&mut self, out: &mut dyn Write, number: u64, header: &Header) -> std::io::Result<()> {
        let text = |value: Option<String>| value.unwrap_or_default();
        let cells = [
            &number.to_string(),
            &*header.white,
            &text(header.white_elo.map(|elo| elo.to_string())),
            &*header.black,
            &text(header.black_elo.map(|elo| elo.to_string())),
            header.result.as_str(),
            &header.date.to_string(),
            &text(header.eco.map(|eco| eco.to_string())),
            &*header.event,
        ];
        writeln!(out, "{}", self.line(cells))
    }
}

/// Comma-separated values as RFC 4180 has them, with line feeds.
struct Csv;

const CSV_TAGS: [&str; 10] =
    ["White", "WhiteElo", "Black", "BlackElo", "Result", "Date", "ECO", "Event", "Site", "Round"];

impl Rows for Csv {
    fn head(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "Number,{}", CSV_TAGS.join(","))
    }

    fn row(&mut self, out: &mut dyn Write, number: u64, header: &Header) -> std::io::Result<()> {
        write!(out, "{number}")?;
        for tag in CSV_TAGS {
            let value = header.get(tag).unwrap_or_default();
            if value.contains([',', '"', '\n', '\r']) {
                write!(out, ",\"{}\"", value.replace('"', "\"\""))?;
            } else {
                write!(out, ",{value}")?;
            }
        }
        writeln!(out)
    }
}

/// A JSON object a game.
struct Lines;

impl Rows for Lines {
    fn row(&mut self, out: &mut dyn Write, number: u64, header: &Header) -> std::io::Result<()> {
        let mut tags = Vec::new();
        header.for_each_tag(|name, value| tags.push(json!([name, value.to_string()])));
        json::line(out, &json!({ "game": number, "tags": Value::Array(tags) }))
    }
}
