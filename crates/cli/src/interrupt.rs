//! Ctrl-C: stops soon and leaves no partial output.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use scoresheet::chess_store::files::give_up;

use crate::exit::{INTERRUPTED, NOTHING_WRITTEN, say};
use crate::progress;

static INTERRUPTED_YET: AtomicBool = AtomicBool::new(false);

/// How long a conversion has to stop by itself.
const GRACE: Duration = Duration::from_secs(2);

/// Makes Ctrl-C only request a stop. If the program does not stop soon, for instance because
/// standard input is silent, the temporary files of the output are removed and the program ends.
pub(crate) fn watch() {
    // Without a handler, the system's default applies: the program ends at once.
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

/// Makes this program ignore Ctrl-C: the pager handles it, and the program ends with the pager.
pub(crate) fn leave_to_pager() {
    let _ = ctrlc::set_handler(|| INTERRUPTED_YET.store(true, Ordering::SeqCst));
}

/// Returns whether Ctrl-C was pressed.
pub(crate) fn is_asked() -> bool {
    INTERRUPTED_YET.load(Ordering::Relaxed)
}
