//! A disk in memory, with names, that fails when told to and loses what was not synced.

mod calls;
mod file;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

pub use file::VolumeFile;

use crate::Random;
use crate::unsynced::{Left, Unsynced};

type Names = BTreeMap<PathBuf, usize>;

/// One folder of files, for the tests of how bases are put in place. Clones are the same disk.
///
/// Every call is counted, and can be the last, or fail. [`killed`](Volume::killed) is what another
/// program finds then; [`survivors`](Volume::survivors) are what may be found after a power cut,
/// when what was not synced is lost: bytes of files by the sector, names by the change, each on
/// its own.
#[derive(Clone, Debug, Default)]
pub struct Volume(Arc<Mutex<State>>);

#[derive(Clone, Debug, Default)]
struct State {
    files: Vec<Contents>,
    names: Names,
    /// The names on the disk, and what has been done to them since.
    safe_names: Names,
    changes: Vec<Change>,
    faults: Faults,
    calls: u64,
    syncs: u64,
    handles: u64,
    /// What was called, and on which file.
    log: Vec<(&'static str, PathBuf)>,
}

#[derive(Clone, Debug, Default)]
struct Contents {
    bytes: Unsynced,
    /// The open file that has the lock.
    locked: Option<u64>,
}

#[derive(Clone, Debug)]
enum Change {
    Create(PathBuf, usize),
    Rename(PathBuf, PathBuf, usize),
    Remove(PathBuf),
}

impl Change {
    /// A rename may leave both names, as on file systems without a journal.
    fn apply(&self, names: &mut Names, both: bool) {
        match self {
            Change::Create(path, file) => drop(names.insert(path.clone(), *file)),
            Change::Remove(path) => drop(names.remove(path)),
            Change::Rename(from, to, file) => {
                if !both {
                    names.remove(from);
                }
                names.insert(to.clone(), *file);
            }
        }
    }
}

/// What goes wrong.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Every call fails after this many.
    pub stop_after: Option<u64>,
    /// The calls of these numbers, from one, fail.
    pub fail_at: Vec<u64>,
    /// What fails is done all the same.
    pub fails_late: bool,
    /// There are no locks.
    pub no_locks: bool,
    /// The sync of this number, from one, does nothing.
    pub ignored_sync: Option<u64>,
    /// Files whose names end so are created without a name.
    pub nameless: Option<&'static str>,
    /// Files whose names end so are not removed.
    pub unremoved: Option<&'static str>,
}

impl Volume {
    /// An empty disk.
    #[must_use]
    pub fn new() -> Volume {
        Volume::default()
    }

    /// Puts a file there, on the disk.
    pub fn put(&self, path: impl AsRef<Path>, bytes: Vec<u8>) {
        let mut state = self.state();
        let file = state.add(Unsynced::new(bytes));
        state.names.insert(path.as_ref().into(), file);
        state.safe_names.insert(path.as_ref().into(), file);
    }

    /// What goes wrong from now on.
    pub fn set_faults(&self, faults: Faults) {
        self.state().faults = faults;
    }

    /// Calls so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Syncs so far, of files and of the folder.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        self.state().syncs
    }

    /// What was called, and on which file.
    #[must_use]
    pub fn log(&self) -> Vec<(&'static str, PathBuf)> {
        self.state().log.clone()
    }

    /// The names there are.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        self.state().names.keys().cloned().collect()
    }

    /// What is in a file.
    #[must_use]
    pub fn bytes(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        let state = self.state();
        let file = *state.names.get(path.as_ref())?;
        Some(state.files[file].bytes.seen().to_vec())
    }

    /// The disk as the next program finds it when this one is killed: nothing is lost, but not
    /// all is on the disk. Nothing goes wrong any more.
    #[must_use]
    pub fn killed(&self) -> Volume {
        let state = self.state();
        let files = state.files.iter().map(|file| Contents { locked: None, ..file.clone() });
        let state = State {
            files: files.collect(),
            names: state.names.clone(),
            safe_names: state.safe_names.clone(),
            changes: state.changes.clone(),
            ..State::default()
        };
        Volume(Arc::new(Mutex::new(state)))
    }

    /// Disks that a power cut may leave now: all there are as far as names go if these are few, else some by chance, about `most`.
    /// Nothing goes wrong with them any more.
    #[must_use]
    pub fn survivors(&self, most: usize, random: &mut Random) -> Vec<Volume> {
        let state = self.state();
        let synced = state.files.iter().all(|file| file.bytes.is_synced());
        let contents: &[u64] = if synced { &[0] } else { &[0, 1, 2, 3] };
        let choices = kept(state.changes.len(), (most / contents.len()).max(1), random);
        let mut volumes = Vec::new();
        for kept in &choices {
            for style in contents {
                let mut left = match style {
                    0 | 1 => Left::of(*style),
                    _ => Left::Some(Random::new(random.number())),
                };
                volumes.push(state.after_power_cut(kept, &mut left, random));
            }
        }
        volumes
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    fn call<T>(
        &self,
        what: &'static str,
        path: &Path,
        act: impl FnOnce(&mut State) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut state = self.state();
        state.calls += 1;
        state.log.push((what, path.to_path_buf()));
        if state.faults.stop_after.is_some_and(|limit| state.calls > limit) {
            return Err(io::Error::other("the plug is pulled"));
        }
        let fails = state.faults.fail_at.contains(&state.calls);
        let failure = || Err(io::Error::other("input/output error"));
        if fails && !state.faults.fails_late {
            return failure();
        }
        let result = act(&mut state);
        // A file that is closed asks for it.
        drop(state);
        if fails { failure() } else { result }
    }

    fn handle(&self, state: &mut State, file: usize) -> VolumeFile {
        state.handles += 1;
        VolumeFile::new(self.clone(), file, state.handles)
    }
}

/// For each surviving state which of `count` changes of names it has.
fn kept(count: usize, most: usize, random: &mut Random) -> Vec<Vec<bool>> {
    if count < 10 && 1 << count <= most {
        return (0..1_usize << count).map(|mask| pick(count, |n| mask >> n & 1 == 1)).collect();
    }
    let mut choices = Vec::new();
    for turn in 0..=count {
        choices.push(pick(count, |n| n < turn));
        choices.push(pick(count, |n| n == turn));
        choices.push(pick(count, |n| n != turn));
    }
    while choices.len() < most {
        choices.push(pick(count, |_| random.below(2) == 0));
    }
    while choices.len() > most {
        choices.swap_remove(random.below(choices.len()));
    }
    choices
}

fn pick(count: usize, is_kept: impl FnMut(usize) -> bool) -> Vec<bool> {
    (0..count).map(is_kept).collect()
}

impl State {
    fn add(&mut self, bytes: Unsynced) -> usize {
        self.files.push(Contents { bytes, locked: None });
        self.files.len() - 1
    }

    fn file(&self, path: &Path) -> io::Result<usize> {
        self.names.get(path).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn change(&mut self, change: Change) {
        change.apply(&mut self.names, false);
        self.changes.push(change);
    }

    fn has_fault(&self, fault: fn(&Faults) -> Option<&'static str>, path: &Path) -> bool {
        fault(&self.faults).is_some_and(|ending| path.to_string_lossy().ends_with(ending))
    }

    fn syncs_now(&mut self) -> bool {
        self.syncs += 1;
        self.faults.ignored_sync != Some(self.syncs)
    }

    fn after_power_cut(&self, kept: &[bool], left: &mut Left, random: &mut Random) -> Volume {
        let mut names = self.safe_names.clone();
        for (change, _) in self.changes.iter().zip(kept).filter(|(_, kept)| **kept) {
            change.apply(&mut names, random.below(8) == 0);
        }
        let mut state = State { safe_names: names.clone(), names, ..State::default() };
        for file in &self.files {
            state.add(Unsynced::new(file.bytes.after_power_cut(left)));
        }
        Volume(Arc::new(Mutex::new(state)))
    }
}
