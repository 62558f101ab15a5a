//! Header fields that are derived from the game.

use chess_core::{Color, Position};

use crate::layout::item;
use crate::tree::Tree;

/// Facts about the moves that the header records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) chess960: bool,
    pub(crate) setup: bool,
    pub(crate) black_starts: bool,
    pub(crate) main_plies: u32,
    pub(crate) all_plies: u32,
    pub(crate) variations: bool,
}

impl Facts {
    /// Returns the facts about a tree of moves. `start` is the start position, if the game has one
    /// of its own.
    pub(crate) fn new(start: Option<&Position>, chess960: bool, tree: &Tree) -> Facts {
        Facts {
            chess960,
            setup: start.is_some(),
            black_starts: start.is_some_and(|start| start.turn() == Color::Black),
            main_plies: tree.main_plies(),
            all_plies: tree.moves(),
            variations: !tree.is_line(),
        }
    }
}

/// Header fields derived from moves and annotations.
// cbh §3.4 "Derived fields"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Derived {
    pub(crate) flags: u32,
    pub(crate) magnitudes: u16,
    pub(crate) medals: u16,
    pub(crate) length: u8,
}

/// The flags of annotation types.
const FLAGS: [(u8, u32); 20] = [
    (item::TEXT_AFTER, 2),
    (item::TEXT_BEFORE, 2),
    (item::SYMBOLS, 3),
    (item::SQUARES, 4),
    (item::ARROWS, 5),
    (item::TIME_SPENT, 7),
    (item::UNKNOWN_08, 8),
    (item::TRAINING, 9),
    (item::SOUND, 16),
    (item::PICTURE, 17),
    (item::VIDEO, 18),
    (item::QUOTATION, 19),
    (item::PAWN_STRUCTURE, 20),
    (item::PIECE_PATH, 21),
    (item::WHITE_CLOCK, 22),
    (item::BLACK_CLOCK, 23),
    (item::CRITICAL, 24),
    (item::CORRESPONDENCE, 25),
    (item::UNKNOWN_1A, 26),
    (item::WEB_LINK, 28),
];

/// The item counts from which a magnitude bit is set.
const MANY: [(u8, u32, u16); 5] = [
    (item::SYMBOLS, 10, 3),
    (item::SQUARES, 10, 4),
    (item::ARROWS, 6, 5),
    (item::TIME_SPENT, 10, 7),
    (item::TRAINING, 6, 9),
];

/// The numbers of moves in variations from which the lowest two bits increase by one.
const VARIATION_PLIES: [u32; 3] = [51, 301, 1001];
/// The number of text bytes from which the bit is set.
const MUCH_TEXT: usize = 201;

impl Derived {
    pub(crate) fn new<'a>(facts: &Facts, items: impl Iterator<Item = (u8, &'a [u8])>) -> Derived {
        let mut flags = u32::from(facts.setup) | u32::from(facts.variations) << 1;
        flags |= u32::from(facts.chess960) << 27;
        let (mut medals, mut text) = (0, 0usize);
        let mut counts = [0u32; MANY.len()];
        for (kind, data) in items {
            if let Some((_, bit)) = FLAGS.iter().find(|(known, _)| *known == kind) {
                flags |= 1 << bit;
            }
            if matches!(kind, item::TEXT_AFTER | item::TEXT_BEFORE) {
                text = text.saturating_add(data.len().saturating_sub(2));
            }
            if kind == item::MEDALS {
                medals |= data.last_chunk().map_or(0, |bytes| u16::from_be_bytes(*bytes));
            }
            for (count, (many, ..)) in counts.iter_mut().zip(MANY) {
                *count = count.saturating_add(u32::from(many == kind));
            }
        }
        let plies = facts.all_plies.saturating_sub(facts.main_plies);
        let steps = VARIATION_PLIES.iter().filter(|least| plies >= **least).count();
        let mut magnitudes = u16::try_from(steps).unwrap_or(0) | u16::from(text >= MUCH_TEXT) << 2;
        for (count, (_, least, bit)) in counts.iter().zip(MANY) {
            magnitudes |= u16::from(*count >= least) << bit;
        }
        let plies = facts.main_plies.saturating_add(u32::from(facts.black_starts));
        let length = u8::try_from(plies.div_ceil(2)).unwrap_or(u8::MAX);
        Derived { flags, magnitudes, medals, length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_fields_annotated_game_match_specification() {
        let facts = Facts {
            setup: true,
            black_starts: true,
            main_plies: 4,
            all_plies: 305,
            variations: true,
            chess960: false,
        };
        let text = [0u8; 203];
        let mut items = vec![(item::TEXT_BEFORE, &text[..]), (item::MEDALS, &[0, 0, 0x80, 1])];
        items.extend([(item::ARROWS, &[][..]); 6]);
        let derived = Derived::new(&facts, items.iter().copied());
        assert_eq!(derived.flags, 0b10_0111);
        assert_eq!(derived.magnitudes, 0b10_0110);
        assert_eq!((derived.medals, derived.length), (0x8001, 3));
        items.pop();
        items[0].1 = &text[..202];
        assert_eq!(Derived::new(&facts, items.into_iter()).magnitudes, 2);
    }
}
