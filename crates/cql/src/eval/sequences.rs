//! `find`, `line` and `path`.

use chess_core::Bitboard;

use super::{Eval, Fronts, UNKNOWN};
use crate::expr::{Find, Kind, Sequence};
use crate::line::NONE;
use crate::machine::States;

impl Eval<'_> {
    pub(super) fn find(&mut self, find: &Find) -> Option<u32> {
        let here = self.state.at;
        if find.backward {
            let mut at = here;
            while at != NONE && !self.is_exhausted() {
                if self.there(at, |eval| eval.test(&find.what)) {
                    return Some(at);
                }
                at = self.state.line.spot(at).parent;
            }
            return None;
        }
        if self.variations {
            return self.in_subtree(|eval| eval.test(&find.what));
        }
        let end = self.state.line.len();
        let slot = find.memo.0.map(usize::from);
        let (mut result, mut stop) = (NONE, end);
        let mut at = here;
        while at < end {
            if let Some(gate) = &find.gate {
                let Some(next) = self.there(at, |eval| eval.position(gate)) else { break };
                at = next;
            }
            let known = slot.and_then(|slot| self.state.found.get(slot)?.get(at as usize).copied());
            if let Some(known) = known.filter(|known| *known != UNKNOWN) {
                (result, stop) = (known, at);
                break;
            }
            if self.is_exhausted() {
                return None;
            }
            if self.there(at, |eval| eval.test(&find.what)) {
                (result, stop) = (at, at.saturating_add(1));
                break;
            }
            at = if find.of_pawns { self.next_pawn_move(at) } else { at.saturating_add(1) };
        }
        if let Some(table) = slot.and_then(|slot| self.state.found.get_mut(slot)) {
            table.resize(end as usize, UNKNOWN);
            let same = table.get_mut(here as usize..stop as usize);
            same.unwrap_or_default().fill(result);
        }
        (result != NONE).then_some(result)
    }

    /// The first position from here on, in the order of the main move first, where a test holds.
    fn in_subtree(&mut self, mut test: impl FnMut(&mut Self) -> bool) -> Option<u32> {
        let mut stack = self.state.stacks.pop().unwrap_or_default();
        stack.clear();
        stack.push(self.state.at);
        let mut found = None;
        let root = self.state.at;
        while let Some(at) = stack.pop() {
            if self.is_exhausted() {
                break;
            }
            if self.there(at, &mut test) {
                found = Some(at);
                break;
            }
            let spot = self.state.line.spot(at);
            let (sibling, child) = (spot.sibling, spot.child);
            if at != root && sibling != NONE {
                stack.push(sibling);
            }
            if child != NONE {
                stack.push(child);
            }
        }
        self.state.stacks.push(stack);
        found
    }

    /// How often `find all` finds.
    pub(super) fn find_all(&mut self, find: &Find) -> Option<i64> {
        let mut count = 0_i64;
        if find.backward {
            let mut at = self.state.at;
            while at != NONE && !self.is_exhausted() {
                count = count.wrapping_add(i64::from(self.there(at, |eval| eval.test(&find.what))));
                at = self.state.line.spot(at).parent;
            }
        } else if self.variations {
            self.in_subtree(|eval| {
                count = count.wrapping_add(i64::from(eval.test(&find.what)));
                false
            });
        } else {
            count = self.count_from_here(find);
        }
        match find.range {
            Some((low, high)) => (low..=high).contains(&count).then_some(count),
            None => (count > 0).then_some(count),
        }
    }

    /// Counts in the main line. The table of a pure filter holds the count from each position on.
    fn count_from_here(&mut self, find: &Find) -> i64 {
        let (here, end) = (self.state.at, self.state.line.len());
        let slot = find.memo.0.map(usize::from);
        let at_here = |table: &Vec<u32>| table.get(here as usize).copied();
        if let Some(known) = slot.and_then(|slot| self.state.found.get(slot)).and_then(at_here) {
            return i64::from(known);
        }
        let mut count = 0_u32;
        // With a table, all positions are counted at once.
        let first = if slot.is_some() { 0 } else { here };
        let mut table = slot.and_then(|slot| self.state.found.get_mut(slot)).map(std::mem::take);
        for at in (first..end).rev() {
            if self.is_exhausted() {
                break;
            }
            count = count.wrapping_add(u32::from(self.there(at, |eval| eval.test(&find.what))));
            if let Some(table) = &mut table {
                table.push(count);
            }
        }
        if let Some(mut table) = table {
            table.reverse();
            count = at_here(&table).unwrap_or_default();
            if let Some(place) = slot.and_then(|slot| self.state.found.get_mut(slot)) {
                *place = table;
            }
        }
        i64::from(count)
    }

    pub(super) fn has_sequence(&mut self, sequence: &Sequence) -> bool {
        // Only whether there is a match matters, so the search stops at the first.
        let any = sequence.ban.is_none() && sequence.range.is_none();
        self.sequence(sequence, any).is_some()
    }

    /// The length and the last position of the longest match from here on.
    pub(super) fn sequence(&mut self, sequence: &Sequence, any: bool) -> Option<(u32, u32)> {
        let here = self.state.at;
        let ban = sequence.ban.map(usize::from);
        let banned = ban.and_then(|ban| *self.state.bans.get(ban)?);
        if banned.is_some_and(|(first, last)| self.is_inside(here, first, last)) {
            return None;
        }
        if !self.passes_gate(sequence) {
            return None;
        }
        // Most positions begin no match.
        if !self.may_begin(sequence, any) {
            return None;
        }
        let mut fronts = self.state.fronts.pop().unwrap_or_default();
        let best = self.run(sequence, any, &mut fronts);
        self.state.at = here;
        self.state.fronts.push(fronts);
        let best = best.filter(|(length, _)| {
            sequence.range.is_none_or(|(low, high)| (low..=high).contains(&i64::from(*length)))
        });
        if let (Some(place), Some((_, last))) =
            (ban.and_then(|ban| self.state.bans.get_mut(ban)), best)
        {
            *place = Some((here, last));
        }
        best
    }

    /// Whether the item that every match has matches somewhere from here on, in the main line.
    #[inline]
    fn passes_gate(&mut self, sequence: &Sequence) -> bool {
        let slot = sequence.memo.0.map(usize::from);
        let (Some(state), Some(slot), false) = (sequence.gate, slot, self.variations) else {
            return true;
        };
        let known = self.state.gates.get(slot).copied().flatten();
        let end = known.unwrap_or_else(|| self.find_gate(sequence, state, slot));
        self.state.at < end
    }

    fn find_gate(&mut self, sequence: &Sequence, state: usize, slot: usize) -> u32 {
        let atom = sequence.machine.atoms.get(state).and_then(|atom| sequence.atoms.get(*atom));
        let moves = atom.is_some_and(|(moves, _)| *moves);
        let last = (0..self.state.line.len()).rev().find(|at| {
            // A search that is exhausted stops at the next position.
            self.is_exhausted()
                || self.there(*at, |eval| match eval.state.line.next(*at) {
                    NONE if moves => false,
                    child if moves => {
                        eval.atom_move(sequence, state, child, &mut Tested::default())
                    }
                    _ => eval.atom(sequence, state, &mut Tested::default()),
                })
        });
        let end = last.map_or(0, |last| last.saturating_add(1));
        if let Some(place) = self.state.gates.get_mut(slot) {
            *place = Some(end);
        }
        end
    }

    /// Whether the first item matches here.
    fn may_begin(&mut self, sequence: &Sequence, any: bool) -> bool {
        let machine = &*sequence.machine;
        if machine.empty {
            return true;
        }
        let here = self.state.at;
        let memo = sequence.memo.0.filter(|_| any).map(usize::from);
        for state in &machine.begin {
            let dead = memo.and_then(|memo| self.state.dead.get(memo)?.get(here as usize));
            if dead.is_some_and(|dead| dead.contains(*state)) {
                continue;
            }
            let atom = machine.atoms.get(*state).and_then(|atom| sequence.atoms.get(*atom));
            let mut tested = Tested::default();
            if atom.is_some_and(|(moves, _)| *moves) {
                let mut child = self.state.line.next(here);
                while child != NONE {
                    if self.atom_move(sequence, *state, child, &mut tested) {
                        return true;
                    }
                    tested = Tested::default();
                    child = self.state.line.spot(child).sibling;
                }
            } else if self.atom(sequence, *state, &mut tested) {
                return true;
            }
        }
        false
    }

    /// Whether a position lies after `first` on the way to `last`.
    fn is_inside(&self, number: u32, first: u32, last: u32) -> bool {
        let mut at = last;
        while at != NONE && at != first {
            if at == number {
                return true;
            }
            at = self.state.line.spot(at).parent;
        }
        false
    }

    fn run(&mut self, sequence: &Sequence, any: bool, fronts: &mut Fronts) -> Option<(u32, u32)> {
        let machine = &*sequence.machine;
        let mut best = machine.empty.then_some((0, self.state.at));
        if any && best.is_some() {
            return best;
        }
        let memo = sequence.memo.0.filter(|_| any).map(usize::from);
        fronts.now.clear();
        fronts.visited.clear();
        fronts.now.push((self.state.at, machine.first));
        let mut length = 0_u32;
        while !fronts.now.is_empty() {
            fronts.next.clear();
            let now = std::mem::take(&mut fronts.now);
            for (at, states) in &now {
                let mut states = *states;
                if let Some(dead) =
                    memo.and_then(|memo| self.state.dead.get(memo)?.get(*at as usize))
                {
                    states.remove(dead);
                }
                if states.is_empty() {
                    continue;
                }
                if memo.is_some() {
                    fronts.visited.push((*at, states));
                }
                self.state.at = *at;
                let found = if sequence.path {
                    self.path_step(sequence, states, length, &mut fronts.next)
                } else {
                    self.line_step(sequence, states, length, &mut fronts.next)
                };
                best = best.max(found);
                if any && best.is_some() || self.is_exhausted() {
                    fronts.now = now;
                    return best;
                }
            }
            fronts.now = now;
            std::mem::swap(&mut fronts.now, &mut fronts.next);
            length = length.saturating_add(1);
        }
        if let Some(dead) = memo.and_then(|memo| self.state.dead.get_mut(memo)) {
            dead.resize(self.state.line.spots.len(), States::default());
            for (at, states) in &fronts.visited {
                if let Some(place) = dead.get_mut(*at as usize) {
                    place.add(states);
                }
            }
        }
        best
    }

    /// One position of a `line`: each active state tests it.
    fn line_step(
        &mut self,
        sequence: &Sequence,
        states: States,
        length: u32,
        next: &mut Vec<(u32, States)>,
    ) -> Option<(u32, u32)> {
        let machine = &*sequence.machine;
        let (mut following, mut found) = (States::default(), None);
        let mut tested = Tested::default();
        for state in states.iter() {
            if self.atom(sequence, state, &mut tested) {
                if machine.last.contains(state) {
                    found = Some((length.saturating_add(1), self.state.at));
                }
                if let Some(follow) = machine.follow.get(state) {
                    following.add(follow);
                }
            }
        }
        if following.is_empty() {
            return found;
        }
        let steps = if sequence.single_color { 2 } else { 1 };
        if sequence.backward {
            let mut at = self.state.at;
            for _ in 0..steps {
                let spot = self.state.line.spot(at);
                if at == NONE || sequence.primary.is_some_and(|primary| primary != spot.primary) {
                    return found;
                }
                at = spot.parent;
            }
            if at != NONE {
                next.push((at, following));
            }
            return found;
        }
        self.descend(sequence, self.state.at, steps, following, next);
        found
    }

    /// Adds the positions after `steps` moves.
    fn descend(
        &self,
        sequence: &Sequence,
        at: u32,
        steps: u8,
        states: States,
        next: &mut Vec<(u32, States)>,
    ) {
        let mut child = self.state.line.next(at);
        while child != NONE {
            let spot = self.state.line.spot(child);
            if sequence.primary.is_none_or(|primary| primary == spot.primary) {
                if steps > 1 {
                    self.descend(sequence, child, steps.saturating_sub(1), states, next);
                } else {
                    next.push((child, states));
                }
            }
            child = spot.sibling;
        }
    }

    /// One position of a `path`: tests are passed without a move, moves lead to the positions after
    /// it.
    fn path_step(
        &mut self,
        sequence: &Sequence,
        states: States,
        length: u32,
        next: &mut Vec<(u32, States)>,
    ) -> Option<(u32, u32)> {
        let machine = &*sequence.machine;
        let (mut waiting, mut moving, mut done) = (states, States::default(), States::default());
        let mut found = None;
        let mut tested = Tested::default();
        while !waiting.is_empty() {
            let now = waiting;
            waiting = States::default();
            done.add(&now);
            for state in now.iter() {
                let atom = machine.atoms.get(state).and_then(|atom| sequence.atoms.get(*atom));
                if atom.is_some_and(|(moves, _)| *moves) {
                    moving.add(&States::one(state));
                } else if self.atom(sequence, state, &mut tested) {
                    if machine.last.contains(state) {
                        found = Some((length, self.state.at));
                    }
                    if let Some(follow) = machine.follow.get(state) {
                        waiting.add(follow);
                    }
                }
            }
            waiting.remove(&done);
        }
        if moving.is_empty() {
            return found;
        }
        let mut child = self.state.line.next(self.state.at);
        while child != NONE {
            let spot = self.state.line.spot(child);
            let (primary, sibling) = (spot.primary, spot.sibling);
            if sequence.primary.is_none_or(|wanted| wanted == primary) {
                let mut following = States::default();
                let mut tested = Tested::default();
                for state in moving.iter() {
                    if self.atom_move(sequence, state, child, &mut tested) {
                        if machine.last.contains(state) {
                            found = found.max(Some((length.saturating_add(1), child)));
                        }
                        if let Some(follow) = machine.follow.get(state) {
                            following.add(follow);
                        }
                    }
                }
                if !following.is_empty() {
                    next.push((child, following));
                }
            }
            child = sibling;
        }
        found
    }

    /// Whether the filter of a state matches here.
    fn atom(&mut self, sequence: &Sequence, state: usize, tested: &mut Tested) -> bool {
        let Some(atom) = sequence.machine.atoms.get(state) else { return false };
        let Some((_, filter)) = sequence.atoms.get(*atom) else { return false };
        tested.once(*atom, || self.test(filter))
    }

    /// Whether the filter of a state matches the move to `child`.
    fn atom_move(
        &mut self,
        sequence: &Sequence,
        state: usize,
        child: u32,
        tested: &mut Tested,
    ) -> bool {
        let Some(atom) = sequence.machine.atoms.get(state) else { return false };
        let Some((_, filter)) = sequence.atoms.get(*atom) else { return false };
        let Kind::Move(m) = &filter.kind else { return false };
        tested.once(*atom, || {
            self.work();
            let mut result = (Bitboard::EMPTY, 0);
            self.one_move(m, child, &mut result);
            result.1 > 0
        })
    }
}

/// Which of the first 64 filters were tested at a position, and with what result.
#[derive(Default)]
struct Tested {
    known: u64,
    matching: u64,
}

impl Tested {
    fn once(&mut self, atom: usize, test: impl FnOnce() -> bool) -> bool {
        let bit = u32::try_from(atom).ok().and_then(|atom| 1_u64.checked_shl(atom)).unwrap_or(0);
        if self.known & bit != 0 {
            return self.matching & bit != 0;
        }
        let result = test();
        self.known |= bit;
        if result {
            self.matching |= bit;
        }
        result
    }
}
