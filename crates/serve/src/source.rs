//! A base that is open for questions.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use scoresheet::chess_core::Position;
use scoresheet::position_index::PositionIndex;
use scoresheet::{Base, Database, Error, OpenOptions, Progress};

use crate::count::Counts;

/// A base that an [`Explorer`](crate::Explorer) answers from.
pub struct Source {
    name: String,
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "the page reads the files"))]
    path: PathBuf,
    /// The files of the base as they were before it was opened.
    stamps: Vec<(PathBuf, Option<Stamp>)>,
    database: Arc<dyn Database>,
    index: Option<PositionIndex>,
    /// The counts of positions that many games have, for the question that asks for all games.
    counted: Mutex<HashMap<Position, Counts>>,
}

/// The facts that show that a file is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let of =
            |metadata: Metadata| Stamp { size: metadata.len(), modified: metadata.modified().ok() };
        fs::metadata(path).ok().map(of)
    }
}

/// The most positions whose counts are kept: a few KiB each.
const MAX_COUNTED: usize = 4096;

/// The memory that a text may take, in bytes. Later games are read when they are needed.
const KEPT: usize = 1 << 30;

impl Source {
    /// Opens a base. Headers and main lines of a text are kept in memory, at most 1 GiB.
    ///
    /// # Errors
    /// [`Error`]
    pub fn open(
        path: impl AsRef<Path>,
        options: &OpenOptions,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Source, Error> {
        let path = path.as_ref();
        let files = scoresheet::base_files(path).unwrap_or_else(|_| vec![path.to_owned()]);
        let stamped = |path: PathBuf| (path.clone(), Stamp::of(&path));
        let stamps = files.into_iter().map(stamped).collect();
        let base = scoresheet::open_with(path, options)?;
        let source = Source::of_base(&base, options, progress)?;
        Ok(Source { stamps, ..source })
    }

    /// Takes a base that was opened with `options`. Whether its files change is not watched. A [position
    /// index](scoresheet::build_position_index) beside it is used.
    ///
    /// # Errors
    /// [`Error`], for instance if the base is read from a pipe.
    pub fn of_base(
        base: &Base,
        options: &OpenOptions,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Source, Error> {
        let path = base.path().to_path_buf();
        let database = scoresheet::kept_in_memory(base, options, KEPT, progress)?;
        let stem = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = stem.split('.').next().unwrap_or_default().to_owned();
        let index = base.position_index()?;
        // It was built from as many games, if nothing reads the base otherwise.
        let index = index.filter(|index| index.len() == database.len());
        Ok(Source { name, path, stamps: Vec::new(), database, index, counted: Mutex::default() })
    }

    /// Returns the name of the file without its extensions.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name as a part of a path: other signs than letters, digits, `.`, `-` and `_` become `_`.
    #[must_use]
    pub fn path_name(&self) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        self.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.database.len()
    }

    /// Returns the position index of the base, if there is one and the base is unchanged since.
    #[must_use]
    pub fn index(&self) -> Option<&PositionIndex> {
        self.index.as_ref()
    }

    /// Returns the counts of a position for the question that asks for all games, if they are kept.
    pub(crate) fn counted(&self, position: &Position) -> Option<Counts> {
        let counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.get(position).cloned()
    }

    /// Keeps the counts of a position for the question that asks for all games. Returns whether there was room:
    /// the counts that were kept first stay.
    pub(crate) fn keep_counted(&self, position: &Position, counts: &Counts) -> bool {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = counted.len() < MAX_COUNTED;
        if has_room {
            counted.insert(*position, counts.clone());
        }
        has_room
    }

    /// Returns the files of the base, the one to open first.
    #[cfg(feature = "http")]
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        scoresheet::base_files(&self.path).unwrap_or_default()
    }

    pub(crate) fn database(&self) -> &dyn Database {
        &*self.database
    }

    /// Returns whether a file is another one than when the base was opened.
    pub(crate) fn has_changed(&self) -> bool {
        self.stamps.iter().any(|(path, stamp)| Stamp::of(path) != *stamp)
    }
}

/// Adds a number to each name that an earlier base has as a part of a path.
pub(crate) fn tell_apart(sources: &mut [Source]) {
    let mut names = HashSet::new();
    for source in sources {
        let name = source.name.clone();
        let mut number = 2u32;
        while !names.insert(source.path_name()) {
            source.name = format!("{name}-{number}");
            number = number.saturating_add(1);
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("name", &self.name).finish_non_exhaustive()
    }
}
