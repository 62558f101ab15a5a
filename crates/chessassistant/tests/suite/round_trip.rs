//! Written games read back equal, apart from the reported losses.

use arbitrary::Unstructured;
use chess_core::{Game, Nag, Position, Token};
use chessassistant::{CreateOptions, Database, Encoding, LossKind, Losses, Writer};
use testkit::{Flavour, Random, random_game};

use crate::common::{asked, in_encoding, open, open_with, read, write};

pub(crate) fn games(flavour: Flavour, seeds: std::ops::Range<u64>) -> Vec<Game> {
    seeds
        .map(|seed| {
            let mut random = Random::new(seed);
            let size = 200 + random.below(1500);
            random_game(&mut Unstructured::new(&random.bytes(size)), flavour).unwrap()
        })
        .collect()
}

/// Everything that does not depend on encoding, rounds and tags. Symbols 33 and 63 are characters.
const SOUND: Flavour = Flavour { chess960: false, nags: 32, tags: false, ..Flavour::ALL };

/// Strict reading returns every token. The start position may differ in its clock.
#[test]
fn write_random_games_read_back_equal() {
    let games = games(SOUND, 0..400);
    // UTF-8, so that the encoding loses no text.
    let (files, losses) = write(&games, &in_encoding(Encoding::UTF_8));
    let base = open_with(&files, &asked(Encoding::UTF_8));
    assert!(base.warnings().is_empty(), "{:?}", base.warnings());
    for (number, (game, losses)) in games.iter().zip(losses).enumerate() {
        let again = read(&base, number);
        let moved = losses.iter().any(|loss| loss.kind == LossKind::CommentMoved);
        let from = |game: &Game| game.tokens().filter(|t| !(moved && comment(t))).count();
        assert_eq!(from(&again), from(game), "game {number}");
        if !moved {
            assert!(again.tokens().eq(game.tokens()), "game {number}: {losses:?}");
        }
        assert!(again.start_position().same_position(&game.start_position()), "game {number}");
        let clock = game.start_position().halfmove_clock() != 0;
        assert_eq!(losses.iter().any(|loss| loss.kind == LossKind::Setup), clock);
        assert!(losses.iter().all(|loss| {
            matches!(
                loss.kind,
                LossKind::Setup | LossKind::Round | LossKind::CommentMoved | LossKind::Eco
            )
        }));
        let (old, new) = (&game.header, &again.header);
        assert_eq!((&old.white, &old.black), (&new.white, &new.black));
        assert_eq!((&old.event, &old.site, old.date), (&new.event, &new.site, new.date));
        assert_eq!((old.result, old.white_elo), (new.result, new.white_elo));
        if old.round == new.round {
            assert!(losses.iter().all(|loss| loss.kind != LossKind::Round));
        }
    }
}

/// Each NAG with a symbol reads back. The numbers of `!` and `?` as characters have no NAG.
#[test]
fn write_nag_has_symbol_or_loss() {
    for nag in 1..=255 {
        let mut game = Game::new();
        game.push_move("e2e4".parse().unwrap());
        game.push_nag(Nag(nag));
        let (files, losses) = write(&[game.clone()], &CreateOptions::default());
        let lost = losses[0].iter().any(|loss| loss.kind == LossKind::Nag);
        assert_eq!(lost, matches!(nag, 33 | 63), "{nag}");
        if !lost {
            assert!(read(&open(&files), 0).tokens().eq(game.tokens()), "{nag}");
        }
    }
}

fn comment(token: &Token<'_>) -> bool {
    matches!(token, Token::Comment(_))
}

/// Games without inexpressible content read back equal, without losses.
#[test]
fn write_plain_games_read_back_equal() {
    let mut games = games(Flavour { variations: true, nags: 32, ..Flavour::PLAIN }, 1000..1300);
    for game in &mut games {
        game.header.round = "?".to_owned();
        for name in [&mut game.header.white, &mut game.header.black, &mut game.header.event] {
            *name = name.replace("Москва", "Moskau");
        }
        game.header.site = game.header.site.replace("Москва", "Moskau");
    }
    let (files, losses) = write(&games, &CreateOptions::default());
    let base = open(&files);
    for (number, (game, losses)) in games.iter().zip(losses).enumerate() {
        assert_eq!(losses, [], "game {number}");
        assert_eq!(read(&base, number), *game, "game {number}");
    }
}

#[test]
fn write_own_tags_read_back_equal() {
    let mut game = Game::new();
    for (name, value) in [
        ("White", "Polgár"),
        ("Black", "Lasker"),
        ("WhiteTitle", "GM"),
        ("WhiteFideId", "700070"),
        ("CAWhiteRating", "2735"),
        ("CAWhiteBorn", "1976.07.23"),
        ("CAWhiteGender", "2"),
        ("BlackTitle", "WC"),
        ("Annotator", "Lasker"),
        ("Source", "Book"),
        ("CAResult", "->/<-"),
        ("CAGameType", "4000000000"),
        ("CARoundBit", "1"),
        ("CAUnknown1C", "255"),
    ] {
        game.header.set(name, value);
    }
    game.header.round = "127".to_owned();
    let (files, losses) = write(&[game.clone(), game.clone()], &CreateOptions::default());
    assert_eq!(losses, [[], []]);
    let base = open(&files);
    assert_eq!(read(&base, 1), game);
    // The annotator is the player of that name, whatever other data that player has.
    assert_eq!(base.table(chessassistant::NameKind::Players).unwrap().len(), 3);
}

fn losses_of(game: &Game, options: &CreateOptions) -> (Game, Vec<String>) {
    let (files, losses) = write(std::slice::from_ref(game), options);
    let again = read(&open(&files), 0);
    (again, losses[0].iter().map(ToString::to_string).collect())
}

#[test]
fn write_inexpressible_is_loss() {
    let mut game = Game::new();
    for (name, value) in [
        ("White", ""),
        ("Black", "北"),
        ("Event", "x".repeat(300).as_str()),
        ("Round", "3.1"),
        ("ECO", "C65a"),
        ("EventDate", "1999.01.??"),
        ("Deleted", "1"),
        ("WhiteElo", "0"),
        ("Opening", "Ruy Lopez"),
        ("CAResult", "="),
        ("Result", "1-0"),
        ("CAGameType", "04"),
        ("Source", "one"),
        ("Source", "two"),
    ] {
        game.header.set(name, value);
    }
    game.push_nag(Nag(1));
    game.push_move("e2e4".parse().unwrap());
    game.push_nag(Nag(300));
    game.start_variation().unwrap();
    game.push_move("d2d4".parse().unwrap());
    game.end_variation().unwrap();
    game.push_nag(Nag(2));
    game.push_comment("between").unwrap();
    game.start_variation().unwrap();
    game.push_move("c2c4".parse().unwrap());
    game.push_move("a1a5".parse().unwrap());
    game.push_move("g8f6".parse().unwrap());
    game.end_variation().unwrap();
    game.push_comment("日").unwrap();
    let (again, losses) = losses_of(&game, &CreateOptions::default());
    insta::assert_debug_snapshot!(losses);
    insta::assert_debug_snapshot!(again.tokens().collect::<Vec<_>>());
}

#[test]
fn write_symbols_as_text_gives_comments() {
    let mut game = Game::new();
    game.push_move("e2e4".parse().unwrap());
    for nag in [1, 16, 99, 220] {
        game.push_nag(Nag(nag));
    }
    let mut options = CreateOptions::default();
    options.symbols = chessassistant::Symbols::Text;
    let (again, losses) = losses_of(&game, &options);
    let texts: Vec<_> = again.tokens().filter(comment).collect();
    assert_eq!(texts, ["!", "+/-", "$99"].map(Token::Comment));
    assert_eq!(losses.len(), 3);
    assert!(again.tokens().any(|token| token == Token::Nag(Nag(220))));
}

#[test]
fn comments_beyond_the_record_are_cut_and_reported() {
    let mut game = Game::new();
    for (number, m) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
        game.push_move(m.parse().unwrap());
        game.push_comment(&number.to_string().repeat(12_000)).unwrap();
    }
    let (again, losses) = losses_of(&game, &CreateOptions::default());
    assert_eq!(losses.len(), 2, "{losses:?}");
    assert!(again.main_line().eq(game.main_line()));
    let lengths: Vec<_> = again
        .tokens()
        .filter_map(|token| match token {
            Token::Comment(text) => Some(text.len()),
            _ => None,
        })
        .collect();
    assert_eq!(lengths[..2], [12_000, 12_000]);
    assert_eq!(lengths.len(), 3, "the third is cut, the fourth dropped");
    // 32,767 bytes minus 4 moves, 3 containers of 6 bytes and two whole texts.
    assert_eq!(lengths[2], 32_767 - 4 - 3 * 6 - 24_000);
}

#[test]
fn write_refused_game_keeps_other_games() {
    let mut long = Game::new();
    for _ in 0..10_000 {
        for m in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            long.push_move(m.parse().unwrap());
        }
    }
    let mut chess960 = Game::new();
    chess960.set_start_fen("nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w KQkq - 0 1").unwrap();
    let mut crowd = Game::new();
    crowd.set_start_fen("4k3/8/8/8/NNNNN3/8/PPPPPPPP/4K3 w - - 0 1").unwrap();
    let mut good = Game::new();
    good.header.white = "Good".to_owned();
    let mut writer = Writer::in_memory();
    let mut losses = Losses::new();
    let mut errors = Vec::new();
    for game in [&long, &good, &chess960, &crowd, &good] {
        if let Err(error) = writer.write(game, &mut losses) {
            errors.push(error.to_string());
        }
    }
    insta::assert_debug_snapshot!(errors);
    assert!(losses.is_empty());
    let base = open(&writer.into_bytes().unwrap());
    assert_eq!(base.len(), 2);
    assert_eq!(read(&base, 0), good);
    assert_eq!(read(&base, 1), good);
}

/// A new base appears completely or not at all, also if it replaces another.
#[test]
fn files_appear_when_the_base_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.cdp");
    let count = || std::fs::read_dir(folder.path()).unwrap().count();
    let begin = |game: &Game| {
        let mut writer = Writer::create(&path).unwrap();
        writer.write(game, &mut Losses::new()).unwrap();
        writer
    };
    let read =
        || Database::open(&path).unwrap().into_games().map(Result::unwrap).collect::<Vec<Game>>();
    let writer = begin(&Game::new());
    assert!(!path.exists());
    drop(writer);
    assert_eq!(count(), 0, "a writer that is dropped leaves nothing behind");
    let mut game = Game::new();
    game.set_start(Position::start());
    begin(&game).finish().unwrap();
    assert_eq!(count(), 5);
    assert_eq!(read(), [game.clone()]);

    let other = Game::new();
    drop(begin(&other));
    assert_eq!(read(), [game], "the old base stands");
    begin(&other).finish().unwrap();
    assert_eq!((count(), read()), (5, vec![other]));
}
