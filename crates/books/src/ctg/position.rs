//! A position as stored: White to move, and mirrored where that makes two positions one.

use chess_core::{CastlingSide, Color, Piece, Position, Role, Square};

use super::layout::{HAS_CASTLING, HAS_EN_PASSANT, HASH, LENGTH};

/// How a position is turned before it is stored. Turning a square twice gives the square again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Form {
    /// The colours are exchanged and the ranks reversed: Black is to move.
    pub swapped: bool,
    /// The files are reversed.
    pub mirrored: bool,
}

impl Form {
    /// Returns how a position is stored.
    // books §3.3.2
    pub(crate) fn of(position: &Position) -> Form {
        let king = position.king(position.turn());
        Form {
            swapped: position.turn() == Color::Black,
            mirrored: position.castling_rooks().is_empty()
                && king.is_some_and(|king| king.file() < 4),
        }
    }

    /// Returns the stored square of a square, and the square of a stored square.
    #[must_use]
    pub fn turn(self, square: Square) -> Square {
        let ranks = if self.swapped { 56 } else { 0 };
        let files = if self.mirrored { 7 } else { 0 };
        Square::from_low_bits(square.index() ^ ranks ^ files)
    }
}

/// The squares in the order of the file: a1, a2, ... a8, b1, ... h8.
pub(crate) fn squares() -> impl Iterator<Item = Square> {
    (0..64u8).map(|number| Square::from_low_bits(number >> 3 | number << 3 & 56))
}

/// The castling rights in the order of the file.
fn rights() -> [(Color, CastlingSide); 4] {
    use CastlingSide::{King, Queen};
    [(Color::Black, King), (Color::Black, Queen), (Color::White, King), (Color::White, Queen)]
}

/// The code of a piece and its number of bits; the last bit is the colour.
// books §3.3.3
const fn code_of(role: Role) -> (u8, u8) {
    match role {
        Role::Pawn => (0b110, 3),
        Role::Rook => (0b10110, 5),
        Role::Bishop => (0b10100, 5),
        Role::Knight => (0b10010, 5),
        Role::Queen => (0b100010, 6),
        Role::King => (0b100000, 6),
    }
}

/// Returns the bytes of a position with this en passant square. Returns `None` for a position that
/// needs more than 31 bytes, which no game has.
// books §3.3 "Positions"
pub(crate) fn encode(position: &Position, en_passant: Option<Square>) -> Option<Vec<u8>> {
    let form = Form::of(position);
    let mut bits = Bits::default();
    for stored in squares() {
        match position.piece_at(form.turn(stored)) {
            None => bits.push(0, 1),
            Some(piece) => {
                let (code, length) = code_of(piece.role());
                let is_black = (piece.color() == Color::Black) != form.swapped;
                bits.push(code | u8::from(is_black), length);
            }
        }
    }
    let castling = rights().map(|(color, side)| {
        let color = if form.swapped { !color } else { color };
        position.castling_rook(color, side).is_some()
    });
    let has_castling = castling.contains(&true);
    let flags = match (en_passant.is_some(), has_castling) {
        (false, false) => 0,
        (true, false) => 3,
        (false, true) => 4,
        (true, true) => 7,
    };
    // A position without flags ends with a zero bit at least.
    bits.pad(flags.max(1), flags);
    let mut first = 0;
    if let Some(square) = en_passant {
        bits.push(form.turn(square).file(), 3);
        first |= HAS_EN_PASSANT;
    }
    if has_castling {
        castling.iter().for_each(|right| bits.push(u8::from(*right), 1));
        first |= HAS_CASTLING;
    }
    let length = u8::try_from(bits.bytes.len().checked_add(1)?).ok()?;
    if length > LENGTH {
        return None;
    }
    let mut bytes = vec![first | length];
    bytes.append(&mut bits.bytes);
    Some(bytes)
}

/// Bits from the highest of each byte on.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// Unused bits of the last byte.
    free: u8,
}

impl Bits {
    fn push(&mut self, value: u8, count: u8) {
        for bit in (0..count).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free = self.free.saturating_sub(1);
            if let Some(last) = self.bytes.last_mut() {
                *last |= (value >> bit & 1) << self.free;
            }
        }
    }

    /// Adds zeros so that `count` more bits end a byte, if there is room for `needed` bits.
    fn pad(&mut self, needed: u8, count: u8) {
        if self.free < needed {
            self.push(0, self.free);
            self.push(0, 8u8.saturating_sub(count));
        } else {
            self.push(0, self.free.saturating_sub(count));
        }
    }
}

/// Returns the position that is stored, with White to move. Returns `None` if the bytes are not 64
/// squares with a king of each side, or do not have the length that the first byte states.
// books §3.3 "Positions"
pub(crate) fn decode(bytes: &[u8]) -> Option<Position> {
    let (first, board) = bytes.split_first()?;
    if usize::from(first & LENGTH) != bytes.len() {
        return None;
    }
    let mut bits = board.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
    let mut next = || bits.next();
    let mut position = Position::empty();
    for square in squares() {
        if next()? == 0 {
            continue;
        }
        // After 1: 1c pawn; 011c rook, 010c bishop, 001c knight, 0001c queen, 0000c king.
        let role = if next()? == 1 {
            Role::Pawn
        } else {
            match (next()?, next()?) {
                (1, 1) => Role::Rook,
                (1, _) => Role::Bishop,
                (_, 1) => Role::Knight,
                _ if next()? == 1 => Role::Queen,
                _ => Role::King,
            }
        };
        let color = if next()? == 0 { Color::White } else { Color::Black };
        position.set(square, Some(Piece::new(role, color)));
    }
    position.king(Color::White)?;
    position.king(Color::Black)?;
    let last = *bytes.last()?;
    if first & HAS_CASTLING != 0 {
        for ((color, side), bit) in rights().into_iter().zip((0..4).rev()) {
            if last >> bit & 1 == 1 {
                position.allow_castling_from_home(color, side);
            }
        }
    }
    if first & HAS_EN_PASSANT != 0 {
        let file = if first & HAS_CASTLING != 0 { last >> 4 & 7 } else { last & 7 };
        position.set_en_passant(Square::at(file, Color::White.en_passant_rank()));
    }
    Some(position)
}

/// Returns the hash of the bytes of a position.
// books §3.4 "Look-up"
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let (mut place, mut sum) = (0u32, 0u32);
    for byte in bytes {
        for nibble in [byte & 15, byte >> 4] {
            let step = 15u32.saturating_sub(u32::from(nibble)).saturating_mul(4).saturating_add(1);
            place = place.wrapping_add(step);
            let number = HASH.get((place & 63) as usize).copied().unwrap_or(0);
            sum = sum.wrapping_add(number);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const START: [u8; 22] = [
        0x56, // castling rights follow; 22 bytes
        0xb6, 0x0f, 0x79, 0x60, 0xf3, 0xa6, 0x0f, 0x58, 0xb0, 0x78, 0xe0, 0xc1, 0xe1, 0xa6, 0x0f,
        0x59, 0x60, 0xf3, 0xb6, 0x0f,
        0x7f, // the end of h8, three bits to fill the byte, four castling rights
    ];

    #[test]
    fn encode_start_position_matches_genuine_book() {
        let start = Position::start();
        assert_eq!(encode(&start, None).unwrap(), START);
        assert_eq!(decode(&START), Some(start));
    }

    #[test]
    fn encode_and_decode_agree_up_to_form() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1",
            "4k3/8/8/3pP3/8/8/8/2K5 w - d6 0 1",
            "4k3/8/8/8/3pP3/8/8/2K5 b - e3 0 1",
            "rnbq1bnr/pppp1ppp/3k4/4p3/4P3/2K5/PPPP1PPP/RNBQ1BNR b - - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 1",
            "8/8/8/8/8/8/8/K6k w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let form = Form::of(&position);
            let bytes = encode(&position, position.en_passant()).unwrap();
            let stored = decode(&bytes).unwrap();
            assert_eq!(encode(&stored, stored.en_passant()).unwrap(), bytes, "{fen}");
            for square in Square::all() {
                let piece = position.piece_at(square).map(|piece| {
                    let color = if form.swapped { !piece.color() } else { piece.color() };
                    Piece::new(piece.role(), color)
                });
                assert_eq!(stored.piece_at(form.turn(square)), piece, "{fen} {square}");
            }
            assert_eq!(stored.en_passant().is_some(), position.en_passant().is_some());
            assert_eq!(stored.castling_rooks().count(), position.castling_rooks().count());
        }
    }

    #[test]
    fn decode_damaged_position_is_none() {
        for length in 0..START.len() {
            assert_eq!(decode(&START[..length]), None);
        }
        let crowded =
            Position::from_fen("qqqqkqqq/qqqqqqqq/qqqqqqqq/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/4K3 w");
        assert_eq!(encode(&crowded.unwrap(), None), None);
    }
}
