//! A temporary file whose errors say where it is.

use std::fs::File;
use std::io::{self, Write};

use super::{ReadAt, WriteAt};

/// A temporary file without a name, which disappears when it is closed.
///
/// Its errors name the folder of temporary files: the disk of that folder is full, and not the disk
/// of the base that is read or written.
#[derive(Debug)]
pub struct TemporaryFile(File);

impl TemporaryFile {
    /// Creates an empty file in [`std::env::temp_dir`].
    ///
    /// # Errors
    /// I/O errors, for example if the folder does not exist.
    pub fn new() -> io::Result<TemporaryFile> {
        tempfile::tempfile().map(TemporaryFile).map_err(in_folder)
    }

    /// Returns whether `error` is about a temporary file, so that nothing is wrong with the base.
    #[must_use]
    pub fn is_cause_of(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<OfTemporaryFile>())
    }

    /// Returns an error that says the same as `error`.
    pub(super) fn repeat(error: &io::Error) -> io::Error {
        match TemporaryFile::is_cause_of(error) {
            true => io::Error::new(error.kind(), OfTemporaryFile(error.to_string())),
            false => io::Error::new(error.kind(), error.to_string()),
        }
    }
}

/// The message of an error, which names the folder.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct OfTemporaryFile(String);

/// Adds the folder to the message of an error.
fn in_folder(error: io::Error) -> io::Error {
    let folder = std::env::temp_dir();
    let message = format!("temporary file in {}: {error}", folder.display());
    io::Error::new(error.kind(), OfTemporaryFile(message))
}

impl ReadAt for TemporaryFile {
    fn size(&self) -> io::Result<u64> {
        self.0.size().map_err(in_folder)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        // The caller repeats a read that was interrupted, so its error needs no message.
        self.0.read_at(offset, buffer).map_err(in_folder)
    }
}

impl WriteAt for TemporaryFile {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_at(offset, bytes).map_err(in_folder)
    }

    fn set_size(&mut self, size: u64) -> io::Result<()> {
        self.0.set_size(size).map_err(in_folder)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync().map_err(in_folder)
    }
}

/// Appends to the bytes that were written before.
impl Write for TemporaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(in_folder)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(in_folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_file_written_and_read_holds_bytes() {
        let mut file = TemporaryFile::new().unwrap();
        file.write_all(b"abc").unwrap();
        file.write_at(3, b"def").unwrap();
        file.set_size(5).unwrap();
        let mut bytes = Vec::new();
        file.read_into(1, 10, &mut bytes).unwrap();
        assert_eq!((bytes.as_slice(), file.size().unwrap()), (&b"bcde"[..], 5));
    }

    #[test]
    fn error_of_temporary_file_names_folder_and_keeps_kind() {
        let error = in_folder(io::Error::from_raw_os_error(28));
        let folder = std::env::temp_dir();
        let expected = format!("temporary file in {}: ", folder.display());
        assert!(crate::system_message(&error).starts_with(&expected), "{error}");
        assert_eq!(error.kind(), io::Error::from_raw_os_error(28).kind());
        let again = TemporaryFile::repeat(&error);
        assert_eq!((again.kind(), again.to_string()), (error.kind(), error.to_string()));
        assert!(TemporaryFile::is_cause_of(&error) && TemporaryFile::is_cause_of(&again));
        let other = TemporaryFile::repeat(&io::Error::other("torn"));
        assert!(!TemporaryFile::is_cause_of(&other) && other.to_string() == "torn");
    }
}
