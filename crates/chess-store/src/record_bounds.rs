//! How far a record may reach.

use std::sync::OnceLock;

/// Where the records of a base end at the latest, by where others begin.
///
/// The records of a sound base follow each other. A damaged or hostile index can let thousands of
/// entries lead into one long record, each of which would give its text again: gigabytes out of
/// kilobytes. So of all places where records begin, in order, every eighth is a bound, and a record that
/// is longer than some bytes that any may have ends at the second bound at or after its start. Any byte
/// then counts for at most sixteen records beyond those first bytes.
///
/// It looks at the index when first asked about such a record, and keeps a third of a byte a game.
#[derive(Debug)]
pub struct RecordBounds {
    free: u64,
    bounds: OnceLock<Bounds>,
}

impl Default for RecordBounds {
    /// Any record may have 512 bytes, about ten times what its entry in an index has.
    fn default() -> RecordBounds {
        RecordBounds::new(512)
    }
}

impl RecordBounds {
    /// Bounds of records that may have at least `free` bytes each.
    #[must_use]
    pub const fn new(free: u64) -> RecordBounds {
        RecordBounds { free, bounds: OnceLock::new() }
    }

    /// How many bytes are read of a record that begins at `start` and has `length` by its own
    /// account. `starts` gives where the records of the base begin, in any order.
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

/// Every eighth of some places in order, as differences: those of the records of a sound base take
/// two bytes.
#[derive(Debug, Default)]
struct Bounds {
    /// Each 32nd, and where the difference to the next stands.
    samples: Vec<(u64, usize)>,
    /// Seven bits a byte, the lowest first; the high bit says that more follow.
    differences: Vec<u8>,
    last: u64,
    count: u64,
}

/// How many bounds a sample stands for.
const SAMPLED: u64 = 32;

impl Bounds {
    fn of<S: IntoIterator<Item = u64>>(starts: impl Fn() -> S) -> Bounds {
        // Mostly they are in order, and then need not be held all at once.
        let bounds = Bounds::of_sorted(starts()).unwrap_or_else(|| {
            let mut starts: Vec<u64> = starts().into_iter().collect();
            starts.sort_unstable();
            Bounds::of_sorted(starts).unwrap_or_default()
        });
        bounds.shrunk()
    }

    /// `None` if they are in no order.
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

    /// The second bound at or after a place.
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
    fn records_that_follow_each_other_are_whole() {
        let starts = || (0..1000).map(|n| n * 600);
        let bounds = RecordBounds::default();
        for start in starts() {
            assert_eq!(bounds.max_extent(start, 600, starts), 600);
        }
        assert_eq!(bounds.max_extent(999 * 600, 1 << 40, starts), 1 << 40, "the last");
    }

    #[test]
    fn records_that_share_bytes_are_cut() {
        let same = || std::iter::repeat_n(70, 40);
        let bounds = RecordBounds::default();
        assert_eq!(bounds.max_extent(70, 9000, same), 512);
        assert_eq!(bounds.max_extent(70, 100, same), 100);
        assert_eq!(RecordBounds::new(0).allowed(70, 100, same), 0);
        // In no order, each 100 bytes after another.
        let dense = || (0..1000_u64).map(|n| n * 7 % 1000 * 100);
        let bounds = RecordBounds::default();
        assert_eq!(bounds.max_extent(800, 9000, dense), 800);
        assert_eq!(bounds.max_extent(900, 9000, dense), 1500);
        let total: usize = dense().map(|start| bounds.max_extent(start, 1 << 30, dense)).sum();
        // Behind the last bounds nothing is cut.
        assert!(total < 16 * 100_000 + (16 << 30), "{total}");
    }

    /// What a list of all bounds says.
    #[test]
    fn the_second_bound_is_that_of_the_list() {
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
