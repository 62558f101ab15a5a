//! Round trips of random games: equal except for reported losses.

use cbf::{Database, Parts, Writer, fbk};
use chess_core::{Game, Token};
use chess_store::{Diagnostics, Loss, LossKind, Losses, Trim};
use testkit::{Flavour, Random, random_game};

use crate::{open, write};

fn there_and_back(game: &Game) -> (Game, Losses) {
    let (cbf, cbi, losses) = write([game]);
    let base = open(cbf, Some(cbi)).unwrap();
    let mut again = Game::new();
    base.reader().game(0, &mut again, &mut Diagnostics::strict()).unwrap();
    (again, losses)
}

fn random(seed: u64, flavour: Flavour) -> Game {
    let bytes = Random::new(seed).bytes(1500);
    random_game(&mut arbitrary::Unstructured::new(&bytes), flavour).unwrap()
}

fn moves(game: &Game) -> Vec<Token<'_>> {
    let wanted = |token: &Token<'_>| !matches!(token, Token::Nag(_) | Token::Comment(_));
    game.tokens().filter(wanted).collect()
}

fn lost(losses: &Losses, kinds: &[LossKind]) -> bool {
    losses.iter().any(|loss| kinds.contains(&loss.kind))
}

#[test]
fn round_trip_moves_and_variations_are_equal() {
    let flavour = Flavour { setups: true, variations: true, plies: 200, ..Flavour::PLAIN };
    for seed in 0..300 {
        let game = random(seed, flavour);
        let (again, losses) = there_and_back(&game);
        assert!(!lost(&losses, &[LossKind::Move, LossKind::Variation]), "{losses:?}");
        assert_eq!(moves(&again), moves(&game), "seed {seed}");
        if !lost(&losses, &[LossKind::Setup]) {
            assert_eq!(again.start_position(), game.start_position(), "seed {seed}");
        }
    }
}

#[test]
fn round_trip_annotated_games_lose_only_reported() {
    for seed in 0..300 {
        let game = random(seed, Flavour::ALL);
        let (again, losses) = there_and_back(&game);
        let chess960 = game.start_position().to_fen().contains(['B', 'H'])
            && lost(&losses, &[LossKind::Setup]);
        let kinds = [LossKind::Move, LossKind::NullMove, LossKind::Variation];
        if !lost(&losses, &kinds) && !chess960 {
            assert_eq!(moves(&again), moves(&game), "seed {seed}");
        }
        // A second round trip loses only tags of this crate that repeat a loss.
        let (third, again_lost) = there_and_back(&again);
        assert!(third == again, "seed {seed}: {again_lost:?}");
        assert!(again_lost.is_empty(), "seed {seed}: {again_lost:?}");
    }
}

/// Data that the format can hold is kept without a loss.
#[test]
fn write_storable_header_loses_nothing() {
    let mut game = Game::new();
    for (name, value) in [
        ("Event", "Linares"),
        ("Date", "1991.??.??"),
        ("Round", "3/11"),
        ("White", "Karpov,A"),
        ("Black", "Saint-Amant,P"),
        ("Result", "*"),
        ("WhiteElo", "2725"),
        ("ECO", "C42/07"),
        ("Deleted", "1"),
        ("Annotator", "Tal"),
        ("CbfLine", "-+"),
        ("CbfMarked", "1"),
        ("CbfVersion", "1"),
    ] {
        game.header.set(name, value);
    }
    game.push_move("e2e4".parse().unwrap());
    let (again, losses) = there_and_back(&game);
    assert!(losses.is_empty(), "{losses:?}");
    assert!(again == game, "{again:?}");
}

/// One line per loss of the table in cbf §10 "Losses": tag, value, expected loss.
#[test]
fn write_unstorable_tag_reports_loss() {
    let cases: [(&str, &str, LossKind); 14] = [
        ("Site", "Spain", LossKind::TagMoved),
        ("Date", "1991.03.05", LossKind::Date),
        ("Date", "2031.??.??", LossKind::Date),
        ("EventDate", "1991.03.01", LossKind::Date),
        ("Round", "Final", LossKind::Round),
        ("WhiteElo", "2727", LossKind::Rating),
        ("BlackElo", "1500", LossKind::Rating),
        ("ECO", "F50", LossKind::Eco),
        ("ECO", "C42a", LossKind::Eco),
        ("White", "Москва", LossKind::Characters),
        ("TimeControl", "40/7200", LossKind::Tag),
        ("CbfChecksum", "foreign", LossKind::Flag),
        ("CbfSpare", "ffffffff", LossKind::Tag),
        ("CbfPlayers", "somebody else", LossKind::Tag),
    ];
    for (name, value, kind) in cases {
        let mut game = Game::new();
        game.header.set(name, value);
        let (_, losses) = there_and_back(&game);
        assert!(lost(&losses, &[kind]), "{name} {value}: {losses:?}");
        assert_eq!(losses.total(), 1, "{name} {value}: {losses:?}");
    }
}

#[test]
fn write_long_names_are_truncated() {
    let mut game = Game::new();
    let (white, black) = ("W".repeat(50), "B".repeat(20));
    game.header.white.clone_from(&white);
    game.header.black.clone_from(&black);
    game.header.event = "E".repeat(80);
    game.header.round = "3".into();
    let (again, losses) = there_and_back(&game);
    assert_eq!(again.header.white, "W".repeat(40));
    assert_eq!(again.header.black, black);
    assert_eq!((again.header.event.len(), again.header.round.as_str()), (59, "3"));
    assert_eq!(losses.iter().filter(|loss| loss.kind == LossKind::TextCut).count(), 2);
}

/// Moves that have no number, or whose number leaves no room for a comment.
#[test]
fn write_move_without_number_is_lost() {
    let mut game = Game::new();
    // Nine queens; more than 127 moves precede the moves of the last.
    game.set_start_fen("Q6Q/1Q4Q1/2Q2Q2/3Q4/8/8/k1K5/7Q w - - 0 1").unwrap();
    let start = game.start_position();
    let mut seen = (false, false);
    for m in start.legal_moves() {
        let mut one = game.clone();
        one.push_move(m);
        one.push_comment("here").unwrap();
        let (again, losses) = there_and_back(&one);
        let stored = again.ply_count() == 1;
        assert_eq!(stored, !lost(&losses, &[LossKind::Move]), "{m}");
        seen.0 |= !stored;
        seen.1 |= stored && lost(&losses, &[LossKind::Comment]);
    }
    assert_eq!(seen, (true, true));
}

#[test]
fn write_null_move_ends_line() {
    let mut game = Game::new();
    for token in ["e2e4", "0000", "d2d4"] {
        game.push_move(token.parse().unwrap());
    }
    let (again, losses) = there_and_back(&game);
    assert_eq!(again.ply_count(), 1);
    assert_eq!(losses, [Loss::at_ply(LossKind::NullMove, "0000", 1)]);
}

#[test]
fn write_oversized_sections_are_truncated() {
    let mut game = Game::new();
    let text = "x".repeat(1000);
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for m in shuffle.iter().cycle().take(400) {
        game.push_move(m.parse().unwrap());
        game.push_comment(&text).unwrap();
    }
    let (again, losses) = there_and_back(&game);
    assert_eq!(again.ply_count(), 400);
    let kept = again.tokens().filter(|token| matches!(token, Token::Comment(_))).count();
    let counts: Vec<_> = losses.counts().collect();
    assert_eq!(counts, [(LossKind::Comment, 400 - kept as u64)]);
    // 1005 bytes each, and the border before the first.
    assert_eq!(kept, 65_534 / 1005);

    let mut game = Game::new();
    for m in shuffle.iter().cycle().take(65_536) {
        game.push_move(m.parse().unwrap());
    }
    let (again, losses) = there_and_back(&game);
    assert_eq!(again.ply_count(), 65_534);
    assert!(lost(&losses, &[LossKind::Move]));
}

#[test]
fn writer_old_limits_are_warned() {
    let mut writer = Writer::in_memory();
    let mut game = Game::new();
    for m in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(362) {
        game.push_move(m.parse().unwrap());
    }
    writer.write(&game, &mut Losses::new()).unwrap();
    let short = Game::new();
    for _ in 0..4001 {
        writer.write(&short, &mut Losses::new()).unwrap();
    }
    let names: Vec<&str> = writer.warnings().iter().map(|warning| warning.name).collect();
    assert_eq!(names, ["cbf-many-moves", "cbf-many-games"]);
}

#[test]
fn writer_unfinished_creates_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("NEW.CBF");
    let mut writer = Writer::create(&path).unwrap();
    writer.write(&Game::new(), &mut Losses::new()).unwrap();
    assert!(!path.exists());
    writer.finish().unwrap();
    assert!(path.exists() && folder.path().join("NEW.CBI").exists());
    let base = Database::open(folder.path().join("new.cbi"));
    // Works in any folder: the .cbf is found in either case.
    assert_eq!(base.unwrap().len(), 1);
    drop(Writer::create(folder.path().join("gone.cbf")).unwrap());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// Encoders and their outputs may be reused on any thread without changing the database.
#[test]
fn encoder_on_other_thread_gives_same_bytes() {
    let games: Vec<Game> = (0..60).map(|seed| random(seed, Flavour::ALL)).collect();
    let (cbf, cbi, losses) = write(&games);
    let mut writer = Writer::in_memory();
    let (mut again, mut encoded) =
        (Losses::new(), [cbf::Encoded::default(), cbf::Encoded::default()]);
    for pair in games.chunks(2) {
        let halves = std::thread::scope(|scope| {
            let start = |(game, into)| {
                let mut encoder = writer.encoder();
                scope.spawn(move || {
                    let mut losses = Losses::new();
                    encoder.encode(game, into, &mut losses).unwrap();
                    losses
                })
            };
            let both: Vec<_> = pair.iter().zip(&mut encoded).map(start).collect();
            both.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        for (encoded, mut losses) in encoded.iter_mut().zip(halves) {
            writer.append(encoded, &mut again).unwrap();
            again.append(&mut losses);
            encoded.trim(100);
        }
    }
    assert_eq!(writer.into_bytes().unwrap(), Parts::new(cbf, Some(cbi)));
    assert_eq!(again, losses);
}

/// A refused game leaves a book as it was, without losses.
#[test]
fn book_writer_setup_is_error() {
    let (mut writer, mut losses) = (fbk::Writer::in_memory(), Losses::new());
    let mut game = Game::new();
    game.set_start_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
    game.header.set("White", "Somebody");
    let error = writer.write(&game, &mut losses).unwrap_err();
    assert!(matches!(error.kind(), cbf::ErrorKind::BookSetup), "{error}");
    assert!(losses.is_empty() && writer.is_empty());
    assert_eq!(writer.into_bytes().unwrap(), Vec::<u8>::new());
}

/// Moves against the rules that have a number are written where a reader finds them again, and
/// else dropped, and told.
#[test]
fn forbidden_moves_are_written_or_told() {
    let line = |moves: &str| {
        let mut game = Game::new();
        for m in moves.split(' ') {
            game.push_move(m.parse().unwrap());
        }
        game
    };
    let read = |game: &Game| {
        let (cbf, cbi, losses) = write([game]);
        let (base, mut again) = (open(cbf, Some(cbi)).unwrap(), Game::new());
        base.reader().game(0, &mut again, &mut Diagnostics::lenient()).unwrap();
        (again, losses)
    };
    for written in [
        // The king stays in check; it castles when it has moved; en passant after castling.
        "e2e4 f7f6 d1h5 a7a6 h5h4 a6a5 e4e5",
        "e2e4 e7e5 g1f3 b8c6 f1c4 a7a6 e1e2 a6a5 e2e1 a5a4 e1h1 a4a3",
        "e2e4 d7d6 e4e5 d6d5 g1f3 g7g6 f1e2 f8g7 b1c3 g8h6 d2d4 e8h8 e5d6 c7d6 h2h3 b8c6",
    ] {
        let game = line(written);
        let (again, losses) = read(&game);
        assert_eq!(losses, [], "{written}");
        assert_eq!(moves(&again), moves(&game), "{written}");
    }
    // All of this game's numbers are legal moves, and others, where pawns of the a-file take none.
    let ambiguous = line(
        "b1a3 g8f6 g2g4 f6h5 a3c4 c7c6 c4e5 h5f6 c2c3 f6g8 d1a4 e7e6 a4b4 a7a6 b4d6 f7f5 \
            d6d4 d8g5 a2a4 g8h6 a4a5 f8d6 d4a4 g5f4 f1h3 h8g8 c3c4 g8f8 h3f1 f4d2 c1d2 f8g8 \
            a4b5 f5f4 b2b3 h6g4 e5f7 g8h8 e1a1 e8h8 f7d6 f8f7 b5c6 g4e5 d6f5 f7f8 f1g2 e5g4 \
            f5g3 f4g3 c6c5 f8d8 f2f3 g8h8 c5b5 d7d6 b5h5",
    );
    let (again, losses) = read(&ambiguous);
    assert!(lost(&losses, &[LossKind::Move]), "{losses:?}");
    assert!(moves(&ambiguous).starts_with(&moves(&again)));
    // A move without a number is dropped as ever.
    let (again, losses) = read(&line("e2e4 e7e5 a1a5 a7a6"));
    assert_eq!(moves(&again).len(), 2);
    assert!(lost(&losses, &[LossKind::Move]));
}
