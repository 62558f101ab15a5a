//! Locates and opens the files of one base.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::commit::{failed, recover};
use super::disk::{Disk, Identity, OnDisk};
use super::lock::Lock;
use super::separate::separate;
use super::staged::Staged;
use super::view::View;
use crate::error::{Error, ErrorKind};
use crate::location::Location;

/// Delays in milliseconds before each attempt to open a base that is replaced while it is opened.
const PAUSES: [u64; 8] = [0, 1, 2, 5, 10, 50, 100, 200];

/// The files of one base on disk.
///
/// Every reader locates its files through this type. If a [replacement](Staged::commit) was
/// interrupted, all files then come from the same side, old or new. Most readers use
/// [`open_whole`](BaseFiles::open_whole).
#[derive(Clone, Debug)]
pub struct BaseFiles<D: Disk = OnDisk> {
    disk: D,
    path: PathBuf,
    index: String,
    view: View<D>,
    /// The result of each lookup, by extension. `None` if the lookup failed.
    seen: RefCell<Vec<(String, Option<Seen>)>>,
    lock: Option<Arc<Lock<D>>>,
}

/// The identity of a file, if it exists.
type Seen = Option<Identity>;

impl BaseFiles {
    /// Locates a base by the path of any of its files. `index` is the extension of the required
    /// file that a writer creates last.
    ///
    /// # Errors
    /// I/O errors.
    pub fn locate(path: &Path, index: &str) -> io::Result<BaseFiles> {
        BaseFiles::locate_on(&OnDisk, path, index)
    }

    /// Like [`locate`](BaseFiles::locate), for a caller that will change or replace the base. Locks
    /// the base, completes an interrupted change, and removes leftover files. The lock is held as
    /// long as this value, a clone of it, or a [`Staged`] created by [`stage`](BaseFiles::stage)
    /// exists.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another program is changing the base; other I/O errors.
    pub fn locate_for_change(path: &Path, index: &str) -> io::Result<BaseFiles> {
        BaseFiles::locate_for_change_on(&OnDisk, path, index, Duration::ZERO)
    }

    /// Like [`locate_for_change`](BaseFiles::locate_for_change), but waits up to `wait` for another
    /// program to finish.
    ///
    /// # Errors
    /// The errors of [`locate_for_change`](BaseFiles::locate_for_change).
    pub fn wait_for_change(path: &Path, index: &str, wait: Duration) -> io::Result<BaseFiles> {
        BaseFiles::locate_for_change_on(&OnDisk, path, index, wait)
    }

    /// Opens a consistent set of files. `open` opens the files it needs through the [`BaseFiles`]
    /// it is given. It is called again if the base was replaced meanwhile.
    ///
    /// # Errors
    /// The errors of `open`; an error if the base is replaced again at every attempt.
    pub fn open_whole<T, K: ErrorKind + From<io::Error>>(
        path: &Path,
        index: &'static str,
        mut open: impl FnMut(&BaseFiles) -> Result<T, Error<K>>,
    ) -> Result<T, Error<K>> {
        let at = Location::file(index);
        for pause in PAUSES {
            if pause > 0 {
                thread::sleep(Duration::from_millis(pause));
            }
            let files = BaseFiles::locate(path, index).map_err(Error::io(at))?;
            let opened = open(&files);
            if opened.is_ok() && files.is_unchanged().map_err(Error::io(at))? {
                return opened;
            }
            // Retry only if the failure may be due to a replaced file.
            if opened.is_err() && files.is_unmoved().unwrap_or(true) {
                return opened;
            }
        }
        Err(Error::io(at)(replaced()))
    }

    /// Returns the path of the file with this extension, if it exists. The case of the name does
    /// not matter.
    #[must_use]
    pub fn find(&self, extension: &str) -> Option<PathBuf> {
        let found = self.view.find(extension);
        self.note(extension, found.as_ref().ok().map(|found| found.as_ref().map(|(_, id)| *id)));
        found.ok().flatten().map(|(path, _)| path)
    }

    /// Opens the file with this extension for reading.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`], with the name of the file, if it does not exist. Other I/O
    /// errors.
    pub fn open(&self, extension: &str) -> io::Result<File> {
        self.open_file(extension)
    }

    /// Opens the file with this extension for reading and writing. The base must come from
    /// [`locate_for_change`](BaseFiles::locate_for_change). A file with several hard links is first
    /// replaced by a copy of itself, so that its other names keep their contents.
    ///
    /// # Errors
    /// The errors of [`open`](BaseFiles::open); an error if the file is not in the folder of the
    /// index after links are followed.
    pub fn open_for_change(&self, extension: &str) -> io::Result<File> {
        let Some(path) = self.find(extension) else { return self.open(extension) };
        let place = self.view.place_of(&path)?;
        if separate(&place).map_err(failed("cannot copy", &place))? {
            self.forget(extension);
            self.note(extension, self.disk.identity(&place).ok());
        }
        #[expect(clippy::disallowed_methods, reason = "opens a file for a change in place")]
        let file = File::options().read(true).write(true).open(&place);
        file.map_err(failed("cannot open", &place))
    }

    /// Checks that the base was not replaced while its files were opened. Call it after opening the
    /// last file. [`open_whole`](BaseFiles::open_whole) does this itself.
    ///
    /// # Errors
    /// An error if the base was replaced, so that the open files may not belong together.
    pub fn confirm(&self) -> io::Result<()> {
        if self.is_unchanged()? { Ok(()) } else { Err(replaced()) }
    }

    /// Returns whether a replacement of the base was interrupted. Lookups then find the new
    /// files. Some of these still have temporary names.
    /// [`locate_for_change`](BaseFiles::locate_for_change) completes the replacement.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.view.pending.is_some()
    }

    /// Returns the path for a new file with this extension: the path of the existing file, in its
    /// spelling and with links resolved, or else a path beside the index.
    ///
    /// # Errors
    /// I/O errors; an error if the existing file is not in the folder of the index after links are
    /// followed.
    pub fn target(&self, extension: &str) -> io::Result<PathBuf> {
        self.view.target(extension)
    }

    /// Creates the new file with this extension among the files of `staged`. An error names the file.
    /// Create the index last: a base without it is invalid.
    ///
    /// # Errors
    /// The errors of [`target`](BaseFiles::target) and [`Staged::create`].
    pub fn create<K>(&self, staged: &mut Staged, extension: &'static str) -> Result<File, Error<K>>
    where
        K: ErrorKind + From<io::Error>,
    {
        let created = self.target(extension).and_then(|path| staged.create(&path));
        created.map_err(Error::io(Location::file(extension)))
    }

    /// Removes the old files with these extensions when `staged` replaces the base, because they would
    /// not match it.
    ///
    /// # Errors
    /// The errors of [`target`](BaseFiles::target): readers would still find such a file.
    pub fn leave_out<K>(
        &self,
        staged: &mut Staged,
        extensions: &[&'static str],
    ) -> Result<(), Error<K>>
    where
        K: ErrorKind + From<io::Error>,
    {
        for extension in extensions {
            self.target(extension).map_err(Error::io(Location::file(extension)))?;
            staged.leave_out(extension);
        }
        Ok(())
    }

    /// Starts new files for this base under the same lock. Their index is the index of this base,
    /// in whatever order they are created.
    #[must_use]
    pub fn stage(&self) -> Staged {
        self.stage_files()
    }
}

impl<D: Disk> BaseFiles<D> {
    #[doc(hidden)]
    pub fn locate_on(disk: &D, path: &Path, index: &str) -> io::Result<BaseFiles<D>> {
        let view = View::look(disk, path, index)?;
        let (path, index, seen) = (path.to_path_buf(), index.to_owned(), RefCell::default());
        Ok(BaseFiles { disk: disk.clone(), path, index, view, seen, lock: None })
    }

    #[doc(hidden)]
    pub fn locate_for_change_on(
        disk: &D,
        path: &Path,
        index: &str,
        wait: Duration,
    ) -> io::Result<BaseFiles<D>> {
        let found = View::look(disk, path, index)?.index;
        let lock = Lock::of_index(disk, &found, wait)?;
        recover(disk, &found, "")?;
        let files = BaseFiles::locate_on(disk, path, index)?;
        if files.view.index != found {
            return Err(replaced());
        }
        Ok(BaseFiles { lock: Some(Arc::new(lock)), ..files })
    }

    #[doc(hidden)]
    pub fn stage_files(&self) -> Staged<D> {
        Staged::on(self.disk.clone(), Some(self.view.index.clone()), self.lock.clone())
    }

    #[doc(hidden)]
    pub fn open_file(&self, extension: &str) -> io::Result<D::File> {
        let opened = self.try_open(extension);
        let seen = match &opened {
            Ok(file) => file.as_ref().map(|file| self.disk.identity_of(file)).transpose().ok(),
            Err(_) => None,
        };
        self.note(extension, seen);
        opened?.ok_or_else(|| self.missing())
    }

    /// Returns the error for a missing file of the base.
    pub fn missing(&self) -> io::Error {
        let name = Path::new(self.path.file_name().unwrap_or_default());
        let text = format!("missing; it belongs beside {}", name.display());
        io::Error::new(io::ErrorKind::NotFound, text)
    }

    fn try_open(&self, extension: &str) -> io::Result<Option<D::File>> {
        // A file found under its temporary name may have been renamed since.
        for _ in 0..2 {
            let Some((path, _)) = self.view.find(extension)? else { return Ok(None) };
            match self.disk.open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                file => return file.map(Some).map_err(failed("cannot open", &path)),
            }
        }
        Ok(None)
    }

    fn note(&self, extension: &str, seen: Option<Seen>) {
        self.seen.borrow_mut().push((extension.to_owned(), seen));
    }

    /// Forgets the lookups of an extension whose file this program has replaced.
    fn forget(&self, extension: &str) {
        self.seen.borrow_mut().retain(|(seen, _)| seen != extension);
    }

    /// Returns whether every lookup would still find the same file, or none.
    #[doc(hidden)]
    pub fn is_unchanged(&self) -> io::Result<bool> {
        let now = View::look(&self.disk, &self.path, &self.index)?;
        for (extension, seen) in &*self.seen.borrow() {
            let there = now.find(extension)?.map(|(_, identity)| identity);
            match seen {
                Some(seen) if *seen == there => {}
                Some(_) => return Ok(false),
                None => return Err(io::Error::other(format!("cannot look for the {extension}"))),
            }
        }
        Ok(true)
    }

    /// Returns whether the paths are unchanged as well.
    fn is_unmoved(&self) -> io::Result<bool> {
        let now = View::look(&self.disk, &self.path, &self.index)?;
        Ok(now.pending == self.view.pending && self.is_unchanged()?)
    }
}

fn replaced() -> io::Error {
    io::Error::other("the base was replaced while it was being opened")
}
