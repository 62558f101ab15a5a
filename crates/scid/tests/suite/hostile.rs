//! Damaged bases: no panic, no hang, no effect on other games.

use chess_core::{Game, Replay};
use chess_store::Diagnostics;
use scid::Extensions;
use testkit::{damaged, survive_opening, within};

use crate::files::{BaseFiles as _, Files};

/// Reads everything and returns the games that were read completely.
fn read_all(files: &Files) -> Vec<Option<Game>> {
    let Ok(base) = files.open() else { return Vec::new() };
    let (mut reader, mut diagnostics) = (base.reader(), Diagnostics::lenient());
    (0..base.len())
        .map(|number| {
            diagnostics.clear();
            let mut game = Game::new();
            let result = reader.game(number, &mut game, &mut diagnostics);
            assert_eq!(game.open_variations(), 0);
            let mut replay = Replay::new(&game);
            game.tokens().for_each(|token| replay.step(token));
            if let Err(error) = &result {
                assert_eq!(error.location().game, Some(number));
                assert!(error.location().offset.is_some());
            }
            let _ = reader.dump(number, &mut |_| {});
            let _ = reader.verify(number, &game);
            result.ok().map(|()| game)
        })
        .collect()
}

fn small_cases() -> Vec<(String, Files)> {
    let cases = testkit::cases("scid").into_iter();
    cases
        .filter(|case| !case.is_bad())
        .map(|case| (case.name.clone(), Files::of(&case)))
        .filter(|(_, files)| files.games.len() + files.index.len() < 8000)
        .collect()
}

#[test]
fn read_damaged_index_keeps_games_with_undamaged_entries() {
    within(120, || {
        let mut compared = 0;
        for (name, files) in small_cases() {
            let Extensions { index, games, names, .. } = files.extensions;
            let whole = read_all(&files);
            let version = files.open().unwrap().version();
            let (header, size) = (version.header_size() as usize, version.entry_size());
            for damaged in damaged(&files.index, 1, 150) {
                let original = &files.index;
                let files = Files { index: damaged, ..files.clone() };
                survive_opening(files.open(), &[index, games, names], u64::MAX);
                let after = read_all(&files);
                // A damaged header may select another layout of the entries.
                if files.open().is_ok_and(|base| base.version() != version) {
                    continue;
                }
                for (number, (after, before)) in after.iter().zip(&whole).enumerate() {
                    let range = header + number * size..header + (number + 1) * size;
                    if files.index.get(range.clone()) == original.get(range) {
                        assert_eq!(after, before, "{name} game {number}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 0);
    });
}

#[test]
fn read_damaged_names_keeps_moves() {
    within(120, || {
        for (name, files) in small_cases() {
            // A game with lost names is damaged but keeps its moves.
            let moves = |files: &Files| {
                let base = files.open().unwrap();
                let mut reader = base.reader();
                let mut lines = |number| {
                    let mut game = Game::new();
                    let _ = reader.game(number, &mut game, &mut Diagnostics::lenient());
                    game.tokens().map(|token| format!("{token:?}")).collect::<Vec<_>>()
                };
                (0..base.len()).map(&mut lines).collect::<Vec<_>>()
            };
            let whole = moves(&files);
            for names in damaged(&files.names, 2, 40) {
                read_all(&Files { names: names.clone(), ..files.clone() });
                assert_eq!(moves(&Files { names, ..files.clone() }), whole, "{name}");
            }
        }
    });
}

#[test]
fn read_damaged_games_file_keeps_undamaged_records() {
    within(120, || {
        for (name, files) in small_cases() {
            let whole = read_all(&files);
            let base = files.open().unwrap();
            for games in damaged(&files.games, 3, 150) {
                let after = read_all(&Files { games: games.clone(), ..files.clone() });
                assert_eq!(after.len(), whole.len(), "{name}");
                for (number, (after, before)) in (0..).zip(after.iter().zip(&whole)) {
                    let entry = base.entry(number).unwrap();
                    let range =
                        entry.offset as usize..(entry.offset as usize + entry.length as usize);
                    if games.get(range.clone()) == files.games.get(range) {
                        assert_eq!(after, before, "{name} game {number}");
                    }
                }
            }
        }
    });
}

/// Counts read from a file do not determine allocations.
#[test]
fn open_large_count_in_small_file_allocates_little() {
    let mut files = Files::with(Extensions::SI4, &[Game::new()]);
    files.index[14..17].fill(0xff);
    files.names[12..36].fill(0xff);
    let base = files.open().unwrap();
    // The existing game, and at most as many missing games as the files have room for.
    let bytes = files.index.len() + files.games.len() + files.names.len();
    assert_eq!((base.info().games, base.len()), (0xff_ffff, 1 + bytes as u64 / 64));
    assert!(base.len() > 3);
    let mut games = base.games();
    // The first game has no names.
    let error = games.next().unwrap().unwrap_err();
    assert!(error.to_string().contains("name that is not there"), "{error}");
    for (number, game) in (1..).zip(games) {
        let error = game.unwrap_err();
        assert_eq!(error.location().game, Some(number));
        assert!(error.to_string().contains("counts 16777215 games"), "{error}");
    }
}

/// Thousands of nested variations neither recurse nor take long.
#[test]
fn read_deep_variations_does_not_recurse() {
    within(60, || {
        let mut game = Game::new();
        for _ in 0..30_000 {
            game.push_move("e2e4".parse().unwrap());
            game.start_variation().unwrap();
        }
        game.push_move("d2d4".parse().unwrap());
        game.close_variations();
        let files = Files::with(Extensions::SI5, std::slice::from_ref(&game));
        assert_eq!(files.read().unwrap(), [game]);
    });
}
