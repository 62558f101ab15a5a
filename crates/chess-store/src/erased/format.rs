//! The description of a format.

use std::fmt;
use std::io;
use std::path::Path;

use super::{Database, Editor, Source, Writer};
use crate::error::{AnyError, Error, ErrorKind, Scope};
use crate::inputs::{Inputs, StreamInput};
use crate::io::WriteAt;
use crate::location::Location;
use crate::options::{CreateOptions, OpenOptions, OptionInfo};

/// Whether the target has a file system. In a browser it has none. Code that opens, creates or
/// changes files is then left out, which makes the module smaller.
const HAS_FILES: bool = cfg!(any(unix, windows));

#[derive(Debug, thiserror::Error)]
#[error("files cannot be opened by path on this platform")]
struct NoFiles;

impl ErrorKind for NoFiles {
    fn scope(&self) -> Scope {
        Scope::Base
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

/// The confidence of a [`Format::probe`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Confidence {
    /// The name fits, and no byte contradicts it.
    Name,
    /// The bytes look like this format.
    Likely,
    /// The bytes contain the signature of the format.
    Certain,
}

/// Tests whether a file has this format. The arguments are the first bytes of the file (up to 4
/// KiB) and its extension in lower case.
pub type Probe = fn(start: &[u8], extension: &str) -> Option<Confidence>;
/// Opens a base on disk. The path may name any of its files.
pub type OpenDatabase = fn(&Path, &OpenOptions) -> Result<Box<dyn Database>, AnyError>;
/// Opens a base whose files are already open. Any of them may have been named.
pub type OpenInputs = fn(&Inputs, &OpenOptions) -> Result<Box<dyn Database>, AnyError>;
/// Opens a stream of games.
pub type OpenSource = fn(StreamInput, &OpenOptions) -> Result<Box<dyn Source>, AnyError>;
/// Creates a base on disk. The path has the first of the format's [extensions](Format::extensions).
pub type CreateDatabase = fn(&Path, &CreateOptions) -> Result<Box<dyn Writer>, AnyError>;
/// Creates a base in files that the caller creates.
pub type CreateIn = fn(&mut dyn CreateFiles, &CreateOptions) -> Result<Box<dyn Writer>, AnyError>;
/// Starts writing a stream of games.
pub type CreateSink =
    fn(Box<dyn io::Write + Send>, &CreateOptions) -> Result<Box<dyn Writer>, AnyError>;
/// Opens a base for changes in place.
pub type OpenEditor = fn(&Path, &OpenOptions) -> Result<Box<dyn Editor>, AnyError>;

/// Creates the files of a new base where there are no paths: in memory, in a browser.
pub trait CreateFiles {
    /// Returns the name of the base, without an extension.
    fn name(&self) -> &str;

    /// Creates an empty file of the base.
    fn create(&mut self, extension: &'static str) -> Box<dyn WriteAt>;

    /// Creates an empty file that is no part of the base.
    fn create_temporary(&mut self) -> Box<dyn WriteAt>;
}

/// The way a format is read.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Opener {
    /// From files: any file of the base is named, and its companions are found beside it.
    Database(OpenDatabase),
    /// From a stream of bytes.
    Source(OpenSource),
}

/// The way a format is written.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Creator {
    /// To a set of files.
    Database(CreateDatabase),
    /// To a stream of bytes.
    Sink(CreateSink),
}

/// The description of a format, as plain data.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Format {
    /// Short name in lower case: `si4`.
    pub name: &'static str,
    /// Display name: `Scid 4`.
    pub title: &'static str,
    /// Extensions of its files in lower case, without the dot. The first one names a base.
    pub extensions: &'static [&'static str],
    /// Tests whether a file has this format.
    pub probe: Probe,
    /// How it is read, if it can be read.
    pub open: Option<Opener>,
    /// How it is read from files that are already open, if it is not a stream.
    pub open_inputs: Option<OpenInputs>,
    /// Its options for opening.
    pub open_options: &'static [OptionInfo],
    /// How it is written, if it can be written.
    pub create: Option<Creator>,
    /// How it is written to files that the caller creates, if it is not a stream.
    pub create_in: Option<CreateIn>,
    /// Its options for creating.
    pub create_options: &'static [OptionInfo],
    /// How it is changed in place, if it can be changed.
    pub edit: Option<OpenEditor>,
    /// The flags of its games, if it has flags.
    pub flags: Option<Flags>,
    /// The name of the file that stands for a base, if a base is all tables of a folder. Its case
    /// does not matter.
    pub folder_file: Option<&'static str>,
    /// Extensions of files beside a base whose data is neither read nor copied.
    pub unread: &'static [&'static str],
}

/// The flags of a format's games. Each flag is a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Flags {
    /// The tag whose value lists the letters of the flags that are set.
    pub tag: &'static str,
    /// The letters and their meanings, in the order in which they are written.
    pub letters: &'static [(char, &'static str)],
}

impl Flags {
    /// Describes flags whose letters the tag `tag` lists.
    #[must_use]
    pub const fn new(tag: &'static str, letters: &'static [(char, &'static str)]) -> Flags {
        Flags { tag, letters }
    }
}

impl Format {
    /// Creates a format that can only be recognised.
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
            create_in: None,
            create_options: &[],
            edit: None,
            flags: None,
            folder_file: None,
            unread: &[],
        }
    }

    /// Sets the extensions of files beside a base whose data is neither read nor copied.
    #[must_use]
    pub const fn passing_over(self, unread: &'static [&'static str]) -> Format {
        Format { unread, ..self }
    }

    /// Sets the name of the file that stands for a base which is a folder.
    #[must_use]
    pub const fn in_folder(self, folder_file: &'static str) -> Format {
        Format { folder_file: Some(folder_file), ..self }
    }

    /// Adds an opener.
    #[must_use]
    pub const fn opened_by(self, open: Opener, options: &'static [OptionInfo]) -> Format {
        let open = match open {
            Opener::Database(_) if !HAS_FILES => Opener::Database(open_nothing),
            open => open,
        };
        Format { open: Some(open), open_options: options, ..self }
    }

    /// Adds an opener for files that are already open.
    #[must_use]
    pub const fn opened_from(self, open: OpenInputs) -> Format {
        Format { open_inputs: Some(open), ..self }
    }

    /// Adds a way to create it.
    #[must_use]
    pub const fn created_by(self, create: Creator, options: &'static [OptionInfo]) -> Format {
        let create = match create {
            Creator::Database(_) if !HAS_FILES => Creator::Database(create_nothing),
            create => create,
        };
        Format { create: Some(create), create_options: options, ..self }
    }

    /// Adds a way to create it in files that the caller creates.
    #[must_use]
    pub const fn created_in(self, create: CreateIn) -> Format {
        Format { create_in: Some(create), ..self }
    }

    /// Adds the flags of its games.
    #[must_use]
    pub const fn flagged_by(self, flags: Flags) -> Format {
        Format { flags: Some(flags), ..self }
    }

    /// Adds a way to change it in place.
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
