//! Positional input and output: no cursor, so that threads can share it.

use std::fs::File;
use std::io;
use std::sync::Mutex;

/// Bytes that can be read at any offset through a shared reference.
pub trait ReadAt: Send + Sync {
    /// How many bytes there are.
    ///
    /// # Errors
    /// Those of the file.
    fn size(&self) -> io::Result<u64>;

    /// Reads up to `buffer.len()` bytes at an offset; fewer at the end, none beyond it.
    ///
    /// # Errors
    /// Those of the file.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Fills the buffer, or says how many bytes there were before the end.
    ///
    /// # Errors
    /// Those of the file.
    fn read_full(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let Some(at) = offset.checked_add(done as u64) else { break };
            match self.read_at(at, rest) {
                Ok(0) => break,
                Ok(count) => done = done.saturating_add(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    /// Reads up to `length` bytes into `buffer`, which is emptied first. Memory grows no further
    /// than the bytes that are there.
    ///
    /// # Errors
    /// Those of the file.
    fn read_into(&self, offset: u64, length: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        let there = self.size()?.saturating_sub(offset);
        let length = length.min(usize::try_from(there).unwrap_or(usize::MAX));
        buffer.clear();
        buffer.resize(length, 0);
        let count = self.read_full(offset, buffer)?;
        buffer.truncate(count);
        Ok(())
    }
}

/// Bytes that can be changed in place.
pub trait WriteAt: ReadAt {
    /// Writes all bytes at an offset, lengthening the file if need be.
    ///
    /// # Errors
    /// Those of the file.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts or lengthens to this size.
    ///
    /// # Errors
    /// Those of the file.
    fn set_size(&self, size: u64) -> io::Result<()>;

    /// Returns when all is on the disk.
    ///
    /// # Errors
    /// Those of the file.
    fn sync(&self) -> io::Result<()>;
}

impl ReadAt for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..));
        let rest = rest.unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(from), Some(to)) = (rest.get(..count), buffer.get_mut(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        self.as_slice().size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.as_slice().read_at(offset, buffer)
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }
}

impl<T: ReadAt + ?Sized> ReadAt for Box<T> {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }
}

impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, offset)
    }
}

impl WriteAt for File {
    #[cfg(unix)]
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, bytes, offset)
    }

    #[cfg(windows)]
    fn write_at(&self, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let count = std::os::windows::fs::FileExt::seek_write(self, bytes, offset)?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = bytes.get(count..).unwrap_or_default();
            offset = offset.saturating_add(count as u64);
        }
        Ok(())
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        self.set_len(size)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// A file read through a small cache of blocks, for the many short reads of a base.
///
/// Its size is taken once: for a file that does not change while it is read. Threads share it; one
/// that finds a block in use reads past the cache instead of waiting.
#[derive(Debug)]
pub struct PagedFile {
    file: File,
    size: u64,
    pages: [Mutex<Page>; PAGES],
}

#[derive(Debug, Default)]
struct Page {
    /// Number of the block plus one; zero for none.
    number: u64,
    bytes: Vec<u8>,
}

const PAGES: usize = 16;
const PAGE_MASK: u64 = 15;
const PAGE_SIZE: u64 = 32 * 1024;

impl PagedFile {
    /// Over an open file.
    ///
    /// # Errors
    /// If its size cannot be told.
    pub fn new(file: File) -> io::Result<PagedFile> {
        let size = ReadAt::size(&file)?;
        Ok(PagedFile { file, size, pages: Default::default() })
    }

    /// Copies from the block that holds `offset`, having read it if need be.
    fn read_page(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let number = offset / PAGE_SIZE;
        let within = usize::try_from(offset % PAGE_SIZE).unwrap_or(0);
        let slot = usize::try_from(number & PAGE_MASK).unwrap_or(0);
        let Some(mut page) = self.pages.get(slot).and_then(|page| page.try_lock().ok()) else {
            return self.file.read_at(offset, buffer);
        };
        let tag = number.saturating_add(1);
        if page.number != tag {
            page.number = 0;
            let start = number.saturating_mul(PAGE_SIZE);
            let length = usize::try_from(PAGE_SIZE.min(self.size.saturating_sub(start)));
            page.bytes.resize(length.unwrap_or(0), 0);
            let count = self.file.read_full(start, &mut page.bytes)?;
            page.bytes.truncate(count);
            page.number = tag;
        }
        let rest = page.bytes.get(within..).unwrap_or_default();
        rest.read_at(0, buffer)
    }
}

impl ReadAt for PagedFile {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if offset >= self.size {
            return Ok(0);
        }
        if buffer.len() as u64 >= PAGE_SIZE {
            return self.file.read_at(offset, buffer);
        }
        self.read_page(offset, buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn numbered(length: usize) -> Vec<u8> {
        (0..length).map(|n| (n / 251) as u8 ^ (n % 251) as u8).collect()
    }

    #[test]
    fn pages_give_what_the_file_holds() {
        let bytes = numbered(100_000);
        let path = std::env::temp_dir().join(format!("chess-core-pages-{}", std::process::id()));
        File::create(&path).unwrap().write_all(&bytes).unwrap();
        let file = PagedFile::new(File::open(&path).unwrap()).unwrap();
        std::fs::remove_file(&path).unwrap();
        let mut buffer = Vec::new();
        for (offset, length) in [
            (0, 10),
            (32_760, 20),
            (99_990, 50),
            (100_000, 5),
            (u64::MAX, 5),
            (5, 90_000),
            (65_535, 2),
            (0, usize::MAX),
        ] {
            file.read_into(offset, length, &mut buffer).unwrap();
            let start = usize::try_from(offset).unwrap().min(bytes.len());
            let end = start.saturating_add(length).min(bytes.len());
            assert_eq!(buffer, &bytes[start..end], "{offset}+{length}");
        }
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let (file, bytes) = (&file, &bytes);
                scope.spawn(move || {
                    let mut buffer = [0; 100];
                    for step in 0..2000u64 {
                        let offset = (step * 7919 + thread * 31_337) % 99_900;
                        assert_eq!(file.read_full(offset, &mut buffer).unwrap(), 100);
                        assert_eq!(buffer, bytes[offset as usize..offset as usize + 100]);
                    }
                });
            }
        });
    }
}
