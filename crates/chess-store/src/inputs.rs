//! Bases whose files are open already, wherever they are: in memory, in an archive, in a browser.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::BaseFiles;
use crate::io::{FromStart, ReadAt};

/// Bytes that any thread can read at any offset, wherever they are.
pub type Input = Arc<dyn ReadAt + Send + Sync>;

/// What a stream of games is read from.
pub struct StreamInput {
    /// All its bytes, from the first.
    pub stream: Box<dyn Read + Send>,
    /// The file that holds just these bytes, if any thread can read it anywhere.
    pub file: Option<Input>,
}

impl StreamInput {
    /// Of a stream that is no file.
    pub fn new(stream: Box<dyn Read + Send>) -> StreamInput {
        StreamInput { stream, file: None }
    }

    /// Of a file. What looks empty may be a pipe, which nobody can read but from its start.
    pub fn of_file(file: Input) -> StreamInput {
        let stream = Box::new(FromStart::new(file.clone()));
        let file = file.size().is_ok_and(|size| size > 0).then_some(file);
        StreamInput { stream, file }
    }
}

impl fmt::Debug for StreamInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamInput").field("file", &self.file.is_some()).finish()
    }
}

/// Where a format finds the files of a base: [`BaseFiles`] on disk, or [`Inputs`].
pub trait FindFiles {
    /// An open file.
    type File;

    /// The file of this extension, whatever the case of its name, if there is one.
    ///
    /// # Errors
    /// Those of opening it.
    fn optional(&self, extension: &str) -> io::Result<Option<Self::File>>;

    /// As [`optional`](FindFiles::optional), of a file that the base cannot be without.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`], naming the file, if there is none; those of opening it.
    fn needed(&self, extension: &str) -> io::Result<Self::File>;
}

impl FindFiles for BaseFiles {
    type File = File;

    fn optional(&self, extension: &str) -> io::Result<Option<File>> {
        self.find(extension).map(|_| self.open(extension)).transpose()
    }

    fn needed(&self, extension: &str) -> io::Result<File> {
        self.open(extension)
    }
}

/// Files that are open already, under the names they would have on disk; one of them names the base.
///
/// ```
/// use std::sync::Arc;
/// use chess_store::{FindFiles, Inputs};
///
/// let mut inputs = Inputs::new("disk/TWIC.SI4");
/// inputs.add("disk/twic.sg4", Arc::new(vec![1, 2, 3]));
/// assert!(inputs.optional("sg4")?.is_some());
/// assert!(inputs.optional("sn4")?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct Inputs {
    named: PathBuf,
    files: Vec<(PathBuf, Input)>,
}

impl Inputs {
    /// For the base that the file of this name belongs to.
    pub fn new(named: impl Into<PathBuf>) -> Inputs {
        Inputs { named: named.into(), files: Vec::new() }
    }

    /// Adds a file. Of two with one name the first counts.
    pub fn add(&mut self, name: impl Into<PathBuf>, input: Input) {
        self.files.push((name.into(), input));
    }

    /// The name of the base: one of its files.
    #[must_use]
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// The file that names the base.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if it was not added.
    pub fn main(&self) -> io::Result<Input> {
        let found = self.files.iter().find(|(name, _)| *name == self.named);
        found.map(|(_, input)| input.clone()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// All files in the folder of the one that names the base.
    pub fn folder(&self) -> impl Iterator<Item = (&Path, &Input)> {
        let beside = self.files.iter().filter(|(name, _)| name.parent() == self.named.parent());
        beside.map(|(name, input)| (&**name, input))
    }
}

impl FindFiles for Inputs {
    type File = Input;

    fn optional(&self, extension: &str) -> io::Result<Option<Input>> {
        let lower = |text: Option<&OsStr>| text.map(OsStr::to_ascii_lowercase);
        let is_it = |name: &Path| {
            lower(name.extension()).is_some_and(|own| own == *extension.to_ascii_lowercase())
        };
        // The one that was named, should there be another in other letters.
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

impl std::fmt::Debug for Inputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.files.iter().map(|(name, _)| name).collect();
        f.debug_struct("Inputs").field("named", &self.named).field("files", &names).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_beside_the_one_that_is_named() {
        let mut inputs = Inputs::new("a/BASE.cbh");
        for (name, byte) in
            [("a/base.CBG", 1), ("b/base.cba", 2), ("a/other.cbp", 3), ("a/BASE.cbh", 4)]
        {
            inputs.add(name, Arc::new(vec![byte]));
        }
        inputs.add("a/base.cbh", Arc::new(vec![5]));
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
