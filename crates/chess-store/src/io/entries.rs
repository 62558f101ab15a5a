//! Entries of one size, read as they lie.

use std::ops::Range;

use super::ReadAt;

/// Bytes that are read at a time.
const STRETCH: usize = 1 << 16;

/// Hands over the bytes of entries of a `size`, the first of the `numbers` from `start` on; none for
/// one that is not all there. `buffer` is memory to be used again.
pub fn each_entry(
    file: &dyn ReadAt,
    (start, size): (u64, usize),
    numbers: Range<u64>,
    buffer: &mut Vec<u8>,
    each: &mut dyn FnMut(u64, &[u8]),
) {
    let most = STRETCH.checked_div(size).unwrap_or(0).max(1);
    let (mut first, mut at) = (numbers.start, start);
    while first < numbers.end {
        let left = usize::try_from(numbers.end.saturating_sub(first)).unwrap_or(usize::MAX);
        let count = left.min(most);
        buffer.resize(count.saturating_mul(size), 0);
        let read = file.read_full(at, buffer).unwrap_or(0);
        let whole = buffer.get(..read).unwrap_or_default();
        let mut next = first;
        for entry in whole.chunks_exact(size.max(1)) {
            each(next, entry);
            next = next.saturating_add(1);
        }
        first = first.saturating_add(count as u64);
        (next..first).for_each(|number| each(number, &[]));
        at = at.saturating_add(buffer.len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_bytes_or_none() {
        let bytes: Vec<u8> = (0..70_001u32).flat_map(|n| n.to_le_bytes()).collect();
        let cut = bytes[..bytes.len() - 1].to_vec();
        let (mut buffer, mut next) = (Vec::new(), 5);
        each_entry(&cut, (20, 4), 5..80_000, &mut buffer, &mut |number, entry| {
            assert_eq!(number, next);
            next += 1;
            let expected = bytes.chunks(4).nth(number as usize).filter(|_| number < 70_000);
            assert_eq!(entry, expected.unwrap_or_default(), "{number}");
        });
        assert_eq!(next, 80_000);
    }
}
