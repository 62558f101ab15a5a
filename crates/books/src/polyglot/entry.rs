//! An entry: a move of a position.

use chess_core::{Move, Position, Role, Square};

use crate::castling::two_steps;

/// An entry as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Entry {
    /// The [hash](chess_core::zobrist) of the position.
    pub key: u64,
    /// The move. Its meaning depends on the position, see [`Entry::decode`].
    pub code: u16,
    /// The weight, relative to the other moves of the position.
    pub weight: u16,
    /// Learning data, or what the program that wrote the book has put in its place.
    pub learn: u32,
}

impl Entry {
    /// Creates an entry for a move in a position.
    #[must_use]
    pub fn new(key: u64, m: Move, weight: u16) -> Entry {
        Entry { key, code: encode_move(m), weight, learn: 0 }
    }

    /// Parses the entry at the start of `bytes`. Returns `None` if they are too few.
    // books §2.1 "Entries". By hand: a scan parses millions, and nom takes one byte at a time.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "the fields of the number")]
    pub fn parse(bytes: &[u8]) -> Option<Entry> {
        let number = u128::from_be_bytes(*bytes.first_chunk()?);
        Some(Entry {
            key: (number >> 64) as u64,
            code: (number >> 48) as u16,
            weight: (number >> 32) as u16,
            learn: number as u32,
        })
    }

    /// Returns the bytes of the entry.
    // books §2.1 "Entries"
    #[must_use]
    pub fn encode(&self) -> [u8; 16] {
        let (high, low) = (u128::from(self.key) << 64, u128::from(self.learn));
        (high | u128::from(self.code) << 48 | u128::from(self.weight) << 32 | low).to_be_bytes()
    }

    /// Returns the move in a position, legal or not. Returns `None` if the promotion code is above
    /// 4, and a null move for a1a1.
    // books §2.3 "Moves"
    #[must_use]
    pub fn decode(&self, position: &Position) -> Option<Move> {
        let to = square(self.code);
        let from = square(self.code >> 6);
        let role = match self.code >> 12 & 7 {
            // Some programs write castling as two steps of the king. books §2.3.4
            0 => return Some(two_steps(position, from, to)),
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            _ => return None,
        };
        Some(Move::promoting(from, to, role))
    }

    /// Returns whether the move is a1a1, which is no move.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        self.code & 0x7fff == 0
    }
}

fn square(bits: u16) -> Square {
    Square::from_low_bits(bits.to_le_bytes()[0] & 63)
}

/// Returns the code of a move. Castling is the king's move to its own rook in books too.
pub(crate) fn encode_move(m: Move) -> u16 {
    let promotion = m.bits() >> 12;
    u16::from(m.to().index()) | u16::from(m.from().index()) << 6 | promotion << 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const ENTRY: [u8; 16] = [
        0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, // key of the start position
        0x03, 0x1c,                                     // e2e4
        0x00, 0x0a,                                     // weight 10
        0x00, 0x02, 0x00, 0x03,                         // 2 games, 3 half points
    ];

    #[test]
    fn parse_entry_reads_each_field() {
        let entry = Entry::parse(&ENTRY).unwrap();
        let expected =
            Entry { key: 0x463b_9618_1691_fc9c, code: 0x031c, weight: 10, learn: 0x0002_0003 };
        assert_eq!(entry, expected);
        assert_eq!(entry.decode(&Position::start()), "e2e4".parse().ok());
        assert_eq!(entry.encode(), ENTRY);
        assert_eq!(Entry::parse(&ENTRY[..15]), None);
    }

    #[test]
    fn decode_castling_depends_on_king_and_right() {
        let decode = |fen: &str, m: &str| {
            let position = Position::from_fen(fen).unwrap();
            let entry = Entry::new(0, m.parse().unwrap(), 1);
            entry.decode(&position).unwrap().to_string()
        };
        let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(decode(castles, "e1g1"), "e1h1");
        assert_eq!(decode(castles, "e1h1"), "e1h1");
        assert_eq!(decode(castles, "e1c1"), "e1a1");
        assert_eq!(decode("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1"), "e1g1");
        assert_eq!(decode("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "e1g1"), "e1g1");
    }

    #[test]
    fn decode_promotion_code_above_four_is_none() {
        let decode = |code| Entry { code, ..Entry::default() }.decode(&Position::start());
        assert_eq!([0x5000, 0x6000, 0x7000].map(decode), [None; 3]);
        assert!(Entry { code: 0x8000, ..Entry::default() }.is_null());
    }
}
