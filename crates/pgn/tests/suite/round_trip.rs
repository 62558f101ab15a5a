//! Written games read back equal, without warnings.

use arbitrary::Unstructured;
use chess_core::{Game, GameResult, Nag};
use chess_store::Diagnostics;
use pgn::{CreateOptions, Encoding, Losses};
use testkit::{Flavour, Random, random_game};

fn read_back(text: &[u8]) -> Vec<Game> {
    let mut reader = pgn::Reader::new(text);
    let mut games = Vec::new();
    let mut game = Game::new();
    while reader.read_game(&mut game, &mut Diagnostics::strict()).unwrap() {
        games.push(game.clone());
    }
    games
}

#[test]
fn writer_random_games_read_back_equal() {
    let mut random = Random::new(2026);
    let (mut games, mut text) = (Vec::new(), Vec::new());
    let mut exporter = pgn::Exporter::new();
    for size in 0..3000 {
        let bytes = random.bytes(size % 1200);
        let game = random_game(&mut Unstructured::new(&bytes), Flavour::ALL);
        let Ok(game) = game else { continue };
        exporter.write_game(&game, &mut text);
        games.push(game);
    }
    let back = read_back(&text);
    assert_eq!(games.len(), back.len());
    for (number, (game, back)) in games.iter().zip(&back).enumerate() {
        assert!(game == back, "game {number}:\n{}", pgn::to_string(game));
    }
    assert!(games.len() > 2000);
    let text = String::from_utf8(text).unwrap();
    assert!(text.lines().filter(|line| !line.starts_with('[')).all(|l| l.chars().count() < 80));
}

/// Illegal moves also make the round trip, because old databases hold them.
#[test]
fn writer_random_illegal_moves_read_back_equal() {
    let mut random = Random::new(7);
    let mut exporter = pgn::Exporter::new();
    let (mut games, mut text) = (Vec::new(), Vec::new());
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "K7/8/N7/8/8/N7/r7/7k w - - 0 1",
    ];
    for number in 0..3000 {
        let mut game = Game::new();
        game.set_start_fen(fens[number % fens.len()]).unwrap();
        let mut position = game.start_position();
        for _ in 0..30 {
            let squares = [random.below(64), random.below(64)];
            let [from, to] = squares.map(|at| chess_core::Square::from_low_bits(at as u8));
            let role =
                [None, None, None, Some(chess_core::Role::Queen), Some(chess_core::Role::Knight)];
            let m = match role[random.below(role.len())] {
                Some(role) => chess_core::Move::promoting(from, to, role),
                None => chess_core::Move::new(from, to),
            };
            // Half of the moves use pieces of the side to move.
            let own = position.piece_at(from).is_some_and(|piece| piece.color() == position.turn());
            if from != to && (own || random.below(2) == 0) {
                position.apply(m);
                game.push_move(m);
            }
        }
        exporter.write_game(&game, &mut text);
        games.push(game);
    }
    let mut reader = pgn::Reader::new(&text[..]);
    let mut game = Game::new();
    for written in &games {
        let read = reader.read_game(&mut game, &mut Diagnostics::lenient());
        let differ = written.tokens().zip(game.tokens()).find(|(a, b)| a != b);
        assert!(
            matches!(read, Ok(true)) && game == *written,
            "{read:?}, {differ:?}\n{}",
            pgn::to_string(written)
        );
    }
}

#[test]
fn writer_difficult_texts_read_back_equal() {
    let texts = [
        "",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\n\n\n",
        "}",
        "{",
        "}{",
        "{}",
        "\\",
        "\\x7d",
        "%",
        "\n%",
        "\n[A \"b\"]",
        "\n\n[Event \"x\"]\n\n1. e4 *\n",
        ";",
        "\"]",
        "\\\"",
        "\"",
        "]",
        "\u{feff}",
        "\0",
        "a \n b",
        "--",
        "1-0",
        "\u{a0}",
        "(",
        ")",
        "$1",
        "x  y   z",
        "tab\t",
        "½",
        "\\x5b",
        "{ } {",
        "a { b } c } d",
    ];
    for first in texts {
        for second in texts {
            let mut game = Game::new();
            game.header.set("Event", first);
            game.header.set("White", second);
            game.header.set("Note", first);
            game.header.set(second, first);
            game.push_comment(first).unwrap();
            game.push_move("e2e4".parse().unwrap());
            game.push_nag(Nag(7));
            game.push_comment(second).unwrap();
            game.push_comment(first).unwrap();
            game.start_variation().unwrap();
            game.push_comment(second).unwrap();
            game.push_move("d2d4".parse().unwrap());
            game.end_variation().unwrap();
            game.push_comment(&format!("{first} {second}")).unwrap();
            game.header.result = GameResult::Draw;
            let text = pgn::to_string(&game);
            let back = pgn::read_all(&text).unwrap();
            assert!(back == [game], "{text}");
        }
    }
}

#[test]
fn writer_other_encoding_reports_losses() {
    let mut game = Game::new();
    game.header.white = "Müller".into();
    let mut options = CreateOptions::default();
    options.encoding = Some(Encoding::WINDOWS_1252);
    let mut losses = Losses::new();
    let mut writer = pgn::Writer::in_memory_with(&options);
    writer.write(&game, &mut losses).unwrap();
    assert!(losses.is_empty());
    // A letter without a byte is written as its plain letter, and is a loss.
    game.header.black = "Łódź".into();
    writer.write(&game, &mut losses).unwrap();
    assert_eq!(losses.total(), 1);
    let bytes = writer.into_bytes().unwrap();
    assert!(bytes.windows(3).any(|three| three == b"M\xfcl"));
    assert!(bytes.windows(4).any(|four| four == b"L\xf3dz"));
}

#[test]
fn reader_and_writer_reused_do_not_allocate() {
    let text = "[White \"A\"]\n[Annotator \"B\"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3 *\n\n";
    let text = text.repeat(50);
    let mut reader = pgn::Reader::new(text.as_bytes());
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let (mut out, mut exporter) = (Vec::with_capacity(1 << 16), pgn::Exporter::new());
    assert!(reader.read_game(&mut game, &mut diagnostics).unwrap());
    exporter.write_game(&game, &mut out);
    let count = testkit::allocations(|| {
        for _ in 0..40 {
            reader.read_game(&mut game, &mut diagnostics).unwrap();
            exporter.write_game(&game, &mut out);
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn writer_output_matches_exporter() {
    let games = pgn::read_all("1. e4 {\u{2654}} e5 *\n\n1. d4 *").unwrap();
    let (mut writer, mut losses) = (pgn::Writer::in_memory(), Losses::new());
    // Encoded separately, appended in order.
    let mut encoder = writer.encoder();
    let mut encoded: Vec<Vec<u8>> = vec![Vec::new(); games.len()];
    for (game, encoded) in games.iter().zip(&mut encoded).rev() {
        encoder.encode(game, encoded, &mut losses).unwrap();
    }
    for encoded in &mut encoded {
        writer.append(encoded, &mut losses).unwrap();
    }
    let mut expected = Vec::new();
    games.iter().for_each(|game| pgn::write_game(game, &mut expected));
    assert_eq!(writer.into_bytes().unwrap(), expected);
    assert!(losses.is_empty());
}

#[test]
fn writer_stream_error_has_location() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut writer = pgn::Writer::new(Full);
    let mut result = Ok(());
    while result.is_ok() {
        result = writer.write(&Game::new(), &mut Losses::new());
    }
    let error = result.unwrap_err();
    assert_eq!(error.to_string(), ".pgn, byte 0, game 683: full");
    assert_eq!(error.scope(), chess_store::Scope::Base);
}
