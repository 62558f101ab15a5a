//! The codes of moves.

use chess_core::{CastlingSide, Move, Position, Role, Square};

use super::layout::{MOVES, MoveCode};
use super::position::{Form, squares};
use crate::quirk::Quirk;

/// Returns the legal move that a code means in a position.
// books §3.5 "Moves"
///
/// # Errors
/// A code that is not known, or that means no legal move or two.
pub fn decode(code: u8, position: &Position) -> Result<Move, Quirk> {
    let place = MOVES.binary_search_by_key(&code, |entry| entry.0);
    let Some(entry) = place.ok().and_then(|place| MOVES.get(place)) else {
        return Err(Quirk::MoveCode);
    };
    let legal = |m: &Move| position.is_legal(*m);
    let found = apply(*entry, position).filter(legal);
    if !matches!(code, 0x1a | 0xf9) {
        return found.ok_or(Quirk::IllegalMove);
    }
    let (_, role, number, ahead, aside) = *entry;
    // One of the two codes must mean six steps to the right.
    let other = apply((code, role, number, aside, ahead), position).filter(legal);
    match (found, other) {
        (Some(_), Some(_)) => Err(Quirk::MoveUnsure),
        (found, other) => found.or(other).ok_or(Quirk::IllegalMove),
    }
}

/// Returns the move of a piece. The steps wrap around the edges of the board, except for a king.
fn apply((_, role, number, right, forward): MoveCode, position: &Position) -> Option<Move> {
    let (form, us) = (Form::of(position), position.turn());
    let pieces = position.pieces(role, us);
    let stored = squares()
        .filter(|stored| pieces.contains(form.turn(*stored)))
        .nth(usize::from(number).checked_sub(1)?)?;
    let from = form.turn(stored);
    if role == Role::King {
        if right.unsigned_abs() == 2 {
            let side = if right > 0 { CastlingSide::King } else { CastlingSide::Queen };
            return position.castling_rook(us, side).map(|rook| Move::new(from, rook));
        }
        return stored.offset(right, forward).map(|to| Move::new(from, form.turn(to)));
    }
    let wrap = |place: u8, steps: i8| place.wrapping_add_signed(steps) & 7;
    let rank = wrap(stored.rank(), forward);
    let to = form.turn(Square::at(wrap(stored.file(), right), rank)?);
    Some(match role {
        Role::Pawn if rank == 7 => Move::promoting(from, to, Role::Queen),
        _ => Move::new(from, to),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(fen: &str, code: u8) -> Result<String, Quirk> {
        decode(code, &Position::from_fen(fen).unwrap()).map(|m| m.to_string())
    }

    #[test]
    fn codes_are_sorted_and_number_as_moves_need() {
        assert!(MOVES.is_sorted_by(|one, other| one.0 < other.0));
        assert_eq!(MOVES.len(), 8 * 4 + 2 * 8 + 2 * 13 + 2 * 14 + 2 * 27 + 8 + 2);
    }

    #[test]
    fn decode_code_depends_on_form() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let white = format!("{start} w KQkq - 0 1");
        assert_eq!(decoded(&white, 0x5f).as_deref(), Ok("e2e4"));
        let black = format!("{start} b KQkq - 0 1");
        assert_eq!(decoded(&black, 0x5f).as_deref(), Ok("e7e5"));
        assert_eq!(decoded(&white, 0x02), Err(Quirk::MoveCode));
        assert_eq!(decoded(&white, 0x6b), Err(Quirk::IllegalMove));
        assert_eq!(decoded("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", 0xf6).as_deref(), Ok("e8a8"));
        // Mirrored: the fifth pawn from the right is the fourth from the left.
        assert_eq!(decoded("4k3/8/8/8/8/8/P6P/1K6 w - - 0 1", 0xec).as_deref(), Ok("h2h3"));
        assert_eq!(decoded("8/6P1/8/8/8/8/8/K6k w - - 0 1", 0xec).as_deref(), Ok("g7g8q"));
    }

    #[test]
    fn decode_code_of_two_meanings_takes_legal_move() {
        let with = |queens: &str| decoded(&format!("{queens} w - - 0 1"), 0x1a);
        // The second queen is the one on h1, then the one on b1 or on c8.
        assert_eq!(with("4k3/7p/8/8/8/8/8/Q3K2Q").as_deref(), Err(&Quirk::MoveUnsure));
        assert_eq!(with("8/3k4/8/8/8/8/6K1/Q1Q5").as_deref(), Ok("c1c7"));
    }
}
