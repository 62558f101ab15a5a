//! Calls of a program to the disk.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use chess_store::files::disk::{Disk, Identity};

use super::{Change, Volume, VolumeFile};
use crate::unsynced::Unsynced;

impl Disk for Volume {
    type File = VolumeFile;

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_path_buf())
    }

    fn create_new(&self, path: &Path, _: &[&Path]) -> io::Result<VolumeFile> {
        self.call("create", path, |state| {
            if state.names.contains_key(path) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let file = state.add(Unsynced::default());
            if !state.has_fault(|faults| faults.nameless, path) {
                state.change(Change::Create(path.to_path_buf(), file));
            }
            Ok(self.handle(state, file))
        })
    }

    fn open(&self, path: &Path) -> io::Result<VolumeFile> {
        self.call("open", path, |state| {
            let file = state.file(path)?;
            Ok(self.handle(state, file))
        })
    }

    fn open_to_lock(&self, path: &Path) -> io::Result<VolumeFile> {
        self.open(path)
    }

    fn share(&self, file: &VolumeFile) -> io::Result<VolumeFile> {
        Ok(file.clone())
    }

    fn try_lock(&self, file: &VolumeFile) -> io::Result<bool> {
        self.call("lock", Path::new(&format!("file {}", file.file())), |state| {
            if state.faults.no_locks {
                return Err(io::ErrorKind::Unsupported.into());
            }
            let locked = &mut state.files[file.file()].locked;
            Ok(*locked.get_or_insert(file.number()) == file.number())
        })
    }

    fn unlock(&self, file: &VolumeFile) -> io::Result<()> {
        self.state().files[file.file()].locked = None;
        Ok(())
    }

    fn identity(&self, path: &Path) -> io::Result<Option<Identity>> {
        self.call("look at", path, |state| {
            Ok(state.names.get(path).map(|file| Identity([*file as u64, 0, 0])))
        })
    }

    fn identity_of(&self, file: &VolumeFile) -> io::Result<Identity> {
        Ok(Identity([file.file() as u64, 0, 0]))
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        self.call("list", folder, |state| {
            let names = state.names.keys().filter(|path| path.parent() == Some(folder));
            Ok(names.filter_map(|path| Some(path.file_name()?.to_os_string())).collect())
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call("rename", from, |state| {
            let file = state.file(from)?;
            state.change(Change::Rename(from.to_path_buf(), to.to_path_buf(), file));
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call("remove", path, |state| {
            if state.has_fault(|faults| faults.nameless.or(faults.unremoved), path) {
                return Ok(());
            }
            state.file(path)?;
            state.change(Change::Remove(path.to_path_buf()));
            Ok(())
        })
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.call("sync", folder, |state| {
            if state.syncs_now() {
                state.safe_names = state.names.clone();
                state.changes.clear();
            }
            Ok(())
        })
    }
}
