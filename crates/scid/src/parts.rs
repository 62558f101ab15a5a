//! The three files of a base.

use std::path::Path;

use chess_store::Location;

use crate::error::{Error, ErrorKind};
use crate::layout::Extensions;

/// The three files of a base, or their bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts<F> {
    /// What they are called, which also tells version 5 from the others.
    pub extensions: Extensions,
    /// The index.
    pub index: F,
    /// The records.
    pub games: F,
    /// The names.
    pub names: F,
}

impl<F> Parts<F> {
    /// The three files, borrowed.
    pub fn as_ref(&self) -> Parts<&F> {
        let Parts { extensions, index, games, names } = self;
        Parts { extensions: *extensions, index, games, names }
    }
}

impl Extensions {
    /// Those of the base that a file belongs to.
    pub(crate) fn of_path(path: &Path) -> Result<Extensions, Error> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension
            .and_then(Extensions::family)
            .ok_or_else(|| Error::new(ErrorKind::Extension, Location::default()))
    }
}
