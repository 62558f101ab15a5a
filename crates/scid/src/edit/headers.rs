//! Replaces the header of a game. (scid §8 "Editing")
//!
//! Most of a header is in the index. The record begins with the other tags, and the moves behind
//! them are copied as bytes: they are neither decoded nor checked. If the tags of the record stay the
//! same, too, the record stays where it is.

use chess_core::Header;
use chess_store::io::{PageCache, ReadAt as _};
use chess_store::{Location, Losses};

use super::append::NewRecords;
use super::{Editor, NewFiles};
use crate::error::{Error, ErrorKind};
use crate::index::IndexEntry;
use crate::layout::flag;
use crate::tags::parse_tag;

/// The flags that are derived from the moves.
const DERIVED: u32 = flag::OWN_START | flag::PROMOTION | flag::UNDER_PROMOTION;

/// The records before the first replacement, read through a cache. The games file only grows while
/// records are written.
pub(super) struct OldGames {
    pages: PageCache,
    /// The size of the games file before.
    size: u64,
    record: Vec<u8>,
}

impl OldGames {
    pub(super) fn new(size: u64) -> OldGames {
        OldGames { pages: PageCache::default(), size, record: Vec::new() }
    }
}

impl<N: NewFiles> Editor<N> {
    /// Returns the entry `old` of a game with another header. Writes a new record only if the tags in
    /// the record change.
    pub(super) fn put_header(
        &mut self,
        (number, old): (u64, &IndexEntry),
        header: &Header,
        records: &mut NewRecords,
        old_games: &mut OldGames,
        losses: &mut Losses,
    ) -> Result<IndexEntry, Error> {
        let at = Location::file(self.files.extensions.games).at(old.offset).in_game(number);
        let reported = losses.mark();
        let put = self.try_put_header(old, header, records, old_games, at, losses);
        // A refused header reports no losses.
        put.inspect_err(|_| losses.rewind(&reported))
    }

    fn try_put_header(
        &mut self,
        old: &IndexEntry,
        header: &Header,
        records: &mut NewRecords,
        old_games: &mut OldGames,
        at: Location,
        losses: &mut Losses,
    ) -> Result<IndexEntry, Error> {
        let fail = |kind| Error::new(kind, at);
        self.read_record(old, records, old_games).map_err(Error::io(at))?;
        let tags_end =
            end_of_tags(&old_games.record).ok_or_else(|| fail(ErrorKind::RecordEnds("tags")))?;
        let (old_tags, moves) = old_games.record.split_at_checked(tags_end).unwrap_or_default();
        let encoded = self.encoder.encode_header(header, &mut self.encoded, losses);
        encoded.map_err(|error| error.moved_to(at))?;
        let tags = &self.encoded.record[..];
        let mut entry = IndexEntry {
            offset: old.offset,
            length: old.length,
            flags: self.encoded.entry.flags | old.flags & DERIVED,
            counts: old.counts,
            derived: old.derived,
            chess960: old.chess960,
            ..self.encoded.entry
        };
        let crosses = self.version.crosses_block(old.offset, u64::from(old.length));
        let record = (tags != old_tags || crosses).then(|| [tags, moves].concat());
        let place = match &record {
            Some(record) => {
                let most = self.version.max_record();
                let length = u32::try_from(record.len()).ok().filter(|_| record.len() <= most);
                let too_long = || fail(ErrorKind::RecordTooLong(record.len(), most));
                entry.length = length.ok_or_else(too_long)?;
                let place = records.place(record, self.version).map_err(fail)?;
                entry.offset = place.offset;
                Some(place)
            }
            None => None,
        };
        entry.names = self.table.give_ids(self.encoded.names).map_err(fail)?;
        if let Some((record, place)) = record.zip(place) {
            records.push(&record, place);
            self.write_if_many(records, at)?;
        }
        Ok(entry)
    }

    /// Reads the record of an entry, which may be one of the new records. A record that is not all
    /// there was refused before.
    fn read_record(
        &mut self,
        entry: &IndexEntry,
        records: &mut NewRecords,
        old_games: &mut OldGames,
    ) -> std::io::Result<()> {
        let length = entry.length as usize;
        if entry.end() > old_games.size {
            records.write(&mut self.files.games)?;
            return self.files.games.read_into(entry.offset, length, &mut old_games.record);
        }
        let games = old_games.pages.cached(&self.files.games);
        games.read_into(entry.offset, length, &mut old_games.record)
    }
}

/// Returns where the tags of a record end.
fn end_of_tags(record: &[u8]) -> Option<usize> {
    let mut rest = record;
    loop {
        let (next, tag) = parse_tag(rest)?;
        rest = next;
        if tag.is_none() {
            return record.len().checked_sub(rest.len());
        }
    }
}
