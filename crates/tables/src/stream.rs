//! Arrow streams and files as sources of games.

use std::io::{BufReader, Cursor, Read};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use chess_core::Game;
use chess_store::{Block, Diagnostics, Location, ParseGames, StreamGames};

use crate::batch::{damaged, guarded};
use crate::error::{Error, ErrorKind};
use crate::row::Layout;

/// Rows that make a block.
const ROWS: usize = 256;
/// What an Arrow file begins with; zeros and the stream that it holds follow.
const MAGIC: &[u8; 8] = b"ARROW1\0\0";
/// Words of eight bytes with zeros that may come before the stream.
const MOST_PADDING: usize = 64;

type Input = BufReader<Box<dyn Read + Send>>;

/// The games of an Arrow stream, or of an Arrow file, which is such a stream with a frame.
pub struct RowSource {
    batches: StreamReader<Input>,
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
    /// Reads the schema.
    ///
    /// # Errors
    /// Those of the stream; [`ErrorKind::NoMoves`] for a table without games.
    pub fn new(mut input: impl Read + Send + 'static) -> Result<RowSource, Error> {
        let at = Location::file("arrow");
        let mut word = || {
            let mut word = Vec::new();
            let read = input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut word);
            read.map(|_| word).map_err(|error| Error::new(error.into(), at))
        };
        let mut start = word()?;
        if start == MAGIC {
            // The stream begins where its writer likes to align it.
            for _ in 0..MOST_PADDING {
                start = word()?;
                if start.iter().any(|byte| *byte != 0) {
                    break;
                }
            }
        }
        let input: Box<dyn Read + Send> = Box::new(Cursor::new(start).chain(input));
        let read = || StreamReader::try_new(BufReader::new(input), None).map_err(damaged);
        let batches = guarded(at, read).map_err(|error| error.map_location(|_| at))?;
        let layout = Layout::new(&batches.schema()).map_err(|error| error.map_location(|_| at))?;
        Ok(RowSource { batches, layout, batch: None, row: 0 })
    }
}

impl StreamGames for RowSource {
    type Error = Error;
    type Parser = RowParser;

    fn block(&mut self, block: &mut Block) -> Result<bool, Error> {
        block.clear();
        while self.batch.as_ref().is_none_or(|batch| self.row >= batch.num_rows()) {
            let at = Location::file("arrow");
            let next = guarded(at, || self.batches.next().transpose().map_err(damaged));
            self.batch = next.map_err(|error| error.map_location(|_| at))?;
            self.row = 0;
            if self.batch.is_none() {
                return Ok(false);
            }
        }
        let Some(batch) = &self.batch else { return Ok(false) };
        let end = batch.num_rows().min(self.row.saturating_add(ROWS));
        for row in self.row..end {
            // What is wrong with the moves the parser finds again.
            let _ = self.layout.write(batch, row, &mut block.bytes);
        }
        self.row = end;
        block.end = block.bytes.len();
        Ok(true)
    }

    fn parser(&self) -> RowParser {
        RowParser::default()
    }
}

/// Reads rows written as PGN, one game after the other.
#[derive(Debug)]
pub struct RowParser(pgn::Parser);

impl Default for RowParser {
    fn default() -> RowParser {
        RowParser(pgn::Cutter::new(&[][..]).parser())
    }
}

impl ParseGames for RowParser {
    type Error = Error;

    /// Places in the text mean nothing to who has the table: only game and half-move stay.
    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        let read = self.0.parse_game(block, into, diagnostics);
        diagnostics.relocate(place);
        read.map_err(|error| {
            Error::new(ErrorKind::Row(error.kind().to_string().into()), place(error.location()))
        })
    }
}

fn place(at: Location) -> Location {
    let mut place = Location::default();
    place.game = at.game;
    place.ply = at.ply;
    place
}
