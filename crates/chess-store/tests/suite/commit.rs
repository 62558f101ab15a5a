//! A replaced base is the old one or the new one, after any interruption or failing call.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use testkit::{Faults, Random, Volume};

use crate::power_cut::{INDEX, NEW, NEXT, OLD, Scenario, calls, find_for_change, path};

const ONE: &[&str] = &["ix"];
const TWO: &[&str] = &["a1", "ix"];
const THREE: &[&str] = &["a1", "a2", "ix"];
const FIVE: &[&str] = &["a1", "a2", "a3", "a4", "ix"];

fn scenarios() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for extensions in [ONE, TWO, THREE, FIVE] {
        for replaces in [false, true] {
            for finds_first in [false, true] {
                let leaves_out = false;
                scenarios.push(Scenario { extensions, replaces, leaves_out, finds_first });
            }
        }
    }
    for extensions in [ONE, THREE] {
        let (replaces, leaves_out, finds_first) = (true, true, true);
        scenarios.push(Scenario { extensions, replaces, leaves_out, finds_first });
    }
    scenarios
}

/// The numbers of the calls of a complete run.
struct Run {
    /// The calls before the commit.
    begins: u64,
    calls: u64,
    syncs: u64,
}

fn whole_run(scenario: &Scenario) -> Run {
    let volume = scenario.volume();
    let begins = Cell::new(0);
    scenario.write(&volume, NEW, || begins.set(volume.calls())).unwrap();
    Run { begins: begins.get(), calls: volume.calls(), syncs: volume.syncs() }
}

/// Writes a base with these faults and checks all possible states of the disk. Returns the number
/// of states, or the first failure.
fn try_with(scenario: &Scenario, run: &Run, faults: &Faults, seed: u64) -> Result<u64, String> {
    let volume = scenario.volume();
    volume.set_faults(faults.clone());
    let began = Cell::new(false);
    let result = scenario.write(&volume, NEW, || began.set(true));
    let began = began.get() && faults.stop_after.is_none_or(|stop| stop >= run.begins);
    let (before, after) = (scenario.before(), Some(NEW));
    let sides: &[_] = match (&result, began) {
        (Ok(()), _) => &[after],
        (Err(_), true) => &[before, after],
        (Err(_), false) => &[before],
    };
    let effort = match faults {
        // At least one state must exist.
        Faults { ignored_sync: Some(_), .. } => (48, 1),
        Faults { fail_at, .. } if !fail_at.is_empty() => (8, 4),
        _ => (64, 4),
    };
    let looked = scenario.look_at_all(&volume, sides, effort, &mut Random::new(seed));
    looked.map_err(|why| format!("{scenario:?}, {faults:?}, {result:?}: {why}\n{}", calls(&volume)))
}

/// Interrupts the commit after every call.
fn stop_everywhere(scenario: &Scenario, faults: &Faults) -> Result<u64, String> {
    let run = whole_run(scenario);
    (0..=run.calls).try_fold(0, |states, stop| {
        let faults = Faults { stop_after: Some(stop), ..faults.clone() };
        Ok(states + try_with(scenario, &run, &faults, stop)?)
    })
}

#[test]
fn commit_stopped_after_any_call_is_old_or_new() {
    for scenario in scenarios() {
        let states = stop_everywhere(&scenario, &Faults::default());
        println!("{scenario:?}: {} states", states.unwrap_or_else(|why| panic!("{why}")));
    }
}

#[test]
fn commit_with_any_failing_call_is_old_or_new() {
    for scenario in scenarios() {
        let run = whole_run(&scenario);
        let mut states = 0;
        for call in 1..=run.calls {
            for fails_late in [false, true] {
                let faults = Faults { fail_at: vec![call], fails_late, ..Faults::default() };
                let looked = try_with(&scenario, &run, &faults, call);
                states += looked.unwrap_or_else(|why| panic!("{why}"));
                // The power also fails while the failure is handled.
                let stop_after = Some(call + 1 + call % 4);
                let looked = try_with(&scenario, &run, &Faults { stop_after, ..faults }, call);
                states += looked.unwrap_or_else(|why| panic!("{why}"));
            }
        }
        println!("{scenario:?}: {states} states");
    }
}

/// Returns the first failure with these faults, for any last call.
fn what_goes_wrong(scenario: &Scenario, faults: &Faults) -> Option<String> {
    stop_everywhere(scenario, faults).err().map(|why| first_line(&why))
}

fn first_line(why: &str) -> String {
    why.lines().next().unwrap_or_default().rsplit("): ").next().unwrap_or_default().to_owned()
}

/// Returns the numbers of the syncs whose omission causes no failure.
fn spare(syncs: u64, mut what_goes_wrong: impl FnMut(Faults) -> Option<String>) -> Vec<u64> {
    let mut is_spare = |sync: &u64| {
        let wrong = what_goes_wrong(Faults { ignored_sync: Some(*sync), ..Faults::default() });
        println!("  without sync {sync}: {}", wrong.as_deref().unwrap_or("no harm"));
        wrong.is_none()
    };
    (1..=syncs).filter(|sync| is_spare(sync)).collect()
}

#[test]
fn commit_without_any_sync_breaks_base() {
    let few = |scenario: &Scenario| !scenario.finds_first && scenario.extensions.len() < 5;
    for scenario in scenarios().into_iter().filter(few) {
        let (run, files) = (whole_run(&scenario), scenario.extensions.len() as u64);
        let spare = spare(run.syncs, |faults| what_goes_wrong(&scenario, &faults));
        // The first sync of the folder covers the names that the marker refers to. If an index is
        // removed later, another sync comes before that. But a change may have been interrupted
        // before this sync; see below.
        let needless = if files > 1 && scenario.replaces { vec![files + 1] } else { vec![] };
        assert_eq!(spare, needless, "{scenario:?}");
        assert_eq!(
            run.syncs,
            files + [1, 5, 1, 6][usize::from(scenario.replaces) * 2 + usize::from(files > 1)]
        );
    }
}

/// Returns a base whose writer was killed after the first call of this kind on a file.
fn killed_after(scenario: &Scenario, what: &str, path: &Path) -> Volume {
    let whole = scenario.volume();
    scenario.write(&whole, NEW, || ()).unwrap();
    let is_it = |(called, on): &(&str, PathBuf)| {
        // The random part of the name differs each time.
        *called == what && on.to_string_lossy().starts_with(&*path.to_string_lossy())
    };
    let stop_after = whole.log().iter().position(is_it).map(|call| call as u64 + 1);
    let volume = scenario.volume();
    volume.set_faults(Faults { stop_after, ..Faults::default() });
    scenario.write(&volume, NEW, || ()).unwrap_err();
    volume.killed()
}

#[test]
fn recovery_without_any_sync_breaks_base() {
    let (replaces, leaves_out, finds_first) = (true, false, false);
    for (extensions, what) in [(ONE, "rename"), (THREE, "remove")] {
        let scenario = Scenario { extensions, replaces, leaves_out, finds_first };
        let volume = killed_after(&scenario, what, &path(INDEX));
        let recovered = volume.killed();
        find_for_change(&recovered).unwrap();
        let syncs = recovered.syncs();
        println!("after the {what} of the index: {syncs} syncs");
        assert_eq!(syncs, if extensions == ONE { 1 } else { 3 });
        let sides = [Some(OLD), Some(NEW)];
        let spare = spare(syncs, |faults| {
            let found = scenario.stop_recovery(&volume, &sides, &faults, &mut Random::new(1));
            found.err().map(|why| first_line(&why))
        });
        assert_eq!(spare, [0; 0]);
    }
}

/// Returns a new base whose marker was written and then withdrawn, because the folder could not be
/// synced. Also returns the faults for this and for the given number of later calls.
fn taken_back(later: &[u64]) -> (Scenario, Faults) {
    let (replaces, leaves_out, finds_first) = (false, false, false);
    let scenario = Scenario { extensions: THREE, replaces, leaves_out, finds_first };
    let whole = scenario.volume();
    scenario.write(&whole, NEW, || ()).unwrap();
    let log = whole.log();
    let marker = log.iter().position(|call| *call == ("create", path("ix~commit"))).unwrap();
    let sync = log.iter().skip(marker).position(|call| *call == ("sync", "/".into())).unwrap();
    let sync = (marker + sync + 1) as u64;
    let fail_at = [0].iter().chain(later).map(|later| sync + later).collect();
    (scenario, Faults { fail_at, ..Faults::default() })
}

#[test]
fn withdrawal_without_any_sync_breaks_base() {
    let (scenario, faults) = taken_back(&[]);
    assert_eq!(what_goes_wrong(&scenario, &faults), None);
    // After the syncs of the files, the folder and the marker.
    let faults = Faults { ignored_sync: Some(6), ..faults };
    let wrong = what_goes_wrong(&scenario, &faults).unwrap();
    println!("taken back without a sync: {wrong}");

    // The new files stay if that sync fails as well. The next change removes them, after the
    // removal of the marker is on the disk.
    let (scenario, faults) = taken_back(&[2]);
    let volume = scenario.volume();
    volume.set_faults(faults);
    scenario.write(&volume, NEW, || ()).unwrap_err();
    assert_eq!(volume.paths().len(), 3, "{:?}", volume.paths());
    let next = |ignored_sync| {
        (0..60).try_for_each(|stop| {
            let volume = volume.killed();
            let stop_after = Some(stop);
            volume.set_faults(Faults { stop_after, ignored_sync, ..Faults::default() });
            let done = scenario.write(&volume, NEXT, || ()).is_ok();
            let sides = if done { &[Some(NEXT)][..] } else { &[None, Some(NEW), Some(NEXT)] };
            scenario.look_at_all(&volume, sides, (100, 1), &mut Random::new(stop)).map(drop)
        })
    };
    next(None).unwrap();
    println!("leftovers removed without a sync: {}", first_line(&next(Some(1)).unwrap_err()));
}

#[test]
fn commit_without_marker_or_order_breaks_base() {
    let (replaces, leaves_out, finds_first) = (true, false, false);
    let scenario = Scenario { extensions: THREE, replaces, leaves_out, finds_first };
    let harm = |what, scenario: &Scenario, faults| {
        let wrong = what_goes_wrong(scenario, &faults);
        println!("{what}: {}", wrong.as_deref().unwrap_or("no harm"));
        assert!(wrong.is_some(), "{what}");
    };
    harm("no marker", &scenario, Faults { nameless: Some("~commit"), ..Faults::default() });
    harm(
        "the old index stays",
        &scenario,
        Faults { unremoved: Some("base.ix"), ..Faults::default() },
    );
    let first = Scenario { extensions: &["ix", "a1", "a2"], ..scenario };
    harm("the index is not the last", &first, Faults::default());
    // `locate_for_change` before the commit makes no difference.
    let found = Scenario { finds_first: true, ..first };
    assert_eq!(what_goes_wrong(&found, &Faults::default()), None);
}

#[test]
fn read_marker_damaged_is_none() {
    let (replaces, leaves_out, finds_first) = (true, false, false);
    let scenario = Scenario { extensions: THREE, replaces, leaves_out, finds_first };
    for replaces in [false, true] {
        let scenario = Scenario { replaces, ..scenario };
        for marker in [&b""[..], &[0; 60], b"scoresheet commit 1\n", &[b'a'; 10_000]] {
            let volume = scenario.volume();
            volume.put(path("ix~commit"), marker.to_vec());
            volume.put(path("a1~0123456789abcdef"), b"new".to_vec());
            volume.put(path("ix~0123456789abcdef"), b"new".to_vec());
            let looked =
                scenario.look_at_all(&volume, &[scenario.before()], (24, 1), &mut Random::new(1));
            looked.unwrap();
        }
    }
}
