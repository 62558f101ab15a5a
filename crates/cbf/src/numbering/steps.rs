//! Tables of the steps of pieces in the format's order, computed at compile time. cbf §6.1 "Order of moves"

use chess_core::{Bitboard, Role, Square};

use super::groups::PrefixSums;
use super::rays::DIRECTIONS;

/// The king's steps as changes of file and rank.
const KING: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
/// The knight's steps as changes of file and rank.
const KNIGHT: [(i8, i8); 8] =
    [(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)];
/// The kinds of pawn moves, from White's view: double step, single step, capture to the left, to the
/// right. En passant comes after these and shares the targets of the captures.
pub(super) const PAWN_KINDS: [(i8, i8); 4] = [(0, 2), (0, 1), (-1, 1), (1, 1)];

/// Maps a set of king targets to prefix sums by step.
pub(super) static KING_STEPS: StepFinder = StepFinder::new(&KING, 0x0220_0000_0000_0011);
/// Maps a set of knight targets to prefix sums by step.
pub(super) static KNIGHT_STEPS: StepFinder = StepFinder::new(&KNIGHT, 0x0008_2000_0000_0220);

/// The change of the square index by one step, for each step of pawns, knights and kings and for
/// each of a slider's [`DIRECTIONS`]. Indexed by role, plus 8 for Black.
pub(super) static STEPS: [[i8; 8]; 16] = steps();

/// For each en passant file (1 = a), the file of pawns that have it to their left, and the file of
/// pawns that have it to their right. File 0 means no en passant. Since it lies left of the a-file,
/// pawns on the a-file get a number without a move.
pub(super) static BESIDE: [[Bitboard; 2]; 16] = beside();

/// A perfect hash from a set of target squares to the steps that reach them. One multiplication
/// maps each of the 256 sets to a distinct byte. The factors were found by search, and building the
/// table verifies them.
pub(super) struct StepFinder {
    factor: u64,
    /// Indexed by the hash byte: the prefix sums of the steps in the set.
    sums: [PrefixSums; 256],
}

impl StepFinder {
    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "evaluated at compile time only, where a mistake is a compile error"
    )]
    const fn new(steps: &[(i8, i8); 8], factor: u64) -> StepFinder {
        let mut sums = [PrefixSums::NONE; 256];
        let mut set = 1usize;
        while set < 256 {
            let (mut squares, mut sum) = (0, 0);
            let mut i = 0;
            while i < 8 {
                if set >> i & 1 != 0 {
                    squares |= 1 << (change(steps[i]) & 63);
                    sum += PrefixSums::ONE[i].0;
                }
                i += 1;
            }
            let byte = StepFinder::byte(squares, factor);
            assert!(byte != 0 && sums[byte].0 == 0, "two sets of steps share a byte");
            sums[byte] = PrefixSums(sum);
            set += 1;
        }
        StepFinder { factor, sums }
    }

    /// Returns the prefix sums of the steps from `from` to `targets`. Every target must be one step
    /// away.
    #[inline]
    pub(super) fn count(&self, from: Square, targets: Bitboard) -> PrefixSums {
        let squares = targets.0.rotate_right(from.index().into());
        let sums = self.sums.get(StepFinder::byte(squares, self.factor));
        sums.copied().unwrap_or(PrefixSums::NONE)
    }

    /// The hash of a set of squares, rotated so that the origin is bit 0.
    #[inline]
    const fn byte(squares: u64, factor: u64) -> usize {
        (squares.wrapping_mul(factor) >> 56) as usize
    }
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time only, where a mistake is a compile error"
)]
const fn steps() -> [[i8; 8]; 16] {
    let mut table = [[0; 8]; 16];
    let mut i = 0;
    while i < 16 {
        let (black, kind) = (i & 8, i & 7);
        table[Role::Knight as usize | black][kind] = change(KNIGHT[kind]);
        table[Role::King as usize | black][kind] = change(KING[kind]);
        table[Role::Bishop as usize | black][kind] = change(DIRECTIONS[kind]);
        table[Role::Rook as usize | black][kind] = change(DIRECTIONS[kind]);
        table[Role::Queen as usize | black][kind] = change(DIRECTIONS[kind]);
        if kind < PAWN_KINDS.len() {
            let (files, ranks) = PAWN_KINDS[kind];
            let ranks = if black == 0 { ranks } else { -ranks };
            table[Role::Pawn as usize | black][kind] = change((files, ranks));
        }
        i += 1;
    }
    table
}

/// Returns a step as a change of the square index.
#[allow(clippy::arithmetic_side_effects, reason = "no step is longer than two squares")]
const fn change((files, ranks): (i8, i8)) -> i8 {
    files + 8 * ranks
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time only, where a mistake is a compile error"
)]
const fn beside() -> [[Bitboard; 2]; 16] {
    let mut table = [[Bitboard::EMPTY; 2]; 16];
    let mut file = 0;
    while file < 8 {
        table[file as usize][0] = Bitboard::file(file);
        table[file as usize + 2][1] = Bitboard::file(file);
        file += 1;
    }
    table
}
