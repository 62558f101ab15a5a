//! Ctrl-C: stop soon, leave nothing half behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::exit::{INTERRUPTED, NOTHING_WRITTEN, say};
use crate::progress;

static INTERRUPTED_YET: AtomicBool = AtomicBool::new(false);
/// Where temporary files may lie.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// How long a conversion has to stop by itself.
const GRACE: Duration = Duration::from_secs(2);

/// From now on Ctrl-C only asks to stop. Should that not happen soon, as when standard input
/// brings nothing, the temporary files beside `output` are removed and the program ends.
/// To be called for each file that is written.
pub(crate) fn watch(output: &Path) {
    if let Ok(mut folders) = FOLDERS.lock() {
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        folders.push(folder.unwrap_or(Path::new(".")).to_path_buf());
    }
    // Without a handler the system's own applies: the program ends at once.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED_YET.swap(true, Ordering::SeqCst) {
            return;
        }
        thread::spawn(|| {
            thread::sleep(GRACE);
            progress::clear();
            remove_temporary_files();
            say(format_args!("scoresheet: {NOTHING_WRITTEN}"));
            std::process::exit(i32::from(INTERRUPTED));
        });
    });
}

/// From now on Ctrl-C does nothing here: it is meant for the pager, whose end is ours.
pub(crate) fn leave_to_pager() {
    let _ = ctrlc::set_handler(|| INTERRUPTED_YET.store(true, Ordering::SeqCst));
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_asked() -> bool {
    INTERRUPTED_YET.load(Ordering::Relaxed)
}

/// Those of this process; see `chess_core::files::Staged`.
fn remove_temporary_files() {
    let ending = format!(".part{}", std::process::id());
    let folders = FOLDERS.lock().map(|folders| folders.clone()).unwrap_or_default();
    for entry in folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten() {
        if entry.file_name().to_string_lossy().ends_with(&ending) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
