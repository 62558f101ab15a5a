//! Compacting: what is dropped, what is kept, and interruptions.

use chess_core::Game;
use scid::{Editor, Extensions, Losses, OpenOptions};
use testkit::Stop;

use crate::files::{BaseFiles as _, Files};
use crate::stop::{Base, game, has_no_spare_name, start, stop_everywhere};

#[test]
fn compact_stopped_anywhere_keeps_all_games() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (mut files, games) = start(family);
        let base = Base::new(&files, &Stop::never());
        let mut editor = base.edit().unwrap();
        editor.replace(0, &game(20), &mut Losses::new()).unwrap();
        editor.set_deleted(2, true).unwrap();
        files = base.files();
        let expected = [game(20), games[1].clone(), games[3].clone()];
        stop_everywhere(&files, Editor::compact, &|left, read, place| {
            let kept: Vec<Game> =
                read.iter().flatten().filter(|g| !g.header.deleted).cloned().collect();
            assert!(read.iter().all(Option::is_some), "{place}");
            assert_eq!(kept[..3], expected, "{place}");
            // An interrupted compaction changes nothing.
            assert_eq!(left == &files, place.ends_with("true") || place.ends_with("false"));
        });
        let base = Base::new(&files, &Stop::never());
        base.edit().unwrap().compact().unwrap();
        let new = base.files();
        assert_eq!(new.read().unwrap(), expected);
        // As in a new base.
        assert_eq!(new.games, Files::with(family, &expected).games);
        has_no_spare_name(&new, &expected);
    }
}

/// The fact records of a version 5 base are kept among its names.
#[test]
fn compact_keeps_the_description() {
    let (mut files, games) = start(Extensions::SI5);
    let says = |text: &str| [&[(text.len() * 8 + 4) as u8][..], text.as_bytes()].concat();
    files.names.extend(says("type3"));
    files.names.extend(says("autoload3"));
    files.names.splice(0..0, says("descriptionAll"));
    let base = Base::new(&files, &Stop::never());
    let mut editor = base.edit().unwrap();
    editor.set_deleted(0, true).unwrap();
    editor.compact().unwrap();
    let files = base.files();
    has_no_spare_name(&files, &games[1..]);
    let base = files.open().unwrap();
    let info = base.info();
    assert_eq!((&*info.description, info.base_type, info.autoload), (&b"All"[..], 3, 2));
    assert_eq!(files.read().unwrap(), games[1..]);
}

/// The game to load is renumbered as in Scid 4.7: (before, after).
#[test]
fn compact_keeps_the_game_to_load() {
    for (old, new) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (5, 1), (9, 1)] {
        let (mut files, _) = start(Extensions::SI4);
        files.index[17..20].copy_from_slice(&[0, 0, old]);
        let base = Base::new(&files, &Stop::never());
        let mut editor = base.edit().unwrap();
        editor.set_deleted(1, true).unwrap();
        let editor = editor.compacted().unwrap();
        assert_eq!(base.files().open().unwrap().info().autoload, new, "{old}");
        editor.compact().unwrap();
        assert_eq!(base.files().open().unwrap().info().autoload, new, "{old}, again");
    }
}

/// A base with a truncated record is not compacted and stays unchanged.
#[test]
fn compact_truncated_record_is_error() {
    let (mut before, _) = start(Extensions::SI4);
    before.games.pop();
    let base = Base::new(&before, &Stop::never());
    let error = base.edit().unwrap().compact().unwrap_err();
    assert!(matches!(error.kind(), scid::ErrorKind::Unsound("a record is not there")), "{error}");
    assert_eq!(base.files(), before);
}

/// Records so long that the gaps at the end and at the beginning of the file differ.
#[test]
fn compact_long_records_are_kept() {
    let games: Vec<Game> = [50_000, 60_000, 100_000, 90_000]
        .into_iter()
        .map(|length| {
            let mut game = Game::new();
            game.push_comment(&"x".repeat(length)).unwrap();
            game
        })
        .collect();
    let base = Base::new(&Files::with(Extensions::SI4, &games), &Stop::never());
    let mut editor = base.edit().unwrap();
    editor.set_deleted(0, true).unwrap();
    editor.compact().unwrap();
    let files = base.files();
    assert_eq!(files.read().unwrap(), games[1..]);
    assert_eq!(files.games, Files::with(Extensions::SI4, &games[1..]).games);
}

/// The editor can be used after compacting.
#[test]
fn change_after_compacting() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        let mut editor = Editor::from_parts(files, &OpenOptions::default()).unwrap();
        editor.set_deleted(0, true).unwrap();
        let mut editor = editor.compacted().unwrap();
        assert_eq!(editor.append(&game(70), &mut Losses::new()).unwrap(), 3);
        assert_eq!(editor.replace(1, &game(71), &mut Losses::new()).unwrap(), 1);
        editor.set_deleted(2, true).unwrap();
        let files = editor.compacted().unwrap().into_parts();
        let expected = [games[1].clone(), game(71), game(70)];
        assert_eq!(files.read().unwrap(), expected);
        has_no_spare_name(&files, &expected);
    }
}
