//! The only code that follows pointers of the caller.
//!
//! Handles and results need none of it: a parameter `Option<&T>`, `Option<&mut T>` or
//! `Option<Box<T>>` is a pointer in C, and NULL is `None`. The section "Rules" of the header
//! says which promises C makes for such a pointer.

#![allow(unsafe_code, reason = "this file turns pointers of the caller into slices")]

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::slice;

/// A text that C passes: NULL, or the start of bytes that end with a zero byte.
///
/// Rust makes one only from a [`CStr`] or as the default, NULL. C promises in the rules of the header that
/// the bytes end with a zero byte, and stay as they are during the call.
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub struct CText<'a>(Option<NonNull<c_char>>, PhantomData<&'a CStr>);

impl<'a> CText<'a> {
    /// Passes a text as C does.
    #[must_use]
    pub fn new(text: &'a CStr) -> CText<'a> {
        CText(NonNull::new(text.as_ptr().cast_mut()), PhantomData)
    }

    /// Returns the bytes before the zero byte; `None` for NULL.
    pub(crate) fn bytes(self) -> Option<&'a [u8]> {
        // SAFETY: the pointer comes from a `CStr` that lives for `'a`, or from C, which promises the
        // same for the call. No function keeps a `CText` beyond its call: `'a` ends with it.
        self.0.map(|start| unsafe { CStr::from_ptr(start.as_ptr()) }.to_bytes())
    }
}

/// An array of numbers that C passes with its length: NULL, or the start of an array of at least this length.
///
/// Rust code can create only the default value, NULL, because only C knows the length.
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub struct CNumbers(Option<NonNull<u64>>);

impl CNumbers {
    /// Copies `length` numbers. Returns `None` for NULL with a length, for a misaligned pointer, and for a length that
    /// no array can have.
    pub(crate) fn copy(self, length: usize) -> Option<Vec<u64>> {
        copy(self.0, length)
    }
}

/// An array of bytes that C passes with its length: NULL, or the start of an array of at least this length.
///
/// Rust code can create only the default value, NULL, because only C knows the length.
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub struct CBytes(Option<NonNull<u8>>);

impl CBytes {
    /// Copies `length` bytes. Returns `None` for NULL with a length, and for a length that no array can have.
    pub(crate) fn copy(self, length: usize) -> Option<Vec<u8>> {
        copy(self.0, length)
    }
}

/// Copies `length` items of the array that begins at `start`.
fn copy<T: Copy + Into<u64>>(start: Option<NonNull<T>>, length: usize) -> Option<Vec<T>> {
    if length == 0 {
        return Some(Vec::new());
    }
    let size = length.checked_mul(size_of::<T>()).filter(|size| isize::try_from(*size).is_ok());
    let start = start.filter(|start| start.is_aligned() && size.is_some())?;
    // SAFETY: only C creates a pointer that is not NULL. It guarantees `length` initialized items that do not change
    // during the call. Alignment and size were checked above.
    Some(unsafe { slice::from_raw_parts(start.as_ptr(), length) }.to_vec())
}
