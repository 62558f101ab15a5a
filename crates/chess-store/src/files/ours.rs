//! The temporary files of this process, so that it can end at once and leave none.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Read while something is put in place; true when nothing is any more.
static GIVEN_UP: RwLock<bool> = RwLock::new(false);

fn files() -> MutexGuard<'static, Vec<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn add(path: &Path) {
    files().push(path.to_path_buf());
}

pub(super) fn forget(path: &Path) {
    files().retain(|file| file != path);
}

/// While it is held, the process does not give up.
pub(super) fn commit() -> io::Result<RwLockReadGuard<'static, bool>> {
    let given_up = GIVEN_UP.read().unwrap_or_else(PoisonError::into_inner);
    if *given_up { Err(io::Error::other("the program is about to end")) } else { Ok(given_up) }
}

/// Removes the temporary files of this process, and only those: for a program that is about to
/// end without dropping what it has, as on Ctrl-C.
///
/// What is being put in place when this is called gets there first. Nothing is put in place after:
/// [`Staged::commit`](super::Staged::commit) fails.
pub fn give_up() {
    let mut given_up = GIVEN_UP.write().unwrap_or_else(PoisonError::into_inner);
    *given_up = true;
    for file in files().drain(..) {
        let _ = fs::remove_file(file);
    }
}
