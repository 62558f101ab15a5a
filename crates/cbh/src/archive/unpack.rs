//! Unpacking of archive members.

use std::io;

use chess_store::Location;
use chess_store::io::ReadAt;

use super::blocks::{BLOCK_HEADER, HUFFMAN, LZ, checksum, parse_block};
use super::directory::Member;
use super::{huffman, lz};
use crate::error::{Error, ErrorKind};

/// Reads the blocks of a member in order.
pub(super) struct Blocks {
    archive: Location,
    /// The offset of the next block.
    at: u64,
    end: u64,
    header: Vec<u8>,
    payload: Vec<u8>,
}

impl Blocks {
    pub(super) fn of(member: &Member, archive: Location) -> Blocks {
        let end = member.offset.saturating_add(member.packed);
        Blocks { archive, at: member.offset, end, header: Vec::new(), payload: Vec::new() }
    }

    /// Returns the next block's payload and the block's offset, or `None` at the end.
    pub(super) fn next(&mut self, file: &impl ReadAt) -> Result<Option<(&[u8], u64)>, Error> {
        let (archive, at) = (self.archive, self.at);
        if at >= self.end {
            return Ok(None);
        }
        let damaged = |what| ErrorKind::Archive(what).at(archive.at(at));
        file.read_into(at, BLOCK_HEADER, &mut self.header).map_err(Error::io(archive))?;
        let (length, sum) =
            parse_block(&self.header).ok_or_else(|| damaged("a block is truncated"))?;
        let start = at.saturating_add(BLOCK_HEADER as u64);
        file.read_into(start, usize::from(length), &mut self.payload)
            .map_err(Error::io(archive))?;
        if self.payload.len() != usize::from(length) {
            return Err(damaged("a block is truncated"));
        }
        if checksum(&self.payload) != sum {
            return Err(damaged("the checksum of a block is wrong"));
        }
        self.at = start.saturating_add(u64::from(length));
        Ok(Some((&self.payload, at)))
    }
}

/// Unpacks a member block by block and passes its bytes to `each`.
///
/// Memory use is bounded by one block, whatever the member's header claims.
pub(super) fn unpack(
    file: &impl ReadAt,
    member: &Member,
    archive: Location,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), Error> {
    let mut blocks = Blocks::of(member, archive);
    let (mut done, mut letters, mut window) = (0u64, Vec::new(), Vec::new());
    while let Some((payload, at)) = blocks.next(file)? {
        let damaged = |what| ErrorKind::Archive(what).at(archive.at(at));
        let far = window.len().saturating_sub(lz::WINDOW);
        window.drain(..far);
        let bytes = decode_block(payload, &mut letters, &mut window)
            .ok_or_else(|| damaged("a block cannot be unpacked"))?;
        done = done.saturating_add(bytes.len() as u64);
        if done > member.size {
            return Err(damaged("a member is larger than the directory says"));
        }
        each(bytes).map_err(Error::io(archive))?;
    }
    if done != member.size {
        let short = ErrorKind::Archive("a member is shorter than the directory says");
        return Err(short.at(archive.at(blocks.at)));
    }
    Ok(())
}

/// Decodes a block. `window` holds the preceding data; afterwards it ends with the block's data, as
/// far as a copy can reach back.
// cbh §9.2 "Blocks"
fn decode_block<'a>(
    payload: &'a [u8],
    letters: &'a mut Vec<u8>,
    window: &'a mut Vec<u8>,
) -> Option<&'a [u8]> {
    let (mode, rest) = payload.split_first()?;
    if mode & !(HUFFMAN | LZ) != 0 {
        return None;
    }
    let bytes = if mode & HUFFMAN != 0 {
        huffman::decode(rest, letters)?;
        letters.as_slice()
    } else {
        rest
    };
    if mode & LZ != 0 {
        let before = window.len();
        lz::decode(bytes, window)?;
        return window.get(before..);
    }
    window.extend_from_slice(bytes.get(bytes.len().saturating_sub(lz::WINDOW)..)?);
    Some(bytes)
}
