//! The calling thread and its workers.

use std::collections::VecDeque;

use chess_store::AnyError;

use super::handle::WorkerHandle;
use super::source::WorkSource;
use super::worker::Worker;
use super::{Batch, QUEUE, Transform};
use crate::base::Progress;

/// How many results the caller may buffer out of order: twice a worker's queue, so that the caller
/// does not stall while that worker empties its queue.
const CALLER_RESULTS: usize = 2 * QUEUE;
/// Bytes of stream blocks in flight, for each place in the queues. Fits several usual blocks, or one
/// block with a game of the largest allowed size.
const BLOCK_BYTES: usize = 1 << 18;

/// Hands out chunks to workers, and delivers their batches in input order.
pub(super) struct Pool<'a, T: Transform> {
    source: WorkSource<'a>,
    /// The worker of the calling thread; `None` if the calling thread only delivers.
    caller: Option<Worker<'a, T>>,
    handles: Vec<WorkerHandle<T::Output>>,
    /// The processing thread of each chunk that was handed out and not yet delivered, in input order.
    order: VecDeque<Slot>,
    /// Batches that the calling thread filled and that are not yet due, in input order.
    results: VecDeque<Batch<T::Output>>,
    /// Bytes of the stream blocks in flight.
    bytes: usize,
    /// Empty batches for reuse.
    spare: Vec<Batch<T::Output>>,
    /// Set once the source is exhausted or has failed.
    end: Option<Result<(), AnyError>>,
}

/// The thread that processes a chunk.
enum Slot {
    /// Index in `handles`.
    Worker(usize),
    Caller,
}

impl<'a, T: Transform> Pool<'a, T> {
    pub(super) fn new(
        source: WorkSource<'a>,
        caller: Option<Worker<'a, T>>,
        handles: Vec<WorkerHandle<T::Output>>,
    ) -> Pool<'a, T> {
        Pool {
            source,
            caller,
            handles,
            order: VecDeque::new(),
            results: VecDeque::new(),
            bytes: 0,
            spare: Vec::new(),
            end: None,
        }
    }

    pub(super) fn run<E>(
        mut self,
        each: &mut impl FnMut(&mut Batch<T::Output>, Progress) -> Result<bool, E>,
    ) -> Result<(), E> {
        loop {
            self.hand_out();
            let goes_on = match self.order.pop_front() {
                None => break,
                Some(Slot::Caller) => self.deliver_own(each)?,
                Some(Slot::Worker(index)) => self.deliver_from(index, each)?,
            };
            if !goes_on {
                return Ok(());
            }
        }
        match self.end.take() {
            Some(Err(error)) => self.source.deliver_failure(error, each),
            _ => Ok(()),
        }
    }

    /// Sends chunks to the worker with the shortest queue, until all queues are full.
    fn hand_out(&mut self) {
        loop {
            let handles = self.handles.iter().enumerate();
            let shortest = handles.min_by_key(|(_, handle)| handle.waiting());
            let Some((index, _)) = shortest.filter(|(_, handle)| handle.waiting() < QUEUE) else {
                return;
            };
            let Some(batch) = self.next_chunk() else { return };
            if self.handles.get_mut(index).is_some_and(|handle| handle.send(batch)) {
                self.order.push_back(Slot::Worker(index));
            }
        }
    }

    /// Takes the next chunk from the source; `None` at its end, or if too many bytes are in flight.
    fn next_chunk(&mut self) -> Option<Batch<T::Output>> {
        let most = self.most_waiting().saturating_mul(BLOCK_BYTES);
        if self.end.is_some() || self.bytes >= most {
            return None;
        }
        let mut batch: Batch<T::Output> = self.spare.pop().unwrap_or_default();
        match self.source.next(&mut batch.chunk) {
            Ok(true) => {
                self.bytes += batch.chunk.block.bytes.len();
                return Some(batch);
            }
            Ok(false) => self.end = Some(Ok(())),
            Err(error) => self.end = Some(Err(error)),
        }
        self.spare.push(batch);
        std::mem::take(&mut self.spare).into_iter().for_each(|batch| self.free(batch));
        None
    }

    fn most_waiting(&self) -> usize {
        self.handles.len().saturating_add(1).saturating_mul(QUEUE)
    }

    /// Delivers the batches of the next chunk of worker `index`.
    fn deliver_from<E>(
        &mut self,
        index: usize,
        each: &mut impl FnMut(&mut Batch<T::Output>, Progress) -> Result<bool, E>,
    ) -> Result<bool, E> {
        // `None` means that the worker panicked. The scope then propagates the panic.
        while let Some(mut batch) = self.receive(index) {
            let more = batch.more;
            let late = self.caller.as_mut().map(Worker::transform_mut);
            if !self.source.deliver(&mut batch, late, each)? {
                break;
            }
            self.recycle(batch);
            if !more {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the next batch of worker `index`. Processes chunks on the calling thread while it waits.
    fn receive(&mut self, index: usize) -> Option<Batch<T::Output>> {
        loop {
            if let Some(batch) = self.handles.get_mut(index)?.try_receive() {
                return Some(batch);
            }
            if !self.help() {
                return self.handles.get_mut(index)?.receive();
            }
            self.hand_out();
        }
    }

    /// Processes the next chunk on the calling thread. Returns `false` if the caller does not help,
    /// its buffer is full, or no chunk is available.
    fn help(&mut self) -> bool {
        if self.caller.is_none() || self.results.len() >= CALLER_RESULTS {
            return false;
        }
        let Some(mut batch) = self.next_chunk() else { return false };
        if let Some(worker) = &mut self.caller {
            worker.fill(&mut batch);
        }
        self.results.push_back(batch);
        self.order.push_back(Slot::Caller);
        true
    }

    fn deliver_own<E>(
        &mut self,
        each: &mut impl FnMut(&mut Batch<T::Output>, Progress) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let (Some(worker), Some(mut batch)) = (&mut self.caller, self.results.pop_front()) else {
            return Ok(false);
        };
        let goes_on = worker.finish(&mut batch, &mut self.source, each)?;
        self.recycle(batch);
        Ok(goes_on)
    }

    fn recycle(&mut self, mut batch: Batch<T::Output>) {
        self.bytes = self.bytes.saturating_sub(batch.chunk.block.bytes.len());
        if self.end.is_none() && self.spare.len() < self.most_waiting() {
            batch.retire();
            self.spare.push(batch);
        } else {
            self.free(batch);
        }
    }

    /// Frees a batch on the least busy worker thread.
    fn free(&self, batch: Batch<T::Output>) {
        if let Some(handle) = self.handles.iter().min_by_key(|handle| handle.waiting()) {
            handle.free(batch);
        }
    }
}
