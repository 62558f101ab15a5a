//! Ctrl-C: stop soon, leave nothing half behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::exit::INTERRUPTED;

static INTERRUPTED_YET: AtomicBool = AtomicBool::new(false);
static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);

/// How long a conversion has to stop by itself.
const GRACE: Duration = Duration::from_secs(2);

/// From now on Ctrl-C only asks to stop. Should that not happen soon, as when standard input
/// brings nothing, the temporary files beside `output` are removed and the program ends.
pub(crate) fn watch(output: &Path) {
    if let Ok(mut folder) = FOLDER.lock() {
        *folder = Some(output.parent().unwrap_or(Path::new("")).to_path_buf());
    }
    // Without a handler the system's own applies: the program ends at once.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED_YET.swap(true, Ordering::SeqCst) {
            return;
        }
        thread::spawn(|| {
            thread::sleep(GRACE);
            remove_temporary_files();
            std::process::exit(i32::from(INTERRUPTED));
        });
    });
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_asked() -> bool {
    INTERRUPTED_YET.load(Ordering::Relaxed)
}

/// Those of this process; see `chess_core::files::Staged`.
fn remove_temporary_files() {
    let Ok(Some(folder)) = FOLDER.lock().map(|folder| folder.clone()) else { return };
    let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
    let ending = format!(".part{}", std::process::id());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().ends_with(&ending) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
