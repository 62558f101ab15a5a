//! Reads Standard Algebraic Notation and related notations. pgn §3.3 "Moves"

use chess_core::{Bitboard, CastlingSide, Color, Move, PROMOTIONS, Piece, Position, Role, Square};

use crate::cursor::invisible;
use crate::glyph::parse_glyph;
use crate::quirk::Quirk;
use crate::san_special::{castle, read_illegal_castling, read_special};

/// The reason why a text is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not a move.
    #[error("this is no move")]
    Unreadable,
    /// The move is illegal.
    #[error("this move is not legal here")]
    Illegal,
    /// The move fits two pieces.
    #[error("this can be more than one move here")]
    Ambiguous,
}

/// Parses a move: SAN with or without the signs of check, promotion and capture; long algebraic
/// notation; `0-0`; the null move. Only `!` and `?` may follow it.
///
/// # Errors
/// [`SanError`], also for an illegal move.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    let read = read_move(text.as_bytes(), position)?;
    let rest = text.as_bytes().get(read.len..).unwrap_or_default();
    let suffix = rest.iter().all(|byte| matches!(byte, b'!' | b'?'));
    if suffix { Ok(read.m) } else { Err(SanError::Unreadable) }
}

/// A move read from the start of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) m: Move,
    /// The length of the move in bytes.
    pub(crate) len: usize,
    pub(crate) marks: Marks,
}

/// The quirks that a single move can have.
const MARKED: [Quirk; 9] = [
    Quirk::ZeroCastling,
    Quirk::KingCastling,
    Quirk::LongMove,
    Quirk::CaptureSign,
    Quirk::PromotionSign,
    Quirk::MissingPromotion,
    Quirk::PieceLetter,
    Quirk::NullMoveSpelling,
    Quirk::Lookalike,
];

/// A set of [`MARKED`] quirks.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Marks(u16);

impl Marks {
    const fn one(quirk: Quirk) -> Marks {
        let mut bit = 0u16;
        let mut rest: &[Quirk] = &MARKED;
        while let [first, others @ ..] = rest {
            if *first as u8 == quirk as u8 {
                return Marks(1 << (bit & 15));
            }
            bit = bit.wrapping_add(1);
            rest = others;
        }
        Marks(0)
    }

    pub(crate) fn add(&mut self, quirk: Quirk, when: bool) {
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

/// Reads the move at the start of `text`.
#[inline]
pub(crate) fn read_move(text: &[u8], position: &Position) -> Result<Read, SanError> {
    let (Some(first), second) = (text.first(), text.get(1).copied().unwrap_or(0)) else {
        return Err(SanError::Unreadable);
    };
    let role = match first {
        b'a'..=b'h' => {
            return Reader { text, position, marks: Marks(0), illegal: false }.piece_move(0, None);
        }
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
            Reader { text, position, marks: Marks(0), illegal: false }.piece_move(1, Some(role))
        }
        _ => Err(SanError::Unreadable),
    }
}

/// Reads an illegal move at the start of `text`, if it is unambiguous: the text names both squares,
/// or only one piece can reach the target.
#[cold]
pub(crate) fn read_illegal(text: &[u8], position: &Position) -> Option<Read> {
    let spelt_out = || read_spelt_out(text, position);
    let castling = || read_illegal_castling(text, position);
    let reader = Reader { text, position, marks: Marks(0), illegal: true };
    let short = || match text.first()? {
        b'a'..=b'h' => reader.piece_move(0, None).ok(),
        letter => reader.piece_move(1, Some(plain_letter(*letter)?)).ok(),
    };
    spelt_out().or_else(castling).or_else(short)
}

/// Reads the spelling that our writer uses for moves that no rule explains: `Ra1b7`, `Nb8-c6`,
/// `e2e4=Q`, `e7e8=P`, `d2-d2`.
pub(crate) fn read_spelt_out(text: &[u8], position: &Position) -> Option<Read> {
    let reader = Reader { text, position, marks: Marks(0), illegal: true };
    let letter = text.first().and_then(|letter| plain_letter(*letter));
    let mut at = usize::from(letter.is_some());
    let from = reader.square(at)?;
    at = at.wrapping_add(2);
    let signed = matches!(reader.byte(at), b'x' | b'-');
    let stays = reader.byte(at) == b'-';
    at = at.wrapping_add(usize::from(signed));
    let to = reader.square(at)?;
    at = at.wrapping_add(2);
    let piece = position.piece_at(from);
    let own = piece.is_some_and(|piece| piece.color() == position.turn());
    let role = piece.map_or(Role::Pawn, Piece::role);
    if letter.unwrap_or(Role::Pawn) != role || from == to && !stays || !(own || signed) {
        return None;
    }
    let mut m = Move::new(from, to);
    let becomes = if reader.byte(at) == b'=' { reader.byte(at.wrapping_add(1)) } else { 0 };
    if let Some(role) = plain_letter(becomes) {
        at = at.wrapping_add(2);
        if !matches!(role, Role::Pawn | Role::King) {
            m = Move::promoting(from, to, role);
        }
    } else if role == Role::Pawn && to.rank() == (!position.turn()).back_rank() {
        m = Move::promoting(from, to, Role::Queen);
    }
    Some(Read { m, len: skip_check(text, at), marks: Marks(0) })
}

/// Returns the piece of a capital letter.
fn plain_letter(letter: u8) -> Option<Role> {
    Role::from_letter(char::from(letter)).filter(|_| letter.is_ascii_uppercase())
}

/// Returns whether `text` begins like a piece move in any position.
pub(crate) fn looks_like_move(text: &[u8]) -> bool {
    let file = |byte: &u8| matches!(byte, b'a'..=b'h');
    let rank = |byte: &u8| matches!(byte, b'1'..=b'8');
    let text = match text {
        // Also the letters of other languages.
        [b'A'..=b'Z', rest @ ..] => rest,
        _ => text,
    };
    match text {
        [f, r, ..] if file(f) && rank(r) => true,
        [x, f, r, ..] if file(f) && rank(r) => file(x) || rank(x) || *x == b'x',
        [x, b'x' | b':' | b'-', f, r, ..] if file(f) && rank(r) => file(x) || rank(x),
        _ => false,
    }
}

/// Reads rare spellings: a pawn letter, lower-case letters, figurines, null moves in words.
#[cold]
fn read_rare(text: &[u8], position: &Position) -> Result<Read, SanError> {
    let (role, letter) = match text {
        [b'n', b'u', ..] | [b'p', b'a', ..] => return read_special(text, position),
        [b'P' | b'p', ..] => (Role::Pawn, 1),
        [b'n', ..] => (Role::Knight, 1),
        [b'r', ..] => (Role::Rook, 1),
        [b'q', ..] => (Role::Queen, 1),
        [b'k', ..] => (Role::King, 1),
        [0xe2, 0x99, figurine @ 0x94..=0x9f, ..] => (figurine_role(*figurine), 3),
        _ => return Err(SanError::Unreadable),
    };
    Reader { text, position, marks: Marks::one(Quirk::PieceLetter), illegal: false }
        .piece_move(letter, Some(role))
}

/// Returns the piece of a figurine, by the last byte of its character.
fn figurine_role(byte: u8) -> Role {
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    let order = [King, Queen, Rook, Bishop, Knight, Pawn];
    order.get(usize::from(byte.wrapping_sub(0x94) % 6)).copied().unwrap_or(Pawn)
}

/// Returns whether an evaluation such as `=/∞` stands here, or a character that shows nothing.
fn is_sign(text: &[u8]) -> bool {
    parse_glyph(text).is_some() || invisible(text).is_some() || text.starts_with(b"\xe2\x80\xa6")
}

struct Reader<'a> {
    text: &'a [u8],
    position: &'a Position,
    marks: Marks,
    /// Whether the move may leave the king in check.
    illegal: bool,
}

/// The part of a move's origin that the text names.
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

    /// Reads a move of the piece `letter`. Without a letter, it is a move of a pawn, or of the
    /// piece on the square named first.
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
            // These are two moves without a space between them.
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

    /// Resolves a move that names only its target.
    #[inline]
    fn short_move(self, letter: Option<Role>, to: Square, end: usize) -> Result<Read, SanError> {
        let role = letter.unwrap_or(Role::Pawn);
        let file = (role == Role::Pawn).then_some(to.file());
        self.finish(role, Origin { file, rank: None }, to, false, end)
    }

    /// Returns whether the side to move has a matching piece on `square`.
    fn moves_from(&self, square: Square, letter: Option<Role>) -> bool {
        self.position.piece_at(square).is_some_and(|piece| {
            piece.color() == self.position.turn() && letter.is_none_or(|role| role == piece.role())
        })
    }

    /// Returns the role for a move without a piece letter: the piece on the square named in full,
    /// or a pawn.
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
            let full = origin.file.is_some() && origin.rank.is_some();
            (promotion, end) = self.promotion(end, full)?;
        }
        let movers = position.movers(role, to);
        if movers.is_empty() && role == Role::King {
            return self.king_castling(origin, to, end);
        }
        let fitting = movers & origin.mask();
        let from = match fitting.single() {
            Some(from) if self.illegal || position.leaves_king_safe(Move::new(from, to)) => from,
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

    /// Returns the only piece of `fitting` with a legal move to `to`.
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

    /// Reads the promotion piece. Returns it, and the offset after it. A letter or figurine that
    /// names no piece is an error: `e8=T` is a rook in other languages. `full` means that the move
    /// names both squares.
    fn promotion(&mut self, at: usize, full: bool) -> Result<(Option<Role>, usize), SanError> {
        // `gxh1+=Q`: the check sign before the promotion sign.
        let check = matches!(self.byte(at), b'+' | b'#') && self.byte(at.wrapping_add(1)) == b'=';
        let at = at.wrapping_add(usize::from(check));
        let next = at.wrapping_add(1);
        let (letter, mut end, signed) = match self.byte(at) {
            b'=' if self.byte(next) == b'(' && self.byte(at.wrapping_add(3)) == b')' => {
                (self.byte(at.wrapping_add(2)), at.wrapping_add(4), false)
            }
            b'(' if self.byte(next) == b'=' && self.byte(at.wrapping_add(3)) == b')' => {
                (self.byte(at.wrapping_add(2)), at.wrapping_add(4), false)
            }
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
        let mut role = Role::from_letter(char::from(letter));
        let place = end.wrapping_sub(1);
        if let [0xe2, 0x99, figurine @ 0x94..=0x9f, ..] = self.text.get(place..).unwrap_or_default()
        {
            role = Some(figurine_role(*figurine));
            end = end.wrapping_add(2);
        } else if letter == b'D' {
            // No language names another piece so.
            role = Some(Role::Queen);
        }
        match role {
            Some(role) if PROMOTIONS.contains(&role) => {
                let odd = letter.is_ascii_lowercase() || letter == b'D' || letter >= 0x80;
                self.marks.add(Quirk::PromotionSign, check || !signed || odd);
                Ok((Some(role), end))
            }
            // A capital can begin the next move: `e8Kd7`, `e8O-O`. `e7e8=P` is no promotion.
            _ if match self.byte(at) {
                b'=' | b'/' | b'(' => {
                    letter.is_ascii_alphabetic() && !(full && matches!(letter, b'P' | b'K'))
                        || letter >= 0x80 && !is_sign(self.text.get(place..).unwrap_or_default())
                }
                letter => letter.is_ascii_uppercase() && !matches!(letter, b'K' | b'O' | b'P'),
            } =>
            {
                Err(SanError::Unreadable)
            }
            _ => {
                self.marks.add(Quirk::MissingPromotion, true);
                Ok((Some(Role::Queen), at))
            }
        }
    }

    /// Reads castling written as a king move: two squares aside, or onto its rook.
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

/// Skips `+` and `#`, unless the plus begins an evaluation: `+-`, `+−`, `+/-`, `+=`.
#[inline]
pub(crate) fn skip_check(text: &[u8], end: usize) -> usize {
    let mut end = end;
    loop {
        match text.get(end..).unwrap_or_default() {
            [b'+', b'-' | b'/' | b'=', ..] => return end,
            // A dash or minus, in UTF-8 or in Windows-1252.
            [b'+', 0xe2, 0x80, 0x90..=0x95, ..]
            | [b'+', 0xe2, 0x88, 0x92, ..]
            | [b'+', 0x96 | 0x97, ..] => return end,
            [b'+' | b'#', ..] => end = end.wrapping_add(1),
            _ => return end,
        }
    }
}

#[cfg(test)]
mod tests;
