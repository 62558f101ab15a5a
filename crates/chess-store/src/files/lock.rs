//! One program changes a base at a time.

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::commit::failed;
use super::disk::{Disk, OnDisk};
use super::names::{lock_of, name_of};
use super::ours;
use super::view::View;

/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(20);
/// How often the lock file may be gone or another when it is locked: it is not there, perhaps, but
/// a link that leads nowhere.
const MOST_AGAIN: u32 = 1000;

/// Whoever holds it is the only one to change a base.
///
/// It is the system's lock on a file `base.si4~lock` beside the index, not on the index itself,
/// which a change replaces, and which nobody else could read on Windows. The file goes with the
/// lock; one that a killed program left is locked by nobody, and is used again. Readers need no
/// lock; programs that are not of this library know nothing of it.
///
/// Where the file system has no locks, the file being there is the lock.
#[derive(Debug)]
pub struct Lock<D: Disk = OnDisk> {
    disk: D,
    path: PathBuf,
    file: D::File,
}

impl Lock {
    /// Locks the base that any of its files names, whose index has this extension. The base need
    /// not be there yet. Waits this long for another program to finish.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another has it; those of the disk.
    pub fn take(path: &Path, index: &str, wait: Duration) -> io::Result<Lock> {
        let view = View::look(&OnDisk, path, index)?;
        Lock::of_index(&OnDisk, &view.index, wait)
    }
}

enum Attempt<D: Disk> {
    Held(Lock<D>),
    /// The file was another when it was locked.
    Again,
    Busy,
    /// Busy, or left by a program that was killed: where there are no locks, there is no telling.
    Stuck,
}

impl<D: Disk> Lock<D> {
    /// Locks the base with this index, whose path has no links.
    pub(super) fn of_index(disk: &D, index: &Path, wait: Duration) -> io::Result<Lock<D>> {
        let path = lock_of(index);
        let mut left = wait.as_millis().div_ceil(PAUSE.as_millis());
        let mut again = 0..MOST_AGAIN;
        loop {
            let hint = match Lock::attempt(disk, &path).map_err(failed("cannot lock", &path))? {
                Attempt::Held(lock) => return Ok(lock),
                Attempt::Again if again.next().is_some() => continue,
                Attempt::Busy => String::new(),
                Attempt::Again | Attempt::Stuck => format!("; if not, remove {}", name_of(&path)),
            };
            if left == 0 {
                let text = format!("{} is in use by another program{hint}", name_of(index));
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
            }
            left = left.saturating_sub(1);
            thread::sleep(PAUSE);
        }
    }

    fn attempt(disk: &D, path: &Path) -> io::Result<Attempt<D>> {
        let (file, is_new) = match disk.create_new(path, &[]) {
            Ok(file) => (file, true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                match disk.open_to_lock(path) {
                    Ok(file) => (file, false),
                    // Removed between the two calls.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {
                        return Ok(Attempt::Again);
                    }
                    // What Windows says of a file that is being removed.
                    Err(error) if cfg!(windows) && is_denied(&error) => return Ok(Attempt::Busy),
                    Err(error) => return Err(error),
                }
            }
            Err(error) if cfg!(windows) && is_denied(&error) => return Ok(Attempt::Busy),
            Err(error) => return Err(error),
        };
        match disk.try_lock(&file) {
            Ok(false) => return Ok(Attempt::Busy),
            Err(_) if !is_new => return Ok(Attempt::Stuck),
            Ok(true) | Err(_) => {}
        }
        // Its last holder may have removed it meanwhile, and others may lock a new one.
        if disk.identity(path)? != Some(disk.identity_of(&file)?) {
            return Ok(Attempt::Again);
        }
        if D::IS_REAL {
            ours::add(path);
        }
        Ok(Attempt::Held(Lock { disk: disk.clone(), path: path.to_path_buf(), file }))
    }
}

impl<D: Disk> Drop for Lock<D> {
    fn drop(&mut self) {
        let same = self.disk.identity_of(&self.file);
        if let (Ok(own), Ok(Some(there))) = (same, self.disk.identity(&self.path))
            && own == there
        {
            let _ = self.disk.remove(&self.path);
        }
        if D::IS_REAL {
            ours::forget(&self.path);
        }
    }
}

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}
