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

/// Runs two bodies in turn. Each returns a description of its work. Prints every pass, then medians
/// and their ratio.
fn side_by_side(
    passes: usize,
    mut ours: impl FnMut() -> (Duration, String),
    mut peer: impl FnMut() -> (Duration, String),
) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for pass in 0..=passes {
        let (our_time, our_work) = ours();
        let (peer_time, peer_work) = peer();
        if pass == 0 {
            println!("ours: {our_work}\npeer: {peer_work}");
            continue; // warm-up
        }
        let ratio = peer_time.as_secs_f64() / our_time.as_secs_f64();
        println!("ours {our_time:>10.3?}  peer {peer_time:>10.3?}  ratio {ratio:.2}");
        a.push(our_time);
        b.push(peer_time);
    }
    let ratio = median(&mut b).as_secs_f64() / median(&mut a).as_secs_f64();
    println!("median: ours {:.3?}, peer {:.3?}, ratio {ratio:.2}", median(&mut a), median(&mut b));
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn timed(body: impl FnOnce() -> String) -> (Duration, String) {
    let start = Instant::now();
    let work = body();
    (start.elapsed(), work)
}

/// Like [`timed`], but measures processor time if the system reports it. Use this for single
/// threads on a machine that does other work too.
fn processor_timed(body: impl FnOnce() -> String) -> (Duration, String) {
    let Some(start) = processor_time() else { return timed(body) };
    let work = body();
    (processor_time().unwrap_or_default().saturating_sub(start), work)
}

fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
