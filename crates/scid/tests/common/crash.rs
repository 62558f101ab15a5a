//! Files in memory that fail when told to, and a look at what is left.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use arbitrary::Unstructured;
use chess_core::io::{ReadAt, WriteAt};
use chess_core::seam::OpenOptions;
use chess_core::{Diagnostics, Game};
use scid::{Editor, Error, Extensions, SwapFile};
use testkit::{Disk, Flavour, Random, Stop, random_game};

use super::Files;

/// A file in memory that can be swapped, which counts as one change: a rename.
#[derive(Clone)]
pub(crate) struct Swappable(Arc<Mutex<(Disk, Stop)>>);

impl Swappable {
    pub(crate) fn new(bytes: Vec<u8>, stop: &Stop) -> Swappable {
        Swappable(Arc::new(Mutex::new((Disk::new(bytes, stop), stop.clone()))))
    }

    pub(crate) fn disk(&self) -> Disk {
        self.0.lock().unwrap().0.clone()
    }

    /// The same bytes, under another rule of when to fail.
    pub(crate) fn set_stop(&self, stop: &Stop) {
        let bytes = self.disk().bytes();
        *self.0.lock().unwrap() = (Disk::new(bytes, stop), stop.clone());
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
        let mut file = self.0.lock().unwrap();
        file.0 = Disk::new(bytes, &file.1);
        Ok(())
    }
}

pub(crate) struct Base {
    pub(crate) family: Extensions,
    pub(crate) index: Swappable,
    pub(crate) games: Swappable,
    pub(crate) names: Swappable,
}

impl Base {
    pub(crate) fn new(files: &Files, stop: &Stop) -> Base {
        let new = |bytes: &Vec<u8>| Swappable::new(bytes.clone(), stop);
        Base {
            family: files.family,
            index: new(&files.index),
            games: new(&files.games),
            names: new(&files.names),
        }
    }

    pub(crate) fn edit(&self) -> Result<Editor<Swappable>, Error> {
        let (index, games, names) = (self.index.clone(), self.games.clone(), self.names.clone());
        Editor::from_parts(self.family, index, games, names, &OpenOptions::default())
    }

    pub(crate) fn files(&self) -> Files {
        Files {
            family: self.family,
            index: self.index.disk().bytes(),
            games: self.games.disk().bytes(),
            names: self.names.disk().bytes(),
        }
    }
}

pub(crate) fn game(seed: u64) -> Game {
    let bytes = Random::new(seed).bytes(400);
    let flavour = Flavour { chess960: false, free_comments: false, ..Flavour::ALL };
    let mut game = random_game(&mut Unstructured::new(&bytes), flavour).unwrap();
    game.header.white = format!("Player {seed}");
    game.header.event = format!("Event {seed}");
    game
}

/// The games that can be read now, damaged or not.
pub(crate) fn readable(files: &Files) -> Vec<Option<Game>> {
    let base = files.open().unwrap();
    (0..base.len().min(1000))
        .map(|number| {
            let mut game = Game::new();
            base.game(number, &mut game, &mut Diagnostics::lenient()).ok().map(|()| game)
        })
        .collect()
}

pub(crate) type Change = fn(&mut Editor<Swappable>) -> Result<(), Error>;

/// Runs a change, stopping after every write, whole and torn, and hands each state to `sound`.
pub(crate) fn stop_everywhere(
    start: &Files,
    change: Change,
    sound: &dyn Fn(&[Option<Game>], &str),
) {
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
            change_again(&base.files(), sound, &place);
        }
    }
}

/// What a broken change has left can be changed again, and loses nothing by it.
pub(crate) fn change_again(files: &Files, sound: &dyn Fn(&[Option<Game>], &str), place: &str) {
    let left = Base::new(files, &Stop::never());
    let mut editor = left.edit().unwrap_or_else(|error| panic!("{place}: no more edits: {error}"));
    editor.append(&game(99), &mut Vec::new()).unwrap();
    let now = readable(&left.files());
    sound(&now, place);
    assert_eq!(now.last(), Some(&Some(game(99))), "{place}");
    editor.compact().unwrap();
    let files = left.files();
    let kept: Vec<Game> = now.into_iter().flatten().filter(|g| !g.header.deleted).collect();
    assert_eq!(files.read().unwrap(), kept, "{place}");
    has_no_spare_name(&files, &kept);
}

/// Every name is that of a game, and none is there twice.
pub(crate) fn has_no_spare_name(files: &Files, games: &[Game]) {
    let used = |names: fn(&Game) -> Vec<&String>| {
        games.iter().flat_map(names).collect::<BTreeSet<_>>().len()
    };
    let used = [
        used(|game| vec![&game.header.white, &game.header.black]),
        used(|game| vec![&game.header.event]),
        used(|game| vec![&game.header.site]),
        used(|game| vec![&game.header.round]),
    ];
    let base = files.open().unwrap();
    assert_eq!(base.names().each_ref().map(|list| list.count()), used);
    assert_eq!(base.names().each_ref().map(|list| list.len()), used);
    assert!(base.warnings().is_empty(), "{:?}", base.warnings());
}

pub(crate) fn has_all(read: &[Option<Game>], games: &[Game], place: &str) {
    for (number, (read, game)) in read.iter().zip(games).enumerate() {
        assert_eq!(read.as_ref(), Some(game), "{place}: game {number}");
    }
    assert!(read.len() >= games.len(), "{place}");
}

pub(crate) fn start(family: Extensions) -> (Files, Vec<Game>) {
    let games: Vec<Game> = (0..4).map(game).collect();
    (Files::with(family, &games), games)
}
