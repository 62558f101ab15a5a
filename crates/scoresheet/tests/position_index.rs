//! The position index against reading every game.

use std::fs;
use std::path::{Path, PathBuf};

use scoresheet::chess_core::{Game, Position};
use scoresheet::chess_store::Losses;
use scoresheet::filter::PositionPattern;
use scoresheet::position_index::PositionIndex;
use scoresheet::{Filter, IndexBefore, Scanner, build_position_index, open_position_index};

const LINES: [&str; 5] = [
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "g1f3 b8c6 e2e4 e7e5 f1b5 a7a6 b5a4",
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6",
    "g1f3 g8f6 f3g1 f6g8 g1f3 b8c6",
    "d2d4 d7d5 c2c4 e7e6",
];

fn game(number: usize) -> Game {
    let line: Vec<&str> = LINES[number % LINES.len()].split(' ').collect();
    let mut game = Game::new();
    game.header.white = format!("W{}", number % 3);
    for m in &line[..line.len() - number / LINES.len() % 3] {
        game.push_move(m.parse().unwrap());
    }
    game
}

fn base(folder: &Path, games: usize) -> PathBuf {
    let path = folder.join("base.si4");
    let mut output = scoresheet::create(&path, &Default::default()).unwrap();
    for number in 0..games {
        output.write(&game(number), &mut Losses::new()).unwrap();
    }
    output.finish().unwrap();
    path
}

fn build(path: &Path) -> PathBuf {
    build_position_index(path, &Default::default(), &|_| true).unwrap()
}

fn index_of(path: &Path) -> Option<PositionIndex> {
    open_position_index(path, &Default::default()).unwrap()
}

/// Every position of the games.
fn positions(games: usize) -> Vec<Position> {
    let mut all = Vec::new();
    for game in (0..games).map(game) {
        let mut position = Position::start();
        all.push(position);
        for m in game.main_line() {
            position.apply(m);
            all.push(position);
        }
    }
    all
}

/// The numbers that a search with the index, and one without, select.
fn selected(path: &Path, position: &Position) -> Vec<u64> {
    let mut base = scoresheet::open(path).unwrap();
    let mut filter = Filter::new();
    filter.positions = vec![PositionPattern::exact(position)];
    let mut numbers = Vec::new();
    Scanner::new()
        .filter(filter)
        .for_each(&mut base, |scanned| numbers.push(scanned.number))
        .unwrap();
    numbers
}

fn expected(games: usize, position: &Position) -> Vec<u64> {
    let reaches = |number: &usize| {
        let mut at = Position::start();
        game(*number).main_line().any(|m| {
            let here = at.same_position(position);
            at.apply(m);
            here
        }) || at.same_position(position)
    };
    (0..games).filter(reaches).map(|number| number as u64).collect()
}

#[test]
fn search_with_index_selects_what_every_game_shows() {
    let folder = tempfile::tempdir().unwrap();
    for games in [0, 1, 40] {
        let path = base(folder.path(), games);
        let file = build(&path);
        assert_eq!(index_of(&path).unwrap().len(), games as u64);
        for position in positions(games.max(1)) {
            assert_eq!(selected(&path, &position), expected(games, &position), "{games}");
        }
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn find_names_last_move_of_repeated_position_and_the_end_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = base(folder.path(), 40);
    build(&path);
    let (index, opened) = (index_of(&path).unwrap(), scoresheet::open(&path).unwrap());
    let mut reader = opened.database().unwrap().reader();
    let found = index.find(&mut *reader, &Position::start()).unwrap();
    let counts: Vec<(String, usize)> = found
        .moves
        .iter()
        .map(|(m, games)| (m.map_or(String::new(), |m| m.to_string()), games.len()))
        .collect();
    let count = |m: &str| counts.iter().find(|(own, _)| own == m).map_or(0, |(_, count)| *count);
    assert_eq!(["e2e4", "d2d4", "g1f3", ""].map(count), [16, 8, 16, 0]);
    let last = expected(40, positions(1).last().unwrap());
    let end = index.find(&mut *reader, positions(1).last().unwrap()).unwrap();
    let all: usize = end.moves.iter().map(|(_, games)| games.len()).sum();
    assert_eq!(all, last.len());
    assert!(end.moves.iter().any(|(m, games)| m.is_none() && !games.is_empty()));
}

#[test]
fn index_of_changed_base_is_not_used_and_appended_games_are_added() {
    let folder = tempfile::tempdir().unwrap();
    let path = base(folder.path(), 30);
    build(&path);
    for start in [30, 40] {
        let mut editor = scoresheet::edit(&path, &Default::default()).unwrap();
        let before = IndexBefore::of(&path, &Default::default()).unwrap();
        for number in start..start + 10 {
            editor.append(&game(number), &mut Losses::new()).unwrap();
        }
        editor.sync().unwrap();
        assert!(index_of(&path).is_none());
        before.extend().unwrap();
        drop(editor);
        assert_eq!(index_of(&path).unwrap().len(), start as u64 + 10);
    }
    for position in positions(50) {
        assert_eq!(selected(&path, &position), expected(50, &position));
    }
    // The base has other games.
    let kept = fs::read(path.with_file_name("base.si4.positions")).unwrap();
    base(folder.path(), 20);
    fs::write(path.with_file_name("base.si4.positions"), kept).unwrap();
    assert!(index_of(&path).is_none());
    assert!(IndexBefore::of(&path, &Default::default()).is_none());
    for position in positions(20) {
        assert_eq!(selected(&path, &position), expected(20, &position));
    }
}

#[test]
fn damaged_index_gives_right_answers_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = base(folder.path(), 30);
    let file = build(&path);
    let sound = fs::read(&file).unwrap();
    let positions: Vec<Position> = positions(5);
    for place in (0..sound.len()).step_by(1 + sound.len() / 500) {
        let mut damaged = sound.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&file, &damaged).unwrap();
        let position = &positions[place % positions.len()];
        assert_eq!(selected(&path, position), expected(30, position), "byte {place}");
        fs::write(&file, &sound[..place]).unwrap();
        assert_eq!(selected(&path, position), expected(30, position), "cut at {place}");
    }
}

#[test]
fn build_replaces_no_other_file_and_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = base(folder.path(), 30);
    let file = path.with_file_name("base.si4.positions");
    fs::write(&file, "my notes").unwrap();
    let error = build_position_index(&path, &Default::default(), &|_| true).unwrap_err();
    assert!(error.to_string().contains("is another file"), "{error}");
    assert_eq!(fs::read(&file).unwrap(), b"my notes");
    fs::remove_file(&file).unwrap();
    build_position_index(&path, &Default::default(), &|_| false).unwrap_err();
    assert!(!file.exists());
}

#[test]
fn index_of_a_base_that_replaced_the_open_one_is_not_used() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = base(folder.path(), 50);
    build(&path);
    let position = Position::start();
    let filter = || {
        let mut filter = Filter::default();
        filter.positions = vec![PositionPattern::exact(&position)];
        filter
    };
    let opened = scoresheet::open(&path).unwrap();
    let unasked = scoresheet::open(&path).unwrap();
    assert!(opened.narrowed(&filter()).is_some());
    // Another base of as many games, with its own index.
    let new = base(other.path(), 50);
    for extension in ["si4", "sg4", "sn4"] {
        std::fs::rename(new.with_extension(extension), path.with_extension(extension)).unwrap();
    }
    build(&path);
    assert!(unasked.narrowed(&filter()).is_none());
    assert!(scoresheet::open(&path).unwrap().narrowed(&filter()).is_some());
}
