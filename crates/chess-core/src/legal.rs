//! Attacks, legal moves, check and mate.

use smallvec::SmallVec;

use crate::bitboard::{Bitboard, between, pawn_attacks, pawn_origins, piece_attacks, piece_reach};
use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::sets::in_sight;
use crate::square::Square;

/// An iterator over the moves of a position.
pub type MoveList = SmallVec<[Move; 64]>;

/// The promotion roles, the queen first.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Position {
    /// Returns the pieces of a side that attack a square, for the given occupied squares.
    #[must_use]
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.piece_sets().attackers(square, by, occupied)
    }

    /// Returns the pieces that give check to the side to move. A side without exactly one king is
    /// never in check.
    #[must_use]
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        match self.king(self.turn()) {
            Some(king) => self.attackers(king, !self.turn(), self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Returns whether the side to move is in check.
    #[must_use]
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().has_any()
    }

    /// Returns whether the side to move is in check and has no legal move.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Returns whether the side to move is not in check and has no legal move.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Returns whether the move is legal. The null move is legal unless the side to move is in
    /// check.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        if m.is_null() {
            return !self.in_check();
        }
        let Some(piece) = self.piece_at(m.from()) else { return false };
        let us = self.turn();
        if piece.color() != us {
            return false;
        }
        if self.color(us).contains(m.to()) {
            return self.castling_side(m).is_some_and(|side| {
                m.promotion().is_none() && self.may_castle(m.from(), m.to(), side)
            });
        }
        self.fits(m, piece) && self.leaves_king_safe(m)
    }

    /// Returns whether the piece on the origin, which belongs to the side to move, can reach the
    /// target. Check and castling are ignored. A pawn move to the last rank must be a promotion,
    /// and no other move may be.
    #[must_use]
    #[inline]
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let us = self.turn();
        self.piece_at(m.from()).is_some_and(|piece| {
            piece.color() == us && !self.color(us).contains(m.to()) && self.fits(m, piece)
        })
    }

    /// Returns the en passant square, if a pawn can legally capture there. Only then does it matter
    /// for the rules. Many programs set it after every double step.
    #[must_use]
    pub fn legal_en_passant(&self) -> Option<Square> {
        let square = self.en_passant()?;
        let us = self.turn();
        let jumped = square.offset(0, us.backward())?;
        let takers = pawn_attacks(!us, square) & self.pieces(Role::Pawn, us);
        let may_take = self.pieces(Role::Pawn, !us).contains(jumped) && { takers }
            .any(|from| self.leaves_king_safe(Move::new(from, square)));
        may_take.then_some(square)
    }

    /// Iterates over all legal moves. Castling is a move from king to rook, and a promotion is four
    /// moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.find_legal(|m| {
            moves.push(m);
            false
        });
        moves
    }

    /// Returns whether there is a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.find_legal(|_| true)
    }

    /// Returns the pieces of this role that can reach `to`, ignoring check. Castling and the null
    /// move are not included.
    #[must_use]
    #[inline]
    pub fn movers(&self, role: Role, to: Square) -> Bitboard {
        let us = self.turn();
        let own = self.pieces(role, us);
        if self.color(us).contains(to) {
            return Bitboard::EMPTY;
        }
        match role {
            Role::Pawn => self.pawns_to(to, own),
            // The set is empty for squares that share no line.
            _ => in_sight(to, piece_reach(Piece::new(role, us), to) & own, self.occupied()),
        }
    }

    /// Returns whether a pseudo-legal move leaves the own king safe. Castling is handled in
    /// [`is_legal`](Position::is_legal).
    #[must_use]
    // Hot path: called for every ply by readers that check moves.
    #[inline(always)]
    pub fn leaves_king_safe(&self, m: Move) -> bool {
        let us = self.turn();
        let Some(king) = self.king(us) else { return true };
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        let mut gone = to;
        let mut occupied = self.occupied() & !from | to;
        if m.from() == king {
            return (self.attackers(m.to(), !us, occupied) & !gone).is_empty();
        }
        if self.en_passant() == Some(m.to()) && self.role(Role::Pawn).contains(m.from()) {
            let passed = Bitboard::of(m.to().with_rank(m.from().rank()));
            gone |= passed;
            occupied &= !passed;
        }
        (self.attackers(king, !us, occupied) & !gone).is_empty()
    }

    /// Calls `wanted` with each legal move until it returns true. Returns whether it did.
    fn find_legal(&self, mut wanted: impl FnMut(Move) -> bool) -> bool {
        let us = self.turn();
        // King moves first: the most likely evasion. Checkmate tests stop at the first legal move.
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

    /// Returns the squares that the piece on `from` can reach, ignoring check and castling.
    fn targets(&self, from: Square, role: Role) -> Bitboard {
        let us = self.turn();
        if role != Role::Pawn {
            return piece_attacks(role, from, self.occupied()) & !self.color(us);
        }
        let aslant = pawn_attacks(us, from);
        let ahead = piece_reach(Piece::new(Role::Pawn, us), from) & !aslant;
        let [takes, moves] = self.pawn_landings();
        aslant & takes | in_sight(from, ahead & moves, self.occupied())
    }

    /// Returns the squares that a pawn of the side to move can reach: captures on the diagonals,
    /// and advances to empty squares.
    #[inline]
    fn pawn_landings(&self) -> [Bitboard; 2] {
        let passing = self.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
        [self.color(!self.turn()) | passing, !self.occupied()]
    }

    /// Returns the pawns of the side that can reach a square.
    fn pawns_to(&self, to: Square, own: Bitboard) -> Bitboard {
        let us = self.turn();
        let [takes, moves] = self.pawn_landings();
        let mut pawns = Bitboard::EMPTY;
        if takes.contains(to) {
            pawns = own & pawn_attacks(!us, to);
        }
        if moves.contains(to) {
            pawns |= in_sight(to, own & pawn_origins(us, to), self.occupied());
        }
        pawns
    }

    /// Returns whether the piece on the origin can make the move. The target must not hold a piece
    /// of its own side.
    #[inline]
    fn fits(&self, m: Move, piece: Piece) -> bool {
        let last = (piece.role() == Role::Pawn) & (m.to().rank() == (!self.turn()).back_rank());
        let becomes = match m.promotion() {
            None => !last,
            Some(role) => last && PROMOTIONS.contains(&role),
        };
        self.gets_there(piece, m.from(), m.to()) & becomes
    }

    /// Returns whether a piece of the side to move can go from one square to another that holds no
    /// piece of its own side. The kind of piece is hard to predict, so the code has no branch on
    /// it.
    #[inline]
    fn gets_there(&self, piece: Piece, from: Square, to: Square) -> bool {
        // The set is empty for squares that share no line.
        let reaches = piece_reach(piece, from).contains(to)
            & (between(from, to) & self.occupied()).is_empty();
        let [takes, moves] = self.pawn_landings();
        let lands = if from.file() != to.file() { takes } else { moves }.contains(to);
        reaches & ((piece.role() != Role::Pawn) | lands)
    }

    /// Checks the castling rules of Chess960, which include the standard ones.
    fn may_castle(&self, king: Square, rook: Square, side: CastlingSide) -> bool {
        let us = self.turn();
        if self.king(us) != Some(king) || !self.rooks_in_line(king, us).contains(rook) {
            return false;
        }
        self.piece_sets().may_castle(us, king, rook, side)
    }
}
