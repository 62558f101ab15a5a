//! Games with the same moves, and which of them can agree with another.

use std::collections::HashMap;

use crate::fingerprint::{FIELDS, Field, Fingerprint};
use crate::names::Names;

/// Up to this number of games are compared one by one.
const FEW: usize = 32;

/// Games with the same moves, in rising order.
///
/// Short games are often alike, and a hundred thousand of them must not be compared in pairs. More
/// than a few games are indexed by the fields on which games must agree.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    all: Vec<usize>,
    index: Option<Box<Index>>,
}

/// Games by the values of their fields. A game is in a list of each field.
#[derive(Debug, Default)]
struct Index {
    by_value: HashMap<(Field, u64), Vec<usize>>,
    /// For each field, the games that agree with any value.
    unknown: [Vec<usize>; FIELDS],
    /// The number of games that are indexed.
    len: usize,
}

impl Candidates {
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.index = None;
    }

    /// Adds a game, which must be greater than those before. `fingerprint_of` returns the
    /// fingerprint of this game, or of one before.
    pub(crate) fn push<'a>(
        &mut self,
        game: usize,
        fingerprint_of: impl Fn(usize) -> Option<&'a Fingerprint>,
        names: &Names,
    ) {
        self.all.push(game);
        if self.all.len() <= FEW {
            return;
        }
        let index = self.index.get_or_insert_default();
        for game in self.all.get(index.len..).unwrap_or_default() {
            if let Some(fingerprint) = fingerprint_of(*game) {
                index.add(*game, fingerprint, names);
            }
        }
        index.len = self.all.len();
    }

    /// Returns lists of games, each in rising order. Every game that agrees with another one is in at
    /// least one list. `values` returns the [values](Fingerprint::values) of that other game; it is
    /// not called for few games.
    pub(crate) fn lists<'a>(
        &'a self,
        values: impl FnOnce() -> &'a [(Field, u64)],
    ) -> impl Iterator<Item = &'a [usize]> {
        let shortest = self.index.as_ref().and_then(|index| index.shortest(values()));
        let shortest = shortest.filter(|(_, len)| *len < self.all.len()).map(|(lists, _)| lists);
        let all = shortest.is_none().then_some(self.all.as_slice());
        shortest.into_iter().flatten().chain(all)
    }
}

impl Index {
    fn add(&mut self, game: usize, fingerprint: &Fingerprint, names: &Names) {
        let values = fingerprint.values(names);
        for value in &values {
            self.by_value.entry(*value).or_default().push(game);
        }
        if let [(Fingerprint::WHOLE, 1..)] = values[..] {
            // The game must agree in everything.
            return;
        }
        for (field, unknown) in (0..).zip(&mut self.unknown) {
            if values.iter().all(|(known, _)| *known != field) {
                unknown.push(game);
            }
        }
    }

    /// Returns the lists of the field that leaves the fewest games, and their number. Any field will
    /// do, because games must agree in all of them.
    fn shortest<'a>(
        &'a self,
        values: &'a [(Field, u64)],
    ) -> Option<(impl Iterator<Item = &'a [usize]>, usize)> {
        let lists = |values: &'a [(Field, u64)]| {
            let field = values.first().map_or(0, |(field, _)| usize::from(*field));
            let known = values.iter().filter_map(|value| self.by_value.get(value));
            known.chain(self.unknown.get(field)).map(Vec::as_slice)
        };
        let fields = values.chunk_by(|(one, _), (other, _)| one == other);
        fields
            .map(|values| (lists(values), lists(values).map(<[usize]>::len).sum()))
            .min_by_key(|(_, len)| *len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::BTreeSet;

    use chess_core::Game;

    use crate::fingerprint::Fingerprinter;

    /// Returns the fingerprints of games with these players, and with the tags of each line.
    fn fingerprints(games: &[(&str, &str, &str)], names: &mut Names) -> Vec<Fingerprint> {
        let interner = names.interner();
        let mut fingerprinter = Fingerprinter::new(&interner);
        let fingerprint = |(white, black, tags): &(&str, &str, &str)| {
            let mut game = Game::new();
            game.header.set("White", white);
            game.header.set("Black", black);
            for tag in tags.split_terminator('|') {
                let (name, value) = tag.split_once('=').unwrap();
                game.header.set(name, value);
            }
            fingerprinter.fingerprint(&game, &mut Vec::new())
        };
        games.iter().map(fingerprint).collect()
    }

    fn candidates(games: &[Fingerprint], names: &Names) -> Candidates {
        let mut candidates = Candidates::default();
        for game in 0..games.len() {
            candidates.push(game, |game| games.get(game), names);
        }
        candidates
    }

    fn listed(candidates: &Candidates, game: &Fingerprint, names: &Names) -> Vec<usize> {
        let values = game.values(names);
        let listed: BTreeSet<usize> = candidates.lists(|| &values).flatten().copied().collect();
        listed.into_iter().collect()
    }

    #[test]
    fn games_that_agree_are_candidates() {
        let players = [
            "Carlsen, M",
            "Magnus Carlsen",
            "CARLSEN,Magnus",
            "M",
            "Карлсен",
            "卡尔森",
            "?",
            "NN",
            "Anand, V",
            "Carlsen Carlsen",
            "a b c d e f g h i carlsen",
        ];
        let tags = [
            "",
            "Round=3",
            "Round=03.1",
            "Round=3.2",
            "Round=0",
            "Date=2020.01.01",
            "Date=2020.01.??|Round=3",
            "Date=????.??.01",
            "UTCTime=10:00:00",
            "UTCTime=10:05:00|GameId=7",
            "GameId=8|Date=2020.02.01",
        ];
        let pairs = players.iter().flat_map(|white| players.map(|black| (*white, black)));
        let games: Vec<_> =
            pairs.flat_map(|(white, black)| tags.map(|tags| (white, black, tags))).collect();
        let mut names = Names::default();
        let all = fingerprints(&games, &mut names);
        let candidates = candidates(&all, &names);
        let (mut agreeing, mut left_out) = (0, 0);
        for (game, own) in all.iter().zip(&games) {
            let listed = listed(&candidates, game, &names);
            let mut is_listed = vec![false; all.len()];
            listed.into_iter().for_each(|place| is_listed[place] = true);
            for (place, other) in all.iter().enumerate() {
                let agrees = game.agrees(other, &names);
                assert!(is_listed[place] || !agrees, "{own:?} {:?}", games[place]);
                agreeing += u32::from(agrees);
                left_out += u32::from(!is_listed[place]);
            }
        }
        assert!(agreeing > 20_000 && left_out > 1_400_000, "{agreeing} {left_out}");
    }

    #[test]
    fn lists_of_games_that_differ_in_one_field_are_short() {
        type Tags = fn(usize) -> String;
        let none: Tags = |_| String::new();
        let round: Tags = |n| format!("Round={}.{}", n / 2, n % 2);
        let time: Tags = |n| format!("UTCTime=10:{}:{}", n / 60, n % 60);
        let date: Tags = |n| format!("Date={}.{:02}.01", 1900 + n / 12, n % 12 + 1);
        for (white, black, tags, most) in [
            ("Player#", "Other", none, 1),
            ("Engine A", "Engine B", round, 2),
            ("Engine A", "Engine B", time, 1),
            ("Engine A", "Engine B", date, 1),
            ("?", "NN", round, 1),
        ] {
            let numbered = |n: usize| (white.replace('#', &n.to_string()), tags(n));
            let texts: Vec<_> = (0..1000).map(numbered).collect();
            let games: Vec<_> = texts.iter().map(|(w, tags)| (&**w, black, &**tags)).collect();
            let mut names = Names::default();
            let all = fingerprints(&games, &mut names);
            let candidates = candidates(&all, &names);
            for game in &all {
                assert!(listed(&candidates, game, &names).len() <= most, "{white} {}", tags(0));
            }
        }
    }

    #[test]
    fn lists_of_few_games_need_no_values() {
        let mut names = Names::default();
        let games = fingerprints(&[("Tal", "Geller", ""); FEW + 1], &mut names);
        let mut candidates = candidates(&games[..FEW], &names);
        let few: Vec<_> = candidates.lists(|| unreachable!()).flatten().copied().collect();
        assert!(few.into_iter().eq(0..FEW));
        candidates.push(FEW, |game| games.get(game), &names);
        assert!(listed(&candidates, &games[0], &names).into_iter().eq(0..=FEW));
        candidates.clear();
        assert_eq!(candidates.lists(|| unreachable!()).flatten().count(), 0);
    }
}
