//! Books made from games have the bytes of `polyglot make-book`.

use std::fs;

use books::polyglot::{Book, Entry, MakeOptions, Maker, Weights};
use books::{Game, Position, zobrist};
use chess_core::Color;

use crate::fixture;

fn like_polyglot() -> MakeOptions {
    let mut options = MakeOptions::default();
    (options.like_polyglot, options.min_game) = (true, 1);
    options
}

fn made(games: &[Game], options: MakeOptions) -> Vec<u8> {
    let mut maker = Maker::new(options);
    for game in games {
        maker.add(game).unwrap();
    }
    maker.finish(Vec::new()).unwrap()
}

fn games(name: &str) -> Vec<Game> {
    pgn::read_all(fs::read(fixture("make").join(name)).unwrap()).unwrap()
}

#[test]
fn books_of_options_equal_polyglot() {
    let games = games("base.pgn");
    let with = |change: fn(&mut MakeOptions)| {
        let mut options = like_polyglot();
        change(&mut options);
        options
    };
    for (name, options) in [
        ("default", with(|options| options.min_game = 3)),
        ("min1", like_polyglot()),
        ("uniform", with(|options| options.weights = Weights::Uniform)),
        ("white", with(|options| options.only = Some(Color::White))),
        ("black", with(|options| options.only = Some(Color::Black))),
        ("score50", with(|options| options.min_score = 50.0)),
        ("ply2", with(|options| options.max_ply = 2)),
    ] {
        let expected = fs::read(fixture("make").join(name).with_extension("bin")).unwrap();
        assert_eq!(made(&games, options), expected, "{name}");
    }
}

#[test]
fn books_of_surprising_games_equal_polyglot() {
    for name in ["tie", "rep", "tok1", "fen"] {
        let expected = fs::read(fixture("make").join(name).with_extension("bin")).unwrap();
        assert_eq!(made(&games(&format!("{name}.pgn")), like_polyglot()), expected, "{name}");
    }
}

#[test]
fn runs_in_temporary_file_make_same_book() {
    let games: Vec<Game> = (0..600).flat_map(|_| games("base.pgn")).collect();
    let book = made(&games, like_polyglot());
    let mut options = like_polyglot();
    options.memory = 0;
    assert!(made(&games, options) == book);
}

fn game(moves: &[&str], result: &str) -> Game {
    let mut game = Game::new();
    game.header.set("Result", result);
    moves.iter().for_each(|m| game.push_move(m.parse().unwrap()));
    game
}

/// The weight of each move of the start position.
fn weights(book: &[u8]) -> Vec<(String, u16)> {
    let (start, book) = (Position::start(), Book::new(book).unwrap());
    let key = zobrist(&start);
    let entries = book.entries().map(|entry| entry.unwrap().1).filter(|entry| entry.key == key);
    entries.map(|entry: Entry| (entry.decode(&start).unwrap().to_string(), entry.weight)).collect()
}

/// The same games in `polyglot make-book` gave 30,848 and 6.
#[test]
fn counts_above_limit_are_halved_or_scaled() {
    let e4 = game(&["e2e4"], "1-0");
    let c4 = game(&["c2c4"], "1-0");
    let games: Vec<&Game> = [&e4].repeat(40_000).into_iter().chain([&c4; 3]).collect();
    let made = |games: &[&Game], options| {
        let mut maker = Maker::new(options);
        for game in games {
            maker.add(game).unwrap();
        }
        weights(&maker.finish(Vec::new()).unwrap())
    };
    let named = |e4, c4| vec![("e2e4".to_owned(), e4), ("c2c4".to_owned(), c4)];
    assert_eq!(made(&games, like_polyglot()), named(30_848, 6));
    assert_eq!(made(&games, MakeOptions::default()), named(65_535, 4));
    // All moves of the position are halved, three times.
    let games: Vec<&Game> = [&c4; 3].into_iter().chain([&e4].repeat(40_000)).collect();
    assert_eq!(made(&games, like_polyglot()), named(30_848, 1));
}

/// polyglot keeps all of these, though 0.29 * 100.0 is below 29.
#[test]
fn move_with_score_of_threshold_is_kept() {
    let (won, lost) = (game(&["e2e4"], "1-0"), game(&["e2e4"], "0-1"));
    for wins in [7, 29, 55, 57, 58] {
        let games = [vec![won.clone(); wins], vec![lost.clone(); 100 - wins]].concat();
        let mut options = like_polyglot();
        for (more, kept) in [(0, 1), (1, 0)] {
            options.min_score = (wins + more) as f64;
            assert_eq!(weights(&made(&games, options)).len(), kept, "{wins}");
        }
    }
}

#[test]
fn unfinished_game_and_start_position_count_by_option() {
    let mut options = MakeOptions::default();
    options.min_game = 1;
    let mut atomic = game(&["e2e4"], "1-0");
    atomic.header.set("Variant", "Atomic");
    assert_eq!(weights(&made(&[atomic], options)), []);
    let unfinished = [game(&["e2e4"], "*")];
    assert_eq!(weights(&made(&unfinished, options)), []);
    assert_eq!(weights(&made(&unfinished, like_polyglot())), [("e2e4".to_owned(), 1)]);
    options.unfinished = true;
    assert_eq!(weights(&made(&unfinished, options)), [("e2e4".to_owned(), 1)]);
    let mut later = game(&["g1f3"], "1-0");
    later.set_start_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").unwrap();
    let later = [later];
    assert_eq!(weights(&made(&later, options)), []);
    assert_eq!(made(&later, options).len(), 16);
    assert_eq!(weights(&made(&later, like_polyglot())), [("g1f3".to_owned(), 2)]);
}
