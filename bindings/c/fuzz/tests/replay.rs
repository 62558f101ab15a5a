//! Replays the seeds, and random inputs that are the same in each run.

use std::fs;
use std::path::Path;

#[test]
fn c_calls_seeds_and_regressions_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for folder in ["seeds", "regressions"] {
        let Ok(entries) = fs::read_dir(root.join(folder)) else { continue };
        for entry in entries {
            let _ = scoresheet_c_fuzz::c_calls(&fs::read(entry.unwrap().path()).unwrap());
            count += 1;
        }
    }
    assert!(count > 0, "no seeds");
}

#[test]
fn c_calls_random_inputs_pass() {
    // A linear congruential generator.
    let mut state = 1u64;
    let mut all = scoresheet_c_fuzz::Reached::default();
    for _ in 0..150 {
        let mut bytes = Vec::new();
        for _ in 0..1500 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            bytes.push((state >> 56) as u8);
        }
        let reached = scoresheet_c_fuzz::c_calls(&bytes);
        all.games += reached.games;
        all.damaged += reached.damaged;
        all.found += reached.found;
        all.written += reached.written;
    }
    // The calls are of no use if they only fail.
    assert!(all.games > 20 && all.damaged > 5 && all.found > 20 && all.written > 5, "{all:?}");
}
