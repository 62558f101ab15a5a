//! Texts for C: UTF-8 with a length, and a zero byte after it.

use std::ffi::c_char;
use std::fmt;
use std::path::PathBuf;

use crate::ffi::CText;
use crate::status::Failure;

/// A text that a handle owns: UTF-8, `length` bytes, then a zero byte.
///
/// The text may contain zero bytes of its own, so `length` counts. `data` is NULL if there is no such
/// text, which differs from an empty text. The text is valid until the handle is freed or filled again.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    /// The first byte, or NULL.
    pub data: *const c_char,
    /// The number of bytes before the final zero byte.
    pub length: usize,
}

impl Text {
    /// No text.
    pub(crate) const NONE: Text = Text { data: std::ptr::null(), length: 0 };

    /// Points to bytes that end with a zero byte, which is not counted.
    pub(crate) fn new(terminated: &[u8]) -> Text {
        match terminated.split_last() {
            Some((0, text)) => Text { data: text.as_ptr().cast(), length: text.len() },
            _ => Text::NONE,
        }
    }
}

/// Copies a text that C passed.
///
/// # Errors
/// The text is NULL or not UTF-8.
pub(crate) fn given(text: CText<'_>, name: &str) -> Result<String, Failure> {
    let bytes = text.bytes().ok_or_else(|| Failure::null(name))?;
    let text = std::str::from_utf8(bytes);
    text.map(str::to_owned).map_err(|_| Failure::argument(format_args!("{name} is not UTF-8")))
}

/// Copies a path that C passed: the bytes of the system on Unix, and UTF-8 elsewhere.
///
/// # Errors
/// The path is NULL or empty, or not UTF-8 where it must be.
pub(crate) fn given_path(text: CText<'_>, name: &str) -> Result<PathBuf, Failure> {
    #[cfg(unix)]
    let path = {
        use std::os::unix::ffi::OsStrExt as _;
        let bytes = text.bytes().ok_or_else(|| Failure::null(name))?;
        PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
    };
    #[cfg(not(unix))]
    let path = PathBuf::from(given(text, name)?);
    if path.as_os_str().is_empty() {
        return Err(Failure::argument(format_args!("{name} is empty")));
    }
    Ok(path)
}

/// A text with its zero byte, in one allocation that is used again.
#[derive(Debug, Default)]
pub(crate) struct OneText {
    bytes: Vec<u8>,
}

impl OneText {
    /// Whether no text was set since the last `clear`.
    pub(crate) fn is_missing(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(crate) fn set(&mut self, text: &str) {
        self.bytes.clear();
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(0);
    }

    pub(crate) fn view(&self) -> Text {
        Text::new(&self.bytes)
    }
}

impl From<&str> for OneText {
    fn from(text: &str) -> OneText {
        let mut one = OneText::default();
        one.set(text);
        one
    }
}

/// A text in [`Texts`]. The default is no text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    start: usize,
    end: usize,
}

/// Many texts, each with a zero byte, in one allocation.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
}

impl Texts {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Adds a text.
    pub(crate) fn add(&mut self, text: impl fmt::Display) -> Span {
        use std::io::Write as _;
        let start = self.bytes.len();
        // Writing to a vector cannot fail.
        let _ = write!(self.bytes, "{text}");
        self.bytes.push(0);
        Span { start, end: self.bytes.len() }
    }

    /// Returns the bytes of a text without its zero byte.
    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        let text = self.bytes.get(span.start..span.end).and_then(<[u8]>::split_last);
        text.map_or(&[], |(_, text)| text)
    }

    pub(crate) fn view(&self, span: Span) -> Text {
        self.bytes.get(span.start..span.end).map_or(Text::NONE, Text::new)
    }
}
