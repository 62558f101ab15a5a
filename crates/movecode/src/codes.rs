//! Single codes: bytes to what they say.

use chess_core::{CastlingSide, GameResult, Role};

use crate::layout::{
    CASTLE_KING_SIDE, CASTLE_QUEEN_SIDE, END, NAG, NULL_MOVE, PROMOTION_ROLES, SECOND_BYTE,
    VARIATION_END, VARIATION_START,
};
use crate::quirk::Quirk;
use crate::units::Unit;

/// What a code says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    /// A pawn goes in a direction, 0 to 3.
    Pawn {
        slot: u8,
        direction: u8,
    },
    /// A piece that was an officer from the start goes somewhere.
    Officer {
        unit: Unit,
        value: u8,
    },
    /// A pawn goes in a direction and becomes a piece.
    Promotion {
        slot: u8,
        direction: u8,
        role: Role,
    },
    /// The piece that a pawn became goes somewhere.
    Promoted {
        slot: u8,
        value: u8,
    },
    Castle(CastlingSide),
    Null,
    Nag(u8),
    Result(GameResult),
    /// The next text of the comment stream, in its place; the kind is 0 to 5.
    Text(u8),
    VariationStart,
    VariationEnd,
    /// Reserved, and passed over by jose.
    Nothing,
    End,
}

/// A code, how many bytes it takes, and what is odd about them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parsed {
    pub(crate) code: Code,
    pub(crate) length: usize,
    pub(crate) quirk: Option<Quirk>,
}

/// The code at the start of `bytes`; `None` if they end before it does.
// movecode §3 "Codes"
#[inline]
pub(crate) fn parse_code(bytes: &[u8]) -> Option<Parsed> {
    let first = *bytes.first()?;
    let low = first & 0x0f;
    let mut quirk = None;
    let mut length = 1;
    let code = match first {
        0x00..=0x1f => Code::Pawn { slot: first >> 2, direction: first & 3 },
        0x20..=0x2f => Code::Officer { unit: Unit::knight(first >> 3 & 1), value: first & 7 },
        0x30..=0x3f => Code::Officer { unit: Unit::bishop(0), value: low },
        0x40..=0x4f => Code::Officer { unit: Unit::bishop(1), value: low },
        0x50..=0x5f => Code::Officer { unit: Unit::rook(0), value: low },
        0x60..=0x6f => Code::Officer { unit: Unit::rook(1), value: low },
        0x70..=0x7f => Code::Officer { unit: Unit::QUEEN, value: low },
        0x80..=0x8f => Code::Officer { unit: Unit::QUEEN, value: 0x10 | low },
        CASTLE_KING_SIDE => Code::Castle(CastlingSide::King),
        CASTLE_QUEEN_SIDE => Code::Castle(CastlingSide::Queen),
        NULL_MOVE => Code::Null,
        0x90..=0x9f => {
            quirk = (first > NULL_MOVE).then_some(Quirk::ReservedCode);
            Code::Officer { unit: Unit::KING, value: first & 7 }
        }
        0xa0..=0xa7 => {
            let second = *bytes.get(1)?;
            length = 2;
            quirk = (second & 0xf0 != SECOND_BYTE).then_some(Quirk::SecondByte);
            let role = PROMOTION_ROLES.get(usize::from(second & 3)).copied();
            Code::Promotion {
                slot: first & 7,
                direction: second >> 2 & 3,
                role: role.unwrap_or(Role::Queen),
            }
        }
        0xa8..=0xaf => {
            let second = *bytes.get(1)?;
            length = 2;
            quirk = (second & 0xe0 != SECOND_BYTE).then_some(Quirk::SecondByte);
            Code::Promoted { slot: first & 7, value: second & 0x1f }
        }
        NAG => {
            let nag = *bytes.get(1)?;
            length = 2;
            quirk = (1..=31).contains(&nag).then_some(Quirk::LongNag);
            Code::Nag(nag)
        }
        0xb1..=0xcf => Code::Nag(first.wrapping_sub(NAG)),
        0xd0 => Code::Result(GameResult::Black),
        0xd1 => Code::Result(GameResult::Draw),
        0xd2 => Code::Result(GameResult::White),
        0xd3 => Code::Result(GameResult::Unknown),
        0xe0..=0xe5 => Code::Text(low),
        0xd4..=0xdf | 0xe6..=0xef => {
            quirk = Some(Quirk::ReservedCode);
            Code::Text(0)
        }
        VARIATION_START => Code::VariationStart,
        VARIATION_END => Code::VariationEnd,
        0xf2..=0xfe => {
            quirk = Some(Quirk::ReservedCode);
            Code::Nothing
        }
        END => Code::End,
    };
    Some(Parsed { code, length, quirk })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], code: Code) {
        let expected = Parsed { code, length: bytes.len(), quirk: None };
        assert_eq!(parse_code(bytes), Some(expected));
    }

    #[test]
    fn every_kind_of_code() {
        check(&[0x13], Code::Pawn { slot: 4, direction: 3 }); // the e-pawn, two ranks
        check(&[0x27], Code::Officer { unit: Unit::knight(0), value: 7 });
        check(&[0x2e], Code::Officer { unit: Unit::knight(1), value: 6 });
        check(&[0x4c], Code::Officer { unit: Unit::bishop(1), value: 12 });
        check(&[0x8f], Code::Officer { unit: Unit::QUEEN, value: 0x1f });
        check(&[0x97], Code::Officer { unit: Unit::KING, value: 7 });
        check(&[0x98], Code::Castle(CastlingSide::King));
        check(&[0x99], Code::Castle(CastlingSide::Queen));
        check(&[0x9a], Code::Null);
        // pawn slot 3 straight ahead (0), becomes a queen (3)
        check(&[0xa3, 0x23], Code::Promotion { slot: 3, direction: 0, role: Role::Queen });
        check(&[0xaa, 0x3f], Code::Promoted { slot: 2, value: 0x1f });
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
    fn reserved_codes_read_as_jose_reads_them() {
        let quirk = Some(Quirk::ReservedCode);
        let king = Code::Officer { unit: Unit::KING, value: 3 };
        assert_eq!(parse_code(&[0x9b]), Some(Parsed { code: king, length: 1, quirk }));
        assert_eq!(parse_code(&[0xd4]), Some(Parsed { code: Code::Text(0), length: 1, quirk }));
        assert_eq!(parse_code(&[0xe6]), Some(Parsed { code: Code::Text(0), length: 1, quirk }));
        assert_eq!(parse_code(&[0xf2]), Some(Parsed { code: Code::Nothing, length: 1, quirk }));
        assert_eq!(parse_code(&[0xb0, 5]).unwrap().quirk, Some(Quirk::LongNag));
        assert_eq!(parse_code(&[0xa3, 0x03]).unwrap().quirk, Some(Quirk::SecondByte));
        assert_eq!(parse_code(&[0xa8, 0x41]).unwrap().quirk, Some(Quirk::SecondByte));
    }

    #[test]
    fn two_byte_codes_need_two_bytes() {
        for first in [0xa0, 0xa8, 0xb0] {
            assert_eq!(parse_code(&[first]), None);
        }
        assert_eq!(parse_code(&[]), None);
    }
}
