//! Line formats for other programs: the canonical JSON of docs/model.md and lists of positions (EPD,
//! FEN), which can be read back, and comma-separated values, which cannot.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and rows cannot overflow; numbers read from files use checked arithmetic"
)]

mod csv;
mod epd;
mod error;
mod read;
mod write;

use std::io;

use chess_core::Game;
use chess_store::erased::{self, Confidence, Creator, Format, Opener};
use chess_store::{AnyError, CreateOptions, Location, OpenOptions, StreamInput, TypedOptions as _};

pub use error::ErrorKind;

/// An error of these formats.
pub type Error = chess_store::Error<ErrorKind>;

/// JSON lines, comma-separated values, and lists of positions.
pub const FORMATS: &[Format] = &[
    Format::new("jsonl", "JSON lines", &["jsonl", "ndjson"], probe)
        .opened_by(Opener::Source(open), &[])
        .created_by(Creator::Sink(create_jsonl), &[]),
    Format::new("csv", "comma-separated values", &["csv"], |_, _| None)
        .created_by(Creator::Sink(create_csv), csv::CsvOptions::LIST),
    Format::new("epd", "positions with operations (EPD)", &["epd"], |start, extension| {
        probe_positions(start, extension, "epd")
    })
    .opened_by(Opener::Source(open_positions), &[])
    .created_by(Creator::Sink(|sink, options| create_positions(sink, options, false)), &[]),
    Format::new("fen", "positions (FEN)", &["fen"], |start, extension| {
        probe_positions(start, extension, "fen")
    })
    .opened_by(Opener::Source(open_positions), &[])
    .created_by(Creator::Sink(|sink, options| create_positions(sink, options, true)), &[]),
];

fn open_positions(
    source: StreamInput,
    options: &OpenOptions,
) -> Result<Box<dyn erased::Source>, AnyError> {
    let () = options.typed()?;
    let syntax = read::Syntax { file: "epd", read: epd::read_line };
    Ok(Box::new(read::Lines::new(source.stream, syntax)))
}

fn create_positions(
    sink: Box<dyn io::Write + Send>,
    options: &CreateOptions,
    is_fen: bool,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let () = options.typed()?;
    Ok(Box::new(write::Writer::new(sink, epd::Epd { is_fen })))
}

/// Accepts a file with the usual extension, the more surely if a position is on its first line.
fn probe_positions(start: &[u8], extension: &str, wanted: &str) -> Option<Confidence> {
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let reads = matches!(epd::read_line(line.trim_ascii(), &mut Game::new()), Ok(true));
    let named = extension == wanted;
    named.then_some(if reads { Confidence::Likely } else { Confidence::Name })
}

fn open(source: StreamInput, options: &OpenOptions) -> Result<Box<dyn erased::Source>, AnyError> {
    let () = options.typed()?;
    Ok(Box::new(read::Lines::new(source.stream, read::JSON)))
}

fn create_jsonl(
    sink: Box<dyn io::Write + Send>,
    options: &CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let () = options.typed()?;
    Ok(Box::new(write::Writer::new(sink, write::Json)))
}

fn create_csv(
    sink: Box<dyn io::Write + Send>,
    options: &CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let own: csv::CsvOptions = options.typed()?;
    let csv = csv::Csv::with_columns(&own.columns);
    let csv = csv.map_err(|error| Error::new(ErrorKind::Column(error), Location::default()))?;
    Ok(Box::new(write::Writer::new(sink, csv)))
}

/// Accepts the first member that our writer writes, or any object in a file with the usual
/// extension.
fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    let start = read::without_mark(start);
    if start.starts_with(b"{\"tags\":[") {
        return Some(Confidence::Certain);
    }
    let named = matches!(extension, "jsonl" | "ndjson");
    named.then_some(if start.starts_with(b"{") { Confidence::Likely } else { Confidence::Name })
}
