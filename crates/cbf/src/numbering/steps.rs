//! The steps of pieces in the format's order, computed by the compiler. cbf §6.1 "Order of moves"

use chess_core::{Bitboard, Role, Square};

use super::groups::Sums;
use super::rays::DIRECTIONS;

/// A king's steps as changes of file and rank.
const KING: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
/// A knight's.
const KNIGHT: [(i8, i8); 8] =
    [(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)];
/// A pawn's kinds of moves, seen from White. En passant comes after them and goes where it takes.
pub(super) const PAWN_KINDS: [(i8, i8); 4] = [(0, 2), (0, 1), (-1, 1), (1, 1)];

/// Which of a king's steps a set of squares around it allows.
pub(super) static KING_STEPS: StepFinder = StepFinder::new(&KING, 0x0220_0000_0000_0011);
/// The same for a knight.
pub(super) static KNIGHT_STEPS: StepFinder = StepFinder::new(&KNIGHT, 0x0008_2000_0000_0220);

/// How one step changes the number of a square: for each step of pawns, knights and kings and for
/// each of a slider's [`DIRECTIONS`]. By role, and by role + 8 for Black.
pub(super) static STEPS: [[i8; 8]; 16] = steps();

/// For each en passant file (1 = a) the files of the pawns that have it to their left, and of those
/// that have it to their right. File 0 means no en passant; it lies left of the a-file, whose pawns
/// so have a number without a move.
pub(super) static BESIDE: [[Bitboard; 2]; 16] = beside();

/// Tells which of a piece's eight steps lead to a set of squares. One multiplication maps each such
/// set to a byte of its own. The factors were found by trying; making the table checks them.
pub(super) struct StepFinder {
    factor: u64,
    /// By that byte, how many steps are allowed of the first, the first two, and so on.
    sums: [Sums; 256],
}

impl StepFinder {
    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "runs in the compiler only, where a mistake is a compile error"
    )]
    const fn new(steps: &[(i8, i8); 8], factor: u64) -> StepFinder {
        let mut sums = [Sums::NONE; 256];
        let mut set = 1usize;
        while set < 256 {
            let (mut squares, mut sum) = (0, 0);
            let mut i = 0;
            while i < 8 {
                if set >> i & 1 != 0 {
                    squares |= 1 << (change(steps[i]) & 63);
                    sum += Sums::ONE[i].0;
                }
                i += 1;
            }
            let byte = StepFinder::byte(squares, factor);
            assert!(byte != 0 && sums[byte].0 == 0, "two sets of steps share a byte");
            sums[byte] = Sums(sum);
            set += 1;
        }
        StepFinder { factor, sums }
    }

    /// Counts the steps that lead from a square to one of the targets, each of which is one step
    /// away.
    #[inline]
    pub(super) fn count(&self, from: Square, targets: Bitboard) -> Sums {
        let squares = targets.0.rotate_right(from.index().into());
        let sums = self.sums.get(StepFinder::byte(squares, self.factor));
        sums.copied().unwrap_or(Sums::NONE)
    }

    #[inline]
    const fn byte(squares: u64, factor: u64) -> usize {
        (squares.wrapping_mul(factor) >> 56) as usize
    }
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "runs in the compiler only, where a mistake is a compile error"
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

/// A step as a change of a square's number.
#[allow(clippy::arithmetic_side_effects, reason = "no step is longer than two squares")]
const fn change((files, ranks): (i8, i8)) -> i8 {
    files + 8 * ranks
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "runs in the compiler only, where a mistake is a compile error"
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
