//! Sequential reading of fixed-size entries.

use std::io;
use std::ops::Range;

use super::ReadAt;

/// Number of bytes to read at a time: a thousand of the largest entries, so that a search finds the
/// candidates among them in the buffer.
const READ_SIZE: usize = 1 << 18;

/// The most recently read part of a file of entries. A search first scans the whole index. It then
/// reads single entries of the candidates, through [`cached`](ReadAhead::cached).
///
/// The buffer is never invalidated. The file must not change while it is read.
#[derive(Debug, Default)]
pub struct ReadAhead {
    start: u64,
    bytes: Vec<u8>,
}

impl ReadAhead {
    /// Calls `each` with the number and the bytes of each entry in `numbers`. `start` is the offset
    /// of the first entry, and `size` the size of an entry. The bytes of an incomplete entry are
    /// empty.
    #[inline]
    pub fn each_entry<R: ReadAt + ?Sized>(
        &mut self,
        file: &R,
        (start, size): (u64, usize),
        numbers: Range<u64>,
        mut each: impl FnMut(u64, &[u8]),
    ) {
        let most = READ_SIZE.checked_div(size).unwrap_or(0).max(1);
        let (mut first, mut at) = (numbers.start, start);
        while first < numbers.end {
            let left = usize::try_from(numbers.end.saturating_sub(first)).unwrap_or(usize::MAX);
            let count = left.min(most);
            let length = count.saturating_mul(size);
            let mut next = first;
            for entry in self.read(file, at, length).chunks_exact(size.max(1)) {
                each(next, entry);
                next = next.saturating_add(1);
            }
            first = first.saturating_add(count as u64);
            (next..first).for_each(|number| each(number, &[]));
            at = at.saturating_add(length as u64);
        }
    }

    fn read<R: ReadAt + ?Sized>(&mut self, file: &R, start: u64, length: usize) -> &[u8] {
        self.start = start;
        self.bytes.resize(length, 0);
        let read = file.read_full(start, &mut self.bytes).unwrap_or(0);
        self.bytes.truncate(read);
        &self.bytes
    }

    /// Wraps the file, so that the buffered part is not read again.
    pub fn cached<R: ReadAt>(&self, file: R) -> ReadAheadFile<'_, R> {
        ReadAheadFile { buffer: self, file }
    }
}

/// A file that is read through a [`ReadAhead`].
#[derive(Debug)]
pub struct ReadAheadFile<'a, R> {
    buffer: &'a ReadAhead,
    file: R,
}

impl<R: ReadAt> ReadAt for ReadAheadFile<'_, R> {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match offset.checked_sub(self.buffer.start) {
            Some(place) if place < self.buffer.bytes.len() as u64 => {
                self.buffer.bytes.read_at(place, buffer)
            }
            _ => self.file.read_at(offset, buffer),
        }
    }

    #[inline]
    fn read_full(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let place = offset.checked_sub(self.buffer.start).map(usize::try_from);
        let buffered = place.and_then(|place| self.buffer.bytes.get(place.ok()?..));
        match buffered.and_then(|bytes| bytes.get(..buffer.len())) {
            Some(bytes) => {
                buffer.copy_from_slice(bytes);
                Ok(bytes.len())
            }
            None => self.file.read_full(offset, buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_of_incomplete_file_is_empty() {
        let bytes: Vec<u8> = (0..70_001u32).flat_map(|n| n.to_le_bytes()).collect();
        let cut = bytes[..bytes.len() - 1].to_vec();
        let (mut stretch, mut next) = (ReadAhead::default(), 5);
        stretch.each_entry(&cut, (20, 4), 5..80_000, |number, entry| {
            assert_eq!(number, next);
            next += 1;
            let expected = bytes.chunks(4).nth(number as usize).filter(|_| number < 70_000);
            assert_eq!(entry, expected.unwrap_or_default(), "{number}");
        });
        assert_eq!(next, 80_000);
    }

    #[test]
    fn cached_entries_are_not_read_again() {
        let mut stretch = ReadAhead::default();
        stretch.each_entry(&vec![1; 500], (100, 10), 10..20, |_, _| ());
        let other = vec![2; 500];
        let (mut buffer, mut found) = ([0], Vec::new());
        for offset in [99, 100, 199, 200, 500] {
            found.push(stretch.cached(&other).read_full(offset, &mut buffer).unwrap());
            found.push(buffer[0].into());
        }
        assert_eq!(found, [1, 2, 1, 1, 1, 1, 1, 2, 0, 2]);
    }
}
