//! Building and extending a position index.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use chess_store::OpenOptions;
use chess_store::files::beside::{refuse_others, settle};
use position_index::{MAGIC, PositionIndex};

use super::{EXTENSION, fingerprint};
use crate::base::{Progress, Unit, is_pipe, open_with};
use crate::detect::{base_files, beside};
use crate::error::Error;
use crate::pipeline::available_threads;
use crate::random::kept_in_memory;

/// The memory that a text may take while its index is built, in bytes.
const KEPT: usize = 1 << 29;

/// Builds the position index of a base, in a file beside it. `progress` returns whether to go on. Returns
/// the path of the file.
///
/// With the index, searches for positions read only the games that have them; see [`position_index`].
///
/// # Errors
/// [`Error`]; the base changed meanwhile; a file of the same name that is no index.
pub fn build_position_index(
    base: &Path,
    options: &OpenOptions,
    progress: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<PathBuf, Error> {
    if is_pipe(base) {
        return Err(Error::io(base, io::ErrorKind::NotSeekable.into()));
    }
    let files = base_files(base)?;
    let path = beside(&files, EXTENSION);
    let failed = |error: io::Error| Error::io(&path, error);
    refuse_others(&path, &MAGIC).map_err(|why| Error::io(base, io::Error::other(why)))?;
    settle(&files).map_err(failed)?;
    let before = fingerprint(base, &files, options)?;
    let opened = open_with(base, options)?;
    let games = kept_in_memory(&opened, options, KEPT, &mut |done| {
        progress(done);
    })?;
    let total = games.len().saturating_mul(2);
    let progress = |done| progress(Progress { done, total: Some(total), unit: Unit::Games });
    let unchanged = || {
        let now = fingerprint(base, &files, options).map_err(io::Error::other)?;
        let changed = || io::Error::other("the base changed while it was read");
        Some(now).filter(|now| *now == before).ok_or_else(changed)
    };
    position_index::build(&*games, &path, threads(), &progress, &unchanged).map_err(failed)?;
    Ok(path)
}

/// The state of a position index before games are appended to its base.
#[derive(Debug)]
pub struct IndexBefore {
    base: PathBuf,
    path: PathBuf,
    options: OpenOptions,
    fingerprint: Vec<u8>,
}

impl IndexBefore {
    /// Returns the state, if there is an index and the base is unchanged since. The caller has locked
    /// the base.
    #[must_use]
    pub fn of(base: &Path, options: &OpenOptions) -> Option<IndexBefore> {
        let files = base_files(base).ok()?;
        let path = beside(&files, EXTENSION);
        if !path.exists() {
            return None;
        }
        let fingerprint = fingerprint(base, &files, options).ok()?;
        PositionIndex::open(&path, &fingerprint).ok()??;
        Some(IndexBefore { base: base.to_owned(), path, options: options.clone(), fingerprint })
    }

    /// Adds the games that were appended. Nothing else may have changed in the base.
    ///
    /// # Errors
    /// [`Error`]. There is no index then.
    pub fn extend(self) -> Result<(), Error> {
        let IndexBefore { base, path, options, fingerprint: old } = self;
        let failed = |error: io::Error| Error::io(&path, error);
        let files = base_files(&base)?;
        settle(&files).map_err(failed)?;
        let opened = open_with(&base, &options)?;
        let games = kept_in_memory(&opened, &options, KEPT, &mut |_| ())?;
        let new = || fingerprint(&base, &files, &options).map_err(io::Error::other);
        let is_done =
            PositionIndex::extend(&*games, &path, threads(), &old, &new).map_err(failed)?;
        if !is_done {
            position_index::build(&*games, &path, threads(), &|_| true, &new).map_err(failed)?;
        }
        Ok(())
    }
}

fn threads() -> NonZeroUsize {
    NonZeroUsize::new(available_threads()).unwrap_or(NonZeroUsize::MIN)
}
