//! The pieces of a board as bitboards.

use core::hash::{Hash, Hasher};

use crate::bitboard::{
    Bitboard, between, king_attacks, knight_attacks, oblique_lines, pawn_attacks, straight_lines,
};
use crate::castling::CastlingSide;
use crate::piece::{Color, Piece, Role};
use crate::square::Square;

/// The pieces of a board as bitboards, one for each colour and one for each role.
///
/// It has no other state of a [`Position`](crate::Position). A decoder with a board of its own can
/// use it to test whether a king is safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceSets {
    colors: [Bitboard; 2],
    /// Indexed by role number, from 1. The first and last elements are never used.
    roles: [Bitboard; 8],
}

impl Hash for PieceSets {
    /// The bitboards of White and of each role determine all others.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [white, _] = self.colors;
        let [_, roles @ .., _] = self.roles;
        (white, roles).hash(state);
    }
}

impl PieceSets {
    /// Returns a board without pieces.
    pub const EMPTY: PieceSets =
        PieceSets { colors: [Bitboard::EMPTY; 2], roles: [Bitboard::EMPTY; 8] };

    /// Returns the start position of standard chess.
    pub const START: PieceSets = PieceSets {
        colors: [Bitboard(0xffff), Bitboard(0xffff << 48)],
        roles: [
            Bitboard::EMPTY,
            Bitboard(0x00ff_0000_0000_ff00),
            Bitboard(0x4200_0000_0000_0042),
            Bitboard(0x2400_0000_0000_0024),
            Bitboard(0x8100_0000_0000_0081),
            Bitboard(0x0800_0000_0000_0008),
            Bitboard(0x1000_0000_0000_0010),
            Bitboard::EMPTY,
        ],
    };

    /// Returns all occupied squares.
    #[must_use]
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        let [white, black] = self.colors;
        Bitboard(white.0 | black.0)
    }

    /// Returns the squares of the pieces of a colour.
    #[must_use]
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// Returns the squares of the pieces of a role, of both sides.
    #[must_use]
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a role is 1 to 6")]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// Returns the square of the king, if the side has exactly one king.
    #[must_use]
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        (self.role(Role::King) & self.color(color)).single()
    }

    /// Toggles a piece on the given squares. This adds it, removes it, or does both at once for a
    /// move.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1, three bits are below 8")]
    pub fn flip(&mut self, squares: Bitboard, piece: Piece) {
        self.colors[piece.color() as usize] ^= squares;
        self.roles[piece.bits() & 7] ^= squares;
    }

    /// Like [`flip`](PieceSets::flip), for a role and a colour.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1, a role is 1 to 6")]
    pub fn flip_role(&mut self, squares: Bitboard, role: Role, color: Color) {
        self.colors[color as usize] ^= squares;
        self.roles[role as usize & 7] ^= squares;
    }

    /// Returns the pieces of a side that attack a square, for the given occupied squares.
    #[must_use]
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let near = self.near_attackers(square, by);
        let far = self.aligned_sliders(square) & self.color(by);
        near & self.color(by) | in_sight(square, far, occupied)
    }

    /// Returns the pieces of a side that would attack a square on an otherwise empty board.
    #[must_use]
    #[inline]
    pub fn aligned(&self, square: Square, by: Color) -> Bitboard {
        (self.near_attackers(square, by) | self.aligned_sliders(square)) & self.color(by)
    }

    /// Returns whether a king may castle with a rook by the rules of Chess960, which include the
    /// standard ones. The squares on the way must be empty, and the squares that the king passes
    /// must not be attacked. Earlier moves of king and rook are not considered.
    #[must_use]
    pub fn may_castle(&self, us: Color, king: Square, rook: Square, side: CastlingSide) -> bool {
        let rank = king.index() & 56;
        let king_to = Square::from_low_bits(rank | side.king_file());
        let rook_to = Square::from_low_bits(rank | side.rook_file());
        let movers = Bitboard::of(king) | Bitboard::of(rook);
        let others = self.occupied() & !movers;
        let path = span(king, king_to);
        if ((path | span(rook, rook_to)) & others).has_any() {
            return false;
        }
        let without_king = self.occupied() & !Bitboard::of(king);
        if { path }.any(|square| self.attackers(square, !us, without_king).has_any()) {
            return false;
        }
        // A rook on the edge file cannot uncover an attack along the rank.
        if matches!(rook.file(), 0 | 7) {
            return true;
        }
        let after = others | Bitboard::of(king_to) | Bitboard::of(rook_to);
        self.attackers(king_to, !us, after).is_empty()
    }

    /// Returns the pawns, knights and kings on squares from which a piece of this side would attack
    /// a square. The result includes pieces of both sides.
    #[inline]
    fn near_attackers(&self, square: Square, by: Color) -> Bitboard {
        pawn_attacks(!by, square) & self.role(Role::Pawn)
            | knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King)
    }

    /// Returns the pieces of both sides that would attack a square on an otherwise empty board.
    #[inline]
    fn aligned_sliders(&self, square: Square) -> Bitboard {
        let queens = self.role(Role::Queen);
        straight_lines(square) & (self.role(Role::Rook) | queens)
            | oblique_lines(square) & (self.role(Role::Bishop) | queens)
    }
}

/// Returns the squares in `others` with no occupied square between them and `square`. All squares
/// in `others` must share a line with `square`.
///
/// `others` usually has one square or none, which the CPU cannot predict. So the first square is
/// tested without checking for an empty set.
#[inline]
pub(crate) fn in_sight(square: Square, others: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut next = others.lowest();
    let mut rest = others ^ next;
    let mut seeing = if_in_sight(square, next, occupied);
    while rest.has_any() {
        next = rest.lowest();
        seeing |= if_in_sight(square, next, occupied);
        rest ^= next;
    }
    seeing
}

/// Returns `other` as a set if no occupied square is between it and `square`, or else the empty set.
#[inline]
fn if_in_sight(square: Square, other: Bitboard, occupied: Bitboard) -> Bitboard {
    let from = Square::from_bit(other.0.trailing_zeros());
    other.only_if((between(square, from) & occupied).is_empty())
}

/// Returns the squares of a rank between two squares, both included.
fn span(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let upto = |square: Square| u64::MAX >> (63 ^ square.index());
    Bitboard(upto(high) & !upto(low)) | Bitboard::of(low)
}
