//! Ctrl-C and other signals: the program stops soon and leaves no partial output.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use scoresheet::chess_store::files::give_up;

use crate::exit::{CHANGES_STAY, Failure, INTERRUPTED, NOTHING_WRITTEN, say};
use crate::progress;

static INTERRUPTED_YET: AtomicBool = AtomicBool::new(false);

/// How long a command has to stop by itself.
const GRACE: Duration = Duration::from_secs(2);

/// Makes Ctrl-C only request a stop, and so the signals TERM and HUP. If the program does not stop
/// soon, for instance because standard input is silent, the temporary files of the output are
/// removed and the program ends.
pub(crate) fn watch() {
    watch_saying(NOTHING_WRITTEN);
}

/// Like [`watch`], for a command that changes a base in place.
pub(crate) fn watch_edit() {
    watch_saying(CHANGES_STAY);
}

fn watch_saying(message: &'static str) {
    // Without a handler, the system's default applies: the program ends at once.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPTED_YET.swap(true, Ordering::SeqCst) {
            return;
        }
        thread::spawn(move || {
            thread::sleep(GRACE);
            progress::clear();
            give_up();
            say(format_args!("scoresheet: {message}"));
            std::process::exit(i32::from(INTERRUPTED));
        });
    });
}

/// Makes this program ignore Ctrl-C: the pager handles it, and the program ends with the pager.
pub(crate) fn leave_to_pager() {
    let _ = ctrlc::set_handler(|| INTERRUPTED_YET.store(true, Ordering::SeqCst));
}

/// Returns the failure of an edit that Ctrl-C stops.
pub(crate) fn check_edit() -> Result<(), Failure> {
    if is_asked() { Err(Failure::StoppedEdit) } else { Ok(()) }
}

/// Makes a file that exceeds the limit of the user (`ulimit -f`) an error of the write. By default
/// the signal XFSZ ends the program, and temporary files stay.
#[cfg(unix)]
pub(crate) fn survive_size_limit() {
    let flag = std::sync::Arc::new(AtomicBool::new(false));
    // If this fails, the default applies.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag);
}

#[cfg(not(unix))]
pub(crate) fn survive_size_limit() {}

/// Returns whether Ctrl-C was pressed.
pub(crate) fn is_asked() -> bool {
    INTERRUPTED_YET.load(Ordering::Relaxed)
}
