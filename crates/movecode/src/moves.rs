//! Values of move codes to squares and back, and which moves a game may hold.

use chess_core::{CastlingSide, Color, Move, Position, Role, Square};

use crate::decode::Dialect;
use crate::layout::{
    KING_STEPS, KNIGHT_STEPS, PAWN_STEPS, PUBLISHED_KING_STEPS, PUBLISHED_KNIGHT_STEPS, Step,
};

/// Where a piece on `from` goes by a value of its code; `None` if that is off the board or no move.
// movecode §4 "Where a piece goes"
#[inline]
pub(crate) fn target(
    role: Role,
    color: Color,
    from: Square,
    value: u8,
    dialect: Dialect,
) -> Option<Square> {
    let steps = |table: &[Step; 8]| table.get(usize::from(value & 7)).copied();
    let (files, ranks) = match (role, dialect) {
        (Role::Pawn, _) => {
            let (files, ranks) = *PAWN_STEPS.get(usize::from(value & 3))?;
            match color {
                Color::White => (files, ranks),
                Color::Black => (files.wrapping_neg(), ranks.wrapping_neg()),
            }
        }
        (Role::Knight, Dialect::Jose) => steps(&KNIGHT_STEPS)?,
        (Role::Knight, Dialect::Published) => steps(&PUBLISHED_KNIGHT_STEPS)?,
        (Role::King, Dialect::Jose) => steps(&KING_STEPS)?,
        (Role::King, Dialect::Published) => steps(&PUBLISHED_KING_STEPS)?,
        (Role::Bishop, _) => return oblique(from, value & 0x0f),
        (Role::Rook, _) => return straight(from, value & 0x0f),
        (Role::Queen, _) if value & 0x10 == 0 => return oblique(from, value & 0x0f),
        (Role::Queen, _) => return straight(from, value & 0x0f),
    };
    from.offset(files, ranks)
}

/// The value of a piece's code for going from one square to another; `None` if none says so.
#[inline]
pub(crate) fn value(role: Role, color: Color, from: Square, to: Square) -> Option<u8> {
    let files = to.file().cast_signed().wrapping_sub(from.file().cast_signed());
    let ranks = to.rank().cast_signed().wrapping_sub(from.rank().cast_signed());
    let find = |table: &[Step]| {
        (0u8..).zip(table).find(|(_, step)| **step == (files, ranks)).map(|(value, _)| value)
    };
    let oblique = || match files.unsigned_abs() == ranks.unsigned_abs() {
        true if files == ranks => Some(to.rank()),
        true => Some(8 | to.rank()),
        false => None,
    };
    let straight = || match (files, ranks) {
        (0, _) => Some(to.rank()),
        (_, 0) => Some(8 | to.file()),
        _ => None,
    };
    match role {
        Role::Pawn => {
            let forward = color.forward();
            let step = (files.wrapping_mul(forward), ranks.wrapping_mul(forward));
            (0u8..).zip(PAWN_STEPS).find(|(_, known)| *known == step).map(|(value, _)| value)
        }
        Role::Knight => find(&KNIGHT_STEPS),
        Role::King => find(&KING_STEPS),
        Role::Bishop => oblique(),
        Role::Rook => straight(),
        Role::Queen => oblique().or_else(|| straight().map(|value| 0x10 | value)),
    }
}

/// Along a diagonal to the rank in bits 0 to 2; bit 3 tells the diagonals apart.
#[inline]
fn oblique(from: Square, value: u8) -> Option<Square> {
    let rank = value & 7;
    let ranks = rank.wrapping_sub(from.rank());
    let file = match value & 8 {
        0 => from.file().wrapping_add(ranks),
        _ => from.file().wrapping_sub(ranks),
    };
    Square::at(file, rank).filter(|to| *to != from)
}

/// To the rank in bits 0 to 2 of the same file, or with bit 3 to that file of the same rank.
#[inline]
fn straight(from: Square, value: u8) -> Option<Square> {
    let to = match value & 8 {
        0 => from.with_rank(value & 7),
        _ => Square::at(value & 7, from.rank())?,
    };
    (to != from).then_some(to)
}

/// The rook a side castles with: the one the rules allow, else the nearest to the edge.
pub(crate) fn castling_rook(position: &Position, side: CastlingSide) -> Option<Square> {
    let color = position.turn();
    if let Some(rook) = position.castling_rook(color, side) {
        return Some(rook);
    }
    let king = position.king(color).filter(|king| king.rank() == color.back_rank())?;
    let mut rooks = position
        .pieces(Role::Rook, color)
        .filter(|rook| rook.rank() == king.rank())
        .filter(|rook| (rook.file() > king.file()) == (side == CastlingSide::King));
    match side {
        CastlingSide::King => rooks.last(),
        CastlingSide::Queen => rooks.next(),
    }
}

/// What the rules say of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Worth {
    /// It is legal.
    Legal,
    /// The piece can go there, but its king is or stays in check, castling is not allowed, or a
    /// pawn stays a pawn on the last rank. jose takes such moves.
    Doubtful,
    /// The piece cannot go there.
    Impossible,
}

/// What the rules say of a move of the side to move.
#[inline]
pub(crate) fn worth(position: &Position, m: Move) -> Worth {
    if position.is_legal(m) {
        return Worth::Legal;
    }
    doubtful_or_impossible(position, m)
}

#[cold]
fn doubtful_or_impossible(position: &Position, m: Move) -> Worth {
    if m.is_null() {
        return Worth::Doubtful;
    }
    let color = position.turn();
    let Some(piece) = position.piece_at(m.from()).filter(|piece| piece.color() == color) else {
        return Worth::Impossible;
    };
    if position.castling_side(m).is_some() {
        let same_rank = m.from().rank() == color.back_rank() && m.to().rank() == m.from().rank();
        return if same_rank { Worth::Doubtful } else { Worth::Impossible };
    }
    let promotes = piece.role() == Role::Pawn && m.to().rank() == (!color).back_rank();
    let fits = m.promotion().is_none() || promotes;
    if fits && position.movers(piece.role(), m.to()).contains(m.from()) {
        Worth::Doubtful
    } else {
        Worth::Impossible
    }
}

/// The square of a pawn taken in passing, if the move is such a capture.
#[inline]
pub(crate) fn en_passant_victim(position: &Position, m: Move) -> Option<Square> {
    let passing = m.from().file() != m.to().file()
        && position.piece_at(m.to()).is_none()
        && position.role(Role::Pawn).contains(m.from());
    let beside = m.to().with_rank(m.from().rank());
    let enemy = position.pieces(Role::Pawn, !position.turn());
    (passing && enemy.contains(beside)).then_some(beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(from: Square, role: Role, values: u8) -> Vec<String> {
        (0..values)
            .map(|value| {
                let to = target(role, Color::White, from, value, Dialect::Jose);
                to.map_or_else(|| "-".into(), |to| to.to_string())
            })
            .collect()
    }

    #[test]
    fn tables() {
        let list = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(squares(Square::E4, Role::Pawn, 4), list("e5 f5 d5 e6"));
        assert_eq!(squares(Square::E4, Role::Knight, 8), list("g5 g3 f2 d2 c3 c5 d6 f6"));
        assert_eq!(squares(Square::E4, Role::King, 8), list("f5 f3 d3 d5 f4 d4 e5 e3"));
        assert_eq!(
            squares(Square::E4, Role::Bishop, 16),
            list("b1 c2 d3 - f5 g6 h7 - h1 g2 f3 - d5 c6 b7 a8")
        );
        assert_eq!(
            squares(Square::E4, Role::Rook, 16),
            list("e1 e2 e3 - e5 e6 e7 e8 a4 b4 c4 d4 - f4 g4 h4")
        );
        let mut queen = squares(Square::E4, Role::Bishop, 16);
        queen.extend(squares(Square::E4, Role::Rook, 16));
        assert_eq!(squares(Square::E4, Role::Queen, 32), queen);
    }

    #[test]
    fn black_pawns_go_the_other_way_in_files_too() {
        let to = |value| target(Role::Pawn, Color::Black, Square::E5, value, Dialect::Jose);
        assert_eq!(to(0), Some(Square::E4));
        assert_eq!(to(1), Some(Square::D4));
        assert_eq!(to(2), Some(Square::F4));
        assert_eq!(to(3), Some(Square::E3));
    }

    #[test]
    fn values_are_targets_backwards() {
        for role in Role::ALL {
            for color in Color::ALL {
                for (from, number) in Square::all().flat_map(|from| (0..32).map(move |n| (from, n)))
                {
                    let values = match role {
                        Role::Pawn => 4,
                        Role::Knight | Role::King => 8,
                        Role::Bishop | Role::Rook => 16,
                        Role::Queen => 32,
                    };
                    if number >= values {
                        continue;
                    }
                    if let Some(to) = target(role, color, from, number, Dialect::Jose) {
                        assert_eq!(value(role, color, from, to), Some(number));
                    }
                }
            }
        }
    }

    #[test]
    fn published_tables_have_the_same_steps() {
        let sorted = |mut steps: [Step; 8]| {
            steps.sort_unstable();
            steps
        };
        assert_eq!(sorted(KNIGHT_STEPS), sorted(PUBLISHED_KNIGHT_STEPS));
        assert_eq!(sorted(KING_STEPS), sorted(PUBLISHED_KING_STEPS));
    }
}
