//! Who attacks what, which moves are legal, check and mate.

use smallvec::SmallVec;

use crate::bitboard::{
    Bitboard, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, piece_attacks,
    rook_attacks,
};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::{CastlingSide, Position};
use crate::square::Square;
use crate::tables::{ANTIDIAGONAL, DIAGONAL, FILE};

/// The moves of a position.
pub type MoveList = SmallVec<[Move; 64]>;

/// What a promoting pawn may become, the queen first.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Position {
    /// The pieces of a side that attack a square, if the occupied squares were these.
    #[must_use]
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.role(Role::Queen);
        let straight = self.role(Role::Rook) | queens;
        let oblique = self.role(Role::Bishop) | queens;
        (pawn_attacks(!by, square) & self.role(Role::Pawn)
            | knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King)
            | rook_attacks(square, occupied) & straight
            | bishop_attacks(square, occupied) & oblique)
            & self.color(by)
    }

    /// The pieces that give check to the side to move. A side without exactly one king is never
    /// in check.
    #[must_use]
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        match self.king(self.turn()) {
            Some(king) => self.attackers(king, !self.turn(), self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Whether the side to move is in check.
    #[must_use]
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().has_any()
    }

    /// In check without a legal move.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Not in check, but without a legal move.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Whether the rules allow this move here. The null move is allowed out of check.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        if m.is_null() {
            return !self.in_check();
        }
        let Some(piece) = self.piece_at(m.from()) else { return false };
        if piece.color() != self.turn() {
            return false;
        }
        if let Some(side) = self.castling_side(m) {
            return m.promotion().is_none() && self.may_castle(m.from(), m.to(), side);
        }
        self.targets(m.from(), piece.role()).contains(m.to())
            && self.promotion_fits(m, piece.role())
            && self.leaves_king_safe(m)
    }

    /// Every legal move; castling as king to rook, promotions as four moves each.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.find_legal(|m| {
            moves.push(m);
            false
        });
        moves
    }

    /// Whether there is any legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.find_legal(|_| true)
    }

    /// The pieces of this role that could go to `to` if checks did not matter. Castling, and the
    /// null move, are not counted.
    #[must_use]
    #[inline]
    pub fn movers(&self, role: Role, to: Square) -> Bitboard {
        let own = self.pieces(role, self.turn());
        if self.color(self.turn()).contains(to) {
            return Bitboard::EMPTY;
        }
        match role {
            Role::Pawn => self.pawns_to(to) & own,
            _ => piece_attacks(role, to, self.occupied()) & own,
        }
    }

    /// Whether a move that fits the pieces leaves the mover's own king unattacked.
    /// Castling has its own rule in [`is_legal`](Position::is_legal).
    #[must_use]
    #[inline]
    pub fn leaves_king_safe(&self, m: Move) -> bool {
        let us = self.turn();
        let Some(king) = self.king(us) else { return true };
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        let mut gone = to;
        let mut occupied = self.occupied() & !from | to;
        if m.from() == king {
            return !self.attacked(m.to(), !us, occupied, gone);
        }
        if self.en_passant() == Some(m.to()) && self.role(Role::Pawn).contains(m.from()) {
            let passed = Bitboard::of(m.to().with_rank(m.from().rank()));
            gone |= passed;
            occupied &= !passed;
        }
        !self.attacked(king, !us, occupied, gone)
    }

    /// Whether a side attacks a square, if the occupied squares were these and the `gone` ones
    /// held none of its pieces.
    #[inline]
    fn attacked(&self, square: Square, by: Color, occupied: Bitboard, gone: Bitboard) -> bool {
        // Mostly none of its pieces is in line with the square, whatever stands between.
        let queens = self.role(Role::Queen);
        let rank = Bitboard::rank(square.rank());
        let reaching = (rank | FILE[square]) & (self.role(Role::Rook) | queens)
            | (DIAGONAL[square] | ANTIDIAGONAL[square]) & (self.role(Role::Bishop) | queens)
            | pawn_attacks(!by, square) & self.role(Role::Pawn)
            | knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King);
        (reaching & self.color(by) & !gone).has_any()
            && (self.attackers(square, by, occupied) & !gone).has_any()
    }

    /// Calls `wanted` with each legal move until it says yes; says whether it did.
    fn find_legal(&self, mut wanted: impl FnMut(Move) -> bool) -> bool {
        let us = self.turn();
        // The king first: out of check it is he who moves, mostly, and mates are asked for often.
        for role in Role::ALL.into_iter().rev() {
            for from in self.pieces(role, us) {
                for to in self.targets(from, role) {
                    if !self.leaves_king_safe(Move::new(from, to)) {
                        continue;
                    }
                    if role == Role::Pawn && to.rank() == (!us).back_rank() {
                        for promotion in PROMOTIONS {
                            if wanted(Move::promoting(from, to, promotion)) {
                                return true;
                            }
                        }
                    } else if wanted(Move::new(from, to)) {
                        return true;
                    }
                }
            }
        }
        let Some(king) = self.king(us) else { return false };
        [CastlingSide::King, CastlingSide::Queen].into_iter().any(|side| {
            self.castling_rook(us, side).is_some_and(|rook| {
                self.may_castle(king, rook, side) && wanted(Move::new(king, rook))
            })
        })
    }

    /// Where the piece on `from` could go if checks did not matter, castling apart.
    fn targets(&self, from: Square, role: Role) -> Bitboard {
        let us = self.turn();
        match role {
            Role::Pawn => self.pawn_targets(from),
            _ => piece_attacks(role, from, self.occupied()) & !self.color(us),
        }
    }

    fn pawn_targets(&self, from: Square) -> Bitboard {
        let us = self.turn();
        let occupied = self.occupied();
        let passing = self.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
        let mut targets = pawn_attacks(us, from) & (self.color(!us) | passing);
        if let Some(one) = from.offset(0, us.forward())
            && !occupied.contains(one)
        {
            targets |= Bitboard::of(one);
            if from.rank() == us.back_rank().abs_diff(1)
                && let Some(two) = one.offset(0, us.forward())
                && !occupied.contains(two)
            {
                targets |= Bitboard::of(two);
            }
        }
        targets
    }

    /// Squares from which a pawn of the side to move reaches `to`.
    fn pawns_to(&self, to: Square) -> Bitboard {
        let us = self.turn();
        let occupied = self.occupied();
        if occupied.contains(to) {
            return pawn_attacks(!us, to);
        }
        let capturers = match self.en_passant() {
            Some(passing) if passing == to => pawn_attacks(!us, to),
            _ => Bitboard::EMPTY,
        };
        let Some(one) = to.offset(0, us.backward()) else { return capturers };
        if occupied.contains(one) {
            return capturers | Bitboard::of(one);
        }
        match one.offset(0, us.backward()) {
            Some(two) if two.rank() == us.back_rank().abs_diff(1) => capturers | Bitboard::of(two),
            _ => capturers,
        }
    }

    fn promotion_fits(&self, m: Move, role: Role) -> bool {
        let promotes = role == Role::Pawn && m.to().rank() == (!self.turn()).back_rank();
        match m.promotion() {
            None => !promotes,
            Some(to) => promotes && PROMOTIONS.contains(&to),
        }
    }

    /// The rules of castling, Chess960's, of which the standard ones are a case.
    fn may_castle(&self, king: Square, rook: Square, side: CastlingSide) -> bool {
        let us = self.turn();
        if self.king(us) != Some(king) || !self.castling_rooks().contains(rook) {
            return false;
        }
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
        let after = others | Bitboard::of(king_to) | Bitboard::of(rook_to);
        self.attackers(king_to, !us, after).is_empty()
    }
}

/// The squares of a rank from one to the other, both included.
fn span(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let upto = |square: Square| u64::MAX >> (63 ^ square.index());
    Bitboard(upto(high) & !upto(low)) | Bitboard::of(low)
}
