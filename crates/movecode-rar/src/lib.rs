//! Unpacks RAR archives for `movecode`.
//!
//! The decoder takes any reader and any writer, so whoever calls it compiles most of it. This crate
//! is the only one that does, and can be optimised less than what decodes games.

use std::io::{self, Read, Seek, Write};

/// The bytes of an archive.
pub trait Archive: Read + Seek + Send {}

impl<R: Read + Seek + Send> Archive for R {}

/// What a file is unpacked to.
pub type Output = Box<dyn Write>;

/// Unpacks the files for which `open` gives something to write to, in order, and says whether that
/// was all of them: damage, encryption and more bytes than `limit` end it early.
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
