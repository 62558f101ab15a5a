//! The start position at the end of a record. cbf §8 "Set-up"

use chess_core::{CastlingSide, Color, Piece, Position, Role, Square};
use nom::multi::fill;
use nom::number::complete::be_u8;
use nom::{IResult, Parser};

use crate::layout::{SETUP_SIZE, flag};

const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Knight, Role::Bishop, Role::Rook, Role::Pawn];

/// The four castling bits with colour and side.
const CASTLING: [(u8, Color, CastlingSide); 4] = [
    (flag::WHITE_LONG, Color::White, CastlingSide::Queen),
    (flag::WHITE_SHORT, Color::White, CastlingSide::King),
    (flag::BLACK_LONG, Color::Black, CastlingSide::Queen),
    (flag::BLACK_SHORT, Color::Black, CastlingSide::King),
];

/// A parsed set-up.
pub(crate) struct ParsedSetup {
    pub(crate) position: Position,
    /// `true` if a piece code was invalid. Its square is left empty.
    pub(crate) unknown_piece: bool,
    /// Castling bits that the board does not allow, at their positions in header byte 10.
    pub(crate) unused_castling: u8,
    /// The en passant file if the board does not allow it, at its position in header byte 11.
    pub(crate) unused_passing: u8,
}

/// Parses a nibble to a piece; zero means none.
fn piece(nibble: u8) -> Result<Option<Piece>, ()> {
    let color = if nibble & 8 == 0 { Color::White } else { Color::Black };
    match (nibble & 7).checked_sub(1) {
        None if nibble == 0 => Ok(None),
        None => Err(()),
        Some(place) => {
            let role = ROLES.get(usize::from(place)).ok_or(())?;
            Ok(Some(Piece::new(*role, color)))
        }
    }
}

/// A set-up block: the nibbles of two squares in each byte, and the move number less 1.
struct Block {
    squares: [(u8, u8); 32],
    number: u8,
}

fn parse_block(input: &[u8]) -> IResult<&[u8], Block> {
    let mut squares = [(0, 0); 32];
    let pair = be_u8.map(|pair| (pair >> 4, pair & 15));
    let (input, ()) = fill(pair, &mut squares).parse(input)?;
    let (input, number) = be_u8(input)?;
    Ok((input, Block { squares, number }))
}

/// Parses a set-up block of 33 bytes together with its two header bytes.
pub(crate) fn parse_setup(block: &[u8; SETUP_SIZE], flags_1: u8, flags_2: u8) -> ParsedSetup {
    let mut position = Position::empty();
    let mut unknown_piece = false;
    let empty = Block { squares: [(0, 0); 32], number: 0 };
    // Cannot fail: the block has its full size.
    let Block { squares, number } = parse_block(block).map_or(empty, |(_, block)| block);
    for ((first, second), square) in squares.into_iter().zip((0u8..).step_by(2)) {
        for (nibble, square) in [(first, square), (second, square | 1)] {
            match piece(nibble) {
                Ok(piece) => position.set(Square::from_low_bits(square), piece),
                Err(()) => unknown_piece = true,
            }
        }
    }
    if flags_1 & flag::BLACK_TO_MOVE != 0 {
        position.set_turn(Color::Black);
    }
    let mut unused_castling = 0;
    for (bit, color, side) in CASTLING {
        if flags_1 & bit != 0 && !position.allow_castling_from_home(color, side) {
            unused_castling |= bit;
        }
    }
    let file = flags_2 & 15;
    let unused_passing = if set_en_passant(&mut position, file) { 0 } else { file };
    position.set_clocks(0, u16::from(number).saturating_add(1));
    ParsedSetup { position, unknown_piece, unused_castling, unused_passing }
}

/// Sets the en passant square of `file` (1 = a, 0 = none) if a pawn there may have made a double step.
/// Returns `false` if the board does not allow it.
fn set_en_passant(position: &mut Position, file: u8) -> bool {
    if file == 0 {
        return true;
    }
    let jumper = !position.turn();
    let rank = |steps: u8| jumper.back_rank().abs_diff(steps);
    let file = file.wrapping_sub(1);
    let [Some(from), Some(over), Some(to)] = [1, 2, 3].map(|steps| Square::at(file, rank(steps)))
    else {
        return false;
    };
    let able = position.piece_at(from).is_none()
        && position.piece_at(over).is_none()
        && position.piece_at(to) == Some(Piece::new(Role::Pawn, jumper));
    if able {
        position.set_en_passant(Some(over));
    }
    able
}

/// A set-up block with its header bits.
pub(crate) struct EncodedSetup {
    pub(crate) block: [u8; SETUP_SIZE],
    pub(crate) flags_1: u8,
    /// En passant file, 1 = a, 0 for none.
    pub(crate) passing_file: u8,
    /// `true` if nothing was lost except the half-move clock.
    pub(crate) complete: bool,
}

/// Encodes a position as a set-up.
pub(crate) fn encode_setup(position: &Position) -> EncodedSetup {
    let mut block = [0; SETUP_SIZE];
    let nibble = |square: u8| {
        let piece = position.piece_at(Square::from_low_bits(square));
        let place = |piece: Piece| ROLES.iter().position(|role| *role == piece.role());
        let code = piece.and_then(place).and_then(|place| u8::try_from(place).ok());
        let black = piece.is_some_and(|piece| piece.color() == Color::Black);
        code.map_or(0, |code| code.wrapping_add(1) | u8::from(black) << 3)
    };
    for (pair, square) in block.iter_mut().take(32).zip((0u8..).step_by(2)) {
        *pair = nibble(square) << 4 | nibble(square | 1);
    }
    let number = position.fullmove_number().saturating_sub(1);
    let stored = u8::try_from(number).unwrap_or(u8::MAX);
    if let Some(last) = block.last_mut() {
        *last = stored;
    }

    let mut flags_1 = flag::SETUP;
    if position.turn() == Color::Black {
        flags_1 |= flag::BLACK_TO_MOVE;
    }
    let mut rights = 0;
    for (bit, color, side) in CASTLING {
        if position.may_castle_from_home(color, side) {
            flags_1 |= bit;
            rights = u32::wrapping_add(rights, 1);
        }
    }
    // A file without effect would be read back as spare bits. cbf §8.3
    let file = position.en_passant().map_or(0, |square| square.file().wrapping_add(1));
    let mut allowed = *position;
    allowed.set_en_passant(None);
    let passing_file = if set_en_passant(&mut allowed, file) { file } else { 0 };
    let complete = allowed.en_passant() == position.en_passant()
        && u16::from(stored) == number
        && position.fullmove_number() > 0
        && rights == position.castling_rooks().count();
    EncodedSetup { block, flags_1, passing_file, complete }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the original description: "next move is nr 55".
    #[rustfmt::skip]
    const EXAMPLE: [u8; 33] = [
        0x12, 0x54, 0x30, 0x00, // a1 King b1 Queen, c1 Rook d1 Bishop, e1 Knight f1 -, g1 - h1 -
        0x60, 0x00, 0x00, 0x00, // a2 Pawn
        0x00, 0x00, 0x00, 0x00, // third rank
        0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00,
        0xe0, 0x00, 0x00, 0x00, // a7 pawn
        0x9a, 0xdc, 0xb0, 0x00, // a8 king b8 queen, c8 rook d8 bishop, e8 knight
        54,                     // move number less one
    ];

    #[test]
    fn parse_setup_documented_example_round_trips() {
        let parsed = parse_setup(&EXAMPLE, flag::SETUP, 0);
        assert!(!parsed.unknown_piece);
        assert_eq!(parsed.position.to_fen(), "kqrbn3/p7/8/8/8/8/P7/KQRBN3 w - - 0 55");
        let encoded = encode_setup(&parsed.position);
        assert_eq!(encoded.block, EXAMPLE);
        assert_eq!((encoded.flags_1, encoded.passing_file, encoded.complete), (1, 0, true));
    }

    #[test]
    fn encode_setup_castling_and_en_passant_round_trip() {
        for (fen, flags, file) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", 0b11_1111, 0),
            ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 256", 0b01_1001, 0),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9", 0b00_0001, 4),
            ("4k3/8/8/8/pP6/8/8/4K3 b - b3 0 9", 0b00_0011, 2),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let encoded = encode_setup(&position);
            assert_eq!((encoded.flags_1, encoded.passing_file), (flags, file), "{fen}");
            assert!(encoded.complete, "{fen}");
            let parsed = parse_setup(&encoded.block, encoded.flags_1, encoded.passing_file);
            assert_eq!(parsed.position.to_fen(), fen);
            assert_eq!((parsed.unused_castling, parsed.unused_passing), (0, 0));
        }
    }

    #[test]
    fn parse_setup_impossible_state_is_unused() {
        // No king or rook at home, no pawn that jumped, nibbles 7 and 8.
        let mut block = [0; 33];
        block[0] = 0x78;
        let parsed = parse_setup(&block, 0b11_1101, 9);
        assert!(parsed.unknown_piece);
        assert_eq!((parsed.unused_castling, parsed.unused_passing), (0b11_1100, 9));
        assert_eq!(parsed.position, Position::empty());
        assert_eq!(parse_setup(&block, 1, 4).unused_passing, 4);
    }

    #[test]
    fn encode_setup_unstorable_is_incomplete() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 300",
            // No pawn made a double step.
            "4k3/Q7/8/8/8/8/8/4K3 w - d6 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ] {
            let encoded = encode_setup(&Position::from_fen(fen).unwrap());
            assert!(!encoded.complete, "{fen}");
            let parsed = parse_setup(&encoded.block, encoded.flags_1, encoded.passing_file);
            assert_eq!((parsed.unused_castling, parsed.unused_passing), (0, 0), "{fen}");
        }
    }
}
