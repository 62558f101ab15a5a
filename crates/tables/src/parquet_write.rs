//! Writes Parquet files, and compresses their columns on several threads.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use arrow_array::{Array as _, ArrayRef};
use arrow_schema::{FieldRef, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::ColumnPath;

use crate::batch::{array, damaged};
use crate::chunk;
use crate::codes_write::{CodeType, CodesWriter};
use crate::column::{Codes, Column, Kind, Values};
use crate::columns::{Columns, Selection};
use crate::error::{Error, ErrorKind, location};
use crate::flat_write::{FlatWriter, Storage};
use crate::schema::{Field, Of};
use crate::squeeze::PageCompressor;
use crate::writer::Target;

/// The number of rows that are passed on together: few enough to stay in the processor's cache
/// until they are compressed.
pub(crate) const BATCH_ROWS: usize = 1024;

/// The capacity of a worker's queue, in batches.
const QUEUE_BATCHES: usize = 2;

/// Writes a Parquet file. The output does not depend on the number of threads.
pub(crate) struct ParquetTarget<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    selection: Selection,
    schema: SchemaRef,
    workers: Vec<Worker>,
    level: i32,
    row_group: usize,
    /// The rows of the current row group, and the number of earlier row groups.
    rows: usize,
    groups: usize,
}

/// The values of a column in some rows.
enum Cells {
    /// An array for the parquet crate.
    Array(ArrayRef),
    /// A column for our own writers.
    Column(Column),
}

/// A range of rows, shared by several threads.
#[derive(Clone)]
struct Rows {
    columns: Arc<Vec<Cells>>,
    from: usize,
    count: usize,
}

/// The writer of a column.
enum ColumnWriter {
    /// The parquet crate's writers, one for each leaf.
    Arrow(FieldRef, Vec<ArrowColumnWriter>),
    /// Our writer of codes, with the index of its twin column, if it has one.
    Codes(Box<CodesWriter>, Option<usize>),
    Flat(Box<FlatWriter>),
}

/// The index of each column in the table, with its writer.
type Group = Vec<(usize, ColumnWriter)>;
/// The index of each column in the table, with its chunks.
type Written = Vec<(usize, Vec<Chunk>)>;

enum Chunk {
    Arrow(ArrowColumnChunk),
    Own(chunk::Written, ColumnCloseResult),
}

/// A command to a worker.
enum Command {
    Begin(Group),
    Write(Rows),
    End,
}

/// A worker that writes some of the columns, on the calling thread or on its own thread.
enum Worker {
    Local(WorkerColumns),
    Thread { commands: SyncSender<Command>, written: Receiver<Result<Written, Error>> },
}

/// The columns of a row group that one worker writes.
struct WorkerColumns {
    columns: Group,
    compressor: PageCompressor,
}

impl<W: Write + Send> ParquetTarget<W> {
    /// Creates a target with `threads` workers beside the calling thread; with 1, the calling
    /// thread does all the work.
    pub(crate) fn new(
        file: W,
        selection: &Selection,
        level: i32,
        row_group: usize,
        threads: usize,
    ) -> Result<ParquetTarget<W>, Error> {
        let properties = properties(level).map_err(failed)?;
        let schema = selection.schema();
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties));
        let (file, factory) =
            writer.and_then(ArrowWriter::into_serialized_writer).map_err(failed)?;
        let workers = match threads.min(schema.fields().len()) {
            0 | 1 => vec![Worker::Local(WorkerColumns::new(level)?)],
            many => (0..many).map(|_| Worker::spawn(level)).collect::<Result<_, _>>()?,
        };
        let row_group = row_group.max(1);
        let selection = selection.clone();
        let (rows, groups) = (0, 0);
        Ok(ParquetTarget {
            file,
            factory,
            selection,
            schema,
            workers,
            level,
            row_group,
            rows,
            groups,
        })
    }

    /// Distributes the columns of a new row group over the workers.
    fn begin(&mut self) -> Result<(), Error> {
        let mut writers =
            self.factory.create_column_writers(self.groups).map_err(failed)?.into_iter();
        let mut descriptions = self.file.schema_descr().columns().iter();
        let mut groups: Vec<Group> = self.workers.iter().map(|_| Group::new()).collect();
        let mut loads = vec![0usize; groups.len()];
        let fields = self.selection.fields().iter().zip(self.schema.fields());
        for (place, (field, arrow)) in fields.enumerate() {
            let leaves = if field.kind == Kind::TextMap { 2 } else { 1 };
            let leaves_of_arrow: Vec<_> = writers.by_ref().take(leaves).collect();
            let description = descriptions.by_ref().take(leaves).last();
            let writer = match (own_writer(field), description.map(Arc::clone)) {
                (OwnWriter::Codes(written_as), Some(description)) => {
                    if let Some((writer, twin)) = twin_of(field, &mut groups) {
                        writer.set_twin(description, written_as);
                        *twin = Some(place);
                        continue;
                    }
                    ColumnWriter::Codes(Box::new(CodesWriter::new(description, written_as)), None)
                }
                (OwnWriter::Flat(way), Some(description)) => {
                    let writer = FlatWriter::new(description, field.kind, way, self.level);
                    ColumnWriter::Flat(Box::new(writer.map_err(failed)?))
                }
                _ => ColumnWriter::Arrow(Arc::clone(arrow), leaves_of_arrow),
            };
            // Heavy columns are spread out: each column goes to the worker with the least load.
            let lightest = (0..loads.len()).min_by_key(|worker| loads.get(*worker)).unwrap_or(0);
            if let (Some(group), Some(load)) = (groups.get_mut(lightest), loads.get_mut(lightest)) {
                *load = load.saturating_add(weight(field.name));
                group.push((place, writer));
            }
        }
        for (worker, group) in self.workers.iter_mut().zip(groups) {
            worker.send(Command::Begin(group))?;
        }
        Ok(())
    }

    fn write_rows(&mut self, rows: &Rows) -> Result<(), Error> {
        if self.rows == 0 {
            self.begin()?;
        }
        for worker in &mut self.workers {
            worker.send(Command::Write(rows.clone()))?;
        }
        self.rows = self.rows.saturating_add(rows.count);
        if self.rows >= self.row_group { self.end() } else { Ok(()) }
    }

    /// Writes the columns of the row group to the file, in order.
    pub(crate) fn end(&mut self) -> Result<(), Error> {
        if self.rows == 0 {
            return Ok(());
        }
        for worker in &mut self.workers {
            worker.send(Command::End)?;
        }
        let mut columns = Written::new();
        for worker in &mut self.workers {
            columns.append(&mut worker.written()?);
        }
        columns.sort_by_key(|(place, _)| *place);
        let mut group = self.file.next_row_group().map_err(failed)?;
        for chunk in columns.into_iter().flat_map(|(_, chunks)| chunks) {
            chunk.append_to(&mut group).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        self.rows = 0;
        self.groups += 1;
        Ok(())
    }
}

impl<W: Write + Send> Target for ParquetTarget<W> {
    /// Adds rows. A row group ends exactly when it is full.
    fn write(&mut self, columns: Columns) -> Result<(), Error> {
        let all = columns.rows();
        let fields = self.selection.fields().iter().zip(self.schema.fields());
        let columns = columns.into_columns().into_iter().zip(fields);
        let columns = columns.map(|(mut column, (field, arrow))| match own_writer(field) {
            OwnWriter::No => array(column, arrow.data_type()).map(Cells::Array),
            _ => {
                if column.all_null().is_none() {
                    column.materialize_nulls();
                }
                Ok(Cells::Column(column))
            }
        });
        let columns = Arc::new(columns.collect::<Result<Vec<_>, _>>().map_err(damaged)?);
        let mut from = 0usize;
        while from < all {
            let left = all.saturating_sub(from);
            let count = self.row_group.saturating_sub(self.rows).min(left);
            self.write_rows(&Rows { columns: Arc::clone(&columns), from, count })?;
            from = from.saturating_add(count.max(1));
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        self.end()?;
        self.file.finish().map_err(failed)?;
        self.file.inner_mut().flush().map_err(|error| Error::new(error.into(), location()))
    }
}

impl Worker {
    fn spawn(level: i32) -> Result<Worker, Error> {
        let (commands, to_do) = sync_channel(QUEUE_BATCHES);
        let (done, written) = sync_channel(1);
        let mut columns = WorkerColumns::new(level)?;
        thread::spawn(move || run_worker(&mut columns, &to_do, &done));
        Ok(Worker::Thread { commands, written })
    }

    fn send(&mut self, command: Command) -> Result<(), Error> {
        match (self, command) {
            (Worker::Thread { commands, written }, command) => match commands.send(command) {
                Ok(()) => Ok(()),
                // The worker failed and stopped; its result holds the error.
                Err(_) => Err(written.recv().ok().and_then(Result::err).unwrap_or_else(lost)),
            },
            (Worker::Local(columns), Command::Begin(group)) => {
                columns.columns = group;
                Ok(())
            }
            (Worker::Local(columns), Command::Write(rows)) => columns.write(&rows),
            (Worker::Local(_), Command::End) => Ok(()),
        }
    }

    fn written(&mut self) -> Result<Written, Error> {
        match self {
            Worker::Local(columns) => columns.close(),
            Worker::Thread { written, .. } => written.recv().unwrap_or_else(|_| Err(lost())),
        }
    }
}

/// Runs a worker until its channel closes or it fails.
fn run_worker(
    columns: &mut WorkerColumns,
    to_do: &Receiver<Command>,
    done: &SyncSender<Result<Written, Error>>,
) {
    for command in to_do {
        let result = match command {
            Command::Begin(group) => {
                columns.columns = group;
                Ok(())
            }
            Command::Write(rows) => columns.write(&rows),
            Command::End => {
                if done.send(columns.close()).is_err() {
                    return;
                }
                Ok(())
            }
        };
        if let Err(error) = result {
            let _ = done.send(Err(error));
            return;
        }
    }
}

impl WorkerColumns {
    fn new(level: i32) -> Result<WorkerColumns, Error> {
        let compressor =
            PageCompressor::new(level).map_err(|error| Error::new(error.into(), location()))?;
        Ok(WorkerColumns { columns: Group::new(), compressor })
    }

    fn write(&mut self, rows: &Rows) -> Result<(), Error> {
        for (place, writer) in &mut self.columns {
            match (writer, rows.columns.get(*place)) {
                (ColumnWriter::Arrow(field, leaves), Some(Cells::Array(array))) => {
                    let array = array.slice(rows.from, rows.count);
                    let arrays = compute_leaves(field, &array).map_err(failed)?;
                    for (array, leaf) in arrays.iter().zip(leaves) {
                        leaf.write(array).map_err(failed)?;
                    }
                }
                (ColumnWriter::Codes(writer, twin), Some(column)) => {
                    let twins = twin.and_then(|twin| rows.columns.get(twin));
                    let (lists, twins) =
                        (column.codes().ok_or_else(other_kind)?, twins.and_then(Cells::codes));
                    writer.write(lists, twins, rows.from, rows.count).map_err(failed)?;
                }
                (ColumnWriter::Flat(writer), Some(Cells::Column(column))) => {
                    let compressor = &mut self.compressor;
                    writer.write(column, rows.from, rows.count, compressor).map_err(failed)?;
                }
                _ => return Err(other_kind()),
            }
        }
        Ok(())
    }

    fn close(&mut self) -> Result<Written, Error> {
        let compressor = &mut self.compressor;
        let mut written = Written::new();
        for (place, writer) in self.columns.drain(..) {
            writer.close(place, compressor, &mut written).map_err(failed)?;
        }
        Ok(written)
    }
}

impl Cells {
    fn codes(&self) -> Option<&Codes> {
        match self {
            Cells::Column(Column { values: Values::Codes(lists), .. }) => Some(lists),
            _ => None,
        }
    }
}

/// Returns the writer of the twin column. The columns `moves` and `move_codes` are almost equal, so
/// one writer writes both.
fn twin_of<'a>(
    field: &Field,
    groups: &'a mut [Group],
) -> Option<(&'a mut CodesWriter, &'a mut Option<usize>)> {
    if !matches!(field.of, Of::Moves | Of::MoveCodes) {
        return None;
    }
    groups.iter_mut().flatten().find_map(|(_, writer)| match writer {
        ColumnWriter::Codes(writer, twin) => Some((writer.as_mut(), twin)),
        _ => None,
    })
}

fn other_kind() -> Error {
    let text = "a column is not of the kind that is written here";
    failed(ParquetError::General(text.to_owned()))
}

impl ColumnWriter {
    fn close(
        self,
        place: usize,
        compressor: &mut PageCompressor,
        to: &mut Written,
    ) -> Result<(), ParquetError> {
        let own = |(written, result)| vec![Chunk::Own(written, result)];
        match self {
            ColumnWriter::Arrow(_, leaves) => {
                let leaves = leaves.into_iter().map(|leaf| leaf.close().map(Chunk::Arrow));
                to.push((place, leaves.collect::<Result<_, _>>()?));
            }
            ColumnWriter::Codes(writer, twin) => {
                let (column, other) = writer.close()?;
                to.push((place, own(column)));
                to.extend(twin.zip(other.map(own)));
            }
            ColumnWriter::Flat(writer) => to.push((place, own(writer.close(compressor)?))),
        }
        Ok(())
    }
}

impl Chunk {
    fn append_to<W: Write + Send>(
        self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        match self {
            Chunk::Arrow(chunk) => chunk.append_to_row_group(group),
            Chunk::Own(written, result) => group.append_column(&written, result),
        }
    }
}

/// The kind of our own writer for a column, if any.
enum OwnWriter {
    Codes(CodeType),
    Flat(Storage),
    No,
}

/// Chooses our own writer for a column. A dictionary does not help for mostly unique texts and for
/// hashes. Compression hardly helps for hashes and for dictionary-encoded moves, and would take
/// longer than everything else.
fn own_writer(field: &Field) -> OwnWriter {
    match field.kind {
        Kind::UInt16List => OwnWriter::Codes(CodeType::Number),
        Kind::UciList => OwnWriter::Codes(CodeType::Uci),
        Kind::Text if matches!(field.name, "movetext" | "fen") => OwnWriter::Flat(Storage::Texts),
        Kind::Int32 if field.name == "ply" => OwnWriter::No,
        Kind::Text | Kind::Int16 | Kind::Int32 | Kind::Date | Kind::Time => {
            OwnWriter::Flat(Storage::Repeating)
        }
        Kind::UInt64 => OwnWriter::Flat(Storage::Hashes),
        _ => OwnWriter::No,
    }
}

/// Returns the approximate cost of a column, relative to other columns.
fn weight(name: &str) -> usize {
    match name {
        "movetext" | "fen" => 20,
        "moves" | "move_codes" | "hash" | "san" => 10,
        "tags" | "move" | "final_hash" | "board" | "comment" => 4,
        _ => 1,
    }
}

/// Returns the properties for the parquet crate: it writes consecutive numbers as deltas.
fn properties(level: i32) -> Result<WriterProperties, ParquetError> {
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("scoresheet ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(level)?))
        .set_max_row_group_row_count(None)
        .set_column_dictionary_enabled(ColumnPath::from("board"), false);
    for name in ["game", "ply"] {
        let path = ColumnPath::from(name);
        builder = builder
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    Ok(builder.build())
}

pub(crate) fn failed(error: ParquetError) -> Error {
    let kind = match error {
        ParquetError::External(error) => match error.downcast::<std::io::Error>() {
            Ok(error) => ErrorKind::Io(*error),
            Err(error) => ErrorKind::Damaged(error.to_string().into()),
        },
        other => ErrorKind::Damaged(other.to_string().into()),
    };
    Error::new(kind, location())
}

fn lost() -> Error {
    Error::new(ErrorKind::Damaged("a thread that writes columns has ended".into()), location())
}
