//! A search that goes by index and glances finds what reading every game whole finds.

use std::ops::ControlFlow;
use std::path::PathBuf;

use scoresheet::chess_core::{Game, Position};
use scoresheet::chess_store::{Diagnostics, Summary};
use scoresheet::filter::{Line, PositionPattern, Text, ranges};
use scoresheet::tree::{Branch, Explorer};
use scoresheet::{Base, Filter, Scanner, families};
use testkit::{Random, cases};

/// Fields of these entries say what their games do not: what searches go by hides games. (scid
/// §2.6.4; `check` names the fields)
const WRONG_FIELDS: [&str; 1] = ["bad_entries"];

/// Every base with numbered games, damaged or not.
fn databases() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for family in families() {
        for case in cases(family.name) {
            let mut names = family.formats.iter().filter_map(|format| format.extensions.first());
            let path = match &case.meta.open {
                Some(open) => Some(case.file(open)),
                None => names.find_map(|name| Some(case.path(name)).filter(|path| path.is_file())),
            };
            if WRONG_FIELDS.contains(&case.name.as_str()) {
                continue;
            }
            let Some(path) = path else { continue };
            match scoresheet::open(&path) {
                Ok(base) if base.database().is_some() => {
                    found.push((format!("{}/{}", family.name, case.name), path));
                }
                _ => {}
            }
        }
    }
    found
}

/// Every game as far as it reads.
fn all_games(base: &Base) -> Vec<Game> {
    let database = base.database().unwrap();
    let mut reader = database.reader();
    (0..database.len())
        .map(|number| {
            let mut game = Game::new();
            let _ = reader.game(number, &mut game, &mut Diagnostics::lenient());
            game
        })
        .collect()
}

fn chosen_by_reading(games: &[Game], filter: &Filter) -> Vec<u64> {
    (0..).zip(games).filter(|(_, game)| filter.selects(game)).map(|(number, _)| number).collect()
}

fn chosen_by_search(base: &mut Base, filter: &Filter, threads: usize) -> Vec<u64> {
    let mut chosen = Vec::new();
    let scanner = Scanner::new().filter(filter.clone()).threads(threads);
    let seen = scanner.run(base, |scanned| {
        chosen.push(scanned.number);
        Ok::<_, scoresheet::Error>(ControlFlow::Continue(()))
    });
    assert_eq!(seen.unwrap(), base.len().unwrap());
    chosen
}

/// A position of a main line.
fn some_position(games: &[Game], random: &mut Random) -> Position {
    let game = &games[random.below(games.len())];
    let mut positions = Vec::new();
    scoresheet::chess_store::follow(game, &mut |_, position, _| {
        positions.push(*position);
        true
    });
    positions[random.below(positions.len())]
}

#[test]
fn positions_are_found_where_reading_finds_them() {
    let mut random = Random::new(5);
    let mut searches = 0;
    for (name, path) in databases() {
        let mut base = scoresheet::open(&path).unwrap();
        let games = all_games(&base);
        if games.is_empty() || games.len() > 700 {
            continue;
        }
        for turn in 0..8 {
            let position = some_position(&games, &mut random);
            let mut filter = Filter::default();
            filter.positions = vec![match turn % 2 {
                0 => PositionPattern::exact(&position),
                _ => PositionPattern::parse(position.to_fen().split(' ').next().unwrap()).unwrap(),
            }];
            if turn == 7 {
                filter.positions.push(PositionPattern::exact(&some_position(&games, &mut random)));
            }
            filter.in_variations = turn == 6;
            let expected = chosen_by_reading(&games, &filter);
            assert!(!expected.is_empty(), "{name}");
            let found = chosen_by_search(&mut base, &filter, 1 + turn % 2);
            assert_eq!(found, expected, "{name}: {}", position.to_fen());
            searches += 1;
        }
    }
    assert!(searches > 500, "{searches}");
}

#[test]
fn headers_are_found_where_reading_finds_them() {
    for (name, path) in databases() {
        let mut base = scoresheet::open(&path).unwrap();
        if !base.warnings().is_empty() || name.contains("/bad_") {
            continue;
        }
        let games = all_games(&base);
        for (number, game) in games.iter().enumerate().step_by(1 + games.len() / 5) {
            let mut filter = Filter::default();
            match number % 5 {
                0 => filter.player = Text::exact(&game.header.white).into_iter().collect(),
                1 => filter.black = Text::exact(&game.header.black).into_iter().collect(),
                2 => filter.event = Text::part(&game.header.event).into_iter().collect(),
                3 => filter.results = vec![game.header.result],
                _ => filter.date = ranges::dates("1900..2000").unwrap(),
            }
            filter.deleted = (number % 2 == 1).then_some(game.header.deleted);
            let expected = chosen_by_reading(&games, &filter);
            assert_eq!(chosen_by_search(&mut base, &filter, 1), expected, "{name} {filter:?}");
        }
    }
}

fn stats(branches: &[Branch]) -> String {
    let one =
        |branch: &Branch| format!("{} {:?} ({})", branch.m, branch.stats, stats(&branch.branches));
    branches.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Whether the index tells of moves that a damaged game may not have: the tree counts those.
/// (scid §2.6.5)
fn tells_more_than_games(name: &str, base: &Base) -> bool {
    // Its records state ratings that its index does not have; a tree takes those of the index.
    if name == "scid/bad_tags" {
        return true;
    }
    let database = base.database().unwrap();
    let (mut reader, mut game) = (database.reader(), Game::new());
    (0..database.len()).any(|number| {
        let mut summary = Summary::default();
        reader.game(number, &mut game, &mut Diagnostics::lenient()).is_err()
            && reader.summary(number, &mut summary)
            && summary.opening.code != 0
    })
}

/// A filter that must read the moves makes the tree read every game.
#[test]
fn trees_are_the_same_read_or_searched() {
    let mut random = Random::new(9);
    for (name, path) in databases() {
        let mut base = scoresheet::open(&path).unwrap();
        let games = all_games(&base);
        if games.is_empty() || games.len() > 700 || tells_more_than_games(&name, &base) {
            continue;
        }
        for turn in 0..4 {
            let root = match turn {
                0 => PositionPattern::exact(&Position::start()),
                1 => PositionPattern::exact(Line::parse("1. e4 e5 2. Nf3").unwrap().end()),
                _ => PositionPattern::exact(&some_position(&games, &mut random)),
            };
            let tree = |filter: Filter, base: &mut Base| {
                let mut explorer =
                    Explorer::new(root.clone()).filter(filter).depth(turn).threads(1 + turn % 2);
                explorer.run(base, &mut |_| ()).unwrap();
                let tree = explorer.finish();
                (tree.seen, format!("{:?}", tree.stats), stats(&tree.branches))
            };
            let mut all = Filter::default();
            all.length = ranges::lengths("0..").unwrap();
            assert_eq!(tree(Filter::default(), &mut base), tree(all, &mut base), "{name} {turn}");
        }
    }
}
