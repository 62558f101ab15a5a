//! An index from chess positions to the games that reach them.
//!
//! A base of ten million games has half a billion positions, and all but three of a hundred are reached by
//! one game. The index holds the others: for each position the games, by the move that was played. It also
//! holds result, date, ratings and speed of each game. It is kept in a file and serves every format, because it is
//! built from what a [`Database`] shows.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use chess_core::Position;
//! use chess_store::erased::Database;
//! use position_index::PositionIndex;
//!
//! # fn games(database: &dyn Database, path: &std::path::Path) -> std::io::Result<()> {
//! let threads = NonZeroUsize::MIN;
//! position_index::build(database, path, threads, &|_| true, &|| Ok(b"fingerprint".to_vec()))?;
//! let index = PositionIndex::open(path, b"fingerprint")?.expect("the file is of this base");
//! let found = index.find(&mut *database.reader(), &Position::start())?;
//! for (m, games) in &found.moves {
//!     println!("{m:?}: {} games", games.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What counts
//! A position is the [same](Position::same_position) regardless of the clocks. A game counts once in a position, with the last move that
//! it played there. Damaged games count up to the damage.
//!
//! # Trust
//! The caller passes a fingerprint of the base. An index with another fingerprint is not opened. Checksums
//! cover every byte that is read. Positions are found by a hash of 64 bits, and [`find`](PositionIndex::find)
//! checks that a game of the list has the position.
//!
//! # Errors
//! [`io::Error`]; damage has the kind [`io::ErrorKind::InvalidData`].

mod build;
mod facts;
mod file;
mod key;
mod spill;

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;

use chess_core::{Game, Move, Position};
use chess_store::erased::{Database, GameReader};
use chess_store::{Input, Query};

use build::{Building, NO_MOVE};
use file::{Contents, Segment, damaged, take_varint};

pub use facts::{Facts, MODES, SPEEDS, mode_of, speed_of};
pub use file::MAGIC;

/// An open index.
#[derive(Debug)]
pub struct PositionIndex {
    file: Input,
    segments: Vec<Segment>,
    /// The packed facts of all games.
    facts: Vec<u64>,
}

/// The games of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Found {
    /// The games by the move that they played, in the order of their numbers. The games that end there have
    /// no move.
    pub moves: Vec<(Option<Move>, Vec<u32>)>,
    /// Ranges of games without a list. At most one game of a range reaches the position.
    pub open: Vec<Range<u64>>,
}

/// Builds the index of all games of `database` in a file, and replaces an older one.
///
/// `progress` is passed the number of games read. Each is read twice. It returns whether to go on.
/// `fingerprint` is called at the end, so that it can refuse a base that has changed.
///
/// Memory: 512 MiB, and 16 bytes for each game. The file is not larger than a tenth of the base as text. A
/// temporary file takes about 400 bytes for each game.
///
/// # Errors
/// I/O errors; [`io::ErrorKind::Interrupted`] if `progress` returned `false`. An older index then stays.
pub fn build(
    database: &dyn Database,
    path: &Path,
    threads: NonZeroUsize,
    progress: &(dyn Fn(u64) -> bool + Sync),
    fingerprint: &dyn Fn() -> io::Result<Vec<u8>>,
) -> io::Result<()> {
    let building = Building { database, threads, progress };
    Contents::create(path, &building, database.len(), fingerprint)
}

impl PositionIndex {
    /// Opens an index. Returns `None` if there is none, or if its base had another fingerprint.
    ///
    /// # Errors
    /// I/O errors; a damaged file.
    pub fn open(path: &Path, fingerprint: &[u8]) -> io::Result<Option<PositionIndex>> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => Input::from(opened?),
        };
        let contents = Contents::read(&file)?;
        if contents.fingerprint != fingerprint {
            return Ok(None);
        }
        let mut facts = Vec::new();
        for segment in &contents.segments {
            facts.append(&mut segment.facts(&file)?);
        }
        Ok(Some(PositionIndex { file, segments: contents.segments, facts }))
    }

    /// Adds the games that were appended to a base whose old games are unchanged. `old` is the fingerprint
    /// before, and `new` returns the one after. Returns `false` if the index is to be built anew: it is of another
    /// base, or it was extended many times.
    ///
    /// If this is interrupted, the file is no index any more.
    ///
    /// # Errors
    /// I/O errors; a damaged file.
    pub fn extend(
        database: &dyn Database,
        path: &Path,
        threads: NonZeroUsize,
        old: &[u8],
        new: &dyn Fn() -> io::Result<Vec<u8>>,
    ) -> io::Result<bool> {
        let contents = Contents::read(&Input::from(File::open(path)?))?;
        if contents.fingerprint != old {
            return Ok(false);
        }
        let building = Building { database, threads, progress: &|_| true };
        contents.append(path, &building, database.len(), new)
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.facts.len() as u64
    }

    /// Returns whether there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Returns the facts of a game.
    #[must_use]
    pub fn facts(&self, game: u64) -> Option<Facts> {
        let packed = self.facts.get(usize::try_from(game).ok()?)?;
        Some(Facts::unpack(*packed))
    }

    /// Finds the games of a position. `reader` is of the base.
    ///
    /// # Errors
    /// I/O errors; a damaged file; a position that has the hash of another one.
    pub fn find(&self, reader: &mut dyn GameReader, position: &Position) -> io::Result<Found> {
        let key = key::key_of(position);
        let mut found = Found::default();
        for segment in &self.segments {
            let moves = match segment.list(&self.file, key)? {
                Some(bytes) => decode(&bytes).ok_or_else(damaged)?,
                None => Vec::new(),
            };
            // Another position may have the same hash.
            let first = moves.first().and_then(|(_, games)| games.first());
            let Some(first) = first else {
                found.open.push(segment.games.clone());
                continue;
            };
            if !reaches(reader, (*first).into(), position) {
                let message = "another position has the same hash, or the base has changed";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            for (m, mut games) in moves {
                let is_in = |game: &u32| segment.games.contains(&u64::from(*game));
                if !games.last().is_some_and(is_in) || !games.first().is_some_and(is_in) {
                    return Err(damaged());
                }
                match found.moves.iter_mut().find(|(own, _)| *own == m) {
                    Some((_, own)) => own.append(&mut games),
                    None => found.moves.push((m, games)),
                }
            }
        }
        Ok(found)
    }
}

impl PositionIndex {
    /// Finds games with the position at the end of a line that [`find`](PositionIndex::find) left open: games that
    /// follow the line from its last position with a list. `line` has the positions before, each with the move that
    /// was played. A game that reaches the position in another way is not found.
    ///
    /// # Errors
    /// I/O errors; a damaged file.
    pub fn follow(
        &self,
        reader: &mut dyn GameReader,
        line: &[(Position, Move)],
        end: &Position,
    ) -> io::Result<Vec<u64>> {
        let mut found = Vec::new();
        for segment in &self.segments {
            for (position, m) in line.iter().rev() {
                let Some(bytes) = segment.list(&self.file, key::key_of(position))? else {
                    continue;
                };
                let moves = decode(&bytes).ok_or_else(damaged)?;
                let own = moves.iter().find(|(own, _)| *own == Some(*m));
                // Two games would give the next position a list.
                let game = own.and_then(|(_, games)| games.first()).map(|game| u64::from(*game));
                found.extend(game.filter(|game| reaches(reader, *game, end)));
                break;
            }
        }
        Ok(found)
    }
}

/// Returns whether the main line of a game has a position.
fn reaches(reader: &mut dyn GameReader, game: u64, position: &Position) -> bool {
    let mut is_found = false;
    let query = Query::new(&[*position]);
    let visit = &mut |_: &_, at: &Position, _| {
        is_found = at.same_position(position);
        !is_found
    };
    // A damaged game counts up to the damage.
    let _ = reader.visit_main_line(game, &query, &mut Game::new(), visit);
    is_found
}

/// Decodes a list.
fn decode(mut bytes: &[u8]) -> Option<Vec<(Option<Move>, Vec<u32>)>> {
    let mut moves = Vec::new();
    while let Some((bits, rest)) = bytes.split_first_chunk() {
        bytes = rest;
        let m = match u16::from_le_bytes(*bits) {
            NO_MOVE => None,
            bits => Some(Move::from_bits(bits)?),
        };
        let count = usize::try_from(take_varint(&mut bytes)?).ok()?;
        // A number has a byte at least.
        let mut games = Vec::with_capacity(count.min(bytes.len()));
        let mut last = 0u32;
        for place in 0..count {
            let step = take_varint(&mut bytes)?;
            last = last.checked_add(step).filter(|_| place == 0 || step > 0)?;
            games.push(last);
        }
        moves.push((m, games));
    }
    Some(moves).filter(|_| bytes.is_empty())
}
