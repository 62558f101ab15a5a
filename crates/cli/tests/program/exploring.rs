//! Tests of tree and dedupe.

use std::fs;

use crate::place::{GAMES, Place};

const LINES: &str = "[White \"A\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2200\"]\n[Date \"1990.01.01\"]\n\
    [Result \"1-0\"]\n\n1. d4 Nf6 2. c4 e6 1-0\n\n\
    [White \"B\"]\n[Date \"2001.01.01\"]\n[Result \"1/2-1/2\"]\n\n1. c4 Nf6 2. d4 g6 1/2-1/2\n\n\
    [White \"C\"]\n\n1. c4 e5 *\n\n\
    [White \"D\"]\n\n1. d4 Nf6 2. c4 *\n\n";

fn tree(place: &Place, words: &[&str]) -> serde_json::Value {
    let ran = place.run_words(&[&["tree", "--json"], words].concat(), "");
    serde_json::from_str(&ran.well().out).unwrap()
}

#[test]
fn serve_answers_each_line_of_standard_input() {
    let place = Place::new();
    fs::write(place.path("lines.pgn"), LINES).unwrap();
    let requests = "/masters?play=d2d4\n\n{\"target\": \"/masters/pgn/00000001\"}\n/masters?play=d2d5\n\
                    /nothing\nnonsense";
    let ran = place.run_words(&["serve", "--stdin", "lines.pgn"], requests).well();
    let answers: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let statuses: Vec<_> =
        answers.iter().map(|answer| answer["status"].as_u64().unwrap()).collect();
    assert_eq!(statuses, [200, 200, 400, 404, 400]);
    assert_eq!(answers[0]["body"]["moves"][0]["uci"], "g8f6");
    assert!(answers[1]["body"].as_str().unwrap().ends_with("1. c4 Nf6 2. d4 g6 1/2-1/2"));
    let ran = place.run_words(&["serve", "--stdin", "missing.pgn"], "");
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    let long = "x".repeat(20_000);
    assert_eq!(place.run_words(&["serve", "--stdin", "lines.pgn"], &long).code, 3);
}

/// The boards differ, so a move is known by its piece and its square, from wherever the piece comes.
#[test]
fn tree_from_match_counts_moves_after_the_first_match() {
    let place = Place::new();
    let games = "[Result \"1-0\"]\n\n1. d4 d5 2. Nc3 e6 3. Nf3 c5 1-0\n\n\
                 [Result \"0-1\"]\n\n1. e4 e6 2. d4 d5 3. Nd2 Be7 4. Ngf3 c5 0-1\n\n\
                 [Result \"1-0\"]\n\n1. d4 d5 2. Nc3 e6 3. Nb5 (3. Nf3 c5) 3... a6 1-0\n\n\
                 [Result \"*\"]\n\n1. c4 e6 *\n";
    std::fs::write(place.path("games.pgn"), games).unwrap();
    place.run("convert games.pgn games.si4").well();
    for file in ["games.pgn", "games.si4"] {
        let query = [file, "--cql", "pe6 wtm not Pd2", "--from", "match", "--depth", "2"];
        let found = tree(&place, &query);
        assert_eq!((&found["games"], &found["seen"]), (&3.into(), &4.into()), "{found}");
        assert!(found.get("fen").is_none() && found.get("score").is_none(), "{found}");
        let moves: Vec<_> = found["moves"].as_array().unwrap().iter().collect();
        let of = |m: &serde_json::Value| {
            (m["move"].as_str().unwrap().to_owned(), m["games"].as_u64().unwrap())
        };
        let mut first: Vec<_> = moves.iter().map(|m| of(m)).collect();
        first.sort();
        assert_eq!(first, [("Nb5".into(), 1), ("Nd2".into(), 1), ("Nf3".into(), 1)]);
        let knights = tree(&place, &[file, "--cql", "child:Nf3", "--from", "match"]);
        assert_eq!(of(&knights["moves"][0]), ("Nf3".into(), 2), "{knights}");
        assert_eq!(knights["moves"][0]["white"], 1, "{knights}");
        let table = place.run_words(&["tree", file, "--pattern", "Nf3", "--from", "match"], "");
        assert!(table.well().out.contains("...c5"));
    }
    for (words, why) in [
        (&["--from", "match"][..], "needs a criterion on positions"),
        (&["--position", "8/8/8/8/8/8/8/8", "--mirrored"], "write --from match"),
    ] {
        let ran = place.run_words(&[&["tree", "games.pgn"], words].concat(), "");
        assert!(ran.code == 2 && ran.err.contains(why), "{ran}");
    }
}

#[test]
fn tree_transpositions_are_counted() {
    let place = Place::new();
    fs::write(place.path("lines.pgn"), LINES).unwrap();
    place.run("convert lines.pgn lines.si4").well();
    place.run("convert lines.pgn lines.dci").well();
    for file in ["lines.pgn", "lines.si4", "lines.dci"] {
        let start = tree(&place, &[file]);
        let moves = |tree: &serde_json::Value| -> Vec<(String, u64)> {
            let moves = tree["moves"].as_array().unwrap().iter();
            let one = |m: &serde_json::Value| {
                (m["move"].as_str().unwrap().into(), m["games"].as_u64().unwrap())
            };
            moves.map(one).collect()
        };
        assert_eq!(moves(&start), [("c4".into(), 2), ("d4".into(), 2)], "{file}");
        let queens = tree(&place, &[file, "--moves", "1. d4 Nf6 2. c4"]);
        assert_eq!(queens["games"], 3, "{file}");
        assert_eq!(moves(&queens), [("e6".into(), 1), ("g6".into(), 1)], "{file}");
        assert_eq!(
            (&queens["white"], &queens["draws"], &queens["years"]),
            (&1.into(), &1.into(), &serde_json::json!([1990, 2001]))
        );
        let e6 = &queens["moves"][0];
        assert_eq!(
            (&e6["elo"], &e6["uci"], &e6["score"]),
            (&2200.into(), &"e7e6".into(), &0.0.into())
        );
        let fen = "rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq d3 0 2";
        assert_eq!(moves(&tree(&place, &[file, "--position", fen])), moves(&queens), "{file}");
        let deep = tree(&place, &[file, "--depth", "3"]);
        let c4 = &deep["moves"][0];
        assert_eq!(moves(c4), [("e5".into(), 1), ("Nf6".into(), 1)], "{file}");
        assert_eq!(moves(&c4["moves"][1]), [("d4".into(), 1)], "{file}");
        let chosen = tree(&place, &[file, "--white", "b"]);
        assert_eq!(moves(&chosen), [("c4".into(), 1)], "{file}");
    }
    let both = tree(&place, &["lines.pgn", "lines.si4"]);
    assert_eq!((&both["games"], &both["seen"]), (&8.into(), &8.into()));
    insta::assert_snapshot!("tree", place.run("tree lines.si4 --depth 2").well());
    let ran = place.run_words(&["tree", "lines.pgn", "--moves", "1. a4"], "");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (1, "", "0 of 4 games\n"));
    let ran = place.run("tree lines.pgn --moves e4 --moves d4");
    assert_eq!(ran.code, 2, "{ran}");
}

#[test]
fn dedupe_repeated_games_best_annotated_stays() {
    let place = Place::new();
    let bare = GAMES.replace("{solid}", "").replace(" $3", "").replace(" $2", "");
    let bare =
        bare.replace("[Site \"Riverside\"]", "[Site \"?\"]").replace("Alder, Nora", "Alder,N");
    let other = GAMES.replace("2019.03.14", "2018.03.14");
    fs::write(place.path("bare.pgn"), &bare).unwrap();
    fs::write(place.path("other.pgn"), &other).unwrap();
    let ran = place.run("dedupe bare.pgn games.pgn other.pgn out.pgn").well();
    assert!(ran.err.contains("6 games, of which 3 repeat others\n"), "{ran}");
    let out = place.text("out.pgn");
    assert!(
        out.contains("{solid}") && !out.contains("Alder,N") && out.contains("2018.03.14"),
        "{out}"
    );
    assert_eq!(out.matches("A study").count(), 1);
    let ran = place.run("dedupe bare.pgn games.pgn --dry-run nothing.pgn").well();
    assert!(
        ran.out.contains(
            "bare.pgn: game 1, Alder,N – Birch, Tom, 2019.03.14: repeats game 1 of games.pgn\n"
        ),
        "{ran}"
    );
    assert!(!place.path("nothing.pgn").exists());
    let ran = place.run("dedupe bare.pgn games.pgn --dry-run --json").well();
    let pair: serde_json::Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    assert_eq!((&pair["game"], &pair["stays"]["base"]), (&1.into(), &"games.pgn".into()));
    // The same for convert, for bases of files, and among selected games only.
    place.run("convert bare.pgn bare.si4").well();
    let ran = place.run("convert bare.si4 games.pgn unique.si4 --unique --player alder").well();
    assert!(ran.err.contains("2 games, of which 1 repeats another\n"), "{ran}");
    assert_eq!(place.run("list --json unique.si4").well().out.lines().count(), 1);
    assert_eq!(place.run_words(&["dedupe", "-", "out2.pgn"], GAMES).code, 2);
}

/// The text of remaining games is copied from PGN to PGN; a game with warnings is written anew.
#[test]
fn dedupe_text_of_remaining_games_is_kept() {
    let place = Place::new();
    let game = |white: &str, moves: &str| format!("[White \"{white}\"]\n\n{moves}\n\n");
    let (own, odd) = (game("Tal", "1.e4   e5\n2.Nf3 *"), game("Tal", "1.d4 d5"));
    let dos = game("Spassky", "1.c4 {two\nlines} *").replace('\n', "\r\n");
    let first = [&own, "%hidden\n", &odd, &own].concat();
    fs::write(place.path("first.pgn"), format!("\u{feff}{first}")).unwrap();
    fs::write(place.path("second.pgn"), [&own, &*dos, "1.g3 *\n\n"].concat()).unwrap();
    let again = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Tal\"]\n\
        [Black \"?\"]\n[Result \"*\"]\n\n1. d4 d5 *\n\n";
    let expected = [&own, again, &dos.replace('\r', ""), "1.g3 *\n\n"].concat();
    for threads in 1..4 {
        let ran = place
            .run(&format!("dedupe -f --threads {threads} first.pgn second.pgn out.pgn"))
            .well();
        assert!(ran.err.contains("6 games read, 4 written, 2 not chosen\n"), "{ran}");
        assert_eq!(place.text("out.pgn"), expected);
    }
    // Other formats have no texts to copy, and convert copies texts only with --unique.
    place.run("convert first.pgn first.jsonl").well();
    place.run("dedupe first.jsonl second.pgn other.pgn").well();
    assert!(place.text("other.pgn").contains("1. e4 e5 2. Nf3 *"));
    place.run("convert first.pgn plain.pgn").well();
    assert!(!place.text("plain.pgn").contains("1.e4"));
    place.run("convert --unique first.pgn second.pgn unique.pgn.gz").well();
    place.run("convert unique.pgn.gz unique.jsonl").well();
    place.run("convert out.pgn out.jsonl").well();
    assert_eq!(place.text("unique.jsonl"), place.text("out.jsonl"));
}

#[test]
fn dedupe_contained_drops_beginnings_of_games() {
    let place = Place::new();
    let game = |white: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"Short, N\"]\n[Date \"1993.??.??\"]\n\n{moves} *\n\n")
    };
    let text = game("Kasparov,G", "1. e4 e5")
        + &game("Kasparov, Garry", "1. e4 e5 2. Nf3 Nc6")
        + &game("Karpov, A", "1. e4")
        + &game("Kasparov, G", "1. e4");
    fs::write(place.path("parts.pgn"), text).unwrap();
    let ran = place.run("dedupe parts.pgn a.pgn").well();
    assert!(ran.err.contains("4 games, of which 0 repeat"), "{ran}");
    let ran = place.run("dedupe parts.pgn b.pgn --contained").well();
    assert!(
        ran.err.contains("4 games, of which 2 repeat others, 2 as the beginning of a longer game"),
        "{ran}"
    );
    let ran = place.run("dedupe parts.pgn --contained -n").well();
    assert!(
        ran.out.contains("game 4, Kasparov, G – Short, N, 1993.??.??: is the beginning of game 2"),
        "{ran}"
    );
}
