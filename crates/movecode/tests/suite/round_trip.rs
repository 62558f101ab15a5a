//! Round trips: written games read back equal, and rewriting gives the same bytes.

use chess_core::{Game, Move, Nag};
use chess_store::Diagnostics;
use movecode::{
    DecodeOptions, EncodedGame, ErrorKind, GameCode, Location, LossKind, Losses, OpenOptions,
    decode_game, encode_game,
};
use testkit::{Flavour, cases};

use crate::common::{FLAVOUR, archived, games, open, open_case, read, write};

fn decode(encoded: &EncodedGame, original: &Game) -> Game {
    let mut game = Game::new();
    let fen = original.setup().map(|setup| setup.fen());
    let from = GameCode { fen, code: &encoded.code, comments: &encoded.comments };
    let options = DecodeOptions::default();
    let mut diagnostics = Diagnostics::strict();
    decode_game(&from, &mut game, &options, &mut diagnostics, Location::default()).unwrap();
    game
}

#[test]
fn codec_random_games_round_trip() {
    let (mut encoded, mut again) = (EncodedGame::default(), EncodedGame::default());
    for original in games(1, 500, FLAVOUR) {
        let mut losses = Losses::new();
        encode_game(&original, &mut encoded, &mut losses).unwrap();
        assert_eq!(losses, []);
        let game = decode(&encoded, &original);
        assert!(game.tokens().eq(original.tokens()));
        assert_eq!(game.header.result, original.header.result);
        assert_eq!(encoded.plies as usize, original.ply_count());
        encode_game(&game, &mut again, &mut losses).unwrap();
        assert_eq!(again.code, encoded.code);
        assert_eq!(again.comments, encoded.comments);
    }
}

#[test]
fn archive_random_games_round_trip() {
    let originals = games(2, 300, FLAVOUR);
    let (archive, losses) = write(&originals);
    assert_eq!(losses, []);
    let base = open(archive.clone()).unwrap();
    assert_eq!(base.warnings(), []);
    let read = read(&base);
    assert_eq!(read.len(), originals.len());
    for (game, original) in read.iter().zip(&originals) {
        assert!(game.tokens().eq(original.tokens()));
        assert_eq!(game.setup(), original.setup());
        assert_eq!(archived(game, "base"), archived(original, "base"));
    }
    let (again, losses) = write(&read);
    assert_eq!(losses, []);
    assert!(again == archive, "written again the same");
}

#[test]
fn rewrite_fixtures_gives_same_bytes() {
    for case in cases("movecode").iter().filter(|case| !case.is_bad()) {
        let originals = read(&open_case(case, OpenOptions::default()).unwrap());
        let (archive, losses) = write(&originals);
        assert_eq!(losses, [], "{}", case.name);
        assert_eq!(read(&open(archive.clone()).unwrap()), originals, "{}", case.name);
        // Cases made by the writer are canonical in every byte.
        if case.meta.origin.contains("this project's writer, which") {
            assert!(archive == case.bytes("base.jose"), "{}", case.name);
        }
    }
}

#[test]
fn write_unstorable_data_reports_loss() {
    let mut game = Game::new();
    game.push_move("e2e4".parse().unwrap());
    game.push_nag(Nag(256));
    game.push_comment("a\0b").unwrap();
    game.push_move("a7a4".parse().unwrap());
    game.push_move("d2d4".parse().unwrap());
    let (mut encoded, mut losses) = (EncodedGame::default(), Losses::new());
    encode_game(&game, &mut encoded, &mut losses).unwrap();
    let kinds: Vec<LossKind> = losses.iter().map(|loss| loss.kind).collect();
    assert_eq!(kinds, [LossKind::Nag, LossKind::Characters, LossKind::Move]);
    assert_eq!(encoded.code, [0x13, 0xe0, 0xd3, 0xff]);
    assert_eq!(encoded.comments, b"ab\0");
}

#[test]
fn encode_game_move_without_code_ends_line() {
    let mut game = Game::new();
    let m = |text: &str| text.parse::<Move>().unwrap();
    game.push_move(m("e2e4"));
    game.start_variation().unwrap();
    game.push_move(m("d2d4"));
    game.push_move(m("a7a4")); // impossible
    game.push_move(m("g1f3"));
    game.start_variation().unwrap();
    game.push_move(m("b1c3"));
    game.end_variation().unwrap();
    game.end_variation().unwrap();
    game.push_move(m("e7e5"));
    let (mut encoded, mut losses) = (EncodedGame::default(), Losses::new());
    encode_game(&game, &mut encoded, &mut losses).unwrap();
    assert_eq!(encoded.code, [0x13, 0xf0, 0x0f, 0xf1, 0x13, 0xd3, 0xff]);
    assert_eq!(losses.total(), 1);
    assert_eq!(losses.listed()[0].ply, Some(1));
}

#[test]
fn encode_game_extra_piece_is_error() {
    for fen in [
        "4k3/8/8/8/8/8/8/NNN1K3 w - - 0 1",
        "3qkq2/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
    ] {
        let mut game = Game::new();
        game.set_start_fen(fen).unwrap();
        let error =
            encode_game(&game, &mut EncodedGame::default(), &mut Losses::new()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::ExtraPiece(_)), "{error}");
    }
}

/// The published description has other direction numbers, and texts among the codes.
#[test]
fn decode_game_published_dialect_is_read() {
    // 1.Nc3 (knight slot 0, direction 0: two up, one right) {hi} Nf6 {e1: ?!} 2.Rb1
    let code = b"\x20\xe0hi\0\x2b\xe1?!\0\x59\xff";
    let mut options = DecodeOptions::default();
    options.dialect = movecode::Dialect::Published;
    let from = GameCode { fen: None, code, comments: &[] };
    let mut game = Game::new();
    let mut diagnostics = Diagnostics::strict();
    let at = Location::default();
    decode_game(&from, &mut game, &options, &mut diagnostics, at).unwrap_err();
    let tokens: Vec<String> = game.tokens().map(|token| format!("{token:?}")).collect();
    assert_eq!(tokens[..2], ["Move(b1c3)", "Comment(\"hi\")"]);
    // Direction 3 of a knight of Black, as of White: one down, two left; from g8 that is e7, where
    // a pawn stands. Direction 4 goes to f6.
    let code = b"\x20\xe0hi\0\x2c\xe1?!\0\x59\xff";
    let from = GameCode { code, ..from };
    decode_game(&from, &mut game, &options, &mut diagnostics, at).unwrap();
    let tokens: Vec<String> = game.tokens().map(|token| format!("{token:?}")).collect();
    assert_eq!(
        tokens,
        [
            "Move(b1c3)",
            "Comment(\"hi\")",
            "Move(g8f6)",
            "Comment(\"unreadable move: ?!\")",
            "Move(a1b1)"
        ]
    );
}

#[test]
fn codec_reused_does_not_allocate() {
    let flavour = Flavour { variations: false, setups: false, ..FLAVOUR };
    let originals = games(5, 60, flavour);
    let codes: Vec<EncodedGame> = originals
        .iter()
        .map(|game| {
            let mut encoded = EncodedGame::default();
            encode_game(game, &mut encoded, &mut Losses::new()).unwrap();
            encoded
        })
        .collect();
    assert!(codes.len() > 10);
    let mut game = Game::new();
    let mut encoded = EncodedGame::default();
    let mut losses = Losses::new();
    let options = DecodeOptions::default();
    let mut pass = || {
        for code in &codes {
            let from = GameCode { fen: None, code: &code.code, comments: &code.comments };
            game.clear();
            let mut diagnostics = Diagnostics::lenient();
            decode_game(&from, &mut game, &options, &mut diagnostics, Location::default()).unwrap();
            encode_game(&game, &mut encoded, &mut losses).unwrap();
        }
    };
    pass();
    // Texts with surrogates are decoded into new allocations.
    let surrogates = codes
        .iter()
        .map(|code| code.comments.windows(2).filter(|pair| *pair == b"\xed\xa0").count() as u64);
    let allowed: u64 = surrogates.sum();
    assert!(testkit::allocations(pass) <= allowed);
}
