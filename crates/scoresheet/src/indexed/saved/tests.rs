//! Tests of the bytes of an index.

use chess_core::{Game, Header};
use chess_store::{Diagnostics, ReadGames as _, SearchIndex as _};

use super::*;
use crate::format_named;
use crate::indexed::State;

/// Games of several blocks: with all fields, with another start position, damaged.
fn text(games: usize) -> Vec<u8> {
    let game = |number: usize| {
        let (day, elo) = (number % 28 + 1, number % 400 + 2000);
        let tags = format!(
            "[Event \"E{}\"]\n[Date \"1990.05.{day:02}\"]\n[White \"P{}\"]\n[Black \"Ä\"]\n\
             [WhiteElo \"{elo}\"]\n[ECO \"C20\"]\n{}",
            number / 7,
            number % 90,
            if number.is_multiple_of(3) { "[Annotator \"n\"]\n" } else { "" },
        );
        match number % 50 {
            7 => format!("{tags}[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Ke2 Ke7 *\n\n"),
            9 => format!("{tags}\n1. e4 e5 2. Ke4 *\n\n"),
            _ => format!("{tags}\n1. e4 {{a comment}} e5 2. Nf3 1-0\n\n"),
        }
    };
    (0..games).map(game).collect::<String>().into_bytes()
}

fn new(text: &[u8]) -> Indexed {
    let format = format_named("pgn").unwrap();
    Indexed::new(text.to_vec(), format, &OpenOptions::default()).unwrap()
}

fn indexed(text: &[u8], limit: usize) -> Indexed {
    let mut games = new(text);
    games.kept = Some(Kept::new(limit).exact());
    while games.grow().unwrap() {}
    games
}

/// Header, game and messages of each game.
fn seen(games: &Indexed) -> Vec<(Header, Game, String)> {
    let mut reader = games.reader();
    let read = |number| {
        let (mut header, mut game) = (Header::default(), Game::new());
        let (mut notes, mut others) = (Diagnostics::lenient(), Diagnostics::lenient());
        let header_read = reader.header(number, &mut header, &mut notes);
        let game_read = reader.game(number, &mut game, &mut others);
        (header, game, format!("{header_read:?} {game_read:?} {notes:?} {others:?}"))
    };
    (0..games.len()).map(read).collect()
}

#[test]
fn restored_index_equals_built_one() {
    let text = text(3000);
    for limit in [usize::MAX, 40_000, 0] {
        let built = indexed(&text, limit);
        assert!(built.blocks.len() > 2 && built.entries.len() > 50);
        assert_eq!(built.blocks.iter().all(|block| block.part.is_some()), limit == usize::MAX);
        let bytes = built.save(Vec::new(), b"mark").unwrap();
        let mut restored = new(&text);
        restored.fill(&*bytes, b"mark").unwrap();
        assert_eq!(restored.save(Vec::new(), b"mark").unwrap(), bytes);
        assert!(!restored.grow().unwrap());
        assert_eq!((restored.len(), restored.position()), (built.len(), built.position()));
        let games = seen(&restored);
        assert!(games.iter().all(|(header, game, _)| *header == game.header));
        assert_eq!(games, seen(&built), "{limit}");
    }
    let empty = indexed(b"", 1000).save(Vec::new(), b"").unwrap();
    assert!(new(b"").fill(&*empty, b"").is_some());
}

#[test]
fn fill_damaged_or_foreign_bytes_is_none() {
    let text = text(12);
    let bytes = indexed(&text, 1 << 20).save(Vec::new(), b"mark").unwrap();
    assert!(new(&text).fill(&*bytes, b"mark").is_some());
    assert!(new(&text).fill(&*bytes, b"Mark").is_none());
    for at in 0..bytes.len() {
        assert!(new(&text).fill(&bytes[..at], b"mark").is_none(), "{at} bytes");
        for value in [0, 1, 0x7f, 0xff] {
            let mut damaged = bytes.clone();
            if damaged[at] == value {
                continue;
            }
            damaged[at] = value;
            let mut games = new(&text);
            assert!(games.fill(&*damaged, b"mark").is_none(), "byte {at}");
            // A forger would make the checksum right, so the fields alone must not cause a panic.
            let mut state = State::default();
            let (mut header, mut notes) = (Header::default(), Diagnostics::lenient());
            for number in (0..games.len().min(20)).chain([u64::MAX - 1]) {
                let _ = games.header_with(&mut state, number, &mut header, &mut notes);
                let _ = games.walk_main_line(&mut state, number, &mut |_, _| true);
            }
        }
    }
}
