//! The program killed, failing at system calls, and run in parallel: a short form of `cargo xtask
//! robustness`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use testkit::attack::{Fault, Outputs, Target, attack_calls, attack_outputs, has_strace, storm};

use crate::place::{GAMES, Place, program};

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

/// Attacks `--split` and `--index`. With `KILLS=all` in the environment, at every call.
#[test]
fn split_and_index_killed_or_failing_at_call_are_old_or_new() {
    if !has_strace() {
        println!("no strace here");
        return;
    }
    let program = program();
    let step = if std::env::var_os("KILLS").is_none() { 12 } else { 1 };
    let split = |extension: &str, folder: &Path| {
        let base = format!("x.{extension}");
        let read = |here: &Path| {
            let of_part = |part: &str| {
                let name = format!("x-{part}.{extension}");
                let mut command = std::process::Command::new(&program);
                let out = command.args(["convert", "-q", &name, "-"]).current_dir(here).output();
                let out = out.unwrap();
                assert!(matches!(out.status.code(), Some(0 | 3)), "{name}: {out:?}");
                out.status.success().then_some(out.stdout)
            };
            ["001", "002"].map(of_part).to_vec()
        };
        let command = Outputs {
            words: &[
                "convert",
                "-q",
                "--force",
                "--threads",
                "1",
                "games.pgn",
                &base,
                "--split",
                "1",
            ],
            prepare: &|here| {
                fs::remove_dir_all(here).unwrap();
                fs::create_dir(here).unwrap();
                fs::write(here.join("games.pgn"), GAMES).unwrap();
                let old = format!("x-002.{extension}");
                let mut command = std::process::Command::new(&program);
                command.args(["convert", "-q", "--limit", "1", "games.pgn", &old]);
                command.current_dir(here).output().unwrap();
            },
            read: &read,
            clear: &|_| (),
            may_fail: false,
        };
        attack_outputs(Path::new(&program), &command, step, folder)
    };
    let index = |folder: &Path| {
        // A text that has just changed gets no index.
        let here = folder.join("here");
        fs::create_dir(&here).unwrap();
        fs::write(here.join("x.pgn"), GAMES).unwrap();
        std::thread::sleep(Duration::from_millis(2100));
        let command = Outputs {
            words: &["list", "--index", "--count", "x.pgn"],
            prepare: &|here| {
                for file in fs::read_dir(here).unwrap() {
                    let path = file.unwrap().path();
                    if !path.ends_with("x.pgn") {
                        fs::remove_file(path).unwrap();
                    }
                }
            },
            read: &|here| vec![fs::read(here.join("x.pgn.sidx")).ok()],
            clear: &|_| (),
            may_fail: true,
        };
        attack_outputs(Path::new(&program), &command, step, folder)
    };
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [pgn, si4, beside] = folders.each_ref().map(tempfile::TempDir::path);
    let runs = [split("pgn", pgn), split("si4", si4), index(beside)];
    println!("split to pgn and si4, index: {runs:?} runs");
    assert!(runs.iter().all(|runs| *runs > 9), "{runs:?}");
}

/// A base has up to 24 files, and each was once looked for in a listing of its own.
#[test]
fn base_in_crowded_folder_lists_it_few_times() {
    if !has_strace() {
        println!("no strace here");
        return;
    }
    let place = Place::new();
    for number in 0..3000 {
        fs::write(place.path(&format!("other{number}")), "").unwrap();
    }
    let games: String = (0..30).map(|n| format!("[White \"N{n}\"]\n\n1. e4 *\n\n")).collect();
    fs::write(place.path("many.pgn"), games).unwrap();
    for (line, most) in [
        ("convert games.pgn out.cbh", 12),
        ("convert games.pgn out.si4", 12),
        ("list out.cbh", 4),
        ("convert many.pgn part.si4 --split white", 60),
    ] {
        let mut command = std::process::Command::new("strace");
        command.args(["-f", "-o", "calls", "-e", "trace=openat"]).arg(program());
        let status = command.args(line.split(' ')).current_dir(place.path("")).output().unwrap();
        assert!(status.status.success(), "{line}: {status:?}");
        let count = place.text("calls").matches("O_DIRECTORY").count();
        assert!(count <= most, "{line}: {count} listings");
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
