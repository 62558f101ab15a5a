//! An open base.

use std::ffi::c_void;
use std::fs::File;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use scoresheet::{
    Database, Format, Input, Inputs, Scanner, is_pipe, open_as, open_inputs, open_with,
};

use crate::ffi::{CBytes, CText};
use crate::findings::{Finding, Findings};
use crate::options::{Opening, Options};
use crate::status::{Error, Failure, NONE, Status, ask, call, create, free, needed};
use crate::text::{OneText, Text, given_path};
use crate::unpack::{Numbered, number_games};
use crate::{Progress, Watcher};

/// An open base. Several threads may use one base at the same time. A base can be freed while readers
/// of it are in use.
pub struct Base {
    path: PathBuf,
    /// The contents of a base that is not on disk.
    memory: Option<Input>,
    format: &'static Format,
    opening: Opening,
    games: Games,
    name: OneText,
    named: OneText,
    warnings: Findings,
}

enum Games {
    /// A base that gives each game by its number.
    Database(Numbered),
    /// A text, whose games are numbered when a game is asked for by its number.
    Text(Mutex<Option<Numbered>>),
}

impl Base {
    pub(crate) fn open(
        path: PathBuf,
        memory: Option<Input>,
        opening: Opening,
    ) -> Result<Base, Failure> {
        if memory.is_some() && opening.format.is_some() {
            return Err(Failure::argument("format is no option here: name and contents tell it"));
        }
        if memory.is_none() && is_pipe(&path) {
            let text =
                format!("{}: a pipe has no games by number; copy it into a file", path.display());
            return Err(Failure::new(Status::Unsupported, text).in_file(&path));
        }
        let base = open(&path, memory.as_ref(), &opening)?;
        let (format, warnings) = (base.format(), base.warnings().into());
        let games = match base.shared() {
            Some(games) => Games::Database(Numbered { games, failure: None }),
            None => Games::Text(Mutex::default()),
        };
        let (name, named) = (format.name.into(), (&*path.to_string_lossy()).into());
        Ok(Base { path, memory, format, opening, games, name, named, warnings })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.opening.open.strict
    }

    /// Returns the games by number. No lock is held while the games of a text are numbered, because
    /// the watcher may use the base.
    pub(crate) fn numbered(&self, watcher: Watcher) -> Result<Numbered, Failure> {
        let games = match &self.games {
            Games::Database(games) => return Ok(games.clone()),
            Games::Text(games) => games,
        };
        let known = || games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(numbered) = &*known() {
            return Ok(numbered.clone());
        }
        let file = match &self.memory {
            Some(memory) => memory.clone(),
            None => File::open(&self.path).map_err(|error| Failure::io(&self.path, &error))?.into(),
        };
        let found = number_games(file, &self.path, self.format, &self.opening.open, watcher)?;
        Ok(known().get_or_insert(found).clone())
    }

    /// Returns a base for reading all games in order.
    pub(crate) fn in_order(&self) -> Result<scoresheet::Base, Failure> {
        match &self.games {
            Games::Database(Numbered { games, .. }) => {
                Ok(scoresheet::Base::from_database(games.clone(), &*self.path, self.format))
            }
            Games::Text(_) => open(&self.path, self.memory.as_ref(), &self.opening),
        }
    }

    #[cfg(feature = "arrow")]
    pub(crate) fn threads(&self) -> Option<usize> {
        self.opening.threads
    }

    pub(crate) fn scanner(&self) -> Scanner {
        match self.opening.threads {
            Some(threads) => Scanner::new().threads(threads),
            None => Scanner::new(),
        }
    }
}

fn open(
    path: &Path,
    memory: Option<&Input>,
    opening: &Opening,
) -> Result<scoresheet::Base, Failure> {
    let opened = match (memory, opening.format) {
        (Some(memory), _) => {
            let mut inputs = Inputs::new(path);
            inputs.add(path, memory.clone());
            open_inputs(&inputs, &opening.open)
        }
        (None, Some(format)) => open_as(path, format, &opening.open),
        (None, None) => open_with(path, &opening.open),
    };
    opened.map_err(Failure::from)
}

/// Opens a base. `path` names any of its files. `options` may be NULL. `*base` is NULL after a failure.
/// Free the base with `scoresheet_base_free`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_open(
    path: CText<'_>,
    options: Option<&Options>,
    base: Option<&mut MaybeUninit<*mut Base>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    create(base, "base", error, || {
        Base::open(given_path(path, "path")?, None, Opening::new(options)?)
    })
}

/// Opens a base in memory. `bytes` is the content of its only file, or a zip archive of its files. The format follows
/// from the content and from the extension of `name`, such as `games.pgn.gz`; the option `format` is an error. The
/// `length` bytes are copied. Otherwise like `scoresheet_base_open`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_open_bytes(
    name: CText<'_>,
    bytes: CBytes,
    length: usize,
    options: Option<&Options>,
    base: Option<&mut MaybeUninit<*mut Base>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    create(base, "base", error, || {
        let wrong = || Failure::argument("bytes is NULL, or length is too large");
        let memory = bytes.copy(length).ok_or_else(wrong)?.into();
        Base::open(given_path(name, "name")?, Some(memory), Opening::new(options)?)
    })
}

/// Frees a base. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_free(base: Option<Box<Base>>) {
    free(base);
}

/// Returns the name of the format of a base, such as `si4`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_format(base: Option<&Base>) -> Text {
    base.map_or(Text::NONE, |base| base.name.view())
}

/// Returns the path that was opened, as UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_path(base: Option<&Base>) -> Text {
    base.map_or(Text::NONE, |base| base.named.view())
}

/// Returns the number of deviations that were found on opening.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_warning_count(base: Option<&Base>) -> usize {
    base.map_or(0, |base| base.warnings.len())
}

/// Returns a deviation that was found on opening; `index` counts from zero.
///
/// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such deviation.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_warning_at(
    base: Option<&Base>,
    index: usize,
    warning: Option<&mut MaybeUninit<Finding>>,
) -> Status {
    let (Some(base), Some(out)) = (base, warning) else { return Status::BadArgument };
    ask(Status::OutOfRange, || {
        out.write(base.warnings.get(index)?);
        Some(Status::Ok)
    })
}

/// Numbers the games of a text (PGN or JSON lines, compressed or not), so that they can be had by number.
/// Does nothing for other formats, or if it was done before. Without this call, the first function that needs it
/// does it, without progress.
///
/// It reads the file once and keeps the places of its blocks. A compressed text of more than a megabyte is
/// unpacked into a temporary file.
///
/// `SCORESHEET_STATUS_DAMAGED` or `SCORESHEET_STATUS_BROKEN`: the games before the damage are numbered.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_index(
    base: Option<&Base>,
    progress: Progress,
    context: *mut c_void,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let base = needed(base, "base")?;
        let numbered = base.numbered(Watcher::new(progress, context))?;
        numbered.failure.map_or(Ok(()), Err)
    })
}

/// Counts the games. A text is numbered first, as by `scoresheet_base_index`.
///
/// If the text cannot be read to its end, the status says so, and `*count` is the number of games before
/// the damage. After any other failure `*count` is `SCORESHEET_NONE`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_base_count(
    base: Option<&Base>,
    count: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let out = needed(count, "count")?;
        out.write(NONE);
        let base = needed(base, "base")?;
        let numbered = base.numbered(Watcher::new(None, std::ptr::null_mut()))?;
        out.write(Database::len(&*numbered.games));
        numbered.failure.map_or(Ok(()), Err)
    })
}
