//! `scoresheet list`

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use scoresheet::chess_core::Header;
use scoresheet::chess_store::{AnyError, Diagnostics, Warning};
use scoresheet::{Base, Database, Filter, Scanner, describe, describe_warning};
use serde_json::{Value, json};

use crate::args::List;
use crate::exit::{Done, Failure, Verbosity};
use crate::inputs;
use crate::interrupt;
use crate::json;
use crate::output::Paged;
use crate::report::Told;
use crate::style::{Bold, colours, column, terminal_width};

pub(crate) fn run(arguments: &List, verbosity: Verbosity) -> Result<Done, Failure> {
    let mut base = inputs::open_one(&arguments.file, &arguments.reading.options())?;
    let table: Box<dyn Rows> = match (arguments.json, arguments.csv) {
        (true, _) => Box::new(Lines),
        (_, true) => Box::new(Csv),
        _ => Box::new(Table::new()),
    };
    let mut listing = Listing {
        path: base.path().to_path_buf(),
        table,
        out: if arguments.csv { Paged::data() } else { Paged::text() },
        verbosity,
        told: Told::new(verbosity, "... and more; --verbose tells all"),
        listed: 0,
        seen: 0,
        sound: true,
    };
    listing.table.head(&mut listing.out)?;
    let done = listing.list(&mut base, arguments.selection.filter());
    let Listing { out, listed, seen, sound, .. } = listing;
    // The pager first: what there is to say comes after what it shows.
    out.finish()?;
    done?;
    inputs::holds_games(&mut base, seen);
    verbosity.detail(format_args!("{listed} games"));
    Ok(Done::well_if(sound && listed > 0))
}

/// Rows on their way out.
struct Listing {
    path: PathBuf,
    table: Box<dyn Rows>,
    out: Paged,
    verbosity: Verbosity,
    told: Told,
    listed: u64,
    /// Games read, chosen or not.
    seen: u64,
    /// Whether all games read that far.
    sound: bool,
}

impl Listing {
    fn list(&mut self, base: &mut Base, filter: Filter) -> Result<(), Failure> {
        let headers_tell = filter.annotated.is_none() && filter.position.is_none();
        match base.database() {
            Some(database) if headers_tell => self.list_headers(database, &filter),
            _ => self.list_games(base, filter),
        }
    }

    /// Without reading the moves.
    fn list_headers(&mut self, database: &dyn Database, filter: &Filter) -> Result<(), Failure> {
        let (mut header, mut diagnostics) = (Header::default(), Diagnostics::lenient());
        let (selector, mut reader) = (filter.selector(), database.reader());
        for number in 0..database.len() {
            diagnostics.clear();
            if selector.passes_over(&mut *reader, number, &mut header) {
                continue;
            }
            if interrupt::is_asked() {
                return Err(Failure::Stopped);
            }
            let read = reader.header(number, &mut header, &mut diagnostics);
            self.tell(read.as_ref().err(), diagnostics.warnings());
            self.row(number, &header)?;
        }
        Ok(())
    }

    /// On all cores.
    fn list_games(&mut self, base: &mut Base, filter: Filter) -> Result<(), Failure> {
        self.seen = Scanner::new().filter(filter).run(base, |scanned| {
            if interrupt::is_asked() {
                return Err(Failure::Stopped);
            }
            self.tell(scanned.damage, scanned.warnings);
            self.row(scanned.number, &scanned.game.header)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(())
    }

    fn row(&mut self, number: u64, header: &Header) -> Result<(), Failure> {
        self.listed = self.listed.saturating_add(1);
        Ok(self.table.row(&mut self.out, number.saturating_add(1), header)?)
    }

    fn tell(&mut self, damage: Option<&AnyError>, warnings: &[Warning]) {
        if let Some(error) = damage {
            self.sound = false;
            if let Some(line) = self.told.next(describe(&self.path, error).to_string()) {
                self.out.say(line);
            }
        }
        if self.verbosity == Verbosity::Verbose {
            for warning in warnings {
                self.out.say(describe_warning(&self.path, warning).to_string());
            }
        }
    }
}

/// A way to write games, one a row.
trait Rows {
    fn head(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        let _ = out;
        Ok(())
    }
    fn row(&mut self, out: &mut dyn Write, number: u64, header: &Header) -> std::io::Result<()>;
}

/// Columns for people. A narrow terminal has no room for the event, a very narrow one for ratings.
struct Table {
    bold: bool,
    name: usize,
    elo: bool,
    event: Option<usize>,
}

impl Table {
    fn new() -> Table {
        Table { bold: colours(), ..Table::of_width(terminal_width()) }
    }

    /// Names and event share what the other columns leave of the line.
    fn of_width(width: usize) -> Table {
        let rest = width.saturating_sub(52);
        let bold = false;
        if rest >= 40 {
            let name = (rest / 3).min(30);
            let event = rest.saturating_sub(name.saturating_mul(2)).min(40);
            return Table { bold, name, elo: true, event: Some(event) };
        }
        let elo = width >= 72;
        let rest = width.saturating_sub(if elo { 49 } else { 39 });
        Table { bold, name: (rest / 2).max(8), elo, event: None }
    }

    fn line(&self, cells: [&str; 9]) -> String {
        let [number, white, white_elo, black, black_elo, result, date, eco, event] = cells;
        let player = |name: &str, elo: &str| match self.elo {
            true => format!("{} {elo:>4}", column(name, self.name)),
            false => column(name, self.name),
        };
        let white = player(white, white_elo);
        let black = player(black, black_elo);
        let mut line = format!("{number:>7}  {white}  {black}  {result:<7}  {date:<10}  {eco:<5}");
        if let Some(width) = self.event {
            line.push_str("  ");
            line.push_str(&column(event, width));
        }
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

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn lines_fill_the_terminal_and_no_more() {
        let long = "a name longer than any column there is";
        let cells = ["1", long, "2500", long, "2400", "1/2-1/2", "2019.03.14", "C92", long];
        for width in [55, 60, 71, 72, 80, 91, 92, 100, 120] {
            let used = Table::of_width(width).line(cells).width();
            assert!(used <= width && used + 3 >= width, "{used} of {width}");
        }
    }
}
