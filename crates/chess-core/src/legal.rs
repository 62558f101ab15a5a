//! Who attacks what, which moves are legal, check and mate.

use smallvec::SmallVec;

use crate::bitboard::{Bitboard, between, pawn_attacks, pawn_origins, piece_attacks, piece_reach};
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::position::{CastlingSide, Position};
use crate::sets::in_sight;
use crate::square::Square;

/// The moves of a position.
pub type MoveList = SmallVec<[Move; 64]>;

/// What a promoting pawn may become, the queen first.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Position {
    /// The pieces of a side that attack a square, if the occupied squares were these.
    #[must_use]
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.piece_sets().attackers(square, by, occupied)
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

    /// Whether the piece on a move's origin, one of the side to move, goes to its target as its
    /// kind does, check and castling apart; promotions only, and always, by pawns on the last rank.
    #[must_use]
    #[inline]
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let us = self.turn();
        self.piece_at(m.from()).is_some_and(|piece| {
            piece.color() == us && !self.color(us).contains(m.to()) && self.fits(m, piece)
        })
    }

    /// The en passant square, if a pawn may legally take there: only then it makes a difference to
    /// the rules, though many programs note it after every double step.
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
        let us = self.turn();
        let own = self.pieces(role, us);
        if self.color(us).contains(to) {
            return Bitboard::EMPTY;
        }
        match role {
            Role::Pawn => self.pawns_to(to, own),
            // Nothing is between squares that share no line.
            _ => in_sight(to, piece_reach(Piece::new(role, us), to) & own, self.occupied()),
        }
    }

    /// Whether a move that fits the pieces leaves the mover's own king unattacked.
    /// Castling has its own rule in [`is_legal`](Position::is_legal).
    #[must_use]
    // Once a ply in every reader that checks moves.
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
        if role != Role::Pawn {
            return piece_attacks(role, from, self.occupied()) & !self.color(us);
        }
        let aslant = pawn_attacks(us, from);
        let ahead = piece_reach(Piece::new(Role::Pawn, us), from) & !aslant;
        let [takes, moves] = self.pawn_landings();
        aslant & takes | in_sight(from, ahead & moves, self.occupied())
    }

    /// Where a pawn of the side to move may land: coming aslant, because it takes there, and
    /// coming straight, because nothing is there.
    #[inline]
    fn pawn_landings(&self) -> [Bitboard; 2] {
        let passing = self.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
        [self.color(!self.turn()) | passing, !self.occupied()]
    }

    /// Those of the side's pawns that go to a square.
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

    /// Whether a move suits the piece on its origin; no piece of its own side stands on the target.
    #[inline]
    fn fits(&self, m: Move, piece: Piece) -> bool {
        let last = (piece.role() == Role::Pawn) & (m.to().rank() == (!self.turn()).back_rank());
        let becomes = match m.promotion() {
            None => !last,
            Some(role) => last && PROMOTIONS.contains(&role),
        };
        self.gets_there(piece, m.from(), m.to()) & becomes
    }

    /// Whether a piece of the side to move goes from one square to another, where none of its own
    /// side stands.
    // Which piece it is is hard for the processor to predict, so that no branch depends on it.
    #[inline]
    fn gets_there(&self, piece: Piece, from: Square, to: Square) -> bool {
        // Nothing is between squares that share no line.
        let reaches = piece_reach(piece, from).contains(to)
            & (between(from, to) & self.occupied()).is_empty();
        let [takes, moves] = self.pawn_landings();
        let lands = if from.file() != to.file() { takes } else { moves }.contains(to);
        reaches & ((piece.role() != Role::Pawn) | lands)
    }

    /// The rules of castling, Chess960's, of which the standard ones are a case.
    fn may_castle(&self, king: Square, rook: Square, side: CastlingSide) -> bool {
        let us = self.turn();
        if self.king(us) != Some(king) || !self.rooks_in_line(king, us).contains(rook) {
            return false;
        }
        self.piece_sets().may_castle(us, king, rook, side)
    }
}
