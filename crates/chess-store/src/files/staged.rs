//! New files under temporary names.

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
use super::names::{fault_on_windows, folder_of, marker_of, name_of, new_token, temporary};
use super::unchanged::unchanged;
use super::view::check_beside;
use super::{leftovers, ours};

/// How long a commit waits for another commit.
const PATIENCE: Duration = Duration::from_secs(5);

/// New files that appear together when they are complete, or not at all.
///
/// Each file is written under a temporary name in its own folder. [`commit`](Staged::commit)
/// renames the files as the [module](super) describes. Create the index last: it is the required
/// file of a base. Dropping the value without a commit removes the temporary files.
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
    /// Extensions of files that the old base has and the new one does not.
    gone: Vec<String>,
    /// The index of the base and the lock on it, if they are known in advance.
    index: Option<PathBuf>,
    lock: Option<Arc<Lock<D>>>,
    /// Whether a marker refers to the temporary files.
    pending: bool,
}

#[derive(Debug)]
struct New<D: Disk> {
    path: PathBuf,
    temporary: PathBuf,
    /// Keeps the file locked. Also used to sync it: some systems sync only files open for writing.
    file: D::File,
}

impl Default for Staged {
    fn default() -> Staged {
        Staged::new()
    }
}

impl Staged {
    /// Creates an empty set of files.
    #[must_use]
    pub fn new() -> Staged {
        Staged::on(OnDisk, None, None)
    }

    /// Creates a file with the destination `path`, open for reading and writing. If `path` is a
    /// link, the commit replaces its target. The new file takes the owner, group and mode of the
    /// file it replaces.
    ///
    /// # Errors
    /// I/O errors; an error if the file would be in another folder than earlier ones, for example
    /// because some files of the base are links and others are not.
    pub fn create(&mut self, path: &Path) -> io::Result<File> {
        self.create_file(path)
    }

    /// Renames all files to their destinations, replacing existing files, and syncs the result. A
    /// base of several files is locked meanwhile, unless it already is.
    ///
    /// # Errors
    /// I/O errors, with the path of the file; [`io::ErrorKind::ResourceBusy`] if another program is
    /// changing the base. The old base then stays. In rare cases, which the error describes, the
    /// new base is valid, but some of its files still have temporary names.
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

    /// Declares that the new base has no file with this extension. The commit removes the old one.
    pub fn leave_out(&mut self, extension: &str) {
        self.gone.push(extension.to_owned());
    }

    #[doc(hidden)]
    pub fn create_file(&mut self, path: &Path) -> io::Result<D::File> {
        refuse_on_windows(path)?;
        let path = self.disk.real(path).map_err(failed("cannot create", path))?;
        refuse_on_windows(&path)?;
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

    /// Checks that all files have one folder and one stem, so that the temporary names can be found
    /// from any of them.
    fn check_place(&self, path: &Path) -> io::Result<()> {
        let first = self.index.as_deref().or_else(|| self.files.first().map(|new| &*new.path));
        first.map_or(Ok(()), |first| check_beside(path, first))
    }

    fn create_locked(&self, path: &Path, temporary: &Path) -> io::Result<D::File> {
        let first = self.files.first().map(|new| &*new.path);
        let likes: Vec<&Path> =
            [Some(path), self.index.as_deref(), first].into_iter().flatten().collect();
        // A concurrent cleanup may delete the file before it is locked. Retry.
        for pause in [1, 10, 100, 1000] {
            let file = match self.disk.create_new(temporary, &likes) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    thread::sleep(Duration::from_millis(pause));
                    continue;
                }
                file => file?,
            };
            // Without file locks, cleanup does not remove leftovers either.
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
            result.map_err(failed("cannot sync", &new.path)).map_err(unchanged)?;
        }
        let _until_done = if D::IS_REAL { Some(ours::commit()?) } else { None };
        // On Windows the marker makes it safe to remove an open index before the new one takes its place.
        let is_index = |new: &New<D>| Some(&new.path) == self.index.as_ref();
        let has_open_index = cfg!(windows) && self.files.iter().any(is_index);
        if self.files.len() > 1 || !self.gone.is_empty() || has_open_index {
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

    /// Commits a single file. A rename is atomic.
    fn put_one_in_place(&self, new: &New<D>) -> io::Result<()> {
        let _lock = match self.disk.identity(&marker_of(&new.path))? {
            // The file is the index of a base whose replacement was interrupted.
            Some(_) => Some(self.locked(&new.path)?),
            None => None,
        };
        self.release(new);
        if let Err(error) = self.disk.rename(&new.temporary, &new.path) {
            let error = failed("cannot put in place", &new.path)(error);
            // Some file systems report a failure although the call succeeded.
            let own = self.disk.identity_of(&new.file).ok();
            let stays = own.is_some() && self.disk.identity(&new.temporary).ok().flatten() == own;
            return Err(if stays { unchanged(error) } else { error });
        }
        sync_folder(&self.disk, folder_of(&new.path))
    }

    fn put_several_in_place(&mut self) -> io::Result<()> {
        let last = self.files.last().map(|new| new.path.clone());
        let Some(index) = self.index.clone().or(last) else { return Ok(()) };
        if !self.files.iter().any(|new| new.path == index) {
            let text = format!("there is no new {}", name_of(&index));
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let _lock = self.locked(&index).map_err(unchanged)?;
        let paths = self.files.iter().map(|new| &*new.path);
        let others = paths.filter(|path| *path != index).collect();
        let marker = Marker { token: self.token.clone(), gone: self.gone.clone() };
        let change = Change { index: &index, others, marker };
        let release = || self.files.iter().for_each(|new| self.release(new));
        let result = commit(&self.disk, &change, release);
        result.map_err(|failure| {
            self.pending = failure.pending;
            if failure.pending { failure.error } else { unchanged(failure.error) }
        })
    }

    /// Returns the lock on the base, after completing an earlier change.
    fn locked(&self, index: &Path) -> io::Result<Arc<Lock<D>>> {
        let lock = match &self.lock {
            Some(lock) => Arc::clone(lock),
            None => Arc::new(Lock::of_index(&self.disk, index, PATIENCE)?),
        };
        recover(&self.disk, index, &self.token)?;
        Ok(lock)
    }

    /// On Windows other programs cannot read a locked file.
    fn release(&self, new: &New<D>) {
        if cfg!(windows) {
            let _ = self.disk.unlock(&new.file);
        }
    }
}

/// Refuses a name that Windows keeps for something else. The name is checked before links are
/// resolved, because joining `a:b.pgn` to a folder would give a file on the drive `a:`.
fn refuse_on_windows(path: &Path) -> io::Result<()> {
    match path.file_name().and_then(fault_on_windows) {
        Some(why) if cfg!(windows) => {
            let error = io::Error::new(io::ErrorKind::InvalidFilename, why);
            Err(failed("cannot create", path)(error))
        }
        _ => Ok(()),
    }
}

impl<D: Disk> Drop for Staged<D> {
    fn drop(&mut self) {
        for new in &self.files {
            if !self.pending {
                // An error cannot be reported here. The next change tries again.
                let _ = self.disk.remove(&new.temporary);
            }
            if D::IS_REAL {
                ours::forget(&new.temporary);
            }
        }
    }
}
