//! Eight counts in one word, added and searched all at a time.
//!
//! Which piece a number means, and which of its moves, cannot be foreseen, and each wrong guess
//! of the processor's costs more than twenty additions: nothing here branches on a count.

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGH: u64 = ONES << 7;

/// How many there are of eight things, a byte each, the first lowest. At most 255 in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Groups(pub(super) u64);

impl Groups {
    /// One of each thing that is there.
    #[inline]
    pub(super) fn of_flags(there: [bool; 8]) -> Groups {
        Groups(there.into_iter().rev().fold(0, |all, one| all << 8 | u64::from(one)))
    }

    /// So many of each.
    #[inline]
    pub(super) fn of_counts(counts: [u32; 8]) -> Groups {
        Groups(counts.into_iter().rev().fold(0, |all, count| all << 8 | u64::from(count)))
    }

    /// So many for each one, at most 255 in all.
    #[inline]
    pub(super) fn times(self, factor: u8) -> Groups {
        Groups(self.0.wrapping_mul(factor.into()))
    }

    /// Those of the groups in a mask.
    #[inline]
    pub(super) fn only(self, mask: u64) -> Groups {
        Groups(self.0 & mask)
    }

    /// How many are in one group.
    #[inline]
    pub(super) fn get(self, group: u32) -> u32 {
        byte(self.0, group)
    }

    /// How many are in the groups before one.
    #[inline]
    pub(super) fn before(self, group: u32) -> u32 {
        byte(self.sums() << 8, group)
    }

    #[inline]
    pub(super) fn total(self) -> u32 {
        byte(self.sums(), 7)
    }

    /// The group that holds the `n`-th, and its place in it, both `n` and place from 1. `n` is at
    /// most 128. `None` if there are fewer.
    #[inline]
    pub(super) fn find(self, n: u32) -> Option<(u32, u32)> {
        let sums = self.sums();
        // Byte by byte, whether the sum is no less than n; no byte borrows from the next.
        let enough = ((sums | HIGH).wrapping_sub(u64::from(n).wrapping_mul(ONES)) | sums) & HIGH;
        let group = enough.trailing_zeros() >> 3;
        (enough != 0).then(|| (group, n.wrapping_sub(byte(sums << 8, group))))
    }

    /// Each byte with all before it added.
    #[inline]
    fn sums(self) -> u64 {
        self.0.wrapping_mul(ONES)
    }
}

/// One of the eight bytes.
#[inline]
fn byte(bytes: u64, group: u32) -> u32 {
    let [low, ..] = (bytes >> (group << 3 & 63)).to_le_bytes();
    u32::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against counting one by one, with counts as high as eight queens on a file have them.
    #[test]
    fn the_nth_of_eight() {
        let mut random = testkit::Random::new(1);
        for _ in 0..2000 {
            let bytes = random.bytes(8);
            let counts: [u32; 8] = std::array::from_fn(|i| u32::from(bytes[i]) % 29 / 3 * 3);
            let groups = Groups::of_counts(counts);
            let all: Vec<(u32, u32)> = (0..8)
                .flat_map(|group| (1..=counts[group as usize]).map(move |place| (group, place)))
                .collect();
            assert_eq!(groups.total() as usize, all.len());
            for n in 1..=128 {
                assert_eq!(groups.find(n), all.get(n as usize - 1).copied(), "{counts:?} {n}");
            }
            for group in 0..8 {
                let before = all.iter().take_while(|(other, _)| *other < group).count();
                assert_eq!(groups.before(group) as usize, before);
                assert_eq!(groups.get(group), counts[group as usize]);
            }
        }
    }

    #[test]
    fn flags() {
        let groups = Groups::of_flags([false, true, true, false, false, false, false, true]);
        assert_eq!(groups.find(1), Some((1, 1)));
        assert_eq!(groups.find(3), Some((7, 1)));
        assert_eq!(groups.find(4), None);
    }
}
