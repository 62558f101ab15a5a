//! Drops deleted games, dead space and unused names. (scid §8 "Editing")
//!
//! New versions of all three files replace the old ones in one step. Until then the old files stay
//! unchanged.

use chess_store::Location;
use chess_store::io::{PageCache, ReadAt as _, WriteAt as _};

use super::entries::map_ids;
use super::{Editor, NewFiles};
use crate::database::read_names;
use crate::error::{Error, ErrorKind, size};
use crate::index::IndexEntry;
use crate::layout::{Version, flag};
use crate::name_table::NameTable;
use crate::names::{NameKind, RawNames};
use crate::names_5::{encode_names_5, set_autoload_5, survey_5};
use crate::output::{GamesOut, IndexOut};

/// Renumbers the ids of one kind when unused names are dropped. Ids must be below the number of
/// names, so names with higher ids move to the lowest unused ids.
#[derive(Debug, Default)]
struct Renumbering {
    /// The number of used names. All new ids are below it.
    used: usize,
    /// Used ids from there on, and the unused ids that replace them. Both are ascending.
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

    /// The old ids in the order of the new ones.
    fn old_ids(&self) -> impl Iterator<Item = u32> {
        let mut moves = self.moves.iter().peekable();
        (0..).take(self.used).map(move |id| match moves.next_if(|(_, to)| *to == id) {
            Some((from, _)) => *from,
            None => id,
        })
    }
}

impl<N: NewFiles> Editor<N> {
    /// Drops deleted games, unreferenced space in the games file, and unused names. The game to
    /// load stays the same, or becomes the first game if it is dropped. The base needs twice its
    /// disk space meanwhile.
    ///
    /// # Errors
    /// An unreadable record; I/O errors. The base then stays unchanged.
    pub fn compacted(mut self) -> Result<Editor<N>, Error> {
        if self.has_cut_entry()? {
            let kind = ErrorKind::Unsound("the index ends within an entry, whose game is lost");
            return Err(Error::new(kind, self.entry_location(self.count)));
        }
        let names_file = read_names(&self.files)?;
        let names = self.parse_names(&names_file)?;
        let table = self.used_names(&names, |_, entry| Ok(kept(entry)), |_, _| Ok(()))?;
        let renumbering = NameKind::ALL.map(|kind| Renumbering::new(table.uses(kind)));
        self.info.autoload = self.autoload_of_kept()?;
        let mut new_files = self.new_files.begin();
        let (names, table) = self.compacted_names(&names, &table, &renumbering)?;
        let (_, info_5) = survey_5(&names_file);
        let names = self.new_names(&mut new_files, &names, &table, &info_5)?;
        let (games, index, count) = self.new_games(&mut new_files, &renumbering)?;
        new_files.commit().map_err(Error::io(Location::file(self.files.extensions.index)))?;
        self.files.games = games;
        self.files.names = names;
        self.files.index = index;
        self.names_end = size(&self.files.names, self.files.extensions.names)?;
        self.count = count;
        self.set_table(table);
        Ok(self)
    }

    /// The game to load after deleted games are dropped: the same game, or the first if it was
    /// dropped, as in Scid.
    fn autoload_of_kept(&self) -> Result<u32, Error> {
        let old = u64::from(self.info.autoload);
        let mut before = 0u32;
        for (number, entry) in (1..=old).zip(self.entries()) {
            let entry = entry.map_err(Error::io(Location::file(self.files.extensions.index)))?;
            if kept(&entry) {
                before = before.saturating_add(1);
                if number == old {
                    return Ok(before);
                }
            }
        }
        Ok(self.info.autoload.min(1))
    }

    /// The used names under their new ids, with their use counts.
    fn compacted_names(
        &self,
        old_names: &RawNames,
        old: &NameTable,
        renumbering: &[Renumbering; 4],
    ) -> Result<(RawNames, NameTable), Error> {
        let at = Location::file(self.files.extensions.names);
        let mut names = RawNames::default();
        for ((list, old), ids) in names.iter_mut().zip(old_names).zip(renumbering) {
            for id in ids.old_ids() {
                let pushed = list.push(old.get(id).unwrap_or_default());
                pushed.map_err(|_| Error::new(ErrorKind::NamesTooLong, at))?;
            }
        }
        let mut table = self.table_of(&names)?;
        for (kind, ids) in NameKind::ALL.into_iter().zip(renumbering) {
            let uses = old.uses(kind);
            for (new, old) in (0..).zip(ids.old_ids()) {
                table.set_uses(kind, new, uses.get(old as usize).copied().unwrap_or(0));
            }
        }
        Ok((names, table))
    }

    fn new_names(
        &self,
        new_files: &mut N,
        names: &RawNames,
        table: &NameTable,
        info_5: &[u8],
    ) -> Result<N::File, Error> {
        let bytes = match self.version {
            Version::Si5 => {
                let info = set_autoload_5(info_5, self.info.autoload);
                encode_names_5(&info, names)
            }
            Version::Si3 | Version::Si4 => table.encode_4(),
        };
        let name = self.files.extensions.names;
        let file = new_files.create(name).and_then(|mut file| {
            file.write_at(0, &bytes)?;
            Ok(file)
        });
        file.map_err(Error::io(Location::file(name)))
    }

    /// Copies the records of the remaining games in index order and writes their index. Returns
    /// their number.
    fn new_games(
        &self,
        new_files: &mut N,
        renumbering: &[Renumbering; 4],
    ) -> Result<(N::File, N::File, u64), Error> {
        let (files, version) = (self.files.extensions, self.version);
        let mut create = |name| new_files.create(name).map_err(Error::io(Location::file(name)));
        let mut games = GamesOut::new(create(files.games)?, files, version);
        let mut index = IndexOut::new(create(files.index)?, files, version)?;
        let new_id =
            |kind: NameKind, id| renumbering.get(kind as usize).map_or(id, |kind| kind.new_id(id));
        let pages = PageCache::default();
        let old = pages.cached(&self.files.games);
        let (mut record, mut count) = (Vec::new(), 0u64);
        for (game, entry) in (0..).zip(self.entries()) {
            let mut entry = entry.map_err(Error::io(self.entry_location(game)))?;
            if !kept(&entry) || self.is_leftover(game, &entry) {
                continue;
            }
            let at = Location::file(files.games).at(entry.offset).in_game(game);
            let length = entry.length as usize;
            old.read_into(entry.offset, length, &mut record).map_err(Error::io(at))?;
            if length == 0 || record.len() < length {
                return Err(Error::new(ErrorKind::Unsound("a record is not there"), at));
            }
            let place = games.place(&record).map_err(|kind| Error::new(kind, at))?;
            games.push(&record, place)?;
            entry.offset = place.offset;
            entry.names = map_ids(entry.names, new_id);
            index.push(&entry)?;
            count = count.saturating_add(1);
        }
        Ok((games.finish()?, index.finish(&self.info_of(count))?, count))
    }
}

fn kept(entry: &IndexEntry) -> bool {
    entry.flags & flag::DELETED == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compact_names_highest_ids_take_lowest_free_ids() {
        let renumbering = Renumbering::new(&[3, 0, 1, 0, 0, 2, 1]);
        assert_eq!(renumbering.used, 4);
        assert_eq!(renumbering.moves, [(5, 1), (6, 3)]);
        assert_eq!([0, 2, 5, 6].map(|id| renumbering.new_id(id)), [0, 2, 1, 3]);
        assert_eq!(renumbering.old_ids().collect::<Vec<_>>(), [0, 5, 2, 6]);
    }

    #[test]
    fn compact_names_all_used_moves_nothing() {
        let renumbering = Renumbering::new(&[3, 1]);
        assert_eq!((renumbering.used, renumbering.moves.len()), (2, 0));
        assert_eq!(Renumbering::new(&[]).used, 0);
    }
}
