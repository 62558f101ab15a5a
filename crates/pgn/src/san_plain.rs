//! Fast path for the common spellings of moves; [`san_parse`](crate::san_parse) reads all others.
//! pgn §3.3 "Moves"

use chess_core::{Bitboard, Move, Piece, Position, Role, Square};

/// A move that is not castling, en passant or a promotion, and the length of its text.
pub(crate) struct PlainMove {
    pub(crate) piece: Piece,
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) length: usize,
}

/// Reads a pawn move in a common spelling: `e4`, `exd5`, optionally with `+`, before white space.
/// Returns `None` for any other move, and for a move that needs a full check.
#[inline(always)] // every third ply
pub(crate) fn read_plain_pawn_move(text: [u8; 8], position: &Position) -> Option<PlainMove> {
    let [file, second, ..] = text;
    let crossed = second == b'x';
    // Arithmetic, because a branch would be unpredictable here.
    let (to, length) = plain_target(text, u32::from(crossed) << 1)?;
    if to.rank() == (!position.turn()).back_rank() {
        return None;
    }
    let origins = Bitboard::file(file.wrapping_sub(b'a'));
    resolve_plain(Role::Pawn, origins, crossed, (to, length), position)
}

/// Like [`read_plain_pawn_move`], for an officer: `Nf3`, `Nxd5`, `Nbd2`, `R1xd5`.
#[inline(always)] // most plies
pub(crate) fn read_plain_officer_move(text: [u8; 8], position: &Position) -> Option<PlainMove> {
    let [letter, second, ..] = text;
    let role = officer(letter)?;
    let crossed = second == b'x';
    let target = plain_target(text, if crossed { 2 } else { 1 });
    let (origins, crossed, target) = match target {
        Some(target) => (Bitboard::ALL, crossed, target),
        None => read_origin_and_target(text)?,
    };
    resolve_plain(role, origins, crossed, target, position)
}

/// Reads an officer move with a file or rank before its target. Returns the possible origins,
/// whether it is a capture, and the target.
#[inline]
fn read_origin_and_target(text: [u8; 8]) -> Option<(Bitboard, bool, (Square, usize))> {
    let [_, origin, third, ..] = text;
    let origins = match origin {
        b'a'..=b'h' => Bitboard::file(origin.wrapping_sub(b'a')),
        b'1'..=b'8' => Bitboard::rank(origin.wrapping_sub(b'1')),
        _ => return None,
    };
    let crossed = third == b'x';
    Some((origins, crossed, plain_target(text, if crossed { 3 } else { 2 })?))
}

/// Returns the square at offset `start`, and the length of the move if the move ends after it.
#[inline]
fn plain_target(text: [u8; 8], start: u32) -> Option<(Square, usize)> {
    let [file, rank, end, next, ..] = (u64::from_le_bytes(text) >> (start << 3)).to_le_bytes();
    let checks = end == b'+';
    let end = if checks { next } else { end };
    let to = Square::at(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'))?;
    let length = start.wrapping_add(2).wrapping_add(u32::from(checks));
    matches!(end, b' ' | b'\n' | b'\r').then_some((to, length as usize))
}

/// Returns the move if exactly one piece on the origins can go to the target.
#[inline(always)] // once a ply
fn resolve_plain(
    role: Role,
    origins: Bitboard,
    crossed: bool,
    (to, length): (Square, usize),
    position: &Position,
) -> Option<PlainMove> {
    let us = position.turn();
    if position.color(!us).contains(to) != crossed {
        return None;
    }
    let from = (position.movers(role, to) & origins).single()?;
    if !position.leaves_king_safe(Move::new(from, to)) {
        return None;
    }
    Some(PlainMove { piece: Piece::new(role, us), from, to, length })
}

/// Returns the officer of a letter.
#[inline]
#[allow(clippy::indexing_slicing, reason = "at compile time")]
fn officer(letter: u8) -> Option<Role> {
    const ROLES: [Option<Role>; 128] = {
        let mut roles = [None; 128];
        let letters = *b"NBRQK";
        let mut rest: &[u8] = &letters;
        while let [letter, others @ ..] = rest {
            roles[*letter as usize & 127] = Role::from_letter(*letter as char);
            rest = others;
        }
        roles
    };
    ROLES.get(usize::from(letter)).copied().flatten()
}
