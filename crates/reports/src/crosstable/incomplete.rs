//! Round robins of matches, and round robins with few of their games.

use std::collections::{HashMap, HashSet};

use super::kind::{Pairing, second_seats};

/// Returns one pairing for each match, if most matches have several games in a round, with numbers of their own.
pub(super) fn matches_of(games: &[Pairing]) -> Option<Vec<Pairing>> {
    let mut matches: HashMap<(u32, [u32; 2]), (HashSet<u32>, Pairing)> = HashMap::new();
    for game in games {
        let mut pair = game.players;
        pair.sort_unstable();
        let numbers = matches.entry((game.round, pair)).or_insert_with(|| (<_>::default(), *game));
        numbers.0.insert(game.game);
    }
    let several = matches.values().filter(|(numbers, _)| numbers.len() > 1).count();
    let has_rounds = games.iter().all(|game| game.round > 0) && games.len() > 1;
    let of_matches: Vec<Pairing> = matches.into_values().map(|(_, first)| first).collect();
    // Each player has one opponent in a round.
    let is_so = has_rounds
        && several * 2 > of_matches.len()
        && second_seats(&of_matches) * 50 <= of_matches.len();
    is_so.then_some(of_matches)
}

/// Returns the cycles of a round robin with few of its games, if no round is known. Half of
/// all pairs have met, a fifth of these more than once, and each player a third of the others.
pub(super) fn cycles_without_rounds(pairs: &HashMap<[u32; 2], u32>, players: usize) -> Option<u32> {
    let mut opponents: HashMap<u32, usize> = HashMap::new();
    pairs.keys().flatten().for_each(|player| *opponents.entry(*player).or_default() += 1);
    let met = |times: u32| pairs.values().filter(|games| **games >= times).count();
    let is_closed = opponents.len() == players
        && opponents.values().all(|opponents| opponents * 3 >= players - 1)
        && pairs.len() * 4 >= players * (players - 1)
        && met(2) * 5 >= pairs.len();
    // A few pairs may have a play-off, or a game twice.
    (2..=4).rev().find(|cycles| is_closed && met(*cycles) * 10 >= pairs.len())
}
