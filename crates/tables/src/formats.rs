//! The registration of the formats.

use std::io;
#[cfg(feature = "parquet")]
use std::path::Path;
#[cfg(feature = "parquet")]
use std::sync::Arc;

#[cfg(feature = "parquet")]
use chess_store::Inputs;
use chess_store::erased::{self, Confidence, Creator, Format, Opener};
use chess_store::io::DecompressionLimit;
use chess_store::{AnyError, StreamInput, TypedOptions};

use crate::columns::Selection;
#[cfg(feature = "parquet")]
use crate::error::location;
use crate::ipc_write::IpcTarget;
use crate::options::CreateOptions;
use crate::stream::RowSource;
use crate::writer::{BATCH_ROWS, Target, Writer};

/// The formats of this crate.
pub const FORMATS: &[Format] = &[
    #[cfg(feature = "parquet")]
    Format::new("parquet", "Parquet", &["parquet"], probe_parquet)
        .opened_by(Opener::Database(open_parquet), &[])
        .opened_from(open_parquet_inputs)
        .created_by(Creator::Sink(create_parquet), CreateOptions::LIST),
    Format::new("arrow", "Arrow", &["arrow", "feather"], probe_arrow)
        .opened_by(Opener::Source(open_arrow), &[])
        .created_by(Creator::Sink(create_arrow), CreateOptions::LIST),
    // Programs that keep games in SQLite have tables of their own, so none is read.
    #[cfg(feature = "sqlite")]
    Format::new("sqlite", "SQLite", &["db", "sqlite", "sqlite3"], |_, _| None)
        .created_by(Creator::Sink(create_sqlite), CreateOptions::LIST),
];

#[cfg(feature = "parquet")]
fn probe_parquet(start: &[u8], extension: &str) -> Option<Confidence> {
    probe(start, b"PAR1", extension == "parquet")
}

fn probe_arrow(start: &[u8], extension: &str) -> Option<Confidence> {
    probe(start, b"ARROW1\0\0", matches!(extension, "arrow" | "feather"))
}

fn probe(start: &[u8], magic: &[u8], named: bool) -> Option<Confidence> {
    if start.starts_with(magic) {
        return Some(Confidence::Certain);
    }
    named.then_some(Confidence::Name)
}

#[cfg(feature = "parquet")]
fn create_parquet(
    sink: Box<dyn io::Write + Send>,
    options: &chess_store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    create(options, crate::parquet_write::BATCH_ROWS, |options, selection| {
        let (level, rows, threads) = (options.level, options.row_group(), options.threads());
        let target =
            crate::parquet_write::ParquetTarget::new(sink, selection, level, rows, threads)?;
        Ok(Box::new(target))
    })
}

fn create_arrow(
    sink: Box<dyn io::Write + Send>,
    options: &chess_store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    create(options, BATCH_ROWS, |_, selection| {
        Ok(Box::new(IpcTarget::new(sink, &selection.schema())?))
    })
}

#[cfg(feature = "sqlite")]
fn create_sqlite(
    sink: Box<dyn io::Write + Send>,
    options: &chess_store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    create(options, BATCH_ROWS, |_, selection| {
        Ok(Box::new(crate::sqlite::SqliteTarget::new(sink, selection)?))
    })
}

fn create(
    options: &chess_store::CreateOptions,
    batch_rows: usize,
    target: impl FnOnce(&CreateOptions, &Selection) -> Result<Box<dyn Target>, crate::Error>,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let own: CreateOptions = options.typed()?;
    let selection = own.selection()?;
    let target = target(&own, &selection)?;
    Ok(Box::new(Writer::with_batches(selection, batch_rows, target)))
}

#[cfg(feature = "parquet")]
fn open_parquet(
    path: &Path,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Database>, AnyError> {
    let () = options.typed()?;
    Ok(Box::new(crate::Database::open(path)?.with_max_unpacked(options.max_unpacked)))
}

#[cfg(feature = "parquet")]
fn open_parquet_inputs(
    inputs: &Inputs,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Database>, AnyError> {
    let () = options.typed()?;
    let file = inputs.main().map_err(|error| crate::Error::new(error.into(), location()))?;
    let database = crate::Database::new(Arc::new(file))?;
    Ok(Box::new(database.with_max_unpacked(options.max_unpacked)))
}

fn open_arrow(
    source: StreamInput,
    options: &chess_store::OpenOptions,
) -> Result<Box<dyn erased::Source>, AnyError> {
    let () = options.typed()?;
    if let Some(limit) = source.limit {
        return Ok(Box::new(RowSource::with_limit(source.stream, limit)?));
    }
    let limit = DecompressionLimit::new(options.max_unpacked);
    Ok(Box::new(RowSource::with_limit(limit.packed(source.stream), limit)?))
}
