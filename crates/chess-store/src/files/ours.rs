//! The temporary files and folders of this process, for a quick exit without leftovers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::names::{kind_of, new_token, temporary};

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Locked for reading during a commit. Set to true once commits are no longer allowed.
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

/// A guard that delays [`give_up`] during a commit.
pub(super) fn commit() -> io::Result<RwLockReadGuard<'static, bool>> {
    let given_up = GIVEN_UP.read().unwrap_or_else(PoisonError::into_inner);
    if *given_up { Err(io::Error::other("the program is about to end")) } else { Ok(given_up) }
}

/// Removes the temporary files of this process. Call this before the program exits without dropping
/// its values, as on Ctrl-C.
///
/// A commit in progress is completed first. Later calls of
/// [`Staged::commit`](super::Staged::commit) fail.
pub fn give_up() {
    let mut given_up = GIVEN_UP.write().unwrap_or_else(PoisonError::into_inner);
    *given_up = true;
    for file in files().drain(..) {
        if fs::remove_file(&file).is_err() {
            remove_folder(&file);
        }
    }
}

/// Removes a folder that this process may still write to: under another name it gets no new file.
#[expect(clippy::disallowed_methods, reason = "moves what is then removed")]
fn remove_folder(path: &Path) {
    let Some((of, _)) = path.file_name().and_then(kind_of) else { return };
    let closed = temporary(&path.with_file_name(of), &new_token());
    if fs::rename(path, &closed).is_ok() {
        let _ = fs::remove_dir_all(closed);
    }
}
