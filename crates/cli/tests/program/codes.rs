//! Tests of exit codes, which scripts depend on.

use std::fs;

use crate::place::Place;

#[test]
fn exit_code_of_each_outcome_is_documented() {
    let place = Place::new();
    place.take_fixture("scid/bad_move");
    let damaged = "fixtures/scid/bad_move/base.si4";
    fs::write(place.path("bad.pgn"), "1. e4 e5 2. Ke3 *\n\n1. d4 *\n").unwrap();
    let chess960 = "[SetUp \"1\"]\n[FEN \"nrkbqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRKBQRBN w FBfb - 0 \
        1\"]\n\n*\n\n1. e4 *\n";
    fs::write(place.path("refused.pgn"), chess960).unwrap();
    for (line, code) in [
        // Losses and tolerated damage are reported and do not change the code.
        ("convert games.pgn old.cbf", 0),
        ("convert bad.pgn some.pgn", 0),
        ("info bad.pgn", 0),
        ("list bad.pgn", 0),
        ("show bad.pgn 1", 0),
        // Nothing was found.
        ("list games.pgn --player nobody", 1),
        ("convert games.pgn none.pgn --player nobody", 1),
        ("check bad.pgn", 1),
        // The command line is wrong.
        ("list games.pgn --date soon", 2),
        ("frobnicate", 2),
        // The command failed.
        ("list missing.pgn", 3),
        ("convert games.pgn games2.xyz --to si4 --strict --report missing/report", 3),
        // The command was done in part.
        ("convert refused.pgn refused.si4", 4),
        ("convert games.pgn missing.pgn both.pgn", 4),
        ("list games.pgn missing.pgn", 4),
        ("check games.pgn missing.pgn", 4),
        // `--fail-on` changes the code.
        ("convert games.pgn old2.cbf --fail-on loss", 4),
        ("convert games.pgn old3.cbf --fail-on damage", 0),
        ("convert bad.pgn some2.pgn --fail-on loss,damage", 4),
        ("list bad.pgn --fail-on damage", 4),
        ("info bad.pgn --fail-on damage", 4),
        ("list games.pgn --fail-on sunshine", 2),
    ] {
        let ran = place.run(line);
        assert_eq!(ran.code, code, "{ran}");
    }
    assert_eq!(place.run(&format!("check {damaged}")).code, 1);
    let mut texts = vec![place.run("--help").well().out];
    if cfg!(feature = "manual") {
        texts.push(place.run("man").well().out);
    }
    for text in texts {
        assert!(text.contains("done in part") && text.contains("no game was found"), "{text}");
    }
}
