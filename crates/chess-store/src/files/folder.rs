//! A new folder under a temporary name.

#![allow(clippy::disallowed_methods, reason = "this is the door for folders")]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::commit::{failed, sync_folder};
use super::disk::{Disk, OnDisk};
use super::lock::Lock;
use super::names::{Kind, folder_of, kind_of, new_token, temporary};
use super::ours;

/// The files that are synced at once.
const AT_ONCE: usize = 32;

/// A new folder of files that appears when it is complete, or not at all.
///
/// The folder is written as `table~0123456789abcdef`. Its name is locked meanwhile, so a folder with
/// such a name is one that a killed program left, and is removed. Dropping the value without a commit
/// removes the new folder.
///
/// A folder that is replaced is `table~old` while the new one gets its name. If a program is killed just then, the
/// next one that replaces the folder gives the old one its name back. Another folder of that name stays.
#[derive(Debug)]
pub struct StagedFolder {
    path: PathBuf,
    temporary: PathBuf,
    is_done: bool,
    _lock: Lock,
}

impl StagedFolder {
    /// Creates the folder under a temporary name.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is something at `path`;
    /// [`io::ErrorKind::ResourceBusy`] if another program is writing it; other I/O errors.
    pub fn create(path: &Path) -> io::Result<StagedFolder> {
        StagedFolder::new(path, |_| false)
    }

    /// Like [`create`](StagedFolder::create). Replaces a folder at `path`, or adds to it, if `is_ours` says that this
    /// folder may be removed.
    ///
    /// # Errors
    /// As [`create`](StagedFolder::create), for anything else at `path`.
    pub fn replace(path: &Path, is_ours: impl Fn(&Path) -> bool) -> io::Result<StagedFolder> {
        StagedFolder::new(path, |path| path.is_dir() && is_ours(path))
    }

    fn new(path: &Path, may_replace: impl Fn(&Path) -> bool) -> io::Result<StagedFolder> {
        if path.is_symlink() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let path = OnDisk.real(path)?;
        let lock = Lock::of_index(&OnDisk, &path, Duration::ZERO)?;
        let is_there = || fs::symlink_metadata(&path).is_ok();
        let old = old(&path);
        let is_old_ours = !old.is_symlink() && may_replace(&old);
        if is_old_ours && !is_there() {
            OnDisk.rename(&old, &path)?;
        }
        if is_there() && !may_replace(&path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        if is_old_ours {
            let _ = fs::remove_dir_all(&old);
        }
        remove_leftovers(&path);
        let temporary = temporary(&path, &new_token());
        fs::create_dir(&temporary).map_err(failed("cannot create", &path))?;
        ours::add(&temporary);
        Ok(StagedFolder { path, temporary, is_done: false, _lock: lock })
    }

    /// The path of the folder when it is complete.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The temporary path of the folder.
    #[must_use]
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Syncs all files and folders below.
    fn sync(&self) -> io::Result<()> {
        let (mut folders, mut files) = (vec![self.temporary.clone()], Vec::new());
        let mut next = 0usize;
        while let Some(folder) = folders.get(next).cloned() {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                let list = if entry.file_type()?.is_dir() { &mut folders } else { &mut files };
                list.push(entry.path());
            }
            next = next.saturating_add(1);
        }
        for paths in files.chunks(AT_ONCE) {
            let open = |path| File::options().write(true).open(path);
            let mut open: Vec<File> = paths.iter().map(open).collect::<io::Result<_>>()?;
            for (result, path) in
                OnDisk.sync_files(open.iter_mut().collect()).into_iter().zip(paths)
            {
                result.map_err(failed("cannot sync", path))?;
            }
        }
        folders.iter().try_for_each(|folder| sync_folder(&OnDisk, folder))
    }

    /// Like [`commit`](StagedFolder::commit). If the folder exists, it keeps what it has, and each new
    /// folder of files is put into it. A file that is there is replaced.
    ///
    /// Each file appears whole. After an error or a crash some of them are there, and others are not.
    ///
    /// # Errors
    /// I/O errors.
    pub fn commit_parts(mut self) -> io::Result<()> {
        if fs::symlink_metadata(&self.path).is_err() {
            return self.commit();
        }
        self.sync()?;
        let _until_done = ours::commit()?;
        for part in fs::read_dir(&self.temporary)? {
            let part = part?;
            let place = self.path.join(part.file_name());
            if fs::symlink_metadata(&place).is_err() {
                OnDisk
                    .rename(&part.path(), &place)
                    .map_err(failed("cannot put in place", &place))?;
                continue;
            }
            for file in fs::read_dir(part.path())? {
                let file = file?;
                let name = place.join(file.file_name());
                OnDisk.rename(&file.path(), &name).map_err(failed("cannot put in place", &name))?;
            }
            sync_folder(&OnDisk, &place)?;
        }
        self.is_done = true;
        let _ = fs::remove_dir_all(&self.temporary);
        ours::forget(&self.temporary);
        sync_folder(&OnDisk, &self.path)
    }

    /// Syncs all files and folders below, and gives the folder its name.
    ///
    /// # Errors
    /// I/O errors.
    pub fn commit(mut self) -> io::Result<()> {
        self.sync()?;
        let _until_done = ours::commit()?;
        let old = old(&self.path);
        let replaces = fs::symlink_metadata(&self.path).is_ok();
        if replaces {
            OnDisk.rename(&self.path, &old).map_err(failed("cannot replace", &self.path))?;
        }
        if let Err(error) = OnDisk.rename(&self.temporary, &self.path) {
            if replaces {
                let _ = OnDisk.rename(&old, &self.path);
            }
            return Err(failed("cannot put in place", &self.path)(error));
        }
        self.is_done = true;
        ours::forget(&self.temporary);
        sync_folder(&OnDisk, folder_of(&self.path))?;
        if replaces {
            // The next program that replaces the folder removes the rest of it.
            let _ = fs::remove_dir_all(&old);
        }
        Ok(())
    }
}

/// Returns the name of a folder while it is replaced.
fn old(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("~old");
    name.into()
}

impl Drop for StagedFolder {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = fs::remove_dir_all(&self.temporary);
            ours::forget(&self.temporary);
        }
    }
}

/// Removes the temporary folders that killed programs left. The caller holds the lock.
fn remove_leftovers(path: &Path) {
    let Ok(names) = OnDisk.names(folder_of(path)) else { return };
    for name in names {
        let is_leftover = kind_of(&name).is_some_and(|(of, kind)| {
            matches!(kind, Kind::Temporary { .. }) && Some(of.as_os_str()) == path.file_name()
        });
        let leftover = path.with_file_name(&name);
        if is_leftover && fs::symlink_metadata(&leftover).is_ok_and(|data| data.is_dir()) {
            let _ = fs::remove_dir_all(leftover);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn replace_folder_of_ours_is_whole_or_as_before() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("x.parquet");
        let write = |name: &str| -> io::Result<()> {
            let staged = StagedFolder::replace(&path, |path| !path.join("mine").exists())?;
            fs::write(staged.temporary().join(name), "x")?;
            staged.commit()
        };
        write("one").unwrap();
        write("two").unwrap();
        assert_eq!(names(&path), ["two"]);
        // Without a commit, the old folder stays.
        drop(StagedFolder::replace(&path, |_| true).unwrap());
        assert_eq!(names(&path), ["two"]);
        // A program was killed between both names.
        fs::rename(&path, old(&path)).unwrap();
        drop(StagedFolder::replace(&path, |_| true).unwrap());
        assert_eq!(names(&path), ["two"]);
        // It was killed before the old folder was gone.
        fs::create_dir(old(&path)).unwrap();
        write("three").unwrap();
        assert_eq!((names(&path), names(place.path()).len()), (vec!["three".to_owned()], 1));
        // A folder of the user has the name.
        fs::create_dir(old(&path)).unwrap();
        fs::write(old(&path).join("mine"), "x").unwrap();
        assert!(write("four").is_err());
        drop(StagedFolder::create(&path.with_extension("other")).unwrap());
        assert_eq!((names(&path), names(&old(&path))), (vec!["three".into()], vec!["mine".into()]));
        fs::remove_dir_all(old(&path)).unwrap();
        fs::write(path.join("mine"), "x").unwrap();
        assert_eq!(write("four").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let file = place.path().join("file");
        fs::write(&file, "x").unwrap();
        let taken = StagedFolder::replace(&file, |_| true).unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn staged_folder_appears_whole_and_removes_leftovers() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("x.parquet");
        let others = ["x.parquet~other", "y.parquet~0123456789abcdef"];
        for name in ["x.parquet~0123456789abcdef", others[0], others[1]] {
            fs::create_dir_all(place.path().join(name).join("a")).unwrap();
        }
        let link = place.path().join("x.parquet~00000000000000ff");
        fs::write(&link, "a file").unwrap();
        let staged = StagedFolder::create(&path).unwrap();
        let part = staged.temporary().join("by_eco=B90");
        fs::create_dir(&part).unwrap();
        fs::write(part.join("games.parquet"), "x").unwrap();
        let busy = StagedFolder::create(&path).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ResourceBusy);
        assert!(!path.exists());
        staged.commit().unwrap();
        assert_eq!(fs::read(path.join("by_eco=B90/games.parquet")).unwrap(), b"x");
        let left = ["x.parquet", "x.parquet~00000000000000ff", others[0], others[1]];
        assert_eq!(names(place.path()), left);
        let taken = StagedFolder::create(&path).unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
        drop(StagedFolder::create(&place.path().join("z")).unwrap());
        assert_eq!(names(place.path()), left);
    }
}
