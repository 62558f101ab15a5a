//! The program killed, failing at system calls, and run in parallel: a short form of `cargo xtask
//! robustness`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use testkit::attack::{Fault, Target, attack_calls, has_strace, storm};

use crate::place::{Place, program};

fn targets() -> Vec<Target> {
    scoresheet::formats()
        .filter(|format| format.create.is_some() && format.open.is_some() && format.name != "fbk")
        .map(|format| Target {
            extension: format.extensions[0].to_owned(),
            is_editable: format.edit.is_some(),
            replaces_by_adding: format.name == "dcg",
        })
        .collect()
}

/// Where system calls cannot be intercepted, the simulated disk in the tests of the library covers
/// this.
#[test]
fn program_killed_or_failing_at_call_leaves_old_or_new_base() {
    if !has_strace() {
        println!("no strace here");
        return;
    }
    let program = program();
    for target in targets().into_iter().filter(|target| target.is_editable) {
        for (fault, step) in [(Fault::Kill, 3), (Fault::Fail, 5)] {
            let folder = tempfile::tempdir().unwrap();
            let tally = attack_calls(Path::new(&program), &target, fault, step, folder.path());
            assert!(tally.runs > 9, "{target:?} {tally:?}");
        }
    }
}

#[test]
fn editors_and_readers_in_parallel_are_isolated() {
    let program = program();
    for extension in ["si4", "dci", "cdp"] {
        let target = targets().into_iter().find(|target| target.extension == extension).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let time = Duration::from_secs(2);
        let storm = storm(Path::new(&program), &target, time, folder.path());
        assert!(storm.changes > 4 && storm.reads > 4, "{extension}: {storm:?}");
    }
}

#[test]
fn base_in_use_wait_option_is_followed() {
    for extension in ["si4", "si5", "dci", "cbf", "cbh", "cdp"] {
        let place = Place::new();
        let (name, index) =
            (format!("base.{extension}"), if extension == "cdp" { "d00" } else { extension });
        place.run(&format!("convert games.pgn {name}"));
        let before = place.files();
        let lock = |wait| {
            scoresheet::chess_store::files::Lock::take(&place.path(&name), index, wait).unwrap()
        };
        let held = lock(Duration::ZERO);
        let mut lines = vec![
            format!("convert --force games.pgn {name}"),
            format!("repair --force games.pgn {name}"),
        ];
        if scoresheet::format_named(extension).unwrap().edit.is_some() {
            lines.push(format!("edit {name} append games.pgn"));
            lines.push(format!("edit {name} compact"));
        }
        for line in &lines {
            let ran = place.run(line);
            assert!(ran.code == 3 && ran.err.contains("is in use by another program"), "{ran}");
        }
        let start = Instant::now();
        let ran = place.run(&format!("convert --wait 1 --force games.pgn {name}"));
        assert!(ran.code == 3 && start.elapsed() >= Duration::from_secs(1), "{ran}");
        // Readers are not locked out.
        place.run(&format!("check {name}")).well();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                drop(held);
            });
            for line in &lines {
                let ran = place.run(&line.replacen(' ', " --wait 60 ", 1));
                assert!(ran.code <= 1, "{ran}");
            }
        });
        assert_eq!(place.files(), before, "nothing is left over");
    }
}

/// Every command opens a base whose writer stopped midway, by any name of its files.
#[test]
fn base_with_marker_without_index_is_opened() {
    let place = Place::new();
    fs::create_dir(place.path("bases")).unwrap();
    place.run("convert games.pgn bases/base.si4");
    let token = "0123456789abcdef";
    for extension in ["si4", "sn4"] {
        let path = place.path(&format!("bases/base.{extension}"));
        let new = place.path(&format!("bases/base.{extension}~{token}"));
        fs::rename(path, new).unwrap();
    }
    let said = format!("scoresheet commit 1\n{token}\n");
    let sum = said.bytes().fold(0xcbf2_9ce4_8422_2325u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    fs::write(place.path("bases/base.si4~commit"), format!("{said}{sum:016x}\n")).unwrap();
    for name in ["bases/base.si4", "bases/base.sg4", "bases/base.sn4", "bases"] {
        let ran = place.run(&format!("check {name}")).well();
        assert!(ran.out.contains("sound; 2 games") || ran.err.contains("sound; 2 games"), "{ran}");
    }
    let ran = place.run("convert games.pgn bases/base.si4");
    assert!(ran.code == 3 && ran.err.contains("exists; --force replaces it"), "{ran}");
    place.run("edit bases/base.si4 delete 1").well();
    let names: Vec<_> = fs::read_dir(place.path("bases")).unwrap().collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

/// Each file of the base, one file, or the folder is a link. The targets are changed, and the links
/// stay.
#[test]
fn edit_through_links_keeps_links() {
    use std::os::unix::fs::{MetadataExt, symlink};
    for (index, all) in [
        ("si4", &["si4", "sg4", "sn4"][..]),
        ("si5", &["si5", "sg5", "sn5"]),
        ("dci", &["dci", "dcg", "dcn", "dcs", "dce"]),
    ] {
        for linked in [all, &all[..1]] {
            let place = Place::new();
            fs::create_dir(place.path("real")).unwrap();
            fs::create_dir(place.path("links")).unwrap();
            place.run(&format!("convert games.pgn real/base.{index}"));
            for extension in all {
                let real = place.path(&format!("real/base.{extension}"));
                let mut modes = fs::metadata(&real).unwrap().permissions();
                std::os::unix::fs::PermissionsExt::set_mode(&mut modes, 0o600);
                fs::set_permissions(&real, modes).unwrap();
                if linked.contains(extension) {
                    let link = place.path(&format!("links/base.{extension}"));
                    symlink(format!("../real/base.{extension}"), link).unwrap();
                }
            }
            for change in ["delete 1", "append games.pgn", "replace 3 games.pgn", "compact"] {
                let ran = place.run(&format!("edit links/base.{index} {change}"));
                assert!(ran.code <= 1, "{ran}");
            }
            let list = place.run(&format!("list --json real/base.{index}")).well().out;
            assert_eq!(list.lines().count(), 3, "{list}");
            place.run(&format!("check links/base.{index}")).well();
            for extension in all {
                let real =
                    fs::symlink_metadata(place.path(&format!("real/base.{extension}"))).unwrap();
                assert!(real.is_file() && real.mode() & 0o777 == 0o600, "{extension}");
            }
            for extension in linked {
                assert!(place.path(&format!("links/base.{extension}")).is_symlink());
            }
        }
    }
}
