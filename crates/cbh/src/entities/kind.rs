//! The kinds of entities and the sort order of their trees.

use std::cmp::Ordering;

use super::fields::until_zero;

/// A kind of entity. Each has a file of its own.
// cbh §6.2 "Fields"
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EntityKind {
    /// `.cbp`
    Player,
    /// `.cbt`
    Tournament,
    /// `.cbc`
    Annotator,
    /// `.cbs`
    Source,
    /// `.cbe`
    Team,
    /// `.cbl`, the titles of games
    Tag,
}

impl EntityKind {
    /// All kinds. The first four exist in every base.
    pub const ALL: [EntityKind; 6] = [
        EntityKind::Player,
        EntityKind::Tournament,
        EntityKind::Annotator,
        EntityKind::Source,
        EntityKind::Team,
        EntityKind::Tag,
    ];

    /// Returns the extension of its file.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            EntityKind::Player => "cbp",
            EntityKind::Tournament => "cbt",
            EntityKind::Annotator => "cbc",
            EntityKind::Source => "cbs",
            EntityKind::Team => "cbe",
            EntityKind::Tag => "cbl",
        }
    }

    /// Returns the size of a record's data in bytes, including the two counts at its end.
    #[must_use]
    pub const fn data_size(self) -> usize {
        match self {
            EntityKind::Player => 58,
            EntityKind::Tournament => 90,
            EntityKind::Annotator => 53,
            EntityKind::Source => 59,
            EntityKind::Team => 63,
            EntityKind::Tag => 1608,
        }
    }

    /// Compares two entities by the fields in their data.
    // cbh §6.3 "Order"
    pub(crate) fn compare(self, one: &[u8], other: &[u8]) -> Ordering {
        let text = |at: usize, size: usize| {
            let of = |data| until_zero(field(data, at, size));
            of(one).cmp(of(other))
        };
        let signed = |at: usize, size: usize| {
            let of = |data| until_zero(field(data, at, size)).iter().map(|byte| byte.cast_signed());
            of(one).cmp(of(other))
        };
        let number = |at: usize| {
            let of = |data| i32::from_le_bytes(field(data, at, 4).try_into().unwrap_or_default());
            (of(one), of(other))
        };
        let byte = |at: usize| field(one, at, 1).cmp(field(other, at, 1));
        match self {
            EntityKind::Player => text(0, 30).then_with(|| text(30, 20)),
            EntityKind::Tournament => {
                let (one, other) = number(70);
                let part =
                    |shift: u32, mask: i32| (other >> shift & mask).cmp(&(one >> shift & mask));
                part(9, 0xfff)
                    .then_with(|| signed(0, 40))
                    .then_with(|| signed(40, 30))
                    .then_with(|| part(5, 15))
                    .then_with(|| part(0, 31))
            }
            EntityKind::Annotator => signed(0, 45),
            EntityKind::Source => signed(0, 25),
            EntityKind::Team => {
                let (number_one, number_other) = number(45);
                let (year_one, year_other) = number(50);
                // A season sorts before a year.
                text(0, 45)
                    .then_with(|| number_one.cmp(&number_other))
                    .then_with(|| byte(49).reverse())
                    .then_with(|| year_one.cmp(&year_other))
                    .then_with(|| byte(54))
            }
            EntityKind::Tag => {
                let titles = (0usize..8).map(|title| text(title.saturating_mul(200), 200));
                titles.fold(Ordering::Equal, Ordering::then)
            }
        }
    }
}

impl EntityKind {
    /// Returns a prefix of the sort key. Different prefixes order two entities like
    /// [`compare`](Self::compare).
    pub(crate) fn key(self, data: &[u8]) -> u64 {
        let first = |size| {
            let text = until_zero(field(data, 0, size));
            let byte = |at: usize| text.get(at).copied();
            std::array::from_fn(byte)
        };
        let text = |size| u64::from_be_bytes(first(size).map(Option::unwrap_or_default));
        // The end of a text sorts before any byte, and negative bytes sort first.
        let signed =
            |size| u64::from_be_bytes(first(size).map(|byte| byte.map_or(0, |byte| byte ^ 0x80)));
        match self {
            EntityKind::Player => text(30),
            EntityKind::Tournament => {
                let date = i32::from_le_bytes(field(data, 70, 4).try_into().unwrap_or_default());
                // Later years sort first.
                let year = u64::from(!date.cast_unsigned() >> 9 & 0xfff);
                year << 52 | signed(40) >> 12
            }
            EntityKind::Annotator => signed(45),
            EntityKind::Source => signed(25),
            EntityKind::Team => text(45),
            EntityKind::Tag => text(200),
        }
    }
}

fn field(data: &[u8], at: usize, size: usize) -> &[u8] {
    data.get(at..).and_then(|rest| rest.get(..size)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_keys_differing_match_compare() {
        // Few distinct bytes make common prefixes likely. They include the terminator.
        const BYTES: [u8; 7] = [0, b'a', b'b', b' ', 0x80, 0x81, 0xff];
        let mut seed = 1u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 33
        };
        for kind in EntityKind::ALL {
            let mut entities = Vec::new();
            for _ in 0..200 {
                let mut data: Vec<u8> =
                    (0..kind.data_size()).map(|_| BYTES[next() as usize % BYTES.len()]).collect();
                if kind == EntityKind::Tournament {
                    let date = ((2020 + next() % 3) << 9) + next() % 512;
                    data[70..74].copy_from_slice(&(date as u32).to_le_bytes());
                }
                entities.push(data);
            }
            let mut differ = 0;
            for (one, other) in
                entities.iter().flat_map(|one| entities.iter().map(move |two| (one, two)))
            {
                let order = kind.key(one).cmp(&kind.key(other));
                if order != Ordering::Equal {
                    differ += 1;
                    assert_eq!(kind.compare(one, other), order, "{kind:?}: {one:x?} {other:x?}");
                }
            }
            assert!(differ > 20_000, "{kind:?}: {differ}");
        }
    }
}
