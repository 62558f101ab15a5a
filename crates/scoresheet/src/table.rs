//! Games of bases as Arrow record batches, produced on demand.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use chess_store::erased::Format;
use chess_store::{AnyError, CreateOptions, Inputs, Location, OpenOptions};
use query::Filter;
use tables::arrow_array::{RecordBatch, RecordBatchReader};
use tables::arrow_schema::{ArrowError, SchemaRef};
use tables::{
    BATCH_ROWS, Columns, Error as TableError, ErrorKind, Existing, PartitionedWriter, Selection,
    Target, Writer,
};

use crate::base::{Base, open_inputs, open_stream, open_with};
use crate::convert::{ConvertError, Converter, Outcome, Watch};
use crate::create::Output;
use crate::error::{Error, describe};
use crate::formats::format_named;
use crate::parts::part_of;
use crate::sample::Sampler;

/// Batches in the queue to the consumer.
const QUEUE: usize = 2;

/// The games of several bases as a table. Each call of [`batches`](Table::batches) reads the bases
/// again, on all cores, and only as fast as the batches are consumed.
///
/// ```no_run
/// use scoresheet::Table;
/// use scoresheet::tables::{Rows, Selection};
///
/// let columns = Selection::named(Rows::Games, ["White", "WhiteElo", "ECO"])?;
/// for batch in Table::new(["twic.si4"], columns).batches() {
///     println!("{} games", batch?.num_rows());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    bases: Vec<TableBase>,
    selection: Selection,
    filter: Filter,
    options: OpenOptions,
    strict: bool,
    threads: Option<usize>,
    batch_rows: usize,
    bytes: Option<Range<u64>>,
    sample: Option<(usize, u64)>,
}

/// A base of a [`Table`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TableBase {
    /// Any file of a base.
    Path(PathBuf),
    /// The open files of a base.
    Inputs(Inputs),
}

impl<P: Into<PathBuf>> From<P> for TableBase {
    fn from(path: P) -> TableBase {
        TableBase::Path(path.into())
    }
}

impl TableBase {
    fn path(&self) -> &Path {
        match self {
            TableBase::Path(path) => path,
            TableBase::Inputs(inputs) => inputs.named(),
        }
    }
}

impl Table {
    /// Creates a table of the games of `bases`, in this order.
    pub fn new(
        bases: impl IntoIterator<Item = impl Into<TableBase>>,
        selection: Selection,
    ) -> Table {
        Table {
            bases: bases.into_iter().map(Into::into).collect(),
            selection,
            filter: Filter::default(),
            options: OpenOptions::default(),
            strict: false,
            threads: None,
            batch_rows: BATCH_ROWS,
            bytes: None,
            sample: None,
        }
    }

    /// Draws `size` of the games at random; see [`Sampler`]. The bases are then read twice.
    #[must_use]
    pub fn sample(self, size: usize, seed: u64) -> Table {
        Table { sample: Some((size, seed)), ..self }
    }

    /// Includes only the games that `filter` selects.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Table {
        Table { filter, ..self }
    }

    /// Opens the bases with `options`.
    #[must_use]
    pub fn options(self, options: OpenOptions) -> Table {
        Table { options, ..self }
    }

    /// Ends with an error at the first deviation, damage or loss.
    #[must_use]
    pub fn strict(self, strict: bool) -> Table {
        Table { strict, ..self }
    }

    /// Uses `threads` threads. The batches do not depend on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Table {
        Table { threads: Some(threads), ..self }
    }

    /// Makes batches of about `rows` rows.
    #[must_use]
    pub fn batch_rows(self, rows: usize) -> Table {
        Table { batch_rows: rows.max(1), ..self }
    }

    /// Restricts PGN files to the games that begin in this byte range. A game begins at a line with
    /// the tag `Event`. Adjacent ranges contain each game exactly once. The column `source` names
    /// the range, and `game` and `offset` count within it.
    ///
    /// Of a file compressed with Zstandard, the range selects the frames that begin in it:
    /// [`zstd_frames`](crate::zstd_frames) returns where.
    #[must_use]
    pub fn bytes(self, range: Range<u64>) -> Table {
        Table { bytes: Some(range), ..self }
    }

    /// The schema of the batches.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.selection.schema()
    }

    /// Starts reading. The iterator ends after an error. Dropping it stops the reading.
    #[must_use]
    pub fn batches(&self) -> Batches {
        self.start(None)
    }

    /// Like [`batches`](Table::batches), but reads a base that is open already, in place of the bases of the table.
    /// No [sample](Table::sample) is drawn.
    #[must_use]
    pub fn batches_of(&self, base: Base) -> Batches {
        self.start(Some(base))
    }

    fn start(&self, base: Option<Base>) -> Batches {
        let (table, (sender, receiver)) = (self.clone(), sync_channel(QUEUE));
        let stop = Stop::default();
        let mut stopped = stop.clone();
        let reading = thread::spawn(move || {
            if let Err(error) = table.run(base, &sender, &mut stopped) {
                let _ = sender.send(Err(error));
            }
        });
        let (receiver, reading) = (Some(receiver), Some(reading));
        Batches { schema: self.schema(), receiver, reading, stop }
    }

    /// Reads all bases and sends batches.
    fn run(
        &self,
        base: Option<Base>,
        sender: &SyncSender<Result<RecordBatch, TableFailure>>,
        stop: &mut Stop,
    ) -> Result<(), TableFailure> {
        let format = format_named("arrow").ok_or(TableFailure::Ended)?;
        let target = Box::new(Sender { sender: sender.clone(), schema: self.schema() });
        let writer = Writer::with_batches(self.selection.clone(), self.batch_rows, target);
        let mut output = Output::from_writer(Box::new(writer), "table", format);
        let filters = match base {
            Some(_) => Vec::new(),
            None => self.filters(stop)?,
        };
        let mut copy = |base: &mut Base, path: &Path, filter: Filter| {
            let skips_moves = self.selection.is_of_header() && !self.strict && !filter.asks_moves();
            let converter = Converter::new().filter(filter).strict(self.strict);
            let converter = converter.skips_moves(skips_moves);
            let mut converter = match self.threads {
                Some(threads) => converter.threads(threads),
                None => converter,
            };
            let done = converter.run(base, &mut output, stop);
            done.map_err(|error| located(error, path))?;
            if stop.flow().is_break() { Err(TableFailure::Ended) } else { Ok(()) }
        };
        if let Some(mut base) = base {
            let path = base.path().to_path_buf();
            copy(&mut base, &path, self.filter.clone())?;
        } else {
            for (base, filter) in self.bases.iter().zip(filters) {
                copy(&mut self.open(base)?, base.path(), filter)?;
            }
        }
        Ok(output.finish()?)
    }

    /// Returns a filter for each base.
    fn filters(&self, stop: &Stop) -> Result<Vec<Filter>, Error> {
        let Some((size, seed)) = self.sample else {
            return Ok(vec![self.filter.clone(); self.bases.len()]);
        };
        let mut sampler = Sampler::new(self.filter.clone(), size, seed);
        for base in &self.bases {
            sampler.add_watched(&mut self.open(base)?, || stop.flow())?;
        }
        Ok(sampler.finish())
    }

    fn open(&self, base: &TableBase) -> Result<Base, Error> {
        let path = match base {
            TableBase::Path(path) => path,
            TableBase::Inputs(inputs) => return open_inputs(inputs, &self.options),
        };
        let Some(range) = &self.bytes else { return open_with(path, &self.options) };
        let part = part_of(path, range, &self.options).map_err(|error| Error::io(path, error))?;
        let name = format!("{}@{}", path.display(), range.start);
        open_stream(part, name, format_named("pgn"), &self.options)
    }
}

/// Creates a folder of Parquet files, one file per value of the partition column: `year`, `month`,
/// `eco` or the name of a tag.
///
/// # Errors
/// [`Error::Unsupported`] for another format; an I/O error for something at the path that `existing` refuses.
pub fn create_partitioned(
    path: impl AsRef<Path>,
    format: &'static Format,
    by: &str,
    options: &CreateOptions,
    existing: Existing,
) -> Result<Output, Error> {
    let path = path.as_ref();
    if format.name != "parquet" {
        let what = "written in partitions";
        return Err(Error::Unsupported { path: path.into(), format: format.title, what });
    }
    let failed = |error| Error::base(path, error);
    let options = options.typed().map_err(failed)?;
    let writer = PartitionedWriter::create(path, by, &options, existing);
    let writer = writer.map_err(|error| Error::base(path, error.into()))?;
    Ok(Output::from_writer(Box::new(writer), path, format))
}

/// The error that ended a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableFailure {
    /// A base cannot be opened.
    #[error(transparent)]
    Base(#[from] Error),
    /// A base failed while reading, or a strict check failed.
    #[error("{text}")]
    Convert {
        /// The error with its file.
        text: String,
        /// The base.
        path: PathBuf,
        /// The error.
        error: Box<ConvertError>,
    },
    /// The consumer is gone.
    #[error("the table is no longer read")]
    Ended,
    /// The thread that reads panicked.
    #[error("a fault of the library: the thread that reads the table panicked")]
    Panicked,
}

fn located(error: ConvertError, path: &Path) -> TableFailure {
    let text = match &error {
        ConvertError::Read(error) => describe(path, error).to_string(),
        other => format!("{}: {other}", path.display()),
    };
    TableFailure::Convert { text, path: path.into(), error: Box::new(error) }
}

impl TableFailure {
    /// The base that the error concerns.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            TableFailure::Base(error) => Some(error.path()),
            TableFailure::Convert { path, .. } => Some(path),
            TableFailure::Ended | TableFailure::Panicked => None,
        }
    }

    /// The location in the base.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        match self {
            TableFailure::Base(error) => error.error().map(AnyError::location),
            TableFailure::Convert { error, .. } => match &**error {
                ConvertError::Read(error) | ConvertError::Write(error) => Some(error.location()),
                _ => None,
            },
            TableFailure::Ended | TableFailure::Panicked => None,
        }
    }
}

/// Set when nobody reads a table any more.
#[derive(Clone, Debug, Default)]
struct Stop(Arc<AtomicBool>);

impl Stop {
    fn flow(&self) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Watch for Stop {
    fn outcome(&mut self, _: &Outcome<'_>) -> ControlFlow<()> {
        self.flow()
    }
}

/// The batches of a [`Table`].
#[derive(Debug)]
pub struct Batches {
    schema: SchemaRef,
    receiver: Option<Receiver<Result<RecordBatch, TableFailure>>>,
    /// The thread that reads.
    reading: Option<JoinHandle<()>>,
    stop: Stop,
}

impl Drop for Batches {
    fn drop(&mut self) {
        self.stop.0.store(true, Ordering::Relaxed);
    }
}

impl Batches {
    /// Returns the next batch.
    ///
    /// # Errors
    /// [`TableFailure`]; the table then ends.
    pub fn next_batch(&mut self) -> Option<Result<RecordBatch, TableFailure>> {
        loop {
            if let Some(next) = self.next_within(Duration::MAX) {
                return next;
            }
        }
    }

    /// Like [`next_batch`](Batches::next_batch). Returns `None` if there is neither a batch nor the end within
    /// `wait`: a caller can look whether it is to go on.
    ///
    /// # Errors
    /// As [`next_batch`](Batches::next_batch).
    pub fn next_within(
        &mut self,
        wait: Duration,
    ) -> Option<Option<Result<RecordBatch, TableFailure>>> {
        let Some(receiver) = &self.receiver else { return Some(None) };
        let next = match receiver.recv_timeout(wait) {
            Ok(next) => Some(next),
            Err(RecvTimeoutError::Timeout) => return None,
            // Without this, a panic would look like the end of the games.
            Err(RecvTimeoutError::Disconnected) => {
                let has_panicked =
                    self.reading.take().is_some_and(|reading| reading.join().is_err());
                has_panicked.then_some(Err(TableFailure::Panicked))
            }
        };
        if !matches!(next, Some(Ok(_))) {
            self.receiver = None;
        }
        Some(next)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let next = self.next_batch()?;
        Some(next.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}

struct Sender {
    sender: SyncSender<Result<RecordBatch, TableFailure>>,
    schema: SchemaRef,
}

impl Target for Sender {
    fn write(&mut self, rows: Columns) -> Result<(), TableError> {
        let ended = |_| {
            let text = "the table is no longer read";
            TableError::new(ErrorKind::Damaged(text.into()), Location::default())
        };
        self.sender.send(Ok(rows.into_batch(&self.schema)?)).map_err(ended)
    }

    fn finish(self: Box<Self>) -> Result<(), TableError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tables::Rows;

    fn rows(table: &Table) -> usize {
        table.batches().map(|batch| batch.unwrap().num_rows()).sum()
    }

    fn games(count: usize) -> String {
        let game = |n| {
            format!(
                "[Event \"{n}\"]\n[White \"{}\"]\n\n1. e4 {{[Event \"x\"]}} *\n\n",
                "x".repeat(n)
            )
        };
        (0..count).map(game).collect()
    }

    #[test]
    fn byte_ranges_adjacent_contain_each_game_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let text = games(9);
        std::fs::write(&path, &text).unwrap();
        let columns = Selection::named(Rows::Games, ["White"]).unwrap();
        let table = Table::new([&path], columns);
        assert_eq!(rows(&table), 9);
        let size = text.len() as u64;
        for cut in 0..=size + 1 {
            let (before, after) = (table.clone().bytes(0..cut), table.clone().bytes(cut..size));
            assert_eq!(rows(&before) + rows(&after), 9, "{cut}");
        }
        let third = size / 3;
        let parts = [0..third, third..2 * third, 2 * third..size];
        let counts = parts.map(|part| rows(&table.clone().bytes(part)));
        assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    }

    #[cfg(feature = "compressed")]
    #[test]
    fn byte_ranges_of_frames_contain_each_game_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn.zst");
        let text = games(9);
        let columns = Selection::named(Rows::Games, ["White"]).unwrap();
        let table = Table::new([&path], columns);
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        for size in [7, 40, 64, 300, text.len()] {
            let frames = text.as_bytes().chunks(size);
            let frames = frames.map(|text| ruzstd::encoding::compress_to_vec(text, level));
            let frames: Vec<Vec<u8>> = frames.collect();
            let packed = frames.concat();
            std::fs::write(&path, &packed).unwrap();
            let found = crate::zstd_frames(packed.clone(), 0).unwrap();
            assert_eq!(found.len(), frames.len(), "{size}");
            let end = packed.len() as u64;
            assert_eq!(rows(&table.clone().bytes(0..end)), 9, "{size}");
            for cut in found.iter().flat_map(|cut| [*cut, *cut + 1]) {
                let (before, after) = (table.clone().bytes(0..cut), table.clone().bytes(cut..end));
                assert_eq!(rows(&before) + rows(&after), 9, "{size} {cut}");
            }
            let parts = found.iter().zip(found.iter().skip(1).chain([&end]));
            let counts: Vec<usize> =
                parts.map(|(from, to)| rows(&table.clone().bytes(*from..*to))).collect();
            assert_eq!(counts.iter().sum::<usize>(), 9, "{size} {counts:?}");
        }
    }

    /// Returns the values of the column `offset`.
    fn offsets(path: &Path, threads: usize) -> Vec<Option<i64>> {
        use tables::arrow_array::cast::AsArray as _;
        use tables::arrow_array::types::Int64Type;
        let columns = Selection::named(Rows::Games, ["offset"]).unwrap();
        let table = Table::new([path], columns).threads(threads);
        let batches = table.batches().map(Result::unwrap);
        let values = |batch: RecordBatch| -> Vec<Option<i64>> {
            batch.column(0).as_primitive::<Int64Type>().iter().collect()
        };
        batches.flat_map(values).collect()
    }

    #[test]
    fn offset_is_where_the_text_of_a_game_begins() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut text = String::from("\n\n");
        let mut expected = Vec::new();
        // Several blocks; damaged games, games without tags, and blank lines between games.
        for n in 0..3000usize {
            expected.push(Some(text.len() as i64));
            let tags = if n % 5 == 0 { "" } else { "[Event \"x\"]\n[White \"y\"]\n\n" };
            let moves = if n % 7 == 0 { "1. e4 Ke4" } else { "1. e4 {comment} e5" };
            let blanks = "\n".repeat(1 + n % 3);
            text.push_str(&format!("{tags}{moves} {} *\n{blanks}", "x".repeat(n % 300)));
        }
        std::fs::write(&path, &text).unwrap();
        for threads in [1, 3] {
            assert_eq!(offsets(&path, threads), expected, "{threads}");
        }
        let lines = folder.path().join("games.jsonl");
        let mut base = crate::open(&path).unwrap();
        let mut output = crate::create(&lines, &CreateOptions::default()).unwrap();
        Converter::new().run(&mut base, &mut output, &mut ()).unwrap();
        output.finish().unwrap();
        let text = std::fs::read_to_string(&lines).unwrap();
        let starts = text.lines().map(|line| line.as_ptr() as usize - text.as_ptr() as usize);
        let starts: Vec<Option<i64>> = starts.map(|at| Some(at as i64)).collect();
        assert_eq!((starts.len(), offsets(&lines, 2)), (3000, starts));
        // A database has no offsets.
        let database = folder.path().join("games.si4");
        let mut base = crate::open(&path).unwrap();
        let mut output = crate::create(&database, &CreateOptions::default()).unwrap();
        Converter::new().run(&mut base, &mut output, &mut ()).unwrap();
        output.finish().unwrap();
        assert_eq!(offsets(&database, 2), [None; 3000]);
    }

    #[test]
    fn table_sample_draws_the_same_games_of_several_bases() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, games(100)).unwrap();
        let drawn = |seed| {
            let columns = Selection::named(Rows::Games, ["game"]).unwrap();
            let table = Table::new([&path, &path], columns).sample(20, seed).threads(2);
            assert_eq!(rows(&table), 20);
            format!("{:?}", table.batches().map(Result::unwrap).collect::<Vec<_>>())
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
    }

    #[test]
    fn offset_of_arrow_input_is_null() {
        let folder = tempfile::tempdir().unwrap();
        let (path, arrow) = (folder.path().join("games.pgn"), folder.path().join("games.arrow"));
        std::fs::write(&path, games(700)).unwrap();
        let mut output = crate::create(&arrow, &CreateOptions::default()).unwrap();
        Converter::new().run(&mut crate::open(&path).unwrap(), &mut output, &mut ()).unwrap();
        output.finish().unwrap();
        assert_eq!(offsets(&arrow, 2), [None; 700]);
        // Nor can they be compared with the size of the file.
        let mut base = crate::open(&arrow).unwrap();
        base.games().for_each(|game| drop(game.unwrap()));
        assert_eq!(base.reader().progress().total, None);
    }

    #[test]
    fn batches_of_open_base_equal_those_of_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, games(100)).unwrap();
        let columns = Selection::named(Rows::Plies, ["game", "ply", "move"]).unwrap();
        let table = Table::new([&path], columns).batch_rows(10);
        let all = |batches: Batches| -> Vec<RecordBatch> { batches.map(Result::unwrap).collect() };
        let open = || crate::open(&path).unwrap();
        assert_eq!(all(table.batches_of(open())), all(table.batches()));
    }

    #[test]
    fn batches_of_reader_that_panics_end_with_error() {
        struct Faulty;
        impl chess_store::io::ReadAt for Faulty {
            fn size(&self) -> std::io::Result<u64> {
                panic!("on purpose")
            }

            fn read_at(&self, _: u64, _: &mut [u8]) -> std::io::Result<usize> {
                panic!("on purpose")
            }
        }
        let mut inputs = Inputs::new("games.si4");
        inputs.add("games.si4", Arc::new(Faulty));
        let table = Table::new([TableBase::Inputs(inputs)], Selection::usual(Rows::Games));
        let mut batches = table.batches();
        let error = batches.next_batch().unwrap().unwrap_err();
        assert!(matches!(error, TableFailure::Panicked), "{error}");
        assert!(batches.next_batch().is_none());
    }

    #[test]
    fn table_dropped_unread_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, games(100)).unwrap();
        let table = Table::new([&path], Selection::usual(Rows::Plies)).batch_rows(1);
        let mut batches = table.batches();
        assert_eq!(batches.next().unwrap().unwrap().num_rows(), 1);
        drop(batches);
        let missing = Table::new(["none.pgn"], Selection::usual(Rows::Games));
        let mut batches = missing.batches();
        let error = batches.next_batch().unwrap().unwrap_err();
        assert_eq!(error.path(), Some(Path::new("none.pgn")));
        assert!(batches.next_batch().is_none());
    }
}
