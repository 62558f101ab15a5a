//! Header fields that are derived from the game.

use chess_core::{Color, Move, Position, Role};

use crate::annotations::items::Item;
use crate::derived::{Derived as ClassicDerived, Facts};
use crate::layout::item;

/// The kinds of material in the order of the bits of endgames.
// cbh2 §3.5 "Derived fields"
const KINDS: [&str; 10] = ["B", "BB", "BN", "N", "NN", "Q", "R", "RB", "RN", "RR"];
/// The opponents of each kind.
const OPPONENTS: [&[&str]; 10] = [
    &["B", "N", "R"],
    &["BB", "BN", "NN", "Q", "R"],
    &["BB", "BN", "NN", "Q", "R"],
    &["B", "N", "R"],
    &["BB", "BN", "NN", "Q", "R"],
    &["BB", "BN", "NN", "Q", "R", "RB", "RN", "RR"],
    &["B", "BB", "BN", "N", "NN", "Q", "R"],
    &["Q", "RB", "RN"],
    &["Q", "RB", "RN"],
    &["Q", "RR"],
];

/// The number of positions in a row that make an endgame.
const LONG: u32 = 5;

/// Header fields derived from moves and annotations.
// cbh2 §3.5 "Derived fields"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Derived {
    pub(crate) flags: u32,
    pub(crate) magnitudes: u16,
    pub(crate) medals: u16,
    pub(crate) length: i16,
    /// The final material, the greater side first.
    pub(crate) material: [u32; 2],
    /// All endgames of at least five positions, one bit each.
    pub(crate) passed: u64,
    /// The last of them.
    pub(crate) last_endgame: u64,
}

impl Derived {
    pub(crate) fn new<'a>(
        facts: &Facts,
        items: impl Iterator<Item = Item<'a>>,
        start: &Position,
        main_line: impl Iterator<Item = Move>,
    ) -> Derived {
        let mut medals = 0;
        let items = items.filter(|item| item.kind != item::REST).map(|item| {
            let data = match item.kind {
                // The classic fields count two bytes before the letters.
                item::TEXT_AFTER | item::TEXT_BEFORE => item.data.get(6..).unwrap_or_default(),
                item::MEDALS => {
                    medals |= item.data.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes));
                    &[]
                }
                _ => item.data,
            };
            (item.kind, data)
        });
        let ClassicDerived { flags, magnitudes, .. } = ClassicDerived::new(facts, items);
        let plies = facts.main_plies.saturating_add(u32::from(facts.black_starts));
        let moves = if facts.main_plies == 0 { 0 } else { plies.div_ceil(2) };
        let length = i16::try_from(moves).unwrap_or(i16::MAX);
        let mut derived = Derived { flags, magnitudes, medals, length, ..Derived::default() };
        derived.follow(*start, main_line);
        derived
    }

    /// Plays the main line for its endgames and its final material.
    fn follow(&mut self, mut position: Position, main_line: impl Iterator<Item = Move>) {
        let (mut here, mut run) = (0u64, 0u32);
        for m in main_line {
            position.apply(m);
            let bit = endgame(&position);
            run = if bit == here { run.saturating_add(1) } else { 1 };
            here = bit;
            if run >= LONG && here != 0 {
                self.passed |= here;
                self.last_endgame = here;
            }
        }
        let [white, black] = Color::ALL.map(|color| material(&position, color));
        self.material = [white.max(black), white.min(black)];
    }
}

/// Returns the material of a side: counts of rooks, bishops, knights, queens and pawns. A count
/// that is too large for its bits is cut.
fn material(position: &Position, color: Color) -> u32 {
    let count = |role, most: u32| position.pieces(role, color).count().min(most);
    count(Role::Rook, 7)
        | count(Role::Bishop, 7) << 3
        | count(Role::Knight, 7) << 6
        | count(Role::Queen, 7) << 9
        | count(Role::Pawn, 15) << 12
}

/// Returns the bit of the endgame on the board, or 0. Pawns do not matter.
fn endgame(position: &Position) -> u64 {
    // Most positions have more pieces than any endgame.
    let pieces = position.occupied() & !position.role(Role::Pawn);
    if pieces.count() > 6 {
        return 0;
    }
    let [Some(white), Some(black)] = Color::ALL.map(|color| kind(position, color)) else {
        return 0;
    };
    let mut bit = 0u32;
    for (known, opponents) in KINDS.iter().zip(OPPONENTS) {
        if *known == white {
            let index = opponents.iter().position(|opponent| *opponent == black);
            let index = index.and_then(|index| u32::try_from(index).ok());
            return index.map_or(0, |index| 1 << bit.saturating_add(index));
        }
        bit = bit.saturating_add(u32::try_from(opponents.len()).unwrap_or(0));
    }
    0
}

/// Returns the pieces of a side, if they are one of the kinds.
fn kind(position: &Position, color: Color) -> Option<&'static str> {
    let counts = [Role::Rook, Role::Queen, Role::Bishop, Role::Knight]
        .map(|role| position.pieces(role, color).count());
    Some(match counts {
        [0, 0, 1, 0] => "B",
        [0, 0, 2, 0] => "BB",
        [0, 0, 1, 1] => "BN",
        [0, 0, 0, 1] => "N",
        [0, 0, 0, 2] => "NN",
        [0, 1, 0, 0] => "Q",
        [1, 0, 0, 0] => "R",
        [1, 0, 1, 0] => "RB",
        [1, 0, 0, 1] => "RN",
        [2, 0, 0, 0] => "RR",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endgame_bits_run_through_both_kinds() {
        let bits = |fen: &str| endgame(&Position::from_fen(fen).unwrap());
        assert_eq!(bits("4k1b1/8/8/8/8/8/8/4K1B1 w - - 0 1"), 1);
        assert_eq!(bits("4k2r/8/8/8/8/8/P7/4K2R w - - 0 1"), 1 << 35);
        assert_eq!(bits("4k1rr/8/8/8/8/8/8/4K1RR w - - 0 1"), 1 << 43);
        assert_eq!(bits("4k2n/8/8/8/8/8/8/4K1RR w - - 0 1"), 0);
        assert_eq!(bits("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 0);
        assert_eq!(OPPONENTS.iter().map(|opponents| opponents.len()).sum::<usize>(), 44);
    }

    #[test]
    fn derived_rook_ending_counts_from_fifth_position() {
        let start = Position::from_fen("8/5k2/8/8/8/7r/P7/4K2R b - - 0 50").unwrap();
        let moves = ["f7f6", "e1e2", "f6f7", "e2e1", "f7f6"].map(|m| m.parse().unwrap());
        let facts = Facts { setup: true, black_starts: true, main_plies: 5, ..Facts::default() };
        let none = || std::iter::empty();
        let derived = Derived::new(&facts, none(), &start, moves.into_iter());
        assert_eq!((derived.last_endgame, derived.passed), (1 << 35, 1 << 35));
        assert_eq!((derived.length, derived.material), (3, [0x1001, 1]));
        let derived = Derived::new(&facts, none(), &start, moves.into_iter().take(4));
        assert_eq!(derived.passed, 0);
        let facts = Facts { main_plies: 0, ..facts };
        assert_eq!(Derived::new(&facts, none(), &start, std::iter::empty()).length, 0);
        assert_eq!(material(&Position::start(), Color::White), 0x8292);
    }
}
