//! Counts the positions of many games, in bounded memory.
//!
//! The positions of the main lines are collected in a map. Before the map grows too large, its entries are
//! sorted by hash and appended to a temporary file as a run. At the end the runs are merged: the entries
//! of a position stand at the same place in each order, and are added up.
//!
//! ```text
//! games -> map --full--> run 1: 03.. 1a.. 7f..        merge: 03.. 1a.. (1+2) 7f.. c0..
//!              --full--> run 2: 1a.. c0..
//! ```

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::ops::ControlFlow;

use chess_core::{Color, Game, GameResult, Position};
use chess_store::io::{ReadAt as _, Spool};
use query::Filter;
use tables::zobrist;

use crate::base::Base;
use crate::error::Error;
use crate::scan::Scanner;

/// A position, and the games that reached it in their main line. A game counts once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PositionCount {
    /// Polyglot's hash.
    pub hash: u64,
    /// The board in half a byte a square, as the column `board` of half-moves.
    pub board: [u8; 32],
    /// The side to move, castling rights and en passant square: see [`fen`](PositionCount::fen).
    state: [u8; 2],
    /// Games that reached the position.
    pub games: u64,
    /// Games that White won.
    pub white_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// The sum of the known ratings of both players.
    pub rating_sum: u64,
    /// The number of known ratings.
    pub ratings: u64,
    /// The year of the earliest game with a year.
    pub first_year: Option<u16>,
    /// The year of the latest game with a year.
    pub last_year: Option<u16>,
}

/// Bytes of an entry in a run.
const ENTRY: usize = 8 + 32 + 2 + 6 * 8 + 2 * 2;
/// Entries of a run that are read at once.
const READ: usize = 512;
/// Positions of a game of usual length. Clearing a larger set takes time.
const USUAL: usize = 4096;
/// Positions in memory. An entry takes about 150 bytes.
const MOST: usize = 1 << 19;

/// The hash is already uniform.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Collects the positions of games.
#[derive(Default)]
pub struct Positions {
    map: HashMap<u64, PositionCount, BuildHasherDefault<Same>>,
    /// The maximum number of entries of the map.
    most: Option<usize>,
    runs: Spool,
    /// The number of entries of each run.
    lengths: Vec<u64>,
    /// The hashes of the current game.
    seen: HashSet<u64, BuildHasherDefault<Same>>,
}

impl std::fmt::Debug for Positions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Positions").field("runs", &self.lengths.len()).finish_non_exhaustive()
    }
}

impl Positions {
    /// Creates an empty collection, which holds at most `most` positions in memory.
    #[must_use]
    pub fn with_limit(most: usize) -> Positions {
        Positions { most: Some(most.max(1)), ..Positions::default() }
    }

    /// Adds the games of `base` that `filter` selects. `plies` limits the half-moves of each game.
    /// `each` is called after each game, and may stop.
    ///
    /// # Errors
    /// Errors that concern the base as a whole, errors of `each`, and errors of the temporary file.
    pub fn add<E: From<Error>>(
        &mut self,
        base: &mut Base,
        filter: &Filter,
        plies: Option<usize>,
        mut each: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let path = base.path().to_path_buf();
        Scanner::new().filter(filter.clone()).run(base, |scanned| {
            self.add_game(scanned.game, plies).map_err(|error| Error::io(&path, error))?;
            each().map(|()| ControlFlow::Continue(()))
        })?;
        Ok(())
    }

    /// Adds the positions of the main line, up to `plies` half-moves.
    ///
    /// # Errors
    /// Errors of the temporary file.
    pub fn add_game(&mut self, game: &Game, plies: Option<usize>) -> io::Result<()> {
        let mut position = game.start_position();
        self.seen.clear();
        if self.seen.capacity() > USUAL {
            self.seen = HashSet::default();
        }
        let mut one = PositionCount::of(game);
        let moves = game.main_line().take(plies.unwrap_or(usize::MAX));
        for m in std::iter::once(None).chain(moves.map(Some)) {
            if let Some(m) = m {
                position.apply(m);
            }
            one.hash = zobrist(&position);
            // A repeated position counts once.
            if !self.seen.insert(one.hash) {
                continue;
            }
            match self.map.get_mut(&one.hash) {
                Some(found) => found.add(&one),
                None => {
                    one.board = tables::packed_board(&position);
                    one.state = state_of(&position);
                    self.map.insert(one.hash, one);
                }
            }
        }
        if self.map.len() >= self.most.unwrap_or(MOST) { self.flush() } else { Ok(()) }
    }

    /// Writes the map as a run.
    fn flush(&mut self) -> io::Result<()> {
        let mut entries: Vec<PositionCount> = self.map.drain().map(|(_, entry)| entry).collect();
        entries.sort_unstable_by_key(|entry| entry.hash);
        let mut bytes = Vec::with_capacity(ENTRY);
        for entry in &entries {
            bytes.clear();
            entry.write(&mut bytes);
            self.runs.push(&bytes)?;
        }
        self.lengths.push(entries.len() as u64);
        Ok(())
    }

    /// Returns the positions in the order of their hashes.
    ///
    /// # Errors
    /// Errors of the temporary file.
    pub fn finish(mut self) -> io::Result<SortedPositions> {
        self.flush()?;
        let runs = self.runs.finish()?;
        let (mut start, mut cursors) = (0u64, Vec::new());
        for length in &self.lengths {
            let end = start.saturating_add(length.saturating_mul(ENTRY as u64));
            cursors.push(Run { at: start, end, entries: Vec::new() });
            start = end;
        }
        let mut sorted = SortedPositions { file: runs, runs: cursors, heads: BinaryHeap::new() };
        for run in 0..sorted.runs.len() {
            sorted.advance(run)?;
        }
        Ok(sorted)
    }
}

/// A part of the temporary file.
struct Run {
    at: u64,
    end: u64,
    /// Entries that were read, the next one last.
    entries: Vec<PositionCount>,
}

/// Iterates over the positions in the order of their hashes.
pub struct SortedPositions {
    file: Spool,
    runs: Vec<Run>,
    /// The hash of the next entry of each run, the smallest first.
    heads: BinaryHeap<Reverse<(u64, usize)>>,
}

impl std::fmt::Debug for SortedPositions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SortedPositions").field("runs", &self.runs.len()).finish_non_exhaustive()
    }
}

impl SortedPositions {
    /// Puts the next entry of a run on the heap.
    fn advance(&mut self, number: usize) -> io::Result<()> {
        let Some(run) = self.runs.get_mut(number) else { return Ok(()) };
        if run.entries.is_empty() && run.at < run.end {
            let left = usize::try_from(run.end.saturating_sub(run.at)).unwrap_or(usize::MAX);
            let mut bytes = vec![0; left.min(READ.saturating_mul(ENTRY))];
            let count = self.file.read_full(run.at, &mut bytes)?;
            if count != bytes.len() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            run.at = run.at.saturating_add(count as u64);
            let entries = bytes.chunks_exact(ENTRY).rev().filter_map(PositionCount::read);
            run.entries.extend(entries);
        }
        if let Some(next) = run.entries.last() {
            self.heads.push(Reverse((next.hash, number)));
        }
        Ok(())
    }

    fn read_next(&mut self) -> io::Result<Option<PositionCount>> {
        let mut found: Option<PositionCount> = None;
        while let Some(Reverse((hash, number))) = self.heads.peek().copied() {
            if found.is_some_and(|found| found.hash != hash) {
                break;
            }
            self.heads.pop();
            let entry = self.runs.get_mut(number).and_then(|run| run.entries.pop());
            match (&mut found, entry) {
                (Some(found), Some(entry)) => found.add(&entry),
                (none, entry) => *none = entry,
            }
            self.advance(number)?;
        }
        Ok(found)
    }
}

impl Iterator for SortedPositions {
    type Item = io::Result<PositionCount>;

    fn next(&mut self) -> Option<io::Result<PositionCount>> {
        self.read_next().transpose()
    }
}

impl PositionCount {
    /// Returns an entry of one game, without its position.
    fn of(game: &Game) -> PositionCount {
        let header = &game.header;
        let ratings = [header.white_elo, header.black_elo];
        let known = || ratings.iter().flatten().map(|elo| u64::from(elo.get()));
        let won = |result| u64::from(header.result == result);
        let year = header.date.year();
        PositionCount {
            hash: 0,
            board: [0; 32],
            state: [0; 2],
            games: 1,
            white_wins: won(GameResult::White),
            draws: won(GameResult::Draw),
            black_wins: won(GameResult::Black),
            rating_sum: known().sum(),
            ratings: known().count() as u64,
            first_year: year,
            last_year: year,
        }
    }

    fn add(&mut self, other: &PositionCount) {
        for (to, from) in [
            (&mut self.games, other.games),
            (&mut self.white_wins, other.white_wins),
            (&mut self.draws, other.draws),
            (&mut self.black_wins, other.black_wins),
            (&mut self.rating_sum, other.rating_sum),
            (&mut self.ratings, other.ratings),
        ] {
            *to = to.saturating_add(from);
        }
        let years = |pick: fn(u16, u16) -> u16, one: Option<u16>, other: Option<u16>| {
            one.zip(other).map(|(one, other)| pick(one, other)).or(one).or(other)
        };
        self.first_year = years(u16::min, self.first_year, other.first_year);
        self.last_year = years(u16::max, self.last_year, other.last_year);
    }

    /// Returns the mean of the known ratings.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "a mean needs no more digits")]
    pub fn mean_rating(&self) -> Option<f64> {
        (self.ratings > 0).then(|| self.rating_sum as f64 / self.ratings as f64)
    }

    /// Returns the first four fields of the FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        let mut fen = String::new();
        for rank in (0..8usize).rev() {
            let mut empty = 0u8;
            for file in 0..8usize {
                let byte = self.board.get((rank * 8 + file) / 2).copied().unwrap_or(0);
                let code = if file % 2 == 0 { byte & 15 } else { byte >> 4 };
                let letter = b" PNBRQK".get(usize::from(code & 7)).copied().unwrap_or(b' ');
                if letter == b' ' {
                    empty = empty.saturating_add(1);
                    continue;
                }
                if empty > 0 {
                    fen.push(char::from(b'0'.saturating_add(std::mem::take(&mut empty))));
                }
                let letter = if code & 8 == 0 { letter } else { letter.to_ascii_lowercase() };
                fen.push(char::from(letter));
            }
            if empty > 0 {
                fen.push(char::from(b'0'.saturating_add(empty)));
            }
            if rank > 0 {
                fen.push('/');
            }
        }
        let [rights, en_passant] = self.state;
        fen.push_str(if rights & 16 == 0 { " w " } else { " b " });
        let before = fen.len();
        for (bit, letter) in [(1, 'K'), (2, 'Q'), (4, 'k'), (8, 'q')] {
            if rights & bit != 0 {
                fen.push(letter);
            }
        }
        if fen.len() == before {
            fen.push('-');
        }
        fen.push(' ');
        match en_passant.checked_sub(1) {
            Some(file) => {
                fen.push(char::from(b'a'.saturating_add(file)));
                fen.push(if rights & 16 == 0 { '6' } else { '3' });
            }
            None => fen.push('-'),
        }
        fen
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.hash.to_le_bytes());
        out.extend_from_slice(&self.board);
        out.extend_from_slice(&self.state);
        for number in [
            self.games,
            self.white_wins,
            self.draws,
            self.black_wins,
            self.rating_sum,
            self.ratings,
        ] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for year in [self.first_year, self.last_year] {
            out.extend_from_slice(&year.unwrap_or(0).to_le_bytes());
        }
    }

    fn read(bytes: &[u8]) -> Option<PositionCount> {
        let (hash, bytes) = bytes.split_first_chunk()?;
        let (board, bytes) = bytes.split_first_chunk()?;
        let (state, mut bytes) = bytes.split_first_chunk()?;
        let mut number = || -> Option<u64> {
            let (number, rest) = bytes.split_first_chunk()?;
            bytes = rest;
            Some(u64::from_le_bytes(*number))
        };
        let (games, white_wins, draws) = (number()?, number()?, number()?);
        let (black_wins, rating_sum, ratings) = (number()?, number()?, number()?);
        let (first, bytes) = bytes.split_first_chunk()?;
        let (last, _) = bytes.split_first_chunk()?;
        let year = |bytes: &[u8; 2]| Some(u16::from_le_bytes(*bytes)).filter(|year| *year > 0);
        Some(PositionCount {
            hash: u64::from_le_bytes(*hash),
            board: *board,
            state: *state,
            games,
            white_wins,
            draws,
            black_wins,
            rating_sum,
            ratings,
            first_year: year(first),
            last_year: year(last),
        })
    }
}

/// Returns castling rights and side to move as bits, and the file of a legal en passant capture from 1.
fn state_of(position: &Position) -> [u8; 2] {
    use chess_core::CastlingSide::{King, Queen};
    let sides =
        [(Color::White, King), (Color::White, Queen), (Color::Black, King), (Color::Black, Queen)];
    let mut rights = if position.turn() == Color::Black { 16 } else { 0 };
    for (bit, (color, side)) in sides.into_iter().enumerate() {
        if position.castling_rook(color, side).is_some() {
            rights |= 1 << bit;
        }
    }
    let file = position.legal_en_passant().map_or(0, |square| (square.index() & 7) + 1);
    [rights, file]
}
