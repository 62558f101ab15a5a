//! Where in the base a record is, for errors and warnings.

use chess_store::Location;

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
        self.byte(0)
    }

    /// A byte of the record.
    pub(crate) fn byte(self, within: usize) -> Location {
        Location::file("cbf").at(self.offset_of(within)).in_game(self.game)
    }

    /// Where a byte of the record lies in the .cbf.
    // Both are places in a file, so that the sum fits.
    pub(crate) fn offset_of(self, within: usize) -> u64 {
        self.offset.saturating_add(within as u64)
    }
}
