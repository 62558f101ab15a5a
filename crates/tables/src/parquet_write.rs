//! Writes Parquet files, and encodes their columns on several threads.
//!
//! ```text
//! batch --+--> worker 0: some columns ------------.
//!         +--> worker 1: other columns ------------+--> row group, in the order of the columns
//!         +--> pages of long texts, on any thread -'
//! ```
//!
//! The parquet crate encodes most columns; lists of moves and long texts are encoded by
//! [`list_pages`](crate::list_pages) and [`text_pages`](crate::text_pages).

#![allow(clippy::arithmetic_side_effects, reason = "counts of rows and columns in memory")]

use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use arrow_array::{Array as _, ArrayRef};
use arrow_schema::{FieldRef, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use crate::batch::{array, damaged};
use crate::column::{Column, Kind, Texts, Values};
use crate::columns::{Columns, Selection};
use crate::error::{Error, ErrorKind, location};
use crate::list_pages::ListWriter;
use crate::page_write::PageChunk;
use crate::schema::Field;
use crate::text_pages::{Compressors, TextPages};
use crate::writer::Target;

/// The number of rows that are passed on together: few enough to stay in the processor's cache
/// until they are compressed.
pub(crate) const BATCH_ROWS: usize = 1024;

/// The capacity of a worker's queue, in batches. It evens out columns that take turns in being
/// expensive.
const QUEUE_BATCHES: usize = 8;

/// Writes a Parquet file. The output does not depend on the number of threads.
pub(crate) struct ParquetTarget<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    selection: Selection,
    schema: SchemaRef,
    workers: Vec<Worker>,
    compression: Compression,
    compressors: Compressors,
    /// The long texts of the current row group, with the index of their columns.
    texts: Vec<(usize, TextPages)>,
    row_group: usize,
    /// The rows of the current row group, and the number of earlier row groups.
    rows: usize,
    groups: usize,
    /// The long texts of the last row group, if it is complete and not yet in the file.
    ended: Option<Vec<(usize, TextPages)>>,
}

/// A range of the rows of a batch, shared by several threads.
#[derive(Clone)]
struct Rows {
    batch: Arc<Batch>,
    from: usize,
    count: usize,
}

/// The columns of a batch. The worker that writes a column also converts it.
struct Batch(Vec<Mutex<BatchColumn>>);

enum BatchColumn {
    Rows(Column),
    Arrow(ArrayRef),
    /// The conversion failed, and the worker has told so.
    Failed,
}

/// The writer of a column.
enum ColumnWriter {
    /// The parquet crate's writers, one for each leaf.
    Arrow(FieldRef, Vec<ArrowColumnWriter>),
    Lists(ListWriter),
}

/// A leaf of a column in a row group.
enum Chunk {
    Arrow(Box<ArrowColumnChunk>),
    Pages(PageChunk),
}

/// The index of each column in the table, with its writer.
type Group = Vec<(usize, ColumnWriter)>;
/// The index of each column in the table, with its chunks.
type Written = Vec<(usize, Vec<Chunk>)>;

/// A command to a worker.
enum Command {
    Begin(Group),
    Write(Rows),
    End,
}

/// A worker that writes some of the columns, on the calling thread or on its own thread.
enum Worker {
    Local(Group),
    Thread { commands: SyncSender<Command>, written: Receiver<Result<Written, Error>> },
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
        let compression = ZstdLevel::try_new(level).map(Compression::ZSTD).map_err(failed)?;
        let properties = properties(selection, compression);
        let schema = selection.schema();
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties));
        let (file, factory) =
            writer.and_then(ArrowWriter::into_serialized_writer).map_err(failed)?;
        let workers = match threads.min(schema.fields().len()) {
            0 | 1 => vec![Worker::Local(Group::new())],
            many => (0..many).map(|_| Worker::spawn()).collect(),
        };
        Ok(ParquetTarget {
            file,
            factory,
            selection: selection.clone(),
            schema,
            workers,
            compression,
            compressors: Compressors::new(level, threads)?,
            texts: Vec::new(),
            row_group: row_group.max(1),
            rows: 0,
            groups: 0,
            ended: None,
        })
    }

    /// Distributes the columns of a new row group over the workers.
    fn begin(&mut self) -> Result<(), Error> {
        let mut writers =
            self.factory.create_column_writers(self.groups).map_err(failed)?.into_iter();
        let mut groups: Vec<Group> = self.workers.iter().map(|_| Group::new()).collect();
        let mut loads = vec![0usize; groups.len()];
        let fields = self.selection.fields().iter().zip(self.schema.fields());
        for (place, (field, arrow)) in fields.enumerate() {
            let leaves = writers.by_ref().take(leaves(field)).collect();
            let writer = match storage(field) {
                Storage::Text => {
                    self.texts.push((place, TextPages::default()));
                    continue;
                }
                Storage::Moves => ColumnWriter::Lists(ListWriter::new(field.kind)),
                _ => ColumnWriter::Arrow(Arc::clone(arrow), leaves),
            };
            // Heavy columns are spread out: each column goes to the worker with the least load.
            let lightest = (0..loads.len()).min_by_key(|worker| loads.get(*worker)).unwrap_or(0);
            if let (Some(group), Some(load)) = (groups.get_mut(lightest), loads.get_mut(lightest)) {
                *load += weight(field.name);
                group.push((place, writer));
            }
        }
        for (worker, group) in self.workers.iter_mut().zip(groups) {
            worker.send(Command::Begin(group))?;
        }
        Ok(())
    }

    fn write_rows(&mut self, rows: &Rows, texts: &[Arc<Texts>]) -> Result<(), Error> {
        if self.rows == 0 {
            self.begin()?;
        }
        for worker in &mut self.workers {
            worker.send(Command::Write(rows.clone()))?;
        }
        for ((_, pages), texts) in self.texts.iter_mut().zip(texts) {
            pages.write(texts, rows.from..rows.from + rows.count, &mut self.compressors)?;
        }
        self.rows += rows.count;
        if self.rows >= self.row_group { self.end_group() } else { Ok(()) }
    }

    /// Ends the row group. Threads still work on its columns when this returns: it is written to the
    /// file with the next one.
    fn end_group(&mut self) -> Result<(), Error> {
        if self.rows == 0 {
            return Ok(());
        }
        self.write_group()?;
        for worker in &mut self.workers {
            worker.send(Command::End)?;
        }
        for (_, pages) in &mut self.texts {
            pages.end_page(&mut self.compressors)?;
        }
        self.compressors.end_group();
        (self.rows, self.ended) = (0, Some(std::mem::take(&mut self.texts)));
        self.groups += 1;
        if let [Worker::Local(_)] = self.workers.as_slice() { self.write_group() } else { Ok(()) }
    }

    /// Writes the columns of the row group that has ended to the file, in order.
    fn write_group(&mut self) -> Result<(), Error> {
        let Some(texts) = self.ended.take() else { return Ok(()) };
        let mut columns = Written::new();
        for worker in &mut self.workers {
            columns.append(&mut worker.written()?);
        }
        for (place, pages) in texts {
            columns.push((place, vec![Chunk::Pages(pages.finish(self.compression)?)]));
        }
        columns.sort_by_key(|(place, _)| *place);
        let leaves = self.file.schema_descr().columns().to_vec();
        let mut group = self.file.next_row_group().map_err(failed)?;
        for (chunk, leaf) in columns.into_iter().flat_map(|(_, chunks)| chunks).zip(leaves) {
            match chunk {
                Chunk::Arrow(chunk) => chunk.append_to_row_group(&mut group),
                Chunk::Pages(pages) => pages.append_to(&mut group, leaf),
            }
            .map_err(failed)?;
        }
        group.close().map_err(failed)?;
        Ok(())
    }

    /// Writes the rows that are left.
    pub(crate) fn end(&mut self) -> Result<(), Error> {
        self.end_group()?;
        self.write_group()
    }
}

impl<W: Write + Send> Target for ParquetTarget<W> {
    /// Adds rows. A row group ends exactly when it is full.
    fn write(&mut self, columns: Columns) -> Result<(), Error> {
        let all = columns.rows();
        let mut texts = Vec::new();
        let mut columns = columns.into_columns();
        for (field, column) in self.selection.fields().iter().zip(&mut columns) {
            if storage(field) == Storage::Text
                && let Values::Text(column) = &mut column.values
            {
                texts.push(Arc::new(std::mem::take(column)));
            }
        }
        let columns = columns.into_iter().map(|column| Mutex::new(BatchColumn::Rows(column)));
        let batch = Arc::new(Batch(columns.collect()));
        let mut from = 0;
        while from < all {
            let count = (self.row_group - self.rows).min(all - from);
            self.write_rows(&Rows { batch: Arc::clone(&batch), from, count }, &texts)?;
            from += count;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        self.end()?;
        self.file.finish().map_err(failed)?;
        self.file.inner_mut().flush().map_err(|error| Error::new(error.into(), location()))
    }
}

impl Batch {
    fn column(&self, place: usize) -> Result<MutexGuard<'_, BatchColumn>, Error> {
        let column = self.0.get(place).ok_or_else(lost)?;
        Ok(column.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the column at `place`, converted for `field`. A batch on the border of two row groups
    /// is asked twice.
    fn array(&self, place: usize, field: &FieldRef) -> Result<ArrayRef, Error> {
        let mut column = self.column(place)?;
        let converted = match std::mem::replace(&mut *column, BatchColumn::Failed) {
            BatchColumn::Rows(column) => array(column, field.data_type()).map_err(damaged)?,
            BatchColumn::Arrow(array) => array,
            BatchColumn::Failed => return Err(lost()),
        };
        *column = BatchColumn::Arrow(Arc::clone(&converted));
        Ok(converted)
    }
}

impl ColumnWriter {
    fn write(&mut self, rows: &Rows, place: usize) -> Result<(), Error> {
        match self {
            ColumnWriter::Arrow(field, leaves) => {
                let array = rows.batch.array(place, field)?.slice(rows.from, rows.count);
                let arrays = compute_leaves(field, &array).map_err(failed)?;
                for (array, leaf) in arrays.iter().zip(leaves) {
                    leaf.write(array).map_err(failed)?;
                }
                Ok(())
            }
            ColumnWriter::Lists(lists) => match &*rows.batch.column(place)? {
                BatchColumn::Rows(Column { values: Values::Codes(codes), .. }) => {
                    lists.write(codes, rows.from..rows.from + rows.count).map_err(failed)
                }
                _ => Err(lost()),
            },
        }
    }

    fn close(self) -> Result<Vec<Chunk>, ParquetError> {
        match self {
            ColumnWriter::Arrow(_, leaves) => {
                let close =
                    |leaf: ArrowColumnWriter| leaf.close().map(|chunk| Chunk::Arrow(chunk.into()));
                leaves.into_iter().map(close).collect()
            }
            ColumnWriter::Lists(lists) => Ok(vec![Chunk::Pages(lists.finish()?)]),
        }
    }
}

impl Worker {
    fn spawn() -> Worker {
        let (commands, to_do) = sync_channel(QUEUE_BATCHES);
        let (done, written) = sync_channel(1);
        thread::spawn(move || run_worker(&to_do, &done));
        Worker::Thread { commands, written }
    }

    fn send(&mut self, command: Command) -> Result<(), Error> {
        match (self, command) {
            (Worker::Thread { commands, written }, command) => match commands.send(command) {
                Ok(()) => Ok(()),
                // The worker failed and stopped; its last result holds the error.
                Err(_) => Err(written.iter().find_map(Result::err).unwrap_or_else(lost)),
            },
            (Worker::Local(columns), Command::Begin(group)) => {
                *columns = group;
                Ok(())
            }
            (Worker::Local(columns), Command::Write(rows)) => write(columns, &rows),
            (Worker::Local(_), Command::End) => Ok(()),
        }
    }

    fn written(&mut self) -> Result<Written, Error> {
        match self {
            Worker::Local(columns) => close(columns),
            Worker::Thread { written, .. } => written.recv().unwrap_or_else(|_| Err(lost())),
        }
    }
}

/// Runs a worker until its channel closes or it fails.
fn run_worker(to_do: &Receiver<Command>, done: &SyncSender<Result<Written, Error>>) {
    let mut columns = Group::new();
    for command in to_do {
        let result = match command {
            Command::Begin(group) => {
                columns = group;
                Ok(())
            }
            Command::Write(rows) => write(&mut columns, &rows),
            Command::End => {
                if done.send(close(&mut columns)).is_err() {
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

/// Adds rows to the columns of a worker.
fn write(columns: &mut Group, rows: &Rows) -> Result<(), Error> {
    columns.iter_mut().try_for_each(|(place, writer)| writer.write(rows, *place))
}

/// Ends the columns of a worker, and returns their chunks.
fn close(columns: &mut Group) -> Result<Written, Error> {
    let chunks = columns.drain(..).map(|(place, writer)| Ok((place, writer.close()?)));
    chunks.collect::<Result<_, _>>().map_err(failed)
}

/// Returns the number of leaves of a column.
fn leaves(field: &Field) -> usize {
    if field.kind == Kind::TextMap { 2 } else { 1 }
}

/// Returns the approximate cost of a column, relative to other columns.
fn weight(name: &str) -> usize {
    match name {
        "hash" | "san" => 10,
        "tags" | "move" | "final_hash" | "board" | "comment" => 4,
        "moves" | "move_codes" => 4,
        _ => 1,
    }
}

/// Returns the properties of a file with these columns. Pages have at most 20,000 rows or a
/// megabyte, and dictionaries a megabyte, as the parquet crate proposes.
fn properties(selection: &Selection, compression: Compression) -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("scoresheet ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(compression)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_max_row_group_row_count(None);
    for field in selection.fields() {
        let path = path_of(field);
        builder = match storage(field) {
            Storage::Usual => builder,
            Storage::Text => builder
                .set_column_statistics_enabled(path.clone(), EnabledStatistics::None)
                .set_column_dictionary_enabled(path, false),
            Storage::Hash => builder
                .set_column_compression(path.clone(), Compression::UNCOMPRESSED)
                .set_column_dictionary_enabled(path, false),
            Storage::Board => builder.set_column_dictionary_enabled(path, false),
            Storage::Moves => builder
                .set_column_compression(path.clone(), Compression::UNCOMPRESSED)
                .set_column_statistics_enabled(path, EnabledStatistics::None),
            Storage::Ascending => builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
        };
    }
    builder.build()
}

/// How the values of a column are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Storage {
    /// With a dictionary, compressed, with the least and the greatest value.
    Usual,
    /// Without a dictionary, because hardly a text occurs twice. The least and the greatest text
    /// would serve no search.
    Text,
    /// As they are: hashes neither repeat nor shrink.
    Hash,
    /// Without a dictionary.
    Board,
    /// With a dictionary, not compressed: numbers in a dictionary do not shrink.
    Moves,
    /// As differences between neighbours.
    Ascending,
}

fn storage(field: &Field) -> Storage {
    match (field.kind, field.name) {
        (Kind::UInt16List | Kind::UciList, _) => Storage::Moves,
        (Kind::UInt64, _) => Storage::Hash,
        (Kind::Bytes32, _) => Storage::Board,
        (_, "movetext" | "fen") => Storage::Text,
        (_, "game" | "ply") => Storage::Ascending,
        _ => Storage::Usual,
    }
}

/// Returns the path of the values of a column. The storage of a map stays the usual one.
fn path_of(field: &Field) -> ColumnPath {
    match field.kind {
        Kind::UInt16List | Kind::UciList => {
            ColumnPath::new([field.name, "list", "element"].map(str::to_owned).to_vec())
        }
        _ => ColumnPath::from(field.name),
    }
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

pub(crate) fn lost() -> Error {
    Error::new(ErrorKind::Damaged("a thread that writes columns has ended".into()), location())
}
