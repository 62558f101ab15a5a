//! A worker thread, and the queues to and from it.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::Scope as Threads;

use super::worker::Worker;
use super::{BATCH_BYTES, Batch, QUEUE, Transform, TransformOutput};

/// Bytes of games that one worker may have produced and the caller not yet received.
const MAX_PENDING: usize = QUEUE * BATCH_BYTES;

/// Byte-bounded semaphore for unconsumed output. Always admits one batch, whatever its size.
struct ByteSemaphore {
    /// Bytes held; `None` once the consumer is gone.
    used: Mutex<Option<usize>>,
    released: Condvar,
}

impl ByteSemaphore {
    fn new() -> ByteSemaphore {
        ByteSemaphore { used: Mutex::new(Some(0)), released: Condvar::new() }
    }

    /// Blocks until `bytes` fit. Returns `false` if the consumer is gone.
    fn acquire(&self, bytes: usize) -> bool {
        let is_full = |used: &mut Option<usize>| {
            used.is_some_and(|used| used > 0 && used.saturating_add(bytes) > MAX_PENDING)
        };
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let used = self.released.wait_while(used, is_full);
        let mut used = used.unwrap_or_else(PoisonError::into_inner);
        match &mut *used {
            Some(used) => {
                *used += bytes;
                true
            }
            None => false,
        }
    }

    fn release(&self, bytes: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.map(|used| used.saturating_sub(bytes));
        self.released.notify_one();
    }

    fn close(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.released.notify_one();
    }
}

/// A batch for a worker thread, and what the thread does with it.
enum Task<T> {
    /// Processes its chunk.
    Fill(Batch<T>),
    /// Frees its memory, because the calling thread has enough to do.
    Free(Batch<T>),
}

/// The caller's end of a worker thread: chunks go in, batches come out in the same order.
pub(super) struct WorkerHandle<T> {
    tasks: Sender<Task<T>>,
    /// Chunks that were sent and whose last batch was not yet received.
    waiting: usize,
    batches: Receiver<Batch<T>>,
    semaphore: Arc<ByteSemaphore>,
}

impl<T: TransformOutput> WorkerHandle<T> {
    /// Starts a thread that runs `worker`.
    pub(super) fn spawn<'scope, F: Transform<Output = T> + 'scope>(
        scope: &'scope Threads<'scope, '_>,
        worker: Worker<'scope, F>,
    ) -> WorkerHandle<T>
    where
        T: 'scope,
    {
        let (tasks, to_do) = channel();
        let (done, batches) = sync_channel(QUEUE);
        let semaphore = Arc::new(ByteSemaphore::new());
        let shared = Arc::clone(&semaphore);
        scope.spawn(move || run_worker(worker, &to_do, &done, &shared));
        WorkerHandle { tasks, waiting: 0, batches, semaphore }
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Queues a chunk. Returns `false` if the thread has ended.
    pub(super) fn send(&mut self, batch: Batch<T>) -> bool {
        self.waiting += 1;
        self.tasks.send(Task::Fill(batch)).is_ok()
    }

    /// Frees a batch on the thread.
    pub(super) fn free(&self, batch: Batch<T>) {
        // If the thread has ended, the batch is freed here.
        let _ = self.tasks.send(Task::Free(batch));
    }

    /// Returns the next batch if it is ready.
    pub(super) fn try_receive(&mut self) -> Option<Batch<T>> {
        let batch = self.batches.try_recv().ok()?;
        Some(self.received(batch))
    }

    /// Blocks until the next batch is ready. Returns `None` if the thread has ended.
    pub(super) fn receive(&mut self) -> Option<Batch<T>> {
        let batch = self.batches.recv().ok()?;
        Some(self.received(batch))
    }

    fn received(&mut self, batch: Batch<T>) -> Batch<T> {
        self.semaphore.release(batch.bytes);
        self.waiting = self.waiting.saturating_sub(usize::from(!batch.more));
        batch
    }
}

impl<T> Drop for WorkerHandle<T> {
    fn drop(&mut self) {
        self.semaphore.close();
    }
}

/// Processes chunks until the channel closes or the consumer is gone.
fn run_worker<T: Transform>(
    mut worker: Worker<'_, T>,
    to_do: &Receiver<Task<T::Output>>,
    done: &SyncSender<Batch<T::Output>>,
    semaphore: &ByteSemaphore,
) {
    for task in to_do {
        let mut batch = match task {
            Task::Fill(batch) => batch,
            Task::Free(batch) => {
                drop(batch);
                continue;
            }
        };
        loop {
            worker.fill(&mut batch);
            // The rest of the chunk continues in a batch of its own.
            let rest = batch.more.then(|| std::mem::take(&mut batch.chunk));
            if let Some(rest) = &rest {
                batch.chunk.block.used_place = rest.block.used_place;
            }
            if !semaphore.acquire(batch.bytes) || done.send(batch).is_err() {
                return;
            }
            match rest {
                Some(chunk) => batch = Batch { chunk, ..Batch::default() },
                None => break,
            }
        }
    }
}
