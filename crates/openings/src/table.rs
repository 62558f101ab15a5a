//! The layout of `table.bin`, made by `cargo xtask openings`. Numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 2 | positions, P |
//! | 2 | names, N |
//! | 2 | lean positions, L |
//! | 2 × 257 | for each first byte of a fingerprint: the first position with it, or a greater one |
//! | 10 × L | the lean positions: home pawns as bits of squares (8), number of pieces (2) |
//! | 8 × P | fingerprints, rising |
//! | 2 × P | ECO codes, A00 = 0 |
//! | 2 × P | numbers of the names |
//! | 4 × N | where each name ends in the text |
//! | rest | the text: all names, UTF-8 |
//!
//! A position is lean if no other position has only home pawns of its own and no more pieces.

use chess_core::Bitboard;

// Not a constant: each use would get a copy of the bytes.
static TABLE: &[u8] = include_bytes!("table.bin");

const POSITIONS: usize = u16_of(0) as usize;
const NAMES: usize = u16_of(2) as usize;
const LEAN_POSITIONS: usize = u16_of(4) as usize;

const BUCKETS: usize = 6;
const LEAN: usize = BUCKETS + 2 * 257;
const FINGERPRINTS: usize = LEAN + 10 * LEAN_POSITIONS;
const CODES: usize = FINGERPRINTS + 8 * POSITIONS;
const NAME_NUMBERS: usize = CODES + 2 * POSITIONS;
const NAME_ENDS: usize = NAME_NUMBERS + 2 * POSITIONS;
const TEXT: usize = NAME_ENDS + 4 * NAMES;

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

/// Returns whether the table has a position whose home pawns are among these, with at most this number
/// of pieces.
#[inline]
pub(crate) fn has_lean(home_pawns: Bitboard, pieces: u32) -> bool {
    let lean = TABLE.get(LEAN..FINGERPRINTS).unwrap_or_default().as_chunks::<10>().0;
    lean.iter().any(|[a, b, c, d, e, f, g, h, few @ ..]| {
        let home = u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]);
        (Bitboard(home) & !home_pawns).is_empty() && u32::from(u16::from_le_bytes(*few)) <= pieces
    })
}

/// Returns the number of the position with this fingerprint.
#[inline]
pub(crate) fn find(fingerprint: u64) -> Option<u16> {
    let bucket = usize::from(fingerprint.to_be_bytes()[0]);
    let start = u16_in(BUCKETS, bucket)?;
    let end = u16_in(BUCKETS, bucket.saturating_add(1))?;
    // A bucket has about 15 positions, in rising order.
    let (all, _) = TABLE.get(FINGERPRINTS..CODES)?.as_chunks::<8>();
    let bucket = all.get(start..end)?;
    let place = bucket.binary_search_by_key(&fingerprint, |bytes| u64::from_le_bytes(*bytes));
    u16::try_from(start.checked_add(place.ok()?)?).ok()
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
    let text = TABLE.get(TEXT..)?.get(start..end(name)?)?;
    Some((code, str::from_utf8(text).ok()?))
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
        assert_eq!(TEXT + end, TABLE.len());
    }
}
