//! An open file.

use std::io;
use std::path::Path;
use std::sync::Arc;

use chess_store::io::{ReadAt, WriteAt};

use super::Volume;
use crate::unsynced::Unsynced;

/// An open file of a [`Volume`].
#[derive(Clone, Debug)]
pub struct VolumeFile(Arc<Handle>);

struct Handle {
    volume: Volume,
    file: usize,
    number: u64,
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "file {}", self.file)
    }
}

impl VolumeFile {
    pub(super) fn new(volume: Volume, file: usize, number: u64) -> VolumeFile {
        VolumeFile(Arc::new(Handle { volume, file, number }))
    }

    /// Returns the number of the file in its volume.
    pub(super) fn file(&self) -> usize {
        self.0.file
    }

    /// Returns the number of the handle among all open files.
    pub(super) fn number(&self) -> u64 {
        self.0.number
    }

    fn call<T>(
        &self,
        what: &'static str,
        act: impl FnOnce(&mut Unsynced) -> io::Result<T>,
    ) -> io::Result<T> {
        let (file, name) = (self.0.file, format!("file {}", self.0.file));
        self.0.volume.call(what, Path::new(&name), |state| act(&mut state.files[file].bytes))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        let mut state = self.volume.state();
        let locked = &mut state.files[self.file].locked;
        if *locked == Some(self.number) {
            *locked = None;
        }
    }
}

impl ReadAt for VolumeFile {
    fn size(&self) -> io::Result<u64> {
        self.call("size of", |file| Ok(file.seen().len() as u64))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.call("read", |file| file.seen().read_at(offset, buffer))
    }
}

impl WriteAt for VolumeFile {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.call("write", |file| {
            file.write(offset as usize, bytes);
            Ok(())
        })
    }

    fn set_size(&mut self, size: u64) -> io::Result<()> {
        self.call("set size of", |file| {
            file.set_size(size as usize);
            Ok(())
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        let (file, name) = (self.0.file, format!("file {}", self.0.file));
        let result = self.0.volume.call("sync", Path::new(&name), |state| {
            if state.syncs_now() {
                state.files[file].bytes.sync();
            }
            Ok(())
        });
        if result.is_err() {
            self.0.volume.state().files[file].bytes.fail_to_sync();
        }
        result
    }
}
