//! Runs the sessions in the documents and compares what they print.

use std::fs;

use crate::place::Place;

#[test]
fn sessions_of_documents_match_program() {
    for page in ["README.md", "docs/tour.md"] {
        let text = fs::read_to_string(testkit::workspace_root().join(page)).unwrap();
        let session = text.split("```console\n").nth(1).expect("a console block");
        let session = session.split("```").next().unwrap();
        assert!(session.lines().count() > 5, "{page}: a session of some length");
        let place = Place::new();
        place.take_fixture("scid/plain");
        place.take_fixture("scid/bad_move");
        let mut printed = String::new();
        for line in session.lines().filter_map(|line| line.strip_prefix("$ scoresheet ")) {
            let words: Vec<&str> = line.split(' ').collect();
            let ran = place.run_words(&words, "");
            printed.push_str(&format!("$ scoresheet {line}\n{}{}", ran.out, ran.err));
        }
        assert_eq!(printed, session, "{page} shows something else");
    }
}

/// Splits a command at blanks outside of single quotes.
fn words(command: &str) -> Vec<String> {
    let quoted = command.split('\'').enumerate();
    let mut words = vec![String::new()];
    for (number, part) in quoted {
        let pieces: Vec<&str> =
            if number % 2 == 1 { vec![part] } else { part.split(' ').collect() };
        for (at, piece) in pieces.into_iter().enumerate() {
            if at > 0 {
                words.push(String::new());
            }
            words.last_mut().unwrap().push_str(piece);
        }
    }
    words
}

#[test]
fn answers_of_howto_run() {
    let page = |name| fs::read_to_string(testkit::workspace_root().join(name)).unwrap();
    let pages = ["docs/howto.md", "docs/collections.md"].map(page).concat();
    let place = Place::new();
    place.take_fixture("scid/plain");
    let base = "fixtures/scid/plain/base.si4";
    let prepared = [
        format!("convert {base} club.si4"),
        format!("convert {base} new.pgn --games 1..2"),
        format!("convert {base} disk/a.pgn"),
        format!("convert {base} damaged.si4"),
    ];
    fs::create_dir(place.path("disk")).unwrap();
    fs::write(place.path("changes.csv"), "Number,Event\n1,Club night\n").unwrap();
    let list = "ID Number  Name         Fed Tit NOV22\n100001     Alder, Nora  ENG     1900\n";
    fs::write(place.path("list.txt"), list).unwrap();
    fs::write(place.path("notes.pgn"), NOTES).unwrap();
    fs::write(place.path("newer.pgn"), NOTES).unwrap();
    for line in &prepared {
        let line: Vec<&str> = line.split(' ').collect();
        assert_eq!(place.run_words(&line, "").code, 0, "{line:?}");
    }
    let answers: Vec<&str> = pages
        .lines()
        .filter_map(|line| line.split_once("`scoresheet ")?.1.split_once('`'))
        .map(|(command, _)| command)
        .filter(|command| !command.starts_with("COMMAND"))
        .collect();
    assert!(answers.len() > 40, "{} answers", answers.len());
    for command in answers {
        let words = words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = place.run_words(&words, "");
        assert_eq!(ran.code, 0, "{command}: {}{}", ran.out, ran.err);
    }
}

const NOTES: &str = "[White \"A\"]\n[Black \"B\"]\n[Annotator \"Tester\"]\n[Result \"1-0\"]\n\n\
                     1. e4 {The central square} (1. d4) 1... e5! 1-0\n";
