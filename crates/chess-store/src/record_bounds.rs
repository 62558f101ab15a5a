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
/// It looks at the index when first asked about such a record, and keeps a byte a game.
#[derive(Debug)]
pub struct RecordBounds {
    free: u64,
    bounds: OnceLock<Vec<u64>>,
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
    pub fn allowed<S: IntoIterator<Item = u64>>(
        &self,
        start: u64,
        length: usize,
        starts: impl FnOnce() -> S,
    ) -> usize {
        if length as u64 <= self.free {
            return length;
        }
        let bounds = self.bounds.get_or_init(|| every_eighth(starts().into_iter().collect()));
        let most = second_bound(bounds, start).saturating_sub(start).max(self.free);
        usize::try_from(most).map_or(length, |most| length.min(most))
    }
}

/// The second bound at or after a place.
fn second_bound(bounds: &[u64], start: u64) -> u64 {
    let first = bounds.partition_point(|bound| *bound < start);
    bounds.get(first.saturating_add(1)).copied().unwrap_or(u64::MAX)
}

/// The first of some places in order, the ninth, and so on.
fn every_eighth(mut starts: Vec<u64>) -> Vec<u64> {
    if !starts.is_sorted() {
        starts.sort_unstable();
    }
    let mut bounds: Vec<u64> = starts.into_iter().step_by(8).collect();
    bounds.shrink_to_fit();
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_that_follow_each_other_are_whole() {
        let starts = || (0..1000).map(|n| n * 600);
        let bounds = RecordBounds::default();
        for start in starts() {
            assert_eq!(bounds.allowed(start, 600, starts), 600);
        }
        assert_eq!(bounds.allowed(999 * 600, 1 << 40, starts), 1 << 40, "the last");
    }

    #[test]
    fn records_that_share_bytes_are_cut() {
        let same = || std::iter::repeat_n(70, 40);
        let bounds = RecordBounds::default();
        assert_eq!(bounds.allowed(70, 9000, same), 512);
        assert_eq!(bounds.allowed(70, 100, same), 100);
        assert_eq!(RecordBounds::new(0).allowed(70, 100, same), 0);
        // In no order, each 100 bytes after another.
        let dense = || (0..1000_u64).map(|n| n * 7 % 1000 * 100);
        let bounds = RecordBounds::default();
        assert_eq!(bounds.allowed(800, 9000, dense), 800);
        assert_eq!(bounds.allowed(900, 9000, dense), 1500);
        let total: usize = dense().map(|start| bounds.allowed(start, 1 << 30, dense)).sum();
        // Behind the last bounds nothing is cut.
        assert!(total < 16 * 100_000 + (16 << 30), "{total}");
    }
}
