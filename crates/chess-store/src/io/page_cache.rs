//! A small page cache in front of a file, for the many short reads of a base.

use std::cell::RefCell;
use std::io;
use std::ops::Range;

use super::ReadAt;

const PAGES: usize = 16;
const PAGE_MASK: u64 = 15;
const PAGE_SIZE: u64 = 32 * 1024;
/// Number of bytes to read after a jump into a block. Most records are shorter.
const PART_SIZE: u64 = 2 * 1024;
/// After this number of partial reads, the whole block is read, because the reader keeps coming
/// back to it.
const MAX_PARTS: u8 = 3;

/// The cached blocks of one file, for one thread. Every thread has caches of its own in its
/// [`State`](crate::ReadGames::State), and puts them [in front](PageCache::cached) of the shared
/// file.
///
/// Cached blocks are never invalidated. Do not use one `PageCache` with two files, or while the
/// file changes.
#[derive(Debug, Default)]
pub struct PageCache {
    size: RefCell<Option<u64>>,
    pages: RefCell<[Page; PAGES]>,
}

#[derive(Debug, Default)]
struct Page {
    /// The block number plus one; zero for an empty slot.
    number: u64,
    /// The offset in the block of the first cached byte.
    first: usize,
    /// The cached bytes, followed by room that later reads reuse.
    buffer: Vec<u8>,
    /// The number of cached bytes.
    length: usize,
    /// The number of partial reads of the block.
    parts: u8,
}

impl Page {
    fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.length).unwrap_or_default()
    }

    /// Returns true if `place` is not adjacent to the cached part, and the block has been read in
    /// fewer than `MAX_PARTS` parts.
    fn is_jump(&self, place: usize) -> bool {
        let behind = self.first.saturating_add(self.length);
        let is_near = place >= self.first && place.saturating_sub(behind) as u64 <= PART_SIZE;
        self.parts < MAX_PARTS && !is_near
    }

    /// Returns the bytes of a block from `place` on, if enough of them are cached. Returns `None`
    /// if they must be read.
    fn bytes_of(&self, number: u64, place: usize, length: usize) -> Option<&[u8]> {
        let bytes = self.bytes().get(place.checked_sub(self.first)?..)?;
        (self.number == number.saturating_add(1) && bytes.len() >= length).then_some(bytes)
    }
}

impl PageCache {
    /// Wraps the file, so that it is read through this cache.
    pub fn cached<'a, R: ReadAt + ?Sized>(&'a self, file: &'a R) -> CachedFile<'a, R> {
        CachedFile { file, pages: self }
    }
}

/// A file that is read through a [`PageCache`]. Its size is queried once.
#[derive(Debug)]
pub struct CachedFile<'a, R: ?Sized> {
    file: &'a R,
    pages: &'a PageCache,
}

impl<R: ReadAt + ?Sized> CachedFile<'_, R> {
    /// Passes the bytes from `offset` on, which must be in the file. They are at least `length`
    /// bytes, if the block has that many. Reads the block, or a part of it, if needed.
    fn with_page<T>(
        &self,
        offset: u64,
        length: usize,
        size: u64,
        show: impl FnOnce(&[u8]) -> T,
    ) -> io::Result<Option<T>> {
        let number = offset / PAGE_SIZE;
        let (start, end) = block(number, size);
        let place = usize::try_from(offset.saturating_sub(start)).unwrap_or(0);
        let there = usize::try_from(end.saturating_sub(offset)).unwrap_or(0);
        let mut pages = self.pages.pages.borrow_mut();
        let slot = slot(number);
        let is_there = |pages: &[Page]| {
            pages
                .get(slot)
                .and_then(|page| page.bytes_of(number, place, length.min(there)))
                .is_some()
        };
        if !is_there(&*pages) {
            let part = offset..end.min(offset.saturating_add(PART_SIZE));
            let is_jump = is_jump(&*pages, number, place) && length as u64 <= PART_SIZE;
            if !is_jump {
                reuse_buffer(&mut *pages, number);
            }
            if let Some(page) = pages.get_mut(slot) {
                let known = page.number == number.saturating_add(1);
                page.parts = if known { page.parts.saturating_add(1) } else { 1 };
                self.read_page(page, number, if is_jump { part } else { start..end })?;
            }
        }
        Ok(pages.get(slot).and_then(|page| page.bytes_of(number, place, 0)).map(show))
    }

    /// Passes up to `length` bytes from `offset` on to `show`. They are fewer only at the end of the file.
    /// Bytes within one block are not copied. `show` must not read through the same [`PageCache`].
    ///
    /// # Errors
    /// I/O errors.
    #[inline]
    pub fn view<T>(
        &self,
        offset: u64,
        length: usize,
        mut show: impl FnMut(&[u8]) -> T,
    ) -> io::Result<T> {
        let size = self.size()?;
        let there = usize::try_from(size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let length = length.min(there);
        if length as u64 <= PAGE_SIZE && length > 0 {
            let shown = self
                .with_page(offset, length, size, |page| page.get(..length).map(&mut show))?
                .flatten();
            if let Some(shown) = shown {
                return Ok(shown);
            }
        }
        let mut bytes = Vec::new();
        self.read_into(offset, length, &mut bytes)?;
        Ok(show(&bytes))
    }

    #[cold]
    fn read_page(&self, page: &mut Page, number: u64, bytes: Range<u64>) -> io::Result<()> {
        page.number = 0;
        page.first = usize::try_from(bytes.start % PAGE_SIZE).unwrap_or(0);
        page.length = 0;
        let length = usize::try_from(bytes.end.saturating_sub(bytes.start)).unwrap_or(0);
        // Not `resize`, which fills the room with zeros even if the system has just done so.
        if page.buffer.len() < length {
            page.buffer = vec![0; length];
        }
        let room = page.buffer.get_mut(..length).unwrap_or_default();
        page.length = self.file.read_full(bytes.start, room)?;
        page.number = number.saturating_add(1);
        Ok(())
    }
}

/// Returns whether this read is a jump. It is none if it continues after the cached part of the
/// block, or after the complete previous block.
fn is_jump(pages: &[Page], number: u64, place: usize) -> bool {
    let known = |number: u64| {
        pages.get(slot(number)).filter(|page| page.number == number.saturating_add(1))
    };
    match known(number) {
        Some(page) => page.is_jump(place),
        None => number.checked_sub(1).and_then(known).is_none_or(|page| page.first > 0),
    }
}

/// Reuses the buffer of block n-2 for block n during sequential reads, so that a scan touches only
/// two buffers, which stay in the CPU cache.
fn reuse_buffer(pages: &mut [Page], number: u64) {
    let is_there = |before: u64| {
        let block = number.checked_sub(before)?;
        let page = pages.get(slot(block))?;
        (page.number == block.saturating_add(1) && page.first == 0).then_some(slot(block))
    };
    let (Some(old), Some(_)) = (is_there(2), is_there(1)) else { return };
    if pages.get(slot(number)).is_some_and(|page| page.buffer.is_empty()) {
        pages.swap(slot(number), old);
    }
}

/// Returns the start and the end of a block, in a file of this size.
fn block(number: u64, size: u64) -> (u64, u64) {
    let start = number.saturating_mul(PAGE_SIZE);
    (start, size.min(start.saturating_add(PAGE_SIZE)))
}

/// Returns the slot of a block.
fn slot(number: u64) -> usize {
    usize::try_from(number & PAGE_MASK).unwrap_or(0)
}

impl<R: ReadAt + ?Sized> ReadAt for CachedFile<'_, R> {
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
        match self.with_page(offset, buffer.len(), size, |page| page.read_at(0, buffer))? {
            Some(count) => count,
            None => self.file.read_at(offset, buffer),
        }
    }

    /// Fast path: usually all bytes are in one block and can be copied at once.
    fn read_into(&self, offset: u64, length: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        let size = self.size()?;
        let there = size.saturating_sub(offset);
        let length = length.min(usize::try_from(there).unwrap_or(usize::MAX));
        buffer.clear();
        if length as u64 <= PAGE_SIZE && length > 0 {
            let copied = self.with_page(offset, length, size, |page| {
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
    fn cached_file_reads_equal_file() {
        let bytes: Vec<u8> = (0..100_000).map(|n| (n / 251) as u8 ^ (n % 251) as u8).collect();
        let pages = PageCache::default();
        let file = pages.cached(&bytes);
        let mut buffer = Vec::new();
        for (offset, length) in [
            (0, 10),
            (32_760, 20),
            (99_990, 50),
            (100_000, 5),
            (u64::MAX, 5),
            (5, 90_000),
            (65_535, 2),
            (70_000, 3_000),
            (70_001, 1),
            (40_000, 2_000),
            (39_999, 10),
            (41_900, 200),
            (0, usize::MAX),
        ] {
            file.read_into(offset, length, &mut buffer).unwrap();
            let start = usize::try_from(offset).unwrap().min(bytes.len());
            let end = start.saturating_add(length).min(bytes.len());
            assert_eq!(buffer, &bytes[start..end], "{offset}+{length}");
            let seen = file.view(offset, length, <[u8]>::to_vec).unwrap();
            assert_eq!(seen, &bytes[start..end], "{offset}+{length}");
        }
    }

    #[test]
    fn sequential_scan_uses_two_block_buffers() {
        let bytes = vec![7; 40 * 32 * 1024];
        let pages = PageCache::default();
        let (file, mut buffer) = (pages.cached(&bytes), Vec::new());
        for offset in (0..bytes.len()).step_by(500) {
            file.read_into(offset as u64, 700, &mut buffer).unwrap();
        }
        let in_use = |pages: &PageCache| {
            pages.pages.borrow().iter().filter(|page| !page.buffer.is_empty()).count()
        };
        assert_eq!(in_use(&pages), 2);
        // A reader that goes back and forth keeps all blocks it has read.
        for block in [3, 30, 5, 28, 9] {
            file.read_into(block * PAGE_SIZE, 20_000, &mut buffer).unwrap();
        }
        assert_eq!(in_use(&pages), 7);
    }

    /// Counts the bytes read.
    #[derive(Default)]
    struct Counting {
        bytes: Vec<u8>,
        read: std::cell::Cell<usize>,
    }

    impl ReadAt for Counting {
        fn size(&self) -> io::Result<u64> {
            self.bytes.size()
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.bytes.read_at(offset, buffer)?;
            self.read.set(self.read.get() + count);
            Ok(count)
        }
    }

    fn read_at_each(offsets: impl Iterator<Item = u64>) -> usize {
        let file = Counting { bytes: vec![7; 1 << 20], ..Counting::default() };
        let pages = PageCache::default();
        let mut buffer = Vec::new();
        for offset in offsets {
            pages.cached(&file).read_into(offset, 100, &mut buffer).unwrap();
            assert_eq!(buffer.len(), 100);
        }
        file.read.get()
    }

    #[test]
    fn jumping_reader_reads_parts_and_sequential_reader_reads_once() {
        assert_eq!(read_at_each((0..16).map(|n| n * 65_536 + 50)), 16 * 2048);
        let back = |times| read_at_each((0..times).map(|n| n % 2 * 20_000 + 50));
        assert_eq!([back(1), back(2), back(3), back(4)], [2048, 4096, 6144, 6144 + 32 * 1024]);
        assert_eq!(back(100), back(4));
        let all = read_at_each((0..10_000).map(|n| n * 100));
        assert!((1_000_000..1_100_000).contains(&all), "{all}");
    }
}
