//! Parses single codes.

use chess_core::{CastlingSide, GameResult, Role};

use crate::layout::{
    CASTLE_KING_SIDE, CASTLE_QUEEN_SIDE, END, FIRST_CODES, NAG, NULL_MOVE, PROMOTION_ROLES,
    SECOND_BYTE, VARIATION_END, VARIATION_START,
};
use crate::quirk::Quirk;
use crate::units::Unit;

/// A parsed code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    /// A move of a piece.
    Move(UnitMove),
    Castle(CastlingSide),
    Null,
    Nag(u8),
    Result(GameResult),
    /// Position of the next text of the comment stream. The kind is 0 to 5.
    Text(u8),
    VariationStart,
    VariationEnd,
    /// A reserved code, which jose skips.
    Nothing,
    End,
}

/// The moving piece and the code's value, which determines the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UnitMove {
    pub(crate) unit: Unit,
    /// `true` for a pawn move with a direction from 0 to 3. Otherwise the piece may be a promoted pawn.
    pub(crate) as_pawn: bool,
    pub(crate) value: u8,
    pub(crate) promotion: Option<Role>,
}

impl UnitMove {
    const fn pawn(slot: u8, direction: u8) -> UnitMove {
        UnitMove { unit: Unit::pawn(slot), as_pawn: true, value: direction, promotion: None }
    }

    const fn piece(unit: Unit, value: u8) -> UnitMove {
        UnitMove { unit, as_pawn: false, value, promotion: None }
    }
}

/// A code, its length in bytes, and its quirk, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parsed {
    pub(crate) code: Code,
    pub(crate) length: usize,
    pub(crate) quirk: Option<Quirk>,
}

impl Parsed {
    const fn one(code: Code) -> Parsed {
        Parsed { code, length: 1, quirk: None }
    }

    const fn two(code: Code) -> Parsed {
        Parsed { code, length: 2, quirk: None }
    }

    fn with_quirk_if(self, is_odd: bool, quirk: Quirk) -> Parsed {
        Parsed { quirk: is_odd.then_some(quirk), ..self }
    }
}

/// Parses the code at the start of `bytes`. Returns `None` if the code is truncated.
// movecode §3 "Codes"
pub(crate) fn parse_code(bytes: &[u8]) -> Option<Parsed> {
    let (first, rest) = bytes.split_first()?;
    match plain_move(*first) {
        Some(plain) => Some(Parsed::one(Code::Move(plain))),
        None => parse_other_code(*first, rest.first()),
    }
}

/// Returns the move of a one-byte move code.
#[inline]
pub(crate) fn plain_move(code: u8) -> Option<UnitMove> {
    PLAIN_MOVES.get(usize::from(code)).copied()
}

/// Parses the codes from castling on.
fn parse_other_code(first: u8, second: Option<&u8>) -> Option<Parsed> {
    let slot = first & 7;
    Some(match first {
        CASTLE_KING_SIDE => Parsed::one(Code::Castle(CastlingSide::King)),
        CASTLE_QUEEN_SIDE => Parsed::one(Code::Castle(CastlingSide::Queen)),
        NULL_MOVE => Parsed::one(Code::Null),
        ..=0x9f => Parsed::one(Code::Move(UnitMove::piece(Unit::KING, first & 7)))
            .with_quirk_if(true, Quirk::ReservedCode),
        0xa0..=0xa7 => {
            let second = *second?;
            let promotion = PROMOTION_ROLES.get(usize::from(second & 3)).copied();
            let pawn = UnitMove { promotion, ..UnitMove::pawn(slot, second >> 2 & 3) };
            Parsed::two(Code::Move(pawn))
                .with_quirk_if(second & 0xf0 != SECOND_BYTE, Quirk::SecondByte)
        }
        0xa8..=0xaf => {
            let second = *second?;
            let promoted = UnitMove::piece(Unit::pawn(slot), second & 0x1f);
            Parsed::two(Code::Move(promoted))
                .with_quirk_if(second & 0xe0 != SECOND_BYTE, Quirk::SecondByte)
        }
        NAG => {
            let nag = *second?;
            Parsed::two(Code::Nag(nag)).with_quirk_if((1..=31).contains(&nag), Quirk::LongNag)
        }
        0xb1..=0xcf => Parsed::one(Code::Nag(first.wrapping_sub(NAG))),
        0xd0 => Parsed::one(Code::Result(GameResult::Black)),
        0xd1 => Parsed::one(Code::Result(GameResult::Draw)),
        0xd2 => Parsed::one(Code::Result(GameResult::White)),
        0xd3 => Parsed::one(Code::Result(GameResult::Unknown)),
        0xe0..=0xe5 => Parsed::one(Code::Text(first & 0x0f)),
        0xd4..=0xdf | 0xe6..=0xef => {
            Parsed::one(Code::Text(0)).with_quirk_if(true, Quirk::ReservedCode)
        }
        VARIATION_START => Parsed::one(Code::VariationStart),
        VARIATION_END => Parsed::one(Code::VariationEnd),
        0xf2..=0xfe => Parsed::one(Code::Nothing).with_quirk_if(true, Quirk::ReservedCode),
        END => Parsed::one(Code::End),
    })
}

/// The one-byte moves, indexed by code: all codes before castling.
static PLAIN_MOVES: [UnitMove; CASTLE_KING_SIDE as usize] = plain_moves();

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "evaluated at compile time only, where a mistake is a compile error"
)]
const fn plain_moves() -> [UnitMove; CASTLE_KING_SIDE as usize] {
    let mut table = [UnitMove::pawn(0, 0); CASTLE_KING_SIDE as usize];
    let mut number = 0;
    let mut code = 0;
    while code < CASTLE_KING_SIDE {
        while number + 1 < FIRST_CODES.len() && FIRST_CODES[number + 1] <= code {
            number += 1;
        }
        let unit = Unit::new(number as u8);
        let as_pawn = unit.pawn_slot().is_some();
        let value = code - FIRST_CODES[number];
        table[code as usize] = UnitMove { unit, as_pawn, value, promotion: None };
        code += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use chess_core::{Color, Piece, Square};

    use super::*;
    use crate::decode::Dialect;
    use crate::directions::Directions;

    #[track_caller]
    fn check(bytes: &[u8], code: Code) {
        let expected = Parsed { code, length: bytes.len(), quirk: None };
        assert_eq!(parse_code(bytes), Some(expected));
    }

    #[test]
    fn parse_code_every_kind_is_parsed() {
        check(&[0x13], Code::Move(UnitMove::pawn(4, 3))); // the e-pawn, two ranks
        check(&[0x27], Code::Move(UnitMove::piece(Unit::new(8), 7)));
        check(&[0x2e], Code::Move(UnitMove::piece(Unit::new(9), 6)));
        check(&[0x4c], Code::Move(UnitMove::piece(Unit::new(11), 12)));
        check(&[0x8f], Code::Move(UnitMove::piece(Unit::new(14), 0x1f)));
        check(&[0x97], Code::Move(UnitMove::piece(Unit::KING, 7)));
        check(&[0x98], Code::Castle(CastlingSide::King));
        check(&[0x99], Code::Castle(CastlingSide::Queen));
        check(&[0x9a], Code::Null);
        // pawn slot 3 straight ahead (0), becomes a queen (3)
        let queen = UnitMove { promotion: Some(Role::Queen), ..UnitMove::pawn(3, 0) };
        check(&[0xa3, 0x23], Code::Move(queen));
        check(&[0xaa, 0x3f], Code::Move(UnitMove::piece(Unit::pawn(2), 0x1f)));
        check(&[0xb0, 0x92], Code::Nag(146));
        check(&[0xb0, 0x00], Code::Nag(0));
        check(&[0xb1], Code::Nag(1));
        check(&[0xbf], Code::Nag(15));
        check(&[0xc0], Code::Nag(16));
        check(&[0xcf], Code::Nag(31));
        check(&[0xd1], Code::Result(GameResult::Draw));
        check(&[0xe2], Code::Text(2));
        check(&[0xf0], Code::VariationStart);
        check(&[0xf1], Code::VariationEnd);
        check(&[0xff], Code::End);
    }

    #[test]
    fn result_codes_agree_with_table() {
        let rows = testkit::result_rows("movecode", "code");
        assert_eq!(rows.len(), 4);
        for [code, expected, _] in rows {
            let byte = u8::from_str_radix(&code, 16).unwrap();
            let Code::Result(result) = parse_code(&[byte]).unwrap().code else { panic!("{code}") };
            assert_eq!(result.as_str(), expected);
        }
    }

    /// Compares the target of each code with the words of the table, from every square.
    #[test]
    fn move_codes_agree_with_table() {
        let table = include_str!("../../../docs/formats/tables/movecode-codes.tsv");
        let rows: Vec<_> = table.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(rows.len(), usize::from(NULL_MOVE) + 1);
        for (code, row) in (0u8..).zip(rows) {
            let cells: Vec<_> = row.split('\t').collect();
            let [number, piece, slot, meaning] = cells[..] else { panic!("{row}") };
            assert_eq!(u8::from_str_radix(number, 16), Ok(code));
            let parsed = parse_code(&[code]).unwrap().code;
            let Code::Move(step) = parsed else {
                let expected = match meaning {
                    "castling short" => Code::Castle(CastlingSide::King),
                    "castling long" => Code::Castle(CastlingSide::Queen),
                    _ => Code::Null,
                };
                assert_eq!(parsed, expected, "{row}");
                continue;
            };
            let first = match piece {
                "P" => 0,
                "N" => 8,
                "B" => 10,
                "R" => 12,
                "Q" => 14,
                _ => 15,
            };
            assert_eq!(step.unit, Unit::new(first + slot.parse::<u8>().unwrap()), "{row}");
            let role = Role::from_letter(piece.chars().next().unwrap()).unwrap();
            for color in [Color::White, Color::Black] {
                let piece = Piece::new(role, color);
                for from in (0..64).filter_map(Square::new) {
                    let found = Directions::of(Dialect::Jose).target(piece, from, step.value);
                    assert_eq!(found, target_in_words(meaning, piece, from), "{row} from {from}");
                }
            }
        }
    }

    fn target_in_words(meaning: &str, piece: Piece, from: Square) -> Option<Square> {
        let words: Vec<_> = meaning.split(' ').collect();
        let number = |at: usize| words[at].parse::<i8>().unwrap();
        let (file, rank) = (from.file().cast_signed(), from.rank().cast_signed());
        let (files, ranks) = match words[0] {
            "step" if piece.role() == Role::Pawn && piece.color() == Color::Black => {
                (-number(1), -number(2))
            }
            "step" => (number(1), number(2)),
            "rising" => (number(3) - 1 - rank, number(3) - 1 - rank),
            "falling" => (rank - (number(3) - 1), number(3) - 1 - rank),
            "rank" => (0, number(1) - 1 - rank),
            _ => (number(1) - 1 - file, 0),
        };
        from.offset(files, ranks).filter(|to| *to != from)
    }

    #[test]
    fn parse_code_reserved_reads_as_in_jose() {
        let quirk = Some(Quirk::ReservedCode);
        let king = Code::Move(UnitMove::piece(Unit::KING, 3));
        assert_eq!(parse_code(&[0x9b]), Some(Parsed { code: king, length: 1, quirk }));
        assert_eq!(parse_code(&[0xd4]), Some(Parsed { code: Code::Text(0), length: 1, quirk }));
        assert_eq!(parse_code(&[0xe6]), Some(Parsed { code: Code::Text(0), length: 1, quirk }));
        assert_eq!(parse_code(&[0xf2]), Some(Parsed { code: Code::Nothing, length: 1, quirk }));
        assert_eq!(parse_code(&[0xb0, 5]).unwrap().quirk, Some(Quirk::LongNag));
        assert_eq!(parse_code(&[0xa3, 0x03]).unwrap().quirk, Some(Quirk::SecondByte));
        assert_eq!(parse_code(&[0xa8, 0x41]).unwrap().quirk, Some(Quirk::SecondByte));
    }

    #[test]
    fn parse_code_truncated_is_none() {
        for first in [0xa0, 0xa8, 0xb0] {
            assert_eq!(parse_code(&[first]), None);
        }
        assert_eq!(parse_code(&[]), None);
    }
}
