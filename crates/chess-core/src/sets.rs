//! Which pieces stand where, as sets of squares.

use core::hash::{Hash, Hasher};

use crate::bitboard::{
    Bitboard, between, king_attacks, knight_attacks, oblique_lines, pawn_attacks, straight_lines,
};
use crate::piece::{Color, Piece, Role};
use crate::position::CastlingSide;
use crate::square::Square;

/// The pieces of a board as sets of squares: one for each colour, one for each role.
///
/// Without what else a [`Position`](crate::Position) knows, so that a decoder with a board of its
/// own can ask whether a king is safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceSets {
    colors: [Bitboard; 2],
    /// By the numbers of the roles, from 1; the first and last are never used.
    roles: [Bitboard; 8],
}

impl Hash for PieceSets {
    /// White's squares and those of each role say it all.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [white, _] = self.colors;
        let [_, roles @ .., _] = self.roles;
        (white, roles).hash(state);
    }
}

impl PieceSets {
    /// No piece.
    pub const EMPTY: PieceSets =
        PieceSets { colors: [Bitboard::EMPTY; 2], roles: [Bitboard::EMPTY; 8] };

    /// The start position of standard chess.
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

    /// All occupied squares.
    #[must_use]
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        let [white, black] = self.colors;
        Bitboard(white.0 | black.0)
    }

    /// The squares of a colour's pieces.
    #[must_use]
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The squares of both sides' pieces of a role.
    #[must_use]
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a role is 1 to 6")]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// The king's square, if the side has exactly one king.
    #[must_use]
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        (self.role(Role::King) & self.color(color)).single()
    }

    /// Adds a piece on the squares, takes it off, or both at once when it moves.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1, three bits are below 8")]
    pub fn flip(&mut self, squares: Bitboard, piece: Piece) {
        self.colors[piece.color() as usize] ^= squares;
        self.roles[piece.bits() & 7] ^= squares;
    }

    /// The same of a role and a colour.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1, a role is 1 to 6")]
    pub fn flip_role(&mut self, squares: Bitboard, role: Role, color: Color) {
        self.colors[color as usize] ^= squares;
        self.roles[role as usize & 7] ^= squares;
    }

    /// The pieces of a side that attack a square, if the occupied squares were these.
    #[must_use]
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let near = self.near_attackers(square, by);
        let far = self.aligned_sliders(square) & self.color(by);
        near & self.color(by) | in_sight(square, far, occupied)
    }

    /// The pieces of a side that would attack a square if nothing stood between.
    #[must_use]
    #[inline]
    pub fn aligned(&self, square: Square, by: Color) -> Bitboard {
        (self.near_attackers(square, by) | self.aligned_sliders(square)) & self.color(by)
    }

    /// Whether a king may castle with a rook of its side as the rules of Chess960 have it, of which
    /// the standard ones are a case: nothing is in their way, and nothing attacks the squares that
    /// the king passes. Whether they have moved before is not asked.
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
        // A rook from the edge of the board leaves nobody behind it who could attack along the rank.
        if matches!(rook.file(), 0 | 7) {
            return true;
        }
        let after = others | Bitboard::of(king_to) | Bitboard::of(rook_to);
        self.attackers(king_to, !us, after).is_empty()
    }

    /// Pawns, knights and kings from where this side's would attack a square, whosever they are.
    #[inline]
    fn near_attackers(&self, square: Square, by: Color) -> Bitboard {
        pawn_attacks(!by, square) & self.role(Role::Pawn)
            | knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King)
    }

    /// The pieces of both sides that would attack a square if nothing stood between.
    #[inline]
    fn aligned_sliders(&self, square: Square) -> Bitboard {
        let queens = self.role(Role::Queen);
        straight_lines(square) & (self.role(Role::Rook) | queens)
            | oblique_lines(square) & (self.role(Role::Bishop) | queens)
    }
}

/// Those of the squares that see another past the occupied ones; all share a line with it.
// Mostly there is one, or none, which is hard for the processor to predict: the first is looked at
// without asking whether there is any.
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

/// One square, or none, if nothing is in its way.
#[inline]
fn if_in_sight(square: Square, other: Bitboard, occupied: Bitboard) -> Bitboard {
    let from = Square::from_bit(other.0.trailing_zeros());
    other.only_if((between(square, from) & occupied).is_empty())
}

/// The squares of a rank from one to the other, both included.
fn span(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let upto = |square: Square| u64::MAX >> (63 ^ square.index());
    Bitboard(upto(high) & !upto(low)) | Bitboard::of(low)
}
