//! An edit changes only the games that it names.

use std::fs;
use std::path::{Path, PathBuf};

use scoresheet::chess_core::{Game, Role};
use scoresheet::chess_store::Diagnostics;
use scoresheet::{Format, Losses, OpenOptions, edit, families};
use testkit::cases;

/// Every fixture of a format that can be changed in place, sound or not.
fn editable() -> Vec<(String, &'static Format, PathBuf)> {
    let mut found = Vec::new();
    for family in families() {
        for format in family.formats.iter().filter(|format| format.edit.is_some()) {
            let extension = format.extensions[0];
            for case in cases(family.name) {
                let path = case.dir.join(format!("base.{extension}"));
                if path.is_file() {
                    found.push((format!("{} {}", format.name, case.name), format, path));
                }
            }
        }
    }
    assert!(found.len() > 50, "{}", found.len());
    found
}

/// A copy of the base alone in a folder.
fn copy(path: &Path, folder: &Path) -> PathBuf {
    for entry in fs::read_dir(path.parent().unwrap()).unwrap() {
        let from = entry.unwrap().path();
        if from.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("base")) {
            fs::copy(&from, folder.join(from.file_name().unwrap())).unwrap();
        }
    }
    folder.join(path.file_name().unwrap())
}

/// Every game, as far as it reads, and whether it reads to its end; none if it does not open.
fn read(path: &Path) -> Vec<(Game, bool)> {
    let Ok(base) = scoresheet::open(path) else { return Vec::new() };
    let database = base.database().unwrap();
    let mut reader = database.reader();
    (0..database.len())
        .map(|number| {
            let mut game = Game::new();
            let read = reader.game(number, &mut game, &mut Diagnostics::lenient());
            (game, read.is_ok())
        })
        .collect()
}

/// A game that promotes to all pieces, with names of its own.
fn promotions() -> Game {
    let mut game = Game::new();
    game.header.set("White", "Promoter, A");
    game.header.set("Event", "Promotions");
    game.set_start_fen("8/PPPP4/8/8/8/8/7k/4K3 w - - 0 1").unwrap();
    for text in ["a7a8n", "h2h3", "b7b8b", "h3h2", "c7c8r", "h2h3", "d7d8q"] {
        game.push_move(text.parse().unwrap());
    }
    game
}

#[test]
fn edit_one_game_changes_no_other_game() {
    let new = promotions();
    let (mut done, mut refused) = (0, 0);
    for (name, _, from) in editable() {
        for change in ["append", "replace", "delete", "compact"] {
            let folder = tempfile::tempdir().unwrap();
            let path = copy(&from, folder.path());
            let before = read(&path);
            let Ok(mut editor) = edit(&path, &OpenOptions::default()) else {
                refused += 1;
                continue;
            };
            let last = editor.len().saturating_sub(1);
            let result = match change {
                "append" => editor.append(&new, &mut Losses::new()).map(drop),
                "replace" => editor.replace(last, &new, &mut Losses::new()).map(drop),
                "delete" => editor.set_deleted(last, true).and_then(|()| editor.sync()),
                _ => editor.compact(),
            };
            if result.is_ok() {
                done += 1
            } else {
                refused += 1
            }
            let after = read(&path);
            let what = format!("{name}: {change}, {result:?}");
            if change == "compact" && result.is_ok() {
                let kept: Vec<_> = before.iter().filter(|(game, _)| !game.header.deleted).collect();
                assert_eq!(after.len(), kept.len(), "{what}");
                // A name that is lost is written as unknown: such a game is damaged no more.
                for ((one, _), (other, _)) in after.iter().zip(kept) {
                    assert_eq!(one, other, "{what}");
                }
                continue;
            }
            for (number, (before, after)) in before.iter().zip(&after).enumerate() {
                if result.is_err() || number as u64 != last || change == "append" {
                    assert_eq!(before, after, "{what}: game {number}");
                }
            }
            if result.is_err() {
                assert_eq!(before.len(), after.len(), "{what}");
            } else if change == "append" {
                let added = &after.last().unwrap().0;
                assert!(added.tokens().eq(new.tokens()), "{what}");
                assert_eq!(
                    (&*added.header.white, &*added.header.event),
                    ("Promoter, A", "Promotions")
                );
            }
        }
    }
    println!("{done} edits done, {refused} refused");
    assert!(done > 150 && refused > 10, "{done} {refused}");
}

/// The pieces that pawns become in the games of a base.
fn promoted(path: &Path) -> Vec<Vec<Role>> {
    let roles = |(game, _): &(Game, bool)| {
        let moves = game.tokens().filter_map(|token| match token {
            scoresheet::chess_core::Token::Move(m) => m.promotion(),
            _ => None,
        });
        moves.collect()
    };
    read(path).iter().map(roles).collect()
}

#[test]
fn compact_removed_games_keeps_promotions() {
    let case = cases("dcg").into_iter().find(|case| case.name == "promotions_described").unwrap();
    let count = read(&case.dir.join("base.dci")).len() as u64;
    for kept in 0..count {
        let folder = tempfile::tempdir().unwrap();
        let path = copy(&case.dir.join("base.dci"), folder.path());
        let before = promoted(&path);
        let mut editor = edit(&path, &OpenOptions::default()).unwrap();
        for game in (0..count).filter(|game| *game != kept) {
            editor.set_deleted(game, true).unwrap();
        }
        editor.compact().unwrap();
        assert_eq!(promoted(&path), [before[kept as usize].clone()], "game {kept}");
    }
}
