//! Creating a base of any format, and opening one for change.

use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use chess_core::files::Staged;
use chess_core::seam::{CreateOptions, Creator, Editor, Format, Loss, OpenOptions, Writer};
use chess_core::{AnyError, Game};

use crate::detect::{detect, extension_of};
use crate::error::{Error, sink_error};
use crate::formats::{concatenates, formats, has_extension};
use crate::render::Renderer;

/// A base being written. It appears when it is [finished](Output::finish), whole, in the place of
/// what stood there; dropped without, it leaves nothing behind.
pub struct Output {
    path: PathBuf,
    format: &'static Format,
    target: Target,
    /// The file of a stream under its temporary name.
    staged: Option<Staged>,
}

enum Target {
    Writer(Box<dyn Writer>),
    /// Games as text, one after the other, which threads can render.
    Text(Box<dyn Write + Send>, Renderer),
}

/// Creates a base of the format its extension names.
///
/// # Errors
/// [`Error::Unknown`] for an extension of no format; those of the format and of the disk.
pub fn create(path: impl AsRef<Path>, options: &CreateOptions) -> Result<Output, Error> {
    let path = path.as_ref();
    create_as(path, format_for_output(path)?, options)
}

/// The format to write to a path, by its extension: the first that has it and can be written.
///
/// # Errors
/// [`Error::Unknown`]
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
) -> Result<Output, Error> {
    let path = path.as_ref();
    let (target, staged) = match format.create {
        Some(Creator::Database(create)) => {
            let writer = create(path, options).map_err(|error| Error::base(path, error))?;
            (Target::Writer(writer), None)
        }
        Some(Creator::Sink(_)) => {
            let mut staged = Staged::new();
            let file = staged.create(path).map_err(|error| Error::io(path, error))?;
            (sink(buffered(file), path, format, options)?, Some(staged))
        }
        None => return Err(unsupported(path, format, "written")),
    };
    Ok(Output { path: path.into(), format, target, staged })
}

/// Writes games to a stream, as standard output; `name` stands for its path in messages.
///
/// # Errors
/// [`Error::Unsupported`] for a format of several files; those of the format.
pub fn create_stream(
    output: Box<dyn Write + Send>,
    name: impl AsRef<Path>,
    format: &'static Format,
    options: &CreateOptions,
) -> Result<Output, Error> {
    let path = name.as_ref();
    let target = sink(output, path, format, options)?;
    Ok(Output { path: path.into(), format, target, staged: None })
}

fn sink(
    output: Box<dyn Write + Send>,
    path: &Path,
    format: &'static Format,
    options: &CreateOptions,
) -> Result<Target, Error> {
    match format.create {
        Some(Creator::Sink(create)) if concatenates(format) => {
            Ok(Target::Text(output, Renderer::new(create, options)))
        }
        Some(Creator::Sink(create)) => {
            let writer = create(output, options).map_err(|error| Error::base(path, error))?;
            Ok(Target::Writer(writer))
        }
        Some(Creator::Database(_)) => Err(unsupported(path, format, "written to a stream")),
        None => Err(unsupported(path, format, "written")),
    }
}

fn buffered(file: File) -> Box<dyn Write + Send> {
    Box::new(BufWriter::with_capacity(1 << 16, file))
}

impl Output {
    /// The file it will be.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its format.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// Writes a game, and adds to `losses` whatever of it the format cannot hold.
    ///
    /// # Errors
    /// With [`Scope::Game`](chess_core::Scope::Game) if this game cannot be stored at all: the
    /// base goes on without it. Else the output is of no more use.
    pub fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        match &mut self.target {
            Target::Writer(writer) => writer.write(game, losses),
            Target::Text(_, renderer) => {
                let mut page = renderer.page(Vec::new())?;
                page.write(game, losses)?;
                let text = page.finish()?;
                self.append(&text)
            }
        }
    }

    /// Completes the base.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn finish(self) -> Result<(), Error> {
        let Output { path, target, staged, .. } = self;
        match target {
            Target::Writer(writer) => writer.finish().map_err(|error| Error::base(&path, error))?,
            Target::Text(mut sink, _) => sink.flush().map_err(|error| Error::io(&path, error))?,
        }
        staged.map_or(Ok(()), Staged::commit).map_err(|error| Error::io(&path, error))
    }

    /// What renders games for [`append`](Output::append), if the format allows.
    pub(crate) fn renderer(&self) -> Option<Renderer> {
        match &self.target {
            Target::Writer(_) => None,
            Target::Text(_, renderer) => Some(renderer.clone()),
        }
    }

    /// Appends rendered games.
    pub(crate) fn append(&mut self, text: &[u8]) -> Result<(), AnyError> {
        match &mut self.target {
            Target::Writer(_) => Ok(()),
            Target::Text(sink, _) => sink.write_all(text).map_err(sink_error),
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("path", &self.path).field("format", &self.format).finish()
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
