//! Zstandard for the pages of columns.

use std::io;

use zstd::bulk::Compressor;

/// Compresses pages, keeping the memory that takes.
// Wider steps in the texts of games (`CParameter::TargetLength`, letters compressed all the same)
// would save a twentieth of the work on a table, and make Lichess' columns a twelfth larger.
pub(crate) struct Squeezer(Compressor<'static>);

impl Squeezer {
    /// # Errors
    /// For a level that there is not.
    pub(crate) fn new(level: i32) -> io::Result<Squeezer> {
        Compressor::new(level).map(Squeezer)
    }

    pub(crate) fn squeeze(&mut self, raw: &[u8]) -> io::Result<Vec<u8>> {
        self.0.compress(raw)
    }
}
