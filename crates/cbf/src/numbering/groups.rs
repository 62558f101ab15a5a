//! Eight counts in one word, added and searched all at a time.
//!
//! The processor cannot predict which piece a number means, nor which of its moves, and each wrong
//! prediction costs more than twenty additions: nothing here branches on a count.

/// A one in each byte.
pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGH: u64 = ONES << 7;

/// How many there are of eight things, a byte each, the first lowest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Groups(pub(super) u64);

/// How many there are of the first of eight things, the first two, and so on to all, a byte each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sums(pub(super) u64);

impl Groups {
    /// One of each thing that is there.
    #[inline]
    pub(super) fn of_flags(there: [bool; 8]) -> Groups {
        Groups(there.into_iter().rev().fold(0, |all, one| all << 8 | u64::from(one)))
    }

    /// The same counts if `wanted`, else eight zeros.
    #[inline]
    pub(super) fn only_if(self, wanted: bool) -> Groups {
        Groups(self.0 & u64::from(wanted).wrapping_neg())
    }

    /// Adds group by group; no group may come to more than 255.
    #[inline]
    pub(super) fn plus(self, other: Groups) -> Groups {
        Groups(self.0.wrapping_add(other.0))
    }

    /// How many are in one group.
    #[inline]
    pub(super) fn get(self, group: u32) -> u32 {
        byte(self.0, group)
    }

    /// Adds to each group all groups before it; there may be 255 in all.
    #[inline]
    pub(super) fn sums(self) -> Sums {
        Sums(self.0.wrapping_mul(ONES))
    }
}

impl Sums {
    pub(super) const NONE: Sums = Sums(0);
    /// One thing in the first group, in the second, and so on.
    pub(super) const ONE: [Sums; 8] = [
        Sums(ONES),
        Sums(ONES << 8),
        Sums(ONES << 16),
        Sums(ONES << 24),
        Sums(ONES << 32),
        Sums(ONES << 40),
        Sums(ONES << 48),
        Sums(ONES << 56),
    ];

    /// Adds `count` things to one group; there may be 255 in all.
    #[inline]
    pub(super) fn add(&mut self, group: u8, count: u32) {
        static ONE: [Sums; 8] = Sums::ONE;
        let one = ONE.get(usize::from(group & 7)).map_or(0, |one| one.0);
        self.0 = self.0.wrapping_add(one.wrapping_mul(count.into()));
    }

    /// Adds group by group; there may be 255 in all.
    #[inline]
    pub(super) fn plus(self, other: Sums) -> Sums {
        Sums(self.0.wrapping_add(other.0))
    }

    /// How many are in the groups before one.
    #[inline]
    pub(super) fn before(self, group: u32) -> u32 {
        byte(self.0 << 8, group)
    }

    /// How many are in a group and those before it.
    #[inline]
    pub(super) fn up_to(self, group: u32) -> u32 {
        byte(self.0, group)
    }

    #[inline]
    pub(super) fn total(self) -> u32 {
        self.up_to(7)
    }

    /// The group that holds the `n`-th, and its place in it, both `n` and place from 1. `n` is at
    /// most 128. `None` if there are fewer.
    #[inline]
    pub(super) fn find(self, n: u32) -> Option<(u32, u32)> {
        // Sums no less than n come to 128 or more with what n lacks of it. Where a byte runs over
        // into the next, it counts itself, and the lowest that counts is all that matters.
        let lacking = 128u32.wrapping_sub(n);
        let raised = self.0.wrapping_add(u64::from(lacking).wrapping_mul(ONES));
        let enough = (raised | self.0) & HIGH;
        let group = enough.trailing_zeros() >> 3;
        (enough != 0).then(|| (group, n.wrapping_sub(self.before(group))))
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
            let mut sums = Sums::NONE;
            for (group, count) in (0..).zip(counts) {
                sums.add(group, count);
            }
            let groups = Groups(counts.iter().rev().fold(0, |all, n| all << 8 | u64::from(*n)));
            assert_eq!(groups.sums(), sums);
            let all: Vec<(u32, u32)> = (0..8)
                .flat_map(|group| (1..=counts[group as usize]).map(move |place| (group, place)))
                .collect();
            assert_eq!(sums.total() as usize, all.len());
            for n in 1..=128 {
                assert_eq!(sums.find(n), all.get(n as usize - 1).copied(), "{counts:?} {n}");
            }
            for group in 0..8 {
                let before = all.iter().take_while(|(other, _)| *other < group).count();
                assert_eq!(sums.before(group) as usize, before);
                assert_eq!(groups.get(group), counts[group as usize]);
            }
        }
    }

    #[test]
    fn flags() {
        let there = [false, true, true, false, false, false, false, true];
        let sums = Groups::of_flags(there).sums();
        assert_eq!(sums.find(1), Some((1, 1)));
        assert_eq!(sums.find(3), Some((7, 1)));
        assert_eq!(sums.find(4), None);
    }
}
