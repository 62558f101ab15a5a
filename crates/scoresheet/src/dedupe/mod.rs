//! Games that are there twice.

mod card;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use chess_core::Game;

use crate::base::{Base, Progress};
use crate::error::Error;
use crate::filter::Filter;
use crate::scan::Scanner;
use card::{Card, LineHash, Names};

/// Finds the games that repeat others, over as many bases as it is given.
///
/// A game repeats another of the same start position and moves if their headers agree as far as both
/// know them: players, date, round and result, and of short games without a full date the event. Of
/// games that repeat each other the best annotated stays; one marked as deleted does not, if
/// another can.
///
/// Memory: some 60 bytes a game, and every name once.
///
/// ```no_run
/// use std::ops::ControlFlow;
///
/// use scoresheet::dedupe::Deduper;
///
/// let mut deduper = Deduper::new();
/// deduper.add(&mut scoresheet::open("a.pgn")?, &mut |_| ControlFlow::Continue(()))?;
/// deduper.add(&mut scoresheet::open("b.si4")?, &mut |_| ControlFlow::Continue(()))?;
/// for pair in &deduper.finish().pairs {
///     println!("game {} of base {} is there twice", pair.game.number, pair.game.base);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Deduper {
    filter: Filter,
    cards: Vec<(Card, Place)>,
    names: Names,
    bases: usize,
    /// The game that repeats, and the one that stays, by their cards.
    found: HashMap<usize, (usize, Kind)>,
    /// Games that stay, by their moves; made when games within others are looked for.
    staying: Option<HashMap<u64, Vec<usize>>>,
    /// How many of the games of each base have been looked at for games within them.
    looked: usize,
}

/// A game of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which base, in the order they were added, from zero.
    pub base: usize,
    /// Number in its base, from zero.
    pub number: u64,
}

/// How a game repeats another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The same moves.
    Same,
    /// Its moves are the first of the other's.
    Contained,
}

/// A game and the one it repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// The game that can go.
    pub game: Place,
    /// The game that stays.
    pub stays: Place,
    /// How it repeats it.
    pub kind: Kind,
}

/// What was found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Duplicates {
    /// Games looked at.
    pub games: u64,
    /// The games that repeat others, in the order of the bases.
    pub pairs: Vec<Pair>,
}

impl Duplicates {
    /// The numbers of the games of a base that repeat others, rising: for
    /// [`Filter::without`].
    #[must_use]
    pub fn of_base(&self, base: usize) -> Arc<[u64]> {
        self.pairs.iter().filter(|pair| pair.game.base == base).map(|p| p.game.number).collect()
    }
}

impl Deduper {
    /// Looks at all games.
    #[must_use]
    pub fn new() -> Deduper {
        Deduper::default()
    }

    /// Looks only at games that the filter chooses.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Deduper {
        Deduper { filter, ..self }
    }

    /// Adds the games of a base.
    ///
    /// # Errors
    /// What makes the base of no more use.
    pub fn add(
        &mut self,
        base: &mut Base,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let number = self.bases;
        self.bases = number.saturating_add(1);
        let (cards, names) = (&mut self.cards, &mut self.names);
        Scanner::new().filter(self.filter.clone()).run(base, |scanned| {
            let place = Place { base: number, number: scanned.number };
            cards.push((Card::new(scanned.game, names), place));
            Ok::<_, Error>(progress(scanned.progress))
        })?;
        Ok(())
    }

    /// Looks for games that are the beginning of others: called for each base again, in the same
    /// order, once all have been added. Such a game must have players, and moves.
    ///
    /// # Errors
    /// What makes the base of no more use.
    pub fn look_within(
        &mut self,
        base: &mut Base,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        if self.staying.is_none() {
            self.compare();
            let mut staying: HashMap<u64, Vec<usize>> = HashMap::new();
            for (index, (card, _)) in self.cards.iter().enumerate() {
                if !self.found.contains_key(&index) && card.has_players() && card.plies > 0 {
                    staying.entry(card.moves).or_default().push(index);
                }
            }
            self.staying = Some(staying);
        }
        let mut index = self.looked;
        let filter = self.filter.clone();
        Scanner::new().filter(filter).run(base, |scanned| {
            self.look_within_game(index, scanned.game);
            index = index.saturating_add(1);
            Ok::<_, Error>(progress(scanned.progress))
        })?;
        self.looked = index;
        Ok(())
    }

    fn look_within_game(&mut self, index: usize, game: &Game) {
        let (Some((card, _)), Some(staying)) = (self.cards.get(index), &self.staying) else {
            return;
        };
        if self.found.contains_key(&index) {
            return;
        }
        let mut line = LineHash::start(game);
        for m in game.main_line() {
            line.play(m.bits());
            if line.plies >= card.plies {
                break;
            }
            for shorter in staying.get(&line.hash).into_iter().flatten().copied() {
                let Some((other, _)) = self.cards.get(shorter) else { continue };
                if other.plies == line.plies && card.agrees(other, &self.names) {
                    self.found.entry(shorter).or_insert((index, Kind::Contained));
                }
            }
        }
    }

    /// Compares the games of the same moves.
    fn compare(&mut self) {
        let mut same: HashMap<u64, Vec<usize>> = HashMap::with_capacity(self.cards.len());
        for (index, (card, _)) in self.cards.iter().enumerate() {
            same.entry(card.moves).or_default().push(index);
        }
        for mut group in same.into_values().filter(|group| group.len() > 1) {
            // The best first; of equals, the first.
            let card = |index: &usize| self.cards.get(*index).map(|(card, _)| card);
            group.sort_by(|one, other| match (card(one), card(other)) {
                (Some(a), Some(b)) if a.is_worth_more(b) => std::cmp::Ordering::Less,
                (Some(a), Some(b)) if b.is_worth_more(a) => std::cmp::Ordering::Greater,
                _ => one.cmp(other),
            });
            let mut staying: Vec<usize> = Vec::new();
            for index in group {
                let agrees = |other: &usize| match (card(&index), card(other)) {
                    (Some(a), Some(b)) => a.plies == b.plies && a.agrees(b, &self.names),
                    _ => false,
                };
                match staying.iter().copied().find(|other| agrees(other)) {
                    Some(other) => drop(self.found.insert(index, (other, Kind::Same))),
                    None => staying.push(index),
                }
            }
        }
    }

    /// What was found.
    #[must_use]
    pub fn finish(mut self) -> Duplicates {
        if self.staying.is_none() {
            self.compare();
        }
        let place = |index: usize| self.cards.get(index).map(|(_, place)| *place);
        let mut pairs: Vec<Pair> = self
            .found
            .iter()
            .filter_map(|(index, (stays, kind))| {
                // What stays may itself be the beginning of another, which is longer.
                let mut last = *stays;
                while let Some((longer, _)) = self.found.get(&last) {
                    last = *longer;
                }
                Some(Pair { game: place(*index)?, stays: place(last)?, kind: *kind })
            })
            .collect();
        pairs.sort_by_key(|pair| pair.game);
        Duplicates { games: self.cards.len() as u64, pairs }
    }
}
