//! Tests of facts of a base as a whole: kept, set, carried or reported, in every format.

use std::collections::BTreeSet;

use crate::place::Place;

const FACTS: [(&str, &str); 5] = [
    ("description", "Games of Linares, 2nd part"),
    ("type", "Tactics"),
    ("default-game", "2"),
    ("flag-1", "Checked"),
    ("flag-6", "To study"),
];

fn facts(place: &Place, name: &str) -> BTreeSet<String> {
    let info = place.run(&format!("info --json {name}")).out;
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    let stated = FACTS.iter().filter_map(|(fact, _)| {
        let value = match &info["about"][fact] {
            serde_json::Value::Null => return None,
            serde_json::Value::String(text) => text.clone(),
            number => number.to_string(),
        };
        Some(format!("{fact}={value}"))
    });
    stated.collect()
}

fn all() -> BTreeSet<String> {
    FACTS.iter().map(|(fact, value)| format!("{fact}={value}")).collect()
}

/// Writes a Scid base of two games with all facts set.
fn base(place: &Place, name: &str) {
    place.run(&format!("convert games.pgn {name}"));
    let facts: Vec<String> = all().into_iter().collect();
    let mut words = vec!["edit", name, "about"];
    words.extend(facts.iter().map(String::as_str));
    place.run_words(&words, "").well();
    assert_eq!(self::facts(place, name), all());
}

#[test]
fn facts_from_scid_to_scid_are_kept() {
    for (first, second) in [("a.si4", "b.si5"), ("a.si5", "b.si4")] {
        let place = Place::new();
        base(&place, first);
        place.run(&format!("convert {first} {second}")).well();
        assert_eq!(facts(&place, second), all());
        place.run(&format!("convert {second} back-{first}")).well();
        assert_eq!(facts(&place, &format!("back-{first}")), all());
        place.run(&format!("repair {first} mended-{first}")).well();
        assert_eq!(facts(&place, &format!("mended-{first}")), all());
        place.run(&format!("edit {first} append games.pgn")).well();
        place.run(&format!("edit {first} compact")).well();
        assert_eq!(facts(&place, first), all(), "{first} compacted");
        // The default game is the same game, under its new number.
        place.run(&format!("edit {first} delete 1")).well();
        place.run(&format!("edit {first} compact")).well();
        assert!(!facts(&place, first).contains("default-game=2"));
    }
}

#[test]
fn fact_on_conversion_is_carried_or_reported() {
    let place = Place::new();
    base(&place, "a.si4");
    for format in scoresheet::formats().filter(|format| format.create.is_some()) {
        let target = format!("to.{}", format.extensions[0]);
        let ran = place.run(&format!("convert a.si4 {target} --to {}", format.name));
        let carried = if format.open.is_some() { facts(&place, &target) } else { BTreeSet::new() };
        let reported = ran.err.lines().filter_map(|line| line.strip_prefix("  lost   base-fact: "));
        let reported: BTreeSet<String> = reported.map(str::to_owned).collect();
        assert!(carried.is_disjoint(&reported), "{}: {ran}", format.name);
        assert_eq!(&carried | &reported, all(), "{}: {ran}", format.name);
        match format.name {
            "pgn" | "si4" | "si5" => assert_eq!(carried, all(), "{}", format.name),
            "dcg" => assert!(carried.contains("default-game=2")),
            "chessassistant" => assert!(carried.contains("description=Games of Linares, 2nd part")),
            _ => {}
        }
        if !carried.is_empty() {
            let again = format!("again.{}", format.extensions[0]);
            place.run(&format!("convert {target} {again} --to {}", format.name));
            assert_eq!(facts(&place, &again), carried, "{} to itself", format.name);
        }
    }
    place.run("convert to.pgn from-pgn.si4").well();
    assert_eq!(facts(&place, "from-pgn.si4"), all());
}

#[test]
fn default_game_after_edits_keeps_its_game() {
    let place = Place::new();
    base(&place, "a.si4");
    place.run("convert games.pgn a.si4 joined.si4");
    assert!(facts(&place, "joined.si4").contains("default-game=4"));
    place.run("convert a.si4 one.si4 --games 2").well();
    assert!(facts(&place, "one.si4").iter().all(|fact| !fact.starts_with("default-game")));
    let gone = place.run("convert a.si4 one.si4 --force --games 1");
    assert!(gone.err.contains("lost   base-fact: default-game=2"), "{gone}");
}

#[test]
fn facts_of_two_inputs_first_wins() {
    let place = Place::new();
    base(&place, "a.si4");
    place.run("convert games.pgn b.si4");
    place.run_words(&["edit", "b.si4", "about", "description=Others"], "").well();
    let ran = place.run("convert a.si4 b.si4 c.si4");
    assert!(ran.err.contains("lost   base-fact: description=Others"), "{ran}");
    assert_eq!(facts(&place, "c.si4"), all());
}

#[test]
fn fact_unsupported_by_format_is_refused() {
    let place = Place::new();
    base(&place, "a.si4");
    place.run("convert games.pgn b.dci");
    for (words, message) in [
        (vec!["edit", "a.si4", "about", "pear=1"], "\"pear\" is no fact of a base"),
        (vec!["edit", "a.si4", "about", "pear"], "is not NAME=VALUE"),
        (vec!["edit", "a.si4", "about", "default-game=3"], "cannot hold that as its default-game"),
        (vec!["edit", "a.si4", "about", "flag-1=far too long"], "cannot hold that as its flag-1"),
        (vec!["edit", "a.si4", "about", "type=Sudoku"], "cannot hold that as its type"),
        (vec!["edit", "b.dci", "about", "type=Blitz"], "no other fact; not type"),
        (vec!["edit", "b.dci", "about", "default-game=3"], "no such game"),
    ] {
        let ran = place.run_words(&words, "");
        assert!(ran.err.contains(message), "{ran}");
        assert_ne!(ran.code, 0, "{ran}");
    }
    assert_eq!(facts(&place, "a.si4"), all());
    place.run("edit a.si4 about description=").well();
    assert_eq!(facts(&place, "a.si4").len(), 4);
}

#[test]
fn base_with_other_encoding_keeps_it() {
    let place = Place::new();
    place.take_fixture("chessassistant/cyrillic");
    let ran = place.run("convert fixtures/chessassistant/cyrillic/base.cdp again.cdp");
    assert!(!ran.err.contains("characters"), "{ran}");
    let names = |base: &str| place.run(&format!("list --json {base}")).out;
    assert_eq!(names("again.cdp"), names("fixtures/chessassistant/cyrillic/base.cdp"));
    let other = place
        .run("convert fixtures/chessassistant/cyrillic/base.cdp latin.cdp --to-encoding latin1");
    assert!(other.err.contains("lost   characters"), "{other}");
}

#[test]
fn info_names_the_languages_of_piece_letters() {
    let place = Place::new();
    place.take_fixture("pgn/bad_letters_foreign");
    let info = place.run("info fixtures/pgn/bad_letters_foreign/base.pgn");
    for language in ["Dutch", "Czech or Slovak", "Russian", "Greek"] {
        let line = format!("× the pieces have {language} letters [pgn-foreign-letters]\n");
        assert!(info.out.contains(&line), "{info}");
    }
}
