//! Moves as nearly all are spelt, read fast; [`san_parse`](crate::san_parse) reads all others.
//! pgn §3.3 "Moves"

use chess_core::{Bitboard, Move, Position, Role, Square};

/// Reads a move as nearly all are spelt: `e4`, `exd5`, `Nf3`, `Nxd5`, `Nbd2`, `R1xd5`, perhaps with
/// `+`, before white space. Says nothing about others, or those that need a closer look.
#[inline]
pub(crate) fn read_plain_move(text: [u8; 8], position: &Position) -> Option<(Move, usize)> {
    let [first, second, ..] = text;
    let role = plain_role(first)?;
    let pawn = role == Role::Pawn;
    let crossed = second == b'x';
    // Arithmetic rather than branches, which no processor could foresee here.
    let start = if crossed { 2 } else { u32::from(!pawn) };
    let target = plain_target(text, start);
    if target.is_none() && !pawn && !crossed {
        return read_move_with_origin(text, role, position);
    }
    let (to, length) = target?;
    let origins = if pawn { Bitboard::file(first.wrapping_sub(b'a')) } else { Bitboard::ALL };
    Some((resolve_plain(role, origins, to, crossed, position)?, length))
}

/// The same for an officer whose file or rank stands before its target.
fn read_move_with_origin(text: [u8; 8], role: Role, position: &Position) -> Option<(Move, usize)> {
    let [_, origin, third, ..] = text;
    let origins = match origin {
        b'a'..=b'h' => Bitboard::file(origin.wrapping_sub(b'a')),
        b'1'..=b'8' => Bitboard::rank(origin.wrapping_sub(b'1')),
        _ => return None,
    };
    let crossed = third == b'x';
    let (to, length) = plain_target(text, if crossed { 3 } else { 2 })?;
    Some((resolve_plain(role, origins, to, crossed, position)?, length))
}

/// The square at a place of the text, and the length of the move if it ends behind it.
#[inline]
fn plain_target(text: [u8; 8], start: u32) -> Option<(Square, usize)> {
    let [file, rank, end, next, ..] = (u64::from_le_bytes(text) >> (start << 3)).to_le_bytes();
    let checks = end == b'+';
    let end = if checks { next } else { end };
    let to = Square::at(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'))?;
    let length = start.wrapping_add(2).wrapping_add(u32::from(checks));
    matches!(end, b' ' | b'\n' | b'\r').then_some((to, length as usize))
}

/// The one move that goes there from one of the origins; none for promotions.
#[inline(always)] // into both, the first of which is nearly all there is to reading movetext
fn resolve_plain(
    role: Role,
    origins: Bitboard,
    to: Square,
    crossed: bool,
    position: &Position,
) -> Option<Move> {
    let them = !position.turn();
    let promotes = role == Role::Pawn && to.rank() == them.back_rank();
    if promotes || position.color(them).contains(to) != crossed {
        return None;
    }
    let movers = position.movers(role, to) & origins;
    let m = Move::new(movers.single()?, to);
    position.leaves_king_safe(m).then_some(m)
}

/// The piece of a move's first letter; a pawn's is its file.
#[inline]
#[allow(clippy::indexing_slicing, reason = "at compile time")]
fn plain_role(letter: u8) -> Option<Role> {
    const ROLES: [Option<Role>; 128] = {
        let mut roles = [None; 128];
        let letters = *b"abcdefghNBRQK";
        let mut rest: &[u8] = &letters;
        while let [letter, others @ ..] = rest {
            roles[*letter as usize & 127] = match letter {
                b'a'..=b'h' => Some(Role::Pawn),
                letter => Role::from_letter(*letter as char),
            };
            rest = others;
        }
        roles
    };
    ROLES.get(usize::from(letter)).copied().flatten()
}
