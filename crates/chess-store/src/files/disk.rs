//! What this module asks of a disk, so that tests can put a simulated one beneath it: one that
//! fails at any call, or loses what was not synced.

use std::ffi::OsString;
use std::fmt::Debug;
use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::thread;

use super::names::folder_of;
use crate::io::WriteAt;

/// The calls. [`OnDisk`] makes them to the system.
pub trait Disk: Clone + Debug {
    /// An open file.
    type File: WriteAt + Debug;

    /// Whether its files are those of this process, to be removed when it [gives up](super::give_up).
    const IS_REAL: bool = false;

    /// The path without links: where a file of this name is, or would be.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;

    /// Creates a file where there is none, and nothing that a link leads to. Its permissions are
    /// those of the first of `likes` that is there; they are files, or it is an error.
    fn create_new(&self, path: &Path, likes: &[&Path]) -> io::Result<Self::File>;

    /// Opens for reading.
    fn open(&self, path: &Path) -> io::Result<Self::File>;

    /// Opens so that it can be locked.
    fn open_to_lock(&self, path: &Path) -> io::Result<Self::File>;

    /// The same open file once more.
    fn share(&self, file: &Self::File) -> io::Result<Self::File>;

    /// Whether the lock could be had; an error where there are no locks.
    fn try_lock(&self, file: &Self::File) -> io::Result<bool>;

    /// Lets go of the lock; also done when the file is closed.
    fn unlock(&self, file: &Self::File) -> io::Result<()>;

    /// Returns when all that was written to these files is on the disk, with what became of each.
    fn sync_files(&self, files: Vec<&mut Self::File>) -> Vec<io::Result<()>> {
        files.into_iter().map(WriteAt::sync).collect()
    }

    /// Which file has this name now, if any.
    fn identity(&self, path: &Path) -> io::Result<Option<Identity>>;

    /// Which file is open here.
    fn identity_of(&self, file: &Self::File) -> io::Result<Identity>;

    /// The names in a folder.
    fn names(&self, folder: &Path) -> io::Result<Vec<OsString>>;

    /// Gives a file a name, in the place of what had it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Takes a file's name away.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Returns when the names in a folder are on the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// Tells a file from the one that has its name later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity(pub [u64; 3]);

impl Identity {
    /// Device and number of the file.
    #[cfg(unix)]
    fn new(metadata: &Metadata) -> Identity {
        use std::os::unix::fs::MetadataExt;
        Identity([metadata.dev(), metadata.ino(), 0])
    }

    /// The number of a file is not to be had here, so a change of the file changes this as well.
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

/// The file systems that the system has.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnDisk;

impl Disk for OnDisk {
    type File = File;

    const IS_REAL: bool = true;

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        const MOST_LINKS: usize = 40;
        let mut path = path.to_path_buf();
        for _ in 0..MOST_LINKS {
            // Not `canonicalize` at once: the link may lead to a file yet to come.
            let Ok(target) = fs::read_link(&path) else {
                let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
                return Ok(fs::canonicalize(folder_of(&path))?.join(name));
            };
            path = folder_of(&path).join(target);
        }
        Err(io::Error::other("too many links lead to one another"))
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
        // Some file systems lock only what can be written; another user's file cannot be.
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

    /// All at once, the first on this thread: a disk has many files done in little more time than one.
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
                // There are no threads, or too many.
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

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        if !cfg!(unix) {
            // The others sync names by themselves, or not at all.
            return Ok(());
        }
        match File::open(folder)?.sync_all() {
            // Some file systems cannot do it for folders.
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

/// Whether there is no such file, rather than no telling.
fn is_absence(error: &io::Error) -> bool {
    // A name too long to be is that of a marker or lock beside a base of a long name.
    use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidFilename)
}

/// Creates a file with owner, group and mode of another.
#[cfg(unix)]
fn create_like(
    options: &mut fs::OpenOptions,
    path: &Path,
    like: Option<&Metadata>,
) -> io::Result<File> {
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
    let Some(like) = like else { return options.open(path) };
    // Nobody else's at first.
    let file = options.mode(0o600).open(path)?;
    let new = file.metadata()?;
    let mut mode = like.mode() & 0o777;
    if new.uid() != like.uid() && fchown(&file, Some(like.uid()), None).is_err() {
        // Only root may give a file away; it is then of whoever changed it.
    }
    if new.gid() != like.gid() && fchown(&file, None, Some(like.gid())).is_err() {
        // Another group must not see more than everybody.
        mode = (mode & 0o707) | ((mode & 0o007) << 3);
    }
    // Where there are no modes, that of the folder holds.
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
