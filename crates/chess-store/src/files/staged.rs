//! New files, written under temporary names.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::commit::{Change, commit, failed, recover, sync_folder};
use super::disk::{Disk, OnDisk};
use super::lock::Lock;
use super::marker::Marker;
use super::names::{folder_of, marker_of, name_of, new_token, stem_of, temporary};
use super::{leftovers, ours};

/// How long a commit waits for another that is just being made.
const PATIENCE: Duration = Duration::from_secs(5);

/// New files that appear all together when they are complete, or not at all.
///
/// Each is written under a temporary name in its own folder. [`commit`](Staged::commit) puts them
/// in place as the [module](super) describes: create the index last, the file without which there
/// is no base. Dropped without commit, the temporary files are removed.
///
/// ```
/// use std::io::Write;
/// use chess_store::files::Staged;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("base.pgn");
/// let mut staged = Staged::new();
/// staged.create(&path)?.write_all(b"[Event \"?\"]\n\n*\n")?;
/// assert!(!path.exists());
/// staged.commit()?;
/// assert!(path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Staged<D: Disk = OnDisk> {
    disk: D,
    token: String,
    files: Vec<New<D>>,
    /// Extensions of files of the old base that the new one does not have.
    gone: Vec<String>,
    /// The index of the base and the lock on it, where they are known beforehand.
    index: Option<PathBuf>,
    lock: Option<Arc<Lock<D>>>,
    /// Whether a marker speaks of the temporary files.
    pending: bool,
}

#[derive(Debug)]
struct New<D: Disk> {
    path: PathBuf,
    temporary: PathBuf,
    /// Keeps the file locked, and syncs it: some systems sync only what is open for writing.
    file: D::File,
}

impl Default for Staged {
    fn default() -> Staged {
        Staged::new()
    }
}

impl Staged {
    /// No file yet.
    #[must_use]
    pub fn new() -> Staged {
        Staged::on(OnDisk, None, None)
    }

    /// Creates a file that will be called `path`, open for reading and writing. If `path` is a
    /// link, what it leads to will be replaced. A file takes owner, group and mode of the one it
    /// replaces.
    ///
    /// # Errors
    /// Those of creating it; if the file would lie elsewhere than those created before, as when
    /// some of a base are links and others are not.
    pub fn create(&mut self, path: &Path) -> io::Result<File> {
        self.create_file(path)
    }

    /// Gives all files their names, replacing what stood there, and returns when that is on the
    /// disk. A base of several files is locked meanwhile, unless it is already.
    ///
    /// # Errors
    /// Those of the disk, with the file; [`io::ErrorKind::ResourceBusy`] if another program is
    /// changing the base. The base is then what it was; or, in rare cases that the error tells,
    /// the new one, not all of which has its names yet.
    pub fn commit(self) -> io::Result<()> {
        self.put_in_place()
    }
}

impl<D: Disk> Staged<D> {
    #[doc(hidden)]
    pub fn on(disk: D, index: Option<PathBuf>, lock: Option<Arc<Lock<D>>>) -> Staged<D> {
        let (token, files, gone) = (new_token(), Vec::new(), Vec::new());
        Staged { disk, token, files, gone, index, lock, pending: false }
    }

    /// Says that the old base may have a file of this extension, which the new one does not: it
    /// goes when the new one comes.
    pub fn leave_out(&mut self, extension: &str) {
        self.gone.push(extension.to_owned());
    }

    #[doc(hidden)]
    pub fn create_file(&mut self, path: &Path) -> io::Result<D::File> {
        let path = self.disk.real(path).map_err(failed("cannot create", path))?;
        self.check_place(&path)?;
        if self.files.is_empty() {
            leftovers::remove(&self.disk, &path, &self.token);
        }
        let temporary = temporary(&path, &self.token);
        let file = self.create_locked(&path, &temporary).map_err(failed("cannot create", &path))?;
        if D::IS_REAL {
            ours::add(&temporary);
        }
        let shared = self.disk.share(&file);
        self.files.push(New { path, temporary, file });
        shared
    }

    /// All files of a base have one folder and one stem, so that their temporary names are found
    /// by any of theirs.
    fn check_place(&self, path: &Path) -> io::Result<()> {
        let first = self.index.as_deref().or_else(|| self.files.first().map(|new| &*new.path));
        let Some(first) = first else { return Ok(()) };
        if folder_of(path) == folder_of(first) && stem_of(path) == stem_of(first) {
            return Ok(());
        }
        let (path, first) = (path.display(), first.display());
        let text = format!("{path} does not belong to the same base as {first}: is one a link?");
        Err(io::Error::new(io::ErrorKind::InvalidInput, text))
    }

    fn create_locked(&self, path: &Path, temporary: &Path) -> io::Result<D::File> {
        let first = self.files.first().map(|new| &*new.path);
        let likes: Vec<&Path> =
            [Some(path), self.index.as_deref(), first].into_iter().flatten().collect();
        // Who removes leftovers may come between creating and locking; then once more.
        for pause in [1, 10, 100, 1000] {
            let file = match self.disk.create_new(temporary, &likes) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    thread::sleep(Duration::from_millis(pause));
                    continue;
                }
                file => file?,
            };
            // Where there are no locks, leftovers are not removed either.
            if matches!(self.disk.try_lock(&file), Ok(false)) {
                continue;
            }
            let own = self.disk.identity_of(&file);
            match own.and_then(|own| Ok(self.disk.identity(temporary)? == Some(own))) {
                Ok(true) => return Ok(file),
                Ok(false) => {}
                Err(error) => {
                    let _ = self.disk.remove(temporary);
                    return Err(error);
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    #[doc(hidden)]
    pub fn put_in_place(mut self) -> io::Result<()> {
        let synced = self.disk.sync_files(self.files.iter_mut().map(|new| &mut new.file).collect());
        for (result, new) in synced.into_iter().zip(&self.files) {
            result.map_err(failed("cannot sync", &new.path))?;
        }
        let _until_done = if D::IS_REAL { Some(ours::commit()?) } else { None };
        if self.files.len() > 1 || !self.gone.is_empty() {
            self.put_several_in_place()?;
        } else if let Some(new) = self.files.first() {
            self.put_one_in_place(new)?;
        }
        for new in self.files.drain(..) {
            if D::IS_REAL {
                ours::forget(&new.temporary);
            }
        }
        Ok(())
    }

    /// A rename is whole or not at all.
    fn put_one_in_place(&self, new: &New<D>) -> io::Result<()> {
        let _lock = match self.disk.identity(&marker_of(&new.path))? {
            // It is the index of a base that was stopped on its way.
            Some(_) => Some(self.locked(&new.path)?),
            None => None,
        };
        self.release(new);
        self.disk
            .rename(&new.temporary, &new.path)
            .map_err(failed("cannot put in place", &new.path))?;
        sync_folder(&self.disk, folder_of(&new.path))
    }

    fn put_several_in_place(&mut self) -> io::Result<()> {
        let last = self.files.last().map(|new| new.path.clone());
        let Some(index) = self.index.clone().or(last) else { return Ok(()) };
        if !self.files.iter().any(|new| new.path == index) {
            let text = format!("there is no new {}", name_of(&index));
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let _lock = self.locked(&index)?;
        let paths = self.files.iter().map(|new| &*new.path);
        let others = paths.filter(|path| *path != index).collect();
        let marker = Marker { token: self.token.clone(), gone: self.gone.clone() };
        let change = Change { index: &index, others, marker };
        let release = || self.files.iter().for_each(|new| self.release(new));
        let result = commit(&self.disk, &change, release);
        result.map_err(|failure| {
            self.pending = failure.pending;
            failure.error
        })
    }

    /// The lock on a base in which no earlier change is half in place.
    fn locked(&self, index: &Path) -> io::Result<Arc<Lock<D>>> {
        let lock = match &self.lock {
            Some(lock) => Arc::clone(lock),
            None => Arc::new(Lock::of_index(&self.disk, index, PATIENCE)?),
        };
        recover(&self.disk, index, &self.token)?;
        Ok(lock)
    }

    /// On Windows nobody else can read what is locked.
    fn release(&self, new: &New<D>) {
        if cfg!(windows) {
            let _ = self.disk.unlock(&new.file);
        }
    }
}

impl<D: Disk> Drop for Staged<D> {
    fn drop(&mut self) {
        for new in &self.files {
            if !self.pending {
                // Nobody is left to tell; the next change tries again.
                let _ = self.disk.remove(&new.temporary);
            }
            if D::IS_REAL {
                ours::forget(&new.temporary);
            }
        }
    }
}
