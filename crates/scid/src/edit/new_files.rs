//! New files in the place of those of a base.

use std::fs::File;
use std::io;

use chess_store::files::{BaseFiles, Staged};
use chess_store::io::WriteAt;

/// Makes new files for a base, and puts them in the place of the old ones, all at once.
///
/// Dropped without [`commit`](NewFiles::commit), the base is as it was.
pub trait NewFiles: Sized {
    /// A file of the base.
    type File: WriteAt;

    /// For the same base, with nothing created yet.
    #[must_use]
    fn begin(&self) -> Self;

    /// Creates an empty file that is to take the place of the one of this extension. The index
    /// comes last.
    ///
    /// # Errors
    /// Those of the disk.
    fn create(&mut self, extension: &'static str) -> io::Result<Self::File>;

    /// Puts all files created in their places, after everything that was written to them is on
    /// the disk. They stay open.
    ///
    /// # Errors
    /// Those of the disk; the base is then as it was.
    fn commit(self) -> io::Result<()>;
}

/// For a base on disk, which is locked.
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

/// For a base in memory, which has no places: its new files are those that the
/// [`Editor`](crate::Editor) holds.
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
