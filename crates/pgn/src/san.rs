//! Writes Standard Algebraic Notation.

use core::fmt;

use chess_core::{Bitboard, CastlingSide, Move, Piece, Position, Role, Square};

use crate::san_special::castling_rook;
use crate::word::Word;

/// The longest text: `Qa1xb2=Q#`.
const CAPACITY: usize = 16;

/// A move as SAN text, on the stack.
///
/// ```
/// use chess_core::Position;
/// use pgn::San;
///
/// let san = San::new(&Position::start(), "g1f3".parse().unwrap());
/// assert_eq!(san.as_str(), "Nf3");
/// ```
#[derive(Clone, Copy)]
pub struct San {
    bytes: [u8; CAPACITY],
    len: u8,
}

impl San {
    /// Formats a move with the shortest disambiguation among legal moves, and `+` or `#`.
    ///
    /// The null move is `--`. Old databases hold some moves that the piece cannot make. Such a move
    /// names both squares: `Ra1b7`, `e2e5`, `e2e4=Q`. A pawn that does not promote on the last rank
    /// is `e7e8=P`, and a king that does not castle is `Ke1g1=K`. If the piece does not belong to
    /// the side to move, or does not exist, the squares are joined by a hyphen: `Nb8-c6`, `c3-d5`. A
    /// piece that stays where it is has a hyphen too: `d2-d2`.
    #[must_use]
    pub fn new(position: &Position, m: Move) -> San {
        let mut after = *position;
        after.apply(m);
        San::between(position, m, &after)
    }

    /// Like [`San::new`], but takes the position after the move from the caller.
    #[must_use]
    #[inline]
    pub fn between(before: &Position, m: Move, after: &Position) -> San {
        let mut san = San::without_check(before, m);
        if !m.is_null() {
            san.push_check(after);
        }
        san
    }

    /// Formats a move without `+` or `#`.
    #[must_use]
    #[inline]
    pub fn without_check(position: &Position, m: Move) -> San {
        match spell_plain(position, m) {
            Some((_, word)) => San::from(word),
            None => San::special(position, m),
        }
    }

    /// Formats a move that is not [plain](spell_plain).
    #[inline(never)]
    fn special(position: &Position, m: Move) -> San {
        let mut san = San { bytes: [0; CAPACITY], len: 0 };
        if m.is_null() {
            san.push(b'-');
            san.push(b'-');
            return san;
        }
        let own = position.piece_at(m.from()).filter(|piece| piece.color() == position.turn());
        let Some(piece) = own else {
            san.push_spelt_out(position, m);
            return san;
        };
        if let Some(side) = position.castling_side(m)
            && m.promotion().is_none()
            && castling_rook(position, side) == Some(m.to())
        {
            san.push_castling(side);
            return san;
        }
        let arrives = piece.role() == Role::Pawn && m.to().rank() == (!piece.color()).back_rank();
        let odd = arrives != m.promotion().is_some() || is_sidestep(position, m, piece.role());
        if odd || m.from() == m.to() {
            san.push_spelt_out(position, m);
            return san;
        }
        match piece.role() {
            Role::Pawn => san.push_pawn_move(position, m),
            role => san.push_piece_move(position, m, role),
        }
        san.push_promotion(m);
        san
    }

    /// Returns the text as bytes.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Appends `+` or `#`, according to the position after the move.
    #[inline]
    fn push_check(&mut self, after: &Position) {
        if after.in_check() {
            self.push(check_sign(after));
        }
    }

    /// Appends both squares in full, and the promoted piece, for a move that no rule explains.
    #[cold]
    fn push_spelt_out(&mut self, position: &Position, m: Move) {
        let piece = position.piece_at(m.from());
        let role = piece.map_or(Role::Pawn, Piece::role);
        if role != Role::Pawn {
            self.push(role_letter(role));
        }
        self.push_square(m.from());
        let foreign = piece.is_none_or(|piece| piece.color() != position.turn());
        if m.from() != m.to() && position.piece_at(m.to()).is_some() {
            self.push(b'x');
        } else if foreign || m.from() == m.to() {
            // Without the hyphen the text would look like two moves.
            self.push(b'-');
        }
        self.push_square(m.to());
        if m.promotion().is_some() {
            self.push_promotion(m);
        } else if role == Role::King
            || role == Role::Pawn && m.to().rank() == (!position.turn()).back_rank()
        {
            self.push(b'=');
            self.push(role_letter(role));
        }
    }

    fn push_castling(&mut self, side: CastlingSide) {
        let text: &[u8] = match side {
            CastlingSide::King => b"O-O",
            CastlingSide::Queen => b"O-O-O",
        };
        text.iter().for_each(|byte| self.push(*byte));
    }

    fn push_pawn_move(&mut self, position: &Position, m: Move) {
        let (from, to) = (m.from(), m.to());
        let fits = position.movers(Role::Pawn, to).contains(from);
        if from.file() != to.file() {
            if fits {
                self.push(file_letter(from));
            } else {
                self.push_square(from);
            }
            self.push(b'x');
        } else if !fits {
            self.push_square(from);
        }
        self.push_square(to);
    }

    /// Appends a piece move that is not [`plain`](San::plain): the piece cannot reach the square.
    fn push_piece_move(&mut self, position: &Position, m: Move, role: Role) {
        self.push(role_letter(role));
        self.push_square(m.from());
        if position.piece_at(m.to()).is_some() {
            self.push(b'x');
        }
        self.push_square(m.to());
    }

    #[inline]
    fn push_promotion(&mut self, m: Move) {
        if let Some(role) = m.promotion() {
            self.push(b'=');
            self.push(role_letter(role));
        }
    }

    #[inline]
    fn push_square(&mut self, square: Square) {
        self.push(file_letter(square));
        self.push(rank_digit(square));
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(usize::from(self.len)) {
            *place = byte;
            self.len = self.len.wrapping_add(1);
        }
    }
}

/// Plays a move and returns the same text as [`San::new`]: a word of at most seven characters if
/// the move is [plain](spell_plain).
#[inline]
pub(crate) fn play_spelt(position: &mut Position, m: Move) -> Result<Word, San> {
    let Some((piece, mut word)) = spell_plain(position, m) else {
        return Err(play_special(position, m));
    };
    position.apply_plain(piece, m.from(), m.to());
    if position.in_check() {
        word.push(check_sign(position));
    }
    Ok(word)
}

#[inline(never)]
fn play_special(position: &mut Position, m: Move) -> San {
    let mut san = San::special(position, m);
    position.apply(m);
    if !m.is_null() {
        san.push_check(position);
    }
    san
}

/// Returns the moving piece and the text without `+` or `#`, for a plain move. A plain move is
/// possible for the piece and is not castling, en passant or a promotion.
// The text is built as one word. Absent parts contribute zero bits.
#[inline(always)]
fn spell_plain(position: &Position, m: Move) -> Option<(Piece, Word)> {
    let (from, to) = (m.from(), m.to());
    let piece = position.piece_at(from).filter(|_| m.promotion().is_none())?;
    let takes = position.occupied().contains(to);
    let mut text = Word::default();
    if piece.role() == Role::Pawn {
        let aslant = from.file() != to.file();
        let arrives = to.rank() == (!position.turn()).back_rank();
        let gets_there = position.movers(Role::Pawn, to).contains(from);
        if !gets_there || arrives || aslant != takes {
            return None;
        }
        text.push_if(takes, file_letter(from));
    } else {
        let movers = position.movers(piece.role(), to);
        if !movers.contains(from) {
            return None;
        }
        text.push(role_letter(piece.role()));
        let rivals = movers & !Bitboard::of(from);
        if rivals.has_any() {
            let (file, rank) = disambiguation(position, m, rivals);
            text.push_if(file, file_letter(from));
            text.push_if(rank, rank_digit(from));
        }
    }
    text.push_if(takes, b'x');
    text.push(file_letter(to));
    text.push(rank_digit(to));
    Some((piece, text))
}

/// Returns the sign of the check that the last move gave.
#[inline(never)]
fn check_sign(after: &Position) -> u8 {
    if after.has_legal_move() { b'+' } else { b'#' }
}

/// Decides whether the file or the rank distinguishes a piece from `others` that reach the same
/// square.
///
/// PGN standard §8.2.3.4: neither is needed if no other such piece has a legal move there.
/// Otherwise the file is used if it suffices, then the rank, then both.
fn disambiguation(position: &Position, m: Move, others: Bitboard) -> (bool, bool) {
    let from = m.from();
    if !position.leaves_king_safe(m) {
        // Neither file nor rank suffices. The rivals may be illegal as well.
        return (true, true);
    }
    let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
    for other in others {
        if !position.leaves_king_safe(Move::new(other, m.to())) {
            continue;
        }
        rivals = true;
        same_file |= other.file() == from.file();
        same_rank |= other.rank() == from.rank();
    }
    (rivals && (!same_file || same_rank), same_file)
}

impl From<Word> for San {
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "eight characters at most")]
    fn from(word: Word) -> San {
        let text = u128::from(u64::from_le_bytes(word.padded()));
        San { bytes: text.to_le_bytes(), len: word.len() as u8 }
    }
}

/// Returns whether a king makes an impossible move along its rank, which would look like castling.
fn is_sidestep(position: &Position, m: Move, role: Role) -> bool {
    role == Role::King
        && m.from().rank() == m.to().rank()
        && !position.movers(role, m.to()).contains(m.from())
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Appends a move as SAN; see [`San::new`].
pub fn write_san(position: &Position, m: Move, out: &mut String) {
    out.push_str(San::new(position, m).as_str());
}

#[inline]
const fn file_letter(square: Square) -> u8 {
    b'a'.wrapping_add(square.file())
}

#[inline]
const fn rank_digit(square: Square) -> u8 {
    b'1'.wrapping_add(square.rank())
}

#[inline]
#[allow(clippy::indexing_slicing, reason = "three bits are below 8")]
const fn role_letter(role: Role) -> u8 {
    // A table, because the branch would be unpredictable.
    const LETTERS: [u8; 8] = *b"?PNBRQK?";
    LETTERS[role as usize & 7]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(fen: &str, uci: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        San::new(&position, uci.parse().unwrap()).to_string()
    }

    #[test]
    fn san_plain_moves_are_shortest() {
        let start = Position::start().to_fen();
        assert_eq!(san(&start, "e2e4"), "e4");
        assert_eq!(san(&start, "b1c3"), "Nc3");
        assert_eq!(san(&start, "0000"), "--");
    }

    #[test]
    fn san_captures_and_en_passant_have_x() {
        assert_eq!(san("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
        assert_eq!(san("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"), "exd5");
        assert_eq!(san("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5"), "Nxd5");
    }

    #[test]
    fn san_promotions_have_equals_sign() {
        assert_eq!(san("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q"), "a8=Q");
        assert_eq!(san("1n6/P6k/8/8/8/8/8/K7 w - - 0 1", "a7b8n"), "axb8=N");
        assert_eq!(san("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8r"), "a8=R+");
    }

    #[test]
    fn san_check_and_mate_have_signs() {
        let fools = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        assert_eq!(san(fools, "d8h4"), "Qh4#");
        assert_eq!(san("4k3/8/8/8/8/8/8/K2R4 w - - 0 1", "d1e1"), "Re1+");
        // Stalemate is not check.
        assert_eq!(san("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7"), "Qc7");
    }

    #[test]
    fn san_disambiguation_is_minimal() {
        let knights = "4k3/8/8/8/2N3N1/8/8/4K3 w - - 0 1";
        assert_eq!(san(knights, "c4e5"), "Nce5");
        let same_file = "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1";
        assert_eq!(san(same_file, "a1a3"), "R1a3");
        let queens = "7k/8/8/8/8/Q6Q/8/Q3K3 w - - 0 1";
        assert_eq!(san(queens, "a3b2"), "Q3b2+");
        assert_eq!(san("Q6Q/8/1k6/8/8/8/8/Q3K2Q w - - 0 1", "a1d4"), "Qad4+");
        // With rivals on the same file and on the same rank, both are needed.
        assert_eq!(san("8/8/8/k7/4Q2Q/8/8/K6Q w - - 0 1", "h4e1"), "Qh4e1+");
        assert_eq!(san("8/7k/8/2Q1Q3/8/2Q5/8/K7 w - - 0 1", "c5d4"), "Qc5d4");
    }

    #[test]
    fn san_pinned_rival_needs_no_disambiguation() {
        // The knight on e4 is pinned by the rook on e8.
        assert_eq!(san("4r1k1/8/8/8/4N3/8/8/4KN2 w - - 0 1", "f1g3"), "Ng3");
        assert_eq!(san("6k1/8/8/8/4N3/8/8/4KN2 w - - 0 1", "f1g3"), "Nfg3");
    }

    #[test]
    fn san_castling_is_written_with_letters() {
        let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(san(both, "e1h1"), "O-O");
        assert_eq!(san(both, "e1a1"), "O-O-O");
        assert_eq!(san("5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1"), "O-O+");
        // Chess960, king beside its rook.
        assert_eq!(san("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"), "O-O");
        assert_eq!(san("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1"), "O-O-O");
    }

    #[test]
    fn san_illegal_moves_name_both_squares() {
        let start = Position::start().to_fen();
        assert_eq!(san(&start, "a1b5"), "Ra1b5");
        assert_eq!(san(&start, "a1a7"), "Ra1xa7");
        assert_eq!(san(&start, "e2e5"), "e2e5");
        assert_eq!(san(&start, "e2d3"), "e2xd3");
        assert_eq!(san(&start, "e4e5"), "e4-e5");
        // The other side's piece.
        assert_eq!(san(&start, "g8f6"), "Ng8-f6");
        assert_eq!(san(&start, "e2e4q"), "e2e4=Q");
        assert_eq!(san(&start, "g1f3q"), "Ng1f3=Q");
        assert_eq!(san("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8"), "a7a8=P");
        assert_eq!(san("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1h1"), "O-O");
        assert_eq!(san("4k3/8/8/8/8/8/8/4KR1R w - - 0 1", "e1f1"), "Ke1xf1=K");
        // Both knights are pinned.
        assert_eq!(san("4k3/4r3/8/4N3/8/8/r3N1K1/8 w - - 0 1", "e2c3"), "Nc3");
        assert_eq!(san("K7/8/N7/8/8/N7/r7/7k w - - 0 1", "a6c5"), "Nc5");
        // Without kings there is no check.
        assert_eq!(san("8/8/8/8/8/8/8/Q7 w - - 0 1", "a1a8"), "Qa8");
    }
}
