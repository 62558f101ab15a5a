//! A disk in memory, with file names, that fails on request and loses what was not synced.

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

/// One folder of files, for the tests of how bases replace each other. Clones share the disk.
///
/// Every call is counted, and can be the last, or fail. [`killed`](Volume::killed) returns the disk
/// that the next program finds. [`survivors`](Volume::survivors) returns disks that a power cut may
/// leave, without unsynced data: file content is lost by the sector, and file names by the change,
/// independently.
#[derive(Clone, Debug, Default)]
pub struct Volume(Arc<Mutex<State>>);

#[derive(Clone, Debug, Default)]
struct State {
    files: Vec<Contents>,
    names: Names,
    /// The names on the disk. `changes` holds what was done to them since.
    safe_names: Names,
    changes: Vec<Change>,
    faults: Faults,
    calls: u64,
    syncs: u64,
    handles: u64,
    /// The calls, and the file of each.
    log: Vec<(&'static str, PathBuf)>,
}

#[derive(Clone, Debug, Default)]
struct Contents {
    bytes: Unsynced,
    /// The open file that holds the lock.
    locked: Option<u64>,
}

#[derive(Clone, Debug)]
enum Change {
    Create(PathBuf, usize),
    Rename(PathBuf, PathBuf, usize),
    Remove(PathBuf),
}

impl Change {
    /// Applies the change. If `both` is true, a rename leaves both names, as on file systems
    /// without a journal.
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

/// Faults to simulate.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Every call after this many fails.
    pub stop_after: Option<u64>,
    /// The calls with these numbers, from one, fail.
    pub fail_at: Vec<u64>,
    /// A call that fails has its effect nevertheless.
    pub fails_late: bool,
    /// Locks are not supported.
    pub no_locks: bool,
    /// The sync with this number, from one, does nothing.
    pub ignored_sync: Option<u64>,
    /// Files with this ending are created without a name.
    pub nameless: Option<&'static str>,
    /// Files with this ending are not removed.
    pub unremoved: Option<&'static str>,
}

impl Volume {
    /// Returns an empty disk.
    #[must_use]
    pub fn new() -> Volume {
        Volume::default()
    }

    /// Puts a file on the disk, already synced.
    pub fn put(&self, path: impl AsRef<Path>, bytes: Vec<u8>) {
        let mut state = self.state();
        let file = state.add(Unsynced::new(bytes));
        state.names.insert(path.as_ref().into(), file);
        state.safe_names.insert(path.as_ref().into(), file);
    }

    /// Sets the faults from now on.
    pub fn set_faults(&self, faults: Faults) {
        self.state().faults = faults;
    }

    /// Returns the number of calls so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Returns the number of syncs so far, of files and of the folder.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        self.state().syncs
    }

    /// Returns the calls so far, and the file of each.
    #[must_use]
    pub fn log(&self) -> Vec<(&'static str, PathBuf)> {
        self.state().log.clone()
    }

    /// Returns the names of all files.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        self.state().names.keys().cloned().collect()
    }

    /// Returns the content of a file.
    #[must_use]
    pub fn bytes(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        let state = self.state();
        let file = *state.names.get(path.as_ref())?;
        Some(state.files[file].bytes.seen().to_vec())
    }

    /// Returns the disk as the next program finds it when this one is killed. Nothing is lost, but
    /// not everything is on the disk. No more faults occur.
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

    /// Returns disks that a power cut may leave now: all combinations of file names if there are
    /// few, or else a random selection of about `most`. No more faults occur on them.
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
        // Release the lock first, because closing a file in `result` takes it.
        drop(state);
        if fails { failure() } else { result }
    }

    fn handle(&self, state: &mut State, file: usize) -> VolumeFile {
        state.handles += 1;
        VolumeFile::new(self.clone(), file, state.handles)
    }
}

/// Returns, for each surviving disk, which of `count` changes of names it has.
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
