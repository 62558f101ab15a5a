//! Counts by opening: variations (`Sicilian Defense: Najdorf Variation`) or families.

use std::collections::HashMap;

use chess_core::Eco;
use openings::Opening;

/// How finely openings are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    /// `Sicilian Defense`
    Family,
    /// `Sicilian Defense: Najdorf Variation`
    Variation,
}

/// A value for each opening of the table of openings.
#[derive(Clone, Debug, Default)]
pub(super) struct ByOpening<V> {
    /// In the order in which they were met; the table bounds their number.
    values: Vec<(Option<Opening>, V)>,
    /// By the number of the opening plus one, or 0 for none: the number of values up to its own, or 0.
    places: Vec<usize>,
}

/// The games of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpeningGroup<V> {
    /// The name; `None` for games without a named position.
    pub name: Option<&'static str>,
    /// First and last ECO code of the games.
    pub eco: Option<(Eco, Eco)>,
    /// The count or score of the games.
    pub value: V,
}

impl<V: Default + Clone> ByOpening<V> {
    #[allow(clippy::indexing_slicing, reason = "the number has a place, and the place a value")]
    pub(super) fn of(&mut self, opening: Option<Opening>) -> &mut V {
        let number = opening.map_or(0, |opening| usize::from(opening.number()) + 1);
        if self.places.len() <= number {
            // All at once, because the numbers come in no order.
            self.places.resize((number + 1).next_power_of_two(), 0);
        }
        if self.places[number] == 0 {
            self.values.push((opening, V::default()));
            self.places[number] = self.values.len();
        }
        &mut self.values[self.places[number] - 1].1
    }

    /// Joins the openings with one name, the largest `key` first.
    pub(super) fn sorted<K: Ord>(
        &self,
        grain: Grain,
        merge: impl Fn(&mut V, &V),
        key: impl Fn(&V) -> K,
    ) -> Vec<OpeningGroup<V>> {
        let mut groups: HashMap<Option<&'static str>, OpeningGroup<V>> = HashMap::new();
        for (opening, value) in &self.values {
            let name = opening.map(|opening| grain.name(opening));
            let eco = opening.map(|opening| (opening.eco(), opening.eco()));
            let new = || OpeningGroup { name, eco, value: V::default() };
            let group = groups.entry(name).or_insert_with(new);
            group.eco =
                group.eco.zip(eco).map(|(one, other)| (one.0.min(other.0), one.1.max(other.1)));
            merge(&mut group.value, value);
        }
        let mut groups: Vec<OpeningGroup<V>> = groups.into_values().collect();
        groups.sort_by(|one, other| {
            key(&other.value).cmp(&key(&one.value)).then_with(|| one.name.cmp(&other.name))
        });
        groups
    }
}

impl Grain {
    fn name(self, opening: Opening) -> &'static str {
        let name = opening.name();
        match self {
            Grain::Family => opening.family(),
            Grain::Variation => name.split_once(',').map_or(name, |(variation, _)| variation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_joins_positions_with_one_name() {
        let mut counts: ByOpening<u64> = ByOpening::default();
        let najdorf = |opening: &Opening| opening.name().contains("Najdorf");
        let all: Vec<Opening> = Opening::all().filter(najdorf).collect();
        all.iter().for_each(|opening| *counts.of(Some(*opening)) += 1);
        *counts.of(None) += 1;
        let merge = |sum: &mut u64, more: &u64| *sum += more;
        let sorted = counts.sorted(Grain::Variation, merge, |games| *games);
        let first = sorted.first().unwrap();
        assert_eq!(first.name, Some("Sicilian Defense: Najdorf Variation"));
        assert_eq!(first.value, all.len() as u64);
        let eco = first.eco.map(|(one, other)| (one.to_string(), other.to_string()));
        assert_eq!(eco, Some(("B84".to_owned(), "B99".to_owned())));
        let last = sorted.last().unwrap();
        assert_eq!((last.name, last.eco, last.value), (None, None, 1));
        let families = counts.sorted(Grain::Family, merge, |games| *games);
        assert_eq!(families.first().unwrap().name, Some("Sicilian Defense"));
    }
}
