//! Files of the host: of a browser or of Node. A host.js holds them; this module refers to them by
//! number.

use std::io::{self, Read, Write};

use scoresheet::chess_store::io::{ReadAt, WriteAt};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "./host.js")]
extern "C" {
    /// Returns the size of a file in bytes.
    #[wasm_bindgen(catch, js_name = size)]
    fn host_size(file: u32) -> Result<f64, JsValue>;
    /// Reads up to `buffer.len()` bytes at an offset. Returns the number of bytes read.
    #[wasm_bindgen(catch, js_name = read)]
    fn host_read(file: u32, offset: f64, buffer: &mut [u8]) -> Result<u32, JsValue>;
    /// Creates a file for writing.
    #[wasm_bindgen(js_name = create)]
    fn host_create() -> u32;
    /// Writes bytes at an offset. Extends the file if needed.
    #[wasm_bindgen(catch, js_name = write)]
    fn host_write(file: u32, offset: f64, bytes: &[u8]) -> Result<(), JsValue>;
    /// Truncates or extends a file that is being written.
    #[wasm_bindgen(catch, js_name = resize)]
    fn host_resize(file: u32, size: f64) -> Result<(), JsValue>;
    /// Creates an error. `place` is its location as JSON, or empty.
    #[wasm_bindgen(js_name = failure)]
    pub(crate) fn host_failure(message: &str, place: &str) -> JsValue;
    /// Appends bytes to a file.
    #[wasm_bindgen(catch, js_name = append)]
    fn host_append(file: u32, bytes: &[u8]) -> Result<(), JsValue>;
    /// Ends writing, so that the file can be read.
    #[wasm_bindgen(js_name = seal)]
    fn host_seal(file: u32);
}

/// The largest byte count that a JavaScript number represents exactly.
const MOST: u64 = 1 << 53;

/// A file of the host, read in slices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct File(pub(crate) u32);

fn failed(error: JsValue) -> io::Error {
    let text =
        error.as_string().unwrap_or_else(|| String::from("the file cannot be read or written"));
    io::Error::other(text)
}

impl ReadAt for File {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "sizes are whole numbers below 2^53"
    )]
    fn size(&self) -> io::Result<u64> {
        Ok(host_size(self.0).map_err(failed)? as u64)
    }

    #[allow(clippy::cast_precision_loss, reason = "offsets are below 2^53")]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if offset >= MOST || buffer.is_empty() {
            return Ok(0);
        }
        Ok(host_read(self.0, offset as f64, buffer).map_err(failed)? as usize)
    }
}

#[allow(clippy::cast_precision_loss, reason = "offsets are compared with 2^53")]
fn number(offset: u64) -> io::Result<f64> {
    if offset < MOST { Ok(offset as f64) } else { Err(io::ErrorKind::FileTooLarge.into()) }
}

impl File {
    /// Creates a file that can be written at any offset.
    pub(crate) fn create() -> File {
        File(host_create())
    }
}

impl WriteAt for File {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        host_write(self.0, number(offset)?, bytes).map_err(failed)
    }

    fn set_size(&mut self, size: u64) -> io::Result<()> {
        host_resize(self.0, number(size)?).map_err(failed)
    }

    /// The host syncs a file when it gets its name.
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A temporary file in the browser's own memory or disk, outside the memory of this module.
#[derive(Debug)]
pub(crate) struct Spool {
    file: u32,
    buffer: Vec<u8>,
}

/// The number of bytes passed to the browser at once.
const PIECE: usize = 1 << 20;

impl Spool {
    pub(crate) fn new() -> Spool {
        Spool { file: host_create(), buffer: Vec::with_capacity(PIECE) }
    }

    /// Returns its number, which is valid also while it is written.
    pub(crate) fn file(&self) -> u32 {
        self.file
    }

    /// Copies at most `most` bytes. Returns `false` at the end.
    pub(crate) fn copy(&mut self, from: &mut dyn Read, most: u64) -> io::Result<bool> {
        Ok(io::copy(&mut from.take(most), self)? == most)
    }

    /// Ends writing, and returns the file for reading.
    pub(crate) fn finish(mut self) -> io::Result<File> {
        self.flush()?;
        host_seal(self.file);
        Ok(File(self.file))
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            host_append(self.file, &self.buffer).map_err(failed)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

/// Ends a file whose writer was flushed and dropped.
pub(crate) fn seal(file: u32) {
    host_seal(file);
}
