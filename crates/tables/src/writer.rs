//! Rows gathered into batches, and where these go.

use chess_store::erased::Origin;
use chess_store::{Loss, ScratchEncoder, WriteGames};

use crate::columns::{Columns, From, Selection};
use crate::encode::Encoder;
use crate::error::Error;

/// Rows of a batch, if their games are of usual size.
pub const BATCH_ROWS: usize = 8192;
/// Bytes of a batch after which it is full whatever its rows.
const BATCH_BYTES: usize = 16 << 20;

/// Takes the rows of a [`Writer`], whose [`Columns::into_batch`] makes a record batch of them.
pub trait Target: Send {
    /// Takes the next rows.
    ///
    /// # Errors
    /// Those of the file, or of whom they are sent to; there is no more writing then.
    fn write(&mut self, rows: Columns) -> Result<(), Error>;

    /// There are no more.
    ///
    /// # Errors
    /// As [`write`](Target::write).
    fn finish(self: Box<Self>) -> Result<(), Error>;
}

/// Takes games into a table: gathers their rows, and hands these in batches to a [`Target`].
pub struct Writer {
    selection: Selection,
    columns: Columns,
    batch_rows: usize,
    target: Box<dyn Target>,
    origin: From,
    own: ScratchEncoder<Writer>,
}

impl Writer {
    /// Makes these columns, in batches of [`BATCH_ROWS`].
    #[must_use]
    pub fn new(selection: Selection, target: Box<dyn Target>) -> Writer {
        Writer::with_batches(selection, BATCH_ROWS, target)
    }

    /// Makes these columns, in batches of so many rows; of games with many half-moves a few more.
    #[must_use]
    pub fn with_batches(
        selection: Selection,
        batch_rows: usize,
        target: Box<dyn Target>,
    ) -> Writer {
        let columns = Columns::new(&selection);
        let (origin, own) = (From::default(), ScratchEncoder::default());
        Writer { selection, columns, batch_rows, target, origin, own }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.target.write(self.columns.take())
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("selection", &self.selection).finish_non_exhaustive()
    }
}

impl WriteGames for Writer {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Columns;

    fn encoder(&self) -> Encoder {
        Encoder::new(&self.selection)
    }

    fn set_origin(&mut self, origin: &Origin<'_>) {
        self.origin.set(origin);
    }

    fn append(&mut self, encoded: &mut Columns, _: &mut Vec<Loss>) -> Result<(), Error> {
        self.columns.append(encoded, &self.origin);
        self.origin.forget();
        let full = self.columns.rows() >= self.batch_rows || self.columns.added() >= BATCH_BYTES;
        if full { self.flush() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<(), Error> {
        if self.columns.rows() > 0 {
            self.flush()?;
        }
        self.target.finish()
    }

    fn own(&mut self) -> &mut ScratchEncoder<Writer> {
        &mut self.own
    }
}
