//! The positions of games as an Arrow table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use arrow_array::{
    ArrayRef, Float64Array, Int16Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use scoresheet::positions::{PositionCount, Positions};
use scoresheet::{Filter, OpenOptions};

use crate::errors;
use crate::source::Source;

/// Batches in the queue to the consumer.
const QUEUE: usize = 2;

/// A column: its name, its type, whether a value may be missing, and its meaning.
pub(crate) type About = (&'static str, DataType, bool, &'static str);

/// The columns, in order.
pub(crate) fn columns() -> [About; 9] {
    use DataType::{Float64, Int16, Int64, UInt64, Utf8};
    [
        ("hash", UInt64, false, "Polyglot's hash of the position; the rows are in its order"),
        ("fen", Utf8, false, "The first four fields of the FEN"),
        ("games", Int64, false, "Games with the position in their main line; a game counts once"),
        ("white_wins", Int64, false, "Games that White won"),
        ("draws", Int64, false, "Drawn games"),
        ("black_wins", Int64, false, "Games that Black won"),
        ("mean_rating", Float64, true, "Mean of the known ratings of both players of the games"),
        ("first_year", Int16, true, "Year of the earliest game with a year"),
        ("last_year", Int16, true, "Year of the latest game with a year"),
    ]
}

/// A table with a row for each different position of the main lines.
#[derive(Clone)]
pub(crate) struct PositionTable {
    pub(crate) sources: Vec<Source>,
    pub(crate) filter: Filter,
    pub(crate) options: OpenOptions,
    pub(crate) max_ply: Option<usize>,
    pub(crate) batch_rows: usize,
    /// The columns to make, by their place in [`columns`].
    pub(crate) selected: Vec<usize>,
}

/// The batches of a [`PositionTable`]. Dropping them stops the reading.
pub(crate) struct PositionBatches {
    receiver: Receiver<PyResult<RecordBatch>>,
    stopped: Arc<AtomicBool>,
}

impl Drop for PositionBatches {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl PositionBatches {
    pub(crate) fn next_batch(&mut self) -> Option<PyResult<RecordBatch>> {
        self.receiver.recv().ok()
    }

    /// Returns the next batch, or `None` after a while, so that the caller can check for signals.
    pub(crate) fn next_soon(&mut self) -> Option<Option<PyResult<RecordBatch>>> {
        use std::sync::mpsc::RecvTimeoutError::{Disconnected, Timeout};
        match self.receiver.recv_timeout(std::time::Duration::from_millis(100)) {
            Ok(batch) => Some(Some(batch)),
            Err(Disconnected) => Some(None),
            Err(Timeout) => None,
        }
    }
}

impl PositionTable {
    /// Selects columns by name; `None` selects all.
    pub(crate) fn select(names: Option<&[String]>) -> PyResult<Vec<usize>> {
        let Some(names) = names else { return Ok((0..columns().len()).collect()) };
        let mut selected = Vec::new();
        for name in names {
            let found = columns().iter().position(|(known, ..)| known == name);
            let place = found.ok_or_else(|| {
                let all = columns().map(|(name, ..)| name).join(", ");
                errors::value(format!("positions have no column {name:?}; they have {all}"))
            })?;
            if !selected.contains(&place) {
                selected.push(place);
            }
        }
        Ok(selected)
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        let all = columns();
        let fields = self.selected.iter().filter_map(|place| all.get(*place));
        let field = |(name, kind, nullable, _): &About| Field::new(*name, kind.clone(), *nullable);
        Arc::new(Schema::new(fields.map(field).collect::<Vec<_>>()))
    }

    /// Starts reading. The first batch follows after all games were read.
    pub(crate) fn batches(&self) -> PositionBatches {
        let (table, (sender, receiver)) = (self.clone(), sync_channel(QUEUE));
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopped);
        thread::spawn(move || {
            if let Err(error) = table.run(&sender, &stop) {
                // The consumer may be gone.
                let _ = sender.send(Err(error));
            }
        });
        PositionBatches { receiver, stopped }
    }

    fn run(&self, sender: &SyncSender<PyResult<RecordBatch>>, stop: &AtomicBool) -> PyResult<()> {
        let mut positions = Positions::default();
        for source in &self.sources {
            let opened = source.open(None, &self.options);
            let mut base = opened.map_err(|error| errors::base(&error))?;
            let each = || match stop.load(Ordering::Relaxed) {
                true => Err(Ended::Stopped),
                false => Ok(()),
            };
            match positions.add(&mut base, &self.filter, self.max_ply, each) {
                Ok(()) => {}
                Err(Ended::Stopped) => return Ok(()),
                Err(Ended::Failed(error)) => return Err(error),
            }
        }
        let temporary = |error| errors::io(std::path::Path::new("temporary file"), &error);
        let mut rows = Vec::with_capacity(self.batch_rows);
        for position in positions.finish().map_err(temporary)? {
            rows.push(position.map_err(temporary)?);
            if rows.len() >= self.batch_rows {
                if sender.send(Ok(self.batch(&rows)?)).is_err() {
                    return Ok(());
                }
                rows.clear();
            }
        }
        if !rows.is_empty() {
            // The consumer may be gone.
            let _ = sender.send(Ok(self.batch(&rows)?));
        }
        Ok(())
    }

    fn batch(&self, rows: &[PositionCount]) -> PyResult<RecordBatch> {
        let arrays = self.selected.iter().map(|place| array(*place, rows)).collect();
        RecordBatch::try_new(self.schema(), arrays).map_err(errors::value)
    }
}

fn array(place: usize, rows: &[PositionCount]) -> ArrayRef {
    let counts = |of: fn(&PositionCount) -> u64| -> ArrayRef {
        let count = |row| i64::try_from(of(row)).unwrap_or(i64::MAX);
        Arc::new(Int64Array::from_iter_values(rows.iter().map(count)))
    };
    let years = |of: fn(&PositionCount) -> Option<u16>| -> ArrayRef {
        let year = |row| of(row).and_then(|year| i16::try_from(year).ok());
        Arc::new(rows.iter().map(year).collect::<Int16Array>())
    };
    match place {
        0 => Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.hash))),
        1 => Arc::new(StringArray::from_iter_values(rows.iter().map(PositionCount::fen))),
        2 => counts(|row| row.games),
        3 => counts(|row| row.white_wins),
        4 => counts(|row| row.draws),
        5 => counts(|row| row.black_wins),
        6 => Arc::new(rows.iter().map(PositionCount::mean_rating).collect::<Float64Array>()),
        7 => years(|row| row.first_year),
        _ => years(|row| row.last_year),
    }
}

/// Why the reading ended early.
enum Ended {
    Stopped,
    Failed(PyErr),
}

impl From<scoresheet::Error> for Ended {
    fn from(error: scoresheet::Error) -> Ended {
        Ended::Failed(errors::base(&error))
    }
}
