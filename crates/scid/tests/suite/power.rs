//! A finished edit survives a power cut, an unfinished one damages no other game, and every sync is
//! necessary.

use chess_core::Game;
use chess_store::Fact;
use scid::{Error, Extensions, Losses};
use testkit::{Stop, next_header};

use crate::crash::append_all;
use crate::files::{BaseFiles as _, Files};
use crate::stop::{Base, Change, game, readable, start};

const CHANGES: [(&str, Change); 6] = [
    ("append", |mut editor| {
        // Only one new name, so that no other sync puts it on disk.
        let mut new = game(2);
        new.header.white = String::from("Somebody");
        editor.append(&new, &mut Losses::new()).map(drop)
    }),
    ("append with known names", |mut editor| editor.append(&game(2), &mut Losses::new()).map(drop)),
    ("replace", |mut editor| editor.replace(1, &game(2), &mut Losses::new()).map(drop)),
    ("replace a header", |mut editor| {
        let mut header = game(1).header;
        header.put("Annotator", "Somebody");
        let done = editor.replace_all(&mut next_header(&[(1, header)]), &mut Losses::new());
        done.map(drop)
            .map_err(|error| Error::new(std::io::Error::other("failed").into(), error.location()))
    }),
    ("delete", |mut editor| editor.set_deleted(2, true).and_then(|()| editor.sync())),
    ("fact", |mut editor| editor.set_fact(Fact::Description, "My games")),
];

#[test]
fn edit_power_cut_keeps_finished_edits_and_needs_each_sync() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        for (name, change) in CHANGES {
            let done = Stop::never();
            change(Base::new(&files, &done).edit().unwrap()).unwrap();
            let is_safe = |ignored| {
                (0..=done.count()).all(|stop| {
                    let stops = [Stop::after(stop, false), Stop::full_after(stop, false)];
                    stops.iter().all(|stop| survives(&files, &games, change, stop, ignored))
                })
            };
            assert!(is_safe(None), "{family:?}, {name}");
            assert!(done.syncs() > 0, "{family:?}, {name}");
            for number in 0..done.syncs() {
                assert!(!is_safe(Some(number)), "{family:?}, {name} without sync {number}");
            }
        }
    }
}

/// Whether a power cut during or after an edit leaves the required state.
fn survives(
    files: &Files,
    games: &[Game],
    change: Change,
    stop: &Stop,
    ignored: Option<u64>,
) -> bool {
    if let Some(number) = ignored {
        stop.ignore_sync(number);
    }
    let base = Base::new(files, stop);
    let result: Result<(), Error> = change(base.edit().unwrap());
    if result.is_ok() {
        return base.after_power_cut(0) == base.files();
    }
    (0..32).all(|seed| {
        let left = base.after_power_cut(seed);
        let read = readable(&left);
        // The edit may have finished anyway.
        let same = |(number, (read, game)): (usize, (&Option<Game>, &Game))| {
            read.as_ref().is_some_and(|read| {
                let mut read = read.clone();
                read.header.deleted = game.header.deleted;
                read == *game || number == 1
            })
        };
        // Everything that the header counts exists. Version 5 has no count and may end with a torn
        // entry.
        let counted = match left.extensions {
            Extensions::SI4 => left.open().unwrap().info().games as usize,
            _ => games.len(),
        };
        read.len() >= games.len()
            && read.iter().zip(games).enumerate().all(same)
            && read.iter().take(counted).all(Option::is_some)
    })
}

/// After a full disk the index is restored on disk before its records are truncated.
#[test]
fn append_full_disk_and_power_cut_leave_no_orphan_entry() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        // Their entries are written in one write.
        let append = |stop: &Stop| {
            let base = Base::new(&files, stop);
            let done = append_all(&mut base.edit().unwrap(), &games[..2]);
            (base, done.is_ok())
        };
        let mut needed = false;
        for (room, torn) in (0..8).flat_map(|room| [(room, false), (room, true)]) {
            let full = Stop::full_after(room, torn);
            if append(&full).1 {
                continue;
            }
            let is_safe = |ignored| {
                let stop = Stop::full_after(room, torn);
                if let Some(number) = ignored {
                    stop.ignore_sync(number);
                }
                let (base, _) = append(&stop);
                (0..64).all(|seed| readable(&base.after_power_cut(seed)).len() == games.len())
            };
            assert!(is_safe(None), "{family:?}, room for {room}, torn {torn}");
            needed |= (0..full.syncs()).any(|number| !is_safe(Some(number)));
        }
        assert!(needed, "{family:?}: no sync is needed");
    }
}
