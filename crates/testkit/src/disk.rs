//! Files in memory that fail on request, to prove that a crash loses no data.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use chess_store::io::{ReadAt, WriteAt};

use crate::unsynced::{Left, Unsynced};

/// A file in memory. Clones share the bytes; files made with the same [`Stop`] share its count.
///
/// When a change fails, [`bytes`](Disk::bytes) returns what remains if the program is killed. If
/// the power fails, less may remain: see [`after_power_cut`](Disk::after_power_cut). A test that
/// checks both shows that the order of the changes is right, and that no sync is missing.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    file: Arc<Mutex<Unsynced>>,
    stop: Stop,
}

/// Lets a number of changes through and fails all later ones, as if the power were cut.
///
/// Run the change once with [`Stop::never`] and take [`Stop::count`]. Then run it again for every
/// number below the count, and reopen what remains.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Mutex<Count>>);

#[derive(Debug, Default)]
struct Count {
    done: u64,
    limit: Option<u64>,
    torn: bool,
    syncs: u64,
    ignored: Option<u64>,
    /// Only writes that extend a file fail.
    full: bool,
}

impl Stop {
    /// Counts changes and lets all of them through.
    #[must_use]
    pub fn never() -> Stop {
        Stop::default()
    }

    /// Fails every change after the first `changes`. If `torn` is true, the first change that fails
    /// still writes the first half of its bytes.
    #[must_use]
    pub fn after(changes: u64, torn: bool) -> Stop {
        Stop(Arc::new(Mutex::new(Count { limit: Some(changes), torn, ..Count::default() })))
    }

    /// Simulates a full disk after `changes` changes: no file can grow, but files can be
    /// overwritten, truncated and synced.
    #[must_use]
    pub fn full_after(changes: u64, torn: bool) -> Stop {
        let count = Count { limit: Some(changes), torn, full: true, ..Count::default() };
        Stop(Arc::new(Mutex::new(count)))
    }

    /// Makes the sync with this number, from zero, report success without doing anything. If no
    /// test fails then, no code needs that sync.
    pub fn ignore_sync(&self, number: u64) {
        self.0.lock().unwrap().ignored = Some(number);
    }

    /// Returns the number of syncs requested so far, for all files.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        self.0.lock().unwrap().syncs
    }

    /// Counts a sync. Returns whether to carry it out.
    fn syncs_now(&self) -> bool {
        let mut count = self.0.lock().unwrap();
        count.syncs += 1;
        count.ignored.is_none_or(|ignored| ignored + 1 != count.syncs)
    }

    /// Returns the number of changes requested so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.lock().unwrap().done
    }

    fn is_full(&self) -> bool {
        self.0.lock().unwrap().full
    }

    /// Counts a change that takes no space on the disk.
    fn pass_without_room(&self) -> io::Result<()> {
        match self.pass() {
            Err(_) if !self.is_full() => Err(unplugged()),
            _ => Ok(()),
        }
    }

    /// Counts a change. Returns `Err(true)` if it fails torn, and `Err(false)` if it fails without
    /// writing.
    fn pass(&self) -> Result<(), bool> {
        let mut count = self.0.lock().unwrap();
        count.done += 1;
        match count.limit {
            Some(limit) if count.done > limit => Err(count.torn && count.done == limit + 1),
            _ => Ok(()),
        }
    }
}

impl Disk {
    /// Returns a file with these bytes, all on the disk. Its changes are counted by `stop`.
    #[must_use]
    pub fn new(bytes: Vec<u8>, stop: &Stop) -> Disk {
        Disk { file: Arc::new(Mutex::new(Unsynced::new(bytes))), stop: stop.clone() }
    }

    /// Returns the current content.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.file().seen().to_vec()
    }

    /// Returns content that the file may have if the power fails now. Synced data is there. Of
    /// later writes, nothing is there if `seed` is 0, everything if it is 1, and otherwise a
    /// selection of sectors that depends on the seed.
    #[must_use]
    pub fn after_power_cut(&self, seed: u64) -> Vec<u8> {
        self.file().after_power_cut(&mut Left::of(seed))
    }

    fn file(&self) -> MutexGuard<'_, Unsynced> {
        self.file.lock().unwrap()
    }
}

fn unplugged() -> io::Error {
    io::Error::other("the plug is pulled")
}

impl ReadAt for Disk {
    fn size(&self) -> io::Result<u64> {
        Ok(self.file().seen().len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.file().seen().read_at(offset, buffer)
    }
}

impl WriteAt for Disk {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let fits = offset + bytes.len() as u64 <= self.file().seen().len() as u64;
        match self.stop.pass() {
            Err(_) if fits && self.stop.is_full() => {
                self.file().write(offset as usize, bytes);
                Ok(())
            }
            Ok(()) => {
                self.file().write(offset as usize, bytes);
                Ok(())
            }
            Err(torn) => {
                if torn {
                    self.file().write(offset as usize, &bytes[..bytes.len() / 2]);
                }
                Err(unplugged())
            }
        }
    }

    fn set_size(&mut self, size: u64) -> io::Result<()> {
        self.stop.pass_without_room()?;
        self.file().set_size(size as usize);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.stop.pass_without_room()?;
        if self.stop.syncs_now() {
            self.file().sync();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the data, and then the pointer to it.
    fn change(disk: &mut Disk) -> io::Result<()> {
        disk.write_at(1024, &[2; 1024])?;
        disk.sync()?;
        disk.write_at(0, &[1])?;
        disk.sync()
    }

    /// Returns whether the data always existed when a pointer to it did, whatever change was the
    /// last.
    fn holds(ignored: Option<u64>) -> bool {
        (0..=4).all(|last| {
            let stop = Stop::after(last, false);
            ignored.inspect(|number| stop.ignore_sync(*number));
            let mut disk = Disk::new(vec![0; 1024], &stop);
            let result = change(&mut disk);
            (0..50).map(|seed| disk.after_power_cut(seed)).all(|bytes| {
                let whole = bytes.get(1024..).is_some_and(|rest| rest == [2; 1024]);
                if result.is_ok() { whole && bytes[0] == 1 } else { whole || bytes[0] == 0 }
            })
        })
    }

    #[test]
    fn disk_missing_sync_is_found() {
        assert!(holds(None));
        assert!(!holds(Some(0)) && !holds(Some(1)));
    }
}
