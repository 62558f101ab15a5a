//! `index`: an index of positions beside a base.

use std::fs;

use crate::place::Place;

const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

fn game(white: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
}

fn place() -> Place {
    let place = Place::new();
    let games = [game("A", "1. e4 c5"), game("C", "1. e4 e5"), game("D", "1. e4 c5 2. Nf3 d6")];
    fs::write(place.path("base.pgn"), games.concat()).unwrap();
    fs::write(place.path("more.pgn"), game("E", "1. e4 c5 2. c3")).unwrap();
    place.run("convert -q base.pgn base.si4").well();
    place
}

/// Returns the output of each command that searches for a position.
fn answers(place: &Place) -> Vec<String> {
    let position = ["--position", SICILIAN];
    let run = |words: &[&str]| place.run_words(&[words, &position].concat(), "").out;
    let tree = ["tree", "base.si4", "--fen", SICILIAN];
    vec![
        run(&["list", "-q", "base.si4"]),
        run(&["list", "-q", "--count", "base.si4", "--white", "D"]),
        run(&["convert", "-q", "base.si4", "-", "--to", "pgn"]),
        place.run_words(&tree, "").out,
        place.run_words(&["serve", "--stdin", "base.si4"], "/masters?play=e2e4\n").out,
    ]
}

#[test]
fn index_changes_no_answer_and_follows_the_base() {
    let place = place();
    let without = answers(&place);
    let ran = place.run("index base.si4").well();
    assert!(ran.err.contains("wrote base.si4.positions, 0.0 MB"), "{ran}");
    assert_eq!(answers(&place), without);
    let again = place.run("index base.si4").well();
    assert!(again.err.contains("the index of 3 games is up to date"), "{again}");
    // Appended games and marks are followed, other changes are not.
    place.run("edit base.si4 append more.pgn").well();
    place.run("edit base.si4 delete 2").well();
    assert!(place.run("index base.si4").err.contains("4 games is up to date"));
    let serve = |place: &Place| place.run_words(&["serve", "--stdin", "base.si4"], "/\n").err;
    assert!(serve(&place).contains("4 games, with an index of positions"));
    let with = answers(&place);
    place.run("edit base.si4 set White=Z --white A").well();
    assert!(serve(&place).contains("4 games, without an index of positions"));
    assert!(place.run("index base.si4").well().err.contains("wrote base.si4.positions"));
    assert_eq!(answers(&place)[2], with[2].replace("White \"A\"", "White \"Z\""));
}

#[test]
fn index_of_text_follows_new_games_and_no_changed_ones() {
    let place = place();
    let najdorf =
        "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Bg5 e6 7. f4 Be7 8. Qf3 Qc7";
    let dated = |moves: &str| format!("[Event \"E\"]\n[Date \"2001.02.03\"]\n{}", game("D", moves));
    fs::write(place.path("base.pgn"), game("A", "1. e4 c5") + &dated(najdorf)).unwrap();
    place.run("index base.pgn").well();
    place.run("update base.pgn more.pgn").well();
    assert!(place.run("index base.pgn").well().err.contains("3 games is up to date"));
    fs::write(place.path("longer.pgn"), dated(&format!("{najdorf} 9. O-O-O Nbd7"))).unwrap();
    let ran = place.run("update base.pgn longer.pgn").well();
    assert!(ran.err.contains("changed 1 game"), "{ran}");
    assert!(place.run("index base.pgn").well().err.contains("wrote base.pgn.positions"));
}

#[test]
fn index_of_text_in_a_folder_that_cannot_be_written_is_an_error() {
    let place = place();
    place.run("index base.pgn").well();
    assert!(place.files().contains(&"base.pgn.positions".to_owned()));
    assert!(place.run("index missing.si4").err.contains("missing.si4"));
    fs::create_dir(place.path("base.si4.positions")).unwrap();
    let ran = place.run("index base.si4");
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.err.contains("base.si4.positions"), "{ran}");
}
