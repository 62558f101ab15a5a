//! Bases whose files are already open: in memory, in an archive, or in a browser.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::BaseFiles;
use crate::io::{DecompressionLimit, FromStart, ReadAt};

/// A shared random-access source of bytes: a file, a buffer in memory, or any other [`ReadAt`].
///
/// Clones share the source. Any thread can read it at any offset.
///
/// ```
/// use chess_store::Input;
/// use chess_store::io::ReadAt;
///
/// let input = Input::from(vec![1, 2, 3]);
/// assert_eq!(input.size()?, 3);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct Input(Arc<dyn ReadAt + Send + Sync>);

impl From<Vec<u8>> for Input {
    fn from(bytes: Vec<u8>) -> Input {
        Input(Arc::new(bytes))
    }
}

impl From<File> for Input {
    fn from(file: File) -> Input {
        Input(Arc::new(file))
    }
}

impl<R: ReadAt + Send + Sync + 'static> From<Arc<R>> for Input {
    fn from(source: Arc<R>) -> Input {
        Input(source)
    }
}

impl From<Arc<dyn ReadAt + Send + Sync>> for Input {
    fn from(source: Arc<dyn ReadAt + Send + Sync>) -> Input {
        Input(source)
    }
}

impl ReadAt for Input {
    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, buffer)
    }

    fn read_into(&self, offset: u64, length: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        // The default method of the pointer would ask for the size.
        (*self.0).read_into(offset, length, buffer)
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Input")
    }
}

/// The input of a stream of games.
#[non_exhaustive]
pub struct StreamInput {
    /// The bytes of the stream, from the first.
    pub stream: Box<dyn Read + Send>,
    /// Random-access handle to the same bytes, if available.
    pub file: Option<Input>,
    /// The limit that counts the bytes of the stream, if they come out of a decoder. A format that
    /// decompresses them further counts against the same limit.
    pub limit: Option<DecompressionLimit>,
}

impl StreamInput {
    /// Wraps a stream that is not a file.
    pub fn new(stream: Box<dyn Read + Send>) -> StreamInput {
        StreamInput { stream, file: None, limit: None }
    }

    /// Wraps a file.
    pub fn of_file(file: impl Into<Input>) -> StreamInput {
        let file = file.into();
        // A pipe reports a size of zero and supports sequential reads only.
        let stream = Box::new(FromStart::new(file.clone()));
        let file = file.size().is_ok_and(|size| size > 0).then_some(file);
        StreamInput { stream, file, limit: None }
    }

    /// Sets the limit that counts the bytes of the stream, if they come out of a decoder.
    #[must_use]
    pub fn with_limit(self, limit: Option<DecompressionLimit>) -> StreamInput {
        StreamInput { limit, ..self }
    }
}

impl fmt::Debug for StreamInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamInput").field("file", &self.file.is_some()).finish()
    }
}

/// Finds the files of a base: [`BaseFiles`] on disk, or [`Inputs`] that are already open.
pub trait FindFiles {
    /// Opens the file with this extension, if it exists. The case of the name does not matter.
    ///
    /// # Errors
    /// I/O errors.
    fn optional(&self, extension: &str) -> io::Result<Option<Input>>;

    /// Opens a required file; see [`optional`](FindFiles::optional).
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`], with the name of the file, if it does not exist. Other I/O
    /// errors.
    fn needed(&self, extension: &str) -> io::Result<Input>;
}

impl FindFiles for BaseFiles {
    fn optional(&self, extension: &str) -> io::Result<Option<Input>> {
        self.find(extension).map(|_| self.needed(extension)).transpose()
    }

    fn needed(&self, extension: &str) -> io::Result<Input> {
        self.open(extension).map(Input::from)
    }
}

/// Open files with the names they would have on disk. One of the names selects the base.
///
/// ```
/// use chess_store::{FindFiles, Inputs};
///
/// let mut inputs = Inputs::new("disk/TWIC.SI4");
/// inputs.add("disk/twic.sg4", vec![1, 2, 3]);
/// assert!(inputs.optional("sg4")?.is_some());
/// assert!(inputs.optional("sn4")?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inputs {
    named: PathBuf,
    files: Vec<(PathBuf, Input)>,
}

impl Inputs {
    /// Creates an empty set of files. `named` is the name of any file of the base to open.
    pub fn new(named: impl Into<PathBuf>) -> Inputs {
        Inputs { named: named.into(), files: Vec::new() }
    }

    /// Adds a file. If two files have the same name, the first one is used.
    pub fn add(&mut self, name: impl Into<PathBuf>, input: impl Into<Input>) {
        self.files.push((name.into(), input.into()));
    }

    /// Returns the file name that selects the base.
    #[must_use]
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// Returns the file that selects the base.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if no file with this name was added.
    pub fn main(&self) -> io::Result<Input> {
        let found = self.files.iter().find(|(name, _)| *name == self.named);
        found.map(|(_, input)| input.clone()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Iterates over the files in the same folder as the file that selects the base.
    pub fn folder(&self) -> impl Iterator<Item = (&Path, &Input)> {
        let beside = self.files.iter().filter(|(name, _)| name.parent() == self.named.parent());
        beside.map(|(name, input)| (&**name, input))
    }
}

impl FindFiles for Inputs {
    fn optional(&self, extension: &str) -> io::Result<Option<Input>> {
        let lower = |text: Option<&OsStr>| text.map(OsStr::to_ascii_lowercase);
        let is_it = |name: &Path| {
            lower(name.extension()).is_some_and(|own| own == *extension.to_ascii_lowercase())
        };
        // The file that was named takes precedence over a file that differs only in case.
        let named = self.folder().find(|(name, _)| *name == self.named && is_it(name));
        let stem = lower(self.named.file_stem());
        let mut others =
            self.folder().filter(|(name, _)| lower(name.file_stem()) == stem && is_it(name));
        Ok(named.or_else(|| others.next()).map(|(_, input)| input.clone()))
    }

    fn needed(&self, extension: &str) -> io::Result<Input> {
        self.optional(extension)?.ok_or_else(|| {
            let name = Path::new(self.named.file_name().unwrap_or_default());
            let text = format!("missing; it belongs beside {}", name.display());
            io::Error::new(io::ErrorKind::NotFound, text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_file_name_in_other_case_is_found_in_same_folder() {
        let mut inputs = Inputs::new("a/BASE.cbh");
        for (name, byte) in
            [("a/base.CBG", 1), ("b/base.cba", 2), ("a/other.cbp", 3), ("a/BASE.cbh", 4)]
        {
            inputs.add(name, vec![byte]);
        }
        inputs.add("a/base.cbh", vec![5]);
        let source: Arc<dyn ReadAt + Send + Sync> = Arc::new(vec![6]);
        inputs.add("b/base.cbg", source);
        let first = |extension| {
            let mut byte = [0];
            let file = inputs.optional(extension).unwrap()?;
            file.read_full(0, &mut byte).unwrap();
            Some(byte[0])
        };
        assert_eq!(first("cbg"), Some(1));
        assert_eq!(first("CBH"), Some(4));
        assert_eq!((first("cba"), first("cbp")), (None, None));
        assert_eq!(inputs.folder().count(), 4);
        assert!(inputs.main().is_ok());
        let error = inputs.needed("cbs").err().unwrap();
        assert_eq!(error.to_string(), "missing; it belongs beside BASE.cbh");
    }
}
