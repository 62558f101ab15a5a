//! Measures two programs by turns.

use std::time::{Duration, Instant};

/// How long some work took.
#[derive(Clone, Copy)]
pub struct Took {
    pub wall: Duration,
    pub processor: Duration,
}

/// Runs two bodies in turn. Each returns a description of its work. Prints every pass, then medians
/// and their ratios.
pub fn side_by_side(
    passes: usize,
    mut ours: impl FnMut() -> (Took, String),
    mut peer: impl FnMut() -> (Took, String),
) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for pass in 0..=passes {
        let (our_time, our_work) = ours();
        let (peer_time, peer_work) = peer();
        if pass == 0 {
            println!("ours: {our_work}\npeer: {peer_work}");
            continue; // warm-up
        }
        println!("{}", beside("pass", our_time.processor, peer_time.processor));
        a.push(our_time);
        b.push(peer_time);
    }
    println!("{}", beside("median", median(&a, |took| took.wall), median(&b, |took| took.wall)));
    let processor = |times: &[Took]| median(times, |took| took.processor);
    println!("{}", beside("processor", processor(&a), processor(&b)));
}

fn beside(name: &str, ours: Duration, peer: Duration) -> String {
    let ratio = peer.as_secs_f64() / ours.as_secs_f64();
    format!("{name}: ours {ours:.3?}, peer {peer:.3?}, ratio {ratio:.2}")
}

fn median(times: &[Took], of: fn(&Took) -> Duration) -> Duration {
    let mut times: Vec<_> = times.iter().map(of).collect();
    times.sort();
    times[times.len() / 2]
}

/// Measures work on this thread. Without Linux's `/proc`, its processor time counts as its time.
pub fn timed(body: impl FnOnce() -> String) -> (Took, String) {
    let (start, processor) = (Instant::now(), processor_time());
    let work = body();
    let wall = start.elapsed();
    let used = processor_time().zip(processor).map(|(end, start)| end.saturating_sub(start));
    (Took { wall, processor: used.unwrap_or(wall) }, work)
}

/// Returns the processor time of this thread.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
