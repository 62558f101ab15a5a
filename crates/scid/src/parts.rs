//! The three files of a base.

use std::path::Path;

use chess_store::Location;

use crate::error::{Error, ErrorKind};
use crate::layout::Extensions;

/// The three files of a base, or their bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts<F> {
    /// Their extensions, which also distinguish version 5 from the others.
    pub extensions: Extensions,
    /// The extension of the index.
    pub index: F,
    /// The extension of the games file.
    pub games: F,
    /// The extension of the names file.
    pub names: F,
}

impl<F> Parts<F> {
    /// Borrows the three files.
    pub fn as_ref(&self) -> Parts<&F> {
        let Parts { extensions, index, games, names } = self;
        Parts { extensions: *extensions, index, games, names }
    }
}

impl Extensions {
    /// Returns the extensions of the base that `path` belongs to.
    pub(crate) fn of_path(path: &Path) -> Result<Extensions, Error> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension
            .and_then(Extensions::family)
            .ok_or_else(|| Error::new(ErrorKind::Extension, Location::default()))
    }
}
