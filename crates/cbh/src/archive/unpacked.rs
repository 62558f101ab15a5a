//! Random access to the contents of an archive member.

use std::io;
use std::sync::Arc;

use chess_store::Location;
use chess_store::io::{ReadAt, Spool};

use super::Bytes;
use super::blocks::BLOCK_HEADER;
use super::directory::Member;
use super::unpack::Blocks;
use crate::error::Error;

/// The bytes before the contents of a stored block: its header and the compression flags.
const BEFORE: u64 = BLOCK_HEADER as u64 + 1;

/// The contents of an archive member.
#[derive(Debug)]
pub struct Unpacked<R>(Contents<R>);

#[derive(Debug)]
enum Contents<R> {
    Spooled(Spool),
    Stored(Stored<R>),
}

/// A member whose blocks are all stored and of equal size, except the last. It is read in place.
#[derive(Debug)]
pub(super) struct Stored<R> {
    archive: Arc<Bytes<R>>,
    /// The offset of its first block.
    start: u64,
    /// The size of the contents of a block in bytes; never zero.
    block: u64,
    size: u64,
}

impl<R> Unpacked<R> {
    pub(super) fn spooled(spooled: Spool) -> Unpacked<R> {
        Unpacked(Contents::Spooled(spooled))
    }

    pub(super) fn stored(stored: Stored<R>) -> Unpacked<R> {
        Unpacked(Contents::Stored(stored))
    }
}

impl<R: ReadAt> Stored<R> {
    /// Returns `None` if the member has other blocks. Verifies all checksums read on the way.
    pub(super) fn find(
        archive: &Arc<Bytes<R>>,
        member: &Member,
        at: Location,
    ) -> Result<Option<Stored<R>>, Error> {
        // Encrypted members are unpacked once, because decrypting on every read is slower.
        if !matches!(**archive, Bytes::Plain(_)) {
            return Ok(None);
        }
        let (mut block, mut last, mut size) = (0, 0, 0u64);
        let mut blocks = Blocks::of(member, at);
        while let Some((payload, _)) = blocks.next(&**archive)? {
            let Some((&0, contents)) = payload.split_first() else { return Ok(None) };
            if last != block || contents.is_empty() {
                return Ok(None);
            }
            last = contents.len() as u64;
            if block == 0 {
                block = last;
            }
            size = size.saturating_add(last);
        }
        if block == 0 || last > block || size != member.size {
            return Ok(None);
        }
        Ok(Some(Stored { archive: Arc::clone(archive), start: member.offset, block, size }))
    }
}

impl<R: ReadAt> ReadAt for Stored<R> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    /// Reads at most to the end of a block.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let (Some(number), Some(inside)) =
            (offset.checked_div(self.block), offset.checked_rem(self.block))
        else {
            return Ok(0);
        };
        let left = self.size.saturating_sub(offset).min(self.block.saturating_sub(inside));
        let length = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let blocks = number.saturating_mul(self.block.saturating_add(BEFORE));
        let at = self.start.saturating_add(blocks).saturating_add(BEFORE).saturating_add(inside);
        self.archive.read_at(at, buffer.get_mut(..length).unwrap_or_default())
    }
}

impl<R: ReadAt> ReadAt for Unpacked<R> {
    fn size(&self) -> io::Result<u64> {
        match &self.0 {
            Contents::Spooled(bytes) => bytes.size(),
            Contents::Stored(bytes) => bytes.size(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match &self.0 {
            Contents::Spooled(bytes) => bytes.read_at(offset, buffer),
            Contents::Stored(bytes) => bytes.read_at(offset, buffer),
        }
    }
}
