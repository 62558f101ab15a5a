//! Locks that allow one program at a time to change a base.

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::commit::failed;
use super::disk::{Disk, OnDisk};
use super::names::{lock_of, name_of};
use super::ours;
use super::view::View;

/// Interval between attempts.
const PAUSE: Duration = Duration::from_millis(20);
/// Number of retries when the lock file was removed or replaced while it was being locked. The
/// limit is needed if the lock file is a broken link.
const MAX_AGAIN: u32 = 1000;

/// The exclusive right to change a base.
///
/// This is a system lock on a file `base.si4~lock` beside the index. The index itself is not
/// locked: a change replaces it, and on Windows a locked file cannot be read. The lock file is
/// removed with the lock. A lock file of a killed program is unlocked and is reused. Readers need
/// no lock. Programs that do not use this library ignore the lock.
///
/// If the file system has no locks, the existence of the file is the lock.
#[derive(Debug)]
pub struct Lock<D: Disk = OnDisk> {
    disk: D,
    path: PathBuf,
    file: D::File,
}

impl Lock {
    /// Locks a base by the path of any of its files. `index` is the extension of the index. The
    /// base need not exist. Waits up to `wait` for another program to finish.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another program holds the lock; other I/O errors.
    pub fn take(path: &Path, index: &str, wait: Duration) -> io::Result<Lock> {
        let view = View::look(&OnDisk, path, index)?;
        Lock::of_index(&OnDisk, &view.index, wait)
    }
}

enum Attempt<D: Disk> {
    Held(Lock<D>),
    /// The lock file was replaced before it was locked.
    Again,
    Busy,
    /// In use, or left by a killed program. Without file locks these cannot be distinguished.
    Stuck,
}

impl<D: Disk> Lock<D> {
    /// Locks the base with this index. The path must not contain links.
    pub(super) fn of_index(disk: &D, index: &Path, wait: Duration) -> io::Result<Lock<D>> {
        let path = lock_of(index);
        let mut left = wait.as_millis().div_ceil(PAUSE.as_millis());
        let mut again = 0..MAX_AGAIN;
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
        let mut created = disk.create_new(path, &[]);
        if cfg!(windows)
            && created.as_ref().is_err_and(is_denied)
            && matches!(disk.identity(path), Ok(None))
        {
            // The file that was being removed is gone now, or nobody may create files here.
            created = disk.create_new(path, &[]);
            if created.as_ref().is_err_and(is_denied) && matches!(disk.identity(path), Ok(None)) {
                return created.map(|_| Attempt::Again);
            }
        }
        let (file, is_new) = match created {
            Ok(file) => (file, true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                match disk.open_to_lock(path) {
                    Ok(file) => (file, false),
                    // The file was removed between the two calls.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {
                        return Ok(Attempt::Again);
                    }
                    // Windows returns this error for a file that is being removed.
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
        // The previous holder may have removed the file, and others may be locking a new one.
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
