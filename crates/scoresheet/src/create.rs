//! Creating a base of any format, and opening one for change.

use std::io::{BufWriter, Write};
use std::path::Path;

use chess_core::files::Staged;
use chess_core::seam::{CreateOptions, Creator, Editor, Format, Loss, OpenOptions, Writer};
use chess_core::{AnyError, Error as CoreError, ErrorKind, Game, Location, Scope};

use crate::detect::{detect, extension_of};
use crate::error::Error;
use crate::formats::{formats, has_extension};

/// Creates a base of the format its extension names. It appears when the writer is finished,
/// whole, in the place of what stood there.
///
/// # Errors
/// [`Error::Unknown`] for an extension of no format; those of the format and of the disk.
pub fn create(path: impl AsRef<Path>, options: &CreateOptions) -> Result<Box<dyn Writer>, Error> {
    let path = path.as_ref();
    create_as(path, format_for_output(path)?, options)
}

/// The format to write to a path, by its extension: the first that has it and can be written.
///
/// # Errors
/// [`Error::Unknown`]; [`Error::Unsupported`] if the extension is known but not written.
pub fn format_for_output(path: impl AsRef<Path>) -> Result<&'static Format, Error> {
    let path = path.as_ref();
    let extension = extension_of(path);
    let of_extension = || formats().filter(|format| has_extension(format, &extension));
    of_extension()
        .find(|format| format.create.is_some())
        .or_else(|| of_extension().next())
        .ok_or_else(|| Error::Unknown { path: path.into() })
}

/// Creates a base of a known format.
///
/// # Errors
/// [`Error`]
pub fn create_as(
    path: impl AsRef<Path>,
    format: &'static Format,
    options: &CreateOptions,
) -> Result<Box<dyn Writer>, Error> {
    let path = path.as_ref();
    let failed = |error| Error::base(path, error);
    match format.create {
        Some(Creator::Database(create)) => create(path, options).map_err(failed),
        Some(Creator::Sink(create)) => {
            let mut staged = Staged::new();
            let file = staged.create(path).map_err(|error| Error::io(path, error))?;
            let inner = create(Box::new(BufWriter::with_capacity(1 << 16, file)), options);
            Ok(Box::new(StagedWriter { inner: inner.map_err(failed)?, staged }))
        }
        None => Err(unsupported(path, format, "written")),
    }
}

/// Writes games to a stream, as standard output.
///
/// # Errors
/// [`Error::Unsupported`] for a format of several files; those of the format.
pub fn create_stream(
    output: Box<dyn Write + Send>,
    name: impl AsRef<Path>,
    format: &'static Format,
    options: &CreateOptions,
) -> Result<Box<dyn Writer>, Error> {
    let path = name.as_ref();
    match format.create {
        Some(Creator::Sink(create)) => {
            create(output, options).map_err(|error| Error::base(path, error))
        }
        Some(Creator::Database(_)) => Err(unsupported(path, format, "written to a stream")),
        None => Err(unsupported(path, format, "written")),
    }
}

/// Opens a base for change in place.
///
/// # Errors
/// [`Error::Unsupported`] if its format has no editor; those of opening it.
pub fn edit(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Box<dyn Editor>, Error> {
    let path = path.as_ref();
    let format = detect(path)?;
    match format.edit {
        Some(open) => open(path, options).map_err(|error| Error::base(path, error)),
        None => Err(unsupported(path, format, "changed in place")),
    }
}

fn unsupported(path: &Path, format: &Format, what: &'static str) -> Error {
    Error::Unsupported { path: path.into(), format: format.title, what }
}

/// A stream into a file that gets its name when it is complete.
struct StagedWriter {
    inner: Box<dyn Writer>,
    staged: Staged,
}

impl Writer for StagedWriter {
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        self.inner.write(game, losses)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        self.inner.finish()?;
        let named = self.staged.commit();
        named.map_err(|error| CoreError::new(Naming(error), Location::default()).into())
    }
}

/// The file is written but cannot get its name.
#[derive(Debug, thiserror::Error)]
#[error("cannot complete the file: {0}")]
struct Naming(std::io::Error);

impl ErrorKind for Naming {
    fn scope(&self) -> Scope {
        Scope::Base
    }
}
