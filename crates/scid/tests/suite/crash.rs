//! An edit is stopped after any write, whole or torn. The base still opens with all previous games.

use chess_core::Game;
use chess_store::{AnyError, Diagnostics};
use scid::{Database, Editor, Error, ErrorKind, Extensions, Losses, Writer};
use testkit::{Stop, next_game, next_header};

use crate::files::{BaseFiles as _, Files};
use crate::stop::{Base, Replacing, game, has_all, readable, start, stop_everywhere};

#[test]
fn append_stopped_anywhere_keeps_all_games() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        stop_everywhere(
            &files,
            |mut editor| {
                editor.append(&game(10), &mut Losses::new())?;
                // No new names in this game.
                editor.append(&game(2), &mut Losses::new()).map(drop)
            },
            &|_, read, place| {
                has_all(read, &games, place);
                if place == "done" {
                    assert_eq!(read[4..], [Some(game(10)), Some(game(2))]);
                }
            },
        );
    }
}

/// Appends these games in batches of two.
pub(crate) fn append_all(editor: &mut Editor<Replacing>, games: &[Game]) -> Result<u64, AnyError> {
    let mut games = games.iter();
    editor.set_batch(2);
    let mut next = |game: &mut Game| {
        let new = games.next().cloned();
        let more = new.is_some();
        *game = new.unwrap_or_default();
        Ok(more)
    };
    editor.append_all(&mut next, &mut Losses::new())
}

#[test]
fn append_many_stopped_anywhere_keeps_all_games() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        // New and known names; the last batch is not full.
        const NEW: [u64; 5] = [10, 2, 11, 10, 3];
        let expected = [games.clone(), NEW.map(game).to_vec()].concat();
        stop_everywhere(
            &files,
            |mut editor| {
                let added = append_all(&mut editor, &NEW.map(game)).map_err(stopped)?;
                assert_eq!(added, 5);
                Ok(())
            },
            &|_, read, place| {
                has_all(read, &games, place);
                // The new games arrive in order, each complete.
                let new = read.iter().position(|read| *read == Some(game(99)));
                let read = read[..new.unwrap_or(read.len())].iter().filter(|game| game.is_some());
                let read: Vec<_> = read.cloned().collect();
                assert!(read.len() <= expected.len(), "{place}");
                has_all(&read, &expected[..read.len()], place);
                assert!(place != "done" || read.len() == expected.len());
            },
        );
    }
}

/// Equal to a base written in one go.
#[test]
fn append_many_new_base_matches_writer() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let games: Vec<Game> = (0..40).map(|seed| game(seed % 30)).collect();
        let base = Base::new(&Files::with(family, &games[..7]), &Stop::never());
        assert_eq!(append_all(&mut base.edit().unwrap(), &games[7..]).unwrap(), 33);
        let (files, whole) = (base.files(), Files::with(family, &games));
        assert_eq!(files.index, whole.index);
        assert_eq!(files.games, whole.games);
        // Use counts are from the last batch with a new name.
        let names = |files: &Files| files.open().unwrap().names().clone();
        assert_eq!(names(&files), names(&whole));
    }
}

/// Names and entries are written once a batch, not once a game.
#[test]
fn append_many_batch_syncs_once() {
    for (family, changes) in [(Extensions::SI4, 10), (Extensions::SI5, 8)] {
        let (files, _) = start(family);
        let new: Vec<Game> = (0..500).map(|seed| game(seed + 100)).collect();
        let stop = Stop::never();
        let base = Base::new(&files, &stop);
        let mut left = new.iter();
        let mut next = |game: &mut Game| {
            let new = left.next();
            new.inspect(|new| game.clone_from(new));
            Ok(new.is_some())
        };
        base.edit().unwrap().append_all(&mut next, &mut Losses::new()).unwrap();
        assert!(stop.count() <= 500 + changes, "{}", stop.count());
        assert_eq!(base.files().read().unwrap()[4..], new);
    }
}

#[test]
fn append_many_error_keeps_earlier_games() {
    let (files, games) = start(Extensions::SI4);
    let mut refused = Game::new();
    refused.push_comment(&"x".repeat(140_000)).unwrap();
    for count in 0..4 {
        let base = Base::new(&files, &Stop::never());
        let mut editor = base.edit().unwrap();
        let mut new: Vec<Game> = (20..20 + count).map(game).collect();
        let expected = [games.clone(), new.clone()].concat();
        new.extend([refused.clone(), game(30)]);
        let error = append_all(&mut editor, &new).unwrap_err();
        assert!(matches!(error.kind(), Some(ErrorKind::RecordTooLong(..))), "{error}");
        assert_eq!(error.location().game, Some(4 + count));
        assert_eq!(base.files().read().unwrap(), expected);
        // An error of the games' source is returned.
        let mut left = 3;
        let mut next = |new: &mut Game| {
            left -= 1;
            *new = game(40 + left);
            if left > 0 { Ok(true) } else { Err(AnyError::from(refusal(&refused))) }
        };
        let error = editor.append_all(&mut next, &mut Losses::new()).unwrap_err();
        assert!(error.message().to_string().contains("140"), "{error}");
        let expected = [expected, vec![game(42), game(41)]].concat();
        assert_eq!(base.files().read().unwrap(), expected);
    }
}

/// An error of a game.
fn refusal(game: &Game) -> Error {
    Writer::in_memory().write(game, &mut Losses::new()).unwrap_err()
}

/// The injected I/O error, as the format's error.
fn stopped(error: AnyError) -> Error {
    assert!(matches!(error.kind(), Some(ErrorKind::Io(_))), "{error}");
    Error::new(std::io::Error::other("the plug is pulled").into(), error.location())
}

/// After a failed write the editor continues and loses nothing.
#[test]
fn append_after_full_disk_succeeds() {
    // The records of small games are written at once.
    let mut large = game(51);
    large.push_comment(&"x".repeat(1 << 16)).unwrap();
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        for torn in [false, true] {
            for stop in 0.. {
                let base = Base::new(&files, &Stop::after(stop, torn));
                let mut editor = base.edit().unwrap();
                if append_all(&mut editor, &[game(50), large.clone(), game(52)]).is_ok() {
                    assert!(stop > 6);
                    break;
                }
                base.set_stop(&Stop::never());
                // A name of the failed games is not new to the editor.
                editor.append(&game(50), &mut Losses::new()).unwrap();
                let read = readable(&base.files());
                let place = format!("stopped after {stop}, torn: {torn}");
                has_all(&read, &games, &place);
                assert_eq!(read.last(), Some(&Some(game(50))), "{place}");
                assert!(read.iter().all(Option::is_some), "{place}");
            }
        }
    }
}

/// A full disk leaves the previous games and exactly their bytes.
#[test]
fn append_full_disk_takes_all_or_nothing() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        // A new names file of version 4 cannot be put back on this disk.
        let known = family == Extensions::SI4;
        let new = [0, 50, 51].map(|seed| if known { games[0].clone() } else { game(seed) });
        for torn in [false, true] {
            for room in 0.. {
                let base = Base::new(&files, &Stop::full_after(room, torn));
                let mut editor = base.edit().unwrap();
                let done = append_all(&mut editor, &new);
                let (count, left) = (editor.len(), base.files());
                let read = readable(&left);
                assert_eq!(read.len() as u64, count, "what is said is there");
                if done.is_ok() {
                    assert!(room > 3);
                    break;
                }
                let whole = Base::new(&files, &Stop::never());
                let added = new.get(..count as usize - games.len()).unwrap();
                append_all(&mut whole.edit().unwrap(), added).unwrap();
                assert!(left == whole.files(), "room for {room}, torn {torn}: {count} games");
            }
        }
    }
}

/// The names of version 5, which are in place before the index, are taken back with it.
#[test]
fn replace_full_disk_gives_sizes_back() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, _) = start(family);
        for torn in [false, true] {
            let mut failed = 0;
            for room in 0.. {
                let base = Base::new(&files, &Stop::full_after(room, torn));
                let mut editor = base.edit().unwrap();
                if editor.replace(0, &game(50), &mut Losses::new()).is_ok() {
                    break;
                }
                failed += 1;
                assert!(base.files() == files, "room for {room}, torn {torn}");
            }
            assert!(failed > 2, "{failed}");
        }
    }
}

/// A folder with the name of the marker makes the last step of the replacement fail.
#[test]
fn replace_failing_at_marker_gives_sizes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.si4");
    let (files, games) = start(Extensions::SI4);
    let named = |extension| path.with_extension(extension);
    for (extension, bytes) in [("si4", &files.index), ("sg4", &files.games), ("sn4", &files.names)]
    {
        std::fs::write(named(extension), bytes).unwrap();
    }
    let read = || ["si4", "sg4", "sn4"].map(|extension| std::fs::read(named(extension)).unwrap());
    let before = read();
    let marker = named("si4~commit");
    std::fs::create_dir(&marker).unwrap();
    let mut editor = scid::Editor::open(&path).unwrap();
    let error = editor.replace(0, &game(50), &mut Losses::new()).unwrap_err();
    assert!(error.to_string().contains("~commit"), "{error}");
    assert!(read() == before);
    std::fs::remove_dir(&marker).unwrap();
    editor.replace(0, &game(50), &mut Losses::new()).unwrap();
    editor.append(&game(51), &mut Losses::new()).unwrap();
    drop(editor);
    let [index, records, names] = read();
    let left = Files { extensions: Extensions::SI4, index, games: records, names };
    let read = readable(&left);
    assert_eq!(read.len(), games.len() + 1);
    assert_eq!(read[0], Some(game(50)));
    assert_eq!(read.last(), Some(&Some(game(51))));
}

/// The remains of a power cut are skipped, and such a base can be compacted.
#[test]
fn append_blank_entries_beyond_count_are_skipped() {
    let (files, games) = start(Extensions::SI4);
    let mut left = files.clone();
    left.index.resize(files.index.len() + 3 * 47, 0);
    let base = Base::new(&left, &Stop::never());
    let mut editor = base.edit().unwrap();
    assert_eq!(editor.len(), games.len() as u64);
    editor.append(&game(50), &mut Losses::new()).unwrap();
    let read = readable(&base.files());
    assert_eq!(read.len(), games.len() + 1);
    has_all(&read, &games, "blank entries");
    // Part of the append follows them.
    let last = files.index[files.index.len() - 47..].to_vec();
    left.index.extend(last);
    let base = Base::new(&left, &Stop::never());
    base.edit().unwrap().compacted().unwrap();
    let read = readable(&base.files());
    assert_eq!(read.len(), games.len() + 1);
    has_all(&read, &games, "compacted");
}

/// An entry that may be a lost game stays a damaged game until it is deleted.
#[test]
fn edit_entry_without_record_is_kept() {
    let junk = |size: usize| [vec![0x21; 3], vec![0; size - 3]].concat();
    let tails = [
        // Offset, but no length, beyond the count.
        (Extensions::SI4, junk(47)),
        (Extensions::SI5, vec![0; 56]),
        (Extensions::SI5, vec![0; 20]),
    ];
    for (family, tail) in tails {
        let (mut files, games) = start(family);
        files.index.extend(&tail);
        let place = format!("{family:?}, {} bytes", tail.len());
        let base = Base::new(&files, &Stop::never());
        assert!(base.edit().unwrap().compacted().is_err(), "{place}");
        assert_eq!(base.files().index, files.index, "{place}");
        for replaces in [false, true] {
            let base = Base::new(&files, &Stop::never());
            let mut editor = base.edit().unwrap();
            match replaces {
                true => editor.replace(3, &games[3], &mut Losses::new()).map(drop).unwrap(),
                false => assert_eq!(append_all(&mut editor, &games[3..]).unwrap(), 1),
            }
            let read = readable(&base.files());
            assert_eq!(read.len(), games.len() + 2 - usize::from(replaces), "{place}");
            has_all(&read[..4], &games, &place);
            assert_eq!(read[4], None, "{place}");
            editor.set_deleted(4, true).unwrap();
            editor.compacted().unwrap();
            assert!(readable(&base.files()).iter().all(Option::is_some), "{place}");
        }
    }
}

/// A base whose games file is full of unreferenced bytes can be compacted.
#[test]
fn compact_full_games_file_makes_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.si4");
    let (files, games) = start(Extensions::SI4);
    std::fs::write(&path, &files.index).unwrap();
    std::fs::write(path.with_extension("sn4"), &files.names).unwrap();
    std::fs::write(path.with_extension("sg4"), &files.games).unwrap();
    let records = std::fs::File::options().write(true).open(path.with_extension("sg4")).unwrap();
    // A sparse file, if the file system supports it.
    records.set_len((1 << 32) - 10).unwrap();
    let mut editor = scid::Editor::open(&path).unwrap();
    let error = editor.append(&game(50), &mut Losses::new()).unwrap_err();
    assert!(error.to_string().contains("the base is full"), "{error}");
    editor.compact().unwrap();
    assert!(std::fs::metadata(path.with_extension("sg4")).unwrap().len() < 1 << 20);
    let mut editor = scid::Editor::open(&path).unwrap();
    editor.append(&game(50), &mut Losses::new()).unwrap();
    assert_eq!(editor.len(), games.len() as u64 + 1);
}

/// The rest of a long name must not follow a short name.
#[test]
fn append_after_torn_name_keeps_names() {
    let (files, games) = start(Extensions::SI5);
    let mut long = game(1);
    // Bytes that would parse as names, each \x08\x41.
    long.header.event = "\x08A".repeat(100);
    for torn in [false, true] {
        for stop in 0..10 {
            let base = Base::new(&files, &Stop::after(stop, torn));
            let _ = base.edit().unwrap().append(&long, &mut Losses::new());
            let left = Base::new(&base.files(), &Stop::never());
            let mut short = game(2);
            short.header.event = "B".to_owned();
            left.edit().unwrap().append(&short, &mut Losses::new()).unwrap();
            left.edit().unwrap().append(&game(60), &mut Losses::new()).unwrap();
            let read = readable(&left.files());
            has_all(&read, &games, "torn name");
            assert_eq!(read[read.len() - 2..], [Some(short), Some(game(60))]);
        }
    }
}

/// A name with two ids: both stay with their games.
#[test]
fn append_duplicate_name_keeps_both() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let games = ["Euwe", "Euwf"].map(|white| {
            let mut game = game(7);
            game.header.white = white.to_owned();
            game
        });
        let mut files = Files::with(family, &games);
        // The second name becomes equal to the first.
        let at = files.names.windows(2).rposition(|two| two == b"wf" || two == b"\x03f").unwrap();
        files.names[at + 1] = b'e';
        let before = files.read().unwrap();
        let two_ids = before.iter().all(|game| game.header.white == "Euwe");
        assert!(two_ids && files.open().unwrap().names()[0].count() == 3);
        let base = Base::new(&files, &Stop::never());
        let mut editor = base.edit().unwrap();
        editor.append(&game(8), &mut Losses::new()).unwrap();
        assert_eq!(base.files().read().unwrap(), [before.clone(), vec![game(8)]].concat());
        editor.compact().unwrap();
        assert_eq!(base.files().read().unwrap(), [before, vec![game(8)]].concat());
    }
}

#[test]
fn append_count_across_power_of_256_is_not_torn() {
    // The header's count changes in more than one byte, and a write may be torn between them.
    for count in [255, 0xffff] {
        let few: Vec<Game> = (0..7).map(game).collect();
        let mut writer = Writer::in_memory();
        for (_, game) in (0..count).zip(few.iter().cycle()) {
            writer.write(game, &mut Losses::new()).unwrap();
        }
        let files = writer.into_bytes().unwrap();
        for torn in [false, true] {
            for stop in 0..11 {
                let base = Base::new(&files, &Stop::after(stop, torn));
                let _ = base.edit().unwrap().append(&game(1), &mut Losses::new());
                let left = base.files();
                // The count never exceeds the entries: the base opens and can be edited.
                let len = left.open().unwrap().len();
                assert!(len == count || len == count + 1, "{len} after {stop}, torn: {torn}");
                let left = Base::new(&left, &Stop::never());
                left.edit().unwrap().append(&game(2), &mut Losses::new()).unwrap();
                assert_eq!(left.files().open().unwrap().info().games, (len + 1) as u32);
            }
        }
    }
}

#[test]
fn replace_stopped_anywhere_keeps_all_games() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        stop_everywhere(
            &files,
            |mut editor| editor.replace(1, &game(11), &mut Losses::new()).map(drop),
            &|_, read, place| {
                let mut expected = games.clone();
                // The old game before the swap, the new one after it; never none.
                if read[1] != Some(games[1].clone()) {
                    expected[1] = game(11);
                }
                has_all(read, &expected, place);
            },
        );
    }
}

#[test]
fn replace_all_headers_stopped_anywhere_keeps_all_games() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        // One record stays, and one is written.
        let changed = |number: u64, tag: &str| {
            let mut header = game(number).header;
            header.put(tag, "Somebody, New");
            (number, header)
        };
        stop_everywhere(
            &files,
            |mut editor| {
                let mut first = game(1).header;
                first.put("White", "Somebody, New");
                let mut second = game(3).header;
                second.put("Annotator", "Somebody, New");
                let headers = [(1, first), (3, second)];
                let done = editor.replace_all(&mut next_header(&headers), &mut Losses::new());
                done.map(drop).map_err(stopped)
            },
            &|_, read, place| {
                let mut expected = games.clone();
                if read[1] != Some(games[1].clone()) {
                    expected[1].header = changed(1, "White").1;
                    expected[3].header = changed(3, "Annotator").1;
                }
                has_all(read, &expected, place);
            },
        );
    }
}

/// Either all are replaced, or none.
#[test]
fn replace_many_stopped_anywhere_keeps_all_games() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        stop_everywhere(
            &files,
            |mut editor| {
                let new = [(2, game(12)), (0, game(10)), (2, game(13))];
                let done = editor.replace_all(&mut next_game(&new), &mut Losses::new());
                done.map(drop).map_err(stopped)
            },
            &|_, read, place| {
                let mut expected = games.clone();
                if read[0] != Some(games[0].clone()) {
                    (expected[0], expected[2]) = (game(10), game(13));
                }
                has_all(read, &expected, place);
            },
        );
    }
}

#[test]
fn set_flags_stopped_anywhere_keeps_all_games() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        stop_everywhere(
            &files,
            |mut editor| {
                editor.set_deleted(2, true)?;
                editor.set_flags(3, "WT6")?;
                editor.set_deleted(2, false)?;
                editor.set_flags(3, "")
            },
            &|_, read, place| {
                for (number, (read, game)) in read.iter().zip(&games).enumerate() {
                    let mut read = read.clone().unwrap_or_else(|| panic!("{place}: {number}"));
                    read.header.deleted = game.header.deleted;
                    if read.header.tags.get("ScidFlags").is_some() {
                        let tags = read.header.tags.clone();
                        let others = tags.iter().filter(|(name, _)| *name != "ScidFlags");
                        read.header.tags = others.collect();
                    }
                    assert_eq!(&read, game, "{place}: game {number}");
                }
            },
        );
    }
}

/// The same edits through real files.
#[test]
fn edit_on_disk_locks_and_changes_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.si4");
    let mut writer = Writer::create(&path).unwrap();
    for seed in 0..4 {
        writer.write(&game(seed), &mut Losses::new()).unwrap();
    }
    assert!(!path.exists(), "nothing is there before it is complete");
    writer.finish().unwrap();
    let mut editor = Editor::open(&path).unwrap();
    let busy = Editor::open(&path).unwrap_err();
    let ErrorKind::Io(error) = busy.kind() else { panic!("{busy}") };
    assert_eq!(error.kind(), std::io::ErrorKind::ResourceBusy);
    editor.append(&game(4), &mut Losses::new()).unwrap();
    editor.replace(0, &game(5), &mut Losses::new()).unwrap();
    editor.set_deleted(1, true).unwrap();
    editor.compact().unwrap();
    let base = Database::open(&path).unwrap();
    let expected = [game(5), game(2), game(3), game(4)];
    assert_eq!(base.len(), 4);
    let mut reader = base.reader();
    for expected in &expected {
        let mut read = Game::new();
        assert!(reader.read_game(&mut read, &mut Diagnostics::strict()).unwrap());
        assert_eq!(&read, expected);
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// Damage that an edit would build on is refused.
#[test]
fn edit_damaged_base_is_error() {
    for case in testkit::cases("scid") {
        let unsound = ["bad_name_id", "bad_names_magic", "bad_sn_trunc", "bad_si_more_declared"];
        if unsound.contains(&&*case.name) {
            let base = Base::new(&Files::of(&case), &Stop::never());
            let edited = base.edit();
            let appended = edited.and_then(|mut it| it.append(&game(1), &mut Losses::new()));
            assert!(appended.is_err(), "{}", case.name);
            assert_eq!(base.files(), Files::of(&case), "{}", case.name);
        }
    }
}

/// An interrupted write leaves each game as it was, or marked.
#[test]
fn mark_many_stopped_anywhere_changes_marks_only() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        stop_everywhere(
            &files,
            |mut editor| {
                editor.set_deleted_all(&[2, 0], true)?;
                editor.set_deleted_all(&[1], true)
            },
            &|_, read, place| {
                let unmarked = |game: &Option<Game>| {
                    let mut game = game.clone();
                    game.iter_mut().for_each(|game| game.header.deleted = false);
                    game
                };
                has_all(&read.iter().map(unmarked).collect::<Vec<_>>(), &games, place);
                if place == "done" {
                    let marks: Vec<bool> =
                        read.iter().flatten().map(|game| game.header.deleted).collect();
                    assert_eq!(marks, [true, true, true, false]);
                }
            },
        );
    }
}

/// Equal to the marks set one by one, in any order and over several blocks of entries.
#[test]
fn mark_many_matches_marks_one_by_one() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let games: Vec<Game> = (0..2500).map(|seed| game(seed % 9)).collect();
        let files = Files::with(family, &games);
        let edit = |change: &dyn Fn(&mut Editor<Replacing>)| {
            let base = Base::new(&files, &Stop::never());
            change(&mut base.edit().unwrap());
            base.files()
        };
        let marks = [0, 7, 1023, 1024, 3, 7, 2499, 1500, 1024];
        let together = edit(&|editor| {
            editor.set_deleted_all(&marks, true).unwrap();
            editor.set_deleted_all(&[3, 2499], false).unwrap();
            editor.set_deleted_all(&[], true).unwrap();
        });
        let apart = edit(&|editor| {
            marks.iter().for_each(|game| editor.set_deleted(*game, true).unwrap());
            [3, 2499].iter().for_each(|game| editor.set_deleted(*game, false).unwrap());
        });
        assert_eq!(together, apart);
        let unknown = edit(&|editor| {
            let error = editor.set_deleted_all(&[2400, 2500], true).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::NoSuchGame(2500)), "{error}");
        });
        assert_eq!(unknown, files);
    }
}

/// A game whose names are missing can be deleted and dropped. No game is appended behind it.
#[test]
fn mark_game_without_names_is_possible() {
    let mut files = Files::with(Extensions::SI4, &[game(1), game(2)]);
    // The id of White of the second game.
    files.index[182 + 47 + 10..][..2].copy_from_slice(&[0xff, 0xff]);
    let base = Base::new(&files, &Stop::never());
    base.edit().unwrap().set_deleted_all(&[1], true).unwrap();
    let error = base.edit().unwrap().append(&game(3), &mut Losses::new()).unwrap_err();
    assert!(error.to_string().contains("name that is not there"), "{error}");
    base.edit().unwrap().compact().unwrap();
    assert_eq!(base.files().read().unwrap(), [game(1)]);
}
