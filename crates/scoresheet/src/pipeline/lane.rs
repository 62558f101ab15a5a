//! A thread that works off what it is sent.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::Scope as Threads;

use super::worker::Worker;
use super::{AHEAD, BYTES, Batch, Item, Maker};

/// Bytes of games that each thread may have waiting when more than one batch waits.
const MADE: usize = AHEAD * BYTES;

/// Keeps what a thread has made and nobody has used yet to so many bytes, or one batch.
struct Room {
    /// Bytes that wait; `None` when nobody wants them any more.
    used: Mutex<Option<usize>>,
    left: Condvar,
}

impl Room {
    fn new() -> Room {
        Room { used: Mutex::new(Some(0)), left: Condvar::new() }
    }

    /// Waits until there is room; `false` if nobody wants it any more.
    fn enter(&self, bytes: usize) -> bool {
        let is_full = |used: &mut Option<usize>| {
            used.is_some_and(|used| used > 0 && used.saturating_add(bytes) > MADE)
        };
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let used = self.left.wait_while(used, is_full);
        let mut used = used.unwrap_or_else(PoisonError::into_inner);
        match &mut *used {
            Some(used) => {
                *used = used.saturating_add(bytes);
                true
            }
            None => false,
        }
    }

    fn leave(&self, bytes: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.map(|used| used.saturating_sub(bytes));
        self.left.notify_one();
    }

    fn close(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.left.notify_one();
    }
}

/// The two ends of a thread: where its work goes, and where what it made comes from.
pub(super) struct Lane<T> {
    work: Sender<Batch<T>>,
    /// How many pieces of work it was sent that were not used yet.
    waiting: usize,
    made: Receiver<Batch<T>>,
    room: Arc<Room>,
}

impl<T: Item> Lane<T> {
    pub(super) fn new<'scope, M: Maker<Item = T> + 'scope>(
        scope: &'scope Threads<'scope, '_>,
        worker: Worker<'scope, M>,
    ) -> Lane<T>
    where
        T: 'scope,
    {
        let (work, to_do) = channel();
        let (done, made) = sync_channel(AHEAD);
        let room = Arc::new(Room::new());
        let own = Arc::clone(&room);
        scope.spawn(move || work_off(worker, &to_do, &done, &own));
        Lane { work, waiting: 0, made, room }
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// `false` if the thread is no more.
    pub(super) fn send(&mut self, batch: Batch<T>) -> bool {
        self.waiting = self.waiting.saturating_add(1);
        self.work.send(batch).is_ok()
    }

    /// What was made next, if it is there by now.
    pub(super) fn try_take(&mut self) -> Option<Batch<T>> {
        let batch = self.made.try_recv().ok()?;
        Some(self.taken(batch))
    }

    /// What was made next, as soon as it is there; `None` if nothing will be.
    pub(super) fn take(&mut self) -> Option<Batch<T>> {
        let batch = self.made.recv().ok()?;
        Some(self.taken(batch))
    }

    fn taken(&mut self, batch: Batch<T>) -> Batch<T> {
        self.room.leave(batch.bytes);
        self.waiting = self.waiting.saturating_sub(usize::from(!batch.more));
        batch
    }
}

impl<T> Drop for Lane<T> {
    fn drop(&mut self) {
        self.room.close();
    }
}

/// Works until there is no more, or nobody wants it.
fn work_off<M: Maker>(
    mut worker: Worker<'_, M>,
    to_do: &Receiver<Batch<M::Item>>,
    done: &SyncSender<Batch<M::Item>>,
    room: &Room,
) {
    for mut batch in to_do {
        loop {
            worker.fill(&mut batch);
            // What is left goes on in a batch of its own.
            let rest = batch.more.then(|| std::mem::take(&mut batch.work));
            if let Some(rest) = &rest {
                batch.work.block.used_place = rest.block.used_place;
            }
            if !room.enter(batch.bytes) || done.send(batch).is_err() {
                return;
            }
            match rest {
                Some(work) => batch = Batch { work, ..Batch::default() },
                None => break,
            }
        }
    }
}
