//! Errors after which the old base is known to stand.

use std::{error, fmt, io};

/// Marks an error of a replacement that failed before the new base became valid.
#[derive(Debug)]
struct Unchanged(io::Error);

impl fmt::Display for Unchanged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl error::Error for Unchanged {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.0.source()
    }
}

/// Marks an error. The text stays the same.
pub(super) fn unchanged(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), Unchanged(error))
}

/// Returns whether an error of [`Staged::commit`](super::Staged::commit) proves that the old base
/// stands. An editor may then truncate the files that it extended. Returns false in all cases in
/// which the new base may be the valid one.
#[must_use]
pub fn leaves_old_base(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Unchanged>())
}
