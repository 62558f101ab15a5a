//! Damaged and hostile text causes no panic and no hang, and the games around it are read.

use pgn::{Diagnostics, Game};
use testkit::{cases, damaged, within};

/// Reads all games; fails if the reader does not terminate.
fn read(bytes: &[u8]) -> Vec<Game> {
    let mut reader = pgn::Reader::new(bytes);
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut games = Vec::new();
    loop {
        let before = reader.position();
        match reader.read_game(&mut game, &mut diagnostics) {
            Ok(false) => return games,
            Err(error) if reader.position() == 0 && games.is_empty() && bytes.len() > 1 => {
                assert!(matches!(error.kind(), pgn::ErrorKind::Utf16), "{error}");
                return games;
            }
            Ok(true) => {}
            Err(error) => {
                assert!(error.location().offset.is_some() && error.location().game.is_some());
            }
        }
        assert!(reader.position() > before, "no step forward");
        assert_eq!(game.open_variations(), 0);
        games.push(game.clone());
        diagnostics.clear();
    }
}

#[test]
fn reader_damaged_text_does_not_panic() {
    within(300, || {
        for case in cases("pgn") {
            let bytes = case.bytes("base.pgn");
            if bytes.len() > 10_000 {
                continue;
            }
            for damaged in damaged(&bytes, 7, 150) {
                let games = read(&damaged);
                // Every game that was read can be written, and reads back.
                for game in games {
                    let text = pgn::to_string(&game);
                    let back = read(text.as_bytes());
                    if game.setup().is_some() || game.header.tags.get("FEN").is_none() {
                        assert!(
                            back == [game.clone()],
                            "{text}\n{game:?}\n{back:?}\n{}",
                            String::from_utf8_lossy(&damaged)
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn reader_damage_costs_no_other_game() {
    let sound = "[White \"sound\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    let middle =
        "[White \"x\"]\n[Black \"y\"]\n\n1. e4 {comment} e5 (1... c5 2. Nf3) 2. Nf3 $1 1-0\n\n";
    for (number, damaged) in damaged(middle.as_bytes(), 3, 400).enumerate() {
        let text = [sound.as_bytes(), &damaged, b"\n\n", sound.as_bytes()].concat();
        let games = read(&text);
        let is_sound = |game: &Game| game.header.white == "sound" && game.ply_count() == 3;
        assert!(games.first().is_some_and(is_sound), "{number}");
        // A tag that is cut open right before the last game may swallow its line.
        let last = games.last().is_some_and(|game| game.ply_count() == 3);
        assert!(last, "{number}: {}", String::from_utf8_lossy(&damaged));
    }
}

#[test]
fn reader_repeated_signs_end_in_time() {
    within(120, || {
        for sign in [
            "(",
            ")",
            "{",
            "}",
            "[",
            "]",
            "\"",
            "$",
            "%",
            ";",
            "*",
            "1",
            "0",
            "-",
            "!",
            "N",
            "a",
            "O",
            "\\",
            "[A \"",
            "[A \"b\"]",
            "(e4 ",
            "1. e4 (",
            "/* ",
            "<!--",
            "{\n[Event \"x\"]\n\n*\n\n",
            ".\n",
            "{ {",
            "\n",
            "\n%",
            "\n[",
            "½",
            "\u{feff}",
            "{}",
            "()",
            "1-0 ",
            "[a ",
            "e4 e5 {\n\n[Event \"",
            "[\"",
            "\n\n[Event",
            "0-0",
            "1/2",
            "\0",
            "\u{e9}",
        ] {
            let text = sign.repeat(200_000 / sign.len());
            read(text.as_bytes());
            read(format!("[Event \"x\"]\n\n1. e4 {text}").as_bytes());
        }
    });
}

#[test]
fn reader_deep_nesting_is_error() {
    let text = format!("1. e4 {}", "(1. d4 (1. e4 ".repeat(20_000));
    let mut reader = pgn::Reader::new(text.as_bytes());
    let mut game = Game::new();
    let error = reader.read_game(&mut game, &mut Diagnostics::lenient()).unwrap_err();
    assert!(matches!(error.kind(), pgn::ErrorKind::TooDeep(_)), "{error}");
    assert!(game.variation_count() > 10_000);
}
