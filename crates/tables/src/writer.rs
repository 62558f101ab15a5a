//! Collects rows into batches for a target.

use chess_store::erased::Origin;
use chess_store::{Losses, ScratchEncoder, WriteGames};

use crate::columns::{Columns, Selection, StoredOrigin};
use crate::error::Error;
use crate::schema::Of;
use crate::shared::{Run, SharedEncoder, SharedRows};

/// The number of rows in a batch of games of usual size.
pub const BATCH_ROWS: usize = 8192;
/// The size in bytes at which a batch is full, whatever its number of rows.
const BATCH_BYTES: usize = 16 << 20;

/// Receives the rows of a [`Writer`]. [`Columns::into_batch`] makes a record batch of them.
pub trait Target: Send {
    /// Writes the next rows.
    ///
    /// # Errors
    /// Any error of the target, such as an I/O error. Nothing can be written after it.
    fn write(&mut self, rows: Columns) -> Result<(), Error>;

    /// Finishes the target.
    ///
    /// # Errors
    /// As [`write`](Target::write).
    fn finish(self: Box<Self>) -> Result<(), Error>;
}

/// Writes games into a table: collects their rows and passes them in batches to a [`Target`].
pub struct Writer {
    selection: Selection,
    /// The rows of the next batch, without the rows of `run`.
    columns: Columns,
    run: Run,
    /// The number of rows of the next batch, and their size in bytes.
    rows: usize,
    size: usize,
    batch_rows: usize,
    target: Box<dyn Target>,
    origin: StoredOrigin,
    of_origin: Box<[(usize, Of)]>,
    own: ScratchEncoder<Writer>,
}

impl Writer {
    /// Creates a writer of these columns, with batches of [`BATCH_ROWS`].
    #[must_use]
    pub fn new(selection: Selection, target: Box<dyn Target>) -> Writer {
        Writer::with_batches(selection, BATCH_ROWS, target)
    }

    /// Creates a writer of these columns, with batches of `rows` rows. A batch can exceed that if a
    /// game has many half-moves.
    #[must_use]
    pub fn with_batches(
        selection: Selection,
        batch_rows: usize,
        target: Box<dyn Target>,
    ) -> Writer {
        Writer {
            columns: Columns::new(&selection),
            run: Run::default(),
            rows: 0,
            size: 0,
            origin: StoredOrigin::default(),
            of_origin: selection.of_origin(),
            own: ScratchEncoder::default(),
            selection,
            batch_rows,
            target,
        }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.run.copy_to(&mut self.columns);
        (self.rows, self.size) = (0, 0);
        self.target.write(self.columns.take())
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("selection", &self.selection).finish_non_exhaustive()
    }
}

chess_store::inherent!(WriteGames<Error, SharedEncoder, SharedRows> for [] Writer);

impl WriteGames for Writer {
    type Error = Error;
    type Encoder = SharedEncoder;
    type Encoded = SharedRows;

    fn encoder(&self) -> SharedEncoder {
        SharedEncoder::new(&self.selection)
    }

    fn set_origin(&mut self, origin: &Origin<'_>) {
        self.origin.set(origin);
    }

    fn append(&mut self, encoded: &mut SharedRows, _: &mut Losses) -> Result<(), Error> {
        self.columns.append_origin(&self.of_origin, &self.origin, encoded.rows());
        self.origin.forget();
        self.rows = self.rows.saturating_add(encoded.rows());
        self.size = self.size.saturating_add(encoded.size());
        self.run.add(std::mem::take(encoded), &mut self.columns);
        let full = self.rows >= self.batch_rows || self.size >= BATCH_BYTES;
        if full { self.flush() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<(), Error> {
        if self.rows > 0 {
            self.flush()?;
        }
        self.target.finish()
    }

    fn own(&mut self) -> &mut ScratchEncoder<Writer> {
        &mut self.own
    }
}
