//! gzip compression on several threads.

use std::io::{self, Write};
use std::num::NonZero;
use std::thread;

use flate2::{Compress, Compression, Crc, FlushCompress};

/// Size of an independently compressed block. Shorter data compress as with one thread.
const BLOCK: usize = 1 << 20;
/// Maximum number of threads. Each holds a block and its compressed form.
const MAX_THREADS: usize = 16;
/// Header of a gzip member without name, time or system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Compresses the written bytes to one gzip member. Each block is compressed without reference to the
/// previous one, so the output does not depend on the number of threads.
pub(crate) struct GzipWriter<W> {
    out: W,
    threads: usize,
    /// The buffered blocks. All but the last are full.
    blocks: Vec<Block>,
    /// Number of blocks in use.
    used: usize,
    crc: Crc,
}

/// Bytes to be compressed, and their compressed form.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    /// End offset of each written piece. The compressor's output may depend on the piece boundaries.
    ends: Vec<usize>,
    packed: Vec<u8>,
    crc: Crc,
}

impl<W: Write> GzipWriter<W> {
    /// Creates a writer with `threads` threads, by default one per core.
    pub(crate) fn new(mut out: W, threads: Option<NonZero<usize>>) -> io::Result<GzipWriter<W>> {
        let threads = threads.or_else(|| thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZero::get).min(MAX_THREADS);
        out.write_all(&HEADER)?;
        Ok(GzipWriter { out, threads, blocks: Vec::new(), used: 0, crc: Crc::new() })
    }

    /// Returns the block being filled.
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

    /// Compresses and writes the buffered blocks. `flush` applies to the last one, and determines
    /// whether more blocks may follow.
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
            let panicked = |_| Err(io::Error::other("a compression thread panicked"));
            workers.into_iter().fold(own, |all, one| all.and(one.join().unwrap_or_else(panicked)))
        })?;
        for block in blocks {
            // The blocks for which no thread could be started.
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

    /// Compresses the rest and returns the inner writer.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        // The stream needs a final block.
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

/// Compresses piece by piece. The output also depends on the size of the output buffer, which is
/// constant.
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
            // Room left in the buffer means that no output is pending.
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
        // This decoder reads one member only.
        flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// Slightly compressible bytes.
    fn bytes(count: usize) -> Vec<u8> {
        (0..count as u64).map(|n| (n * n / 77 % 251) as u8 & (n >> 7) as u8).collect()
    }

    #[test]
    fn gzip_writer_any_thread_count_gives_same_bytes() {
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
    fn gzip_writer_single_block_equals_plain_encoder() {
        for (count, piece) in [(0, 1), (10, 3), (BLOCK - 1, 8192), (BLOCK - 1, BLOCK)] {
            let bytes = bytes(count);
            let pieces: Vec<&[u8]> = bytes.chunks(piece).collect();
            let mut usual = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
            pieces.iter().for_each(|piece| usual.write_all(piece).unwrap());
            assert!(packed(&pieces, 2) == usual.finish().unwrap(), "{count} by {piece}");
        }
    }
}
