//! Rows that consecutive games share, so that a writer copies many games at once.
//!
//! The encoder of a thread adds the rows of its games to one chunk until the chunk is full. An
//! encoded game is a range of rows in a chunk. The writer copies a run of adjacent ranges when the
//! next game is not adjacent, or when a batch is complete:
//!
//! ```text
//! encoder of a thread:   chunk | game 7 | game 8 | game 9 |     chunk | game 31 | ...
//! encoded games:                  0..1     1..2     2..3                  0..1
//! writer:                      '--- copied together -----'
//! ```
//!
//! So the work in order is a few `memcpy` a chunk. Games that are left out, as by a filter, only
//! end a run.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chess_core::Game;
use chess_store::{EncodeGames, Losses, Trim};

use crate::columns::{Columns, Selection};
use crate::encode::Encoder;
use crate::error::Error;

/// The size in bytes at which a chunk is full: about a hundred games.
const CHUNK_BYTES: usize = 1 << 17;

type Chunk = Arc<Mutex<Columns>>;

/// Only the encoder of a chunk waits here, and only while the writer copies rows before its own.
fn lock(chunk: &Chunk) -> MutexGuard<'_, Columns> {
    chunk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The rows of a game, in columns that other games share.
#[derive(Debug, Default)]
pub struct SharedRows {
    chunk: Option<Chunk>,
    rows: Range<usize>,
    /// The size of the rows in bytes.
    size: usize,
}

impl SharedRows {
    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Returns the approximate size in bytes. It does not depend on the other games of the chunk.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

impl Trim for SharedRows {
    /// Drops the reference to the chunk. The last game of a chunk frees its memory.
    fn trim(&mut self, _: usize) {
        *self = SharedRows::default();
    }
}

/// Encodes games as rows of shared columns.
#[derive(Debug)]
pub struct SharedEncoder {
    encoder: Encoder,
    selection: Selection,
    chunk: Chunk,
    /// The size of the chunk in bytes.
    size: usize,
}

impl SharedEncoder {
    /// Creates an encoder for the columns of `selection`.
    #[must_use]
    pub fn new(selection: &Selection) -> SharedEncoder {
        SharedEncoder {
            encoder: Encoder::new(selection),
            selection: selection.clone(),
            chunk: Arc::new(Mutex::new(Columns::new(selection))),
            size: 0,
        }
    }

    /// Begins a chunk with the capacity of the last one, unless that was unusually large.
    fn begin_chunk(&mut self) {
        let columns = match self.size <= CHUNK_BYTES.saturating_mul(2) {
            true => lock(&self.chunk).emptied(),
            false => Columns::new(&self.selection),
        };
        self.chunk = Arc::new(Mutex::new(columns));
        self.size = 0;
    }
}

chess_store::inherent!(EncodeGames<Error, SharedRows> for [] SharedEncoder);

impl EncodeGames for SharedEncoder {
    type Error = Error;
    type Encoded = SharedRows;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut SharedRows,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        *into = SharedRows::default();
        if self.size >= CHUNK_BYTES {
            self.begin_chunk();
        }
        let mut columns = lock(&self.chunk);
        let start = columns.rows();
        let added = self.encoder.add(game, &mut columns, losses);
        let end = columns.rows();
        drop(columns);
        match added {
            Ok(size) => {
                self.size = self.size.saturating_add(size);
                *into = SharedRows { chunk: Some(Arc::clone(&self.chunk)), rows: start..end, size };
                Ok(())
            }
            Err(error) => {
                // Rows of the refused game may be left at the end of the chunk.
                self.begin_chunk();
                Err(error)
            }
        }
    }
}

/// Adjacent rows of a chunk that the writer has not copied yet.
#[derive(Default)]
pub(crate) struct Run(SharedRows);

impl Run {
    /// Adds the rows of a game. If they are not adjacent, the rows before them are copied to
    /// `columns` first.
    pub(crate) fn add(&mut self, game: SharedRows, columns: &mut Columns) {
        let is_same = |one: &Chunk, other: &Chunk| Arc::ptr_eq(one, other);
        let is_adjacent = self.0.rows.end == game.rows.start
            && self.0.chunk.as_ref().zip(game.chunk.as_ref()).is_some_and(|(a, b)| is_same(a, b));
        if is_adjacent {
            self.0.rows.end = game.rows.end;
        } else {
            self.copy_to(columns);
            self.0 = game;
        }
    }

    /// Copies the rows to `columns`.
    pub(crate) fn copy_to(&mut self, columns: &mut Columns) {
        let SharedRows { chunk, rows, .. } = std::mem::take(&mut self.0);
        if let Some(chunk) = chunk {
            columns.append(&lock(&chunk), rows);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use chess_core::Move;
    use chess_store::WriteGames as _;
    use chess_store::erased::Origin;

    use super::*;
    use crate::{Rows, Target, Writer};

    /// Sends the batches as text.
    struct Batches(mpsc::Sender<String>);

    impl Target for Batches {
        fn write(&mut self, rows: Columns) -> Result<(), Error> {
            let count = rows.rows();
            let mut columns = rows.into_columns();
            columns.iter_mut().for_each(crate::column::Column::materialize_nulls);
            self.0.send(format!("{count} {columns:?}")).unwrap();
            Ok(())
        }

        fn finish(self: Box<Self>) -> Result<(), Error> {
            Ok(())
        }
    }

    fn game(number: u64) -> Game {
        let mut game = Game::new();
        game.header.set("Event", &number.to_string());
        if number.is_multiple_of(3) {
            game.header.set("White", &"x".repeat(number.try_into().unwrap()));
            game.header.set("Annotator", "y");
        }
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().cycle();
        for m in moves.take(usize::try_from(number % 5).unwrap()) {
            game.push_move(m.parse::<Move>().unwrap());
        }
        game
    }

    /// Writes the numbered games. `encoder_of` returns the encoder of a game; the games of an
    /// encoder are encoded before any is appended.
    fn write(
        rows: Rows,
        numbers: &[u64],
        encoders: usize,
        encoder_of: impl Fn(u64) -> usize,
    ) -> Vec<String> {
        let selection = Selection::named(rows, rows.fields().iter().map(|f| f.name)).unwrap();
        let (sender, batches) = mpsc::channel();
        let mut writer = Writer::with_batches(selection, 100, Box::new(Batches(sender)));
        let mut encoders: Vec<_> = (0..encoders).map(|_| writer.encoder()).collect();
        let mut encode = |number| {
            let mut encoded = SharedRows::default();
            let encoder = &mut encoders[encoder_of(number)];
            encoder.encode(&game(number), &mut encoded, &mut Losses::new()).unwrap();
            encoded
        };
        let most = numbers.iter().max().unwrap();
        let mut encoded: Vec<_> = (0..=*most).map(&mut encode).collect();
        for number in numbers {
            writer.set_origin(&Origin::new("file", *number));
            let encoded = &mut encoded[usize::try_from(*number).unwrap()];
            writer.append(encoded, &mut Losses::new()).unwrap();
        }
        writer.finish().unwrap();
        batches.iter().collect()
    }

    #[test]
    fn writer_rows_do_not_depend_on_encoders() {
        for rows in [Rows::Games, Rows::Plies] {
            let all: Vec<u64> = (0..500).collect();
            let some: Vec<u64> = (0..500).filter(|number| number % 7 != 3).collect();
            let reversed: Vec<u64> = (0..500).rev().collect();
            for numbers in [&all, &some, &reversed] {
                let alone = write(rows, numbers, 500, |number| number.try_into().unwrap());
                assert!(alone.len() > 4, "{rows:?}");
                assert!(write(rows, numbers, 1, |_| 0) == alone, "{rows:?}");
                let shared =
                    write(rows, numbers, 3, |number| (number / 11 % 3).try_into().unwrap());
                assert!(shared == alone, "{rows:?}");
            }
        }
    }

    #[test]
    fn encoder_full_chunk_is_followed_by_another() {
        let selection = Selection::usual(Rows::Games);
        let mut encoder = SharedEncoder::new(&selection);
        let mut chunks: Vec<Chunk> = Vec::new();
        for number in 0..2000 {
            let mut encoded = SharedRows::default();
            encoder.encode(&game(number), &mut encoded, &mut Losses::new()).unwrap();
            assert_eq!(encoded.rows(), 1);
            let chunk = encoded.chunk.unwrap();
            if chunks.last().is_none_or(|last| !Arc::ptr_eq(last, &chunk)) {
                assert_eq!(encoded.rows, 0..1);
                chunks.push(chunk);
            }
        }
        assert!((3..30).contains(&chunks.len()), "{}", chunks.len());
        for chunk in chunks {
            assert!(lock(&chunk).size() < 2 * CHUNK_BYTES);
        }
    }
}
