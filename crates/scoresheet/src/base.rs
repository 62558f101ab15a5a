//! Opening a base of any format, and reading its games in order.

use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use chess_core::seam::{Database, Format, OpenOptions, Opener, Source};
use chess_core::{AnyError, Diagnostics, Game, Scope};

use crate::compress::unpack;
use crate::detect::{detect, detect_bytes, extension_of, read_start};
use crate::error::Error;

/// An open base: games by number, or one after the other, as its format allows.
pub struct Base {
    path: PathBuf,
    format: &'static Format,
    games: Kind<Box<dyn Database>, Box<dyn Source>>,
    /// Bytes of the file, where games come one after the other.
    size: Option<u64>,
}

/// The two ways games can be had.
pub(crate) enum Kind<D, S> {
    Database(D),
    Source(S),
}

/// Opens a base of any format; any of its files may be named.
///
/// # Errors
/// [`Error`]
pub fn open(path: impl AsRef<Path>) -> Result<Base, Error> {
    open_with(path, &OpenOptions::default())
}

/// Opens a base with options.
///
/// # Errors
/// [`Error`]
pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Base, Error> {
    let path = path.as_ref();
    open_as(path, detect(path)?, options)
}

/// Opens a base of a known format.
///
/// # Errors
/// [`Error`]
pub fn open_as(
    path: impl AsRef<Path>,
    format: &'static Format,
    options: &OpenOptions,
) -> Result<Base, Error> {
    let path = path.as_ref();
    let failed = |error| Error::base(path, error);
    let (games, size) = match format.open {
        Some(Opener::Database(open)) => {
            (Kind::Database(open(path, options).map_err(failed)?), None)
        }
        Some(Opener::Source(open)) => {
            let file = File::open(path).map_err(|error| Error::io(path, error))?;
            let size = file.metadata().ok().map(|data| data.len());
            let unpacked = unpack(Box::new(file)).map_err(|error| Error::io(path, error))?;
            let source = open(unpacked.input, options).map_err(failed)?;
            (Kind::Source(source), size.filter(|_| !unpacked.compressed))
        }
        None => return Err(unreadable(path, format, "read")),
    };
    Ok(Base { path: path.into(), format, games, size })
}

/// Opens a stream of games, as standard input. `name` stands for its path in messages; its
/// extension helps to know the format, unless that is given.
///
/// # Errors
/// [`Error`]; [`Error::Unsupported`] for a format that needs files.
pub fn open_stream(
    input: Box<dyn Read + Send>,
    name: impl AsRef<Path>,
    format: Option<&'static Format>,
    options: &OpenOptions,
) -> Result<Base, Error> {
    let path = name.as_ref();
    let failed = |error| Error::io(path, error);
    let mut input = unpack(input).map_err(failed)?.input;
    let start = read_start(&mut input).map_err(failed)?;
    let format = format
        .or_else(|| detect_bytes(&start, &extension_of(path)))
        .ok_or_else(|| Error::Unknown { path: path.into() })?;
    let Some(Opener::Source(open)) = format.open else {
        return Err(unreadable(path, format, "read from a stream"));
    };
    let input = Box::new(Cursor::new(start).chain(input));
    let source = open(input, options).map_err(|error| Error::base(path, error))?;
    Ok(Base { path: path.into(), format, games: Kind::Source(source), size: None })
}

fn unreadable(path: &Path, format: &Format, what: &'static str) -> Error {
    Error::Unsupported { path: path.into(), format: format.title, what }
}

impl Base {
    /// The file that was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its format.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// How many games it lists, where that is known without reading them.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a stream may not know whether it is empty")]
    pub fn len(&self) -> Option<u64> {
        self.database().map(Database::len)
    }

    /// Random access, from any thread; `None` for a format whose games come one after the other.
    #[must_use]
    pub fn database(&self) -> Option<&dyn Database> {
        match &self.games {
            Kind::Database(database) => Some(&**database),
            Kind::Source(_) => None,
        }
    }

    /// Both ways to have the games, and the bytes of a stream.
    pub(crate) fn parts(&mut self) -> (Kind<&dyn Database, &mut dyn Source>, Option<u64>) {
        match &mut self.games {
            Kind::Database(database) => (Kind::Database(&**database), None),
            Kind::Source(source) => (Kind::Source(&mut **source), self.size),
        }
    }

    /// The games in order, into a [`Game`] that is reused. From the first one on for a database;
    /// from where the last reader stopped for a stream.
    pub fn reader(&mut self) -> Reader<'_> {
        let size = self.size;
        match &mut self.games {
            Kind::Database(database) => Reader { games: Kind::Database((&**database, 0)), size },
            Kind::Source(source) => Reader { games: Kind::Source(&mut **source), size },
        }
    }

    /// The games in order, each a [`Game`] of its own. A damaged game is an error, and the next
    /// one follows; after an error that concerns the whole base there is nothing more.
    pub fn games(&mut self) -> Games<'_> {
        Games { reader: self.reader(), ended: false }
    }
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Base").field("path", &self.path).field("format", &self.format).finish()
    }
}

/// Reads the games of a [`Base`] one after the other; a [`Source`] for bases of any kind.
pub struct Reader<'a> {
    games: Kind<(&'a dyn Database, u64), &'a mut dyn Source>,
    size: Option<u64>,
}

/// How far a [`Reader`] has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// So much is done,
    pub done: u64,
    /// of so much, where that is known,
    pub total: Option<u64>,
    /// counted in these.
    pub unit: Unit,
}

/// What [`Progress`] is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Games of a database.
    Games,
    /// Bytes of a stream.
    Bytes,
}

impl Reader<'_> {
    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        match &self.games {
            Kind::Database((database, next)) => {
                Progress { done: *next, total: Some(database.len()), unit: Unit::Games }
            }
            Kind::Source(source) => Progress {
                done: source.position().unwrap_or(0),
                total: self.size,
                unit: Unit::Bytes,
            },
        }
    }
}

impl Source for Reader<'_> {
    fn next(&mut self, into: &mut Game, diagnostics: &mut Diagnostics) -> Result<bool, AnyError> {
        match &mut self.games {
            Kind::Source(source) => source.next(into, diagnostics),
            Kind::Database((database, next)) if *next < database.len() => {
                let number = *next;
                *next = next.saturating_add(1);
                database.game(number, into, diagnostics).map(|()| true)
            }
            Kind::Database(_) => Ok(false),
        }
    }

    fn position(&self) -> Option<u64> {
        match &self.games {
            Kind::Source(source) => source.position(),
            Kind::Database(_) => None,
        }
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reader").field(&self.progress()).finish()
    }
}

/// Iterates over the games of a [`Base`]; see [`Base::games`].
#[derive(Debug)]
pub struct Games<'a> {
    reader: Reader<'a>,
    ended: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, AnyError>;

    fn next(&mut self) -> Option<Result<Game, AnyError>> {
        if self.ended {
            return None;
        }
        let mut game = Game::new();
        match self.reader.next(&mut game, &mut Diagnostics::lenient()) {
            Ok(true) => Some(Ok(game)),
            Ok(false) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = error.scope() == Scope::Base;
                Some(Err(error))
            }
        }
    }
}
