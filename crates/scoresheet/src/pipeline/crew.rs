//! This thread and the others, at work together.

use std::collections::VecDeque;

use chess_store::AnyError;

use super::lane::Lane;
use super::supply::Supply;
use super::worker::Worker;
use super::{AHEAD, Batch, Maker};
use crate::base::Progress;
use crate::filter::Filter;

/// Pieces of work this thread may have made before their turn: more than a lane has waiting, so
/// that it does not stand still while the lane works these off.
const OWN: usize = 2 * AHEAD;
/// Bytes of a stream that are handed out at a time, for each piece of work that may wait: some
/// usual blocks, or one with a game that is as long as a game may be.
const BLOCKS: usize = 1 << 18;

pub(super) struct Crew<'a, M: Maker> {
    supply: Supply<'a>,
    filter: &'a Filter,
    /// What this thread reads with, if it helps.
    own: Option<Worker<'a, M>>,
    lanes: Vec<Lane<M::Item>>,
    /// Who has the pieces of work that were handed out and are not used yet, in order.
    line: VecDeque<Piece>,
    /// What was made here before its turn.
    made: VecDeque<Batch<M::Item>>,
    /// Bytes of their blocks.
    bytes: usize,
    /// Batches to be used again.
    spare: Vec<Batch<M::Item>>,
    /// Why nothing more is handed out.
    end: Option<Result<(), AnyError>>,
}

/// Who has a piece of work.
enum Piece {
    /// The lane of this number.
    Lane(usize),
    /// This thread.
    Own,
}

impl<'a, M: Maker> Crew<'a, M> {
    pub(super) fn new(
        supply: Supply<'a>,
        filter: &'a Filter,
        own: Option<Worker<'a, M>>,
        lanes: Vec<Lane<M::Item>>,
    ) -> Crew<'a, M> {
        Crew {
            supply,
            filter,
            own,
            lanes,
            line: VecDeque::new(),
            made: VecDeque::new(),
            bytes: 0,
            spare: Vec::new(),
            end: None,
        }
    }

    pub(super) fn run<E>(
        mut self,
        each: &mut impl FnMut(&mut Batch<M::Item>, Progress) -> Result<bool, E>,
    ) -> Result<(), E> {
        loop {
            self.hand_out();
            let goes_on = match self.line.pop_front() {
                None => break,
                Some(Piece::Own) => self.use_own(each)?,
                Some(Piece::Lane(lane)) => self.use_lane(lane, each)?,
            };
            if !goes_on {
                return Ok(());
            }
        }
        match self.end.take() {
            Some(Err(error)) => self.supply.fail(error, each),
            _ => Ok(()),
        }
    }

    /// Sends work to the lanes until each has enough, first to those that have least.
    fn hand_out(&mut self) {
        loop {
            let lanes = self.lanes.iter().enumerate();
            let least = lanes.min_by_key(|(_, lane)| lane.waiting());
            let Some((number, _)) = least.filter(|(_, lane)| lane.waiting() < AHEAD) else {
                return;
            };
            let Some(batch) = self.next_work() else { return };
            if self.lanes.get_mut(number).is_some_and(|lane| lane.send(batch)) {
                self.line.push_back(Piece::Lane(number));
            }
        }
    }

    /// The next piece of work, if one may be handed out.
    fn next_work(&mut self) -> Option<Batch<M::Item>> {
        let most = self.most_waiting().saturating_mul(BLOCKS);
        if self.end.is_some() || self.bytes >= most {
            return None;
        }
        let mut batch: Batch<M::Item> = self.spare.pop().unwrap_or_default();
        match self.supply.next(&mut batch.work) {
            Ok(true) => {
                self.bytes = self.bytes.saturating_add(batch.work.block.bytes.len());
                return Some(batch);
            }
            Ok(false) => self.end = Some(Ok(())),
            Err(error) => self.end = Some(Err(error)),
        }
        None
    }

    fn most_waiting(&self) -> usize {
        self.lanes.len().saturating_add(1).saturating_mul(AHEAD)
    }

    /// Uses what a lane made of a piece of work.
    fn use_lane<E>(
        &mut self,
        lane: usize,
        each: &mut impl FnMut(&mut Batch<M::Item>, Progress) -> Result<bool, E>,
    ) -> Result<bool, E> {
        // None comes from a thread that panicked, and so will this one.
        while let Some(mut batch) = self.take(lane) {
            let more = batch.more;
            if !self.supply.use_batch(&mut batch, self.filter, each)? {
                break;
            }
            self.put_away(batch);
            if !more {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a lane makes next. Makes something itself as long as that is not there.
    fn take(&mut self, lane: usize) -> Option<Batch<M::Item>> {
        loop {
            if let Some(batch) = self.lanes.get_mut(lane)?.try_take() {
                return Some(batch);
            }
            if !self.help() {
                return self.lanes.get_mut(lane)?.take();
            }
            self.hand_out();
        }
    }

    /// Makes something of the next piece of work; `false` if it may not.
    fn help(&mut self) -> bool {
        if self.own.is_none() || self.made.len() >= OWN {
            return false;
        }
        let Some(mut batch) = self.next_work() else { return false };
        if let Some(worker) = &mut self.own {
            worker.fill(&mut batch);
        }
        self.made.push_back(batch);
        self.line.push_back(Piece::Own);
        true
    }

    fn use_own<E>(
        &mut self,
        each: &mut impl FnMut(&mut Batch<M::Item>, Progress) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let (Some(worker), Some(mut batch)) = (&mut self.own, self.made.pop_front()) else {
            return Ok(false);
        };
        let goes_on = worker.use_up(&mut batch, &mut self.supply, each)?;
        self.put_away(batch);
        Ok(goes_on)
    }

    fn put_away(&mut self, mut batch: Batch<M::Item>) {
        self.bytes = self.bytes.saturating_sub(batch.work.block.bytes.len());
        if self.spare.len() < self.most_waiting() {
            batch.clear();
            self.spare.push(batch);
        }
    }
}
