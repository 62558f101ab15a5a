//! Gives a file with several hard links a copy of its own before it is changed in place.
//!
//! A backup made with hard links (`cp -al`) shares its files with the base. If the base changed in
//! place, the backup would change with it, and only in part where other files of the base are
//! replaced.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use super::staged::Staged;

/// Replaces a file by a copy of itself if it has another name. Returns whether it did. `path` must
/// not be a link. Readers find the old file or the copy, which have the same contents.
pub(super) fn separate(path: &Path) -> io::Result<bool> {
    let mut old = File::open(path)?;
    if links(&old.metadata()?) < 2 {
        return Ok(false);
    }
    let mut staged = Staged::new();
    let mut new = staged.create(path)?;
    io::copy(&mut old, &mut new)?;
    staged.commit()?;
    Ok(true)
}

#[cfg(unix)]
fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

/// The standard library does not tell the number of links here.
#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}
