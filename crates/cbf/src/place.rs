//! Where in the base a record is, for errors and warnings.

use chess_core::{Diagnostics, Location};

use crate::error::{Error, strict};
use crate::quirk::Quirk;

/// A record's place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Which game, from zero.
    pub(crate) game: u64,
    /// Offset of the record in the .cbf.
    pub(crate) offset: u64,
}

impl Place {
    /// The record's first byte.
    pub(crate) fn record(self) -> Location {
        Location::file("cbf").at(self.offset).in_game(self.game)
    }

    /// A byte of the record.
    pub(crate) fn byte(self, within: usize) -> Location {
        let within = u64::try_from(within).unwrap_or(u64::MAX);
        Location::file("cbf").at(self.offset.saturating_add(within)).in_game(self.game)
    }
}

/// Notes a quirk; an error when strict.
pub(crate) fn note(diagnostics: &mut Diagnostics, quirk: Quirk, at: Location) -> Result<(), Error> {
    diagnostics.note(quirk, at).map_err(strict)
}
