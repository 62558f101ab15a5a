//! Fingerprints of positions, which rule out most games of a search without a [`Position`].
//!
//! A move changes the fingerprint by a number that depends on its squares, the piece that moves and the
//! captured piece, but not on the rest of the board. A fingerprint has four fields:
//!
//! ```text
//! bits 26-63  sum of a random number for each piece on its square
//! bits 10-25  home squares that their pawns have left, of White and of Black from the a-file on
//! bits 5-9    captured pieces of White
//! bits 0-4    captured pieces of Black
//! ```
//!
//! All fields follow from the pieces on the board, so equal positions have equal fingerprints. Home squares
//! and captures also tell when a position can no longer come.
//!
//! Legality is not tested. Up to the first illegal move the fingerprints are right and no field overflows.
//! Decoding stops at that move, so the fingerprints after it are only false positives.

use std::sync::LazyLock;

use chess_core::{Bitboard, CastlingSide, Color, Move, PerSquare, Piece, Position, Role, Square};
use chess_store::Query;

/// The first bit of the sum of the pieces.
const PIECES: u32 = 26;
/// The first bit of the home squares of White and of Black.
const HOMES: [u32; 2] = [10, 18];
/// The bits of the home squares.
const ALL_HOMES: u64 = 0xffff << 10;
/// The first bit of the captures of White and of Black.
const CAPTURED: [u32; 2] = [5, 0];
/// The bits of home squares and captures. They only grow.
const LOST: u64 = (1 << PIECES) - 1;
/// The bits of the captures of one colour, at the lowest place.
const COUNT: u64 = 31;

/// Returns the random number of a piece on a square.
#[inline]
#[allow(clippy::indexing_slicing, reason = "a role, a colour and a square have ten bits")]
fn number_of(piece: Piece, square: Square) -> u64 {
    let piece = (piece.role() as usize & 7) << 1 | (piece.color() as usize & 1);
    NUMBERS[piece << 6 | usize::from(square.index() & 63)]
}

/// Returns the bit of a pawn's home square, or 0 for any other piece or square.
#[inline]
fn home_of(piece: Piece, square: Square) -> u64 {
    let is_home = piece.role() == Role::Pawn && square.rank() == piece.color().pawn_rank();
    let [white, black] = HOMES;
    let first = if piece.color() == Color::White { white } else { black };
    u64::from(is_home) << first << square.file()
}

/// Returns one captured piece of a colour.
#[inline]
fn captured(color: Color) -> u64 {
    let [white, black] = CAPTURED;
    1 << if color == Color::White { white } else { black }
}

/// Returns the fingerprint of a position. Returns `None` if a side has more than sixteen pieces, which
/// no game from the usual start position reaches.
pub(crate) fn of_position(position: &Position) -> Option<u64> {
    let mut sum = 0u64;
    for square in position.occupied() {
        sum = sum.wrapping_add(position.piece_at(square).map_or(0, |it| number_of(it, square)));
    }
    for color in Color::ALL {
        let pawn = Piece::new(Role::Pawn, color);
        let home = Bitboard::rank(color.pawn_rank());
        for square in home & !position.pieces(Role::Pawn, color) {
            sum = sum.wrapping_add(home_of(pawn, square));
        }
        let gone = 16u32.checked_sub(position.color(color).count())?;
        sum = sum.wrapping_add(captured(color).wrapping_mul(gone.into()));
    }
    Some(sum)
}

/// Returns the change of the fingerprint by a move of `piece` that captures nothing. `becomes` is the piece
/// after a promotion.
#[inline]
pub(crate) fn change_of_step(piece: Piece, becomes: Piece, from: Square, to: Square) -> u64 {
    let moved = number_of(becomes, to).wrapping_sub(number_of(piece, from));
    moved.wrapping_add(home_of(piece, from))
}

/// Returns the change by castling from the squares `king` and `rook`.
pub(crate) fn change_of_castling(color: Color, king: Square, rook: Square) -> u64 {
    let side = CastlingSide::of(king, rook);
    let step = |role, from: Square, file| {
        let (piece, to) = (Piece::new(role, color), Square::at(file, from.rank()));
        to.map_or(0, |to| change_of_step(piece, piece, from, to))
    };
    let moved = step(Role::King, king, side.king_file());
    moved.wrapping_add(step(Role::Rook, rook, side.rook_file()))
}

/// Returns the change by the capture of a piece.
#[inline]
pub(crate) fn removal_of(piece: Piece, square: Square) -> u64 {
    let rest = home_of(piece, square).wrapping_add(captured(piece.color()));
    rest.wrapping_sub(number_of(piece, square))
}

/// The positions of a query by their fingerprints.
#[derive(Debug)]
pub(crate) struct Sought {
    fingerprints: Vec<u64>,
    captures: u32,
}

impl Sought {
    /// Returns the positions of a query. `None` if it has none.
    #[inline]
    pub(crate) fn of(query: &Query) -> Option<&Sought> {
        (!query.is_empty()).then(|| query.prepared(|query| Sought::new(query.positions())))
    }

    pub(crate) fn new(positions: &[Position]) -> Sought {
        let pieces = positions.iter().map(|position| position.occupied().count()).max();
        Sought {
            fingerprints: positions.iter().filter_map(of_position).collect(),
            captures: pieces.map_or(0, |pieces| 32u32.saturating_sub(pieces)),
        }
    }

    /// Returns the number of captures before any of the positions, in a game that begins with all pieces.
    pub(crate) fn captures(&self) -> u32 {
        self.captures
    }

    /// Returns the fingerprints of the positions that a game from the usual start position can reach.
    pub(crate) fn fingerprints(&self) -> &[u64] {
        &self.fingerprints
    }

    /// Returns whether one of the positions can still come after a move from the fingerprint `before` to
    /// `here`, if one could come before the move.
    #[inline]
    pub(crate) fn is_possible_from(&self, before: u64, here: u64) -> bool {
        // Most moves are no captures, and move no pawn from its home square.
        (before ^ here) & LOST == 0 || self.is_possible_after(here)
    }

    /// Returns whether one of the positions can still come after `here`: pawns do not return home, and
    /// pieces do not return at all.
    #[inline]
    pub(crate) fn is_possible_after(&self, here: u64) -> bool {
        self.fingerprints.iter().any(|sought| {
            here & !sought & ALL_HOMES == 0
                && CAPTURED.iter().all(|first| here >> first & COUNT <= sought >> first & COUNT)
        })
    }
}

/// The main line of a game from the usual start position, followed by its moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    cells: PerSquare<Option<Piece>>,
    fingerprint: u64,
}

impl Line {
    /// Returns the line before its first move.
    pub(crate) fn start() -> &'static Line {
        static START: LazyLock<Line> = LazyLock::new(|| {
            let start = Position::start();
            let mut cells = PerSquare([None; 64]);
            for square in start.occupied() {
                cells[square] = start.piece_at(square);
            }
            Line { cells, fingerprint: of_position(&start).unwrap_or(0) }
        });
        &START
    }

    /// Returns the fingerprint of the position that the line has reached.
    #[inline]
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Plays a legal move.
    #[inline]
    pub(crate) fn play(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.cells[from].filter(|_| !m.is_null()) else { return };
        let there = self.cells[to];
        if there == Some(Piece::new(Role::Rook, piece.color())) && piece.role() == Role::King {
            return self.castle(piece.color(), from, to);
        }
        let becomes = m.promotion().map_or(piece, |role| Piece::new(role, piece.color()));
        let mut change = change_of_step(piece, becomes, from, to);
        if let Some(taken) = there {
            change = change.wrapping_add(removal_of(taken, to));
        } else if piece.role() == Role::Pawn && from.file() != to.file() {
            let beside = to.with_rank(from.rank());
            self.cells[beside] = None;
            let pawn = Piece::new(Role::Pawn, !piece.color());
            change = change.wrapping_add(removal_of(pawn, beside));
        }
        self.cells[from] = None;
        self.cells[to] = Some(becomes);
        self.fingerprint = self.fingerprint.wrapping_add(change);
    }

    #[cold]
    fn castle(&mut self, color: Color, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        (self.cells[king], self.cells[rook]) = (None, None);
        for (role, file) in [(Role::King, side.king_file()), (Role::Rook, side.rook_file())] {
            if let Some(to) = Square::at(file, king.rank()) {
                self.cells[to] = Some(Piece::new(role, color));
            }
        }
        let change = change_of_castling(color, king, rook);
        self.fingerprint = self.fingerprint.wrapping_add(change);
    }
}

/// The random numbers of all pieces and squares.
static NUMBERS: LazyLock<[u64; 1 << 10]> = LazyLock::new(|| {
    std::array::from_fn(|place| {
        // The finalizer of SplitMix64.
        let place = u64::try_from(place).unwrap_or(0);
        let mixed = place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) << PIECES
    })
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_random_games_adds_up_to_fingerprint_of_position() {
        let mut random = testkit::Random::new(3);
        let (mut castled, mut passed, mut promoted) = (0, 0, 0);
        for _ in 0..500 {
            let (mut position, mut line) = (Position::start(), *Line::start());
            for _ in 0..160 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let is_passing = |m: &Move| {
                    position.piece_at(m.from()).map(Piece::role) == Some(Role::Pawn)
                        && m.from().file() != m.to().file()
                        && position.piece_at(m.to()).is_none()
                };
                let castles = |m: &Move| position.castling_side(*m).is_some();
                // Castling, en passant and promotions are rare, so they are preferred.
                let rare = |m: &Move| m.promotion().is_some() || castles(m) || is_passing(m);
                let preferred = moves.iter().copied().find(rare).filter(|_| random.below(3) > 0);
                let m = preferred.unwrap_or(moves[random.below(moves.len())]);
                castled += u32::from(castles(&m));
                passed += u32::from(is_passing(&m));
                promoted += u32::from(m.promotion().is_some());
                let is_null = random.below(30) == 0 && !position.in_check();
                let m = if is_null { Move::NULL } else { m };
                position.apply(m);
                line.play(m);
                let expected = of_position(&position);
                assert_eq!(Some(line.fingerprint()), expected, "{}", position.to_fen());
            }
        }
        assert!(castled > 100 && passed > 100 && promoted > 100, "{castled} {passed} {promoted}");
    }

    #[test]
    fn is_possible_after_lost_pieces_and_home_pawns_is_false() {
        let after = |moves: &str| {
            let mut line = *Line::start();
            moves.split_terminator(' ').for_each(|m| line.play(m.parse().unwrap()));
            line.fingerprint()
        };
        let position = |moves: &str| {
            let mut position = Position::start();
            moves.split_terminator(' ').for_each(|m| position.apply(m.parse().unwrap()));
            position
        };
        for (target, line, expected) in [
            ("e2e4 e7e5", "", true),
            ("e2e4 e7e5", "e2e4", true),
            ("e2e4 e7e5", "d2d4", false),
            ("e2e4 e7e5", "e2e4 c7c5", false),
            ("g1f3", "b1c3 g8f6 c3d5 f6d5", false),
            ("g1f3", "b1c3 g8f6 c3d5 f6g8", true),
            ("e2e4 d7d5 e4d5", "e2e4 d7d5", true),
            ("e2e4 d7d5 e4d5", "e2e4 d7d5 e4d5 d8d5", false),
        ] {
            let sought = Sought::new(&[position(target)]);
            assert_eq!(sought.is_possible_after(after(line)), expected, "{target}: {line}");
        }
    }

    #[test]
    fn sought_position_with_too_many_pieces_has_no_fingerprint() {
        let crowded = "rnbqkbnr/pppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let sought = Sought::new(&[Position::from_fen(crowded).unwrap()]);
        assert!(sought.fingerprints().is_empty());
    }
}
