//! Files that are changed in place, or swapped for new ones.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use chess_core::files::Staged;
use chess_core::io::{ReadAt, WriteAt};

/// A file that can be changed in place, and swapped for a new one whole or not at all.
pub trait SwapFile: WriteAt + Sized {
    /// Puts what `fill` writes in the place of this file. `fill` may read the file as it is.
    ///
    /// # Errors
    /// Those of the disk; the file is then what it was.
    fn swap(
        &mut self,
        fill: &mut dyn FnMut(&Self, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// A file of a base on disk, open for change.
#[derive(Debug)]
pub struct NamedFile {
    file: File,
    path: PathBuf,
}

impl NamedFile {
    /// Opens a file for change.
    ///
    /// # Errors
    /// Those of opening it.
    pub fn open(path: &Path) -> io::Result<NamedFile> {
        let file = File::options().read(true).write(true).open(path)?;
        Ok(NamedFile { file, path: path.to_path_buf() })
    }
}

impl ReadAt for NamedFile {
    fn size(&self) -> io::Result<u64> {
        ReadAt::size(&self.file)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        ReadAt::read_at(&self.file, offset, buffer)
    }
}

impl WriteAt for NamedFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        WriteAt::write_at(&self.file, offset, bytes)
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        WriteAt::set_size(&self.file, size)
    }

    fn sync(&self) -> io::Result<()> {
        WriteAt::sync(&self.file)
    }
}

impl SwapFile for NamedFile {
    fn swap(
        &mut self,
        fill: &mut dyn FnMut(&Self, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut staged = Staged::new();
        let mut writer = BufWriter::new(staged.create(&self.path)?);
        fill(self, &mut writer)?;
        writer.flush()?;
        drop(writer);
        staged.commit()?;
        sync_folder(&self.path)?;
        *self = NamedFile::open(&self.path)?;
        Ok(())
    }
}

/// Returns when the folder of a file is on the disk: what is written after a swap relies on the
/// new name.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if cfg!(unix) { File::open(folder.unwrap_or(Path::new(".")))?.sync_all() } else { Ok(()) }
}
