//! Start positions.

use chess_core::{CastlingSide, Color, Piece, Position, Role, Square};
use nom::bytes::complete::take;
use nom::number::complete::u8 as byte;
use nom::{IResult, Parser};

use crate::layout::{ECO_CHESS960, SETUP_CHESS960, SETUP_SIZE};
use crate::moves::numbers::{number_of, square_of};
use crate::quirk::Quirk;

/// The value of the first byte of a start position.
pub(crate) const FIRST: u8 = 1;
/// The bit of the side byte for Black to move.
const BLACK: u8 = 0x10;
/// Castling rights, and the index of the rook's square in Chess960.
const RIGHTS: [(u8, Color, CastlingSide, usize); 4] = [
    (2, Color::White, CastlingSide::King, 2),
    (1, Color::White, CastlingSide::Queen, 3),
    (8, Color::Black, CastlingSide::King, 4),
    (4, Color::Black, CastlingSide::Queen, 5),
];
/// Roles in the order of their codes, from 1.
const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Knight, Role::Bishop, Role::Rook, Role::Pawn];

/// A start position as stored in a record.
// cbh §4.2 "Start position"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Setup {
    pub(crate) first: u8,
    /// Bits 0 to 3 hold the en passant file from 1. Bit 4 is set if Black is to move.
    pub(crate) side: u8,
    /// Castling rights, one bit each.
    pub(crate) castling: u8,
    /// The move number; 0 means 1.
    pub(crate) number: u8,
    pub(crate) board: [u8; 24],
    /// In Chess960: the squares of kings and rooks, and the number of the start position.
    pub(crate) chess960: Option<[u8; SETUP_CHESS960]>,
}

/// Returns the size of a start position in bytes.
pub(crate) const fn size(chess960: bool) -> usize {
    if chess960 { SETUP_SIZE.saturating_add(SETUP_CHESS960) } else { SETUP_SIZE }
}

/// Parses the start position at the front of `bytes`. Returns `None` if there are too few bytes.
pub(crate) fn parse_setup(bytes: &[u8], chess960: bool) -> Option<Setup> {
    fn fields(input: &[u8]) -> IResult<&[u8], Setup> {
        let (rest, (first, side, castling, number, squares)) =
            (byte, byte, byte, byte, take(24usize)).parse(input)?;
        let mut board = [0; 24];
        board.copy_from_slice(squares);
        Ok((rest, Setup { first, side, castling, number, board, chess960: None }))
    }
    let (rest, setup) = fields(bytes).ok()?;
    if !chess960 {
        return Some(setup);
    }
    let more = rest.first_chunk::<SETUP_CHESS960>()?;
    Some(Setup { chess960: Some(*more), ..setup })
}

impl Setup {
    /// Decodes the position. Also returns a quirk, if there is one.
    pub(crate) fn position(&self) -> (Position, Option<Quirk>) {
        let mut position = Position::empty();
        let mut quirk = None;
        let mut bits = Bits { bytes: &self.board, at: 0 };
        for number in 0..64 {
            if bits.next() == 0 {
                continue;
            }
            let color = if bits.next() == 0 { Color::White } else { Color::Black };
            let code = bits.next() << 2 | bits.next() << 1 | bits.next();
            match usize::from(code).checked_sub(1).and_then(|code| ROLES.get(code)) {
                Some(role) => position.set(square_of(number), Some(Piece::new(*role, color))),
                None => quirk = Some(Quirk::SetupBoard),
            }
        }
        let turn = if self.side & BLACK == 0 { Color::White } else { Color::Black };
        position.set_turn(turn);
        position.set_clocks(0, u16::from(self.number.max(1)));
        for (bit, color, side, place) in RIGHTS {
            if self.castling & bit == 0 {
                continue;
            }
            let allowed = match &self.chess960 {
                None => position.allow_castling_from_home(color, side),
                Some(squares) => {
                    let named = squares.get(place).map(|number| square_of(*number));
                    named.is_some_and(|rook| allow(&mut position, color, side, rook))
                        || position
                            .outermost_rook(color, side)
                            .is_some_and(|rook| position.allow_castling(rook))
                }
            };
            if !allowed {
                quirk = quirk.or(Some(Quirk::SetupRights));
            }
        }
        set_en_passant(&mut position, self.side & 0x0f);
        (position, quirk)
    }

    /// Encodes a position, as far as the format can represent it.
    pub(crate) fn new(position: &Position, chess960: bool) -> Setup {
        let mut board = [0; 24];
        let mut at = 0;
        for number in 0..64 {
            let Some(piece) = position.piece_at(square_of(number)) else {
                at = push_bits(&mut board, at, 0, 1);
                continue;
            };
            let code = (1u8..).zip(ROLES).find(|(_, role)| *role == piece.role());
            let code = code.map_or(0, |(code, _)| code);
            let color = if piece.color() == Color::Black { 0x08 } else { 0 };
            at = push_bits(&mut board, at, 0x10 | color | code, 5);
        }
        let mut side = en_passant_file(position);
        if position.turn() == Color::Black {
            side |= BLACK;
        }
        let mut castling = 0;
        for (bit, color, side, _) in RIGHTS {
            let has = match chess960 {
                true => position.castling_rook(color, side).is_some(),
                false => position.may_castle_from_home(color, side),
            };
            if has {
                castling |= bit;
            }
        }
        let number = u8::try_from(position.fullmove_number()).unwrap_or(0);
        let chess960 = chess960.then(|| chess960_fields(position));
        Setup { first: FIRST, side, castling, number, board, chess960 }
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.first, self.side, self.castling, self.number]);
        out.extend_from_slice(&self.board);
        out.extend_from_slice(self.chess960.as_ref().map_or(&[], |more| more.as_slice()));
    }
}

/// Sets the en passant square on a file, counted from 1, if there is a pawn to take.
// cbh §4.2.6
pub(crate) fn set_en_passant(position: &mut Position, file: u8) {
    let rank = position.turn().en_passant_rank();
    let square = file.checked_sub(1).and_then(|file| Square::at(file, rank));
    if let Some(square) = square.filter(|square| has_pawn_to_take(position, *square)) {
        position.set_en_passant(Some(square));
    }
}

/// Returns the file of the en passant square, counted from 1, or 0. A square without a pawn to take
/// has no file, because no reader would use it.
pub(crate) fn en_passant_file(position: &Position) -> u8 {
    let square = position.en_passant().filter(|square| has_pawn_to_take(position, *square));
    square.map_or(0, |square| square.file().wrapping_add(1))
}

fn has_pawn_to_take(position: &Position, en_passant: Square) -> bool {
    let turn = position.turn();
    let pawn = en_passant.offset(0, turn.backward()).and_then(|pawn| position.piece_at(pawn));
    pawn == Some(Piece::new(Role::Pawn, !turn))
}

/// Allows castling with the rook on a square, if it is on that side of its king.
fn allow(position: &mut Position, color: Color, side: CastlingSide, rook: Square) -> bool {
    let king = position.king(color);
    king.is_some_and(|king| CastlingSide::of(king, rook) == side)
        && position.color(color).contains(rook)
        && position.allow_castling(rook)
}

fn chess960_fields(position: &Position) -> [u8; SETUP_CHESS960] {
    let king = |color| position.king(color).map_or(0, number_of);
    let rook = |color, side| {
        let rook = position.castling_rook(color, side);
        rook.or_else(|| position.outermost_rook(color, side)).map_or(0, number_of)
    };
    let [high, low] = start_number(position).unwrap_or(0).to_be_bytes();
    [
        king(Color::White),
        king(Color::Black),
        rook(Color::White, CastlingSide::King),
        rook(Color::White, CastlingSide::Queen),
        rook(Color::Black, CastlingSide::King),
        rook(Color::Black, CastlingSide::Queen),
        high,
        low,
    ]
}

/// Returns the Chess960 number of a start position from its white pieces, 0 to 959. The standard
/// position is 518.
pub(crate) fn start_number(position: &Position) -> Option<u16> {
    let role = |file: u8| {
        let piece = Square::at(file, 0).and_then(|square| position.piece_at(square))?;
        (piece.color() == Color::White).then(|| piece.role())
    };
    let mut free: Vec<u8> = (0..8).collect();
    let bishop = |first: u8| {
        let file = (first..8).step_by(2).find(|file| role(*file) == Some(Role::Bishop))?;
        Some((file, u16::from(file / 2)))
    };
    let ((light, light_number), (dark, dark_number)) = (bishop(1)?, bishop(0)?);
    free.retain(|file| *file != light && *file != dark);
    let queen = free.iter().position(|file| role(*file) == Some(Role::Queen))?;
    free.remove(queen);
    let knights: Vec<usize> = (0..free.len())
        .filter(|i| free.get(*i).and_then(|f| role(*f)) == Some(Role::Knight))
        .collect();
    let rest: Vec<Option<Role>> =
        free.iter().map(|file| role(*file)).filter(|role| *role != Some(Role::Knight)).collect();
    if rest != [Some(Role::Rook), Some(Role::King), Some(Role::Rook)] {
        return None;
    }
    let pairs =
        (0..4usize).flat_map(|first| (first..4).map(move |second| [first, second.wrapping_add(1)]));
    let knights = pairs.zip(0u16..).find(|(pair, _)| knights == *pair)?.1;
    let queen = u16::try_from(queen).ok()?;
    let upper = knights.checked_mul(96)?.checked_add(queen.checked_mul(16)?)?;
    upper.checked_add(dark_number.checked_mul(4)?)?.checked_add(light_number)
}

/// Returns the ECO field value of a Chess960 start position.
// cbh §3.2 "Game record"
pub(crate) fn eco_of_start(position: &Position) -> u16 {
    ECO_CHESS960.saturating_add(start_number(position).unwrap_or(0))
}

/// Reads bits, most significant first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn next(&mut self) -> u8 {
        let byte = self.bytes.get(self.at / 8).copied().unwrap_or(0);
        let bit = byte >> (7 & !self.at) & 1;
        self.at = self.at.saturating_add(1);
        bit
    }
}

/// Writes the lowest `count` bits of `value` at bit offset `at`, as far as they fit.
fn push_bits(bytes: &mut [u8], at: usize, value: u8, count: usize) -> usize {
    for bit in 0..count {
        let at = at.saturating_add(bit);
        let set = value >> count.saturating_sub(1).saturating_sub(bit) & 1;
        if let Some(byte) = bytes.get_mut(at / 8) {
            *byte |= set << (7 & !at);
        }
    }
    at.saturating_add(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setup_example_bytes_round_trip() {
        let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 9").unwrap();
        let setup = Setup::new(&position, false);
        let mut bytes = Vec::new();
        setup.encode(&mut bytes);
        #[rustfmt::skip]
        assert_eq!(bytes[..14], [
            0x01,                   // always
            0x04,                   // en passant on the d-file, White to move
            0x01,                   // White may castle long
            0x09,                   // move 9
            0b1010_1000, 0x00, 0x00, 0x00, // a1 rook; a2 to d4 empty
            0b1111_0000,          // d5 black pawn; d6 to d8 empty
            0b1000_1000,          // e1 king; e2 to e4 empty
            0b1011_0001,         // e5 pawn; e6 and e7 empty; e8
            0b1001_0000, 0x00, 0x00, // black king; the rest empty
        ]);
        assert_eq!(bytes.len(), SETUP_SIZE);
        let parsed = parse_setup(&bytes, false).unwrap();
        assert_eq!(parsed, setup);
        assert_eq!(parsed.position(), (position, None));
        assert!(parse_setup(&bytes[..27], false).is_none());
        assert!(parse_setup(&bytes, true).is_none());
    }

    #[test]
    fn setup_en_passant_without_pawn_has_no_file() {
        for (fen, side) in [
            ("4k3/Q7/8/8/8/8/8/4K3 w - d6 0 1", 0),
            ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", 4),
            ("4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1", 0x14),
            ("4k3/8/8/8/3p4/8/8/4K3 b - d3 0 1", 0x10),
        ] {
            assert_eq!(Setup::new(&Position::from_fen(fen).unwrap(), false).side, side, "{fen}");
        }
    }

    #[test]
    fn start_number_chess960_positions_match() {
        let number = |rank: &str| {
            let fen = format!("8/8/8/8/8/8/8/{rank} w - - 0 1");
            start_number(&Position::from_fen(&fen).unwrap())
        };
        assert_eq!(number("RNBQKBNR"), Some(518));
        assert_eq!(number("BBQNNRKR"), Some(0));
        assert_eq!(number("RKRNNQBB"), Some(959));
        assert_eq!(number("RBBNNKRQ"), Some(468));
        assert_eq!(number("RNBQKBN1"), None);
        let fen = "rbbnnkrq/pppppppp/8/8/8/8/PPPPPPPP/RBBNNKRQ w GAga - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let setup = Setup::new(&position, true);
        // The values in genuine games of Biel 2025.
        assert_eq!(setup.chess960, Some([0x28, 0x2f, 0x30, 0x00, 0x37, 0x07, 0x01, 0xd4]));
        assert_eq!(setup.position(), (position, None));
    }
}
