//! `scoresheet book convert`

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
#[cfg(feature = "tables")]
use std::path::PathBuf;

use commands::{BookConvert, WeightsBy};
use pages::numbers::counted;
use scoresheet::books::polyglot::Weights;
use scoresheet::books::{
    AnyBook, BookMove, Kind, Visited, WalkOptions, abk, to_arena, to_polyglot,
};
use scoresheet::chess_core::{Game, Move, Position, Token};
use scoresheet::chess_store::{Diagnostics, Location, Losses};
#[cfg(feature = "tables")]
use scoresheet::tables::{Cell, CellKind, CellWriter};
use scoresheet::{BookValue, CreateOptions, book_row, book_to_game, describe, describe_warning};
use serde_json::Map;

use super::show::members;
use super::{Output, extension, failure, may_write, open};
use crate::exit::{Done, Failure, Verbosity};
use crate::json;

const OUTPUTS: [&str; 7] = ["bin", "abk", "pgn", "jsonl", "csv", "parquet", "arrow"];

pub(super) fn weights(by: WeightsBy) -> Weights {
    match by {
        WeightsBy::Score => Weights::Score,
        WeightsBy::Games => Weights::Games,
        WeightsBy::Uniform => Weights::Uniform,
    }
}

pub(super) fn run(arguments: &BookConvert, verbosity: Verbosity) -> Result<Done, Failure> {
    let (path, output) = (arguments.book.as_path(), arguments.output.as_path());
    let book = open(path)?;
    let to = extension(output);
    if to == book.kind().extension() {
        let message = "the book has this format already; `book check --repair` copies a .bin";
        return Err(Failure::Usage(message.to_owned()));
    }
    may_write(output, &OUTPUTS, arguments.force, &[path])?;
    let mut options = WalkOptions::default();
    // The moves of a position make the lines one ply longer.
    options.max_ply = arguments.max_ply.map_or(u32::MAX, |plies| plies.saturating_sub(1));
    let mut diagnostics = Diagnostics::lenient();
    let wrong = |error| failure(path, error);
    let count = if to == "pgn" {
        write_game(&book, path, output, options, &mut diagnostics)?
    } else {
        let (target, file) = Output::create(output)?;
        let count = match &*to {
            "bin" => {
                let weights = weights(arguments.weights);
                to_polyglot(&*book, options, weights, file, &mut diagnostics).map_err(wrong)?.1
            }
            "abk" => {
                let header = abk::Header::default();
                to_arena(&*book, options, header, file, &mut diagnostics).map_err(wrong)?.1
            }
            _ => {
                let rows = Rows::create(output, file)?;
                write_rows(&book, path, rows, options, &mut diagnostics)?
            }
        };
        target.commit()?;
        count
    };
    for warning in diagnostics.warnings() {
        verbosity.say(describe_warning(path, warning));
    }
    let count_text = counted(count, "move", "moves");
    verbosity.say(format_args!("{}: {count_text}", output.display()));
    if book.kind() == Kind::Polyglot {
        report_unreached(&book, path, options, verbosity)?;
    }
    let damage = diagnostics.warnings().iter().any(|warning| warning.is_damage());
    Ok(Done { losses: to == "bin", ..Done::found_if(count > 0) }.damaged(damage))
}

/// Prints how many positions of a book of positions no line reaches.
fn report_unreached(
    book: &AnyBook,
    path: &Path,
    options: WalkOptions,
    verbosity: Verbosity,
) -> Result<(), Failure> {
    let summary = book.check(options, &mut Diagnostics::lenient());
    let summary = summary.map_err(|error| failure(path, error))?;
    let lost = summary.positions.saturating_sub(summary.reached);
    if lost > 0 {
        verbosity.say(format_args!(
            "{}: {} cannot be reached from the start position within the limits, and are left out",
            path.display(),
            counted(lost, "position", "positions")
        ));
    }
    Ok(())
}

/// Writes the lines as one game.
fn write_game(
    book: &AnyBook,
    path: &Path,
    output: &Path,
    options: WalkOptions,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Failure> {
    let mut game = Game::new();
    let converted = book_to_game(book, options, &mut game, diagnostics);
    converted.map_err(|error| Failure::Failed(describe(path, &error).to_string()))?;
    let mut base = scoresheet::create(output, &CreateOptions::default())?;
    let written = base.write(&game, &mut Losses::new());
    written.map_err(|error| Failure::Failed(describe(output, &error).to_string()))?;
    base.finish()?;
    let is_move = |token: &Token<'_>| matches!(token, Token::Move(_));
    Ok(game.tokens().filter(is_move).count() as u64)
}

/// The rows of an output: a move of a position is a row.
enum Rows {
    Json(BufWriter<File>),
    Csv(BufWriter<File>),
    #[cfg(feature = "tables")]
    Table(Box<CellWriter<File>>, PathBuf),
}

impl Rows {
    fn create(output: &Path, file: File) -> Result<Rows, Failure> {
        let names = book_row(&Position::start(), &BookMove::new(Move::NULL, Location::default()));
        let names = ["fen", "ply"].into_iter().chain(names.map(|(name, _)| name));
        match &*extension(output) {
            "jsonl" => Ok(Rows::Json(BufWriter::new(file))),
            "csv" => {
                let mut out = BufWriter::new(file);
                writeln!(out, "{}", names.collect::<Vec<_>>().join(","))?;
                Ok(Rows::Csv(out))
            }
            #[cfg(feature = "tables")]
            to => {
                let texts = ["fen", "uci", "san", "recommendation", "deleted"];
                let kind = |name| match texts.contains(&name) {
                    true => CellKind::Text,
                    false => CellKind::Number,
                };
                let columns: Vec<_> = names.map(|name| (name, kind(name))).collect();
                let created = match to {
                    "parquet" => CellWriter::parquet(file, &columns),
                    _ => CellWriter::arrow(file, &columns),
                };
                let created = created.map_err(|error| table_failure(output, error))?;
                Ok(Rows::Table(Box::new(created), output.to_path_buf()))
            }
            #[cfg(not(feature = "tables"))]
            to => {
                Err(Failure::Usage(scoresheet::missing_format(to).unwrap_or_default().to_owned()))
            }
        }
    }

    fn push(&mut self, position: &Position, ply: u32, found: &BookMove) -> Result<(), Failure> {
        let fen = position.without_clocks().to_fen();
        match self {
            Rows::Json(out) => {
                let mut object =
                    Map::from_iter([("fen".into(), fen.into()), ("ply".into(), ply.into())]);
                object.extend(members(position, found));
                json::line(out, &object)?;
            }
            Rows::Csv(out) => {
                let cells = book_row(position, found).map(|(_, value)| match value {
                    BookValue::Number(number) => number.to_string(),
                    BookValue::Text(text) => text,
                    _ => String::new(),
                });
                writeln!(out, "{fen},{ply},{}", cells.join(","))?;
            }
            #[cfg(feature = "tables")]
            Rows::Table(out, output) => {
                let row = book_row(position, found);
                let cells = row.iter().map(|(_, value)| match value {
                    BookValue::Number(number) => Cell::Number(*number),
                    BookValue::Text(text) => Cell::Text(text),
                    _ => Cell::Missing,
                });
                let start = [Cell::Text(&fen), Cell::Number(ply.into())];
                out.push(start.into_iter().chain(cells))
                    .map_err(|error| table_failure(output, error))?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Rows::Json(mut out) | Rows::Csv(mut out) => Ok(out.flush()?),
            #[cfg(feature = "tables")]
            Rows::Table(out, output) => {
                out.finish().map(drop).map_err(|error| table_failure(&output, error))
            }
        }
    }
}

#[cfg(feature = "tables")]
fn table_failure(output: &Path, error: scoresheet::tables::Error) -> Failure {
    Failure::Failed(describe(output, &error.into()).to_string())
}

/// Writes a row for each move of each position.
fn write_rows(
    book: &AnyBook,
    path: &Path,
    mut rows: Rows,
    options: WalkOptions,
    diagnostics: &mut Diagnostics,
) -> Result<u64, Failure> {
    let (mut count, mut written) = (0u64, Ok(()));
    let mut each = |visited: Visited<'_>| {
        written = visited.moves.iter().try_for_each(|found| {
            count += 1;
            rows.push(visited.position, visited.ply, found)
        });
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    book.walk(options, &mut each, diagnostics).map_err(|error| failure(path, error))?;
    written?;
    rows.finish()?;
    Ok(count)
}
