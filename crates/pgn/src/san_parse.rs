//! Standard Algebraic Notation and its relatives, read. pgn §3.3 "Moves"

use chess_core::{Bitboard, CastlingSide, Color, Move, PROMOTIONS, Piece, Position, Role, Square};

use crate::quirk::Quirk;

/// Why a text is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// It does not look like one.
    #[error("this is no move")]
    Unreadable,
    /// The rules do not allow it.
    #[error("this move is not legal here")]
    Illegal,
    /// Two pieces could make it.
    #[error("this can be more than one move here")]
    Ambiguous,
}

/// Reads a move: SAN, with or without signs of check, promotion and capture, long algebraic
/// notation, `0-0`, and the null move. What stands after it must be `!` or `?`.
///
/// # Errors
/// [`SanError`], also for a move that is not legal.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    let read = read_move(text.as_bytes(), position)?;
    let rest = text.as_bytes().get(read.len..).unwrap_or_default();
    let suffix = rest.iter().all(|byte| matches!(byte, b'!' | b'?'));
    if suffix { Ok(read.m) } else { Err(SanError::Unreadable) }
}

/// A move read from the beginning of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) m: Move,
    /// How many bytes it took.
    pub(crate) len: usize,
    pub(crate) marks: Marks,
}

/// The deviations a single move can show.
const MARKED: [Quirk; 8] = [
    Quirk::ZeroCastling,
    Quirk::KingCastling,
    Quirk::LongMove,
    Quirk::CaptureSign,
    Quirk::PromotionSign,
    Quirk::MissingPromotion,
    Quirk::PieceLetter,
    Quirk::NullMoveSpelling,
];

/// A set of [`MARKED`] quirks.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Marks(u8);

impl Marks {
    const fn one(quirk: Quirk) -> Marks {
        let mut bit = 0u8;
        let mut rest: &[Quirk] = &MARKED;
        while let [first, others @ ..] = rest {
            if *first as u8 == quirk as u8 {
                return Marks(1 << (bit & 7));
            }
            bit = bit.wrapping_add(1);
            rest = others;
        }
        Marks(0)
    }

    fn add(&mut self, quirk: Quirk, when: bool) {
        if when {
            self.0 |= Marks::one(quirk).0;
        }
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Quirk> {
        MARKED.into_iter().filter(move |quirk| self.0 & Marks::one(*quirk).0 != 0)
    }
}

/// Reads the move that the text begins with.
#[inline]
pub(crate) fn read_move(text: &[u8], position: &Position) -> Result<Read, SanError> {
    let (Some(first), second) = (text.first(), text.get(1).copied().unwrap_or(0)) else {
        return Err(SanError::Unreadable);
    };
    let role = match first {
        b'a'..=b'h' => return Reader { text, position, marks: Marks(0) }.piece_move(0, None),
        b'N' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' => Role::Rook,
        b'Q' => Role::Queen,
        b'K' => Role::King,
        b'O' | b'0' | b'o' | b'-' | b'Z' | b'@' => return read_special(text, position),
        _ => return read_rare(text, position),
    };
    match second {
        b'a'..=b'h' | b'1'..=b'8' | b'x' | b':' | b'-' => {
            Reader { text, position, marks: Marks(0) }.piece_move(1, Some(role))
        }
        _ => Err(SanError::Unreadable),
    }
}

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
#[inline]
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

/// Whether a text begins like castling or a null move.
pub(crate) fn looks_like_castling_or_null(text: &[u8]) -> bool {
    special_length(text).is_some()
}

/// Whether a text begins like a move of a piece, in whatever position.
pub(crate) fn looks_like_move(text: &[u8]) -> bool {
    let file = |byte: &u8| matches!(byte, b'a'..=b'h');
    let rank = |byte: &u8| matches!(byte, b'1'..=b'8');
    let text = match text {
        [b'N' | b'B' | b'R' | b'Q' | b'K' | b'P', rest @ ..] => rest,
        _ => text,
    };
    match text {
        [f, r, ..] if file(f) && rank(r) => true,
        [x, f, r, ..] if file(f) && rank(r) => file(x) || rank(x) || *x == b'x',
        [x, b'x' | b':' | b'-', f, r, ..] if file(f) && rank(r) => file(x) || rank(x),
        _ => false,
    }
}

/// What [`special_length`] found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    Null,
    Castling(CastlingSide),
}

/// Castling and null moves, and their lengths; the longer spellings first.
const SPECIAL: [(&[u8], Special); 16] = [
    (b"0-0-0", Special::Castling(CastlingSide::Queen)),
    (b"0-0", Special::Castling(CastlingSide::King)),
    (b"o-o-o", Special::Castling(CastlingSide::Queen)),
    (b"o-o", Special::Castling(CastlingSide::King)),
    (b"OOO", Special::Castling(CastlingSide::Queen)),
    (b"OO", Special::Castling(CastlingSide::King)),
    (b"0000", Special::Null),
    (b"000", Special::Castling(CastlingSide::Queen)),
    (b"00", Special::Castling(CastlingSide::King)),
    (b"ooo", Special::Castling(CastlingSide::Queen)),
    (b"oo", Special::Castling(CastlingSide::King)),
    (b"--", Special::Null),
    (b"Z0", Special::Null),
    (b"@@@@", Special::Null),
    (b"null", Special::Null),
    (b"pass", Special::Null),
];

fn special_length(text: &[u8]) -> Option<(Special, usize)> {
    // As nearly all are spelt.
    if let [b'O', b'-', b'O', rest @ ..] = text {
        let long = rest.starts_with(b"-O");
        let side = if long { CastlingSide::Queen } else { CastlingSide::King };
        return Some((Special::Castling(side), if long { 5 } else { 3 }));
    }
    SPECIAL.iter().find(|(spelling, _)| text.starts_with(spelling)).map(|(s, m)| (*m, s.len()))
}

/// Castling, or a null move.
fn read_special(text: &[u8], position: &Position) -> Result<Read, SanError> {
    let mut marks = Marks(0);
    let (special, len) = special_length(text).ok_or(SanError::Unreadable)?;
    let side = match special {
        Special::Null => {
            marks.add(Quirk::NullMoveSpelling, !text.starts_with(b"--"));
            return Ok(Read { m: Move::NULL, len, marks });
        }
        Special::Castling(side) => side,
    };
    marks.add(Quirk::ZeroCastling, !text.starts_with(b"O-"));
    let m = castle(position, side).ok_or(SanError::Illegal)?;
    Ok(Read { m, len: skip_check(text, len), marks })
}

fn castle(position: &Position, side: CastlingSide) -> Option<Move> {
    let us = position.turn();
    let m = Move::new(position.king(us)?, position.castling_rook(us, side)?);
    position.is_legal(m).then_some(m)
}

/// A pawn's letter, small letters, figurines, null moves in words.
#[cold]
fn read_rare(text: &[u8], position: &Position) -> Result<Read, SanError> {
    let (role, letter) = match text {
        [b'n', b'u', ..] | [b'p', b'a', ..] => return read_special(text, position),
        [b'P' | b'p', ..] => (Role::Pawn, 1),
        [b'n', ..] => (Role::Knight, 1),
        [b'r', ..] => (Role::Rook, 1),
        [b'q', ..] => (Role::Queen, 1),
        [b'k', ..] => (Role::King, 1),
        [0xe2, 0x99, figurine @ 0x94..=0x9f, ..] => {
            use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
            let order = [King, Queen, Rook, Bishop, Knight, Pawn];
            let place = usize::from(figurine.wrapping_sub(0x94) % 6);
            (order.get(place).copied().unwrap_or(Pawn), 3)
        }
        _ => return Err(SanError::Unreadable),
    };
    Reader { text, position, marks: Marks::one(Quirk::PieceLetter) }.piece_move(letter, Some(role))
}

struct Reader<'a> {
    text: &'a [u8],
    position: &'a Position,
    marks: Marks,
}

/// What is written of a move's origin.
#[derive(Clone, Copy)]
struct Origin {
    file: Option<u8>,
    rank: Option<u8>,
}

impl Origin {
    fn square(self) -> Option<Square> {
        Square::at(self.file?, self.rank?)
    }

    fn mask(self) -> Bitboard {
        self.file.map_or(Bitboard::ALL, Bitboard::file)
            & self.rank.map_or(Bitboard::ALL, Bitboard::rank)
    }
}

impl Reader<'_> {
    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn file(&self, at: usize) -> Option<u8> {
        let file = self.byte(at).wrapping_sub(b'a');
        (file < 8).then_some(file)
    }

    #[inline]
    fn rank(&self, at: usize) -> Option<u8> {
        let rank = self.byte(at).wrapping_sub(b'1');
        (rank < 8).then_some(rank)
    }

    #[inline]
    fn square(&self, at: usize) -> Option<Square> {
        Square::at(self.file(at)?, self.rank(at.wrapping_add(1))?)
    }

    /// A move of a piece of this role, or, without one, of a pawn or whatever stands on the
    /// square it names first.
    #[inline]
    fn piece_move(mut self, start: usize, letter: Option<Role>) -> Result<Read, SanError> {
        let mut at = start;
        let file = self.file(at);
        at = at.wrapping_add(usize::from(file.is_some()));
        let rank = self.rank(at);
        at = at.wrapping_add(usize::from(rank.is_some()));
        let first = Origin { file, rank };
        let sign = self.byte(at);
        let signed = matches!(sign, b'x' | b':' | b'-');
        let Some(second) = self.square(at.wrapping_add(usize::from(signed))) else {
            let to = first.square().ok_or(SanError::Unreadable)?;
            return self.short_move(letter, to, at);
        };
        if !signed
            && let Some(square) = first.square()
            && !self.moves_from(square, letter)
        {
            // Two moves without a space between them.
            return self.short_move(letter, square, at);
        }
        self.marks.add(Quirk::CaptureSign, sign == b':');
        let end = at.wrapping_add(if signed { 3 } else { 2 });
        let role = match letter {
            Some(role) => role,
            None => self.role_on(first),
        };
        let origin = if role == Role::Pawn && file.is_none() {
            Origin { file: Some(second.file()), rank }
        } else {
            first
        };
        self.marks.add(Quirk::LongMove, sign == b'-');
        self.finish(role, origin, second, signed && sign != b'-', end)
    }

    /// A move that names only where it goes.
    #[inline]
    fn short_move(self, letter: Option<Role>, to: Square, end: usize) -> Result<Read, SanError> {
        let role = letter.unwrap_or(Role::Pawn);
        let file = (role == Role::Pawn).then_some(to.file());
        self.finish(role, Origin { file, rank: None }, to, false, end)
    }

    /// Whether the side to move has a piece on a square that can be meant.
    fn moves_from(&self, square: Square, letter: Option<Role>) -> bool {
        self.position.piece_at(square).is_some_and(|piece| {
            piece.color() == self.position.turn() && letter.is_none_or(|role| role == piece.role())
        })
    }

    /// Without a piece's letter: what stands on the square named in full, or a pawn.
    fn role_on(&self, origin: Origin) -> Role {
        let piece = origin.square().and_then(|square| self.position.piece_at(square));
        piece.map_or(Role::Pawn, Piece::role)
    }

    #[inline]
    fn finish(
        mut self,
        role: Role,
        origin: Origin,
        to: Square,
        crossed: bool,
        end: usize,
    ) -> Result<Read, SanError> {
        let position = self.position;
        let (mut promotion, mut end) = (None, end);
        if role == Role::Pawn && to.rank() == (!position.turn()).back_rank() {
            (promotion, end) = self.promotion(end);
        }
        let movers = position.movers(role, to);
        if movers.is_empty() && role == Role::King {
            return self.king_castling(origin, to, end);
        }
        let fitting = movers & origin.mask();
        let from = match fitting.single() {
            Some(from) if position.leaves_king_safe(Move::new(from, to)) => from,
            Some(_) => return Err(SanError::Illegal),
            None => self.only_legal(fitting, to)?,
        };
        let captures =
            position.occupied().contains(to) || role == Role::Pawn && from.file() != to.file();
        if captures != crossed || origin.rank.is_some() {
            self.marks.add(Quirk::CaptureSign, captures != crossed);
            let full = origin.file.is_some() && origin.rank.is_some();
            self.marks.add(Quirk::LongMove, full && movers.single().is_some());
        }
        let m = match promotion {
            Some(role) => Move::promoting(from, to, role),
            None => Move::new(from, to),
        };
        Ok(Read { m, len: skip_check(self.text, end), marks: self.marks })
    }

    /// The one of several pieces that may go there.
    fn only_legal(&self, fitting: Bitboard, to: Square) -> Result<Square, SanError> {
        let mut found = None;
        for from in fitting {
            if self.position.leaves_king_safe(Move::new(from, to)) && found.replace(from).is_some()
            {
                return Err(SanError::Ambiguous);
            }
        }
        found.ok_or(SanError::Illegal)
    }

    /// What a pawn becomes, and where the text goes on.
    fn promotion(&mut self, at: usize) -> (Option<Role>, usize) {
        let next = at.wrapping_add(1);
        let (letter, end, signed) = match self.byte(at) {
            b'=' => (self.byte(next), next.wrapping_add(1), true),
            b'/' => (self.byte(next), next.wrapping_add(1), false),
            b'(' if self.byte(at.wrapping_add(2)) == b')' => {
                (self.byte(next), at.wrapping_add(3), false)
            }
            letter if letter.is_ascii_uppercase() || self.rank(next).is_none() => {
                (letter, next, false)
            }
            _ => (0, at, false),
        };
        match Role::from_letter(char::from(letter)) {
            Some(role) if PROMOTIONS.contains(&role) => {
                self.marks.add(Quirk::PromotionSign, !signed || letter.is_ascii_lowercase());
                (Some(role), end)
            }
            _ => {
                self.marks.add(Quirk::MissingPromotion, true);
                (Some(Role::Queen), at)
            }
        }
    }

    /// Castling written as the king's move: two squares aside, or onto its rook.
    #[cold]
    fn king_castling(mut self, origin: Origin, to: Square, end: usize) -> Result<Read, SanError> {
        let position = self.position;
        let us: Color = position.turn();
        let king = position.king(us).filter(|king| origin.mask().contains(*king));
        let king = king.filter(|king| king.rank() == to.rank()).ok_or(SanError::Illegal)?;
        let side = if to.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen };
        if to.file() != side.king_file() && position.castling_rook(us, side) != Some(to) {
            return Err(SanError::Illegal);
        }
        let m = castle(position, side).ok_or(SanError::Illegal)?;
        self.marks.add(Quirk::KingCastling, true);
        Ok(Read { m, len: skip_check(self.text, end), marks: self.marks })
    }
}

/// Goes past `+` and `#`, unless the plus begins an evaluation: `+-`, `+/-`, `+=`.
#[inline]
fn skip_check(text: &[u8], end: usize) -> usize {
    let mut end = end;
    loop {
        match text.get(end..).unwrap_or_default() {
            [b'+', b'-' | b'/' | b'=', ..] => return end,
            [b'+' | b'#', ..] => end = end.wrapping_add(1),
            _ => return end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, text: &str) -> Result<(String, usize, Vec<Quirk>), SanError> {
        let position = Position::from_fen(fen).unwrap();
        let read = read_move(text.as_bytes(), &position)?;
        assert!(read.m.is_null() || position.is_legal(read.m), "{text}");
        Ok((read.m.to_string(), read.len, read.marks.iter().collect()))
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[track_caller]
    fn check(fen: &str, text: &str, uci: &str, quirks: &[Quirk]) {
        let len = text.find(' ').unwrap_or(text.len());
        assert_eq!(read(fen, text), Ok((uci.into(), len, quirks.to_vec())), "{text}");
    }

    #[test]
    fn plain_moves() {
        check(START, "e4", "e2e4", &[]);
        check(START, "e3 e5", "e2e3", &[]);
        check(START, "Nf3", "g1f3", &[]);
        check(START, "--", "0000", &[]);
        for text in ["e5", "Nd2", "Ke2", "O-O", "O-O-O", "exd3", "Bb5"] {
            assert_eq!(read(START, text), Err(SanError::Illegal), "{text}");
        }
        for text in ["", "e9", "e", "N", "Nf", "xyz", "Q", "i4", "Sf3", "ed", "O", "-", "x", "Nx"] {
            assert_eq!(read(START, text), Err(SanError::Unreadable), "{text}");
        }
    }

    #[test]
    fn long_notation() {
        check(START, "e2e4", "e2e4", &[Quirk::LongMove]);
        check(START, "e2-e4", "e2e4", &[Quirk::LongMove]);
        check(START, "g1-f3", "g1f3", &[Quirk::LongMove]);
        check(START, "Ng1f3", "g1f3", &[Quirk::LongMove]);
        check(START, "Ng1-f3+", "g1f3", &[Quirk::LongMove]);
        check("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4xd5", "e4d5", &[Quirk::LongMove]);
        // Both squares are needed here.
        check("8/8/8/k7/4Q2Q/8/8/K6Q w - - 0 1", "Qh4e1+", "h4e1", &[]);
        assert_eq!(read("8/8/8/k7/4Q2Q/8/8/K6Q w - - 0 1", "Qhe1"), Err(SanError::Ambiguous));
    }

    #[test]
    fn captures() {
        let fen = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1";
        check(fen, "exd5", "e4d5", &[]);
        check(fen, "cd5", "c4d5", &[Quirk::CaptureSign]);
        check(fen, "c:d5", "c4d5", &[Quirk::CaptureSign]);
        check("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "Nd5", "e3d5", &[Quirk::CaptureSign]);
        check(START, "Nxf3", "g1f3", &[Quirk::CaptureSign]);
        let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        check(passing, "exd6", "e5d6", &[]);
        check("8/8/8/3pP3/8/8/8/4K2k w - - 0 1", "e6", "e5e6", &[]);
        assert_eq!(read("8/8/8/3pP3/8/8/8/4K2k w - - 0 1", "exd6"), Err(SanError::Illegal));
        // Taking in passing would uncover the king on the rank.
        assert_eq!(read("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "exd6"), Err(SanError::Illegal));
    }

    #[test]
    fn promotions() {
        let fen = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
        check(fen, "a8=Q", "a7a8q", &[]);
        check(fen, "axb8=N+", "a7b8n", &[]);
        for text in ["a8Q", "a8/Q", "a8(Q)", "a8q", "a8=q"] {
            check(fen, text, "a7a8q", &[Quirk::PromotionSign]);
        }
        check(fen, "a7a8r", "a7a8r", &[Quirk::LongMove, Quirk::PromotionSign]);
        check(fen, "a8", "a7a8q", &[Quirk::MissingPromotion]);
        check(fen, "ab8B", "a7b8b", &[Quirk::CaptureSign, Quirk::PromotionSign]);
    }

    #[test]
    fn castling() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        check(fen, "O-O", "e1h1", &[]);
        check(fen, "O-O-O+", "e1a1", &[]);
        for text in ["0-0", "o-o", "OO", "00"] {
            check(fen, text, "e1h1", &[Quirk::ZeroCastling]);
        }
        check(fen, "0-0-0", "e1a1", &[Quirk::ZeroCastling]);
        for text in ["Kg1", "e1g1", "Ke1-g1", "e1h1"] {
            let (m, ..) = read(fen, text).unwrap();
            assert_eq!(m, "e1h1");
        }
        check("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", "f1g1", &[]);
        // Through check.
        assert_eq!(read("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"), Err(SanError::Illegal));
        // Ba4xd1 leaves nothing to castle with.
        assert_eq!(read("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O"), Err(SanError::Illegal));
    }

    #[test]
    fn pins_and_checks() {
        let pinned = "4r1k1/8/8/8/4N3/8/8/4KN2 w - - 0 1";
        check(pinned, "Ng3", "f1g3", &[]);
        assert_eq!(read(pinned, "Neg3"), Err(SanError::Illegal));
        let checked = "4r1k1/8/8/8/8/8/3N4/4K3 w - - 0 1";
        check(checked, "Ne4", "d2e4", &[]);
        assert_eq!(read(checked, "Nf3"), Err(SanError::Illegal));
    }

    #[test]
    fn missing_spaces() {
        let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(read(START, "e4e5").map(|read| (read.0, read.1)), Ok(("e2e4".into(), 2)));
        assert_eq!(read(START, "Nf3Nc6").map(|read| (read.0, read.1)), Ok(("g1f3".into(), 3)));
        assert_eq!(read(START, "Nf3d5").map(|read| (read.0, read.1)), Ok(("g1f3".into(), 3)));
        assert_eq!(read(black, "e5Nf3").map(|read| (read.0, read.1)), Ok(("e7e5".into(), 2)));
    }

    #[test]
    fn letters_of_other_kinds() {
        check(START, "Pe4", "e2e4", &[Quirk::PieceLetter]);
        check(START, "nf3", "g1f3", &[Quirk::PieceLetter]);
        check(START, "♘f3", "g1f3", &[Quirk::PieceLetter]);
        check(START, "♞f3", "g1f3", &[Quirk::PieceLetter]);
        for text in ["Z0", "@@@@", "0000", "null", "pass"] {
            check(START, text, "0000", &[Quirk::NullMoveSpelling]);
        }
    }

    #[test]
    fn evaluations_are_no_check() {
        for (text, len) in [("Nf3+-", 3), ("Nf3+/-", 3), ("Nf3+=", 3), ("Nf3++", 5), ("Nf3#", 4)] {
            assert_eq!(read(START, text).unwrap().1, len, "{text}");
        }
    }

    #[test]
    fn suffixes() {
        let start = Position::start();
        assert_eq!(parse_san(&start, "e4!?").map(|m| m.to_string()), Ok("e2e4".into()));
        assert_eq!(parse_san(&start, "e4 e5"), Err(SanError::Unreadable));
    }
}
