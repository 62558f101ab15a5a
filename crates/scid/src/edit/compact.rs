//! Dropping deleted games, dead space and unused names. (scid §8 "Editing")
//!
//! The three files cannot be swapped at once. So records are copied to the end of the games file
//! and from there to its beginning, and the index is swapped after each: what it points to is
//! never overwritten. Then names in use whose ids are too high take over lower ids that nothing
//! uses. While the index may have either id, both have the name.

use chess_core::Location;

use super::entries::map_ids;
use super::{Editor, SwapFile};
use crate::database::read_names;
use crate::error::{Error, ErrorKind, io as failed};
use crate::index::Entry;
use crate::layout::{Version, flag};
use crate::names::{NameKind, RawNames};
use crate::names_5::{encode_names_5, set_autoload_5, survey_5};
use crate::writer::gap_before;

/// The ids of a kind once unused names are gone.
#[derive(Debug, Default)]
struct Renumbering {
    /// How many names are used; their ids are below this.
    used: usize,
    /// Ids in use from there on, and the unused ones that take their place.
    moves: Vec<(u32, u32)>,
}

impl Renumbering {
    fn new(uses: &[u32]) -> Renumbering {
        let used = uses.iter().filter(|uses| **uses > 0).count();
        let ids = || (0u32..).zip(uses);
        let free = ids().take(used).filter(|(_, uses)| **uses == 0);
        let high = ids().skip(used).filter(|(_, uses)| **uses > 0);
        Renumbering { used, moves: high.zip(free).map(|((from, _), (to, _))| (from, to)).collect() }
    }

    fn new_id(&self, id: u32) -> u32 {
        let found = self.moves.binary_search_by_key(&id, |(from, _)| *from);
        found.ok().and_then(|at| self.moves.get(at)).map_or(id, |(_, to)| *to)
    }
}

impl<F: SwapFile> Editor<F> {
    /// Drops deleted games, the space of the games file nothing points to, and names nobody uses.
    /// The game to load stays the same, or becomes the first one if it is dropped. Meanwhile the
    /// games file is twice as large.
    ///
    /// # Errors
    /// If a record cannot be read, or there is no room for the copies, in which case nothing has
    /// changed; those of the disk.
    pub fn compact(&mut self) -> Result<(), Error> {
        let end = self.games_size()?;
        // Once to the end, where nothing is lost if it stops; then to the beginning, which by then
        // nothing points to. Gaps may make the beginning longer than the file was.
        let copies = end.max(self.end_of_records(kept)?);
        if let Err(error) = self.copy_records(copies, kept) {
            // The error matters more than another one of cutting off what nothing points to.
            let _ = self.games.set_size(end);
            return Err(error);
        }
        let autoload = self.autoload_of_kept()?;
        self.redirect(copies, autoload, kept)?;
        let end = self.copy_records(0, |_| true)?;
        self.redirect(0, autoload, |_| true)?;
        self.games.set_size(end).map_err(failed(Location::file(self.files.games)))?;
        self.sync_games()?;
        self.compact_names()
    }

    /// Drops the names nobody uses.
    fn compact_names(&mut self) -> Result<(), Error> {
        let mut names = self.take_names()?;
        let new_ids = NameKind::ALL.map(|kind| Renumbering::new(self.maker.table.uses(kind)));
        if new_ids.iter().any(|kind| !kind.moves.is_empty()) {
            for (list, kind) in names.iter_mut().zip(&new_ids) {
                kind.moves.iter().for_each(|(from, to)| list.share(*to, *from));
            }
            self.put_all_names(&names)?;
            self.renumber(&new_ids)?;
        }
        for (list, kind) in names.iter_mut().zip(&new_ids) {
            list.truncate(kind.used);
        }
        self.put_all_names(&names)
    }

    /// The game to load once deleted games are gone: the same one, or the first if it is gone; as
    /// Scid has it.
    fn autoload_of_kept(&self) -> Result<u32, Error> {
        let old = u64::from(self.info.autoload);
        let mut before = 0u32;
        for (number, entry) in (1..=old).zip(self.entries()) {
            let entry = entry.map_err(failed(Location::file(self.files.index)))?;
            if kept(&entry) {
                before = before.saturating_add(1);
                if number == old {
                    return Ok(before);
                }
            }
        }
        Ok(self.info.autoload.min(1))
    }

    /// Copies the records of games that are `wanted` to the games file from `start` on, in the
    /// order of the index; says where they end.
    fn copy_records(&mut self, start: u64, wanted: fn(&Entry) -> bool) -> Result<u64, Error> {
        let mut end = start;
        let mut record = Vec::new();
        let size = self.games_size()?;
        for (game, entry) in (0..).zip(self.entries()) {
            let entry = entry.map_err(failed(self.entry_location(game)))?;
            if !wanted(&entry) {
                continue;
            }
            let at = Location::file(self.files.games).at(entry.offset).in_game(game);
            // By the size of before: what is copied may lie beyond, with zeros in between.
            if entry.length == 0 || entry.offset.saturating_add(u64::from(entry.length)) > size {
                return Err(Error::new(ErrorKind::Unsound("a record is not there"), at));
            }
            let length = entry.length as usize;
            self.games.read_into(entry.offset, length, &mut record).map_err(failed(at))?;
            self.write_record(&mut end, &record, at)?;
        }
        self.sync_games()?;
        Ok(end)
    }

    /// Where the records of games that are `wanted` would end if they began with the file.
    fn end_of_records(&self, wanted: fn(&Entry) -> bool) -> Result<u64, Error> {
        let mut end = 0u64;
        for entry in self.entries() {
            let entry = entry.map_err(failed(Location::file(self.files.index)))?;
            if wanted(&entry) {
                let gap = gap_before(end, entry.length as usize, self.version);
                end = end.saturating_add(gap).saturating_add(u64::from(entry.length));
            }
        }
        Ok(end)
    }

    /// Swaps the index for one of the games that are `wanted`, their records where
    /// [`copy_records`](Self::copy_records) has put them.
    fn redirect(
        &mut self,
        start: u64,
        autoload: u32,
        wanted: fn(&Entry) -> bool,
    ) -> Result<(), Error> {
        let mut left = 0u64;
        for entry in self.entries() {
            let entry = entry.map_err(failed(Location::file(self.files.index)))?;
            left = left.saturating_add(u64::from(wanted(&entry)));
        }
        let old_autoload = std::mem::replace(&mut self.info.autoload, autoload);
        let version = self.version;
        let mut end = start;
        let swapped = self.swap_index(left, &mut |_, mut entry| {
            if !wanted(&entry) {
                return None;
            }
            let length = entry.length as usize;
            entry.offset = end.saturating_add(gap_before(end, length, version));
            end = entry.offset.saturating_add(length as u64);
            Some(entry)
        });
        if swapped.is_err() {
            self.info.autoload = old_autoload;
        }
        swapped
    }

    /// Swaps the index for one with new ids.
    fn renumber(&mut self, new_ids: &[Renumbering; 4]) -> Result<(), Error> {
        let new_id = |kind: NameKind, id| new_ids.get(kind as usize).map_or(id, |n| n.new_id(id));
        self.swap_index(self.count, &mut |_, mut entry| {
            entry.names = map_ids(entry.names, new_id);
            Some(entry)
        })
    }

    /// Swaps the names file for one of these names.
    fn put_all_names(&mut self, names: &RawNames) -> Result<(), Error> {
        let table = self.count_names(names)?;
        let bytes = match self.version {
            Version::Si5 => {
                let (_, info) = survey_5(&read_names(&self.names, self.files)?);
                encode_names_5(&set_autoload_5(&info, self.info.autoload), names)
            }
            Version::Si3 | Version::Si4 => table.encode_4(),
        };
        self.swap_names(&bytes)?;
        self.names_end = bytes.len() as u64;
        self.maker.table = table;
        Ok(())
    }
}

fn kept(entry: &Entry) -> bool {
    entry.flags & flag::DELETED == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_ids_take_over_the_lowest_free_ones() {
        let renumbering = Renumbering::new(&[3, 0, 1, 0, 0, 2, 1]);
        assert_eq!(renumbering.used, 4);
        assert_eq!(renumbering.moves, [(5, 1), (6, 3)]);
        assert_eq!([0, 2, 5, 6].map(|id| renumbering.new_id(id)), [0, 2, 1, 3]);
    }

    #[test]
    fn nothing_moves_where_every_name_is_used() {
        let renumbering = Renumbering::new(&[3, 1]);
        assert_eq!((renumbering.used, renumbering.moves.len()), (2, 0));
        assert_eq!(Renumbering::new(&[]).used, 0);
    }
}
