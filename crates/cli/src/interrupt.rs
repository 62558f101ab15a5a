//! Ctrl-C and other signals: the program stops soon and leaves no partial output.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::io::{self, Read as _};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use scoresheet::chess_store::files::give_up;

use crate::exit::{CHANGES_LOST, Failure, INTERRUPTED, NOTHING_WRITTEN, say};
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
    watch_saying(CHANGES_LOST);
}

fn watch_saying(message: &'static str) {
    on_signal(move || {
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
    on_signal(|| INTERRUPTED_YET.store(true, Ordering::SeqCst));
}

/// Calls a function on a thread of its own whenever the program is asked to stop. Only the first call
/// sets the function. Without one, the system's default applies: the program ends at once.
fn on_signal(act: impl Fn() + Send + 'static) {
    static SET: Once = Once::new();
    SET.call_once(|| {
        let _ = handle_signals(act);
    });
}

/// A signal that is ignored when the program starts stays ignored, as POSIX asks: `nohup` ignores
/// HUP, and a shell ignores INT for what a script starts with `&`.
#[cfg(unix)]
fn handle_signals(act: impl Fn() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let (mut received, sender) = UnixStream::pair()?;
    let ignored = ignored_signals();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if ignored >> (signal - 1) & 1 == 0 {
            signal_hook::low_level::pipe::register(signal, sender.try_clone()?)?;
        }
    }
    thread::spawn(move || {
        while received.read_exact(&mut [0]).is_ok() {
            act();
        }
    });
    Ok(())
}

/// Returns the signals that are ignored, as bits from signal 1 on. Known on Linux alone: elsewhere
/// only a call that is unsafe tells.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(windows)]
fn handle_signals(act: impl Fn() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(act)
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
