//! Zstandard compression of column pages.

use std::io;

use zstd::bulk::Compressor;

/// Compresses pages, and reuses its memory.
// Wider match steps in game texts (`CParameter::TargetLength`, with literals still compressed)
// would save a twentieth of the time for a table, but make the Lichess columns a twelfth larger.
pub(crate) struct PageCompressor(Compressor<'static>);

impl PageCompressor {
    /// # Errors
    /// An invalid level.
    pub(crate) fn new(level: i32) -> io::Result<PageCompressor> {
        Compressor::new(level).map(PageCompressor)
    }

    pub(crate) fn squeeze(&mut self, raw: &[u8]) -> io::Result<Vec<u8>> {
        self.0.compress(raw)
    }
}
