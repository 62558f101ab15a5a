//! Finds the frames of a Zstandard file without decompressing them (RFC 8878 §3.1).
//!
//! A file of several frames can be read from the beginning of any of them. The header of a frame and of each
//! of its blocks says how long it is, so only these headers are read.

use std::io;

use chess_store::Input;
use chess_store::io::ReadAt as _;

/// The first bytes of a frame.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The most bytes of a frame header, with the magic.
const MAX_HEADER: usize = 18;
/// The bytes of a block header.
const BLOCK_HEADER: usize = 3;

/// Returns offsets at which frames of a Zstandard file begin, the first one and then those that are at least
/// `step` bytes after the last. Returns nothing if the file is no Zstandard file.
///
/// Skippable frames do not count. Bytes after the last frame, and a frame that is cut, end the list.
///
/// # Errors
/// I/O errors.
pub fn zstd_frames(file: impl Into<Input>, step: u64) -> io::Result<Vec<u64>> {
    let mut frames = Frames::new(file.into());
    let mut found: Vec<u64> = Vec::new();
    while let Some(at) = frames.next_frame()? {
        if found.last().is_none_or(|last| at.saturating_sub(*last) >= step) {
            found.push(at);
        }
    }
    Ok(found)
}

/// The frames of a file, in order.
pub struct Frames {
    file: Input,
    /// The end of the last frame; `None` after the last frame of the file.
    at: Option<u64>,
}

impl Frames {
    /// The frames of `file`.
    #[must_use]
    pub fn new(file: Input) -> Frames {
        Frames { file, at: Some(0) }
    }

    /// Returns the offset of the next frame.
    ///
    /// # Errors
    /// I/O errors.
    pub fn next_frame(&mut self) -> io::Result<Option<u64>> {
        while let Some(at) = self.at.take() {
            let mut header = [0; MAX_HEADER];
            let length = self.file.read_full(at, &mut header)?;
            let header = header.get(..length).unwrap_or_default();
            if let [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] = header {
                let length = u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
                self.at = Some(at.saturating_add(8).saturating_add(length));
            } else if let Some(length) = header_length(header) {
                let has_checksum = header.get(4).is_some_and(|descriptor| descriptor & 4 != 0);
                let end = end_of_blocks(&self.file, at.saturating_add(length))?;
                self.at = end.map(|end| end.saturating_add(if has_checksum { 4 } else { 0 }));
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}

/// Returns the length of a frame header with its magic, or `None` for anything else.
fn header_length(header: &[u8]) -> Option<u64> {
    let descriptor = header.strip_prefix(&MAGIC)?.first()?;
    let is_single_segment = descriptor & 0x20 != 0;
    let content_size = match descriptor >> 6 {
        0 => u64::from(is_single_segment),
        flag => 1 << flag,
    };
    let dictionary = [0, 1, 2, 4].get(usize::from(descriptor & 3))?;
    let fields = [1, u64::from(!is_single_segment), *dictionary, content_size];
    fields.into_iter().try_fold(MAGIC.len() as u64, u64::checked_add)
}

/// Returns the end of the last block of a frame whose first block is at `at`, or `None` if the file ends before.
fn end_of_blocks(file: &Input, mut at: u64) -> io::Result<Option<u64>> {
    loop {
        let mut header = [0; BLOCK_HEADER];
        if file.read_full(at, &mut header)? < header.len() {
            return Ok(None);
        }
        let [a, b, c] = header;
        let header = u32::from_le_bytes([a, b, c, 0]);
        let content = match header >> 1 & 3 {
            // One byte that is repeated.
            1 => 1,
            _ => u64::from(header >> 3),
        };
        at = at.saturating_add(BLOCK_HEADER as u64).saturating_add(content);
        if header & 1 == 1 {
            return Ok(Some(at));
        }
    }
}

#[cfg(all(test, feature = "compressed"))]
mod tests {
    use super::*;

    fn frame(text: &[u8]) -> Vec<u8> {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text, level)
    }

    fn found(bytes: &[u8]) -> Vec<u64> {
        zstd_frames(bytes.to_vec(), 0).unwrap()
    }

    #[test]
    fn zstd_frames_are_found_among_skippable_ones() {
        let (first, second) = (frame(&b"games ".repeat(100_000)), frame(b""));
        let mut skipped = vec![0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0];
        skipped.extend_from_slice(b"abc");
        let file = [&skipped, &first, &skipped, &second, &first].map(Vec::as_slice).concat();
        let (skip, first, second) = (skipped.len(), first.len(), second.len());
        let expected = [skip, skip + first + skip, skip + first + skip + second];
        assert_eq!(found(&file), expected.map(|at| at as u64));
        // A frame that is cut still begins.
        assert_eq!(found(file.get(..file.len() - 6).unwrap()).len(), 3);
        let apart = zstd_frames(file.clone(), (first + skip) as u64 + 1).unwrap();
        assert_eq!(apart, [expected[0], expected[2]].map(|at| at as u64));
        let trailing = [file.as_slice(), b"more"].concat();
        assert_eq!(found(&trailing).len(), 3);
    }

    #[test]
    fn zstd_frames_of_other_bytes_are_none() {
        for bytes in [&b""[..], b"[Event \"x\"]", &MAGIC, b"\x28\xb5\x2f"] {
            assert!(found(bytes).is_empty(), "{bytes:?}");
        }
    }

    #[test]
    fn header_length_follows_descriptor() {
        let length = |descriptor| header_length(&[0x28, 0xb5, 0x2f, 0xfd, descriptor, 0, 0, 0]);
        assert_eq!(length(0x00), Some(6));
        assert_eq!(length(0x20), Some(6));
        assert_eq!(length(0x64), Some(7));
        assert_eq!(length(0xe3), Some(17));
        assert_eq!(length(0xc3), Some(18));
    }
}
