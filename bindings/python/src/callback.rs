//! Calls of Python code from Rust.
//!
//! The code may call a library that releases the interpreter and then reads a table on the same thread.
//! PyO3 does not know of the release: `Python::attach` would believe that the thread still holds the
//! interpreter. So a table is read without the interpreter while such a call runs.

use std::cell::Cell;

thread_local! {
    static RUNNING: Cell<u32> = const { Cell::new(0) };
}

/// Runs a function that calls Python code of a user.
pub(crate) fn run<T>(call: impl FnOnce() -> T) -> T {
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            RUNNING.set(RUNNING.get().saturating_sub(1));
        }
    }
    RUNNING.set(RUNNING.get().saturating_add(1));
    let _guard = Guard;
    call()
}

/// Returns whether this thread runs Python code that Rust called.
pub(crate) fn is_running() -> bool {
    RUNNING.get() > 0
}
