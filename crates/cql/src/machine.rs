//! Items of `line` and `path` with repetitions, as an automaton.
//!
//! Each state is one occurrence of an item, so `A B{2}` has the states A, B, B. The automaton says
//! which states begin a match, which end one, and which may follow each. It has no empty steps. A
//! search keeps the set of active states and moves from position to position:
//!
//! ```text
//! A B* C     first {A}    follow A {B C}  B {B C}  C {}    last {C}
//! ```
//!
//! So a search of n positions costs at most n times the number of states, however the repetitions
//! are nested.

/// The most states of one automaton.
pub(crate) const MAX_STATES: usize = 512;

/// A set of states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct States([u64; MAX_STATES / 64]);

impl States {
    pub(crate) fn one(state: usize) -> States {
        let mut states = States::default();
        if let Some(word) = states.0.get_mut(state / 64) {
            *word = 1_u64.wrapping_shl(u32::try_from(state % 64).unwrap_or_default());
        }
        states
    }

    #[inline]
    pub(crate) fn contains(&self, state: usize) -> bool {
        self.0.get(state / 64).is_some_and(|word| word >> (state % 64) & 1 != 0)
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    #[inline]
    pub(crate) fn add(&mut self, other: &States) {
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
    }

    #[inline]
    pub(crate) fn remove(&mut self, other: &States) {
        self.0.iter_mut().zip(other.0).for_each(|(word, gone)| *word &= !gone);
    }

    /// Iterates over the states of the set.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(place, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = usize::try_from(rest.trailing_zeros()).ok().filter(|bit| *bit < 64)?;
                rest &= rest.wrapping_sub(1);
                Some(place.wrapping_mul(64).wrapping_add(bit))
            })
        })
    }
}

/// The automaton of a sequence.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Machine {
    pub(crate) first: States,
    /// The states of `first`.
    pub(crate) begin: Vec<usize>,
    pub(crate) last: States,
    /// Whether no item at all matches.
    pub(crate) empty: bool,
    /// The number of the filter of each state.
    pub(crate) atoms: Vec<usize>,
    pub(crate) follow: Vec<States>,
}

/// An item of a sequence.
#[derive(Debug)]
pub(crate) enum Item {
    /// The number of a filter.
    Atom(usize),
    Group(Vec<Item>),
    Repeat(Box<Item>, u64, Option<u64>),
}

/// A part of the automaton while it is built.
struct Part {
    first: States,
    last: States,
    empty: bool,
}

impl Part {
    const NOTHING: Part = Part {
        first: States([0; MAX_STATES / 64]),
        last: States([0; MAX_STATES / 64]),
        empty: true,
    };
}

impl Machine {
    /// Builds the automaton of a group. Returns nothing if it has too many states.
    pub(crate) fn new(group: &[Item]) -> Option<Machine> {
        let mut machine = Machine::default();
        let part = machine.group(group)?;
        (machine.first, machine.last, machine.empty) = (part.first, part.last, part.empty);
        machine.begin = machine.first.iter().collect();
        Some(machine)
    }

    /// Returns the least number of states on the way from the start to the end of a match.
    pub(crate) fn least(&self, takes: impl Fn(usize) -> bool) -> u32 {
        if self.empty {
            return 0;
        }
        let (mut reached, mut front, mut steps) = (States::default(), self.first, 0_u32);
        // States whose filter takes no move are passed without a step.
        loop {
            let mut next = States::default();
            let mut waiting = front;
            while !waiting.is_empty() {
                let states = waiting;
                waiting = States::default();
                reached.add(&states);
                for state in states.iter() {
                    let atom = self.atoms.get(state).copied().unwrap_or_default();
                    let follow = self.follow.get(state).copied().unwrap_or_default();
                    let step = takes(atom);
                    if self.last.contains(state) {
                        return steps.saturating_add(u32::from(step));
                    }
                    if step { &mut next } else { &mut waiting }.add(&follow);
                }
                waiting.remove(&reached);
            }
            next.remove(&reached);
            if next.is_empty() {
                return steps;
            }
            front = next;
            steps = steps.saturating_add(1);
        }
    }

    /// Returns whether every match has this filter.
    pub(crate) fn requires(&self, atom: usize) -> bool {
        let is_other = |state: &usize| self.atoms.get(*state).is_some_and(|other| *other != atom);
        let (mut reached, mut waiting) = (States::default(), self.first);
        while !waiting.is_empty() {
            let now = waiting;
            reached.add(&now);
            waiting = States::default();
            for state in now.iter().filter(is_other) {
                if self.last.contains(state) {
                    return false;
                }
                if let Some(follow) = self.follow.get(state) {
                    waiting.add(follow);
                }
            }
            waiting.remove(&reached);
        }
        !self.empty
    }

    fn part(&mut self, item: &Item) -> Option<Part> {
        match item {
            Item::Atom(atom) => {
                let state = self.atoms.len();
                if state >= MAX_STATES {
                    return None;
                }
                self.atoms.push(*atom);
                self.follow.push(States::default());
                Some(Part { first: States::one(state), last: States::one(state), empty: false })
            }
            Item::Group(items) => self.group(items),
            Item::Repeat(item, low, high) => self.repeat(item, *low, *high),
        }
    }

    fn group(&mut self, items: &[Item]) -> Option<Part> {
        let mut all = Part::NOTHING;
        for item in items {
            let part = self.part(item)?;
            all = self.join(all, part);
        }
        Some(all)
    }

    fn join(&mut self, a: Part, b: Part) -> Part {
        self.connect(&a.last, &b.first);
        let mut joined = Part { first: a.first, last: b.last, empty: a.empty && b.empty };
        if a.empty {
            joined.first.add(&b.first);
        }
        if b.empty {
            joined.last.add(&a.last);
        }
        joined
    }

    fn connect(&mut self, from: &States, to: &States) {
        for state in from.iter() {
            if let Some(follow) = self.follow.get_mut(state) {
                follow.add(to);
            }
        }
    }

    fn repeat(&mut self, item: &Item, low: u64, high: Option<u64>) -> Option<Part> {
        let mut all = Part::NOTHING;
        let Some(high) = high else {
            for _ in 1..low {
                let part = self.part(item)?;
                all = self.join(all, part);
            }
            let mut looped = self.part(item)?;
            self.connect(&looped.last, &looped.first);
            looped.empty |= low == 0;
            return Some(self.join(all, looped));
        };
        for _ in 0..low {
            let part = self.part(item)?;
            all = self.join(all, part);
        }
        // The optional copies may end a match after each, and only the one before leads to the next.
        let mut before = Part { first: all.first, last: all.last, empty: all.empty };
        for _ in low..high {
            let part = self.part(item)?;
            self.connect(&before.last, &part.first);
            if before.empty {
                all.first.add(&part.first);
            }
            all.last.add(&part.last);
            let mut last = part.last;
            if part.empty {
                last.add(&before.last);
            }
            before = Part { first: part.first, last, empty: before.empty && part.empty };
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the automaton accepts a word whose letters are the numbers of atoms.
    fn accepts(machine: &Machine, word: &[usize]) -> bool {
        let Some((end, front)) = word.split_last() else { return machine.empty };
        let mut states = machine.first;
        for letter in front {
            let mut next = States::default();
            for state in states.iter().filter(|state| machine.atoms[*state] == *letter) {
                next.add(&machine.follow[state]);
            }
            states = next;
        }
        states.iter().any(|state| machine.atoms[state] == *end && machine.last.contains(state))
    }

    fn repeat(item: Item, low: u64, high: Option<u64>) -> Item {
        Item::Repeat(Box::new(item), low, high)
    }

    #[test]
    fn machine_repetitions_accept_their_words() {
        use Item::{Atom, Group};
        let machine = Machine::new(&[Atom(0), repeat(Atom(1), 0, None), Atom(2)]).unwrap();
        assert!(accepts(&machine, &[0, 2]) && accepts(&machine, &[0, 1, 1, 1, 2]));
        assert!(!accepts(&machine, &[0, 1]) && !accepts(&machine, &[1, 2]));
        let machine = Machine::new(&[repeat(Atom(0), 2, Some(4)), Atom(1)]).unwrap();
        for n in 0..7 {
            let word: Vec<usize> = std::iter::repeat_n(0, n).chain([1]).collect();
            assert_eq!(accepts(&machine, &word), (2..=4).contains(&n), "{n}");
        }
        let pair = Group(vec![Atom(0), repeat(Atom(1), 0, Some(1))]);
        let machine = Machine::new(&[repeat(pair, 2, None)]).unwrap();
        assert!(accepts(&machine, &[0, 0]) && accepts(&machine, &[0, 1, 0, 0, 1]));
        assert!(!accepts(&machine, &[0, 1]) && !accepts(&machine, &[0, 1, 1, 0]));
        let machine = Machine::new(&[repeat(Atom(0), 0, Some(3))]).unwrap();
        assert!(machine.empty && accepts(&machine, &[0, 0, 0]) && !accepts(&machine, &[0; 4]));
        let star = || repeat(Atom(0), 0, None);
        let machine = Machine::new(&[repeat(Group(vec![star(), star()]), 0, None)]).unwrap();
        assert!(accepts(&machine, &[0; 9]) && machine.atoms.len() == 2);
    }

    #[test]
    fn machine_too_many_states_is_refused() {
        let item = repeat(repeat(Item::Atom(0), 100, None), 100, None);
        assert!(Machine::new(&[item]).is_none());
    }

    #[test]
    fn least_of_items_is_shortest_match() {
        let items =
            [repeat(Item::Atom(0), 3, Some(9)), repeat(Item::Atom(1), 0, None), Item::Atom(2)];
        let machine = Machine::new(&items).unwrap();
        assert_eq!(machine.least(|_| true), 4);
        assert_eq!(machine.least(|atom| atom != 0), 1);
    }
}
