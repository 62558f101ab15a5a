//! Reads Arrow streams and files as sources of games.

use std::io::{BufReader, Cursor, Read};

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use chess_store::io::DecompressionLimit;
use chess_store::{Block, Location, StreamGames};

use crate::batch::guarded;
use crate::error::{Error, ErrorKind};
use crate::ipc_start::read_start;
use crate::messages::Messages;
use crate::row::Layout;
use crate::row_parser::{RowParser, push_row};

const FEATHER_1: &[u8] = b"FEA1";
/// The number of rows in a block.
const ROWS: usize = 256;
/// The size at which a block is full, because a dictionary may repeat a long text in each row.
const BLOCK_BYTES: usize = 1 << 20;

type Input = BufReader<Box<dyn Read + Send>>;

/// The games of an Arrow stream, or of an Arrow file, which is a stream with a frame.
pub struct RowSource {
    batches: Messages<Input>,
    layout: Layout,
    batch: Option<RecordBatch>,
    row: usize,
}

impl std::fmt::Debug for RowSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowSource").field("layout", &self.layout).finish_non_exhaustive()
    }
}

impl RowSource {
    /// Reads the schema. The decoded size of the rows is limited to 64 MiB and 200 times the bytes
    /// of `input`; see [`DecompressionLimit`].
    ///
    /// # Errors
    /// I/O errors, and [`ErrorKind::NoMoves`] for a table without moves.
    pub fn new(input: impl Read + Send + 'static) -> Result<RowSource, Error> {
        let limit = DecompressionLimit::new(None);
        RowSource::with_limit(limit.packed(input), limit)
    }

    /// Like [`new`](RowSource::new), with a limit that counts the bytes of `input` already.
    ///
    /// # Errors
    /// As [`new`](RowSource::new).
    pub fn with_limit(
        mut input: impl Read + Send + 'static,
        limit: DecompressionLimit,
    ) -> Result<RowSource, Error> {
        let at = Location::file("arrow");
        let start = read_start(&mut input).map_err(|error| Error::new(error.into(), at))?;
        if start.starts_with(FEATHER_1) {
            let text = "version 1 of Feather is not read; write the file as version 2";
            return Err(Error::new(ErrorKind::Damaged(text.into()), at));
        }
        let input: Box<dyn Read + Send> = Box::new(Cursor::new(start).chain(input));
        let read = || {
            let mut batches = Messages::new(BufReader::new(input), limit)?;
            let layout = Layout::new(batches.schema())?;
            let mut columns: Vec<usize> = layout.columns().collect();
            columns.sort_unstable();
            batches.project(columns)?;
            Ok((batches, layout.projected()))
        };
        let (batches, layout) = guarded(at, read).map_err(|error| error.moved_to(at))?;
        Ok(RowSource { batches, layout, batch: None, row: 0 })
    }

    /// Returns the names of the columns that are no part of a game: lists, structures, moments and so on with
    /// unknown names.
    #[must_use]
    pub fn unread(&self) -> &[String] {
        self.layout.unread()
    }
}

impl RowSource {
    /// Adds a hint to the error: Polars writes dictionaries after the rows, so only a reader that
    /// can seek in the file finds them.
    fn hint_at_dictionaries(&self, error: Error) -> Error {
        let is_dictionary = |kind: &DataType| matches!(kind, DataType::Dictionary(..));
        let schema = self.batches.schema();
        match error.kind() {
            ErrorKind::Damaged(text)
                if schema.fields().iter().any(|field| is_dictionary(field.data_type())) =>
            {
                let text = format!(
                    "{text}; if the dictionaries of its columns stand after the rows, write it \
                     without categories, or as Parquet"
                );
                Error::new(ErrorKind::Damaged(text.into()), error.location())
            }
            _ => error,
        }
    }
}

chess_store::inherent!(StreamGames<Error, RowParser> for [] RowSource);

impl StreamGames for RowSource {
    type Error = Error;
    type Parser = RowParser;

    fn block(&mut self, block: &mut Block) -> Result<bool, Error> {
        block.clear();
        while self.batch.as_ref().is_none_or(|batch| self.row >= batch.num_rows()) {
            let at = Location::file("arrow");
            let next = guarded(at, || self.batches.next());
            let next = next.map_err(|error| self.hint_at_dictionaries(error));
            self.batch = next.map_err(|error| error.moved_to(at))?;
            self.row = 0;
            if self.batch.is_none() {
                return Ok(false);
            }
        }
        let Some(batch) = &self.batch else { return Ok(false) };
        let end = batch.num_rows().min(self.row.saturating_add(ROWS));
        while self.row < end && block.bytes.len() < BLOCK_BYTES {
            let row = self.row;
            push_row(block, |out| self.layout.write(batch, row, out));
            self.row = row.saturating_add(1);
        }
        Ok(true)
    }

    fn is_text(&self) -> bool {
        false
    }

    fn parser(&self) -> RowParser {
        RowParser::default()
    }
}
