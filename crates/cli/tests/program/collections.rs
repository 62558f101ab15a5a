//! Keeping a collection: `update`, `undo`, `append --unique`, `convert --not-in`, `rename`.

use std::fs;

use crate::place::Place;

const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
                     9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6";

fn game(white: &str, result: &str, tags: &str, moves: &str) -> String {
    format!(
        "[Event \"Club\"]\n[Site \"Town\"]\n[Date \"2021.06.01\"]\n[Round \"5\"]\n[White \"{white}\"]\n\
         [Black \"Birch, Tom\"]\n[Result \"{result}\"]\n{tags}\n{moves} {result}\n\n"
    )
}

fn moves(plies: usize) -> String {
    let words: Vec<&str> = MOVES.split_whitespace().collect();
    // A word for the number stands before each move of White.
    words[..plies + plies.div_ceil(2)].join(" ")
}

/// Returns a place with a base of three games.
fn place() -> Place {
    let place = Place::new();
    let games = [
        game("Alder, Nora", "1-0", "", &moves(28)),
        game("Cedar, Ann", "1-0", "", &moves(24)),
        game("Dogwood, Max", "1/2-1/2", "", "1. d4 d5 2. c4 e6 3. Nc3 Nf6"),
    ];
    fs::write(place.path("base.pgn"), games.concat()).unwrap();
    assert_eq!(place.run("convert -q base.pgn base.si4").code, 0);
    place
}

fn files(place: &Place) -> Vec<(String, Vec<u8>)> {
    let names = place.files().into_iter().filter(|name| name.starts_with("base."));
    names.map(|name| (name.clone(), fs::read(place.path(&name)).unwrap())).collect()
}

#[test]
fn update_adds_corrects_and_lengthens_and_a_second_run_changes_no_byte() {
    let place = place();
    let week = [
        game("Alder, N", "0-1", "[Round \"5.1\"]\n", &moves(28)),
        game("Cedar, Ann", "1-0", "[WhiteElo \"2100\"]\n", &format!("{} {{well}}", moves(28))),
        game("Elm, Ida", "0-1", "", "1. c4 c5 2. Nc3 Nc6"),
    ];
    fs::write(place.path("week.pgn"), week.concat()).unwrap();
    let before = files(&place);
    let dry = place.run("update -n base.si4 week.pgn");
    assert!(
        dry.err.contains("dry run, nothing is written: added 1 game, changed 2 games"),
        "{dry}"
    );
    assert_eq!(files(&place), before);
    let ran = place.run("update base.si4 week.pgn");
    assert_eq!(ran.code, 0, "{ran}");
    for line in [
        "game 1, Alder, Nora - Birch, Tom: Result 1-0 → 0-1",
        "game 2, Cedar, Ann - Birch, Tom: WhiteElo 2100, 4 half-moves more",
        "added 1 game, changed 2 games; 0 games changed nothing",
    ] {
        assert!(ran.err.contains(line), "{line}\n{ran}");
    }
    let listed = place.run("list base.si4 -q --csv --columns white,result,round,plies");
    let expected = [
        "\"Alder, Nora\",0-1,5,28",
        "\"Cedar, Ann\",1-0,5,28",
        "\"Dogwood, Max\",1/2-1/2,5,6",
        "\"Elm, Ida\",0-1,5,4",
    ];
    assert_eq!(listed.out.lines().skip(1).collect::<Vec<_>>(), expected);
    let after = files(&place);
    let again = place.run("update base.si4 week.pgn");
    assert!(
        again.err.contains("added 0 games, changed 0 games; 3 games changed nothing"),
        "{again}"
    );
    // Without its log the base tells the same.
    fs::remove_file(place.path("base.si4.updates")).unwrap();
    place.run("update base.si4 week.pgn");
    let without_log = after.iter().filter(|(name, _)| name != "base.si4.updates").cloned();
    assert_eq!(files(&place), without_log.collect::<Vec<_>>());
}

#[test]
fn update_of_a_text_copies_other_games_byte_by_byte() {
    let place = place();
    let odd = game("Gorse, Al", "1-0", "", "1.e4   e5 2.Nf3\nNc6");
    let alder = game("Alder, Nora", "1-0", "", &moves(28));
    fs::write(place.path("base.pgn"), [&*odd, &alder].concat()).unwrap();
    let elm = game("Elm, Ida", "0-1", "", "1. c4 c5 2. Nc3 Nc6");
    let corrected = game("Alder, N", "0-1", "", &moves(28));
    fs::write(place.path("week.pgn"), [&*corrected, &elm].concat()).unwrap();
    let before = fs::read(place.path("base.pgn")).unwrap();
    let dry = place.run("update -n base.pgn week.pgn");
    assert!(dry.err.contains("nothing is written: added 1 game, changed 1 game"), "{dry}");
    assert_eq!(fs::read(place.path("base.pgn")).unwrap(), before);
    let ran = place.run("update base.pgn week.pgn");
    assert!(ran.err.contains("Result 1-0 → 0-1"), "{ran}");
    assert!(ran.err.contains("added 1 game, changed 1 game; 0 games changed nothing"), "{ran}");
    let after = fs::read_to_string(place.path("base.pgn")).unwrap();
    assert!(after.starts_with(&odd), "{after}");
    let listed = place.run("list base.pgn -q --csv --columns white,result").out;
    assert_eq!(listed, "White,Result\n\"Gorse, Al\",1-0\n\"Alder, Nora\",0-1\n\"Elm, Ida\",0-1\n");
    let again = place.run("update base.pgn week.pgn");
    assert!(again.err.contains("added 0 games, changed 0 games; 2 games"), "{again}");
    assert_eq!(fs::read_to_string(place.path("base.pgn")).unwrap(), after);
    assert_eq!(place.run("undo base.pgn").code, 0);
    assert_eq!(fs::read(place.path("base.pgn")).unwrap(), before);
}

#[test]
fn update_of_a_text_with_damaged_games_changes_nothing() {
    let place = place();
    let damaged = game("Gorse, Al", "1-0", "", "1. e4 e5 2. Nf3 Qh1 3. Bb5 a6");
    fs::write(place.path("base.pgn"), &damaged).unwrap();
    fs::write(place.path("new.pgn"), game("Elm, Ida", "0-1", "", "1. c4 c5")).unwrap();
    let ran = place.run("update base.pgn new.pgn");
    assert!(ran.code == 3 && ran.err.contains("game 1 is damaged, and would be cut"), "{ran}");
    assert!(!place.files().contains(&"base.pgn.undo".to_owned()));
    assert_eq!(fs::read_to_string(place.path("base.pgn")).unwrap(), damaged);
}

#[test]
fn update_of_older_file_undoes_no_correction() {
    let place = place();
    fs::write(place.path("old.pgn"), game("Alder, Nora", "1-0", "", &moves(28))).unwrap();
    fs::write(place.path("new.pgn"), game("Alder, Nora", "0-1", "", &moves(28))).unwrap();
    for file in ["old.pgn", "new.pgn", "old.pgn"] {
        assert_eq!(place.run(&format!("update base.si4 {file}")).code, 0);
    }
    assert_eq!(place.run("list base.si4 --count -q --white alder --result 0-1").out, "1\n");
}

#[test]
fn undo_restores_every_byte_and_refuses_a_base_that_was_changed() {
    let place = place();
    let before = files(&place);
    let new = game("Elm, Ida", "0-1", "", "1. c4 c5 2. Nc3 Nc6");
    fs::write(place.path("new.pgn"), new).unwrap();
    assert_eq!(place.run("undo base.si4").code, 3);
    place.run("update base.si4 new.pgn");
    assert!(place.files().contains(&"base.si4.undo".to_owned()));
    let undone = place.run("undo base.si4");
    assert_eq!((undone.code, &*undone.err), (0, "took back: new.pgn\n"));
    assert_eq!(files(&place), before);
    place.run("update base.si4 new.pgn");
    place.run("edit base.si4 delete 1");
    let changed = files(&place);
    let refused = place.run("undo base.si4");
    assert_eq!(refused.code, 3);
    assert!(refused.err.contains("the base was changed after the update"), "{refused}");
    assert_eq!(files(&place), changed);
    assert_eq!(place.run("undo base.si4 --force").code, 0);
    assert_eq!(files(&place), before);
}

#[test]
fn undo_restores_a_base_after_an_update_that_was_killed() {
    let place = place();
    let before = files(&place);
    fs::write(place.path("new.pgn"), game("Elm, Ida", "0-1", "", "1. c4 c5")).unwrap();
    place.run("update base.si4 new.pgn");
    // The log is written last.
    fs::remove_file(place.path("base.si4.updates")).unwrap();
    let changed = files(&place);
    let refused = place.run("undo base.si4");
    assert_eq!(refused.code, 3);
    assert!(refused.err.contains("an update was interrupted, or another program"), "{refused}");
    assert_eq!(files(&place), changed);
    assert_eq!(place.run("undo base.si4 --force").code, 0);
    assert_eq!(files(&place), before);
}

#[test]
fn update_of_bases_with_one_stem_keeps_their_logs_apart() {
    let place = place();
    assert_eq!(place.run("convert -q base.pgn base.dci").code, 0);
    fs::write(place.path("new.pgn"), game("Elm, Ida", "0-1", "", "1. c4 c5")).unwrap();
    for base in ["base.si4", "base.dci"] {
        let ran = place.run(&format!("update {base} new.pgn"));
        assert!(ran.err.contains("added 1 game"), "{ran}");
    }
    let undone = place.run("undo base.si4");
    assert_eq!(undone.code, 0, "{undone}");
    for (base, count) in [("base.si4", "3\n"), ("base.dci", "4\n")] {
        assert_eq!(place.run(&format!("list -q --count {base}")).out, count);
    }
}

#[test]
fn damaged_undo_file_changes_nothing() {
    let place = place();
    fs::write(place.path("new.pgn"), game("Elm, Ida", "0-1", "", "1. c4 c5")).unwrap();
    place.run("update base.si4 new.pgn");
    let undo = fs::read(place.path("base.si4.undo")).unwrap();
    for damaged in [&b"scoresheet undo 1 0\n9 ../x\n\n"[..], b"?", b"", &undo[..undo.len() - 1]] {
        fs::write(place.path("base.si4.undo"), damaged).unwrap();
        let before = files(&place);
        let ran = place.run("undo base.si4");
        assert_eq!(ran.code, 3, "{ran}");
        assert_eq!(files(&place), before);
    }
}

#[test]
fn append_unique_and_not_in_take_what_the_base_lacks_in_order() {
    let place = place();
    let elm = game("Elm, Ida", "0-1", "", "1. c4 c5 2. Nc3 Nc6");
    let fir = game("Fir, Jo", "0-1", "", "1. f4 d5");
    let known = game("Alder, N", "1-0", "", &moves(28));
    fs::write(place.path("new.pgn"), [&*fir, &known, &elm, &fir].concat()).unwrap();
    let lacking = place.run("convert new.pgn lacking.pgn --not-in base.si4");
    assert!(lacking.err.contains("left out 1 game that another base has"), "{lacking}");
    let listed = |base: &str| place.run(&format!("list {base} -q --csv --columns white")).out;
    assert_eq!(listed("lacking.pgn"), "White\n\"Fir, Jo\"\n\"Elm, Ida\"\n\"Fir, Jo\"\n");
    let ran = place.run("edit base.si4 append new.pgn --unique");
    assert!(ran.err.contains("appended 2 games; 2 games left out"), "{ran}");
    let all = listed("base.si4");
    assert!(all.ends_with("\"Dogwood, Max\"\n\"Fir, Jo\"\n\"Elm, Ida\"\n"), "{all}");
    let again = place.run("edit base.si4 append new.pgn --unique");
    assert!(again.err.contains("appended 0 games; 4 games left out"), "{again}");
}

#[test]
fn rename_counts_old_and_new_names_and_changes_both_colours() {
    let place = place();
    fs::write(
        place.path("more.pgn"),
        game("Birch, Tom", "1-0", "", "1. b3 b6").replace("Black \"Birch, Tom\"", "Black \"B, T\""),
    )
    .unwrap();
    place.run("edit base.si4 append more.pgn");
    let dry = place.run_words(&["edit", "base.si4", "-n", "rename", "Birch, Tom", "B, T"], "");
    assert!(dry.err.contains("White: Birch, Tom (1) → B, T (0)"), "{dry}");
    assert!(dry.err.contains("Black: Birch, Tom (3) → B, T (1)"), "{dry}");
    let words = ["edit", "base.si4", "rename", "Birch, Tom", "B, T"];
    let ran = place.run_words(&words, "");
    assert!(ran.err.contains("changed 4 games"), "{ran}");
    assert_eq!(place.run_words(&words, "").code, 1);
    assert_eq!(
        place.run_words(&["list", "base.si4", "-q", "--count", "--player", "B, T"], "").out,
        "4\n"
    );
}

#[test]
fn dedupe_near_lists_what_differs() {
    let place = Place::new();
    let one = game("Alder, Nora", "1-0", "", &moves(24));
    let other = one.replace("Alder, Nora", "Zander, Ida");
    fs::write(place.path("two.pgn"), one.clone() + &other).unwrap();
    let near = place.run("dedupe --near two.pgn");
    let line = "two.pgn: game 2, Zander, Ida – Birch, Tom, 2021.06.01: nearly repeats game 1; differs: White\n";
    assert_eq!(near.out, line);
    let off = one.replace("2021.06.01", "2021.06.02");
    fs::write(place.path("two.pgn"), one + &off).unwrap();
    let listed = place.run("dedupe -n two.pgn");
    let line = "two.pgn: game 2, Alder, Nora – Birch, Tom, 2021.06.02: repeats game 1; differs: date by a day\n";
    assert_eq!(listed.out, line);
}
