//! Compares our speed with the speed of other programs; see README.md.

mod commented;
mod decode;
mod pgn_text;
mod scid_program;

use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let passes = arguments.get(2).and_then(|passes| passes.parse().ok()).unwrap_or(7);
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["decode", base, ..] => decode::run(base, passes),
        ["pgn", file, ..] => pgn_text::run(file, passes),
        ["export", base, ..] => scid_program::export(base, passes),
        ["commented", file, out] => commented::write(file, out),
        ["import", file, ..] => scid_program::import(file, passes),
        _ => {
            eprint!("{}", include_str!("../README.md"));
            std::process::exit(2);
        }
    }
}

/// How long some work took.
#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    /// The processor time of all its threads.
    processor: Duration,
}

/// Runs two bodies in turn. Each returns a description of its work. Prints every pass, then medians
/// and their ratios.
fn side_by_side(
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
fn timed(body: impl FnOnce() -> String) -> (Took, String) {
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
