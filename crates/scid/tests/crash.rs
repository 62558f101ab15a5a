//! Whatever write of a change is the last, whole or torn: the base opens with every game it had.

mod common;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use arbitrary::Unstructured;
use chess_core::io::{ReadAt, WriteAt};
use chess_core::seam::OpenOptions;
use chess_core::{Diagnostics, Game};
use common::Files;
use scid::{Editor, Error, Extensions, SwapFile};
use testkit::{Disk, Flavour, Random, Stop, random_game};

/// A file in memory that can be swapped, which counts as one change: a rename.
#[derive(Clone)]
struct Swappable(Arc<Mutex<Disk>>, Stop);

impl Swappable {
    fn new(bytes: Vec<u8>, stop: &Stop) -> Swappable {
        Swappable(Arc::new(Mutex::new(Disk::new(bytes, stop))), stop.clone())
    }

    fn disk(&self) -> Disk {
        self.0.lock().unwrap().clone()
    }
}

impl ReadAt for Swappable {
    fn size(&self) -> io::Result<u64> {
        self.disk().size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.disk().read_at(offset, buffer)
    }
}

impl WriteAt for Swappable {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.disk().write_at(offset, bytes)
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        self.disk().set_size(size)
    }

    fn sync(&self) -> io::Result<()> {
        self.disk().sync()
    }
}

impl SwapFile for Swappable {
    fn swap(
        &mut self,
        fill: &mut dyn FnMut(&Self, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        fill(self, &mut bytes)?;
        // The rename: passes the stop like any change, and happens whole or not at all.
        self.disk().sync()?;
        *self.0.lock().unwrap() = Disk::new(bytes, &self.1);
        Ok(())
    }
}

struct Base {
    family: Extensions,
    index: Swappable,
    games: Swappable,
    names: Swappable,
}

impl Base {
    fn new(files: &Files, stop: &Stop) -> Base {
        let new = |bytes: &Vec<u8>| Swappable::new(bytes.clone(), stop);
        Base {
            family: files.family,
            index: new(&files.index),
            games: new(&files.games),
            names: new(&files.names),
        }
    }

    fn edit(&self) -> Result<Editor<Swappable>, Error> {
        let (index, games, names) = (self.index.clone(), self.games.clone(), self.names.clone());
        Editor::from_parts(self.family, index, games, names, &OpenOptions::default())
    }

    fn files(&self) -> Files {
        Files {
            family: self.family,
            index: self.index.disk().bytes(),
            games: self.games.disk().bytes(),
            names: self.names.disk().bytes(),
        }
    }
}

fn game(seed: u64) -> Game {
    let bytes = Random::new(seed).bytes(400);
    let flavour = Flavour { chess960: false, free_comments: false, ..Flavour::ALL };
    let mut game = random_game(&mut Unstructured::new(&bytes), flavour).unwrap();
    game.header.white = format!("Player {seed}");
    game.header.event = format!("Event {seed}");
    game
}

/// The games that can be read now, damaged or not.
fn readable(files: &Files) -> Vec<Option<Game>> {
    let base = files.open().unwrap();
    (0..base.len().min(1000))
        .map(|number| {
            let mut game = Game::new();
            base.game(number, &mut game, &mut Diagnostics::lenient()).ok().map(|()| game)
        })
        .collect()
}

type Change = fn(&mut Editor<Swappable>) -> Result<(), Error>;

/// Runs a change, stopping after every write, whole and torn, and hands each state to `sound`.
fn stop_everywhere(start: &Files, change: Change, sound: &dyn Fn(&[Option<Game>], &str)) {
    let never = Stop::never();
    let base = Base::new(start, &never);
    change(&mut base.edit().unwrap()).unwrap();
    sound(&readable(&base.files()), "done");
    let writes = never.count();
    assert!(writes > 1);
    for torn in [false, true] {
        for stop in 0..writes {
            let base = Base::new(start, &Stop::after(stop, torn));
            assert!(change(&mut base.edit().unwrap()).is_err());
            let place = format!("stopped after {stop} of {writes}, torn: {torn}");
            sound(&readable(&base.files()), &place);
            // And the base can be changed again, to the same end.
            let left = Base::new(&base.files(), &Stop::never());
            if let Ok(mut editor) = left.edit() {
                editor.append(&game(99), &mut Vec::new()).unwrap();
                let now = readable(&left.files());
                sound(&now, &place);
                assert!(now.iter().flatten().any(|read| *read == game(99)), "{place}");
            } else {
                panic!("{place}: cannot be edited any more");
            }
        }
    }
}

fn has_all(read: &[Option<Game>], games: &[Game], place: &str) {
    for (number, (read, game)) in read.iter().zip(games).enumerate() {
        assert_eq!(read.as_ref(), Some(game), "{place}: game {number}");
    }
    assert!(read.len() >= games.len(), "{place}");
}

fn start(family: Extensions) -> (Files, Vec<Game>) {
    let games: Vec<Game> = (0..4).map(game).collect();
    (Files::with(family, &games), games)
}

#[test]
fn append() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        stop_everywhere(
            &files,
            |editor| {
                editor.append(&game(10), &mut Vec::new())?;
                // No new name this time.
                editor.append(&game(2), &mut Vec::new())
            },
            &|read, place| {
                has_all(read, &games, place);
                if place == "done" {
                    assert_eq!(read[4..], [Some(game(10)), Some(game(2))]);
                }
            },
        );
    }
}

#[test]
fn append_across_a_power_of_256() {
    // The count of the header changes in more than one byte, and may be torn between them.
    let games: Vec<Game> = (0..255).map(|seed| game(seed % 7)).collect();
    let files = Files::with(Extensions::SI4, &games);
    stop_everywhere(&files, |editor| editor.append(&game(1), &mut Vec::new()), &|read, place| {
        has_all(read, &games, place);
    });
}

#[test]
fn replace() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        stop_everywhere(
            &files,
            |editor| editor.replace(1, &game(11), &mut Vec::new()),
            &|read, place| {
                let mut expected = games.clone();
                // Before the swap the old game, after it the new one; never none.
                if read[1] != Some(games[1].clone()) {
                    expected[1] = game(11);
                }
                has_all(read, &expected, place);
            },
        );
    }
}

#[test]
fn flags() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (files, games) = start(family);
        stop_everywhere(
            &files,
            |editor| {
                editor.set_deleted(2, true)?;
                editor.set_flags(3, "WT6")?;
                editor.set_deleted(2, false)?;
                editor.set_flags(3, "")
            },
            &|read, place| {
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

#[test]
fn compact() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let (mut files, games) = start(family);
        let base = Base::new(&files, &Stop::never());
        let mut editor = base.edit().unwrap();
        editor.replace(0, &game(20), &mut Vec::new()).unwrap();
        editor.set_deleted(2, true).unwrap();
        files = base.files();
        let expected = [game(20), games[1].clone(), games[3].clone()];
        stop_everywhere(&files, |editor| editor.compact(), &|read, place| {
            let kept: Vec<Game> =
                read.iter().flatten().filter(|g| !g.header.deleted).cloned().collect();
            assert!(read.iter().all(Option::is_some), "{place}");
            assert_eq!(kept[..3], expected, "{place}");
        });
        let base = Base::new(&files, &Stop::never());
        base.edit().unwrap().compact().unwrap();
        let new = base.files();
        assert_eq!(new.read().unwrap(), expected);
        // As a new base would have them.
        assert_eq!(new.games, Files::with(family, &expected).games);
    }
}

/// Records so long that gaps differ at the end and at the beginning of the file.
#[test]
fn compact_long_records() {
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

/// On disk, through real files.
#[test]
fn files_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.si4");
    let mut writer = scid::Writer::create(&path, &Default::default()).unwrap();
    for seed in 0..4 {
        writer.write(&game(seed), &mut Vec::new()).unwrap();
    }
    assert!(!path.exists(), "nothing is there before it is complete");
    writer.finish().unwrap();
    let mut editor = Editor::open(&path, &Default::default()).unwrap();
    editor.append(&game(4), &mut Vec::new()).unwrap();
    editor.replace(0, &game(5), &mut Vec::new()).unwrap();
    editor.set_deleted(1, true).unwrap();
    editor.compact().unwrap();
    let base = scid::Database::open(&path, &Default::default()).unwrap();
    let expected = [game(5), game(2), game(3), game(4)];
    assert_eq!(base.len(), 4);
    for (number, expected) in (0..).zip(&expected) {
        let mut read = Game::new();
        base.game(number, &mut read, &mut Diagnostics::strict()).unwrap();
        assert_eq!(&read, expected);
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// A base that a change would build on damage of is left alone.
#[test]
fn damaged_bases_are_not_edited() {
    for case in testkit::cases("scid") {
        let unsound = ["bad_name_id", "bad_names_magic", "bad_sn_trunc", "bad_si_more_declared"];
        if unsound.contains(&&*case.name) {
            let base = Base::new(&Files::of(&case), &Stop::never());
            assert!(base.edit().is_err(), "{}", case.name);
        }
    }
}
