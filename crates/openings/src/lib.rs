//! Names and ECO codes of chess openings, found by position.
//!
//! The table has about 3,800 positions with their names and codes, from
//! [lichess-org/chess-openings](https://github.com/lichess-org/chess-openings) (CC0). It is part of
//! the program text: 220 KB, never parsed and never allocated.
//!
//! A game has the opening of the last position of its main line that the table names. The order of
//! the moves does not matter:
//!
//! ```
//! use openings::Opening;
//!
//! let opening = |moves: &str| {
//!     let mut reader = pgn::Reader::new(moves.as_bytes());
//!     Opening::of(&reader.games().next().unwrap().unwrap())
//! };
//! let najdorf = opening("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *").unwrap();
//! assert_eq!(najdorf.name(), "Sicilian Defense: Najdorf Variation");
//! assert_eq!(najdorf.family(), "Sicilian Defense");
//! assert_eq!(najdorf.eco().to_string(), "B90");
//! assert_eq!(opening("1. Nc3 c5 2. e4 d6 3. Nf3 a6 4. d4 cxd4 5. Nxd4 Nf6 *"), Some(najdorf));
//! ```
//!
//! A program that walks through a game itself names the positions one by one:
//!
//! ```
//! use chess_core::Position;
//! use openings::Tracker;
//!
//! let (mut position, mut tracker) = (Position::start(), Tracker::default());
//! for m in ["d2d4", "g8f6", "c2c4", "e7e6", "b1c3", "f8b4"] {
//!     position.apply(m.parse()?);
//!     tracker.visit(&position);
//! }
//! assert_eq!(tracker.opening().unwrap().name(), "Nimzo-Indian Defense");
//! # Ok::<(), chess_core::MoveError>(())
//! ```
//!
//! # Which positions are equal
//! Positions with the same pieces, side to move, castling rights and legal en passant capture; the
//! clocks do not count. The table holds a fingerprint of 64 bits for each position. Two different
//! positions share one with a probability of 1 in 10¹⁹.
//!
//! # Limits
//! - The start position has no name.
//! - A game of a variant other than chess and Chess960 has no opening.
//! - Codes have no sub-codes (`B90`, never `B90a` or `B90/03`).

#![no_std]

mod board;
mod fingerprint;
mod table;

use board::Board;
use chess_core::{Bitboard, Eco, Game, Move, Position, Variant};
use table::Lean;

pub use fingerprint::fingerprint;

/// A named position of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opening {
    number: u16,
    eco: Eco,
    name: &'static str,
}

impl Opening {
    /// Returns the opening of a game: the last position of its main line that has a name.
    #[must_use]
    pub fn of(game: &Game) -> Option<Opening> {
        if matches!(game.variant(), Variant::Unsupported(_)) {
            return None;
        }
        let (mut tracker, mut moves) = (Tracker::default(), game.main_line());
        match game.setup() {
            None => tracker.follow_from_start(&mut moves),
            Some(setup) if tracker.visit(setup.position()) => {
                tracker.follow(*setup.position(), &mut moves);
            }
            Some(_) => {}
        }
        tracker.opening()
    }

    /// Returns the opening that a position is named after.
    #[must_use]
    pub fn at(position: &Position) -> Option<Opening> {
        Opening::numbered(table::find(fingerprint(position))?)
    }

    /// Returns an opening by its [number](Opening::number).
    #[must_use]
    pub fn numbered(number: u16) -> Option<Opening> {
        let (code, name) = table::entry(number)?;
        Some(Opening { number, eco: Eco::new(code)?, name })
    }

    /// Iterates over all named positions. Several positions may have the same name and code.
    pub fn all() -> impl Iterator<Item = Opening> {
        (0..table::len()).filter_map(Opening::numbered)
    }

    /// Returns the number of the position in the table, from 0 on. Numbers change with the table.
    #[must_use]
    pub fn number(self) -> u16 {
        self.number
    }

    /// Returns the ECO code.
    #[must_use]
    pub fn eco(self) -> Eco {
        self.eco
    }

    /// Returns the full name: `Sicilian Defense: Najdorf Variation, English Attack`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns the first part of the name: `Sicilian Defense`.
    #[must_use]
    pub fn family(self) -> &'static str {
        self.name.split_once(':').map_or(self.name, |(family, _)| family)
    }
}

/// Remembers the last named position of a line.
#[derive(Clone, Copy, Debug)]
pub struct Tracker {
    last: Option<u16>,
    /// Home pawns and number of pieces of an earlier position.
    before: (Bitboard, u32),
    /// The lean positions that could be reached from there.
    reachable: Lean,
}

impl Default for Tracker {
    fn default() -> Tracker {
        Tracker { last: None, before: (HOME_PAWNS, MAX_PIECES), reachable: Lean::MAX }
    }
}

/// The home pawns of the usual start position.
const HOME_PAWNS: Bitboard = Bitboard(0x00ff_0000_0000_ff00);
/// The number of its pieces.
const MAX_PIECES: u32 = 32;

impl Tracker {
    /// Looks up the next position of the line. Returns whether a later position can have a name.
    ///
    /// Captures are irreversible, and so are moves of pawns. So a named position that is still to come
    /// has no more pieces than this one, and pawns at home only where this one has them. If an illegal
    /// move brings a pawn home, a name may be missed.
    #[inline]
    pub fn visit(&mut self, position: &Position) -> bool {
        let irreversible = || (position.home_pawns(), position.occupied().count());
        self.look_up(fingerprint(position), irreversible)
    }

    /// Returns the last named position.
    #[must_use]
    pub fn opening(&self) -> Option<Opening> {
        self.last.and_then(Opening::numbered)
    }

    #[inline]
    fn look_up(
        &mut self,
        fingerprint: u64,
        irreversible: impl FnOnce() -> (Bitboard, u32),
    ) -> bool {
        if let Some(found) = table::find(fingerprint) {
            self.last = Some(found);
            return true;
        }
        let irreversible = irreversible();
        self.before == irreversible || self.may_reach_name(irreversible)
    }

    #[inline(never)]
    fn may_reach_name(&mut self, (home_pawns, pieces): (Bitboard, u32)) -> bool {
        let (home_before, pieces_before) = self.before;
        if (home_pawns & !home_before).has_any() || pieces > pieces_before {
            // Only an illegal move leads there, or this is the first position.
            *self = Tracker { last: self.last, ..Tracker::default() };
        }
        for left in self.before.0 & !home_pawns {
            self.reachable &= table::LEAN_WITHOUT[left];
        }
        self.reachable &= table::lean_of_at_most_pieces(pieces);
        self.before = (home_pawns, pieces);
        self.reachable != 0
    }

    /// Follows a line from the usual start position.
    fn follow_from_start(&mut self, moves: &mut impl Iterator<Item = Move>) {
        let mut board = Board::start();
        while let Some(m) = moves.next() {
            if !board.play(m) {
                let mut position = board.position();
                position.apply(m);
                if self.visit(&position) {
                    self.follow(position, moves);
                }
                return;
            }
            let irreversible = || (board.home_pawns(), board.pieces());
            if !self.look_up(board.fingerprint(), irreversible) {
                return;
            }
        }
    }

    /// Follows a line from a position that was visited.
    fn follow(&mut self, mut position: Position, moves: &mut impl Iterator<Item = Move>) {
        for m in moves {
            position.apply(m);
            if !self.visit(&position) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(moves: &str) -> Option<Opening> {
        let mut reader = pgn::Reader::new(moves.as_bytes());
        Opening::of(&reader.games().next().unwrap().unwrap())
    }

    #[test]
    fn numbered_opening_of_table_is_readable() {
        assert_eq!(Opening::all().count(), usize::from(table::len()));
        assert!(table::len() > 3_700, "{}", table::len());
        for opening in Opening::all() {
            assert_eq!(Opening::numbered(opening.number()), Some(opening));
            assert!(!opening.name().trim().is_empty());
        }
        assert_eq!(Opening::numbered(table::len()), None);
        assert_eq!(Opening::numbered(u16::MAX), None);
    }

    #[test]
    fn of_game_takes_last_named_position() {
        let name = |moves| opening(moves).map(Opening::name);
        assert_eq!(Opening::of(&Game::new()), None);
        assert_eq!(name("1. e4 *"), Some("King's Pawn Game"));
        // After the last named position come positions without a name.
        let ruy = name("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 h5 5. a3 Rh6 *");
        assert_eq!(ruy, name("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *"));
        // A detour of two moves leads back to the book.
        let detour = name("1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nc6 5. Bb5 *");
        assert_eq!(detour, Some("Ruy Lopez"));
    }

    #[test]
    fn of_game_from_fen_names_positions_it_reaches() {
        let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2";
        let game = |fen: &str| {
            let text = std::format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n2. Nf3 *");
            opening(&text).map(Opening::name)
        };
        assert_eq!(game(fen), opening("1. e4 c5 2. Nf3 *").map(Opening::name));
        // The same pieces without castling rights are another position.
        assert_eq!(game(&fen.replace("KQkq", "-")), None);
    }

    #[test]
    fn of_game_of_other_variant_is_none() {
        let game = |variant| {
            let mut game = Game::new();
            game.header.set("Variant", variant);
            ["e2e4", "c7c5"].iter().for_each(|m| game.push_move(m.parse().unwrap()));
            Opening::of(&game).map(Opening::name)
        };
        assert_eq!(game("Standard"), Some("Sicilian Defense"));
        assert_eq!(game("Atomic"), None);
    }

    #[test]
    fn visit_position_that_leads_to_no_name_ends() {
        let goes_on = |fen| Tracker::default().visit(&Position::from_fen(fen).unwrap());
        assert!(Tracker::default().visit(&Position::start()));
        assert!(!goes_on("8/8/8/8/8/8/8/K1k5 w - - 0 1"), "too few pieces");
        let all = "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w KQkq - 0 1";
        assert!(!goes_on(all), "no pawns at home");
    }

    extern crate std;
}
