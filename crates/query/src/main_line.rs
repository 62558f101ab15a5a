//! Tests of the positions of a main line, apart from searches for whole positions.

use chess_core::{Game, Position};
use chess_store::Query;
use openings::Tracker;

use crate::Filter;
use crate::material::MaterialSearch;

/// Follows one main line for all criteria that concern its positions. Whole positions have a search of
/// their own, which can use the index.
pub(super) struct MainLine<'f> {
    filter: &'f Filter,
    opening: Tracker,
    follows_opening: bool,
    found_opening: bool,
    /// `None` once the material is found, or can no longer be.
    materials: Option<Vec<MaterialSearch<'f>>>,
    follows_patterns: bool,
    found_material: bool,
    found_pattern: bool,
}

impl<'f> MainLine<'f> {
    pub(super) fn new(filter: &'f Filter) -> MainLine<'f> {
        MainLine {
            filter,
            opening: Tracker::default(),
            follows_opening: !filter.openings.is_empty(),
            found_opening: filter.openings.is_empty(),
            materials: Some(filter.materials.iter().map(MaterialSearch::new).collect()),
            follows_patterns: !filter.patterns.is_empty(),
            found_material: filter.materials.is_empty(),
            found_pattern: filter.patterns.is_empty(),
        }
    }

    /// Takes the next position. Returns `false` once no later position can change the outcome.
    #[inline]
    pub(super) fn goes_on(&mut self, position: &Position) -> bool {
        if self.follows_opening {
            let can_follow = self.opening.visit(position);
            // The last named position was passed, too.
            let named = self.opening.opening();
            let openings = &self.filter.openings;
            self.found_opening = openings.iter().any(|test| test.passes(position, named));
            self.follows_opening = can_follow && !self.found_opening;
        }
        if !self.found_material {
            self.visit_material(position);
        }
        if self.follows_patterns {
            let patterns = &self.filter.patterns;
            self.found_pattern = patterns.iter().any(|pattern| pattern.fits(position));
            self.follows_patterns =
                !self.found_pattern && patterns.iter().any(|pattern| pattern.may_follow(position));
        }
        let can_find_material = self.found_material || self.materials.is_some();
        let can_find_pattern = self.found_pattern || self.follows_patterns;
        can_find_material
            && can_find_pattern
            && (self.follows_opening || self.follows_patterns || !self.found_material)
    }

    fn visit_material(&mut self, position: &Position) {
        let Some(searches) = &mut self.materials else { return };
        searches.retain_mut(|search| match search.visit(position) {
            Some(found) => {
                self.found_material |= found;
                true
            }
            None => false,
        });
        if searches.is_empty() || self.found_material {
            self.materials = None;
        }
    }

    /// Returns whether the positions so far meet all criteria.
    pub(super) fn holds(&self) -> bool {
        self.found_material
            && self.found_pattern
            && (self.found_opening
                || self.filter.openings.iter().any(|test| test.ends(self.opening.opening())))
    }

    /// Follows the main line of a game.
    pub(super) fn of(filter: &'f Filter, game: &Game) -> bool {
        let mut line = MainLine::new(filter);
        let visit = &mut |_: &_, position: &Position, _| line.goes_on(position);
        chess_store::visit_game(game, &Query::default(), visit);
        line.holds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardPattern, Material, OpeningTest};

    fn game(moves: &str) -> Game {
        let mut game = Game::new();
        moves.split(' ').for_each(|m| game.push_move(m.parse().unwrap()));
        game
    }

    #[test]
    fn of_game_needs_all_criteria_in_any_order() {
        // 1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6
        let najdorf = game("e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6");
        let filter = |opening: &str, pattern: &str, material: &str| {
            let mut filter = Filter::default();
            filter.openings.extend(opening.parse::<OpeningTest>());
            filter.patterns.extend(pattern.parse::<BoardPattern>());
            filter.materials.extend(material.parse::<Material>());
            filter
        };
        let whole = "QRRBBNNP7-QRRBBNNP7";
        for (opening, pattern, material, expected) in [
            ("najdorf", "", "", true),
            ("dragon", "", "", false),
            ("open sicilian", "", "", true),
            ("B90", "", "", true),
            ("B50", "", "", false),
            ("", "pc5 Pe4", "", true),
            ("", "Nd4 pc5", "", false),
            ("", "", whole, true),
            ("", "", "K-K", false),
            ("najdorf", "pc5 Pe4", whole, true),
            ("najdorf", "Nd4", "K-K", false),
            ("najdorf", "Nd5", whole, false),
            ("dragon", "Nd4", whole, false),
            ("sicilian", "Pe4 pe7 @..1", "", true),
        ] {
            let filter = filter(opening, pattern, material);
            let texts = [opening, pattern, material];
            let given = texts.iter().filter(|text| !text.is_empty());
            let set = filter.openings.len() + filter.patterns.len() + filter.materials.len();
            assert_eq!(set, given.count());
            let found = MainLine::of(&filter, &najdorf);
            assert_eq!(found, expected, "{opening} {pattern} {material}");
        }
    }

    #[test]
    fn of_game_repeated_criterion_is_or() {
        let game = game("e2e4 c7c5");
        let filter = Filter {
            openings: vec!["french".parse().unwrap(), "sicilian".parse().unwrap()],
            patterns: vec!["Pe5".parse().unwrap(), "Pe4".parse().unwrap()],
            ..Filter::default()
        };
        assert!(MainLine::of(&filter, &game));
    }
}
