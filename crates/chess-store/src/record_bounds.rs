//! Limits on the extent of records, against amplification.

use std::sync::OnceLock;

/// Limits the extent of records by the start of later records.
///
/// The records of an intact base do not overlap. A damaged or hostile index can let thousands of
/// entries point into one long record. Decoding each of them would produce gigabytes from
/// kilobytes.
///
/// To prevent this, every eighth record start, in order of offset, is a bound. A record longer than
/// `free` bytes is truncated at the second bound at or after its start. So each byte is read for at
/// most sixteen records, beyond the first `free` bytes of each record.
///
/// The bounds are computed when the first long record is read. They take a third of a byte for each
/// game.
#[derive(Debug)]
pub struct RecordBounds {
    free: u64,
    bounds: OnceLock<Bounds>,
}

impl Default for RecordBounds {
    /// Allows 512 bytes for any record, about ten times the size of an index entry.
    fn default() -> RecordBounds {
        RecordBounds::new(512)
    }
}

impl RecordBounds {
    /// Creates limits that allow at least `free` bytes for each record.
    #[must_use]
    pub const fn new(free: u64) -> RecordBounds {
        RecordBounds { free, bounds: OnceLock::new() }
    }

    /// Returns how many bytes to read of a record that begins at `start` and claims `length` bytes.
    /// `starts` provides the start of every record of the base, in any order.
    pub fn max_extent<S: IntoIterator<Item = u64>>(
        &self,
        start: u64,
        length: usize,
        starts: impl Fn() -> S,
    ) -> usize {
        if length as u64 <= self.free {
            return length;
        }
        let bounds = self.bounds.get_or_init(|| Bounds::of(starts));
        let most = bounds.second(start).saturating_sub(start).max(self.free);
        usize::try_from(most).map_or(length, |most| length.min(most))
    }
}

/// The bounds as a list of differences. In an intact base a difference takes two bytes.
#[derive(Debug, Default)]
struct Bounds {
    /// Every 32nd bound, and the index in `differences` of the difference to the next bound.
    samples: Vec<(u64, usize)>,
    /// Seven bits in each byte, the lowest first. The high bit is set if another byte follows.
    differences: Vec<u8>,
    last: u64,
    count: u64,
}

/// Number of bounds for each sample.
const SAMPLED: u64 = 32;

impl Bounds {
    fn of<S: IntoIterator<Item = u64>>(starts: impl Fn() -> S) -> Bounds {
        // Record starts are usually sorted. Then they need not be collected.
        let bounds = Bounds::of_sorted(starts()).unwrap_or_else(|| {
            let mut starts: Vec<u64> = starts().into_iter().collect();
            starts.sort_unstable();
            Bounds::of_sorted(starts).unwrap_or_default()
        });
        bounds.shrunk()
    }

    /// Returns `None` if `starts` is not sorted.
    fn of_sorted(starts: impl IntoIterator<Item = u64>) -> Option<Bounds> {
        let (mut bounds, mut last) = (Bounds::default(), 0);
        for (number, start) in (0u64..).zip(starts) {
            if start < last {
                return None;
            }
            last = start;
            if number.is_multiple_of(8) {
                bounds.push(start);
            }
        }
        Some(bounds)
    }

    fn push(&mut self, bound: u64) {
        let mut difference = bound.saturating_sub(self.last);
        while difference > 127 {
            self.differences.push(128 | u8::try_from(difference & 127).unwrap_or(0));
            difference >>= 7;
        }
        self.differences.push(u8::try_from(difference).unwrap_or(0));
        if self.count.is_multiple_of(SAMPLED) {
            self.samples.push((bound, self.differences.len()));
        }
        self.last = bound;
        self.count = self.count.saturating_add(1);
    }

    fn shrunk(mut self) -> Bounds {
        self.samples.shrink_to_fit();
        self.differences.shrink_to_fit();
        self
    }

    /// Returns the second bound at or after `start`.
    fn second(&self, start: u64) -> u64 {
        let after = self.samples.partition_point(|(bound, _)| *bound < start);
        let sample = self.samples.get(after.saturating_sub(1)).copied();
        let Some((mut bound, mut at)) = sample else { return u64::MAX };
        let mut found = false;
        loop {
            if bound >= start && std::mem::replace(&mut found, true) {
                return bound;
            }
            let (mut difference, mut shift) = (0u64, 0u32);
            loop {
                let Some(byte) = self.differences.get(at) else { return u64::MAX };
                at = at.saturating_add(1);
                difference |= u64::from(byte & 127).checked_shl(shift).unwrap_or(0);
                shift = shift.saturating_add(7);
                if byte & 128 == 0 {
                    break;
                }
            }
            bound = bound.saturating_add(difference);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_extent_adjacent_records_are_whole() {
        let starts = || (0..1000).map(|n| n * 600);
        let bounds = RecordBounds::default();
        for start in starts() {
            assert_eq!(bounds.max_extent(start, 600, starts), 600);
        }
        assert_eq!(bounds.max_extent(999 * 600, 1 << 40, starts), 1 << 40, "the last");
    }

    #[test]
    fn max_extent_overlapping_records_are_cut() {
        let same = || std::iter::repeat_n(70, 40);
        let bounds = RecordBounds::default();
        assert_eq!(bounds.max_extent(70, 9000, same), 512);
        assert_eq!(bounds.max_extent(70, 100, same), 100);
        assert_eq!(RecordBounds::new(0).max_extent(70, 100, same), 0);
        // Unsorted starts, 100 bytes apart.
        let dense = || (0..1000_u64).map(|n| n * 7 % 1000 * 100);
        let bounds = RecordBounds::default();
        assert_eq!(bounds.max_extent(800, 9000, dense), 800);
        assert_eq!(bounds.max_extent(900, 9000, dense), 1500);
        let total: usize = dense().map(|start| bounds.max_extent(start, 1 << 30, dense)).sum();
        // Records after the last bounds are not truncated.
        assert!(total < 16 * 100_000 + (16 << 30), "{total}");
    }

    /// Compares the packed bounds with a plain list.
    #[test]
    fn second_bound_equals_that_of_plain_list() {
        let mut random = testkit::Random::new(11);
        for count in [0, 1, 8, 9, 17, 255, 256, 257, 3000] {
            for most in [0, 1, 200, 20_000, u64::MAX >> 20] {
                let mut starts = vec![0u64; count];
                for start in &mut starts {
                    *start =
                        u64::from_le_bytes(std::array::from_fn(|_| random.byte())) % (most + 1);
                }
                let bounds = Bounds::of(|| starts.iter().copied());
                let mut sorted = starts.clone();
                sorted.sort_unstable();
                assert_eq!(bounds.count, count.div_ceil(8) as u64);
                let list: Vec<u64> = sorted.iter().copied().step_by(8).collect();
                for place in starts.iter().flat_map(|start| [*start, start + 1]).chain([0, most]) {
                    let first = list.partition_point(|bound| *bound < place);
                    let expected = list.get(first + 1).copied().unwrap_or(u64::MAX);
                    assert_eq!(bounds.second(place), expected, "{count} {most} {place}");
                }
            }
        }
    }
}
