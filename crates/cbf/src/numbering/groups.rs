//! Eight counts in one word, added and searched at once (SWAR: SIMD within a register).
//!
//! Each byte of a `u64` holds one count; group 0 is the lowest byte. Three identities do the work:
//!
//! - **Addition.** Adding two words adds all eight counts, as long as no byte exceeds 255.
//! - **Prefix sums.** Multiplying by `0x0101_0101_0101_0101` adds the word to itself shifted by
//!   1 to 7 bytes. Byte `i` of the product is the sum of bytes 0 to `i`.
//! - **Search.** A byte `s` satisfies `s >= n` exactly if `s + (128 - n)` is at least 128, that is,
//!   if bit 7 is set. One addition of `128 - n` to every byte tests all eight prefix sums. The
//!   lowest bit 7 that is set marks the first group whose prefix sum reaches `n`.
//!
//! The files of the start position, searched for `n = 11`, so `128 - n = 117`:
//!
//! ```text
//! counts          2    4    2    2    2    2    4    2
//! prefix sums     2    6    8   10   12   14   18   20
//! plus 117      119  123  125  127  129  131  135  137
//! bit 7           0    0    0    0    1    1    1    1    first: group 4, place 11 - 10 = 1
//! ```
//!
//! A prefix sum of `128 + n` or more overflows its byte, and bit 7 of the result may be clear. Such
//! a sum has bit 7 set itself, so the search also looks at the sums before the addition. The carry
//! only reaches higher bytes. Their sums are at least as large, so the lowest match is unaffected.
//!
//! Nothing here branches on a count: which piece and which of its moves a number means is
//! unpredictable, and a branch misprediction costs more than twenty additions.

/// The value 1 in every byte.
pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
/// Bit 7 of every byte.
const HIGH: u64 = ONES << 7;

/// Eight counts, a byte each, with group 0 in the lowest byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PackedCounts(pub(super) u64);

/// Eight prefix sums, a byte each: byte `i` is the sum of the counts of groups 0 to `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PrefixSums(pub(super) u64);

impl PackedCounts {
    /// Counts 1 for every group whose flag is set.
    #[inline]
    pub(super) fn of_flags(there: [bool; 8]) -> PackedCounts {
        PackedCounts(there.into_iter().rev().fold(0, |all, one| all << 8 | u64::from(one)))
    }

    /// Returns the counts if `wanted`, else eight zeros. Branch-free.
    #[inline]
    pub(super) fn only_if(self, wanted: bool) -> PackedCounts {
        PackedCounts(self.0 & u64::from(wanted).wrapping_neg())
    }

    /// Adds group by group. No sum may exceed 255.
    #[inline]
    pub(super) fn plus(self, other: PackedCounts) -> PackedCounts {
        PackedCounts(self.0.wrapping_add(other.0))
    }

    /// Returns the count of `group`.
    #[inline]
    pub(super) fn get(self, group: u32) -> u32 {
        byte(self.0, group)
    }

    /// Computes the prefix sums. The total may not exceed 255.
    #[inline]
    pub(super) fn sums(self) -> PrefixSums {
        PrefixSums(self.0.wrapping_mul(ONES))
    }
}

impl PrefixSums {
    pub(super) const NONE: PrefixSums = PrefixSums(0);
    /// The prefix sums of a single count of 1 in each of the eight groups.
    pub(super) const ONE: [PrefixSums; 8] = [
        PrefixSums(ONES),
        PrefixSums(ONES << 8),
        PrefixSums(ONES << 16),
        PrefixSums(ONES << 24),
        PrefixSums(ONES << 32),
        PrefixSums(ONES << 40),
        PrefixSums(ONES << 48),
        PrefixSums(ONES << 56),
    ];

    /// Adds `count` to `group` and all later prefix sums. The total may not exceed 255.
    #[inline]
    pub(super) fn add(&mut self, group: u8, count: u32) {
        static ONE: [PrefixSums; 8] = PrefixSums::ONE;
        let one = ONE.get(usize::from(group & 7)).map_or(0, |one| one.0);
        self.0 = self.0.wrapping_add(one.wrapping_mul(count.into()));
    }

    /// Adds group by group. The total may not exceed 255.
    #[inline]
    pub(super) fn plus(self, other: PrefixSums) -> PrefixSums {
        PrefixSums(self.0.wrapping_add(other.0))
    }

    /// Returns the sum of the groups before `group`.
    #[inline]
    pub(super) fn before(self, group: u32) -> u32 {
        byte(self.0 << 8, group)
    }

    /// Returns the sum of the groups up to and including `group`.
    #[inline]
    pub(super) fn up_to(self, group: u32) -> u32 {
        byte(self.0, group)
    }

    #[inline]
    pub(super) fn total(self) -> u32 {
        self.up_to(7)
    }

    /// Returns the group that holds item `n`, and the place of the item in it. `n` and the place
    /// count from 1, and `n` is at most 128. Returns `None` if the total is below `n`.
    #[inline]
    pub(super) fn find(self, n: u32) -> Option<(u32, u32)> {
        // SWAR: adding 128 - n to every byte sets bit 7 exactly where sum >= n. A sum that overflows
        // has bit 7 set already. Carries affect only higher bytes, and the lowest match is taken.
        let addend = 128u32.wrapping_sub(n);
        let raised = self.0.wrapping_add(u64::from(addend).wrapping_mul(ONES));
        let reached = (raised | self.0) & HIGH;
        let group = reached.trailing_zeros() >> 3;
        (reached != 0).then(|| (group, n.wrapping_sub(self.before(group))))
    }
}

/// Returns byte `group` of `bytes`.
#[inline]
fn byte(bytes: u64, group: u32) -> u32 {
    let [low, ..] = (bytes >> (group << 3 & 63)).to_le_bytes();
    u32::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with counting one by one. The counts are as high as eight queens on a file have.
    #[test]
    fn find_random_counts_agrees_with_listing() {
        let mut random = testkit::Random::new(1);
        for _ in 0..2000 {
            let bytes = random.bytes(8);
            let counts: [u32; 8] = std::array::from_fn(|i| u32::from(bytes[i]) % 29 / 3 * 3);
            let mut sums = PrefixSums::NONE;
            for (group, count) in (0..).zip(counts) {
                sums.add(group, count);
            }
            let groups =
                PackedCounts(counts.iter().rev().fold(0, |all, n| all << 8 | u64::from(*n)));
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
    fn of_flags_sums_find_set_flags() {
        let there = [false, true, true, false, false, false, false, true];
        let sums = PackedCounts::of_flags(there).sums();
        assert_eq!(sums.find(1), Some((1, 1)));
        assert_eq!(sums.find(3), Some((7, 1)));
        assert_eq!(sums.find(4), None);
    }
}
