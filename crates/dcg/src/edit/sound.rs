//! Checks that appended data cannot become part of existing games.

use chess_store::Location;
use chess_store::io::{PageCache, ReadAt, WriteAt};

use super::Editor;
use crate::error::{Error, ErrorKind};
use crate::index::IndexEntry;
use crate::layout::{Layout, MAGIC_SIZE, NAME_SIZE, NO_NAME};
use crate::length::{LengthError, parse_length};

/// The largest size of a length.
const LENGTH: usize = 8;

impl<F: WriteAt> Editor<F> {
    /// Returns an error if an entry refers to missing data. Appended names and records would fill
    /// that place, and an unreadable game would become a false one.
    pub(super) fn check_sound(&mut self) -> Result<(), Error> {
        if self.is_sound {
            return Ok(());
        }
        self.refuse_old_layout()?;
        let (index, games) = (PageCache::default(), PageCache::default());
        let (index, games) = (index.cached(&self.files.dci), games.cached(&self.files.dcg));
        let size = |file: &F, name| file.size().map_err(Error::io(Location::file(name)));
        let players = size(&self.files.dcn, "dcn")?;
        let sites = size(&self.files.dcs, "dcs")?;
        let events = self.files.dce.as_ref().map_or(Ok(0), |file| size(file, "dce"))?;
        for number in 0..self.entries.count {
            let entry = self.entries.read(&index, number)?;
            let at = self.entries.location(number);
            let IndexEntry { white, black, site, event, .. } = entry;
            for (reference, size) in
                [(white, players), (black, players), (site, sites), (event, events)]
            {
                let end = u64::from(reference).saturating_add(NAME_SIZE as u64);
                if reference != NO_NAME && end > size {
                    return Err(ErrorKind::Unsound("a game has a name that is not there").at(at));
                }
            }
            if !is_whole(&games, entry.offset).map_err(Error::io(at))? {
                return Err(ErrorKind::Unsound("a game's record is not all there").at(at));
            }
        }
        if self.entries.count == 0 && size(&self.files.dcg, "dcg")? > MAGIC_SIZE {
            let kind = ErrorKind::Unsound("the index has no entries; the games are lost");
            return Err(kind.at(Location::file("dci")));
        }
        self.keep_cut_entry()?;
        self.is_sound = true;
        Ok(())
    }

    /// Fills an entry within which the index ends with zeros: a game without a record. An append that
    /// was stopped leaves such an entry, and a file that was cut, too.
    fn keep_cut_entry(&mut self) -> Result<(), Error> {
        let number = self.entries.count;
        let (offset, at) = (Layout::Current.entry_offset(number), self.entries.location(number));
        if self.files.dci.size().map_err(Error::io(at))? > offset {
            let mut bytes = Vec::new();
            IndexEntry::default().encode(Layout::Current, &mut bytes);
            self.change_index(offset, at, &bytes)?;
            self.entries.count = number.saturating_add(1);
        }
        Ok(())
    }
}

/// Whether the record at this offset ends within the file, or is unreadable anyway.
fn is_whole(games: &impl ReadAt, offset: u64) -> std::io::Result<bool> {
    if offset < MAGIC_SIZE {
        return Ok(true);
    }
    let mut start = [0; LENGTH];
    let count = games.read_full(offset, &mut start)?;
    Ok(match parse_length(start.get(..count).unwrap_or_default()) {
        Ok(length) => {
            let end = offset.saturating_add(length.size as u64);
            end.saturating_add(u64::from(length.value)) <= games.size()?
        }
        Err(LengthError::Cut) => false,
        Err(LengthError::Form(_)) => true,
    })
}
