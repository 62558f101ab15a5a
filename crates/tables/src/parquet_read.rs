//! Reads Parquet files as databases of games.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use bytes::Bytes;
use chess_core::{Game, Header};
use chess_store::io::ReadAt;
use chess_store::{Describe, Diagnostics, Field, Location, ReadGames, SearchIndex};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder, RowSelection, RowSelector,
};
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};

use crate::batch::guarded;
use crate::error::{Error, ErrorKind};
use crate::parquet_write::failed;
use crate::row::Layout;
use crate::row_parser::RowParser;

/// The number of rows that are decoded together.
const BATCH_ROWS: usize = 256;

/// The distance in rows up to which the reader decodes forward to a row. Beyond it, pages are
/// skipped.
const MAX_FORWARD: u64 = 64 * BATCH_ROWS as u64;

/// The games of a Parquet file.
pub struct Database {
    file: Shared,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    layout: Layout,
    /// The first row of each row group, and the total number of rows.
    starts: Vec<u64>,
    games: u64,
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
    failed(error).map_location(|_| at())
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
        // The Arrow schema in the metadata may have more types than Parquet itself has.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = guarded(at(), || ArrowReaderMetadata::load(&file, options).map_err(broken))?;
        let layout =
            Layout::new(metadata.schema()).map_err(|error| error.map_location(|_| at()))?;
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
        Ok(Database { file, metadata, mask, layout: layout.projected(), starts, games })
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
            let next = next.map_err(|error| crate::batch::damaged(error).map_location(|_| at()))?;
            ahead.start = ahead.start.saturating_add(ahead.batch.num_rows() as u64);
            ahead.batch = next;
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
        let place = |at: Location| at.in_game(game);
        self.read_group(state, game).map_err(|error| error.map_location(place))?;
        let Some(GroupReader { batch, start, .. }) = &state.rows else { return Ok(()) };
        let row = usize::try_from(game.saturating_sub(*start)).unwrap_or(usize::MAX);
        let write = |out: &mut Vec<u8>| write(&self.layout, batch, row, out);
        let read = state.parser.parse_row(into, diagnostics, write);
        diagnostics.relocate(place);
        let in_file = |at: Location| {
            let mut at = place(at);
            at.file = "parquet";
            at
        };
        read.map_err(|error| error.map_location(in_file))
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
            .with_batch_size(BATCH_ROWS)
            .build()
            .map_err(broken)?;
        let batch = RecordBatch::new_empty(Arc::clone(self.metadata.schema()));
        Ok(GroupReader { reader, batch, start: row, end })
    }
}

/// Checks the compression when the file is opened, to report one clear error rather than one error
/// a game.
fn is_readable(chunk: &ColumnChunkMetaData) -> Result<(), Error> {
    let codec = match chunk.compression() {
        Compression::BROTLI(_) => "brotli",
        Compression::LZO => "lzo",
        _ => return Ok(()),
    };
    let name = chunk.column_path().string().into();
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
