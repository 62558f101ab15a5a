//! The files of one base, found and opened.

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
use super::staged::Staged;
use super::view::View;
use crate::error::{Error, ErrorKind};
use crate::location::Location;

/// How often a base is opened again that is replaced while it is opened, and how long after.
const PAUSES: [u64; 8] = [0, 1, 2, 5, 10, 50, 100, 200];

/// The files of one base on disk.
///
/// Every reader finds its files through this, so that a base that was being
/// [replaced](Staged::commit) when something stopped is seen as one side only. Most use
/// [`open_whole`](BaseFiles::open_whole).
#[derive(Clone, Debug)]
pub struct BaseFiles<D: Disk = OnDisk> {
    disk: D,
    path: PathBuf,
    index: String,
    view: View<D>,
    /// What was found for each extension asked for; `None` if there was no telling.
    seen: RefCell<Vec<(String, Option<Seen>)>>,
    lock: Option<Arc<Lock<D>>>,
}

/// Which file it was, if there was one.
type Seen = Option<Identity>;

impl BaseFiles {
    /// The base that any of its files names. `index` is the extension of the file that a base
    /// cannot be without, and that its writer creates last.
    ///
    /// # Errors
    /// Those of looking.
    pub fn locate(path: &Path, index: &str) -> io::Result<BaseFiles> {
        BaseFiles::locate_on(&OnDisk, path, index)
    }

    /// As [`locate`](BaseFiles::locate), for who is about to change the base, or to write it anew:
    /// locks it, finishes a change that was stopped, and removes what stopped changes left. The
    /// lock is held for as long as this or a clone of it lives, or what it [stages](BaseFiles::stage).
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another program is changing the base; those of the disk.
    pub fn locate_for_change(path: &Path, index: &str) -> io::Result<BaseFiles> {
        BaseFiles::locate_for_change_on(&OnDisk, path, index, Duration::ZERO)
    }

    /// As [`locate_for_change`](BaseFiles::locate_for_change), waiting this long for another
    /// program to finish.
    ///
    /// # Errors
    /// As [`locate_for_change`](BaseFiles::locate_for_change).
    pub fn wait_for_change(path: &Path, index: &str, wait: Duration) -> io::Result<BaseFiles> {
        BaseFiles::locate_for_change_on(&OnDisk, path, index, wait)
    }

    /// Opens a base so that its files belong together: `open` opens what it needs by the
    /// [`BaseFiles`] it is given, and is called again if the base was replaced meanwhile.
    ///
    /// # Errors
    /// Those of `open`; if the base is replaced again and again.
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
            // What failed because a file went is tried again; what failed otherwise is not.
            if opened.is_err() && files.is_unmoved().unwrap_or(true) {
                return opened;
            }
        }
        Err(Error::io(at)(replaced()))
    }

    /// The file of this extension, whatever the case of its name.
    #[must_use]
    pub fn find(&self, extension: &str) -> Option<PathBuf> {
        let found = self.view.find(extension);
        self.note(extension, found.as_ref().ok().map(|found| found.as_ref().map(|(_, id)| *id)));
        found.ok().flatten().map(|(path, _)| path)
    }

    /// Opens the file of this extension for reading.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`], naming the file, if there is none; those of opening it.
    pub fn open(&self, extension: &str) -> io::Result<File> {
        self.open_file(extension)
    }

    /// Opens the file of this extension for reading and writing: of a base that was
    /// [found for change](BaseFiles::locate_for_change).
    ///
    /// # Errors
    /// As [`open`](BaseFiles::open).
    pub fn open_for_change(&self, extension: &str) -> io::Result<File> {
        let Some(path) = self.find(extension) else { return self.open(extension) };
        let file = File::options().read(true).write(true).open(&path);
        file.map_err(failed("cannot open", &path))
    }

    /// Call it when all files are open, unless they are opened by
    /// [`open_whole`](BaseFiles::open_whole).
    ///
    /// # Errors
    /// If the base was replaced meanwhile, so that the files opened may not belong together.
    pub fn confirm(&self) -> io::Result<()> {
        if self.is_unchanged()? { Ok(()) } else { Err(replaced()) }
    }

    /// Whether the base was being replaced when something stopped: what is found is the new one,
    /// and not all of it has its names yet. Finding it for change finishes that.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.view.pending.is_some()
    }

    /// Where a new file of this extension belongs: in the place of the one there, however its name
    /// is spelt, or else beside the index.
    ///
    /// # Errors
    /// Those of looking.
    pub fn target(&self, extension: &str) -> io::Result<PathBuf> {
        self.view.target(extension)
    }

    /// For new files of this base, under the same lock. Their index is the base's, whichever is
    /// created last.
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

    /// The error for a file of the base that is not there.
    pub fn missing(&self) -> io::Error {
        let name = Path::new(self.path.file_name().unwrap_or_default());
        let text = format!("missing; it belongs beside {}", name.display());
        io::Error::new(io::ErrorKind::NotFound, text)
    }

    fn try_open(&self, extension: &str) -> io::Result<Option<D::File>> {
        // A new file that was found under its temporary name may have got its own meanwhile.
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

    /// Whether every file found has its name still, and none is there that was not.
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

    /// Whether the files found have, besides, the same paths still.
    fn is_unmoved(&self) -> io::Result<bool> {
        let now = View::look(&self.disk, &self.path, &self.index)?;
        Ok(now.pending == self.view.pending && self.is_unchanged()?)
    }
}

fn replaced() -> io::Error {
    io::Error::other("the base was replaced while it was being opened")
}
