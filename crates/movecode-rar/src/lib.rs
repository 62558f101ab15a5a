//! Unpacks RAR archives for `movecode`.
//!
//! The decoder is generic over reader and writer, so most of its code is compiled in the calling
//! crate. Only this crate calls it, so it can be optimised less than the game decoder.

use std::io::{self, Read, Seek, Write};

/// The bytes of an archive.
pub trait Archive: Read + Seek + Send {}

impl<R: Read + Seek + Send> Archive for R {}

/// The destination of an unpacked file.
pub type Output = Box<dyn Write>;

/// Unpacks, in order, the files for which `open` returns a writer. Returns `true` if all were unpacked.
/// Damage, encryption and more than `limit` bytes end it early.
pub fn unpack(
    archive: Box<dyn Archive>,
    limit: u64,
    open: &mut dyn FnMut(&[u8]) -> Option<Output>,
) -> bool {
    let mut options = rars::ArchiveReadOptions::default();
    options.max_total_output_bytes = Some(limit);
    let read = rars::ArchiveReader::read_reader_with_options(archive, options);
    let read = read.and_then(|archive| {
        archive.extract_to_with_options(options, |entry| {
            Ok(open(&entry.name).unwrap_or_else(|| Box::new(io::sink())))
        })
    });
    read.is_ok()
}
