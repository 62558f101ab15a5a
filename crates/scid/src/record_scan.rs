//! Tests whether the main line of a record can reach a position, without decoding the record. The
//! test stops at the first move after which no position is possible. (scid §2.6 "Searches")

use std::ops::RangeInclusive;

use chess_core::{Color, Move, Role};
use chess_store::{Location, MaterialLimit, Query, Verdict};

use crate::board::{Board, CORNERS, lane};
use crate::layout::marker;
use crate::moves::{Unusual, play};
use crate::record::Record;
use crate::search::{Sought, Target};

/// Whether the main line of a record reaches the pieces of a position of `sought`. Returns `true`
/// if in doubt: the record has its own start position, or is damaged.
pub(crate) fn may_reach(record: &[u8], sought: &Sought) -> bool {
    follow(record, |board, m| match m {
        Some(m) => verdict_of_all(&sought.targets, board, m),
        None if sought.targets.iter().any(|target| board.has_pieces(&target.cells)) => Verdict::Yes,
        None => Verdict::Maybe,
    })
}

/// Material to look for, prepared once for many records. Counts of one side are packed as in
/// [`Board::packed_counts`].
#[derive(Debug)]
pub(crate) struct Wanted {
    /// The fewest and the most pieces of White and of Black, with the kings.
    totals: [(u32, u32); 2],
    least: [u64; 2],
    most: [u64; 2],
}

/// The high bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

impl Wanted {
    /// Prepares the material of a query.
    pub(crate) fn all(query: &Query) -> Vec<Wanted> {
        query.material().iter().map(Wanted::new).collect()
    }

    pub(crate) fn new(limit: &MaterialLimit) -> Wanted {
        let pack = |counts: &[u32; 5]| {
            let roles = MaterialLimit::ROLES.iter().zip(counts);
            roles.fold(1 << lane(Role::King), |sum: u64, (role, count)| {
                sum | u64::from((*count).min(0x7f)) << lane(*role)
            })
        };
        let total = |range: RangeInclusive<u32>| {
            (range.start().saturating_add(1), range.end().saturating_add(1))
        };
        Wanted {
            totals: limit.totals().map(total),
            least: limit.least.each_ref().map(pack),
            most: limit.most.each_ref().map(pack),
        }
    }

    /// Returns whether no count is below or above its limit. No byte borrows from the next one, because
    /// all counts are below 128.
    #[inline]
    fn fits(&self, counts: [u64; 2]) -> bool {
        let ([white, black], [w1, b1], [w2, b2]) = (counts, self.least, self.most);
        let is_at_least =
            |count: u64, least: u64| (count | HIGH).wrapping_sub(least) & HIGH == HIGH;
        is_at_least(white, w1)
            && is_at_least(black, b1)
            && is_at_least(w2, white)
            && is_at_least(b2, black)
    }
}

/// Whether the main line of a record has a position with material of `wanted`. Returns `true` if in doubt,
/// like [`may_reach`].
pub(crate) fn may_have(record: &[u8], wanted: &[Wanted]) -> bool {
    let (mut white, mut black) = (0, 0);
    let mut packed = [0u64; 2];
    follow(record, |board, m| {
        let (whites, blacks) = (board.count(Color::White), board.count(Color::Black));
        let promotes = m.is_some_and(|m| m.promotion().is_some());
        if whites == white && blacks == black && !promotes {
            return Verdict::Maybe;
        }
        // A capture changes one side only.
        let [white_packed, black_packed] = &mut packed;
        if whites != white || promotes {
            (white, *white_packed) = (whites, board.packed_counts(Color::White));
        }
        if blacks != black || promotes {
            (black, *black_packed) = (blacks, board.packed_counts(Color::Black));
        }
        let (whites, blacks) = (u32::from(whites), u32::from(blacks));
        let mut best = Verdict::No;
        for wanted in wanted {
            let [(w1, w2), (b1, b2)] = wanted.totals;
            // No side ever gets more pieces.
            if whites >= w1 && blacks >= b1 {
                best = Verdict::Maybe;
                if whites <= w2 && blacks <= b2 && wanted.fits(packed) {
                    return Verdict::Yes;
                }
            }
        }
        best
    })
}

/// Passes the board to `judge` at the start and after each move of the main line, with that move.
/// Returns whether a verdict was [`Verdict::Yes`], or the record leaves a doubt.
#[inline(always)]
fn follow(record: &[u8], mut judge: impl FnMut(&Board, Option<Move>) -> Verdict) -> bool {
    let Some(stream) = stream_of(record) else { return true };
    let mut board = Board::start();
    let mut bytes = stream.iter();
    let mut verdict = judge(&board, None);
    loop {
        match verdict {
            Verdict::Yes => return true,
            Verdict::No => return false,
            Verdict::Maybe => {}
        }
        let Some(&byte) = bytes.next() else { return true };
        match byte {
            marker::NAG => drop(bytes.next()),
            marker::COMMENT => {}
            marker::VARIATION_START => {
                if skip_variation(&mut bytes).is_none() {
                    return true;
                }
            }
            marker::VARIATION_END => return true,
            marker::GAME_END => return false,
            _ => {
                let m = match play(&mut board, &CORNERS, byte, &mut bytes) {
                    Ok(m) | Err(Unusual::Quirk(m, _)) => m,
                    Err(Unusual::Error(_)) => return true,
                };
                verdict = judge(&board, Some(m));
            }
        }
    }
}

/// Returns the moves of a record that starts from the usual position.
fn stream_of(bytes: &[u8]) -> Option<&[u8]> {
    let record = Record { bytes, at: Location::file("") };
    let mut rest = bytes;
    loop {
        let (next, tag) = record.tag(rest).ok()?;
        rest = next;
        if tag.is_none() {
            break;
        }
    }
    let (rest, flags) = record.flags(rest).ok()?;
    let (rest, fen) = record.fen(flags, rest).ok()?;
    fen.is_none().then_some(rest)
}

/// Skips a variation after its start marker. Returns `None` if it does not end.
fn skip_variation(bytes: &mut std::slice::Iter<'_, u8>) -> Option<()> {
    let mut depth = 1usize;
    while depth > 0 {
        match *bytes.next()? {
            marker::NAG => drop(bytes.next()),
            marker::VARIATION_START => depth = depth.saturating_add(1),
            marker::VARIATION_END => depth = depth.saturating_sub(1),
            marker::GAME_END => return None,
            _ => {}
        }
    }
    Some(())
}

#[inline]
fn verdict_of_all(targets: &[Target], board: &Board, m: Move) -> Verdict {
    let mut best = Verdict::No;
    for target in targets {
        match verdict(target, board, m) {
            Verdict::Yes => return Verdict::Yes,
            Verdict::Maybe => best = Verdict::Maybe,
            Verdict::No => {}
        }
    }
    best
}

/// Judges a game by the board after the move `m`.
#[inline]
fn verdict(target: &Target, board: &Board, m: Move) -> Verdict {
    let fits = |square| target.cell(square) == board.cell(square).without_number();
    let left = |square| target.at_home.contains(square) && !fits(square);
    let [white, black] = target.counts;
    if left(m.from())
        || left(m.to())
        || board.count(Color::White) < white
        || board.count(Color::Black) < black
    {
        return Verdict::No;
    }
    // Most moves do not fit, and their own squares show it.
    let is_there = fits(m.from()) && fits(m.to()) && board.has_pieces(&target.cells);
    if is_there { Verdict::Yes } else { Verdict::Maybe }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_core::Position;

    /// `1. e4 $1 (1. d4 d5) 1... e5 2. Qh5`, without tags.
    const RECORD: &[u8] = &[0, 0, 0xcf, 11, 13, 13, 0xbf, 0xbf, 14, 0xcf, 0x43, 64 + 39, 15];

    fn comes_to(record: &[u8], moves: &str) -> bool {
        let mut position = Position::start();
        moves.split_terminator(' ').for_each(|m| position.apply(m.parse().unwrap()));
        may_reach(record, &Sought::new(&Query::new(&[position])))
    }

    #[test]
    fn may_reach_follows_the_main_line_only() {
        for moves in ["", "e2e4", "e2e4 e7e5", "e2e4 e7e5 d1h5"] {
            assert!(comes_to(RECORD, moves), "{moves}");
        }
        for moves in ["d2d4", "d2d4 d7d5", "e2e4 d7d5", "e2e4 e7e5 d1g4", "e2e4 e7e5 d1h5 g7g6"] {
            assert!(!comes_to(RECORD, moves), "{moves}");
        }
    }

    #[test]
    fn may_reach_damaged_record_is_true() {
        for length in 0..RECORD.len() {
            assert!(comes_to(&RECORD[..length], "e2e4 e7e5 d1g4"), "{length}");
        }
        assert!(comes_to(&[0, 0, 14, 15], "d2d4"));
        assert!(comes_to(&[0, 0, 0x18, 15], "d2d4"));
        assert!(comes_to(&[0, 1, b'x', 0, 15], "d2d4"));
    }

    #[test]
    fn may_have_follows_captures_and_promotions() {
        let start = [1, 2, 2, 2, 8];
        let has = |record: &[u8], white: [u32; 5], black: [u32; 5]| {
            let limit = MaterialLimit::new([white, black]).at_least([white, black]);
            may_have(record, &[Wanted::new(&limit)])
        };
        // 1. e4 d5 2. exd5 Qxd5
        let takes = &[0, 0, 0xcf, 0xbf, 0xc0, 0x4c, 15][..];
        let fewer = [1, 2, 2, 2, 7];
        for (white, black, expected) in [
            (start, start, true),
            (start, fewer, true),
            (fewer, fewer, true),
            (fewer, start, false),
            ([1, 2, 2, 1, 8], fewer, false),
            ([1, 2, 2, 2, 6], fewer, false),
        ] {
            assert_eq!(has(takes, white, black), expected, "{white:?} {black:?}");
        }
        for length in 0..takes.len() {
            assert!(has(&takes[..length], fewer, [1, 2, 2, 2, 6]), "{length}");
        }
        assert!(!has(RECORD, fewer, start), "captures of a variation do not count");
    }

    #[test]
    fn may_reach_ignores_null_moves() {
        assert!(comes_to(&[0, 0, 0, 0xcf, 15], "0000 e7e5"));
        assert!(!comes_to(&[0, 0, 0, 0xcf, 15], "e2e4"));
    }
}
