//! Damages bytes, limits time, counts allocations.

use std::ops::Range;
use std::sync::mpsc;
use std::time::Duration;

use crate::games::Random;

/// Returns damaged versions of `bytes`: truncated at every length (at a sample of lengths if they
/// are long), and with bits and bytes changed, ranges removed, doubled and overwritten. Depends
/// only on the arguments.
pub fn damaged(bytes: &[u8], seed: u64, count: usize) -> impl Iterator<Item = Vec<u8>> + '_ {
    let mut random = Random::new(seed);
    let step = (bytes.len() / count.max(1)).max(1);
    let cuts = (0..bytes.len()).step_by(step).map(|length| bytes[..length].to_vec());
    let changes = (0..count).map(move |_| {
        let mut copy = bytes.to_vec();
        for _ in 0..=random.below(3) {
            change(&mut copy, &mut random);
        }
        copy
    });
    cuts.chain(changes)
}

/// Returns the bytes with one to four bytes of `stretch` overwritten. Depends only on the
/// arguments.
pub fn scratched(bytes: &[u8], stretch: Range<usize>, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut copy = bytes.to_vec();
    for _ in 0..=random.below(4) {
        copy[stretch.start + random.below(stretch.len())] = random.byte();
    }
    copy
}

fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(random.byte());
        return;
    }
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(8)).min(bytes.len());
    match random.below(6) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.byte(),
        2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xfe, 0xff][random.below(6)],
        3 => drop(bytes.drain(at..end)),
        4 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        _ => bytes[at..end].iter_mut().for_each(|byte| *byte = random.byte()),
    }
}

/// Runs a test body and fails if it takes longer than `seconds`. This is a watchdog against hangs
/// and no measure of speed, so be generous. The variable `PATIENCE` multiplies the time, for
/// emulated processors.
pub fn within<T: Send + 'static>(seconds: u64, body: impl FnOnce() -> T + Send + 'static) -> T {
    let patience = std::env::var("PATIENCE").map_or(1, |factor| factor.parse().unwrap());
    let seconds = seconds.saturating_mul(patience);
    let (sender, receiver) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        let value = body();
        let _ = sender.send(());
        value
    });
    match receiver.recv_timeout(Duration::from_secs(seconds)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("still running after {seconds} s"),
        _ => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}

/// Waits until `so` returns true, and fails if that takes longer than `most`.
pub fn wait_until(most: Duration, so: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !so() {
        assert!(start.elapsed() < most, "still not so after {most:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns the peak of memory that a body has allocated at one time, counting only this thread.
pub fn peak(body: impl FnOnce()) -> u64 {
    allocation_counter::measure(body).bytes_max
}

/// Returns how many allocations a body makes on this thread.
pub fn allocations(body: impl FnOnce()) -> u64 {
    allocation_counter::measure(body).count_total
}
