//! A small cache of blocks before a file, for the many short reads of a base.

use std::cell::RefCell;
use std::io;

use super::ReadAt;

const PAGES: usize = 16;
const PAGE_MASK: u64 = 15;
const PAGE_SIZE: u64 = 32 * 1024;

/// The blocks of one file that one thread keeps. Every thread has its own, in its
/// [`State`](crate::ReadGames::State), and puts them [before](Pages::before) the file it shares.
///
/// Once filled they stand for the file: use one `Pages` for one file, which must not change while
/// it is read.
#[derive(Debug, Default)]
pub struct Pages {
    size: RefCell<Option<u64>>,
    pages: RefCell<[Page; PAGES]>,
}

#[derive(Debug, Default)]
struct Page {
    /// Number of the block plus one; zero for none.
    number: u64,
    bytes: Vec<u8>,
}

impl Pages {
    /// The file, read through these pages.
    pub fn before<'a, R: ReadAt + ?Sized>(&'a self, file: &'a R) -> PagedFile<'a, R> {
        PagedFile { file, pages: self }
    }
}

/// A file read through [`Pages`]; its size is taken once.
#[derive(Debug)]
pub struct PagedFile<'a, R: ?Sized> {
    file: &'a R,
    pages: &'a Pages,
}

impl<R: ReadAt + ?Sized> PagedFile<'_, R> {
    /// Shows the bytes from `offset` to the end of the block that holds it, having read that block
    /// if need be.
    fn with_page<T>(
        &self,
        offset: u64,
        size: u64,
        show: impl FnOnce(&[u8]) -> T,
    ) -> io::Result<Option<T>> {
        let number = offset / PAGE_SIZE;
        let slot = usize::try_from(number & PAGE_MASK).unwrap_or(0);
        let mut pages = self.pages.pages.borrow_mut();
        let Some(page) = pages.get_mut(slot) else { return Ok(None) };
        let tag = number.saturating_add(1);
        if page.number != tag {
            self.read_page(page, number, size)?;
        }
        let start = usize::try_from(offset % PAGE_SIZE).unwrap_or(0);
        Ok(Some(show(page.bytes.get(start..).unwrap_or_default())))
    }

    #[cold]
    fn read_page(&self, page: &mut Page, number: u64, size: u64) -> io::Result<()> {
        page.number = 0;
        let start = number.saturating_mul(PAGE_SIZE);
        let length = usize::try_from(PAGE_SIZE.min(size.saturating_sub(start)));
        page.bytes.resize(length.unwrap_or(0), 0);
        let count = self.file.read_full(start, &mut page.bytes)?;
        page.bytes.truncate(count);
        page.number = number.saturating_add(1);
        Ok(())
    }
}

impl<R: ReadAt + ?Sized> ReadAt for PagedFile<'_, R> {
    fn size(&self) -> io::Result<u64> {
        if let Some(size) = *self.pages.size.borrow() {
            return Ok(size);
        }
        let size = self.file.size()?;
        *self.pages.size.borrow_mut() = Some(size);
        Ok(size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.size()?;
        if offset >= size {
            return Ok(0);
        }
        if buffer.len() as u64 >= PAGE_SIZE {
            return self.file.read_at(offset, buffer);
        }
        match self.with_page(offset, size, |page| page.read_at(0, buffer))? {
            Some(count) => count,
            None => self.file.read_at(offset, buffer),
        }
    }

    /// Mostly all is in one block, of which it is a copy.
    fn read_into(&self, offset: u64, length: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        let size = self.size()?;
        let there = size.saturating_sub(offset);
        let length = length.min(usize::try_from(there).unwrap_or(usize::MAX));
        buffer.clear();
        if length as u64 <= PAGE_SIZE && length > 0 {
            let copied = self.with_page(offset, size, |page| {
                page.get(..length).map(|bytes| buffer.extend_from_slice(bytes)).is_some()
            })?;
            if copied == Some(true) {
                return Ok(());
            }
        }
        buffer.resize(length, 0);
        let count = self.read_full(offset, buffer)?;
        buffer.truncate(count);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_give_what_the_file_holds() {
        let bytes: Vec<u8> = (0..100_000).map(|n| (n / 251) as u8 ^ (n % 251) as u8).collect();
        let pages = Pages::default();
        let file = pages.before(&bytes);
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
    }
}
