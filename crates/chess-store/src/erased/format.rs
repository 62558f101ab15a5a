//! A format, as data.

use std::fmt;
use std::io;
use std::path::Path;

use super::{Database, Editor, Source, Writer};
use crate::error::{AnyError, Error, ErrorKind, Scope};
use crate::inputs::{Inputs, StreamInput};
use crate::location::Location;
use crate::options::{CreateOptions, OpenOptions, OptionInfo};

/// Whether there are files by their paths. Where there are none, as in a browser, what would open,
/// create or change a base of files is left out, and a module is the smaller for it.
const HAS_FILES: bool = cfg!(any(unix, windows));

#[derive(Debug, thiserror::Error)]
#[error("there are no files by their paths here")]
struct NoFiles;

impl ErrorKind for NoFiles {
    fn scope(&self) -> Scope {
        Scope::Base
    }

    fn io(&self) -> Option<&io::Error> {
        None
    }
}

fn no_files() -> AnyError {
    Error::new(NoFiles, Location::default()).into()
}

fn open_nothing(_: &Path, _: &OpenOptions) -> Result<Box<dyn Database>, AnyError> {
    Err(no_files())
}

fn create_nothing(_: &Path, _: &CreateOptions) -> Result<Box<dyn Writer>, AnyError> {
    Err(no_files())
}

fn edit_nothing(_: &Path, _: &OpenOptions) -> Result<Box<dyn Editor>, AnyError> {
    Err(no_files())
}

/// How sure a [`Format::probe`] is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// The name fits and nothing in the bytes speaks against it.
    Name,
    /// The bytes look like it.
    Likely,
    /// The bytes carry its mark.
    Certain,
}

/// Given the beginning of a file (up to 4 KiB) and its extension in lower case: is it ours?
pub type Probe = fn(start: &[u8], extension: &str) -> Option<Confidence>;
/// Opens a base of files, of which any may be named.
pub type OpenDatabase = fn(&Path, &OpenOptions) -> Result<Box<dyn Database>, AnyError>;
/// Opens a base whose files are open already; any of them may have been named.
pub type OpenInputs = fn(&Inputs, &OpenOptions) -> Result<Box<dyn Database>, AnyError>;
/// Opens a stream of games.
pub type OpenSource = fn(StreamInput, &OpenOptions) -> Result<Box<dyn Source>, AnyError>;
/// Creates a base of files; the path is that of its first [extension](Format::extensions).
pub type CreateDatabase = fn(&Path, &CreateOptions) -> Result<Box<dyn Writer>, AnyError>;
/// Starts a stream of games.
pub type CreateSink =
    fn(Box<dyn io::Write + Send>, &CreateOptions) -> Result<Box<dyn Writer>, AnyError>;
/// Opens a base for change.
pub type OpenEditor = fn(&Path, &OpenOptions) -> Result<Box<dyn Editor>, AnyError>;

/// How a format is read.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Opener {
    /// Any of the base's files named; its companions are found beside it.
    Database(OpenDatabase),
    /// A stream of bytes.
    Source(OpenSource),
}

/// How a format is written.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Creator {
    /// A set of files.
    Database(CreateDatabase),
    /// A stream of bytes.
    Sink(CreateSink),
}

/// A format, as data.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Format {
    /// Short name in lower case: `si4`.
    pub name: &'static str,
    /// Name for people: `Scid 4`.
    pub title: &'static str,
    /// Extensions of its files in lower case, without dot; the first is the one to name a base by.
    pub extensions: &'static [&'static str],
    /// Whether a file is one of its.
    pub probe: Probe,
    /// Reading, if there is any.
    pub open: Option<Opener>,
    /// Reading from files that are open already, if it is no stream.
    pub open_inputs: Option<OpenInputs>,
    /// Its own options for opening.
    pub open_options: &'static [OptionInfo],
    /// Writing, if there is any.
    pub create: Option<Creator>,
    /// Its own options for creating.
    pub create_options: &'static [OptionInfo],
    /// Changing in place, if there is any.
    pub edit: Option<OpenEditor>,
    /// The flags that its games may carry, if there are any.
    pub flags: Option<Flags>,
}

/// The flags of a format's games, each a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags {
    /// The tag whose value is the letters of those that are set.
    pub tag: &'static str,
    /// Letters and what they mean, in the order in which they are written.
    pub letters: &'static [(char, &'static str)],
}

impl Format {
    /// A format that can be recognised, and nothing else yet.
    #[must_use]
    pub const fn new(
        name: &'static str,
        title: &'static str,
        extensions: &'static [&'static str],
        probe: Probe,
    ) -> Format {
        Format {
            name,
            title,
            extensions,
            probe,
            open: None,
            open_inputs: None,
            open_options: &[],
            create: None,
            create_options: &[],
            edit: None,
            flags: None,
        }
    }

    /// It can be read so.
    #[must_use]
    pub const fn opened_by(self, open: Opener, options: &'static [OptionInfo]) -> Format {
        let open = match open {
            Opener::Database(_) if !HAS_FILES => Opener::Database(open_nothing),
            open => open,
        };
        Format { open: Some(open), open_options: options, ..self }
    }

    /// And so from files that are open already.
    #[must_use]
    pub const fn opened_from(self, open: OpenInputs) -> Format {
        Format { open_inputs: Some(open), ..self }
    }

    /// It can be written so.
    #[must_use]
    pub const fn created_by(self, create: Creator, options: &'static [OptionInfo]) -> Format {
        let create = match create {
            Creator::Database(_) if !HAS_FILES => Creator::Database(create_nothing),
            create => create,
        };
        Format { create: Some(create), create_options: options, ..self }
    }

    /// Its games carry flags.
    #[must_use]
    pub const fn flagged_by(self, flags: Flags) -> Format {
        Format { flags: Some(flags), ..self }
    }

    /// It can be changed in place.
    #[must_use]
    pub const fn edited_by(self, edit: OpenEditor) -> Format {
        let edit = if HAS_FILES { edit } else { edit_nothing };
        Format { edit: Some(edit), ..self }
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.name).finish()
    }
}
