//! Runs the session in README.md and compares it.

use std::fs;

use crate::place::Place;

#[test]
fn readme_session_matches_program() {
    let readme = fs::read_to_string(testkit::workspace_root().join("README.md")).unwrap();
    let session = readme.split("```console\n").nth(1).expect("a console block");
    let session = session.split("```").next().unwrap();
    let place = Place::new();
    place.take_fixture("scid/plain");
    place.take_fixture("scid/bad_move");
    let mut told = String::new();
    for line in session.lines().filter_map(|line| line.strip_prefix("$ scoresheet ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let ran = place.run_words(&words, "");
        told.push_str(&format!("$ scoresheet {line}\n{}{}", ran.out, ran.err));
    }
    assert!(session.lines().count() > 10, "a session of some length");
    assert_eq!(told, session, "README.md shows something else");
}
