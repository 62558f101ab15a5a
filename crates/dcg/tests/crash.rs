//! Stopping after every single write of an edit, whole or torn: the base opens with every game.

mod common;

use chess_core::Game;
use chess_core::seam::{CreateOptions, OpenOptions};
use common::{FLAVOUR, bytes, disks, games, open, read, write};
use dcg::{Editor, Parts, Writer};
use testkit::{Disk, Stop};

type Change = fn(&mut Editor<Disk>, &Game) -> Result<(), dcg::Error>;

const CHANGES: [(&str, Change); 5] = [
    ("append", |editor, game| editor.append(game, &mut Vec::new()).map(drop)),
    ("replace", |editor, game| editor.replace(1, game, &mut Vec::new()).map(drop)),
    ("delete", |editor, _| editor.set_deleted(2, true)),
    ("undelete", |editor, _| editor.set_deleted(3, false)),
    ("default", |editor, _| editor.set_default_game(4)),
];

fn base() -> (Parts<Vec<u8>>, Game) {
    // As DCG gives them back, so that they can be compared.
    let mut all = read(bytes(&write(&games(11, 6, FLAVOUR)).0));
    all[3].header.deleted = true;
    let mut new = all.pop().unwrap();
    for name in ["White", "Black", "Site", "Event"] {
        new.header.set(name, &format!("New {name}"));
    }
    (bytes(&write(&all).0), new)
}

#[test]
fn a_stop_anywhere_loses_nothing() {
    let (parts, new) = base();
    let before = read(parts.clone());
    for (name, change) in CHANGES {
        let count = {
            let never = Stop::never();
            let mut editor =
                Editor::from_parts(disks(&parts, &never), &OpenOptions::default()).unwrap();
            change(&mut editor, &new).unwrap();
            never.count()
        };
        assert!(count > 1, "{name} changes and syncs");
        for torn in [false, true] {
            for stop in 0..count {
                let stop = Stop::after(stop, torn);
                let mut editor =
                    Editor::from_parts(disks(&parts, &stop), &OpenOptions::default()).unwrap();
                change(&mut editor, &new).unwrap_err();
                let left = bytes(&editor.into_parts());
                let after = read(left.clone());
                let what = format!("{name} stopped after {} changes, torn {torn}", stop.count());
                assert!(after.len() >= before.len(), "{what}");
                for (number, (after, before)) in after.iter().zip(&before).enumerate() {
                    let mut after = after.clone();
                    // The mark itself may or may not have reached the disk.
                    after.header.deleted = before.header.deleted;
                    assert_eq!(after, *before, "{what}: game {number}");
                }

                // And it can be changed again.
                let mut editor =
                    Editor::from_parts(disks(&left, &Stop::never()), &OpenOptions::default())
                        .unwrap();
                let number = editor.append(&new, &mut Vec::new()).unwrap();
                let after = read(bytes(&editor.into_parts()));
                assert_eq!(after[number as usize].header.white, "New White", "{what}");
                assert!(after[number as usize].tokens().eq(new.tokens()), "{what}");
                for (after, before) in after.iter().zip(&before) {
                    assert!(after.tokens().eq(before.tokens()), "{what}");
                }
            }
        }
    }
}

#[test]
fn edits_do_what_they_say() {
    let (parts, new) = base();
    let before = read(parts.clone());
    let mut editor =
        Editor::from_parts(disks(&parts, &Stop::never()), &OpenOptions::default()).unwrap();
    editor.set_deleted(0, true).unwrap();
    editor.set_deleted(3, false).unwrap();
    assert_eq!(editor.replace(1, &new, &mut Vec::new()).unwrap(), 5);
    assert_eq!(editor.append(&before[2], &mut Vec::new()).unwrap(), 6);
    editor.set_default_game(5).unwrap();
    let left = bytes(&editor.into_parts());
    assert_eq!(open(left.clone()).unwrap().default_game(), 5);
    let after = read(left.clone());
    let deleted: Vec<bool> = after.iter().map(|game| game.header.deleted).collect();
    assert_eq!(deleted, [true, true, false, false, false, false, false]);
    assert_eq!(after[5].header.white, "New White");
    assert!(after[5].tokens().eq(new.tokens()));
    assert_eq!(after[6], before[2]);
    // Known names are not written again: four new ones.
    let size = |parts: &Parts<Vec<u8>>| {
        parts.dcn.len() + parts.dcs.len() + parts.dce.as_ref().unwrap().len()
    };
    assert_eq!(size(&left), size(&parts) + 4 * 36);

    // Compacted: the live games in order, only their names, sorted.
    let editor = Editor::from_parts(disks(&left, &Stop::never()), &OpenOptions::default()).unwrap();
    let mut writer =
        Writer::from_parts(common::empty(&Stop::never()), &CreateOptions::default()).unwrap();
    editor.copy_live(&mut writer).unwrap();
    let compact = bytes(&writer.into_parts().unwrap());
    let live: Vec<Game> = after.into_iter().filter(|game| !game.header.deleted).collect();
    assert_eq!(read(compact.clone()), live);
    assert_eq!(open(compact.clone()).unwrap().default_game(), 3, "the default game moved");
    let mut fresh = bytes(&write(&live).0);
    fresh.dci[18] = 3;
    assert_eq!(compact.dci, fresh.dci);
    assert_eq!(compact.dcg, fresh.dcg);
    assert_eq!(compact.dcn, fresh.dcn);
}

#[test]
fn nothing_of_the_rest_is_touched() {
    let (parts, new) = base();
    let mut editor =
        Editor::from_parts(disks(&parts, &Stop::never()), &OpenOptions::default()).unwrap();
    editor.replace(1, &new, &mut Vec::new()).unwrap();
    let left = bytes(&editor.into_parts());
    assert!(left.dcg.starts_with(&parts.dcg));
    assert!(left.dcn.starts_with(&parts.dcn));
    let changed = parts.dci.iter().zip(&left.dci).filter(|(a, b)| a != b).count();
    assert_eq!(changed, 1, "one status byte");
}

#[test]
fn compaction_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("BASE.DCI");
    let written = games(12, 10, FLAVOUR);
    let mut writer =
        Writer::create(&folder.path().join("BASE.dci"), &CreateOptions::default()).unwrap();
    for game in &written {
        writer.write(game, &mut Vec::new()).unwrap();
    }
    writer.finish().unwrap();
    // As an old disk would have it.
    for extension in ["dci", "dcn", "dcs", "dce", "dcg"] {
        let from = folder.path().join("BASE.dci").with_extension(extension);
        std::fs::rename(&from, from.with_extension(extension.to_uppercase())).unwrap();
    }
    let mut editor = Editor::open(&path, &OpenOptions::default()).unwrap();
    for game in [0, 4, 9] {
        editor.set_deleted(game, true).unwrap();
    }
    editor.compact().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 5);
    let base = dcg::Database::open(&path, &OpenOptions::default()).unwrap();
    assert_eq!(base.len(), 7);
    assert!(base.warnings().is_empty());
}

#[test]
fn a_record_that_cannot_be_read_stops_compaction() {
    let (mut parts, _) = base();
    let cut = parts.dcg.len() - 1;
    parts.dcg.truncate(cut);
    let editor =
        Editor::from_parts(disks(&parts, &Stop::never()), &OpenOptions::default()).unwrap();
    let mut writer =
        Writer::from_parts(common::empty(&Stop::never()), &CreateOptions::default()).unwrap();
    let error = editor.copy_live(&mut writer).unwrap_err();
    assert_eq!(error.location().game, Some(4), "{error}");
}

#[test]
fn bases_of_the_old_layout() {
    let case = testkit::cases("dcg").into_iter().find(|case| case.name == "old_layout").unwrap();
    let folder = tempfile::tempdir().unwrap();
    for extension in ["dci", "dcn", "dcs", "dcg"] {
        let name = format!("base.{extension}");
        std::fs::copy(case.file(&name), folder.path().join(&name)).unwrap();
    }
    let path = folder.path().join("base.dci");
    let mut editor = Editor::open(&path, &OpenOptions::default()).unwrap();
    let error = editor.append(&Game::new(), &mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        ".dci: the base has the old 35-byte index entries: compact it first"
    );
    editor.set_deleted(0, true).unwrap();
    editor.compact().unwrap();
    let base = dcg::Database::open(&path, &OpenOptions::default()).unwrap();
    assert_eq!((base.len(), base.layout()), (3, dcg::layout::Layout::Current));
    let mut game = Game::new();
    base.game(2, &mut game, &mut chess_core::Diagnostics::strict()).unwrap();
    assert_eq!(game.ply_count(), 2);
}

#[test]
fn an_aborted_base_takes_games() {
    let (parts, new) = base();
    let mut parts = parts;
    parts.dci.clear();
    parts.dcg.clear();
    let mut editor =
        Editor::from_parts(disks(&parts, &Stop::never()), &OpenOptions::default()).unwrap();
    assert!(editor.is_empty());
    editor.append(&new, &mut Vec::new()).unwrap();
    let after = read(bytes(&editor.into_parts()));
    assert_eq!(after.len(), 1);
    assert!(after[0].tokens().eq(new.tokens()));
}
