//! Replaces the files of a base with new files.

use std::fs::File;
use std::io;

use chess_store::files::{BaseFiles, Staged};
use chess_store::io::WriteAt;

/// Creates new files for a base and puts all of them in place at once.
///
/// If dropped without [`commit`](NewFiles::commit), the base stays unchanged.
pub trait NewFiles: Sized {
    /// A file of the base.
    type File: WriteAt;

    /// A value for the same base, with no file created yet.
    #[must_use]
    fn begin(&self) -> Self;

    /// Creates an empty file to replace the file with this extension.
    ///
    /// # Errors
    /// I/O errors.
    fn create(&mut self, extension: &'static str) -> io::Result<Self::File>;

    /// Syncs all created files and puts them in place. They stay open.
    ///
    /// # Errors
    /// I/O errors. The base then stays unchanged.
    fn commit(self) -> io::Result<()>;
}

/// For a locked base on disk.
#[derive(Debug)]
pub struct DiskFiles {
    base: BaseFiles,
    staged: Staged,
}

impl DiskFiles {
    pub(crate) fn new(base: BaseFiles) -> DiskFiles {
        let staged = base.stage();
        DiskFiles { base, staged }
    }
}

impl NewFiles for DiskFiles {
    type File = File;

    fn begin(&self) -> DiskFiles {
        DiskFiles::new(self.base.clone())
    }

    fn create(&mut self, extension: &'static str) -> io::Result<File> {
        self.staged.create(&self.base.target(extension)?)
    }

    fn commit(self) -> io::Result<()> {
        self.staged.commit()
    }
}

/// For a base in memory, which has no paths. The [`Editor`](crate::Editor) keeps the new files
/// itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryFiles;

impl NewFiles for MemoryFiles {
    type File = Vec<u8>;

    fn begin(&self) -> MemoryFiles {
        MemoryFiles
    }

    fn create(&mut self, _: &'static str) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn commit(self) -> io::Result<()> {
        Ok(())
    }
}
