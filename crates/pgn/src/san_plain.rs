//! Moves as nearly all are spelt, read fast; [`san_parse`](crate::san_parse) reads all others.
//! pgn §3.3 "Moves"

use chess_core::{Bitboard, Move, Position, Role, Square};

/// Reads a move as nearly all are spelt: `e4`, `exd5`, `Nf3`, `Nxd5`, `Nbd2`, `R1xd5`, perhaps with
/// `+`, before white space. Says nothing about others, or those that need a closer look.
#[inline]
pub(crate) fn read_plain_move(text: [u8; 8], position: &Position) -> Option<(Move, usize)> {
    let [first, second, third, ..] = text;
    let role = plain_role(first)?;
    let pawn = role == Role::Pawn;
    let mut takes = second == b'x';
    // Arithmetic rather than branches, which no processor could foresee here.
    let mut start = if takes { 2 } else { u32::from(!pawn) };
    let mut origins = if pawn { Bitboard::file(first.wrapping_sub(b'a')) } else { Bitboard::ALL };
    if !pawn & !takes & !third.is_ascii_digit() {
        origins = origins_named(second)?;
        takes = third == b'x';
        start = if takes { 3 } else { 2 };
    }
    let (to, length) = plain_target(text, start)?;
    let them = !position.turn();
    let promotes = pawn & (to.rank() == them.back_rank());
    if promotes | (position.color(them).contains(to) != takes) {
        return None;
    }
    let movers = position.movers(role, to) & origins;
    let m = Move::new(movers.single()?, to);
    position.leaves_king_safe(m).then_some((m, length))
}

/// The squares that the file or rank before an officer's target leaves to it.
fn origins_named(byte: u8) -> Option<Bitboard> {
    match byte {
        b'a'..=b'h' => Some(Bitboard::file(byte.wrapping_sub(b'a'))),
        b'1'..=b'8' => Some(Bitboard::rank(byte.wrapping_sub(b'1'))),
        _ => None,
    }
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
