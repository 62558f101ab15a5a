//! Parquet files, whose columns are compressed on several threads.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use crate::error::{Error, ErrorKind, location};
use crate::writer::Target;

/// Batches that a thread may have waiting.
const AHEAD: usize = 2;

/// Writes a Parquet file. What it writes does not depend on the number of threads.
pub(crate) struct ParquetTarget<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    lanes: Vec<Lane>,
    row_group: usize,
    /// Rows of the row group at hand, and how many groups there were before it.
    rows: usize,
    groups: usize,
}

/// A column of the table, as it is written: its place, and a writer for each of its leaves.
type Group = Vec<(usize, Vec<ArrowColumnWriter>)>;
/// The same, written.
type Written = Vec<(usize, Vec<ArrowColumnChunk>)>;

/// What a thread is told.
enum Order {
    Begin(Group),
    Write(RecordBatch),
    End,
}

/// Writes some of the columns: here, or on a thread.
enum Lane {
    Here(Columns),
    There { orders: SyncSender<Order>, written: Receiver<Result<Written, Error>> },
}

/// The columns of a row group that one thread writes.
#[derive(Default)]
struct Columns(Group);

impl<W: Write + Send> ParquetTarget<W> {
    /// On so many threads beside the one that calls; on that alone if 1.
    pub(crate) fn new(
        file: W,
        schema: &SchemaRef,
        level: i32,
        row_group: usize,
        threads: usize,
    ) -> Result<ParquetTarget<W>, Error> {
        let properties = properties(level).map_err(failed)?;
        let writer = ArrowWriter::try_new(file, Arc::clone(schema), Some(properties));
        let (file, factory) =
            writer.and_then(ArrowWriter::into_serialized_writer).map_err(failed)?;
        let lanes = match threads.min(schema.fields().len()) {
            0 | 1 => vec![Lane::Here(Columns::default())],
            many => (0..many).map(|_| Lane::spawn()).collect(),
        };
        let row_group = row_group.max(1);
        let schema = Arc::clone(schema);
        Ok(ParquetTarget { file, factory, schema, lanes, row_group, rows: 0, groups: 0 })
    }

    /// Hands the columns of a new row group to the threads.
    fn begin(&mut self) -> Result<(), Error> {
        let writers = self.factory.create_column_writers(self.groups).map_err(failed)?;
        let mut writers = writers.into_iter();
        let mut groups: Vec<Group> = self.lanes.iter().map(|_| Group::new()).collect();
        let mut loads = vec![0usize; groups.len()];
        for (place, field) in self.schema.fields().iter().enumerate() {
            let leaves = match field.data_type() {
                arrow_schema::DataType::Map(..) => 2,
                _ => 1,
            };
            let leaves: Vec<_> = writers.by_ref().take(leaves).collect();
            // The heavy columns come apart: each column goes where least is.
            let lightest = (0..loads.len()).min_by_key(|lane| loads.get(*lane)).unwrap_or(0);
            if let (Some(group), Some(load)) = (groups.get_mut(lightest), loads.get_mut(lightest)) {
                *load = load.saturating_add(weight(field.name()));
                group.push((place, leaves));
            }
        }
        for (lane, group) in self.lanes.iter_mut().zip(groups) {
            lane.order(&self.schema, Order::Begin(group))?;
        }
        Ok(())
    }

    fn write_rows(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        if self.rows == 0 {
            self.begin()?;
        }
        for lane in &mut self.lanes {
            lane.order(&self.schema, Order::Write(batch.clone()))?;
        }
        self.rows = self.rows.saturating_add(batch.num_rows());
        if self.rows >= self.row_group { self.end() } else { Ok(()) }
    }

    /// Puts the columns of the row group into the file, in order.
    pub(crate) fn end(&mut self) -> Result<(), Error> {
        if self.rows == 0 {
            return Ok(());
        }
        for lane in &mut self.lanes {
            lane.order(&self.schema, Order::End)?;
        }
        let mut columns = Written::new();
        for lane in &mut self.lanes {
            columns.append(&mut lane.written()?);
        }
        columns.sort_by_key(|(place, _)| *place);
        let mut group = self.file.next_row_group().map_err(failed)?;
        for chunk in columns.into_iter().flat_map(|(_, chunks)| chunks) {
            chunk.append_to_row_group(&mut group).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        self.rows = 0;
        self.groups = self.groups.saturating_add(1);
        Ok(())
    }
}

impl<W: Write + Send> Target for ParquetTarget<W> {
    /// A row group ends just where it is full.
    fn write(&mut self, batch: RecordBatch) -> Result<(), Error> {
        let mut from = 0usize;
        while from < batch.num_rows() {
            let left = batch.num_rows().saturating_sub(from);
            let rows = self.row_group.saturating_sub(self.rows).min(left);
            self.write_rows(&batch.slice(from, rows))?;
            from = from.saturating_add(rows.max(1));
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        self.end()?;
        self.file.finish().map_err(failed)?;
        self.file.inner_mut().flush().map_err(|error| Error::new(error.into(), location()))
    }
}

impl Lane {
    fn spawn() -> Lane {
        let (orders, to_do) = sync_channel(AHEAD);
        let (done, written) = sync_channel(1);
        thread::spawn(move || obey(&to_do, &done));
        Lane::There { orders, written }
    }

    fn order(&mut self, schema: &SchemaRef, order: Order) -> Result<(), Error> {
        match (self, order) {
            (Lane::There { orders, written }, order) => match orders.send(order) {
                Ok(()) => Ok(()),
                // It has ended because it failed, and has said why.
                Err(_) => Err(written.recv().ok().and_then(Result::err).unwrap_or_else(lost)),
            },
            (Lane::Here(columns), Order::Begin(group)) => {
                columns.0 = group;
                Ok(())
            }
            (Lane::Here(columns), Order::Write(batch)) => columns.write(schema, &batch),
            (Lane::Here(_), Order::End) => Ok(()),
        }
    }

    fn written(&mut self) -> Result<Written, Error> {
        match self {
            Lane::Here(columns) => columns.close(),
            Lane::There { written, .. } => written.recv().unwrap_or_else(|_| Err(lost())),
        }
    }
}

/// Does what it is told until nobody tells it more, or it fails.
fn obey(to_do: &Receiver<Order>, done: &SyncSender<Result<Written, Error>>) {
    let mut columns = Columns::default();
    for order in to_do {
        let result = match order {
            Order::Begin(group) => {
                columns.0 = group;
                Ok(())
            }
            Order::Write(batch) => columns.write(batch.schema_ref(), &batch),
            Order::End => {
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

impl Columns {
    fn write(&mut self, schema: &SchemaRef, batch: &RecordBatch) -> Result<(), Error> {
        for (place, writers) in &mut self.0 {
            let (Some(field), Some(array)) =
                (schema.fields().get(*place), batch.columns().get(*place))
            else {
                continue;
            };
            for (leaf, writer) in compute_leaves(field, array).map_err(failed)?.iter().zip(writers)
            {
                writer.write(leaf).map_err(failed)?;
            }
        }
        Ok(())
    }

    fn close(&mut self) -> Result<Written, Error> {
        let close = |(place, writers): (usize, Vec<ArrowColumnWriter>)| {
            let chunks = writers.into_iter().map(ArrowColumnWriter::close);
            Ok((place, chunks.collect::<Result<_, _>>().map_err(failed)?))
        };
        self.0.drain(..).map(close).collect()
    }
}

/// What a column costs beside the others, about.
fn weight(name: &str) -> usize {
    match name {
        "movetext" | "fen" => 20,
        "moves" | "move_codes" | "hash" | "san" => 10,
        "tags" | "move" | "final_hash" | "board" | "comment" => 4,
        _ => 1,
    }
}

/// Texts that hardly repeat, and hashes, gain nothing from a dictionary; hashes, and moves that
/// are numbers in a dictionary, hardly anything from compression, which would take longer than all else.
fn properties(level: i32) -> Result<WriterProperties, ParquetError> {
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("scoresheet ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(level)?))
        .set_max_row_group_row_count(None);
    for name in ["movetext", "final_hash", "hash", "fen", "board"] {
        builder = builder.set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    let list = |name: &str| ColumnPath::new(vec![name.into(), "list".into(), "element".into()]);
    for path in [list("moves"), list("move_codes"), "final_hash".into(), "hash".into()] {
        builder = builder.set_column_compression(path, Compression::UNCOMPRESSED);
    }
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
