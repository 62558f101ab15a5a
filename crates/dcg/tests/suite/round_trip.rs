//! Round trips: written games are read back, and read bases are rewritten.

use chess_core::Game;
use chess_store::Diagnostics;
use dcg::chess_core::Token;
use dcg::{Database, LossKind, Losses, Parts, RecordEncoder, Writer};
use testkit::{Flavour, cases};

use crate::common::{FLAVOUR, games, open, read, write};

/// The game as DCG returns it: whole rounds, no empty comments, no empty variations, normalised
/// FENs.
fn as_stored(game: &Game) -> Game {
    let mut stored = Game::new();
    stored.header = game.header.clone();
    if game.header.round.parse::<u16>().is_err() {
        stored.header.round = "?".into();
    }
    if let Some(setup) = game.setup() {
        stored.set_start(*setup.position());
    }
    for token in without_empty_variations(game.tokens()) {
        stored.push(token).unwrap();
    }
    stored
}

fn without_empty_variations<'a>(tokens: impl Iterator<Item = Token<'a>>) -> Vec<Token<'a>> {
    let mut kept = Vec::new();
    for token in tokens.filter(|token| *token != Token::Comment("")) {
        if token == Token::VariationEnd && kept.last() == Some(&Token::VariationStart) {
            kept.pop();
        } else {
            kept.push(token);
        }
    }
    kept
}

#[test]
fn write_random_games_read_back_equal() {
    let written = games(1, 600, FLAVOUR);
    let (parts, losses) = write(&written);
    let allowed = [LossKind::Round, LossKind::Comment, LossKind::Variation];
    let other = losses.iter().find(|loss| !allowed.contains(&loss.kind));
    assert_eq!(other, None);
    let mut reader = open(parts).unwrap().into_reader();
    let (mut game, mut strict) = (Game::new(), Diagnostics::strict());
    for (number, written) in written.iter().enumerate() {
        assert!(reader.read_game(&mut game, &mut strict).unwrap());
        assert_eq!(game, as_stored(written), "game {number}");
    }
    assert!(!reader.read_game(&mut game, &mut strict).unwrap());
}

#[test]
fn write_any_game_keeps_moves_and_comments() {
    // Any order of comments, any tags: the moves are kept, and every comment is somewhere.
    let flavour = Flavour { free_comments: true, tags: true, ..FLAVOUR };
    let written = games(2, 300, flavour);
    for written in &written {
        let (parts, losses) = write(std::slice::from_ref(written));
        let read = read(parts).remove(0);
        let moves = |game: &Game| {
            let moves = game.tokens().filter(|token| !matches!(token, Token::Comment(_)));
            format!("{:?}", without_empty_variations(moves))
        };
        assert_eq!(moves(&read), moves(written));
        let text: Vec<&str> = comments(&read).collect();
        for comment in comments(written) {
            assert!(text.iter().any(|text| text.contains(comment)), "{comment:?}");
        }
        let tags = losses.iter().filter(|loss| loss.kind == LossKind::Tag).count();
        assert_eq!(tags, written.header.untyped_tags().count());
        let moved = losses.iter().any(|loss| loss.kind == LossKind::CommentMoved);
        let same = comments(&read).eq(comments(written).filter(|text| !text.is_empty()));
        assert!(moved || same);
    }
}

fn comments(game: &Game) -> impl Iterator<Item = &str> {
    game.tokens().filter_map(|token| match token {
        Token::Comment(text) => Some(text),
        _ => None,
    })
}

#[test]
fn rewrite_written_base_is_byte_identical() {
    let (first, _) = write(&games(3, 200, Flavour { free_comments: true, ..FLAVOUR }));
    let (second, losses) = write(&read(first.clone()));
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!(first, second);
}

/// Bases by the author's program, and the bytes that are not rewritten.
fn canonical() -> Vec<(&'static str, Parts<Vec<u8>>)> {
    let names = [
        "basic",
        "comments",
        "variations",
        "nags",
        "fen",
        "promotions",
        "nullmove",
        "headers",
        "ber",
    ];
    let cases = cases("dcg");
    let files = |name| {
        let case = cases.iter().find(|case| case.name == name).unwrap();
        let file = |extension: &str| case.bytes(&format!("base.{extension}"));
        Parts {
            dci: file("dci"),
            dcn: file("dcn"),
            dcs: file("dcs"),
            dce: Some(file("dce")),
            dcg: file("dcg"),
        }
    };
    names.into_iter().map(|name| (name, files(name))).collect()
}

#[test]
fn rewrite_program_base_is_byte_identical() {
    for (name, parts) in canonical() {
        let games = read(parts.clone());
        let (written, losses) = write(&games);
        assert!(losses.is_empty(), "{name}: {losses:?}");
        assert_eq!(written.dcg, parts.dcg, "{name}");
        if name == "headers" {
            // The program leaves names of more than 36 bytes in the name files without a reference.
            // They are read as unknown.
            assert_eq!(read(written), games);
            continue;
        }
        assert_eq!(written, parts, "{name}");
    }
}

#[test]
fn rewrite_fixture_gives_same_games() {
    for case in cases("dcg").iter().filter(|case| !case.is_bad()) {
        let base = Database::open(case.path("dci")).unwrap();
        for (number, game) in (1..).zip(base.games()) {
            let game = game.unwrap();
            let (written, losses) = write(std::slice::from_ref(&game));
            let again = read(written).remove(0);
            if losses.is_empty() {
                assert_eq!(again, game, "{}, game {number}", case.name);
            }
            assert_eq!(again.header, game.header, "{}, game {number}", case.name);
        }
    }
}

#[test]
fn write_on_disk_matches_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.dci");
    let written = games(4, 50, FLAVOUR);
    let mut writer = Writer::create(&path).unwrap();
    for game in &written {
        writer.write(game, &mut Losses::new()).unwrap();
    }
    assert!(!path.exists(), "a base appears when it is whole");
    writer.finish().unwrap();
    let memory = write(&written).0;
    assert_eq!(std::fs::read(&path).unwrap(), memory.dci);
    assert_eq!(std::fs::read(path.with_extension("dcg")).unwrap(), memory.dcg);
    // Any of the files opens the base.
    for extension in ["dci", "dcn", "dcs", "dce", "dcg"] {
        let base = Database::open(path.with_extension(extension)).unwrap();
        assert_eq!(base.len(), 50);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 5);
}

#[test]
fn read_and_write_reused_buffers_allocate_nothing() {
    let written = games(5, 60, FLAVOUR);
    let base = open(write(&written).0).unwrap();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = base.reader();
    let mut all = || {
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut diagnostics).unwrap();
        }
    };
    all();
    // The text of a FEN is a new string each time.
    let setups = written.iter().filter(|game| game.setup().is_some()).count() as u64;
    assert!(testkit::allocations(&mut all) <= setups);

    let mut encoder = RecordEncoder::default();
    let (mut record, mut losses) = (Vec::new(), Losses::new());
    let mut all = || {
        for game in written.iter().filter(|game| game.setup().is_none()) {
            record.clear();
            losses.clear();
            encoder.encode(game, &mut losses, &mut record).unwrap();
        }
    };
    all();
    // The remaining allocations are texts of losses: an empty comment each.
    let empty = written.iter().flat_map(comments).filter(|text| text.is_empty()).count() as u64;
    assert!(testkit::allocations(&mut all) <= empty);
}

/// A promotion on the fourth rank would be read without it, and a king's step beside a rook as castling.
#[test]
fn write_move_that_would_read_as_another_ends_its_line() {
    for (moves, kept) in [(["e2e4q", "e7e5"], 0), (["e2e4", "e8g8"], 1), (["e2e4", "e7e5"], 2)] {
        let mut game = Game::new();
        moves.iter().for_each(|m| game.push_move(m.parse().unwrap()));
        let (parts, losses) = write(std::slice::from_ref(&game));
        let moved = losses.iter().filter(|loss| loss.kind == LossKind::Move).count();
        assert_eq!(moved, usize::from(kept < 2), "{moves:?}");
        let back = read(parts).remove(0);
        assert!(back.main_line().eq(game.main_line().take(kept)), "{moves:?}");
    }
}
