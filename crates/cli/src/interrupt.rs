//! Ctrl-C: stop soon, leave nothing half behind.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use scoresheet::chess_store::files::give_up;

use crate::exit::{INTERRUPTED, NOTHING_WRITTEN, say};
use crate::progress;

static INTERRUPTED_YET: AtomicBool = AtomicBool::new(false);

/// How long a conversion has to stop by itself.
const GRACE: Duration = Duration::from_secs(2);

/// From now on Ctrl-C only asks to stop. Should that not happen soon, as when standard input
/// brings nothing, the temporary files of what is being written are removed and the program ends.
pub(crate) fn watch() {
    // Without a handler the system's own applies: the program ends at once.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED_YET.swap(true, Ordering::SeqCst) {
            return;
        }
        thread::spawn(|| {
            thread::sleep(GRACE);
            progress::clear();
            give_up();
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
