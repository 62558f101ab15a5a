//! Builds the index of a range of games.
//!
//! The games are read twice. First a table of two bits for each hash finds the positions that more than one
//! game may have: nine of ten have one. Then only the others are collected and sorted.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use chess_core::{Game, Header, Move, Position, Variant};
use chess_store::erased::{Database, GameReader};
use chess_store::{Diagnostics, Query};

use crate::facts::{Facts, mode_of, speed_needs_moves, speed_of};
use crate::file::{Part, Segment, append_varint, checksum};
use crate::key::key_of;
use crate::spill::{Buffers, PARTS, Record, Spill};

/// The games that a thread takes at a time.
const CHUNK: u64 = 2048;
/// Buffer size of a game that is kept for reuse.
const USUAL: usize = 8 << 10;
/// Two bits for each of four times the positions of a game.
const WORDS_OF_GAME: u64 = 10;
/// The most words of the table: half a gibibyte.
const MAX_WORDS: u64 = 1 << 26;

/// How an index is built.
#[derive(Clone, Copy)]
pub(crate) struct Building<'a> {
    pub(crate) database: &'a dyn Database,
    pub(crate) threads: NonZeroUsize,
    /// Is passed the number of games read, of twice all. Returns whether to go on.
    pub(crate) progress: &'a (dyn Fn(u64) -> bool + Sync),
}

impl Building<'_> {
    /// Writes the segment of `games` to `out`, which stands at `offset` of its file.
    pub(crate) fn write(
        &self,
        games: Range<u64>,
        mut offset: u64,
        out: &mut dyn Write,
    ) -> io::Result<Segment> {
        let count = games.end.saturating_sub(games.start);
        let facts: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
        let seen = Seen::new(count);
        let done = AtomicU64::new(0);
        self.share(&games, &done, |_: &mut (), walk, number| {
            seen.mark(&walk.keys);
            let place = usize::try_from(number.saturating_sub(games.start)).ok();
            if let Some(own) = place.and_then(|place| facts.get(place)) {
                own.store(walk.facts.pack(), Ordering::Relaxed);
            }
            Ok(())
        })?;
        let spill = Spill::default();
        let new = || (spill.buffers(), Vec::new());
        let buffers: Vec<(Buffers, Vec<Record>)> =
            self.share_with(&games, &done, new, |(buffers, records), walk, number| {
                let game = u32::try_from(number).map_err(io::Error::other)?;
                walk.shared(&seen, game, records);
                records.drain(..).try_for_each(|record| spill.add(buffers, record))
            })?;
        drop(seen);
        let buffers: Vec<Buffers> = buffers.into_iter().map(|(buffers, _)| buffers).collect();
        let bytes: Vec<u8> =
            facts.iter().flat_map(|facts| facts.load(Ordering::Relaxed).to_le_bytes()).collect();
        out.write_all(&bytes)?;
        let facts_checksum = checksum(&bytes);
        let mut segment = Segment::new(games, offset, facts_checksum);
        offset = offset.saturating_add(bytes.len() as u64);
        drop((facts, bytes));
        let numbers: Vec<usize> = (0..PARTS).collect();
        for numbers in numbers.chunks(self.threads.get()) {
            let encoded: Vec<io::Result<Encoded>> = thread::scope(|scope| {
                let encode = |part: &usize| {
                    let (part, spill, buffers) = (*part, &spill, &buffers);
                    scope.spawn(move || Ok(Encoded::of(&spill.sorted(part, buffers)?)))
                };
                let running: Vec<_> = numbers.iter().map(encode).collect();
                let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                    thread.join().unwrap_or_else(|why| std::panic::resume_unwind(why))
                };
                running.into_iter().map(join).collect()
            });
            for encoded in encoded {
                let Encoded { lists, entries } = encoded?;
                out.write_all(&lists)?;
                out.write_all(&entries)?;
                let part = Part {
                    lists: offset,
                    entries: offset.saturating_add(lists.len() as u64),
                    end: offset.saturating_add(lists.len().saturating_add(entries.len()) as u64),
                };
                offset = part.end;
                segment.parts.push(part);
            }
        }
        Ok(segment)
    }

    fn share<A: Send + Default>(
        &self,
        games: &Range<u64>,
        done: &AtomicU64,
        each: impl Fn(&mut A, &mut Walk, u64) -> io::Result<()> + Sync,
    ) -> io::Result<Vec<A>> {
        self.share_with(games, done, A::default, each)
    }

    /// Passes each game to `each`, on several threads. Returns what each thread has collected.
    fn share_with<A: Send>(
        &self,
        games: &Range<u64>,
        done: &AtomicU64,
        new: impl Fn() -> A + Sync,
        each: impl Fn(&mut A, &mut Walk, u64) -> io::Result<()> + Sync,
    ) -> io::Result<Vec<A>> {
        let (next, is_ended) = (AtomicU64::new(games.start), AtomicBool::new(false));
        let work = || {
            let (mut collected, mut reader) = (new(), self.database.reader());
            let mut walk = Walk::default();
            while !is_ended.load(Ordering::Relaxed) {
                let first = next.fetch_add(CHUNK, Ordering::Relaxed);
                let last = games.end.min(first.saturating_add(CHUNK));
                if first >= last {
                    break;
                }
                for number in first..last {
                    walk.read(&mut *reader, number);
                    if let Err(error) = each(&mut collected, &mut walk, number) {
                        is_ended.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
                let count = last.saturating_sub(first);
                let all = done.fetch_add(count, Ordering::Relaxed).saturating_add(count);
                if !(self.progress)(all) {
                    is_ended.store(true, Ordering::Relaxed);
                    return Err(io::ErrorKind::Interrupted.into());
                }
            }
            Ok(collected)
        };
        thread::scope(|scope| {
            let running: Vec<_> = (1..self.threads.get()).map(|_| scope.spawn(work)).collect();
            let mut results = vec![work()];
            for thread in running {
                let joined = thread.join();
                results.push(joined.unwrap_or_else(|why| std::panic::resume_unwind(why)));
            }
            results.into_iter().collect()
        })
    }
}

/// The table of hashes: for each two bits, whether one game had it, and whether more had.
struct Seen(Vec<AtomicU64>);

impl Seen {
    fn new(games: u64) -> Seen {
        let words =
            games.saturating_mul(WORDS_OF_GAME).next_power_of_two().clamp(1 << 10, MAX_WORDS);
        Seen((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    /// The word of a hash, and the lower of its two bits.
    fn place(&self, key: u64) -> (Option<&AtomicU64>, u64) {
        // The length is a power of two.
        let word = usize::try_from(key >> 5).unwrap_or_default() & self.0.len().saturating_sub(1);
        (self.0.get(word), 1 << ((key & 31) << 1))
    }

    /// Loads the words of all hashes, so that the processor waits for them at the same time.
    fn touch(&self, keys: &[(u64, u16)]) {
        let load =
            |(key, _): &(u64, u16)| self.place(*key).0.map_or(0, |it| it.load(Ordering::Relaxed));
        std::hint::black_box(keys.iter().map(load).fold(0, |all, word| all ^ word));
    }

    fn mark(&self, keys: &[(u64, u16)]) {
        self.touch(keys);
        for (key, _) in keys {
            let (Some(word), bit) = self.place(*key) else { continue };
            if word.load(Ordering::Relaxed) & (bit << 1) == 0
                && word.fetch_or(bit, Ordering::Relaxed) & bit != 0
            {
                word.fetch_or(bit << 1, Ordering::Relaxed);
            }
        }
    }

    fn is_shared(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        word.is_some_and(|word| word.load(Ordering::Relaxed) & (bit << 1) != 0)
    }
}

/// A game that was read: its facts, and the hash of each position with the bits of the move played there.
#[derive(Default)]
struct Walk {
    game: Game,
    facts: Facts,
    keys: Vec<(u64, u16)>,
    chosen: Vec<(u64, usize, u16)>,
}

impl Walk {
    fn read(&mut self, reader: &mut dyn GameReader, number: u64) {
        let Walk { game, facts, keys, .. } = self;
        game.clear();
        keys.clear();
        *facts = Facts::default();
        let mut visit = |header: &Header, position: &Position, m: Option<Move>| {
            if keys.is_empty() {
                facts.result = header.result;
                facts.date = header.date;
                facts.elo = [header.white_elo, header.black_elo];
            }
            keys.push((key_of(position), m.map_or(NO_MOVE, Move::bits)));
            true
        };
        // A damaged game counts up to the damage.
        let _ = reader.visit_main_line(number, &Query::new(&[]), game, &mut visit);
        let is_chess = !matches!(game.variant(), Variant::Unsupported(_));
        facts.is_usual = is_chess && game.setup().is_none();
        let mut notes = Diagnostics::lenient();
        game.clear();
        let is_full = matches!(reader.full_header(number, &mut game.header, &mut notes), Ok(true));
        if !is_full || speed_needs_moves(game) {
            game.clear();
            let _ = reader.game(number, game, &mut notes);
        }
        (facts.speed, facts.mode) = (speed_of(game), mode_of(game));
        game.trim(USUAL);
    }

    /// Appends a record for each position that other games may have. A position that is repeated has the
    /// last move that was played there.
    fn shared(&mut self, seen: &Seen, game: u32, records: &mut Vec<Record>) {
        seen.touch(&self.keys);
        let places = self.keys.iter().enumerate();
        self.chosen.clear();
        self.chosen.extend(
            places
                .filter(|(_, (key, _))| seen.is_shared(*key))
                .map(|(place, (key, m))| (*key, place, *m)),
        );
        self.chosen.sort_unstable();
        for same in self.chosen.chunk_by(|a, b| a.0 == b.0) {
            let played = same.iter().rev().find(|(_, _, m)| *m != NO_MOVE);
            let Some((key, _, m)) = played.or(same.first()) else { continue };
            records.push(Record { key: *key, m: *m, game });
        }
    }
}

/// The bits of a position without a move: the end of a game. No move has them.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// The lists of a part, and the entries that say where each is.
#[derive(Default)]
struct Encoded {
    lists: Vec<u8>,
    entries: Vec<u8>,
}

impl Encoded {
    /// Encodes sorted records. A position of one game is left out.
    fn of(records: &[Record]) -> Encoded {
        let mut encoded = Encoded::default();
        for same in records.chunk_by(|a, b| a.key == b.key) {
            let [first, _, ..] = same else { continue };
            let start = encoded.lists.len();
            encoded.list(same);
            let sum = checksum(encoded.lists.get(start..).unwrap_or_default());
            encoded.entries.extend_from_slice(&first.key.to_le_bytes());
            encoded.entries.extend(start.to_le_bytes().iter().take(5));
            encoded.entries.extend(sum.to_le_bytes().iter().take(2));
        }
        encoded
    }

    fn list(&mut self, records: &[Record]) {
        for edge in records.chunk_by(|a, b| a.m == b.m) {
            let m = edge.first().map_or(NO_MOVE, |record| record.m);
            self.lists.extend_from_slice(&m.to_le_bytes());
            append_varint(&mut self.lists, edge.len() as u64);
            let mut last = 0;
            for record in edge {
                append_varint(&mut self.lists, u64::from(record.game.wrapping_sub(last)));
                last = record.game;
            }
        }
    }
}
