//! The block of a start position, 76 bytes.

use chess_core::{CastlingSide, Color, Position, Square};
use chess_store::{Diagnostics, Location};
use nom::IResult;
use nom::Parser as _;
use nom::bytes::complete::take;
use nom::number::complete::{le_u16, u8 as byte};

use crate::board::{ABSENT, Board, PieceId, Side, coordinate, put_in_position, role_of, square};
use crate::error::{Error, ErrorKind};
use crate::layout::{PIECE_NUMBERS, SETUP_SIZE};
use crate::quirk::Quirk;

/// The bits of the castling mask and their rooks.
// chessassistant §7.4 "Start position"
const CASTLING: [(u8, Color, CastlingSide, Square); 4] = [
    (1, Color::White, CastlingSide::King, Square::H1),
    (2, Color::White, CastlingSide::Queen, Square::A1),
    (4, Color::Black, CastlingSide::King, Square::H8),
    (8, Color::Black, CastlingSide::Queen, Square::A8),
];

/// The offsets of the pairs of coordinate and type, and of the fields after them.
struct Block<'a> {
    pieces: &'a [u8],
    half_moves: u16,
    castling: u8,
    en_passant: u8,
}

fn parse_block(input: &[u8]) -> IResult<&[u8], Block<'_>> {
    (take(72usize), le_u16, byte, byte)
        .map(|(pieces, half_moves, castling, en_passant)| Block {
            pieces,
            half_moves,
            castling,
            en_passant,
        })
        .parse(input)
}

/// Parses a start position. `at` is the location of its first byte.
pub(crate) fn decode_setup(
    bytes: &[u8],
    at: Location,
    diagnostics: &mut Diagnostics,
) -> Result<(Board, Position), Error> {
    let fail = |kind| Error::new(kind, at);
    let (_, block) =
        parse_block(bytes).map_err(|_| fail(ErrorKind::Truncated("a start position")))?;
    let mut position = Position::empty();
    let color = if block.half_moves & 1 == 0 { Color::White } else { Color::Black };
    position.set_turn(color);
    position.set_clocks(0, (block.half_moves / 2).saturating_add(1));
    let mut board = decode_pieces(block.pieces, &mut position).map_err(fail)?;
    board.set_turn(color);

    for (bit, color, _, rook) in CASTLING {
        let home = Square::E1.with_rank(color.back_rank());
        if block.castling & bit != 0
            && !(position.king(color) == Some(home) && position.allow_castling(rook))
        {
            diagnostics.note(Quirk::CastlingRight, at)?;
        }
    }
    if block.castling > 15 {
        diagnostics.note(Quirk::CastlingRight, at)?;
    }
    if block.en_passant != 0 {
        if block.en_passant & 0x88 == 0 && block.en_passant >> 4 == en_passant_rank(color) {
            position.set_en_passant(Some(square(block.en_passant)));
        } else {
            diagnostics.note(Quirk::EnPassantSquare, at)?;
        }
    }
    Ok((board, position))
}

fn decode_pieces(mut pieces: &[u8], position: &mut Position) -> Result<Board, ErrorKind> {
    let mut board = Board::empty();
    for side in [Side::of(Color::White), Side::of(Color::Black)] {
        for number in 0..PIECE_NUMBERS {
            let Some((pair, rest)) = pieces.split_first_chunk() else { break };
            pieces = rest;
            let [place, kind] = *pair;
            if place & 0x88 != 0 || kind == 0 {
                continue;
            }
            let role = role_of(kind).ok_or(ErrorKind::Setup("a piece of an unknown type"))?;
            if !board.set_up(PieceId::new(side, number), place, role) {
                return Err(ErrorKind::Setup("two pieces on one square"));
            }
            put_in_position(position, place, role, side);
        }
    }
    Ok(board)
}

/// The rank behind a pawn that has just made a double step, for the side to move.
fn en_passant_rank(color: Color) -> u8 {
    match color {
        Color::White => 5,
        Color::Black => 2,
    }
}

/// Appends the block of a position whose pieces have these numbers. Returns what could not be
/// stored: move numbers out of range, en passant on a wrong rank.
///
/// # Errors
/// [`ErrorKind::Chess960`] for castling rights with king or rook off the usual squares.
pub(crate) fn encode_setup(
    position: &Position,
    board: &Board,
    out: &mut Vec<u8>,
) -> Result<bool, ErrorKind> {
    let mut complete = true;
    for side in [Side::of(Color::White), Side::of(Color::Black)] {
        for number in 0..PIECE_NUMBERS {
            let id = PieceId::new(side, number);
            match (board.place(id), board.role(id)) {
                (Some(place), Some(role)) => out.extend_from_slice(&[place, role as u8]),
                _ => out.extend_from_slice(&[ABSENT, 0]),
            }
        }
    }
    let black = u16::from(position.turn() == Color::Black);
    let full_moves = position.fullmove_number().saturating_sub(1);
    let half_moves = full_moves.checked_mul(2).map(|half_moves| half_moves | black);
    complete &= half_moves.is_some() && position.fullmove_number() > 0;
    out.extend_from_slice(&half_moves.unwrap_or(black).to_le_bytes());
    out.push(castling_mask(position)?);
    let passing = position.en_passant().map_or(0, coordinate);
    if passing == 0 || passing >> 4 == en_passant_rank(position.turn()) {
        out.push(passing);
    } else {
        out.push(0);
        complete = false;
    }
    debug_assert!(out.len() >= SETUP_SIZE);
    Ok(complete)
}

fn castling_mask(position: &Position) -> Result<u8, ErrorKind> {
    let mut mask = 0;
    let mut stored = 0;
    for (bit, color, side, rook) in CASTLING {
        let home = Square::E1.with_rank(color.back_rank());
        if position.king(color) == Some(home) && position.castling_rook(color, side) == Some(rook) {
            mask |= bit;
            stored = u32::saturating_add(stored, 1);
        }
    }
    if stored == position.castling_rooks().count() { Ok(mask) } else { Err(ErrorKind::Chess960) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hand vector of §13: 4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 11.
    fn vector() -> Vec<u8> {
        let mut bytes = Vec::new();
        for side in 0..2 {
            for number in 0..18 {
                bytes.extend_from_slice(match (side, number) {
                    (0, 4) => &[0x44, 1],  // White's pawn 4 on e5
                    (0, 13) => &[0x07, 4], // White's king's rook on h1
                    (0, 15) => &[0x04, 6], // White's king on e1
                    (1, 3) => &[0x43, 1],  // Black's pawn 3 on d5
                    (1, 15) => &[0x74, 6], // Black's king on e8
                    _ => &[0x08, 0],       // not on the board
                });
            }
        }
        bytes.extend_from_slice(&[0x14, 0x00]); // 20 half-moves: White's 11th move
        bytes.push(1); // White may castle short
        bytes.push(0x53); // en passant on d6
        bytes
    }

    #[test]
    fn parse_setup_reads_each_field() {
        let mut strict = Diagnostics::strict();
        let (board, position) = decode_setup(&vector(), Location::default(), &mut strict).unwrap();
        assert_eq!(position.to_fen(), "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 11");
        assert!(!board.turn().is_black());
        let mut out = Vec::new();
        let numbered = Board::number(&position).unwrap();
        assert!(encode_setup(&position, &numbered, &mut out).unwrap());
        assert_eq!(out, vector());
    }

    #[test]
    fn setup_deviation_is_quirk_or_error() {
        let note = |change: fn(&mut Vec<u8>)| {
            let mut bytes = vector();
            change(&mut bytes);
            let mut lenient = Diagnostics::lenient();
            let result = decode_setup(&bytes, Location::default(), &mut lenient);
            let names: Vec<_> = lenient.warnings().iter().map(|warning| warning.name).collect();
            (result.map(|(_, position)| position.to_fen()).map_err(|e| e.to_string()), names)
        };
        let (fen, names) = note(|bytes| bytes[75] = 0x23);
        assert_eq!(fen.unwrap(), "4k3/8/8/3pP3/8/8/8/4K2R w K - 0 11");
        assert_eq!(names, ["ca-en-passant-square"]);
        let (fen, names) = note(|bytes| bytes[74] = 2);
        assert_eq!(fen.unwrap(), "4k3/8/8/3pP3/8/8/8/4K2R w - d6 0 11");
        assert_eq!(names, ["ca-castling-right"]);
        let (error, _) = note(|bytes| bytes[9] = 7);
        assert!(error.unwrap_err().contains("unknown type"));
        let (error, _) = note(|bytes| bytes[8] = 4);
        assert!(error.unwrap_err().contains("two pieces on one square"));
        let (error, _) = note(|bytes| bytes.truncate(75));
        assert!(error.unwrap_err().contains("a start position is cut short"));
    }

    #[test]
    fn setup_extra_pieces_get_vacant_numbers() {
        let position = Position::from_fen("QQQQQQQQ/8/8/8/8/8/1k6/6K1 w - - 0 1").unwrap();
        let board = Board::number(&position).unwrap();
        let place = |number| board.place(PieceId::new(Side::WHITE, number));
        assert_eq!(place(14), Some(0x70));
        assert_eq!((place(16), place(17)), (Some(0x71), Some(0x72)));
        assert_eq!((place(0), place(4), place(5)), (Some(0x73), Some(0x77), None));
        assert_eq!(board.role(PieceId::new(Side::WHITE, 0)), Some(chess_core::Role::Queen));
        let full = Position::from_fen("4k3/8/8/8/NNNNN3/8/PPPPPPPP/4K3 w - - 0 1").unwrap();
        assert!(Board::number(&full).is_none(), "a fifth knight beside eight pawns");
    }
}
