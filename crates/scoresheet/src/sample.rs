//! Random samples of games.

use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::Arc;

use query::Filter;

use crate::base::Base;
use crate::error::Error;
use crate::scan::{Scanned, Scanner};
use crate::selector::Selector;

/// Draws games at random, out of all games of one or more bases that a filter selects.
///
/// Every game has the same chance. The same seed draws the same games of the same bases, whatever the
/// number of threads. Memory grows with the sample, not with the bases.
///
/// ```no_run
/// use scoresheet::{Filter, Scanner, sample::Sampler};
///
/// let mut sampler = Sampler::new(Filter::default(), 100, 7);
/// sampler.add(&mut scoresheet::open("twic.pgn")?)?;
/// let [sample] = &*sampler.finish() else { unreachable!("one base, one filter") };
/// let scanner = Scanner::new().filter(sample.clone());
/// # Ok::<(), scoresheet::Error>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    filter: Filter,
    size: usize,
    seed: u64,
    /// Selected games so far.
    selected: u64,
    bases: usize,
    /// The games with the lowest ranks, the highest on top.
    drawn: BinaryHeap<Drawn>,
}

/// A game of the sample. The order is by rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Drawn {
    rank: u64,
    base: usize,
    number: u64,
}

impl Sampler {
    /// Creates a sampler of `size` of the games that `filter` selects.
    #[must_use]
    pub fn new(filter: Filter, size: usize, seed: u64) -> Sampler {
        Sampler { filter, size, seed, selected: 0, bases: 0, drawn: BinaryHeap::new() }
    }

    /// Adds the games of `base`. Reads the base once.
    ///
    /// # Errors
    /// Errors that concern the base as a whole.
    pub fn add(&mut self, base: &mut Base) -> Result<(), Error> {
        self.add_watched(base, || ControlFlow::Continue(()))
    }

    /// Like [`add`](Sampler::add). Also calls `watch` every few thousand games, and stops if `watch` breaks.
    ///
    /// # Errors
    /// As [`add`](Sampler::add).
    pub fn add_watched(
        &mut self,
        base: &mut Base,
        watch: impl Fn() -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let filter = self.filter.clone();
        if let Some(database) = base.database() {
            let drawn = Selector::new(&filter).run(database, |selected| {
                selected.numbers.iter().for_each(|number| self.draw(*number));
                watch()
            });
            let _ = drawn.map_err(|error| Error::unanswered(base.path(), error))?;
        } else {
            let each = |scanned: &Scanned<'_>| {
                self.draw(scanned.number);
                Ok::<_, Error>(ControlFlow::Continue(()))
            };
            Scanner::new().filter(filter).run_watched(base, each, |_| watch())?;
        }
        self.skip();
        Ok(())
    }

    /// Counts a base that cannot be read. Its filter selects nothing.
    pub fn skip(&mut self) {
        self.bases += 1;
    }

    fn draw(&mut self, number: u64) {
        let rank = mix(self.seed ^ mix(self.selected));
        self.selected += 1;
        self.drawn.push(Drawn { rank, base: self.bases, number });
        if self.drawn.len() > self.size {
            self.drawn.pop();
        }
    }

    /// Returns a filter for each base, in the order of the calls of [`add`](Sampler::add) and
    /// [`skip`](Sampler::skip). It selects the games of the sample, and keeps the spelling file, by which
    /// reports join names.
    #[must_use]
    pub fn finish(self) -> Vec<Filter> {
        let mut numbers: Vec<Vec<u64>> = vec![Vec::new(); self.bases];
        for Drawn { base, number, .. } in self.drawn {
            if let Some(numbers) = numbers.get_mut(base) {
                numbers.push(number);
            }
        }
        let spelling = self.filter.spelling;
        let filter = |mut numbers: Vec<u64>| {
            numbers.sort_unstable();
            let mut filter = Filter::default();
            (filter.only, filter.spelling) = (Some(Arc::from(numbers)), spelling.clone());
            filter
        };
        numbers.into_iter().map(filter).collect()
    }
}

/// The finalizer of SplitMix64: a permutation of all numbers without visible order.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(size: usize, seed: u64, games: u64) -> Vec<Vec<u64>> {
        let mut sampler = Sampler::new(Filter::default(), size, seed);
        for _ in 0..2 {
            (0..games).for_each(|number| sampler.draw(number));
            sampler.skip();
        }
        let numbers = |filter: Filter| filter.only.unwrap().to_vec();
        sampler.finish().into_iter().map(numbers).collect()
    }

    #[test]
    fn draw_size_and_seed_decide_the_sample() {
        let sample = drawn(10, 1, 500);
        assert_eq!(sample.iter().map(Vec::len).sum::<usize>(), 10);
        assert_eq!(sample, drawn(10, 1, 500));
        assert_ne!(sample, drawn(10, 2, 500));
        assert!(sample.iter().all(|numbers| numbers.is_sorted()));
        assert_eq!(drawn(0, 1, 500), vec![Vec::<u64>::new(); 2]);
        assert_eq!(drawn(9999, 1, 3), [vec![0, 1, 2], vec![0, 1, 2]]);
    }

    #[test]
    fn draw_each_game_has_about_the_same_chance() {
        let mut counts = [0u32; 10];
        for seed in 0..1000 {
            for number in drawn(4, seed, 10).into_iter().flatten() {
                counts[usize::try_from(number).unwrap()] += 1;
            }
        }
        // 400 of each are expected.
        assert!(counts.iter().all(|count| (320..480).contains(count)), "{counts:?}");
    }
}
