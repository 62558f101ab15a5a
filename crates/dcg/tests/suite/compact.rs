//! Compacting: what is kept, what is dropped, and interruptions.

use std::fs;
use std::path::Path;
use std::time::Duration;

use chess_core::Game;
use chess_store::Diagnostics;
use chess_store::files::BaseFiles;
use dcg::layout::Layout;
use dcg::{CreateOptions, Database, Editor, ErrorKind, Losses, OpenOptions, Parts, Writer};
use testkit::{Faults, Random, Volume, VolumeFile, cases};

use crate::common::{FLAVOUR, games, open, read, write};

const FILES: [&str; 5] = ["dci", "dcn", "dcs", "dce", "dcg"];

/// A base with some deleted games, and the games that are not deleted.
fn base() -> (Parts<Vec<u8>>, Vec<Game>) {
    let mut all = read(write(&games(12, 10, FLAVOUR)).0);
    for number in [0, 4, 9] {
        all[number].header.deleted = true;
    }
    let parts = write(&all).0;
    let mut editor = Editor::from_parts(parts, &OpenOptions::default()).unwrap();
    editor.set_default_game(5).unwrap();
    (editor.into_parts(), live(all))
}

fn live(all: impl IntoIterator<Item = Game>) -> Vec<Game> {
    all.into_iter().filter(|game| !game.header.deleted).collect()
}

fn put(parts: &Parts<Vec<u8>>, mut put: impl FnMut(&str, &[u8])) {
    let Parts { dci, dcn, dcs, dce, dcg } = parts;
    for (extension, bytes) in FILES.into_iter().zip([dci, dcn, dcs, dce.as_ref().unwrap(), dcg]) {
        put(extension, bytes);
    }
}

#[test]
fn compact_keeps_live_games_and_their_names() {
    let (parts, live) = base();
    let editor = Editor::from_parts(parts, &OpenOptions::default()).unwrap();
    let mut writer = Writer::in_memory();
    editor.copy_live(&mut writer).unwrap();
    let compact = writer.into_bytes().unwrap();
    assert_eq!(read(compact.clone()), live);
    assert_eq!(open(compact.clone()).unwrap().default_game(), 3, "the default game moved");
    let mut fresh = write(&live).0;
    fresh.dci[18] = 3;
    assert_eq!(compact, fresh);
}

#[test]
fn compact_on_disk_replaces_files() {
    let (parts, live) = base();
    let folder = tempfile::tempdir().unwrap();
    // As on an old disk.
    let path = folder.path().join("BASE.DCI");
    put(&parts, |extension, bytes| {
        fs::write(path.with_extension(extension.to_uppercase()), bytes).unwrap();
    });
    Editor::open(&path).unwrap().compact().unwrap();
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["BASE.DCE", "BASE.DCG", "BASE.DCI", "BASE.DCN", "BASE.DCS"]);
    let base = Database::open(&path).unwrap();
    assert!(base.warnings().is_empty());
    assert_eq!(base.into_games().collect::<Result<Vec<_>, _>>().unwrap(), live);
}

#[test]
fn compact_unreadable_game_is_error() {
    let (mut parts, _) = base();
    // The last game but one: the last is deleted.
    let cut = open(parts.clone()).unwrap().entry(9).unwrap().offset as usize - 1;
    parts.dcg.truncate(cut);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.dci");
    put(&parts, |extension, bytes| fs::write(path.with_extension(extension), bytes).unwrap());
    let error = Editor::open(&path).unwrap().compact().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::RecordCut(..)), "{error}");
    assert_eq!(error.location().game, Some(8));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5, "nothing is left over");
    put(&parts, |extension, bytes| {
        assert_eq!(fs::read(path.with_extension(extension)).unwrap(), bytes, "{extension}");
    });
    // A deleted game does not matter.
    let mut editor = Editor::open(&path).unwrap();
    editor.set_deleted(8, true).unwrap();
    editor.compact().unwrap();
    assert_eq!(Database::open(&path).unwrap().len(), 6);
}

#[test]
fn edit_old_layout_needs_compacting() {
    let case = cases("dcg").into_iter().find(|case| case.name == "old_layout").unwrap();
    let folder = tempfile::tempdir().unwrap();
    for extension in ["dci", "dcn", "dcs", "dcg"] {
        let name = format!("base.{extension}");
        fs::copy(case.file(&name), folder.path().join(&name)).unwrap();
    }
    let path = folder.path().join("base.dci");
    let mut editor = Editor::open(&path).unwrap();
    let error = editor.append(&Game::new(), &mut Losses::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        ".dci: the base has the old 35-byte index entries: compact it first"
    );
    editor.set_deleted(0, true).unwrap();
    editor.compact().unwrap();
    let base = Database::open(&path).unwrap();
    assert_eq!((base.len(), base.layout()), (3, Layout::Current));
    let mut game = Game::new();
    base.reader().game(2, &mut game, &mut Diagnostics::strict()).unwrap();
    assert_eq!(game.ply_count(), 2);
}

#[test]
fn compact_base_without_path_is_error() {
    let editor = Editor::from_parts(base().0, &OpenOptions::default()).unwrap();
    let error = editor.compact().unwrap_err();
    assert_eq!(error.to_string(), ".dci: the base was not opened by a path");
}

const PATH: &str = "folder/base.dci";

fn volume(parts: &Parts<Vec<u8>>) -> Volume {
    let volume = Volume::new();
    put(parts, |extension, bytes| {
        volume.put(Path::new(PATH).with_extension(extension), bytes.to_vec());
    });
    volume
}

/// As [`Editor::compact`], on a failing disk.
fn compact(volume: &Volume) -> Result<(), dcg::Error> {
    let io = dcg::Error::io(dcg::Location::default());
    let place = BaseFiles::locate_for_change_on(volume, Path::new(PATH), "dci", Duration::ZERO);
    let place = place.map_err(&io)?;
    let files = open_files(&place).map_err(&io)?;
    let editor = Editor::from_parts(files, &OpenOptions::default())?;
    let mut staged = place.stage_files();
    let mut create =
        |extension| staged.create_file(&Path::new(PATH).with_extension(extension)).map_err(&io);
    let new = Parts {
        dcn: create("dcn")?,
        dcs: create("dcs")?,
        dce: Some(create("dce")?),
        dcg: create("dcg")?,
        dci: create("dci")?,
    };
    let mut writer = Writer::from_parts(new, &CreateOptions::default())?;
    editor.copy_live(&mut writer)?;
    drop(writer.into_parts()?);
    staged.put_in_place().map_err(&io)
}

fn open_files(place: &BaseFiles<Volume>) -> std::io::Result<Parts<VolumeFile>> {
    Ok(Parts {
        dci: place.open_file("dci")?,
        dcn: place.open_file("dcn")?,
        dcs: place.open_file("dcs")?,
        dce: Some(place.open_file("dce")?),
        dcg: place.open_file("dcg")?,
    })
}

#[test]
fn edit_stopped_anywhere_loses_nothing() {
    let (parts, wanted) = base();
    let is_whole = |volume: &Volume, what: &str| {
        let place = BaseFiles::locate_on(volume, Path::new(PATH), "dci").unwrap();
        let files = open_files(&place).unwrap();
        let base = Database::from_parts(files, &OpenOptions::default()).unwrap();
        assert!(base.warnings().is_empty(), "{what}");
        assert_eq!(live(base.into_games().map(Result::unwrap)), wanted, "{what}");
    };
    let whole = volume(&parts);
    compact(&whole).unwrap();
    let calls = whole.calls();
    let mut random = Random::new(13);
    for stop in 0..calls {
        let volume = volume(&parts);
        volume.set_faults(Faults { stop_after: Some(stop), ..Faults::default() });
        let _ = compact(&volume);
        let killed = volume.killed();
        is_whole(&killed, &format!("killed after {stop} calls"));
        for (number, left) in volume.survivors(16, &mut random).iter().enumerate() {
            is_whole(left, &format!("power cut {number} after {stop} calls"));
        }

        // The next compaction finishes the interrupted one and leaves no extra files.
        compact(&killed).unwrap();
        is_whole(&killed, "compacted again");
        assert_eq!(killed.paths().len(), FILES.len(), "{:?}", killed.paths());
    }
}
