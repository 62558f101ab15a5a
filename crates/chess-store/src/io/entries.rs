//! Sequential reading of fixed-size entries.

use std::io;
use std::ops::Range;

use super::ReadAt;

/// Number of bytes to read at a time.
const READ_SIZE: usize = 1 << 16;
/// Number of bytes that are kept: a thousand of the largest entries, so that a search finds the
/// candidates among them in the buffer.
const KEPT: usize = 1 << 18;

/// The most recently read part of a file of entries. A search first scans the whole index. It then
/// reads single entries of the candidates, through [`cached`](ReadAhead::cached).
///
/// The buffer is never invalidated. The file must not change while it is read.
#[derive(Debug, Default)]
pub struct ReadAhead {
    start: u64,
    buffer: Vec<u8>,
    /// Number of valid bytes in `buffer`, which the file has from `start` on.
    filled: usize,
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
        (self.start, self.filled) = (start, 0);
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

    /// Appends the bytes to the buffer. Replaces it if it is full, or if a read has failed.
    fn read<R: ReadAt + ?Sized>(&mut self, file: &R, start: u64, length: usize) -> &[u8] {
        let follows = start == self.start.saturating_add(self.filled as u64);
        if !follows || self.filled.saturating_add(length) > KEPT {
            (self.start, self.filled) = (start, 0);
        }
        let (place, end) = (self.filled, self.filled.saturating_add(length));
        if self.buffer.len() < end {
            self.buffer.resize(end, 0);
        }
        let free = self.buffer.get_mut(place..end).unwrap_or_default();
        let read = file.read_full(start, free).unwrap_or(0);
        self.filled = place.saturating_add(read);
        self.bytes().get(place..).unwrap_or_default()
    }

    fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.filled).unwrap_or_default()
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
            Some(place) if place < self.buffer.filled as u64 => {
                self.buffer.bytes().read_at(place, buffer)
            }
            _ => self.file.read_at(offset, buffer),
        }
    }

    #[inline]
    fn read_full(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let place = offset.checked_sub(self.buffer.start).map(usize::try_from);
        let buffered = place.and_then(|place| self.buffer.bytes().get(place.ok()?..));
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
    fn cached_entries_of_several_reads_are_those_read_last() {
        let bytes: Vec<u8> = (0..200_000u32).flat_map(|n| n.to_le_bytes()).collect();
        let mut read_ahead = ReadAhead::default();
        // 280,000 bytes are more than the buffer keeps.
        read_ahead.each_entry(&bytes, (400, 4), 100..70_100, |number, entry| {
            assert_eq!(entry, number.to_le_bytes().get(..4).unwrap());
        });
        let other = vec![0xff; bytes.len()];
        for (number, is_kept) in [(99, false), (100, false), (70_099, true), (70_100, false)] {
            let mut entry = [0; 4];
            read_ahead.cached(&other).read_full(number * 4, &mut entry).unwrap();
            let expected = if is_kept { (number as u32).to_le_bytes() } else { [0xff; 4] };
            assert_eq!(entry, expected, "{number}");
        }
        read_ahead.each_entry(&bytes, (400, 4), 100..40_100, |_, _| ());
        for number in [100, 20_000, 40_099] {
            let mut entry = [0; 4];
            read_ahead.cached(&other).read_full(number * 4, &mut entry).unwrap();
            assert_eq!(entry, (number as u32).to_le_bytes());
        }
    }

    /// Fails to read the bytes from 65,536 to 131,071.
    struct Unreadable(Vec<u8>);

    impl ReadAt for Unreadable {
        fn size(&self) -> io::Result<u64> {
            self.0.size()
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            if offset >> 16 == 1 {
                return Err(io::ErrorKind::Other.into());
            }
            self.0.read_at(offset, buffer)
        }
    }

    #[test]
    fn entries_behind_failed_read_keep_their_offsets() {
        let bytes: Vec<u8> = (0..60_000u32).flat_map(|n| n.to_le_bytes()).collect();
        let file = Unreadable(bytes);
        let mut read_ahead = ReadAhead::default();
        let is_lost = |number: u64| (16_384..32_768).contains(&number);
        read_ahead.each_entry(&file, (0, 4), 0..60_000, |number, entry| {
            let expected = (number as u32).to_le_bytes();
            assert_eq!(entry, if is_lost(number) { &[] } else { &expected[..] }, "{number}");
        });
        for number in [40_000, 59_999] {
            let mut entry = [0; 4];
            read_ahead.cached(&vec![0xff; 240_000]).read_full(number * 4, &mut entry).unwrap();
            assert_eq!(entry, (number as u32).to_le_bytes());
        }
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
