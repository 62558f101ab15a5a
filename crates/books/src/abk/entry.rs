//! An entry: a move at the end of a line.

use chess_core::{Color, Move, Position, Role, Square};
use nom::number::complete::{i8 as signed, le_i32, le_u32, u8 as byte};
use nom::{IResult, Parser};

use crate::book::Results;
use crate::castling::{king_target, two_steps};

/// An entry as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The square that the piece leaves.
    pub from: u8,
    /// The square that the piece goes to; for castling, the target of the king.
    pub to: u8,
    /// 0, or rook 1, knight 2, bishop 3, queen 4, in either sign.
    pub promotion: i8,
    /// From 0, bad, to 9, best.
    pub priority: u8,
    /// The number of games.
    pub games: u32,
    /// Games that White won.
    pub white: u32,
    /// Games that Black won.
    pub black: u32,
    /// Not 0: the move is deleted.
    pub flags: u32,
    /// The first move after this one; -1 for none.
    pub next: i32,
    /// The next alternative to this move; -1 for none.
    pub alternative: i32,
}

impl Entry {
    /// Parses the entry at the start of `bytes`. Returns `None` if they are too few.
    // books §4.2 "Entries"
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Entry> {
        entry(bytes).ok().map(|(_, entry)| entry)
    }

    /// Returns the bytes of the entry.
    // books §4.2 "Entries"
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![self.from, self.to, self.promotion.to_le_bytes()[0], self.priority];
        for number in [self.games, self.white, self.black, self.flags] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.next.to_le_bytes());
        out.extend_from_slice(&self.alternative.to_le_bytes());
        out
    }

    /// Returns the move in a position, legal or not. Returns `None` if a square or the promotion
    /// does not exist.
    // books §4.2.3
    #[must_use]
    pub fn decode(&self, position: &Position) -> Option<Move> {
        let (from, to) = (Square::new(self.from)?, Square::new(self.to)?);
        let role = match self.promotion.unsigned_abs() {
            0 => return Some(two_steps(position, from, to)),
            1 => Role::Rook,
            2 => Role::Knight,
            3 => Role::Bishop,
            4 => Role::Queen,
            _ => return None,
        };
        Some(Move::promoting(from, to, role))
    }

    /// Returns whether the entry stands for no move. Such entries end the pages of some books.
    // books §4.2.6
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.from == 255 && self.to == 255
    }

    /// Creates the entry of a legal move.
    pub(super) fn of(m: Move, position: &Position) -> Entry {
        let white = position.turn() == Color::White;
        let code: i8 = match m.promotion() {
            Some(Role::Rook) => 1,
            Some(Role::Knight) => 2,
            Some(Role::Bishop) => 3,
            Some(Role::Queen) => 4,
            _ => 0,
        };
        let to = king_target(position, m);
        Entry {
            from: m.from().index(),
            to: to.index(),
            promotion: if white { code.saturating_neg() } else { code },
            priority: 5,
            games: 0,
            white: 0,
            black: 0,
            flags: 0,
            next: -1,
            alternative: -1,
        }
    }

    /// Returns the number of games and the results. Games that nobody won are drawn. An entry
    /// without any win is taken for one without results.
    // books §4.2.4
    #[must_use]
    pub fn results(&self) -> Results {
        let decided = self.white.saturating_add(self.black);
        let draws = if decided > 0 { self.games.saturating_sub(decided) } else { 0 };
        Results {
            games: u64::from(self.games),
            white: u64::from(self.white),
            draws: u64::from(draws),
            black: u64::from(self.black),
        }
    }
}

fn entry(input: &[u8]) -> IResult<&[u8], Entry> {
    let (input, (from, to, promotion, priority)) = (byte, byte, signed, byte).parse(input)?;
    let (input, (games, white, black, flags)) = (le_u32, le_u32, le_u32, le_u32).parse(input)?;
    let (input, (next, alternative)) = (le_i32, le_i32).parse(input)?;
    let entry =
        Entry { from, to, promotion, priority, games, white, black, flags, next, alternative };
    Ok((input, entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const ENTRY: [u8; 28] = [
        0x0c, 0x1c,             // e2e4
        0x00,                   // no promotion
        0x09,                   // priority 9
        0x07, 0x00, 0x00, 0x00, // 7 games
        0x04, 0x00, 0x00, 0x00, // 4 won by White
        0x02, 0x00, 0x00, 0x00, // 2 won by Black
        0x00, 0x00, 0x00, 0x01, // deleted
        0x85, 0x03, 0x00, 0x00, // goes on at entry 901
        0xff, 0xff, 0xff, 0xff, // the last alternative
    ];

    #[test]
    fn parse_entry_reads_each_field() {
        let entry = Entry::parse(&ENTRY).unwrap();
        let expected = Entry {
            from: 12,
            to: 28,
            promotion: 0,
            priority: 9,
            games: 7,
            white: 4,
            black: 2,
            flags: 0x0100_0000,
            next: 901,
            alternative: -1,
        };
        assert_eq!(entry, expected);
        assert_eq!(entry.encode(), ENTRY);
        assert_eq!(entry.results().draws, 1);
        assert_eq!(Entry::parse(&ENTRY[..27]), None);
    }

    #[test]
    fn decode_move_with_square_off_board_is_none() {
        let start = Position::start();
        let mut entry = Entry::of("e2e4".parse().unwrap(), &start);
        assert_eq!(entry.decode(&start).map(|m| m.to_string()).as_deref(), Some("e2e4"));
        entry.to = 64;
        assert_eq!(entry.decode(&start), None);
    }
}
