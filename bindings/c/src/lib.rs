//! Chess databases of many formats for C and C++.
//!
//! `include/scoresheet.h` is the interface, made from this crate by `cargo xtask c --write`. The
//! pages docs/c.md and bindings/c/README.md explain it.
//!
//! Only `ffi.rs` follows pointers of the caller. All other files are safe code, except that an
//! exported name has to be declared as `#[unsafe(no_mangle)]`; a test counts both.

#![allow(
    unsafe_code,
    reason = "rustc counts the name of an exported function as unsafe; the test \
              `sources_outside_ffi_have_no_unsafe_code` forbids all else"
)]

mod arrow;
mod base;
mod check;
mod ffi;
mod filter;
mod findings;
mod formats;
mod game;
mod options;
mod output;
mod reader;
mod select;
mod status;
mod text;
mod tokens;
mod unpack;

#[cfg(test)]
mod tests;

use std::ffi::{c_char, c_int, c_void};
use std::ops::ControlFlow;

use scoresheet::Progress as Reached;

pub use crate::arrow::*;
pub use crate::base::*;
pub use crate::check::*;
pub use crate::ffi::{CBytes, CNumbers, CText};
pub use crate::filter::*;
pub use crate::findings::*;
pub use crate::formats::*;
pub use crate::game::*;
pub use crate::options::*;
pub use crate::output::*;
pub use crate::reader::*;
pub use crate::select::*;
pub use crate::status::*;
pub use crate::text::Text;
pub use crate::tokens::*;

/// The number of the binary interface. It changes whenever a program has to be compiled again.
const ABI_VERSION: u32 = 1;

/// Returns the version of the library, such as `0.1.0`, as a text that ends with a zero byte and is
/// never freed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the number of the binary interface. A program that was compiled with another
/// `SCORESHEET_ABI_VERSION` must not call anything else.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_abi_version() -> u32 {
    ABI_VERSION
}

/// Reports progress: `done` of `total` units. The units are games, or bytes of a text file. `total` is
/// `SCORESHEET_NONE` if it is not known. `context` is the pointer that was given with the callback.
///
/// Returns 0 to continue. Any other value stops the call, which returns `SCORESHEET_STATUS_CANCELLED`.
///
/// The library calls it on the thread of the call that it was given to. It must not throw, and must not
/// free a handle that the call uses.
pub type Progress = Option<extern "C" fn(context: *mut c_void, done: u64, total: u64) -> c_int>;

/// A callback with its context.
#[derive(Clone, Copy)]
pub(crate) struct Watcher {
    progress: Progress,
    context: *mut c_void,
}

impl Watcher {
    pub(crate) fn new(progress: Progress, context: *mut c_void) -> Watcher {
        Watcher { progress, context }
    }

    pub(crate) fn tell(&self, done: u64, total: Option<u64>) -> ControlFlow<()> {
        match self.progress {
            Some(progress) if progress(self.context, done, total.unwrap_or(status::NONE)) != 0 => {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    pub(crate) fn reached(&self, progress: Reached) -> ControlFlow<()> {
        self.tell(progress.done, progress.total)
    }
}
