//! The location of a record, for errors and warnings.

use chess_store::Location;

/// The game number and file offset of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Number of the game, from zero.
    pub(crate) game: u64,
    /// Offset of the record in the .cbf.
    pub(crate) offset: u64,
}

impl Place {
    /// Returns the location of the record's first byte.
    pub(crate) fn record(self) -> Location {
        self.byte(0)
    }

    /// Returns the location of byte `within` of the record.
    pub(crate) fn byte(self, within: usize) -> Location {
        Location::file("cbf").at(self.offset_of(within)).in_game(self.game)
    }

    /// Returns the offset in the .cbf of byte `within` of the record.
    // Both are file offsets, so the sum does not overflow.
    pub(crate) fn offset_of(self, within: usize) -> u64 {
        self.offset.saturating_add(within as u64)
    }
}
