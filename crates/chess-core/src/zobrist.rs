//! The 64-bit hash that Polyglot books use to look up a position.

use crate::bitboard::pawn_attacks;
use crate::castling::CastlingSide;
use crate::piece::{Color, Role};
use crate::polyglot_keys::KEYS;
use crate::position::Position;
use crate::square::Square;

/// The first index in [`KEYS`] of the castling, en passant and side-to-move keys.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// Returns the hash of a position by Polyglot's published keys. Opening books, python-chess and
/// engines compute the same value.
///
/// The clocks do not count. En passant counts only if a pawn stands beside the one that made the
/// double step. Castling rights count by side of the king, whatever the file of the rook.
///
/// ```
/// use chess_core::{Position, zobrist};
///
/// assert_eq!(zobrist(&Position::start()), 0x463b_9618_1691_fc9c);
/// ```
#[must_use]
pub fn zobrist(position: &Position) -> u64 {
    let mut hash = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            let kind = kind_of(role, color);
            for square in position.pieces(role, color) {
                hash ^= key(kind.saturating_mul(64).saturating_add(usize::from(square.index())));
            }
        }
    }
    hash ^ rights(position) ^ en_passant(position) ^ turn(position)
}

/// Black's pawns are 0, White's 1, Black's knights 2, and so on to White's king.
const fn kind_of(role: Role, color: Color) -> usize {
    let pair = match role {
        Role::Pawn => 0,
        Role::Knight => 2,
        Role::Bishop => 4,
        Role::Rook => 6,
        Role::Queen => 8,
        Role::King => 10,
    };
    match color {
        Color::White => pair | 1,
        Color::Black => pair,
    }
}

fn key(place: usize) -> u64 {
    KEYS.get(place).copied().unwrap_or(0)
}

/// White's kingside and queenside castling, then Black's.
fn rights(position: &Position) -> u64 {
    if position.castling_rooks().is_empty() {
        return 0;
    }
    let sides =
        Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
    let mut hash = 0;
    for (place, (color, side)) in (CASTLING..).zip(sides) {
        if position.castling_rook(color, side).is_some() {
            hash ^= key(place);
        }
    }
    hash
}

/// A FEN may name the square even if no pawn can capture there.
fn en_passant(position: &Position) -> u64 {
    let turn = position.turn();
    let taken = |target: &Square| {
        (pawn_attacks(!turn, *target) & position.pieces(Role::Pawn, turn)).has_any()
    };
    let file = |square: Square| key(EN_PASSANT.saturating_add(usize::from(square.file())));
    position.en_passant().filter(taken).map_or(0, file)
}

fn turn(position: &Position) -> u64 {
    if position.turn() == Color::White { key(WHITE_TO_MOVE) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test positions of the published description.
    #[test]
    fn zobrist_published_positions_match() {
        for (fen, hash) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a607ca3f242c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fdd303c946bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(zobrist(&position), hash, "{fen}");
        }
    }
}
