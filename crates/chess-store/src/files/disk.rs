//! The file system calls of this module, as a trait. Tests use a simulated disk that fails at any
//! call, or loses unsynced data.

#![allow(clippy::disallowed_methods, reason = "the calls that others reach through `Disk`")]

use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::listing::{key, names_like};
use super::names::{fault_on_windows, folder_of, new_token, temporary};
use crate::io::WriteAt;

/// File system calls. [`OnDisk`] passes them to the system.
pub trait Disk: Clone + Debug {
    /// An open file.
    type File: WriteAt + Debug;

    /// Whether the files are real files of this process, which [`give_up`](super::give_up) must
    /// remove.
    const IS_REAL: bool = false;

    /// Resolves links. The file need not exist.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;

    /// Creates a file that does not exist yet, without following a link. It gets the permissions
    /// of the first file in `likes` that exists. Fails if that is not a file.
    fn create_new(&self, path: &Path, likes: &[&Path]) -> io::Result<Self::File>;

    /// Opens a file for reading.
    fn open(&self, path: &Path) -> io::Result<Self::File>;

    /// Opens a file so that it can be locked.
    fn open_to_lock(&self, path: &Path) -> io::Result<Self::File>;

    /// Returns another handle to the same open file.
    fn share(&self, file: &Self::File) -> io::Result<Self::File>;

    /// Returns whether the lock was acquired. Fails if the file system has no locks.
    fn try_lock(&self, file: &Self::File) -> io::Result<bool>;

    /// Releases the lock. Closing the file also does so.
    fn unlock(&self, file: &Self::File) -> io::Result<()>;

    /// Waits until all data of these files is on the disk. Returns one result for each file.
    fn sync_files(&self, files: Vec<&mut Self::File>) -> Vec<io::Result<()>> {
        files.into_iter().map(WriteAt::sync).collect()
    }

    /// Returns the identity of the file with this name, if it exists.
    fn identity(&self, path: &Path) -> io::Result<Option<Identity>>;

    /// Returns the identity of an open file.
    fn identity_of(&self, file: &Self::File) -> io::Result<Identity>;

    /// Lists the names in a folder.
    fn names(&self, folder: &Path) -> io::Result<Vec<OsString>>;

    /// Lists the names in a folder of files whose base has the stem of `name`. In a crowded folder
    /// the list may be a little old.
    fn names_like(&self, folder: &Path, name: &OsStr) -> io::Result<Vec<OsString>> {
        let (names, stem) = (self.names(folder)?, key(name));
        Ok(names.into_iter().filter(|name| key(name) == stem).collect())
    }

    /// Renames a file, replacing the destination.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Waits until the names in a folder are on the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// Distinguishes a file from a later file with the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity(pub [u64; 3]);

impl Identity {
    /// Device and inode number.
    #[cfg(unix)]
    fn new(metadata: &Metadata) -> Identity {
        use std::os::unix::fs::MetadataExt;
        Identity([metadata.dev(), metadata.ino(), 0])
    }

    /// File numbers are not available here, so changes of the file change the identity too.
    #[cfg(windows)]
    fn new(metadata: &Metadata) -> Identity {
        use std::os::windows::fs::MetadataExt;
        Identity([metadata.creation_time(), metadata.last_write_time(), metadata.file_size()])
    }

    #[cfg(not(any(unix, windows)))]
    fn new(metadata: &Metadata) -> Identity {
        Identity([metadata.len(), 0, 0])
    }
}

/// The file systems of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnDisk;

impl Disk for OnDisk {
    type File = File;

    const IS_REAL: bool = true;

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        const MAX_LINKS: usize = 40;
        let mut path = path.to_path_buf();
        for _ in 0..MAX_LINKS {
            // Do not call `canonicalize` first: the target of the link may not exist yet.
            let Ok(target) = fs::read_link(&path) else {
                let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
                // Where names ignore case, an existing file keeps its spelling. A device is no file.
                if cfg!(windows)
                    && fault_on_windows(name).is_none()
                    && let Ok(spelt) = fs::canonicalize(&path)
                {
                    return Ok(spelt);
                }
                return Ok(fs::canonicalize(folder_of(&path))?.join(name));
            };
            path = folder_of(&path).join(target);
        }
        Err(io::Error::other("too many levels of symbolic links"))
    }

    fn create_new(&self, path: &Path, likes: &[&Path]) -> io::Result<File> {
        let mut like = None;
        for path in likes {
            like = match fs::metadata(path) {
                Err(error) if is_absence(&error) => continue,
                Ok(found) if !found.is_file() => {
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
                }
                found => Some(found?),
            };
            break;
        }
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        create_like(&mut options, path, like.as_ref())
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        File::open(path)
    }

    fn open_to_lock(&self, path: &Path) -> io::Result<File> {
        // Some file systems lock only writable files. A file of another user cannot be opened for
        // writing.
        let file = File::options().read(true).write(true).open(path);
        match file {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => File::open(path),
            file => file,
        }
    }

    fn share(&self, file: &File) -> io::Result<File> {
        file.try_clone()
    }

    fn try_lock(&self, file: &File) -> io::Result<bool> {
        match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn unlock(&self, file: &File) -> io::Result<()> {
        file.unlock()
    }

    /// Syncs all files in parallel, the first on this thread. A disk syncs many files in little
    /// more time than one.
    fn sync_files(&self, files: Vec<&mut File>) -> Vec<io::Result<()>> {
        let files: Vec<&File> = files.into_iter().map(|file| &*file).collect();
        let Some((first, others)) = files.split_first() else { return Vec::new() };
        thread::scope(|scope| {
            let threads: Vec<_> = others
                .iter()
                .map(|file| thread::Builder::new().spawn_scoped(scope, || file.sync_all()))
                .collect();
            let first = first.sync_all();
            let others = others.iter().zip(threads).map(|(file, thread)| match thread {
                Ok(thread) => thread.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into())),
                // The system has no threads, or too many are running.
                Err(_) => file.sync_all(),
            });
            iter::once(first).chain(others).collect()
        })
    }

    fn identity(&self, path: &Path) -> io::Result<Option<Identity>> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(metadata.is_file().then(|| Identity::new(&metadata))),
            Err(error) if is_absence(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn identity_of(&self, file: &File) -> io::Result<Identity> {
        Ok(Identity::new(&file.metadata()?))
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    fn names_like(&self, folder: &Path, name: &OsStr) -> io::Result<Vec<OsString>> {
        names_like(folder, name)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        despite_visitors(|| fs::rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if cfg!(windows) {
            // FAT, exFAT and some network drives keep the name of an open file that is removed until the file
            // is closed. Under another name it is in nobody's way.
            let aside = temporary(path, &new_token());
            if fs::rename(path, &aside).is_ok() {
                // If this fails, the file is a leftover, and the next change removes it.
                let _ = despite_visitors(|| fs::remove_file(&aside));
                return Ok(());
            }
        }
        despite_visitors(|| fs::remove_file(path))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        if !cfg!(unix) {
            // Other systems sync names implicitly or not at all.
            return Ok(());
        }
        match File::open(folder)?.sync_all() {
            // Some file systems do not support syncing folders.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                Ok(())
            }
            result => result,
        }
    }
}

/// Retries a call for about a second while Windows refuses it because another program has the file
/// open. Virus scanners and search indexers open each new file for a moment.
fn despite_visitors(call: impl Fn() -> io::Result<()>) -> io::Result<()> {
    const PAUSES: [u64; 7] = [5, 10, 20, 50, 100, 300, 500];
    for pause in PAUSES {
        match call() {
            Err(error) if cfg!(windows) && is_in_use(&error) => {
                thread::sleep(Duration::from_millis(pause));
            }
            result => return result,
        }
    }
    call()
}

/// Returns whether an error of Windows may mean that another program has the file open.
fn is_in_use(error: &io::Error) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    const LOCK_VIOLATION: i32 = 33;
    // `MoveFileExW` reports an open destination as a missing permission.
    error.kind() == io::ErrorKind::PermissionDenied
        || matches!(error.raw_os_error(), Some(SHARING_VIOLATION | LOCK_VIOLATION))
}

/// Returns true for "not found", and false if the error is inconclusive.
fn is_absence(error: &io::Error) -> bool {
    // The name of a marker or lock may exceed the name limit. Such a file cannot exist.
    use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidFilename)
}

/// Creates a file with the owner, group and mode of another.
#[cfg(unix)]
fn create_like(
    options: &mut fs::OpenOptions,
    path: &Path,
    like: Option<&Metadata>,
) -> io::Result<File> {
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
    let Some(like) = like else { return options.open(path) };
    // Private at first.
    let file = options.mode(0o600).open(path)?;
    let new = file.metadata()?;
    let mut mode = like.mode() & 0o777;
    if new.uid() != like.uid() && fchown(&file, Some(like.uid()), None).is_err() {
        // Only root can change the owner. Otherwise the file belongs to the current user.
    }
    if new.gid() != like.gid() && fchown(&file, None, Some(like.gid())).is_err() {
        // If the group differs, it must not get more rights than everybody.
        mode = (mode & 0o707) | ((mode & 0o007) << 3);
    }
    // On systems without modes, the folder determines the permissions.
    let _ = file.set_permissions(fs::Permissions::from_mode(mode));
    Ok(file)
}

#[cfg(not(unix))]
fn create_like(
    options: &mut fs::OpenOptions,
    path: &Path,
    _: Option<&Metadata>,
) -> io::Result<File> {
    options.open(path)
}
