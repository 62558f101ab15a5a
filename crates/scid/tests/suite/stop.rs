//! Files in memory with injected failures, and checks of the remains.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex};

use arbitrary::Unstructured;
use chess_core::Game;
use chess_store::io::{ReadAt, WriteAt};
use scid::{Editor, Error, Extensions, Losses, NewFiles, OpenOptions, Parts};
use testkit::{Disk, Flavour, Random, Stop, random_game};

use crate::files::{BaseFiles as _, Files};

/// An open file.
#[derive(Clone)]
pub(crate) struct Handle(Arc<Mutex<Disk>>);

impl Handle {
    fn new(bytes: Vec<u8>, stop: &Stop) -> Handle {
        Handle(Arc::new(Mutex::new(Disk::new(bytes, stop))))
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().bytes()
    }

    fn after_power_cut(&self, seed: u64) -> Vec<u8> {
        self.0.lock().unwrap().after_power_cut(seed)
    }
}

impl ReadAt for Handle {
    fn size(&self) -> io::Result<u64> {
        self.0.lock().unwrap().size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.lock().unwrap().read_at(offset, buffer)
    }
}

impl WriteAt for Handle {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().write_at(offset, bytes)
    }

    fn set_size(&mut self, size: u64) -> io::Result<()> {
        self.0.lock().unwrap().set_size(size)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.lock().unwrap().sync()
    }
}

/// A base whose files are replaced as one change: the renames of a commit.
#[derive(Clone)]
pub(crate) struct Base(Arc<Mutex<(Parts<Handle>, Stop)>>);

impl Base {
    pub(crate) fn new(files: &Files, stop: &Stop) -> Base {
        Base(Arc::new(Mutex::new((Base::handles(files, stop), stop.clone()))))
    }

    fn handles(files: &Files, stop: &Stop) -> Parts<Handle> {
        let new = |bytes: &Vec<u8>| Handle::new(bytes.clone(), stop);
        let Parts { extensions, index, games, names } = files.as_ref();
        Parts { extensions, index: new(index), games: new(games), names: new(names) }
    }

    pub(crate) fn edit(&self) -> Result<Editor<Replacing>, Error> {
        let parts = self.0.lock().unwrap().0.clone();
        let new_files = Replacing { base: self.clone(), created: Vec::new() };
        Editor::with_new_files(parts, new_files, &OpenOptions::default())
    }

    pub(crate) fn files(&self) -> Files {
        self.left(Handle::bytes)
    }

    /// The possible states after a power cut; see [`Disk::after_power_cut`].
    pub(crate) fn after_power_cut(&self, seed: u64) -> Files {
        self.left(|file| file.after_power_cut(seed))
    }

    fn left(&self, of: impl Fn(&Handle) -> Vec<u8>) -> Files {
        let base = self.0.lock().unwrap();
        let Parts { extensions, index, games, names } = &base.0;
        Parts { extensions: *extensions, index: of(index), games: of(games), names: of(names) }
    }

    /// The same files with another failure rule.
    pub(crate) fn set_stop(&self, stop: &Stop) {
        let mut base = self.0.lock().unwrap();
        for handle in [&base.0.index, &base.0.games, &base.0.names] {
            let mut disk = handle.0.lock().unwrap();
            *disk = Disk::new(disk.bytes(), stop);
        }
        base.1 = stop.clone();
    }
}

pub(crate) struct Replacing {
    base: Base,
    created: Vec<(&'static str, Handle)>,
}

impl NewFiles for Replacing {
    type File = Handle;

    fn begin(&self) -> Replacing {
        Replacing { base: self.base.clone(), created: Vec::new() }
    }

    fn create(&mut self, extension: &'static str) -> io::Result<Handle> {
        let handle = Handle::new(Vec::new(), &self.base.0.lock().unwrap().1);
        self.created.push((extension, handle.clone()));
        Ok(handle)
    }

    /// Counts as one change that happens whole or not at all. Everything written before is then on
    /// disk.
    fn commit(self) -> io::Result<()> {
        let mut base = self.base.0.lock().unwrap();
        Disk::new(Vec::new(), &base.1).set_size(0)?;
        for (_, handle) in &self.created {
            let mut disk = handle.0.lock().unwrap();
            *disk = Disk::new(disk.bytes(), &base.1);
        }
        let files = &mut base.0;
        for (extension, handle) in self.created {
            let place = match extension {
                name if name == files.extensions.index => &mut files.index,
                name if name == files.extensions.games => &mut files.games,
                _ => &mut files.names,
            };
            *place = handle;
        }
        Ok(())
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
    files.open().unwrap().games().take(1000).map(Result::ok).collect()
}

pub(crate) type Change = fn(Editor<Replacing>) -> Result<(), Error>;

/// The check of the files and their games, given where the edit stopped.
pub(crate) type Sound<'a> = &'a dyn Fn(&Files, &[Option<Game>], &str);

/// Runs an edit and stops it after every write, whole and torn. Passes each state to `sound`: the
/// files, their games, and the stop.
pub(crate) fn stop_everywhere(start: &Files, change: Change, sound: Sound<'_>) {
    let never = Stop::never();
    let base = Base::new(start, &never);
    change(base.edit().unwrap()).unwrap();
    sound(&base.files(), &readable(&base.files()), "done");
    let writes = never.count();
    assert!(writes > 1);
    for torn in [false, true] {
        for stop in 0..writes {
            let base = Base::new(start, &Stop::after(stop, torn));
            assert!(change(base.edit().unwrap()).is_err());
            let place = format!("stopped after {stop} of {writes}, torn: {torn}");
            sound(&base.files(), &readable(&base.files()), &place);
            change_again(&base.files(), sound, &place);
        }
    }
}

/// The remains of an interrupted edit can be edited again without loss.
fn change_again(files: &Files, sound: Sound<'_>, place: &str) {
    let left = Base::new(files, &Stop::never());
    let mut editor = left.edit().unwrap_or_else(|error| panic!("{place}: no more edits: {error}"));
    editor.append(&game(99), &mut Losses::new()).unwrap();
    let now = readable(&left.files());
    sound(&left.files(), &now, &format!("{place}, then changed again"));
    assert_eq!(now.last(), Some(&Some(game(99))), "{place}");
    // An entry that was torn is a game that cannot be read.
    for (number, _) in (0..).zip(&now).filter(|(_, game)| game.is_none()) {
        editor.set_deleted(number, true).unwrap();
    }
    editor.compact().unwrap();
    let files = left.files();
    let kept: Vec<Game> = now.into_iter().flatten().filter(|g| !g.header.deleted).collect();
    assert_eq!(files.read().unwrap(), kept, "{place}");
    has_no_spare_name(&files, &kept);
}

/// Every name is used by a game, and none occurs twice.
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
