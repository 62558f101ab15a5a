//! The hybrid of run lengths and packed bits that Parquet stores small numbers in: levels, and
//! numbers of values in a dictionary (Parquet's Encodings.md, "RLE = 3").
//!
//! Eight equal numbers begin a run; everything between runs is packed in groups of eight:
//!
//! ```text
//! run:      varint(count << 1)        the number in whole bytes
//! packed:   varint(groups << 1 | 1)   eight numbers a group, the lowest bits first
//! ```

/// The number of values in a packed group.
const GROUP: usize = 8;
/// The most values in a packed run. The header of 63 groups is one byte.
const MAX_PACKED: usize = 63 * GROUP;

/// Encodes numbers of `width` bits.
#[derive(Debug, Default)]
pub(crate) struct Hybrid {
    width: u32,
    out: Vec<u8>,
    /// Values that are not written, up to [`MAX_PACKED`]. Whole groups among them will be packed.
    pending: Vec<u16>,
    /// The last value, and how often it was repeated since the last whole group. From [`GROUP`] on
    /// it is a run and `pending` is empty.
    value: u16,
    repeats: usize,
}

impl Hybrid {
    /// Creates an encoder that appends to `out`. `width` is at most 16.
    pub(crate) fn new(width: u32, out: Vec<u8>) -> Hybrid {
        Hybrid { width, out, ..Hybrid::default() }
    }

    /// Returns the least width that holds the numbers up to `most`.
    pub(crate) fn width_of(most: usize) -> u32 {
        usize::BITS - most.leading_zeros()
    }

    #[inline]
    pub(crate) fn put(&mut self, value: u16) {
        if value == self.value {
            self.repeats += 1;
            if self.repeats > GROUP {
                return;
            }
        } else {
            if self.repeats >= GROUP {
                self.end_run();
            }
            (self.value, self.repeats) = (value, 1);
        }
        self.pending.push(value);
        if self.pending.len().is_multiple_of(GROUP) {
            self.end_group();
        }
    }

    /// Encodes `value`, `count` times.
    #[inline]
    pub(crate) fn put_run(&mut self, value: u16, mut count: usize) {
        while count > 0 {
            if self.repeats >= GROUP && value == self.value {
                self.repeats += count;
                return;
            }
            self.put(value);
            count -= 1;
        }
    }

    /// Encodes all `values`.
    pub(crate) fn put_all(&mut self, mut values: &[u16]) {
        while let Some((group, rest)) = values.split_first_chunk::<GROUP>() {
            let is_aligned = self.repeats < GROUP && self.pending.len().is_multiple_of(GROUP);
            let [first, others @ ..] = group;
            if is_aligned && others.iter().any(|value| value != first) {
                // Nothing in the group can begin or continue a run.
                self.pending.extend_from_slice(group);
                [.., self.value] = *group;
                self.end_group();
            } else {
                group.iter().for_each(|value| self.put(*value));
            }
            values = rest;
        }
        values.iter().for_each(|value| self.put(*value));
    }

    /// Decides whether the last group begins a run or is packed.
    fn end_group(&mut self) {
        if self.repeats >= GROUP {
            self.pending.truncate(self.pending.len() - GROUP);
            self.pack();
            return;
        }
        self.repeats = 0;
        if self.pending.len() >= MAX_PACKED {
            self.pack();
        }
    }

    fn end_run(&mut self) {
        self.varint(self.repeats << 1);
        let bytes = self.value.to_le_bytes();
        let length = usize::try_from(self.width.div_ceil(8)).unwrap_or(0);
        self.out.extend_from_slice(bytes.get(..length).unwrap_or_default());
        self.repeats = 0;
    }

    /// Writes the pending values, which are whole groups.
    fn pack(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        self.varint((self.pending.len() / GROUP) << 1 | 1);
        let (width, length) = (self.width, usize::try_from(self.width).unwrap_or(0));
        let half = |[a, b, c, d]: [u16; 4]| {
            let [a, b, c, d] = [a, b, c, d].map(u64::from);
            a | b << width | c << (2 * width) | d << (3 * width)
        };
        let (groups, _) = self.pending.as_chunks::<GROUP>();
        for [a, b, c, d, e, f, g, h] in groups.iter().copied() {
            let bits = u128::from(half([e, f, g, h])) << (4 * width);
            let bits = bits | u128::from(half([a, b, c, d]));
            self.out.extend_from_slice(bits.to_le_bytes().get(..length).unwrap_or_default());
        }
        self.pending.clear();
    }

    fn varint(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.out.push(0x80 | number.to_le_bytes().first().copied().unwrap_or(0));
            number >>= 7;
        }
        self.out.extend(number.to_le_bytes().first());
    }

    /// Ends the encoding, and returns the bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.repeats >= GROUP {
            self.end_run();
        } else if self.pending.iter().all(|value| *value == self.value) && self.repeats > 0 {
            self.pending.clear();
            self.end_run();
        } else {
            let whole = self.pending.len().next_multiple_of(GROUP);
            self.pending.resize(whole, 0);
            self.pack();
        }
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes `count` values, by the specification.
    fn decode(width: u32, bytes: &[u8], count: usize) -> Vec<u16> {
        let (mut rest, mut values) = (bytes, Vec::new());
        while values.len() < count {
            let header = crate::pages::varint(&mut rest).unwrap();
            let count = usize::try_from(header >> 1).unwrap();
            if header & 1 == 0 {
                let (value, after) = rest.split_at(width.div_ceil(8) as usize);
                let value = value.iter().rev().fold(0, |sum, byte| sum << 8 | u16::from(*byte));
                values.extend(vec![value; count]);
                rest = after;
            } else {
                let (packed, after) = rest.split_at(count * width as usize);
                let bit = |at: usize| u16::from(packed[at / 8] >> (at % 8) & 1);
                let bits = width as usize;
                let value = |n: usize| (0..bits).fold(0, |sum, b| sum | bit(n * bits + b) << b);
                values.extend((0..count * GROUP).map(value));
                rest = after;
            }
        }
        assert!(rest.is_empty(), "{} bytes are left", rest.len());
        values.truncate(count);
        values
    }

    fn encode(width: u32, runs: &[(u16, usize)]) -> Vec<u8> {
        let (mut single, mut whole) =
            (Hybrid::new(width, Vec::new()), Hybrid::new(width, Vec::new()));
        for (value, count) in runs {
            (0..*count).for_each(|_| single.put(*value));
            whole.put_run(*value, *count);
        }
        let bytes = whole.finish();
        assert_eq!(single.finish(), bytes, "{runs:?}");
        let values: Vec<u16> =
            runs.iter().flat_map(|(value, count)| vec![*value; *count]).collect();
        let mut all = Hybrid::new(width, Vec::new());
        let (before, after) = values.split_at(values.len() / 3);
        all.put_all(before);
        all.put_all(after);
        assert_eq!(all.finish(), bytes, "{runs:?}");
        bytes
    }

    #[test]
    fn hybrid_known_values_match_specification() {
        assert_eq!(
            encode(3, &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1)]),
            [3, 0b1000_1000, 0b1100_0110, 0b1111_1010]
        );
        assert_eq!(encode(1, &[(1, 300)]), [0xd8, 4, 1]);
        assert_eq!(encode(11, &[(1025, 9)]), [18, 1, 4]);
        assert_eq!(encode(0, &[(0, 5)]), [10]);
        assert_eq!(encode(1, &[(0, 1), (1, 20)]), [3, 0b1111_1110, 26, 1]);
    }

    #[test]
    fn hybrid_runs_of_any_length_are_read_back() {
        let mut random = 12345u32;
        let mut next = move |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % below
        };
        for width in 1..=16 {
            for most in [1, 3, 12, 40, 2000] {
                let value = |n: u32| u16::try_from(n).unwrap();
                let runs: Vec<(u16, usize)> =
                    (0..400).map(|_| (value(next(1 << width)), 1 + next(most) as usize)).collect();
                let count = runs.iter().map(|(_, count)| count).sum();
                let values: Vec<u16> =
                    runs.iter().flat_map(|(value, count)| vec![*value; *count]).collect();
                assert_eq!(decode(width, &encode(width, &runs), count), values, "{width} {most}");
            }
        }
        for length in 0..20 {
            let values = decode(1, &encode(1, &[(1, 3), (0, length)]), 3 + length);
            assert_eq!(values.iter().filter(|value| **value == 1).count(), 3);
        }
    }
}
