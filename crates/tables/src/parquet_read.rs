//! Reads Parquet files as databases of games.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field as ArrowField, FieldRef, Schema};
use bytes::Bytes;
use chess_core::{Game, Header};
use chess_store::io::{DecompressionLimit, ReadAt};
use chess_store::{Describe, Diagnostics, Field, Location, ReadGames, SearchIndex};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder, RowSelection, RowSelector,
};
use parquet::basic::{Compression, Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use crate::batch::guarded;
use crate::decoded::decoded_size;
use crate::deltas;
use crate::error::{Error, ErrorKind, named};
use crate::footer;
use crate::pages::claims;
use crate::parquet_write::failed;
use crate::row::Layout;
use crate::row_parser::RowParser;

/// The number of rows that are decoded together.
const BATCH_ROWS: usize = 256;

/// The distance in rows up to which the reader decodes forward to a row. Beyond it, pages are
/// skipped.
const MAX_FORWARD: u64 = 64 * BATCH_ROWS as u64;

/// The memory for a batch of values that share prefixes, where each may be as long as its page.
const PREFIXED_BYTES: u64 = 4 << 20;
/// The memory for a value of a list: its levels and its view. All values of a row are decoded
/// together.
const ITEM_BYTES: u64 = 24;
/// The memory for a value of a dictionary beside its text.
const ENTRY_BYTES: u64 = 16;

/// The games of a Parquet file.
///
/// The decoded size of the rows counts against a [`DecompressionLimit`], so a small file cannot
/// yield any number of long games. Each row counts once, however often it is read.
pub struct Database {
    file: Shared,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    layout: Layout,
    /// The first row of each row group, and the total number of rows.
    starts: Vec<u64>,
    games: u64,
    limit: DecompressionLimit,
    /// The number of rows that are decoded together, for each row group whose pages are checked.
    batch_rows: Vec<OnceLock<usize>>,
    counted: CountedRows,
}

/// The rows that count against the limit already, as ranges that neither overlap nor touch.
#[derive(Debug, Default)]
struct CountedRows(Mutex<BTreeMap<u64, u64>>);

impl CountedRows {
    /// Adds rows. Returns whether any of them is new.
    fn add(&self, rows: Range<u64>) -> bool {
        let mut ranges = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Range { mut start, mut end } = rows;
        let before = ranges.range(..=start).next_back().map(|(start, end)| (*start, *end));
        if let Some((first, last)) = before.filter(|(_, last)| *last >= start) {
            if last >= end {
                return false;
            }
            start = first;
        }
        // Join the ranges that begin in the new one or at its end.
        while let Some((first, last)) = ranges.range(start..=end).next().map(|(a, b)| (*a, *b)) {
            ranges.remove(&first);
            end = end.max(last);
        }
        ranges.insert(start, end);
        true
    }
}

/// The state of a reader on one thread.
#[derive(Debug, Default)]
pub struct State {
    parser: RowParser,
    spare: Game,
    rows: Option<GroupReader>,
    broken: Option<UndecodableRows>,
}

/// A range of rows that cannot be decoded, and the reason. The rest of their row group cannot be
/// decoded either.
#[derive(Debug)]
struct UndecodableRows {
    rows: Range<u64>,
    text: Box<str>,
}

/// The largest row group in which each undecodable game is reported separately.
const MAX_REPORTED: u64 = 1 << 24;

/// A reader inside a row group, and the last rows it decoded.
struct GroupReader {
    reader: ParquetRecordBatchReader,
    /// The decoded rows; the first is row `start`.
    batch: RecordBatch,
    start: u64,
    /// The end of the row group.
    end: u64,
}

impl std::fmt::Debug for GroupReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GroupReader").field("start", &self.start).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("games", &self.games).finish_non_exhaustive()
    }
}

/// Returns the location for errors in the file.
fn at() -> Location {
    Location::file("parquet")
}

fn broken(error: ParquetError) -> Error {
    failed(error).moved_to(at())
}

/// Returns the error for a file that cannot be read, or whose claims are damaged.
fn unreadable(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::InvalidData => {
            Error::new(ErrorKind::Damaged(error.to_string().into()), at())
        }
        _ => Error::new(error.into(), at()),
    }
}

impl Database {
    /// Reads the schema and the row groups.
    ///
    /// # Errors
    /// I/O errors, and [`ErrorKind::NoMoves`] for a table without moves.
    pub fn open(path: impl AsRef<Path>) -> Result<Database, Error> {
        let file = File::open(path).map_err(|error| Error::new(error.into(), at()))?;
        Database::new(Arc::new(file))
    }

    /// Like [`open`](Database::open), for any random-access bytes.
    ///
    /// # Errors
    /// As [`open`](Database::open).
    pub fn new(file: Arc<dyn ReadAt + Send + Sync>) -> Result<Database, Error> {
        let file = Shared(file);
        footer::check(&*file.0).map_err(unreadable)?;
        // The Arrow schema in the metadata may have more types than Parquet itself has.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = guarded(at(), || {
            let found = ArrowReaderMetadata::load(&file, options.clone()).map_err(broken)?;
            // A view refers to its text in the page, so a dictionary is not copied for each row.
            let options = options.with_schema(Arc::new(with_views(found.schema())));
            ArrowReaderMetadata::try_new(Arc::clone(found.metadata()), options).map_err(broken)
        })?;
        let layout = Layout::new(metadata.schema()).map_err(|error| error.moved_to(at()))?;
        let mask = ProjectionMask::roots(metadata.parquet_schema(), layout.columns());
        let (mut starts, mut games) = (Vec::new(), 0u64);
        for group in metadata.metadata().row_groups() {
            group.columns().iter().try_for_each(|chunk| has_place(chunk, file.len()))?;
            let chunks = group.columns().iter().enumerate();
            let mut wanted = chunks.filter(|(leaf, _)| mask.leaf_included(*leaf));
            wanted.try_for_each(|(_, chunk)| is_readable(chunk))?;
            let rows = u64::try_from(group.num_rows()).map_err(|_| negative())?;
            starts.push(games);
            games = games.checked_add(rows).ok_or_else(negative)?;
        }
        let (limit, layout) = (limit_of(&file, None), layout.projected());
        let batch_rows = starts.iter().map(|_| OnceLock::new()).collect();
        let counted = CountedRows::default();
        Ok(Database { file, metadata, mask, layout, starts, games, limit, batch_rows, counted })
    }

    /// Sets the limit for what the rows decode to, in bytes. `None` is the default: 64 MiB and 200
    /// times the size of the file.
    #[must_use]
    pub fn with_max_unpacked(mut self, most: Option<u64>) -> Database {
        self.limit = limit_of(&self.file, most);
        self
    }

    /// Checks what the pages of a row group claim, before anything of that size is allocated.
    /// Returns the number of rows to decode together.
    fn check_pages(&self, group: usize) -> Result<usize, Error> {
        let checked = self.batch_rows.get(group).ok_or_else(missing)?;
        if let Some(rows) = checked.get() {
            return Ok(*rows);
        }
        let metadata = self.metadata.metadata().row_groups().get(group).ok_or_else(missing)?;
        let (mut memory, mut prefixed, mut with_deltas) = (0u64, 0u64, Vec::new());
        for (leaf, chunk) in metadata.columns().iter().enumerate() {
            if !self.mask.leaf_included(leaf) {
                continue;
            }
            let (start, length) = chunk.byte_range();
            let claims = claims(&*self.file.0, start, length).map_err(unreadable)?;
            let least = if chunk.column_type() == Type::BYTE_ARRAY { 4 } else { 1 };
            if claims.entries.saturating_mul(least) > claims.dictionary {
                return Err(claims_too_much());
            }
            let entries = claims.entries.saturating_mul(ENTRY_BYTES);
            memory = memory.saturating_add(claims.dictionary).saturating_add(entries);
            memory = memory.saturating_add(claims.page);
            if claims.has_deltas {
                with_deltas.push(chunk);
            }
            if chunk.column_descr().max_rep_level() > 0 {
                // A row may have all items of the row group.
                let item = ITEM_BYTES.saturating_add(claims.prefixed);
                memory = memory.saturating_add(claims.values.saturating_mul(item));
            } else {
                prefixed = prefixed.max(claims.prefixed);
            }
        }
        self.limit.check_memory(memory).map_err(|error| Error::new(error.into(), at()))?;
        let rows = usize::try_from(metadata.num_rows()).map_err(|_| negative())?;
        for chunk in with_deltas {
            let file = Arc::new(self.file.clone());
            let pages = SerializedPageReader::new(file, chunk, rows, None).map_err(broken)?;
            for page in pages {
                let page = page.map_err(broken)?;
                deltas::check(&page, chunk.column_descr()).ok_or_else(claims_too_much)?;
            }
        }
        let rows = PREFIXED_BYTES.checked_div(prefixed).and_then(|rows| rows.try_into().ok());
        Ok(*checked.get_or_init(|| rows.unwrap_or(BATCH_ROWS).clamp(1, BATCH_ROWS)))
    }

    /// Counts the rows of a batch against the limit.
    fn count(&self, start: u64, batch: &RecordBatch) -> Result<(), Error> {
        let end = start.saturating_add(batch.num_rows() as u64);
        if start < end && self.counted.add(start..end) {
            let size = decoded_size(batch.columns());
            self.limit.take(size).map_err(|error| Error::new(error.into(), at()))?;
        }
        Ok(())
    }

    /// Decodes the rows around `row`, unless they are decoded already.
    fn read_ahead(&self, rows: &mut Option<GroupReader>, row: u64) -> Result<(), Error> {
        let near = |ahead: &GroupReader| {
            let reach = ahead.start.saturating_add(MAX_FORWARD);
            ahead.start <= row && row < ahead.end.min(reach)
        };
        let mut ahead = match rows.take().filter(near) {
            Some(ahead) => ahead,
            None => self.begin(row)?,
        };
        while ahead.start.saturating_add(ahead.batch.num_rows() as u64) <= row {
            let next = ahead.reader.next().ok_or_else(missing)?;
            let next = next.map_err(|error| crate::batch::damaged(error).moved_to(at()))?;
            ahead.start = ahead.start.saturating_add(ahead.batch.num_rows() as u64);
            ahead.batch = next;
            self.count(ahead.start, &ahead.batch)?;
        }
        *rows = Some(ahead);
        Ok(())
    }

    /// Like [`read_ahead`](Database::read_ahead), but a damaged row group does not affect other row
    /// groups.
    fn read_group(&self, state: &mut State, row: u64) -> Result<(), Error> {
        let lost = |broken: &UndecodableRows| Error::new(ErrorKind::Row(broken.text.clone()), at());
        if let Some(broken) = state.broken.as_ref().filter(|broken| broken.rows.contains(&row)) {
            return Err(lost(broken));
        }
        let read = guarded(at(), || self.read_ahead(&mut state.rows, row));
        let Err(error) = read else { return Ok(()) };
        let (_, group) = self.group_of(row)?;
        let few = group.end.saturating_sub(group.start) <= MAX_REPORTED;
        if !few || !matches!(error.kind(), ErrorKind::Damaged(_)) {
            return Err(error);
        }
        let broken =
            UndecodableRows { rows: row..group.end, text: error.kind().to_string().into() };
        Err(lost(state.broken.insert(broken)))
    }

    /// Returns the row group of `row`, and its rows.
    fn group_of(&self, row: u64) -> Result<(usize, Range<u64>), Error> {
        let group = self.starts.partition_point(|start| *start <= row).saturating_sub(1);
        let start = self.starts.get(group).copied().ok_or_else(missing)?;
        let end = group.checked_add(1).and_then(|next| self.starts.get(next).copied());
        Ok((group, start..end.unwrap_or(self.games)))
    }

    fn read_row(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
        write: impl FnOnce(&Layout, &RecordBatch, usize, &mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        into.clear();
        let place = at().in_game(game);
        self.read_group(state, game).map_err(|error| error.moved_to(place))?;
        let Some(GroupReader { batch, start, .. }) = &state.rows else { return Ok(()) };
        let row = usize::try_from(game.saturating_sub(*start)).unwrap_or(usize::MAX);
        let write = |out: &mut Vec<u8>| write(&self.layout, batch, row, out);
        state.parser.parse_row(into, diagnostics, place, write)
    }

    /// Starts reading at `row`, up to the end of its row group.
    fn begin(&self, row: u64) -> Result<GroupReader, Error> {
        let (group, Range { start, end }) = self.group_of(row)?;
        let before = usize::try_from(row.saturating_sub(start)).map_err(|_| missing())?;
        let rows = usize::try_from(end.saturating_sub(row)).map_err(|_| missing())?;
        let selection =
            RowSelection::from(vec![RowSelector::skip(before), RowSelector::select(rows)]);
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(
            self.file.clone(),
            self.metadata.clone(),
        );
        let reader = builder
            .with_projection(self.mask.clone())
            .with_row_groups(vec![group])
            .with_row_selection(selection)
            .with_batch_size(self.check_pages(group)?)
            .build()
            .map_err(broken)?;
        let batch = RecordBatch::new_empty(Arc::clone(self.metadata.schema()));
        Ok(GroupReader { reader, batch, start: row, end })
    }
}

/// Returns the limit for what a file decodes to.
fn limit_of(file: &Shared, most: Option<u64>) -> DecompressionLimit {
    let limit = DecompressionLimit::new(most);
    limit.add_packed(file.len());
    limit
}

/// Returns the schema with views for texts.
fn with_views(schema: &Schema) -> Schema {
    let fields: Vec<FieldRef> = schema.fields().iter().map(field_with_views).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

fn field_with_views(field: &FieldRef) -> FieldRef {
    let kind = match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::List(item) => DataType::List(field_with_views(item)),
        DataType::LargeList(item) => DataType::LargeList(field_with_views(item)),
        DataType::Map(entries, sorted) => DataType::Map(field_with_views(entries), *sorted),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field_with_views).collect()),
        _ => return Arc::clone(field),
    };
    Arc::new(ArrowField::clone(field).with_data_type(kind))
}

/// Checks the compression when the file is opened, to report one clear error rather than one error
/// a game.
fn is_readable(chunk: &ColumnChunkMetaData) -> Result<(), Error> {
    let codec = match chunk.compression() {
        Compression::BROTLI(_) => "brotli",
        Compression::LZO => "lzo",
        _ => return Ok(()),
    };
    let name = named(&chunk.column_path().string()).into();
    Err(Error::new(ErrorKind::Compression { name, codec: codec.into() }, at()))
}

/// Checks that the chunk lies inside the file, because the parquet crate assumes it.
fn has_place(chunk: &ColumnChunkMetaData, size: u64) -> Result<(), Error> {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let (start, length) = (u64::try_from(start), u64::try_from(chunk.compressed_size()));
    let end = start.ok().zip(length.ok()).and_then(|(start, length)| start.checked_add(length));
    if end.is_some_and(|end| end <= size) && chunk.data_page_offset() >= 0 {
        return Ok(());
    }
    let text = format!("the column {} lies outside of the file", chunk.column_path());
    Err(Error::new(ErrorKind::Damaged(text.into()), at()))
}

fn claims_too_much() -> Error {
    let text = "the file is damaged: a page claims more values than it can have";
    Error::new(ErrorKind::Damaged(text.into()), at())
}

fn missing() -> Error {
    Error::new(ErrorKind::Damaged("there are fewer rows than the file says".into()), at())
}

fn negative() -> Error {
    Error::new(ErrorKind::Damaged("the numbers of rows make no sense".into()), at())
}

chess_store::inherent!(ReadGames<Error> for [] Database);

impl ReadGames for Database {
    type Error = Error;
    type State = State;

    fn len(&self) -> u64 {
        self.games
    }

    fn header_with(
        &self,
        state: &mut State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let mut spare = std::mem::take(&mut state.spare);
        let read = self.read_row(state, game, &mut spare, diagnostics, Layout::write_header);
        std::mem::swap(header, &mut spare.header);
        state.spare = spare;
        read
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        self.read_row(state, game, into, diagnostics, Layout::write)
    }

    fn dump_with(&self, _: &mut State, game: u64, _: &mut dyn FnMut(Field)) -> Result<(), Error> {
        let kind = ErrorKind::Row("the values of a row have no bytes of their own".into());
        Err(Error::new(kind, at().in_game(game)))
    }
}

impl SearchIndex for Database {}

impl Describe for Database {}

/// A file that several threads read.
#[derive(Clone)]
struct Shared(Arc<dyn ReadAt + Send + Sync>);

/// A stream that begins at an offset of the file.
struct FileStream {
    file: Shared,
    offset: u64,
}

impl Read for FileStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.0.read_at(self.offset, buffer)?;
        self.offset = self.offset.saturating_add(count as u64);
        Ok(count)
    }
}

impl Length for Shared {
    fn len(&self) -> u64 {
        self.0.size().unwrap_or(0)
    }
}

impl ChunkReader for Shared {
    type T = BufReader<FileStream>;

    fn get_read(&self, start: u64) -> ParquetResult<BufReader<FileStream>> {
        Ok(BufReader::new(FileStream { file: self.clone(), offset: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let mut buffer = Vec::new();
        self.0.read_into(start, length, &mut buffer)?;
        if buffer.len() < length {
            return Err(ParquetError::EOF(format!("{length} bytes are missing at byte {start}")));
        }
        Ok(buffer.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_rows_are_new_once() {
        let counted = CountedRows::default();
        assert!(counted.add(0..10) && counted.add(20..30) && counted.add(40..41));
        assert!(!counted.add(3..10) && !counted.add(20..21));
        assert!(counted.add(5..25));
        assert!(!counted.add(0..30));
        assert!(counted.add(30..40) && !counted.add(0..41));
        assert_eq!(counted.0.lock().unwrap().len(), 1);
    }
}
