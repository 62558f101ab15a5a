//! The layout of `table.bin`, made by `cargo xtask generate`. Numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 2 | positions, P |
//! | 2 | names, N |
//! | 2 | lean positions, L |
//! | 2 × 4097 | for each value of the first 12 bits of a fingerprint: the first position with it, or a greater one |
//! | 10 × L | the lean positions: home pawns as bits of squares (8), number of pieces (2) |
//! | 8 × P | fingerprints, rising |
//! | 2 × P | ECO codes, A00 = 0 |
//! | 2 × P | numbers of the names |
//! | 4 × N | where each name ends in `names.txt` |
//!
//! `names.txt` is the text: all names without separators.
//!
//! A position is lean if no other position has only home pawns of its own and no more pieces.

use chess_core::PerSquare;

// Not a constant: each use would get a copy of the bytes.
static TABLE: &[u8] = include_bytes!("table.bin");
/// Text that the compiler has checked, so that a name is not checked when it is read.
static NAMES_TEXT: &str = include_str!("names.txt");

const POSITIONS: usize = u16_of(0) as usize;
#[cfg(test)]
const NAMES: usize = u16_of(2) as usize;
const LEAN_POSITIONS: usize = u16_of(4) as usize;

const BUCKETS: usize = 6;
/// The first bits of a fingerprint, which choose its bucket.
const BUCKET_BITS: u32 = 12;
const LEAN: usize = BUCKETS + 2 * ((1 << BUCKET_BITS) + 1);
const FINGERPRINTS: usize = LEAN + 10 * LEAN_POSITIONS;
const CODES: usize = FINGERPRINTS + 8 * POSITIONS;
const NAME_NUMBERS: usize = CODES + 2 * POSITIONS;
const NAME_ENDS: usize = NAME_NUMBERS + 2 * POSITIONS;

/// Reads a number of the head.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "called with constants only, so that a mistake is a compile error"
)]
const fn u16_of(at: usize) -> u16 {
    u16::from_le_bytes([TABLE[at], TABLE[at + 1]])
}

/// Returns the element at `place` of an array of numbers of `N` bytes.
fn element<const N: usize>(array: usize, place: usize) -> Option<[u8; N]> {
    let start = place.checked_mul(N)?.checked_add(array)?;
    TABLE.get(start..)?.first_chunk().copied()
}

fn u16_in(array: usize, place: usize) -> Option<usize> {
    element(array, place).map(|bytes| usize::from(u16::from_le_bytes(bytes)))
}

/// Returns how many positions the table has.
pub(crate) fn len() -> u16 {
    u16_of(0)
}

/// A set of lean positions, one bit for each.
pub(crate) type Lean = u128;

const _: () = assert!(LEAN_POSITIONS <= Lean::BITS as usize, "a set needs more bits");

/// By square: the lean positions that have no home pawn there.
pub(crate) static LEAN_WITHOUT: PerSquare<Lean> = lean_without();
/// By number of pieces: the lean positions that have no more.
static LEAN_OF_AT_MOST: [Lean; 33] = lean_of_at_most();

/// Returns the lean positions that have at most this number of pieces.
pub(crate) fn lean_of_at_most_pieces(pieces: u32) -> Lean {
    LEAN_OF_AT_MOST.get(pieces as usize).copied().unwrap_or(Lean::MAX)
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "computed when compiling, which fails on any of these"
)]
const fn lean_without() -> PerSquare<Lean> {
    let mut all = [0; 64];
    let mut pair = 0;
    while pair < 64 * LEAN_POSITIONS {
        let (square, position) = (pair % 64, pair / 64);
        let home_pawns = TABLE[LEAN + 10 * position + square / 8];
        if home_pawns >> (square % 8) & 1 == 0 {
            all[square] |= 1 << position;
        }
        pair += 1;
    }
    PerSquare(all)
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "computed when compiling, which fails on any of these"
)]
const fn lean_of_at_most() -> [Lean; 33] {
    let mut all = [0; 33];
    let mut pair = 0;
    while pair < all.len() * LEAN_POSITIONS {
        let (pieces, position) = (pair % all.len(), pair / all.len());
        if u16_of(LEAN + 10 * position + 8) as usize <= pieces {
            all[pieces] |= 1 << position;
        }
        pair += 1;
    }
    all
}

/// Returns the number of the position with this fingerprint.
#[inline]
pub(crate) fn find(fingerprint: u64) -> Option<u16> {
    let bucket = usize::try_from(fingerprint >> (u64::BITS - BUCKET_BITS)).ok()?;
    let (starts, _) = TABLE.get(BUCKETS..LEAN)?.as_chunks::<2>();
    let start = usize::from(u16::from_le_bytes(*starts.get(bucket)?));
    let end = usize::from(u16::from_le_bytes(*starts.get(bucket.saturating_add(1))?));
    // A bucket has one position on average, and two of five have none.
    let (all, _) = TABLE.get(FINGERPRINTS..CODES)?.as_chunks::<8>();
    let mut bucket = all.get(start..end)?.iter();
    let place = bucket.position(|bytes| u64::from_le_bytes(*bytes) == fingerprint)?;
    u16::try_from(start.saturating_add(place)).ok()
}

/// Returns the code and the name of a position.
pub(crate) fn entry(number: u16) -> Option<(u16, &'static str)> {
    let place = usize::from(number);
    if place >= POSITIONS {
        return None;
    }
    let code = element(CODES, place).map(u16::from_le_bytes)?;
    let name = u16_in(NAME_NUMBERS, place)?;
    let end = |name| element(NAME_ENDS, name).map(|bytes| u32::from_le_bytes(bytes) as usize);
    let start = name.checked_sub(1).map_or(Some(0), end)?;
    Some((code, NAMES_TEXT.get(start..end(name)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_rising_and_found() {
        let all = (0..POSITIONS).map(|n| u64::from_le_bytes(element(FINGERPRINTS, n).unwrap()));
        let mut last = None;
        for (number, fingerprint) in (0..).zip(all) {
            assert!(last < Some(fingerprint), "position {number}");
            assert_eq!(find(fingerprint), Some(number));
            assert_eq!(find(fingerprint ^ 1), None);
            last = Some(fingerprint);
        }
    }

    #[test]
    fn text_ends_with_last_name() {
        let end = u32::from_le_bytes(element(NAME_ENDS, NAMES - 1).unwrap()) as usize;
        assert_eq!(end, NAMES_TEXT.len());
        assert_eq!(NAME_ENDS + 4 * NAMES, TABLE.len());
    }
}
