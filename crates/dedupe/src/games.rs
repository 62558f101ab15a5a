//! Compares games: those with the same moves first, then those whose moves differ late.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use chess_core::{Color, Elo, Game};
use names::People;

use crate::candidates::Candidates;
use crate::evidence::{Differences, Moves, NEAR, REPEAT, weigh};
use crate::fingerprint::{Fingerprint, LineHash, Reduced, are_namesakes};
use crate::names::{Id, Interner, Names, words};

/// Games to compare.
///
/// Two games are duplicates if they have the same start position and moves, and their headers agree
/// where both are known:
///
/// - the players: the surname in full, an initial only for a given name;
/// - date, round and result;
/// - for games of less than twelve moves, the event. A different number in the same name (`game 1`,
///   `game 2`) makes the games different. Without a full date the events need a word in common;
/// - identifiers: addresses, numbers of servers, times of day, boards and time controls, compared
///   between tags of the same name.
///
/// If they do not agree, evidence is weighed. Two games are also duplicates if the fields that agree, above
/// all many equal moves, outweigh the others: a date a day or a year off, another result, a name
/// spelt otherwise, a few wrong moves, a missing end. [`Duplicates::near`] has what is almost enough.
///
/// If the other games of both names show two people ([`People`]), such games are no duplicates.
/// [`Duplicates::near`] has them.
///
/// A game with an unknown player (`?`, empty, `NN`) is a duplicate only of a game that is equal in
/// all tags, moves and annotations.
///
/// One game of each group of duplicates is kept. Games not marked as deleted come first, then the
/// game with the most annotations, then the most known tags, then the first game.
///
/// Memory: about 170 bytes per game and one per half-move, and each name once. A game that stays takes about 400 bytes more if more than 32 with the same moves stay.
#[derive(Debug)]
pub struct Games {
    threads: usize,
    fingerprints: Vec<(Fingerprint, Place)>,
    /// A byte for each ply of all games.
    lines: Vec<u8>,
    names: Names,
    /// For each game that is a duplicate: the game that is kept.
    found: Vec<Option<Match>>,
    /// Games that are almost duplicates, each with one other.
    near: Vec<(usize, Match)>,
    /// Indices of the games that are kept, by the hash of their moves. Filled by `look_within`.
    kept: Option<HashMap<u64, Candidates>>,
}

/// The games that were added.
#[derive(Debug)]
pub struct Added<'a> {
    fingerprints: &'a mut Vec<(Fingerprint, Place)>,
    lines: &'a mut Vec<u8>,
}

impl Added<'_> {
    /// Adds a game.
    pub fn push(&mut self, game: &Reduced, place: Place) {
        if let Some(fingerprint) = &game.fingerprint {
            self.fingerprints.push((Fingerprint { line: self.lines.len(), ..*fingerprint }, place));
            self.lines.extend_from_slice(&game.line);
        }
    }
}

/// A game of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Zero-based index of the base.
    pub base: usize,
    /// Zero-based number in its base.
    pub number: u64,
}

/// How a game duplicates another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The same moves.
    Same,
    /// The moves are the first moves of the other game.
    Contained,
    /// A few moves differ.
    Similar,
}

/// The game that a game was found to be a duplicate of.
#[derive(Clone, Copy, Debug)]
struct Match {
    /// The index of the game that is kept.
    stays: usize,
    kind: Kind,
    differences: Differences,
}

/// A duplicate, and the game that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// The duplicate.
    pub game: Place,
    /// The game that is kept.
    pub stays: Place,
    /// How `game` duplicates `stays`.
    pub kind: Kind,
    /// The fields that differ although both games know them. Empty if the headers agree.
    pub differences: Differences,
}

/// The duplicates found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Duplicates {
    /// Games compared.
    pub games: u64,
    /// The duplicates, in the order of the bases.
    pub pairs: Vec<Pair>,
    /// Pairs that are almost duplicates, in the order of the bases. Both games are kept unless
    /// `pairs` has them.
    pub near: Vec<Pair>,
}

impl Duplicates {
    /// Returns the numbers of the duplicates in a base, in rising order, for `Filter::without`
    /// of the crate `query`.
    #[must_use]
    pub fn of_base(&self, base: usize) -> Arc<[u64]> {
        self.pairs.iter().filter(|pair| pair.game.base == base).map(|p| p.game.number).collect()
    }

    /// Returns the numbers of the games in `base` that the first `bases` bases have too, in rising
    /// order.
    #[must_use]
    pub fn also_in(&self, bases: usize, base: usize) -> Vec<u64> {
        let is_first = |place: &Place| place.base < bases;
        let pairs = self.pairs.iter();
        let known: HashSet<Place> = { pairs }
            .filter(|pair| is_first(&pair.game) || is_first(&pair.stays))
            .map(|pair| pair.stays)
            .collect();
        let pairs = self.pairs.iter().filter(|pair| known.contains(&pair.stays));
        let places = pairs.flat_map(|pair| [pair.game, pair.stays]);
        let numbers: BTreeSet<u64> =
            places.filter(|place| place.base == base).map(|place| place.number).collect();
        numbers.into_iter().collect()
    }
}

impl Default for Games {
    fn default() -> Games {
        Games::new()
    }
}

impl Games {
    /// No games, compared on one thread.
    #[must_use]
    pub fn new() -> Games {
        Games {
            threads: 1,
            fingerprints: Vec::new(),
            lines: Vec::new(),
            names: Names::default(),
            found: Vec::new(),
            near: Vec::new(),
            kept: None,
        }
    }

    /// Uses `threads` threads. The result does not depend on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Games {
        Games { threads, ..self }
    }

    /// Adds games. The names of all games are shared: each thread that reads games makes a
    /// [`Fingerprinter`](crate::Fingerprinter) of them. Games are pushed in the order of their places.
    pub fn adding(&mut self) -> (Interner<'_>, Added<'_>) {
        let Games { names, fingerprints, lines, .. } = self;
        (names.interner(), Added { fingerprints, lines })
    }

    /// Finds games that are the beginning of a game. Call it for each game again, in the same order, after
    /// all games were added. Only games with known players and at least one move count. `index` is the
    /// number of calls before.
    pub fn look_within(&mut self, index: usize, game: &Game) {
        if self.kept.is_none() {
            self.compare();
            let mut kept: HashMap<u64, Candidates> = HashMap::new();
            let fingerprint_of =
                |index: usize| self.fingerprints.get(index).map(|(fingerprint, _)| fingerprint);
            for (index, (fingerprint, _)) in self.fingerprints.iter().enumerate() {
                let known = fingerprint.has_players(&self.names);
                if !self.is_found(index) && known && fingerprint.plies > 0 {
                    let kept = kept.entry(fingerprint.moves).or_default();
                    kept.push(index, fingerprint_of, &self.names);
                }
            }
            self.kept = Some(kept);
        }
        let (Some((fingerprint, _)), Some(kept)) = (self.fingerprints.get(index), &self.kept)
        else {
            return;
        };
        if self.is_found(index) {
            return;
        }
        let values = LazyCell::new(|| fingerprint.values(&self.names));
        let mut line = LineHash::start(game);
        for m in game.main_line() {
            line.play(m.bits());
            if line.plies >= fingerprint.plies {
                break;
            }
            let Some(kept) = kept.get(&line.hash) else { continue };
            for shorter in kept.lists(|| &values).flatten().copied() {
                let Some((other, _)) = self.fingerprints.get(shorter) else { continue };
                if let Some(found @ None) = self.found.get_mut(shorter)
                    && other.plies == line.plies
                    && fingerprint.agrees(other, &self.names)
                {
                    let (kind, differences) = (Kind::Contained, Differences::default());
                    *found = Some(Match { stays: index, kind, differences });
                }
            }
        }
    }

    fn is_found(&self, index: usize) -> bool {
        self.found.get(index).copied().flatten().is_some()
    }

    /// Compares the games that have the same moves.
    fn compare(&mut self) {
        // Games with the same moves are in one bucket.
        let mut buckets = vec![Vec::new(); BUCKETS];
        for (index, (fingerprint, _)) in self.fingerprints.iter().enumerate() {
            let bucket =
                usize::try_from(fingerprint.moves.checked_rem(BUCKETS as u64).unwrap_or(0));
            if let Some(bucket) = bucket.ok().and_then(|bucket| buckets.get_mut(bucket)) {
                bucket.push((fingerprint.moves, index));
            }
        }
        let (fingerprints, names, buckets) = (&self.fingerprints, &self.names, &buckets);
        let next = AtomicUsize::new(0);
        let compare = || {
            let mut comparison = Comparison::new(fingerprints, names);
            while let Some(bucket) = buckets.get(next.fetch_add(1, Ordering::Relaxed)) {
                comparison.add_bucket(bucket);
            }
            comparison.found
        };
        let found = thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(compare)).collect();
            let mut found = compare();
            // Propagate panics, or a partial result would look complete.
            for thread in others {
                found.extend(thread.join().unwrap_or_else(|why| resume_unwind(why)));
            }
            found
        });
        let mut all = vec![None; self.fingerprints.len()];
        let mut near = Vec::new();
        for (index, found, is_repeat) in found {
            match all.get_mut(index) {
                Some(slot) if is_repeat => *slot = Some(found),
                _ => near.push((index, found)),
            }
        }
        (self.found, self.near) = (all, near);
        self.compare_other_moves();
        self.keep_people_apart();
    }

    /// Moves pairs of games whose players are two people to `near`. The other games with their names
    /// show whether they are: a wrong given name or rating of one game makes no person.
    fn keep_people_apart(&mut self) {
        let player = |index: usize, color| {
            self.fingerprints.get(index).map(|(fingerprint, _)| fingerprint.player(color))
        };
        let mut doubtful: Vec<(usize, Match)> = Vec::new();
        let (mut members, mut asked) = (HashSet::new(), HashSet::new());
        for (index, found) in (0..).zip(&self.found) {
            let Some(found) = found else { continue };
            for color in [Color::White, Color::Black] {
                let both = player(index, color).zip(player(found.stays, color));
                let Some(((one, elo), (other, other_elo))) = both else { continue };
                let is_far = |(one, other): (Elo, Elo)| one.get().abs_diff(other.get()) > FAR;
                if elo.zip(other_elo).is_some_and(is_far)
                    || one != other && !self.names.agree(one, other, |a, b| !are_namesakes(a, b))
                {
                    doubtful.push((index, *found));
                    members.extend([index, found.stays]);
                    asked.extend([one, other]);
                }
            }
        }
        if doubtful.is_empty() {
            return;
        }
        let mut people = People::new();
        for (index, (fingerprint, _)) in self.fingerprints.iter().enumerate() {
            if members.contains(&index) || self.is_found(index) {
                continue;
            }
            for (name, elo) in [Color::White, Color::Black].map(|color| fingerprint.player(color)) {
                if asked.contains(&name) {
                    let seen = (fingerprint.date.year(), elo);
                    people.add_name(self.names.text(name), None, seen, 1);
                }
            }
        }
        let known = people.identities();
        let person = |(name, elo): (Id, Option<Elo>)| {
            let place = known.find(self.names.text(name), elo)?;
            known.people.get(place).filter(|person| person.games >= MIN_OWN).map(|_| place)
        };
        doubtful.retain_mut(|(index, found)| {
            let mut are_two = false;
            for color in [Color::White, Color::Black] {
                let one = player(*index, color).and_then(person);
                let other = player(found.stays, color).and_then(person);
                if one.zip(other).is_some_and(|(one, other)| one != other) {
                    found.differences.note_person(color);
                    are_two = true;
                }
            }
            are_two
        });
        for (index, found) in doubtful {
            if let Some(slot) = self.found.get_mut(index) {
                *slot = None;
            }
            self.near.push((index, found));
        }
        self.near.sort_by_key(|(index, found)| (*index, found.stays));
        self.near.dedup_by_key(|(index, _)| *index);
    }

    /// Compares games whose moves differ late: a wrong move, or a missing end. Games are in one block
    /// if their first plies and the surnames of both players are the same. Within a block, each is
    /// compared with its neighbours in the order of the moves.
    fn compare_other_moves(&mut self) {
        let mut blocks = Vec::new();
        for (index, (fingerprint, _)) in self.fingerprints.iter().enumerate() {
            if fingerprint.opening != 0 && fingerprint.whole == 0 && !self.is_found(index) {
                let players = [fingerprint.white, fingerprint.black].map(|id| self.surname(id));
                blocks.push((self.names.hash((fingerprint.opening, players)), index));
            }
        }
        let line = |index: usize| self.line(index);
        blocks.sort_unstable_by(|(one, a), (other, b)| {
            one.cmp(other).then_with(|| line(*a).cmp(line(*b))).then(a.cmp(b))
        });
        let (mut found, mut near) = (Vec::new(), Vec::new());
        for block in blocks.chunk_by(|(one, _), (other, _)| one == other) {
            for (place, (_, one)) in block.iter().enumerate() {
                let others = block.iter().skip(place + 1).take(NEIGHBOURS);
                for (_, other) in others {
                    let Some((index, found_match, points)) = self.match_other(*one, *other) else {
                        continue;
                    };
                    let list = if points >= REPEAT { &mut found } else { &mut near };
                    list.push((index, found_match));
                }
            }
        }
        for (index, found) in found {
            if !self.is_found(index)
                && !self.is_found(found.stays)
                && let Some(slot) = self.found.get_mut(index)
            {
                *slot = Some(found);
            }
        }
        self.near.append(&mut near);
        self.near.sort_by_key(|(index, found)| (*index, found.stays));
        let found = &self.found;
        self.near.retain(|(index, near)| {
            let is_found = |index: usize| found.get(index).is_none_or(Option::is_some);
            !is_found(*index) && !is_found(near.stays)
        });
        self.near.dedup_by_key(|(index, _)| *index);
    }

    /// Compares two games with different moves. Returns the game that is a duplicate, or almost one.
    fn match_other(&self, one: usize, other: usize) -> Option<(usize, Match, i32)> {
        let (first, _) = self.fingerprints.get(one)?;
        let (second, _) = self.fingerprints.get(other)?;
        let moves = Moves::of(self.line(one), self.line(other))?;
        let (points, differences) = weigh(first, second, moves, &self.names)?;
        let (kind, one_stays) = match moves {
            // Other games with the same moves were compared.
            Moves::Equal => return None,
            Moves::Prefix(_) => (Kind::Contained, first.plies > second.plies),
            Moves::Different(_) if first.is_better_than(second) => (Kind::Similar, true),
            Moves::Different(_) if second.is_better_than(first) => (Kind::Similar, false),
            Moves::Different(_) => (Kind::Similar, one < other),
        };
        let (index, stays) = if one_stays { (other, one) } else { (one, other) };
        Some((index, Match { stays, kind, differences }, points))
    }

    /// Returns the bytes of the main line of a game.
    fn line(&self, index: usize) -> &[u8] {
        let line = self.fingerprints.get(index).and_then(|(fingerprint, _)| {
            let end = fingerprint.line.checked_add(fingerprint.plies as usize)?;
            self.lines.get(fingerprint.line..end)
        });
        line.unwrap_or_default()
    }

    /// Returns the last word before the comma, or the last word.
    fn surname(&self, name: Id) -> Option<&str> {
        words(self.names.folded(name)?.split(',').next()?).last()
    }

    /// Returns the duplicates found.
    #[must_use]
    pub fn finish(mut self) -> Duplicates {
        if self.kept.is_none() {
            self.compare();
        }
        let place = |index: usize| self.fingerprints.get(index).map(|(_, place)| *place);
        let pair = |(index, found): (usize, Match)| {
            let Match { mut stays, kind, differences } = found;
            // The kept game may itself be the beginning of a longer game.
            while let Some(longer) = self.found.get(stays).copied().flatten() {
                stays = longer.stays;
            }
            Some(Pair { game: place(index)?, stays: place(stays)?, kind, differences })
        };
        // Games were added in the order of their places.
        let found = self.found.iter().enumerate();
        let found = found.filter_map(|(index, found)| Some((index, (*found)?)));
        let pairs = found.filter_map(pair).collect();
        let near = self.near.iter().copied().filter_map(pair).collect();
        Duplicates { games: self.fingerprints.len() as u64, pairs, near }
    }
}

/// Ratings further apart may be of two people.
const FAR: u16 = 400;
/// The fewest other games that show a person.
const MIN_OWN: u64 = 3;

/// The number of buckets: enough for the threads to finish at nearly the same time.
const BUCKETS: usize = 1024;

/// The number of games with which a game of other moves is compared.
const NEIGHBOURS: usize = 32;

/// The comparison of one thread.
struct Comparison<'a> {
    fingerprints: &'a [(Fingerprint, Place)],
    names: &'a Names,
    /// Index of each duplicate or near duplicate, with the game that is kept, and whether it is a
    /// duplicate.
    found: Vec<(usize, Match, bool)>,
    /// A bucket, sorted.
    bucket: Vec<(u64, usize)>,
    group: Vec<(usize, Fingerprint)>,
    /// Games of `group` that are kept.
    kept: Candidates,
}

impl<'a> Comparison<'a> {
    fn new(fingerprints: &'a [(Fingerprint, Place)], names: &'a Names) -> Comparison<'a> {
        let (found, bucket) = (Vec::new(), Vec::new());
        let (group, kept) = (Vec::new(), Candidates::default());
        Comparison { fingerprints, names, found, bucket, group, kept }
    }

    /// Compares the games of a bucket. Each entry is the hash of the moves and the index of the
    /// fingerprint.
    fn add_bucket(&mut self, bucket: &[(u64, usize)]) {
        let mut sorted = std::mem::take(&mut self.bucket);
        sorted.clear();
        sorted.extend_from_slice(bucket);
        sorted.sort_unstable();
        let groups = sorted.chunk_by(|(one, _), (other, _)| one == other);
        groups.filter(|group| group.len() > 1).for_each(|group| self.add_group(group));
        self.bucket = sorted;
    }

    /// Compares games with the same moves.
    fn add_group(&mut self, group: &[(u64, usize)]) {
        self.group.clear();
        let fingerprint = |index: usize| Some((index, self.fingerprints.get(index)?.0));
        self.group.extend(group.iter().filter_map(|(_, index)| fingerprint(*index)));
        // Best game first; ties keep the input order.
        self.group.sort_by(|(one, a), (other, b)| {
            let quality = b.is_better_than(a).cmp(&a.is_better_than(b));
            quality.then_with(|| one.cmp(other))
        });
        self.kept.clear();
        let (group, names) = (&self.group, self.names);
        let fingerprint_of = |place: usize| group.get(place).map(|(_, fingerprint)| fingerprint);
        for (place, (index, fingerprint)) in group.iter().enumerate() {
            let agrees = |other: usize| {
                fingerprint_of(other).is_some_and(|other| {
                    fingerprint.plies == other.plies && fingerprint.agrees(other, names)
                })
            };
            let values = LazyCell::new(|| fingerprint.values(names));
            // The first game that agrees, of all lists.
            let stays = self.kept.lists(|| &values).fold(None, |first, list| {
                let before = |other: &usize| first.is_none_or(|first| *other < first);
                let mut others = list.iter().copied().take_while(before);
                others.find(|other| agrees(*other)).or(first)
            });
            let mut add = |stays: usize, differences, is_repeat| {
                if let Some((stays, _)) = group.get(stays) {
                    let found = Match { stays: *stays, kind: Kind::Same, differences };
                    self.found.push((*index, found, is_repeat));
                }
            };
            if let Some(stays) = stays {
                add(stays, Differences::default(), true);
                continue;
            }
            // The game with the most points; the first of several.
            let mut best: Option<(i32, usize, Differences)> = None;
            for other in self.kept.lists(|| &values).flatten().copied() {
                let weighed = fingerprint_of(other)
                    .filter(|kept| kept.plies == fingerprint.plies)
                    .and_then(|kept| weigh(fingerprint, kept, Moves::Equal, names));
                if let Some((points, differences)) = weighed
                    && best
                        .is_none_or(|(most, at, _)| points > most || points == most && other < at)
                {
                    best = Some((points, other, differences));
                }
            }
            if let Some((points, stays, differences)) = best.filter(|(most, ..)| *most >= NEAR) {
                add(stays, differences, points >= REPEAT);
                if points >= REPEAT {
                    continue;
                }
            }
            self.kept.push(place, fingerprint_of, names);
        }
    }
}
