//! Line formats for other programs: the canonical JSON of docs/model.md, which can be read back,
//! and comma-separated values, which cannot.

mod csv;
mod error;
mod read;
mod write;

use std::io;

use chess_store::erased::{self, Confidence, Creator, Format, Opener};
use chess_store::{AnyError, CreateOptions, Location, OpenOptions, StreamInput, TypedOptions as _};

pub use error::ErrorKind;

/// An error of these formats.
pub type Error = chess_store::Error<ErrorKind>;

/// JSON lines and comma-separated values.
pub const FORMATS: &[Format] = &[
    Format::new("jsonl", "JSON lines", &["jsonl", "ndjson"], probe)
        .opened_by(Opener::Source(open), &[])
        .created_by(Creator::Sink(create_jsonl), &[]),
    Format::new("csv", "comma-separated values", &["csv"], |_, _| None)
        .created_by(Creator::Sink(create_csv), csv::CsvOptions::LIST),
];

fn open(source: StreamInput, options: &OpenOptions) -> Result<Box<dyn erased::Source>, AnyError> {
    let () = options.typed()?;
    Ok(Box::new(read::Lines::new(source.stream)))
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
