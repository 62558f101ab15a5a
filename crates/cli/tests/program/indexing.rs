//! Tests of `--index`: the answers equal those without it, and only the index of this text is believed.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::place::Place;
#[cfg(unix)]
use crate::place::{GAMES, interruptible};

/// Longer than a text must be unchanged to get an index.
const SETTLING: Duration = Duration::from_millis(2100);

#[test]
fn answers_by_index_equal_answers_by_text() {
    let place = Place::new();
    let folder = testkit::workspace_root().join("fixtures/pgn");
    let mut files = vec!["games.pgn".to_owned()];
    for case in fs::read_dir(folder).unwrap() {
        let case = case.unwrap();
        let name = format!("{}.pgn", case.file_name().to_string_lossy());
        if let Ok(text) = fs::read(case.path().join("base.pgn")) {
            fs::write(place.path(&name), text).unwrap();
            files.push(name);
        }
    }
    assert!(files.len() > 50);
    sleep(SETTLING);
    for file in &files {
        for line in [
            "list {} --quiet",
            "list {} --quiet --player e* --columns number,white,date,elo,event,plies",
            "list {} --quiet --json --sort date",
            "list {} --quiet --count --position 4P3",
            "tree {} --quiet --depth 3",
            "player a* {} --quiet",
            "stats {} --quiet",
        ] {
            let line = line.replace("{}", file);
            let plain = place.run(&line);
            for _ in 0..2 {
                let by_index = place.run(&format!("{line} --index"));
                assert_eq!((&by_index.out, by_index.code), (&plain.out, plain.code), "{line}");
            }
        }
    }
    let written = place.files().iter().filter(|name| name.ends_with(".sidx")).count();
    assert!(written > 50, "{written}");
}

#[test]
fn index_messages_say_what_happened() {
    let place = Place::new();
    place.run("convert games.pgn base.si4").well();
    let ran = place.run("list games.pgn --index --count").well();
    let early = "games.pgn: games.pgn.sidx was not written: the file changed less than 2 seconds \
                 ago; run the command again\n";
    assert!(ran.err.starts_with(early), "{ran}");
    assert!(!place.path("games.pgn.sidx").exists());
    sleep(SETTLING);
    let ran = place.run("list games.pgn --index --count").well();
    assert!(ran.err.starts_with("games.pgn: indexed in games.pgn.sidx\n"), "{ran}");
    assert_eq!((ran.out.as_str(), place.files().contains(&"games.pgn.sidx".into())), ("2\n", true));
    let ran = place.run("list games.pgn --index --count").well();
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("2\n", "2 of 2 games\n"));

    // Without the option, the index is neither read nor written.
    let index = fs::read(place.path("games.pgn.sidx")).unwrap();
    fs::write(place.path("games.pgn"), "1. e4 *\n").unwrap();
    let ran = place.run("list games.pgn --count").well();
    assert_eq!((ran.out.as_str(), fs::read(place.path("games.pgn.sidx")).unwrap()), ("1\n", index));

    let text = place.text("games.pgn");
    for (words, input) in [("base.si4", ""), ("-", &*text)] {
        let ran = place.run_words(&["list", words, "--index", "--count"], input);
        assert!(ran.err.contains("--index changes nothing"), "{ran}");
        assert_eq!(ran.code, 0, "{ran}");
    }
    assert!(!place.files().iter().any(|name| name.starts_with("base.si4.")));
}

#[cfg(unix)]
#[test]
fn index_interrupt_leaves_no_partial_file() {
    let place = Place::new();
    fs::write(place.path("many.pgn"), GAMES.repeat(100_000)).unwrap();
    sleep(SETTLING);
    let mut child =
        interruptible(&place.path("")).args(["stats", "many.pgn", "--index"]).spawn().unwrap();
    let began = || place.files().iter().any(|name| name.starts_with("many.pgn.sidx~"));
    testkit::wait_until(Duration::from_secs(60), began);
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    child.wait().unwrap();
    let partial: Vec<_> = place.files().into_iter().filter(|name| name.contains('~')).collect();
    assert!(partial.is_empty(), "{partial:?}");
}
