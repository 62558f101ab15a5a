//! Round trips: written games read back equal, and Scid's bases are rewritten byte for byte.

use arbitrary::Unstructured;
use chess_core::{Date, Game, Nag, Replay, Token};
use chess_store::{Diagnostics, LossKind};
use scid::{
    CreateOptions, Database, Encoded, Encoding, Extensions, IndexEntry, Losses, OpenOptions,
    Version, Writer,
};
use testkit::{Case, Flavour, Random, random_game};

use crate::files::{BaseFiles as _, Files, encoding, family, writer_in};

/// The content that every version holds: one comment a node.
const FLAVOUR: Flavour = Flavour { chess960: false, free_comments: false, ..Flavour::ALL };

fn games(seed: u64, flavour: Flavour, count: usize) -> Vec<Game> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let length = 20 + random.below(1500);
            let bytes = random.bytes(length);
            random_game(&mut Unstructured::new(&bytes), flavour).unwrap()
        })
        .collect()
}

#[test]
fn write_random_games_read_back_equal() {
    for (family, chess960) in [(Extensions::SI4, false), (Extensions::SI5, true)] {
        for seed in 0..20 {
            let games = games(seed, Flavour { chess960, ..FLAVOUR }, 40);
            let mut writer = writer_in(family, None);
            let mut losses = Losses::new();
            for game in &games {
                writer.write(game, &mut losses).unwrap();
            }
            assert_eq!(losses, []);
            let files = writer.into_bytes().unwrap();
            let base = files.open().unwrap();
            assert_eq!(base.warnings(), []);
            let (mut reader, mut strict) = (base.reader(), Diagnostics::strict());
            for (number, game) in (0..).zip(&games) {
                let mut back = Game::new();
                reader.game(number, &mut back, &mut strict).unwrap();
                assert_eq!(&back, game, "{family:?} seed {seed} game {number}");
                let fields = reader.verify(number, &back).unwrap();
                assert!(fields.is_empty(), "{fields:?} {family:?} seed {seed} game {number}");
            }
        }
    }
}

/// The output depends neither on the encoder nor on its previous contents.
#[test]
fn encode_several_encoders_write_same_bytes() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let games = games(99, FLAVOUR, 60);
        let mut writer = writer_in(family, None);
        let mut encoders = [writer.encoder(), writer.encoder(), writer.encoder()];
        let mut encoded = vec![Encoded::default(); 7];
        for games in games.chunks(encoded.len()) {
            let mut losses = Losses::new();
            for (number, (game, encoded)) in games.iter().zip(&mut encoded).enumerate() {
                encoders[number % 3].encode(game, encoded, &mut losses).unwrap();
            }
            for encoded in &mut encoded[..games.len()] {
                writer.append(encoded, &mut losses).unwrap();
            }
            assert_eq!(losses, []);
        }
        assert_eq!(writer.into_bytes().unwrap(), Files::with(family, &games));
    }
}

/// Comments without a place of their own are joined to the previous one, with a report.
#[test]
fn write_free_comments_are_joined() {
    let mut game = Game::new();
    game.push_comment("a").unwrap();
    game.push_comment("b").unwrap();
    game.push_move("e2e4".parse().unwrap());
    game.push_comment("c").unwrap();
    game.start_variation().unwrap();
    game.push_move("d2d4".parse().unwrap());
    game.end_variation().unwrap();
    game.push_nag(Nag(1));
    game.push_comment("d").unwrap();
    let mut writer = Writer::in_memory();
    let mut losses = Losses::new();
    writer.write(&game, &mut losses).unwrap();
    let kinds: Vec<LossKind> = losses.iter().map(|loss| loss.kind).collect();
    assert_eq!(kinds, [LossKind::CommentMoved, LossKind::CommentMoved]);
    let back = writer.into_bytes().unwrap().read().unwrap().remove(0);
    let text: Vec<String> = back
        .tokens()
        .map(|token| match token {
            Token::Comment(text) => text.to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(
        text,
        ["a b", "Move(e2e4)", "Nag(Nag(1))", "c d", "VariationStart", "Move(d2d4)", "VariationEnd"]
    );
}

#[test]
fn write_inexpressible_is_loss_or_error() {
    let mut game = Game::new();
    let header = &mut game.header;
    header.white = "é".repeat(200);
    header.date = Date::new(2100, 1, 1).unwrap();
    header.event_date = Date::new(1990, 1, 1);
    header.tags.push(&"n".repeat(241), "x");
    header.tags.push("Long", &"v".repeat(256));
    header.tags.push("ScidFlags", "WZ");
    game.push_nag(Nag(1));
    game.push_move("e2e4".parse().unwrap());
    for nag in [1, 2, 3, 4, 5, 6, 7, 8, 300] {
        game.push_nag(Nag(nag));
    }
    let mut writer = Writer::in_memory();
    let mut losses = Losses::new();
    writer.write(&game, &mut losses).unwrap();
    let said: Vec<String> = losses.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"));

    let refused = |game: &Game| {
        let mut writer = Writer::in_memory();
        let error = writer.write(game, &mut Losses::new()).unwrap_err();
        assert!(writer.is_empty());
        // The base can still be written.
        writer.write(&Game::new(), &mut Losses::new()).unwrap();
        assert_eq!(writer.into_bytes().unwrap().read().unwrap(), [Game::new()]);
        error.to_string()
    };
    let mut chess960 = Game::new();
    chess960.set_start_fen("nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w KQkq - 0 1").unwrap();
    let mut many = Game::new();
    many.set_start_fen("QQQQQQQQ/QQQQQQQQ/QQ6/8/8/8/8/k6K w - - 0 1").unwrap();
    let mut nowhere = Game::new();
    nowhere.push_move("e2e4".parse().unwrap());
    nowhere.push_move("e4e5".parse().unwrap());
    let mut long = Game::new();
    long.push_comment(&"x".repeat(131_072)).unwrap();
    insta::assert_snapshot!([&chess960, &many, &nowhere, &long].map(refused).join("\n"));
}

/// Sound bases that no Scid writes: without the last markers, without the fields that searches use, with
/// texts in two encodings.
const NOT_WRITTEN: [&str; 6] = [
    "comments_unmarked",
    "count_codes",
    "header_fields",
    "mixed_text",
    "names_stamp",
    "queen_squares",
];

/// Every base by Scid is read and rewritten: same records, same games file, same entries.
#[test]
fn rewrite_scid_base_is_byte_identical() {
    let mut records = 0;
    let cases = testkit::cases("scid");
    let written = |case: &&Case| !case.is_bad() && !NOT_WRITTEN.contains(&&*case.name);
    for case in cases.iter().filter(written) {
        let files = Files::of(case);
        let family = if family(case) == Extensions::SI3 { Extensions::SI4 } else { family(case) };
        let base = files.open_in(encoding(case)).unwrap();
        let mut writer = writer_in(family, latin1(&case.name).or(encoding(case)));
        let (mut reader, mut diagnostics) = (base.reader(), Diagnostics::strict());
        let (mut game, mut losses) = (Game::new(), Losses::new());
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut diagnostics).unwrap();
            writer.write(&game, &mut losses).unwrap();
        }
        assert_eq!(losses, [], "{}", case.name);
        let again = writer.into_bytes().unwrap();
        let new = again.open_in(encoding(case)).unwrap();
        for number in 0..base.len() {
            // Scid 3.7 gave the source's ECF ratings no type; they are in the record.
            if base.version() == Version::Si3 && number == 45 {
                continue;
            }
            let (old, new) = (base.entry(number).unwrap(), new.entry(number).unwrap());
            let bytes = |file: &[u8], entry: &IndexEntry| {
                let start = entry.offset as usize;
                file[start..start + entry.length as usize].to_vec()
            };
            assert_eq!(
                bytes(&files.games, &old),
                bytes(&again.games, &new),
                "{} game {number}",
                case.name
            );
            records += 1;
            if base.version() != Version::Si3 {
                let comparable = |mut entry: IndexEntry| {
                    entry.offset = 0;
                    // Ids are reassigned where games were replaced.
                    entry.names = Default::default();
                    entry
                };
                assert_eq!(comparable(old), comparable(new), "{} game {number}", case.name);
            }
        }
        if base.version() != Version::Si3 && case.name != "deadspace" {
            assert_eq!(files.games, again.games, "{}", case.name);
            assert_eq!(files.names, again.names, "{}", case.name);
        }
    }
    assert!(records > 1000, "{records} records");
}

/// A record without the last markers is rewritten with all of them, and reads the same.
#[test]
fn rewrite_unmarked_comments_keeps_games() {
    let case = testkit::cases("scid").into_iter().find(|case| case.name == NOT_WRITTEN[0]).unwrap();
    let games = Files::of(&case).read().unwrap();
    let files = Files::with(family(&case), &games);
    assert!(files.games.len() > Files::of(&case).games.len());
    let again = files.open().unwrap();
    assert_eq!(again.warnings(), []);
    assert_eq!(files.read().unwrap(), games);
}

/// The only case whose texts are not UTF-8.
fn latin1(case: &str) -> Option<Encoding> {
    (case == "latin1").then_some(Encoding::WINDOWS_1252)
}

/// The decoder's own board must agree with the model's about every move.
#[test]
fn decode_fixture_moves_fit_model_board() {
    for case in testkit::cases("scid").iter().filter(|case| !case.is_bad()) {
        for game in Files::of(case).read().unwrap() {
            let mut replay = Replay::new(&game);
            for token in game.tokens() {
                if let Token::Move(m) = token
                    && !m.is_null()
                {
                    let position = replay.position();
                    let mover = position.piece_at(m.from()).map(|piece| piece.color());
                    assert_eq!(mover, Some(position.turn()), "{} {m}", case.name);
                }
                replay.step(token);
            }
        }
    }
}

/// An unknown result code is kept as a tag, and version 4 writes it back. A BCF rating has the type
/// that Scid calls ECF.
#[test]
fn write_odd_result_and_old_federation_are_kept() {
    let mut game = Game::new();
    game.header.tags.push("ScidResult", "9");
    game.header.tags.push("WhiteBCF", "150");
    for family in [Extensions::SI4, Extensions::SI5] {
        let mut writer = writer_in(family, None);
        let mut losses = Losses::new();
        writer.write(&game, &mut losses).unwrap();
        assert_eq!(losses.total(), 1, "{losses:?}");
        assert_eq!(losses.listed()[0].kind, LossKind::TagMoved);
        let files = writer.into_bytes().unwrap();
        let base = files.open().unwrap();
        let entry = base.entry(0).unwrap();
        assert_eq!(entry.white_rating.kind, 6);
        assert_eq!(entry.result, if family == Extensions::SI4 { 9 } else { 0 });
        let mut back = Game::new();
        base.reader().game(0, &mut back, &mut Diagnostics::lenient()).unwrap();
        let tag = |name| back.header.tags.get(name);
        assert_eq!((tag("ScidResult"), tag("WhiteECF")), (Some("9"), Some("150")));
        assert_eq!(back.header.tags.iter().count(), 2);
    }
}

/// The losses of a game with this start position, and the FEN that is read back.
fn start_written(fen: &str) -> (Vec<String>, String) {
    let mut game = Game::new();
    game.set_start_fen(fen).unwrap();
    game.drop_stray_castling();
    let mut writer = Writer::in_memory();
    let mut losses = Losses::new();
    writer.write(&game, &mut losses).unwrap();
    let read = writer.into_bytes().unwrap().read().unwrap();
    let said = losses.iter().map(ToString::to_string).collect();
    (said, read[0].setup().unwrap().fen().to_owned())
}

/// Scid 4.7.4 calls each of these games corrupt.
#[test]
fn write_start_that_scid_cannot_read_is_a_loss() {
    for (fen, why) in [
        ("4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1", "in check"),
        ("8/4R3/8/8/8/8/4r3/4K3 w - - 0 1", "one king"),
        ("4k1k1/8/8/8/8/8/8/4K3 w - - 0 1", "one king"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "pawn"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn"),
    ] {
        let (losses, read) = start_written(fen);
        assert!(losses.len() == 1 && losses[0].contains(why), "{fen}: {losses:?}");
        assert_eq!(read, fen);
    }
    for fen in [
        "4k3/4R3/8/8/8/8/8/4K3 b - - 0 1",
        "7k/8/8/RRRRR3/RRRRR3/RRRRR3/8/K7 b - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e3 0 0",
        "4k3/8/8/8/8/8/8/4K3 w",
    ] {
        assert_eq!(start_written(fen).0, [""; 0], "{fen}");
    }
}

#[test]
fn write_fen_that_says_more_than_its_position_is_a_loss() {
    for (fen, written) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 99 70000", "4k3/8/8/8/8/8/8/4K3 w - - 99 1"),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("6k1/8/8/8/8/8/8/3R2K1 w KQkq - 0 1", "6k1/8/8/8/8/8/8/3R2K1 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e5 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ] {
        assert_eq!(start_written(fen), (vec![format!("setup: {fen}")], written.into()));
    }
}

#[test]
fn write_fen_that_is_none_is_a_lost_tag() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let mut game = Game::new();
        game.header.tags.push("FEN", "9/9 w");
        let mut losses = Losses::new();
        writer_in(family, None).write(&game, &mut losses).unwrap();
        let said: Vec<String> = losses.iter().map(ToString::to_string).collect();
        assert_eq!(said, ["tag: FEN \"9/9 w\""]);
    }
}

#[test]
fn writer_in_memory_options_select_version() {
    let version = |version| {
        let mut options = CreateOptions::default();
        options.version = version;
        let files = Writer::in_memory_with(&options)?.into_bytes()?;
        Ok::<_, scid::Error>(Database::from_parts(files, &OpenOptions::default())?.version())
    };
    assert_eq!(version(CreateOptions::default().version).unwrap(), Version::Si4);
    assert_eq!(version(Version::Si5).unwrap(), Version::Si5);
    let error = version(Version::Si3).unwrap_err();
    assert!(matches!(error.kind(), scid::ErrorKind::ReadOnly), "{error}");
}
