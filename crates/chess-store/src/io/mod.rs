//! Positional input and output. There is no cursor, so threads can share a file.
//!
//! A base is read through [`ReadAt`], from byte slices, vectors or files. Each reading thread puts
//! a [`PageCache`] of its own in front of a file. A base is written through [`WriteAt`], usually
//! with an [`Appender`].

mod appender;
pub mod compressed;
mod decompression_limit;
mod entries;
mod from_start;
mod page_cache;
#[cfg(feature = "spool")]
mod spool;
#[cfg(feature = "spool")]
mod temporary_file;

use std::fs::File;
use std::io;
use std::sync::Arc;

pub use appender::Appender;
pub use decompression_limit::DecompressionLimit;
pub use entries::{ReadAhead, ReadAheadFile};
pub use from_start::FromStart;
pub use page_cache::{CachedFile, PageCache};
#[cfg(feature = "spool")]
pub use spool::{Spool, SpooledStream};
#[cfg(feature = "spool")]
pub use temporary_file::TemporaryFile;

/// Bytes that can be read at any offset through a shared reference.
pub trait ReadAt {
    /// Returns the number of bytes.
    ///
    /// # Errors
    /// I/O errors.
    fn size(&self) -> io::Result<u64>;

    /// Reads up to `buffer.len()` bytes at `offset`. Returns the number of bytes read, which is
    /// lower at the end and 0 beyond it.
    ///
    /// # Errors
    /// I/O errors.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Fills the buffer. Returns the number of bytes read, which is lower only at the end.
    ///
    /// # Errors
    /// I/O errors.
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

    /// Replaces the contents of `buffer` with up to `length` bytes. The buffer grows no further
    /// than the bytes that exist.
    ///
    /// # Errors
    /// I/O errors.
    fn read_into(&self, offset: u64, length: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        let read = self.size().and_then(|size| {
            let there = size.saturating_sub(offset);
            // The old contents are overwritten, so they need not be zeroed.
            buffer.resize(length.min(usize::try_from(there).unwrap_or(usize::MAX)), 0);
            self.read_full(offset, buffer)
        });
        buffer.truncate(*read.as_ref().unwrap_or(&0));
        read.map(drop)
    }
}

/// Bytes that can be changed in place.
pub trait WriteAt: ReadAt + Send {
    /// Writes all bytes at `offset`. Extends the file if needed.
    ///
    /// # Errors
    /// I/O errors.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Truncates or extends the file to this size.
    ///
    /// # Errors
    /// I/O errors.
    fn set_size(&mut self, size: u64) -> io::Result<()>;

    /// Waits until all data is on the disk.
    ///
    /// # Errors
    /// I/O errors.
    fn sync(&mut self) -> io::Result<()>;
}

/// A missing file reads as empty.
impl<R: ReadAt> ReadAt for Option<R> {
    fn size(&self) -> io::Result<u64> {
        self.as_ref().map_or(Ok(0), ReadAt::size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.as_ref().map_or(Ok(0), |inner| inner.read_at(offset, buffer))
    }
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

macro_rules! read_through {
    ($($pointer:ty),+) => {
        $(impl<T: ReadAt + ?Sized> ReadAt for $pointer {
            fn size(&self) -> io::Result<u64> {
                (**self).size()
            }

            fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
                (**self).read_at(offset, buffer)
            }
        })+
    };
}

read_through!(&T, Box<T>, Arc<T>);

impl<T: WriteAt + ?Sized> WriteAt for Box<T> {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).write_at(offset, bytes)
    }

    fn set_size(&mut self, size: u64) -> io::Result<()> {
        (**self).set_size(size)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}

impl WriteAt for Vec<u8> {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let too_long = || io::Error::from(io::ErrorKind::OutOfMemory);
        let start = usize::try_from(offset).map_err(|_| too_long())?;
        let end = start.checked_add(bytes.len()).ok_or_else(too_long)?;
        if self.len() < end {
            self.resize(end, 0);
        }
        if let Some(place) = self.get_mut(start..end) {
            place.copy_from_slice(bytes);
        }
        Ok(())
    }

    fn set_size(&mut self, size: u64) -> io::Result<()> {
        self.resize(usize::try_from(size).map_err(|_| io::ErrorKind::OutOfMemory)?, 0);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
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

    /// Other targets have no positional file access. Bases are read from memory there.
    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl WriteAt for File {
    #[cfg(unix)]
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, bytes, offset)
    }

    #[cfg(windows)]
    fn write_at(&mut self, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
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

    #[cfg(not(any(unix, windows)))]
    fn write_at(&mut self, _: u64, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn set_size(&mut self, size: u64) -> io::Result<()> {
        self.set_len(size)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}
