//! Which of many games with the same moves can agree with another.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::fingerprint::Fingerprint;
use super::names::Names;

/// Up to this number of games are compared one by one.
pub(super) const FEW: usize = 32;

/// A name with more words is compared with all others.
const MOST_WORDS: usize = 8;

/// An index of games with the same moves. Many are very short: a hundred thousand games without a
/// move must not be compared in pairs.
///
/// Names that agree share a word, or one of them is unknown. So games that agree have a key in
/// common: a word of White's name with a word of Black's. A game with an unknown player that has a
/// hash of all tags agrees only with the same hash.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    hasher: RandomState,
    /// Games by key, in rising order.
    by_key: HashMap<u64, Vec<usize>>,
    /// Games that have no keys, in rising order: they can agree with any.
    without_key: Vec<usize>,
    len: usize,
    keys: Vec<u64>,
}

impl Candidates {
    pub(super) fn clear(&mut self) {
        self.by_key.clear();
        self.without_key.clear();
        self.len = 0;
    }

    /// Returns the number of games.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a game, whose number is the number of games before.
    pub(super) fn push(&mut self, game: &Fingerprint, names: &Names) {
        let mut keys = std::mem::take(&mut self.keys);
        if self.has_keys(game, names, &mut keys) {
            for key in &keys {
                self.by_key.entry(*key).or_default().push(self.len);
            }
        } else {
            self.without_key.push(self.len);
        }
        self.keys = keys;
        self.len += 1;
    }

    /// Returns lists of numbers in rising order. Each game that can agree with `game` is in one of
    /// them, or in several. `None` stands for all games.
    pub(super) fn of(
        &self,
        game: &Fingerprint,
        names: &Names,
    ) -> Option<impl Iterator<Item = &[usize]>> {
        let mut keys = Vec::new();
        self.has_keys(game, names, &mut keys).then(|| {
            let lists = keys.into_iter().filter_map(|key| self.by_key.get(&key));
            lists.chain([&self.without_key]).map(Vec::as_slice)
        })
    }

    /// Sets `keys` to the keys of a game. Returns `false` if there are none.
    fn has_keys(&self, game: &Fingerprint, names: &Names, keys: &mut Vec<u64>) -> bool {
        keys.clear();
        if game.whole != 0 {
            keys.push(game.whole);
            return true;
        }
        let [Some(white), Some(black)] = [game.white, game.black].map(|id| names.words(id)) else {
            return false;
        };
        for (place, white) in white.enumerate() {
            for (other_place, black) in black.clone().enumerate() {
                if place >= MOST_WORDS || other_place >= MOST_WORDS {
                    return false;
                }
                keys.push(self.hasher.hash_one((white, black)));
            }
        }
        // Without repetitions a game is once in each list.
        keys.sort_unstable();
        keys.dedup();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_core::Game;

    use crate::dedupe::fingerprint::Fingerprinter;

    fn fingerprints(players: &[(&str, &str)], names: &mut Names) -> Vec<Fingerprint> {
        let interner = names.interner();
        let mut fingerprinter = Fingerprinter::new(&interner);
        let fingerprint = |(white, black): &(&str, &str)| {
            let mut game = Game::new();
            game.header.set("White", white);
            game.header.set("Black", black);
            fingerprinter.fingerprint(&game)
        };
        players.iter().map(fingerprint).collect()
    }

    fn index(games: &[Fingerprint], names: &Names) -> Candidates {
        let mut candidates = Candidates::default();
        games.iter().for_each(|game| candidates.push(game, names));
        candidates
    }

    #[test]
    fn games_that_agree_are_candidates() {
        let long = "a b c d e f g h i carlsen";
        let texts = [
            "Carlsen, M",
            "Magnus Carlsen",
            "CARLSEN,Magnus",
            "Carlsen",
            "M",
            "Карлсен",
            "卡尔森",
            "?",
            "",
            "NN",
            "Anand, V",
            "Viswanathan Anand",
            "Carlsen Carlsen",
            long,
        ];
        let players: Vec<_> = texts.iter().flat_map(|w| texts.map(|b| (*w, b))).collect();
        let mut names = Names::default();
        let games = fingerprints(&players, &mut names);
        let candidates = index(&games, &names);
        let (mut agreeing, mut left_out) = (0, 0);
        for (game, own) in games.iter().zip(&players) {
            let lists = candidates.of(game, &names);
            let all = lists.map(|lists| lists.flatten().copied().collect::<Vec<_>>());
            for (at, other) in games.iter().enumerate() {
                let found = all.as_ref().is_none_or(|all| all.contains(&at));
                let agrees = game.agrees(other, &names);
                assert!(found || !agrees, "{own:?} {:?}", players[at]);
                agreeing += u32::from(agrees);
                left_out += u32::from(!found);
            }
        }
        assert!(agreeing > 1000 && left_out > 10_000, "{agreeing} {left_out}");
    }

    #[test]
    fn games_of_different_players_are_compared_with_few() {
        let texts: Vec<_> = (0..1000).map(|n| (format!("Player{n}, A"), "B".to_owned())).collect();
        let players: Vec<_> = texts.iter().map(|(w, b)| (w.as_str(), b.as_str())).collect();
        let mut names = Names::default();
        let games = fingerprints(&players, &mut names);
        let unknown = fingerprints(&vec![("?", "NN"); 1000], &mut names);
        let count = |candidates: &Candidates, game: &Fingerprint| {
            candidates.of(game, &names).unwrap().map(<[usize]>::len).collect::<Vec<_>>()
        };
        assert!(count(&index(&games, &names), &games[500]).contains(&1));
        assert_eq!(count(&index(&games, &names), &unknown[0]), [0]);
        let mut both = index(&games, &names);
        both.push(&unknown[0], &names);
        assert_eq!(both.len(), 1001);
        assert_eq!(count(&both, &unknown[1]), [1, 0]);
        both.clear();
        assert_eq!((both.len(), count(&both, &games[0])), (0, vec![0]));
    }
}
