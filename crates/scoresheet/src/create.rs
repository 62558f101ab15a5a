//! Creates bases of any format, and opens bases for editing.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use chess_core::Game;
use chess_store::erased::{Creator, Editor, Encoded, Encoder, Format, Origin, Writer};
use chess_store::files::{Staged, companion, is_taken};
use chess_store::{About, AnyError, CreateOptions, GuidingText, Losses, OpenOptions, Warning};
use compress::Packer;

use crate::detect::{detect, extension_of, is_zipped, outer_extension};
use crate::error::Error;
use crate::foreign::unwritable;
use crate::formats::{formats, has_extension};

/// A base being written. [`finish`](Output::finish) puts it in place atomically, replacing what was
/// there. Dropping the output without `finish` leaves nothing behind.
pub struct Output {
    path: PathBuf,
    format: &'static Format,
    writer: Box<dyn Writer>,
    /// The encoder of [`write`](Output::write).
    own: Option<(Box<dyn Encoder + Send>, Encoded)>,
    /// The compressor of the stream.
    packer: Option<Packer>,
    /// The staged file of a stream.
    staged: Option<Staged>,
    /// How many warnings [`new_warnings`](Output::new_warnings) returned.
    warned: usize,
}

/// Creates a base in the format that the extension of `path` names.
///
/// # Errors
/// [`Error::NoFormat`] if no format has the extension, errors of the format, and I/O errors.
pub fn create(path: impl AsRef<Path>, options: &CreateOptions) -> Result<Output, Error> {
    let path = path.as_ref();
    create_as(path, format_for_output(path)?, options)
}

/// Returns the first writable format that has the extension of `path`.
///
/// # Errors
/// [`Error::NoFormat`]
pub fn format_for_output(path: impl AsRef<Path>) -> Result<&'static Format, Error> {
    let path = path.as_ref();
    let extension = extension_of(path);
    let of_extension = || formats().filter(|format| has_extension(format, &extension));
    of_extension()
        .find(|format| format.create.is_some())
        .or_else(|| of_extension().next())
        .ok_or_else(|| Error::NoFormat { path: path.into(), what: unwritable(path) })
}

/// Returns the existing file that writing a base of this format would replace: the file itself or
/// one of its companions. A dangling link counts, and so does a base that is being replaced. A path
/// that [`is_stream`] does not count, because nothing is replaced.
#[must_use]
pub fn existing_output(format: &Format, path: impl AsRef<Path>) -> Option<PathBuf> {
    let path = path.as_ref();
    if is_stream(path) {
        return None;
    }
    let extensions = match format.create {
        Some(Creator::Database(_)) => format.extensions,
        _ => &[],
    };
    let companions = extensions.iter().filter_map(|extension| companion(path, extension));
    std::iter::once(path.to_path_buf()).chain(companions).find(|path| is_taken(path))
}

/// Returns whether two paths name the same file, or files of one base of this format. Writing one
/// of them would then destroy the other.
#[must_use]
pub fn is_same_base(format: &Format, one: impl AsRef<Path>, other: impl AsRef<Path>) -> bool {
    let (one, other) = (real(one.as_ref()), real(other.as_ref()));
    let extensions = match format.create {
        Some(Creator::Database(_)) => format.extensions,
        _ => &[],
    };
    let is_part = |path: &Path| {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        extensions.iter().any(|known| extension == **known)
    };
    // As companions are found.
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let beside = one.parent() == other.parent() && stem(&one) == stem(&other);
    one == other || beside && is_part(&one) && is_part(&other)
}

/// Resolves links in a path. The file itself need not exist.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = || std::fs::canonicalize(folder.unwrap_or(Path::new("."))).ok();
    let in_folder = || Some(folder()?.join(path.file_name()?));
    std::fs::canonicalize(path).ok().or_else(in_folder).unwrap_or_else(|| path.to_path_buf())
}

/// Creates a base of a known format. A stream is compressed if its file name ends in `.gz`, `.bz2`
/// or `.zst`. A path that [`is_stream`] is written to directly.
///
/// # Errors
/// [`Error`]
pub fn create_as(
    path: impl AsRef<Path>,
    format: &'static Format,
    options: &CreateOptions,
) -> Result<Output, Error> {
    let path = path.as_ref();
    let failed = |error| Error::base(path, error);
    let mut packer = None;
    let (writer, staged) = match format.create {
        Some(Creator::Database(_)) if is_stream(path) => {
            return Err(unsupported(path, format, "written to a stream"));
        }
        Some(Creator::Database(create)) => (create(path, options).map_err(failed)?, None),
        Some(Creator::Sink(create)) => {
            let mut staged = (!is_stream(path)).then(Staged::new);
            let file = match &mut staged {
                Some(staged) => staged.create(path),
                #[expect(clippy::disallowed_methods, reason = "a stream is written to directly")]
                None => File::options().write(true).open(path),
            };
            let file = file.map_err(|error| Error::io(path, error))?;
            let sink = match Packer::of_extension(&outer_extension(path), buffered(file)) {
                Ok(new) => Box::new(packer.insert(new).clone()),
                Err(plain) => plain,
            };
            (create(sink, options).map_err(failed)?, staged)
        }
        _ => return Err(unsupported(path, format, "written")),
    };
    Ok(Output { path: path.into(), format, writer, own: None, packer, staged, warned: 0 })
}

/// Writes games to a stream, such as standard output. Messages show `name` as its path.
///
/// # Errors
/// [`Error::Unsupported`] for a format of several files, and errors of the format.
pub fn create_stream(
    output: Box<dyn Write + Send>,
    name: impl AsRef<Path>,
    format: &'static Format,
    options: &CreateOptions,
) -> Result<Output, Error> {
    let path = name.as_ref();
    let writer = match format.create {
        Some(Creator::Sink(create)) => {
            create(output, options).map_err(|error| Error::base(path, error))?
        }
        Some(_) => return Err(unsupported(path, format, "written to a stream")),
        None => return Err(unsupported(path, format, "written")),
    };
    Ok(Output::from_writer(writer, path, format))
}

/// Returns whether writing to this path reaches a stream that cannot be replaced by a new file: a
/// named pipe, a terminal or a device such as `/dev/null`.
#[must_use]
pub fn is_stream(path: impl AsRef<Path>) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Returns whether [`create_as`] packs a file as it is packed now, judged by its name.
pub(crate) fn can_be_packed(path: &Path) -> bool {
    !matches!(&*outer_extension(path), "xz" | "lz4" | "lzma" | "7z" | "z" | "br")
        && !is_in_zip(path)
}

fn is_in_zip(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| is_zipped(path, &file.into()).unwrap_or(false))
}

fn buffered(file: File) -> Box<dyn Write + Send> {
    Box::new(BufWriter::with_capacity(1 << 16, file))
}

impl Output {
    /// Wraps a writer of the caller, of one of the [`formats`](crate::formats). Messages show
    /// `name` as its path.
    pub fn from_writer(
        writer: Box<dyn Writer>,
        name: impl Into<PathBuf>,
        format: &'static Format,
    ) -> Output {
        let path = name.into();
        Output { path, format, writer, own: None, packer: None, staged: None, warned: 0 }
    }

    /// The path of the finished file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its format.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// Writes a game. Adds to `losses` the parts that the format cannot hold.
    ///
    /// # Errors
    /// An error with [`Scope::Game`](chess_store::Scope::Game) means that this game cannot be
    /// stored; writing may continue. After any other error the output is unusable.
    pub fn write(&mut self, game: &Game, losses: &mut Losses) -> Result<(), AnyError> {
        let new = || (self.writer.encoder(), Encoded::default());
        let (encoder, encoded) = self.own.get_or_insert_with(new);
        encoder.encode(game, encoded)?;
        self.writer.append(encoded)?;
        losses.append(&mut encoded.losses);
        Ok(())
    }

    /// Creates an encoder for one thread; its games go to [`append`](Output::append).
    pub(crate) fn encoder(&self) -> Box<dyn Encoder + Send> {
        self.writer.encoder()
    }

    /// Appends an encoded game.
    pub(crate) fn append(
        &mut self,
        encoded: &mut Encoded,
        origin: &Origin<'_>,
    ) -> Result<(), AnyError> {
        self.writer.set_origin(origin);
        self.writer.append(encoded)
    }

    /// Returns whether the format has guiding texts.
    #[must_use]
    pub fn has_texts(&self) -> bool {
        self.writer.has_texts()
    }

    /// Appends a guiding text after the games so far. Adds to `losses` the parts that the format
    /// cannot hold.
    ///
    /// # Errors
    /// An error with [`Scope::Game`](chess_store::Scope::Game) means that this text cannot be
    /// stored; writing may continue. After any other error the output is unusable.
    pub fn append_text(&mut self, text: &GuidingText, losses: &mut Losses) -> Result<(), AnyError> {
        self.writer.append_text(text, losses)
    }

    /// Sets the facts about the base, replacing earlier ones. Adds to `losses` the facts that the
    /// format cannot hold.
    pub fn set_about(&mut self, about: &About, losses: &mut Losses) {
        self.writer.set_about(about, losses);
    }

    /// Properties of the base that its own program may reject; see
    /// [`Writer::warnings`](chess_store::erased::Writer::warnings).
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.writer.warnings()
    }

    /// Returns the warnings since the last call.
    pub(crate) fn new_warnings(&mut self) -> Vec<Warning> {
        let warnings = self.writer.warnings();
        let new = warnings.get(self.warned..).unwrap_or_default().to_vec();
        self.warned = warnings.len();
        new
    }

    /// Completes the base.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(self) -> Result<(), Error> {
        let Output { path, writer, packer, staged, .. } = self;
        writer.finish().map_err(|error| Error::base(&path, error))?;
        packer.map_or(Ok(()), Packer::finish).map_err(|error| Error::io(&path, error))?;
        staged.map_or(Ok(()), Staged::commit).map_err(|error| Error::io(&path, error))
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("path", &self.path).field("format", &self.format).finish()
    }
}

/// Opens a base for editing in place.
///
/// # Errors
/// [`Error::Unsupported`] if its format has no editor, and errors of opening it.
pub fn edit(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Box<dyn Editor>, Error> {
    let path = path.as_ref();
    if is_stream(path) {
        // Opening a pipe would wait for a writer.
        let message = "a pipe or a device cannot be changed in place";
        return Err(Error::io(path, io::Error::new(io::ErrorKind::InvalidInput, message)));
    }
    let format = detect(path)?;
    if is_in_zip(path) {
        let what = "changed in place in a zip archive; unpack it first";
        return Err(unsupported(path, format, what));
    }
    match format.edit {
        Some(open) => open(path, options).map_err(|error| Error::base(path, error)),
        None => Err(unsupported(path, format, "changed in place")),
    }
}

fn unsupported(path: &Path, format: &Format, what: &'static str) -> Error {
    Error::Unsupported { path: path.into(), format: format.title, what }
}
