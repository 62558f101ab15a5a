//! An edit changes only the games that it names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use scoresheet::chess_core::{Game, Role};
use scoresheet::chess_store::{Diagnostics, Fact, Warning};
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

/// Every game, as far as it reads, and whether it is whole; none if it does not open.
fn read(path: &Path) -> Vec<(Game, bool)> {
    let Ok(base) = scoresheet::open(path) else { return Vec::new() };
    let database = base.database().unwrap();
    let mut reader = database.reader();
    (0..database.len())
        .map(|number| {
            let mut game = Game::new();
            let mut diagnostics = Diagnostics::lenient();
            let read = reader.game(number, &mut game, &mut diagnostics);
            (game, read.is_ok() && !diagnostics.warnings().iter().any(Warning::is_damage))
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
                // An entry that is cut is completed, as a damaged game, before anything is appended.
                let completed = usize::from(name == "dcg bad_layout_eleven" && change == "append");
                assert_eq!(before.len() + completed, after.len(), "{what}");
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

/// A kind of damage of a file.
type Damage = (&'static str, fn(&mut Vec<u8>));

const DAMAGE: [Damage; 11] = [
    ("emptied", Vec::clear),
    ("cut by a byte", |bytes| bytes.truncate(bytes.len().saturating_sub(1))),
    ("cut by a third", |bytes| bytes.truncate(bytes.len() - bytes.len() / 3)),
    ("cut to its start", |bytes| bytes.truncate(20)),
    ("zeros at its start", |bytes| fill(bytes, |_| 0, 0)),
    ("zeros in its middle", |bytes| fill(bytes, |length| length / 2, 0)),
    ("zeros at its end", |bytes| fill(bytes, |length| length.saturating_sub(60), 0)),
    ("other bytes in its middle", |bytes| fill(bytes, |length| length / 2, 0xa7)),
    ("other bytes at its end", |bytes| fill(bytes, |length| length.saturating_sub(60), 0xfe)),
    ("longer by other bytes", |bytes| bytes.extend([0xa7; 100])),
    ("longer by its end", |bytes| bytes.extend_from_within(bytes.len().saturating_sub(100)..)),
];

fn fill(bytes: &mut [u8], start: fn(usize) -> usize, byte: u8) {
    let start = start(bytes.len());
    bytes.iter_mut().skip(start).take(60).for_each(|old| *old = byte);
}

/// Whether the damage makes a blank entry behind the counted ones. It looks like what a power cut leaves of
/// an append.
fn is_leftover(base: &str, damage: &str) -> bool {
    base.ends_with(" bad_si_fewer_declared") && damage == "zeros at its end"
}

/// Whether `check` calls the base sound, apart from the games that `is_left_out` names.
fn is_sound(path: &Path, is_left_out: impl Fn(u64, &Game) -> bool) -> bool {
    let Ok(base) = scoresheet::open(path) else { return false };
    let games = read(path);
    let mut games = (0..).zip(&games);
    !base.is_damaged() && games.all(|(number, (game, whole))| *whole || is_left_out(number, game))
}

/// The sound bases that are damaged: of each format the one of the fewest games from three on. With
/// `EDITS=all` in the environment, all.
fn sound() -> Vec<(String, &'static Format, PathBuf)> {
    let mut bases: Vec<_> = editable()
        .into_iter()
        .map(|base| (read(&base.2).len(), base))
        .filter(|(games, base)| *games >= 3 && is_sound(&base.2, |_, _| false))
        .collect();
    bases.sort_by_key(|(games, (name, format, _))| (format.name, name.contains(" bad_"), *games));
    if std::env::var_os("EDITS").is_none() {
        bases.dedup_by_key(|(_, (_, format, _))| format.name);
    }
    bases.into_iter().map(|(_, base)| base).collect()
}

#[test]
fn edit_damaged_base_never_becomes_sound() {
    let new = promotions();
    let edits = ["append", "replace", "delete", "flags", "fact", "compact"];
    let (mut counts, mut faults) = (BTreeMap::new(), Vec::new());
    for (name, format, from) in sound() {
        let whole = read(&from);
        for extension in format.extensions {
            for (damage, spoil) in DAMAGE {
                let folder = tempfile::tempdir().unwrap();
                let path = copy(&from, folder.path());
                let Ok(mut bytes) = fs::read(path.with_extension(extension)) else { continue };
                spoil(&mut bytes);
                fs::write(path.with_extension(extension), &bytes).unwrap();
                let before = read(&path);
                for change in edits {
                    let folder = tempfile::tempdir().unwrap();
                    let path = copy(&path, folder.path());
                    let counts: &mut [u32; 3] =
                        counts.entry((format.name, change, damage)).or_default();
                    counts[0] += 1;
                    let Ok(mut editor) = edit(&path, &OpenOptions::default()) else {
                        counts[1] += 1;
                        continue;
                    };
                    let last = editor.len().saturating_sub(1);
                    let may_change = |number, game: &Game| match change {
                        "compact" => game.header.deleted,
                        "replace" | "delete" | "flags" => number == last,
                        _ => false,
                    };
                    let was_sound = is_sound(&path, may_change);
                    let result = match change {
                        "append" => editor.append(&new, &mut Losses::new()).map(drop),
                        "replace" => editor.replace(last, &new, &mut Losses::new()).map(drop),
                        "delete" => editor.set_deleted(last, true).and_then(|()| editor.sync()),
                        "flags" => editor.set_flags(last, "W").and_then(|()| editor.sync()),
                        "fact" => editor.set_fact(Fact::DefaultGame, "2"),
                        _ => editor.compact(),
                    };
                    counts[1] += u32::from(result.is_err());
                    let after = read(&path);
                    let dropped = before.iter().filter(|(game, _)| game.header.deleted).count();
                    let dropped = if change == "compact" { dropped } else { 0 };
                    let fewer = after.len() < before.len() - dropped;
                    let lacks = |of: &[(Game, bool)]| {
                        let mut kept =
                            (0..).zip(of).filter(|(at, (game, _))| !may_change(*at, game));
                        kept.any(|(_, game)| game.1 && !after.contains(game))
                    };
                    let hides = !was_sound && is_sound(&path, |_, _| false) && lacks(&whole);
                    if (hides || fewer || lacks(&before)) && !is_leftover(&name, damage) {
                        counts[2] += 1;
                        faults.push(format!("{name}: .{extension} {damage}: {change}, {result:?}"));
                    }
                }
            }
        }
    }
    for (what, [runs, refused, faults]) in &counts {
        println!("{what:?}: {runs} runs, {refused} refused, {faults} faults");
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    for (_, format, _) in sound() {
        let of_format = counts.iter().filter(|((name, ..), _)| *name == format.name);
        let done: u32 = of_format.map(|(_, [runs, refused, _])| runs - refused).sum();
        assert!(done > 50, "{}: {done}", format.name);
    }
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
