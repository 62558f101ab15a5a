//! Packing on several threads.

use std::io::{self, Write};
use std::num::NonZero;
use std::thread;

use flate2::{Compress, Compression, Crc, FlushCompress};

/// What is packed by itself. Shorter data come out as if packed by one thread.
const BLOCK: usize = 1 << 20;
/// Every thread holds a block and what it becomes.
const MOST_THREADS: usize = 16;
/// A member without a name or a time, of no known system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Packs what is written to it as one gzip member. Each block is packed without looking back at
/// the one before, so that what comes out does not depend on the number of threads.
pub(crate) struct GzipWriter<W> {
    out: W,
    threads: usize,
    /// The blocks that are gathered; all but the last are full.
    blocks: Vec<Block>,
    /// How many of them are in use.
    used: usize,
    crc: Crc,
}

/// Bytes to be packed, and what they become.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    /// Where each piece ends that was written: a packer may come to another result when it gets
    /// other pieces.
    ends: Vec<usize>,
    packed: Vec<u8>,
    crc: Crc,
}

impl<W: Write> GzipWriter<W> {
    /// With as many threads as there are cores, unless told.
    pub(crate) fn new(mut out: W, threads: Option<NonZero<usize>>) -> io::Result<GzipWriter<W>> {
        let threads = threads.or_else(|| thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZero::get).min(MOST_THREADS);
        out.write_all(&HEADER)?;
        Ok(GzipWriter { out, threads, blocks: Vec::new(), used: 0, crc: Crc::new() })
    }

    /// The block that is being filled.
    fn block(&mut self) -> io::Result<&mut Block> {
        let is_full = |block: &Block| block.bytes.len() >= BLOCK;
        let last = self.used.checked_sub(1).and_then(|last| self.blocks.get(last));
        if last.is_none_or(is_full) {
            if self.used == self.threads {
                self.pack(FlushCompress::Sync)?;
            }
            if self.used == self.blocks.len() {
                self.blocks.push(Block::default());
            }
            self.used = self.used.saturating_add(1);
        }
        let last = self.used.saturating_sub(1);
        self.blocks.get_mut(last).ok_or_else(|| io::ErrorKind::Other.into())
    }

    /// Packs and writes the blocks that were gathered. Of the last one `flush` says whether more
    /// will follow.
    fn pack(&mut self, flush: FlushCompress) -> io::Result<()> {
        let blocks = self.blocks.get_mut(..self.used).unwrap_or_default();
        let Some((last, others)) = blocks.split_last_mut() else { return Ok(()) };
        thread::scope(|scope| {
            let workers: Vec<_> = others
                .iter_mut()
                .map_while(|block| {
                    thread::Builder::new()
                        .spawn_scoped(scope, move || block.pack(FlushCompress::Sync))
                        .ok()
                })
                .collect();
            let own = last.pack(flush);
            let panicked = |_| Err(io::Error::other("a thread that packs panicked"));
            workers.into_iter().fold(own, |all, one| all.and(one.join().unwrap_or_else(panicked)))
        })?;
        for block in blocks {
            // What no thread could be had for.
            if block.packed.is_empty() {
                block.pack(FlushCompress::Sync)?;
            }
            self.crc.combine(&block.crc);
            self.out.write_all(&block.packed)?;
            block.clear();
        }
        self.used = 0;
        Ok(())
    }

    /// Packs the rest and gives the file back.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        // Something must say that it ends.
        self.block()?;
        self.pack(FlushCompress::Finish)?;
        self.out.write_all(&self.crc.sum().to_le_bytes())?;
        self.out.write_all(&self.crc.amount().to_le_bytes())?;
        Ok(self.out)
    }
}

impl<W: Write> Write for GzipWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let block = self.block()?;
        let room = BLOCK.saturating_sub(block.bytes.len());
        let piece = bytes.get(..room).unwrap_or(bytes);
        block.bytes.extend_from_slice(piece);
        block.ends.push(block.bytes.len());
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Block {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.packed.clear();
        self.crc.reset();
    }

    fn pack(&mut self, flush: FlushCompress) -> io::Result<()> {
        self.crc.update(&self.bytes);
        let mut packer = Packer::new();
        let mut start = 0;
        for end in &self.ends {
            let piece = self.bytes.get(start..*end).unwrap_or_default();
            packer.push(piece, FlushCompress::None, &mut self.packed)?;
            start = *end;
        }
        packer.push(&[], flush, &mut self.packed)
    }
}

/// Packs piece by piece. What comes out depends on the room it gets for that, too: always the same.
struct Packer {
    deflate: Compress,
    room: Box<[u8]>,
}

impl Packer {
    fn new() -> Packer {
        let deflate = Compress::new(Compression::default(), false);
        Packer { deflate, room: vec![0; 32 << 10].into() }
    }

    fn push(
        &mut self,
        mut piece: &[u8],
        flush: FlushCompress,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        loop {
            let (read, written) = (self.deflate.total_in(), self.deflate.total_out());
            let packed = self.deflate.compress(piece, &mut self.room, flush);
            packed.map_err(io::Error::other)?;
            let grown = |now: u64, before| usize::try_from(now.saturating_sub(before));
            let read = grown(self.deflate.total_in(), read).unwrap_or(usize::MAX);
            let written = grown(self.deflate.total_out(), written).unwrap_or(usize::MAX);
            piece = piece.get(read..).unwrap_or_default();
            out.extend_from_slice(self.room.get(..written).unwrap_or_default());
            // With room left it has nothing more to say.
            if piece.is_empty() && written < self.room.len() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    fn packed(pieces: &[&[u8]], threads: usize) -> Vec<u8> {
        let mut writer = GzipWriter::new(Vec::new(), NonZero::new(threads)).unwrap();
        pieces.iter().for_each(|piece| writer.write_all(piece).unwrap());
        writer.finish().unwrap()
    }

    fn unpacked(packed: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Reads one member only.
        flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// Bytes that pack a little.
    fn bytes(count: usize) -> Vec<u8> {
        (0..count as u64).map(|n| (n * n / 77 % 251) as u8 & (n >> 7) as u8).collect()
    }

    #[test]
    fn any_number_of_threads_makes_the_same() {
        for count in [0, 1, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 5 * BLOCK + 12_345] {
            let bytes = bytes(count);
            let pieces: Vec<&[u8]> = bytes.chunks(700_001).collect();
            let one = packed(&pieces, 1);
            assert!(unpacked(&one) == bytes, "{count}");
            for threads in [2, 3, 20] {
                assert!(packed(&pieces, threads) == one, "{count} bytes, {threads} threads");
            }
        }
    }

    #[test]
    fn a_single_block_is_what_one_packer_makes() {
        for (count, piece) in [(0, 1), (10, 3), (BLOCK - 1, 8192), (BLOCK - 1, BLOCK)] {
            let bytes = bytes(count);
            let pieces: Vec<&[u8]> = bytes.chunks(piece).collect();
            let mut usual = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
            pieces.iter().for_each(|piece| usual.write_all(piece).unwrap());
            assert!(packed(&pieces, 2) == usual.finish().unwrap(), "{count} by {piece}");
        }
    }
}
