//! The position index in a file beside its base: `base.si4.positions`.

#[cfg(feature = "lines")]
mod build;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chess_store::files::beside::{add_file, is_settled};
use chess_store::{Input, OpenOptions};
use position_index::PositionIndex;

use super::saved::reading;
use crate::base::is_pipe;
use crate::detect::{base_files, beside, detect};
use crate::error::Error;

#[cfg(feature = "lines")]
pub use build::{IndexBefore, build_position_index};

/// Opens the position index beside a base that is read with `options`. Returns `None` if there is none, or
/// if the base has changed since. For a base that is open, use
/// [`Base::position_index`](crate::Base::position_index).
///
/// # Errors
/// [`Error`]; a damaged index.
pub fn open_position_index(
    base: &Path,
    options: &OpenOptions,
) -> Result<Option<PositionIndex>, Error> {
    index_of_base(base, options, SystemTime::now())
}

/// Opens the position index of a base that was opened after the time `opened`. An index of files that changed
/// later is not of this base.
pub(crate) fn index_of_base(
    base: &Path,
    options: &OpenOptions,
    opened: SystemTime,
) -> Result<Option<PositionIndex>, Error> {
    if is_pipe(base) {
        return Ok(None);
    }
    let files = base_files(base)?;
    let path = beside(&files, EXTENSION);
    if !path.exists() {
        return Ok(None);
    }
    let fingerprint = fingerprint(base, &files, options)?;
    // Tested after the files were read: a file that was replaced before that is seen.
    let is_same = |file| fs::metadata(file).is_ok_and(|found| is_settled(&found, opened));
    if !files.iter().all(is_same) {
        return Ok(None);
    }
    PositionIndex::open(&path, &fingerprint).map_err(|error| Error::io(&path, error))
}

const EXTENSION: &str = "positions";

/// Returns all that the index of a base depends on, as bytes.
fn fingerprint(base: &Path, files: &[PathBuf], options: &OpenOptions) -> Result<Vec<u8>, Error> {
    let mut bytes = reading(detect(base)?, options);
    for path in files {
        let add = File::open(path).and_then(|file| {
            let found = file.metadata()?;
            add_file(&mut bytes, &Input::from(file), &found)
        });
        add.map_err(|error| Error::io(path, error))?;
    }
    Ok(bytes)
}
