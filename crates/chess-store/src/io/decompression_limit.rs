//! A limit on decompressed data, against decompression bombs.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Number of bytes that may always be decompressed.
const ALWAYS: u64 = 64 << 20;
/// Number of additional bytes for each compressed byte. Chess games compress to a fifth or a tenth.
const RATIO: u64 = 200;

/// Number of decompressed bytes that may always be in memory together, and of additional bytes for
/// each compressed byte.
const MEMORY_ALWAYS: u64 = 8 << 20;
const MEMORY_RATIO: u64 = 32;

/// Counts every decompressed byte, in all layers and files of an archive, whether it is used or
/// skipped. The default limit is 64 MiB plus 200 times the number of compressed bytes.
///
/// Clones share the count.
#[derive(Clone, Debug)]
pub struct DecompressionLimit(Arc<Count>);

#[derive(Debug)]
struct Count {
    most: Option<u64>,
    packed: AtomicU64,
    unpacked: AtomicU64,
    exceeded: AtomicBool,
}

impl DecompressionLimit {
    /// Creates a counter with this limit, or with the default limit.
    #[must_use]
    pub fn new(most: Option<u64>) -> DecompressionLimit {
        let (packed, unpacked) = (AtomicU64::new(0), AtomicU64::new(0));
        DecompressionLimit(Arc::new(Count {
            most,
            packed,
            unpacked,
            exceeded: AtomicBool::new(false),
        }))
    }

    /// Adds compressed bytes to the count.
    pub fn add_packed(&self, bytes: u64) {
        self.0.packed.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Wraps a compressed stream and counts the bytes read from it.
    pub fn packed<R: Read>(&self, stream: R) -> impl Read + use<R> {
        Packed { stream, allowance: self.clone() }
    }

    /// Wraps the output of a decoder and counts the bytes read from it. Beyond the limit, reading
    /// fails with [`QuotaExceeded`](io::ErrorKind::QuotaExceeded).
    pub fn unpacked<R: Read>(&self, decoder: R) -> impl Read + use<R> {
        Unpacked { decoder, allowance: self.clone() }
    }

    /// Returns the limit for the compressed bytes counted so far.
    #[must_use]
    pub fn limit(&self) -> u64 {
        let packed = self.0.packed.load(Ordering::Relaxed);
        self.0.most.unwrap_or_else(|| ALWAYS.saturating_add(RATIO.saturating_mul(packed)))
    }

    /// Returns how many more bytes may be decompressed.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.limit().saturating_sub(self.0.unpacked.load(Ordering::Relaxed))
    }

    /// Returns whether reading failed because of the limit.
    #[must_use]
    pub fn is_exceeded(&self) -> bool {
        self.0.exceeded.load(Ordering::Relaxed)
    }

    /// Adds decompressed bytes to the count.
    ///
    /// # Errors
    /// An error beyond the limit.
    pub fn take(&self, bytes: u64) -> io::Result<()> {
        let before = self.0.unpacked.fetch_add(bytes, Ordering::Relaxed);
        let limit = self.limit();
        if before.saturating_add(bytes) <= limit {
            return Ok(());
        }
        Err(self.exceed(limit))
    }

    /// Checks whether `bytes` decompressed bytes may be in memory together. The default limit is
    /// 8 MiB plus 32 times the number of compressed bytes. Call it with a size that a file claims,
    /// before anything of that size is allocated.
    ///
    /// # Errors
    /// An error beyond the limit.
    pub fn check_memory(&self, bytes: u64) -> io::Result<()> {
        let packed = self.0.packed.load(Ordering::Relaxed);
        let usual = || MEMORY_ALWAYS.saturating_add(MEMORY_RATIO.saturating_mul(packed));
        let limit = self.0.most.unwrap_or_else(usual);
        if bytes <= limit { Ok(()) } else { Err(self.exceed(limit)) }
    }

    fn exceed(&self, limit: u64) -> io::Error {
        self.0.exceeded.store(true, Ordering::Relaxed);
        io::Error::new(io::ErrorKind::QuotaExceeded, TooMuch(limit))
    }
}

/// The error for decompressed data beyond the limit.
#[derive(Debug, thiserror::Error)]
#[error("it unpacks to more than {0} bytes; if you trust it, allow more")]
struct TooMuch(u64);

/// See [`DecompressionLimit::packed`].
struct Packed<R> {
    stream: R,
    allowance: DecompressionLimit,
}

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.allowance.add_packed(count as u64);
        Ok(count)
    }
}

/// See [`DecompressionLimit::unpacked`].
struct Unpacked<R> {
    decoder: R,
    allowance: DecompressionLimit,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.allowance.take(count as u64)?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_grows_with_packed_bytes() {
        let allowance = DecompressionLimit::new(None);
        assert_eq!(allowance.limit(), 64 << 20);
        io::copy(&mut allowance.packed(&[0u8; 1000][..]), &mut io::sink()).unwrap();
        assert_eq!(allowance.limit(), (64 << 20) + 200_000);
        let zeros = || io::repeat(0).take(40 << 20);
        io::copy(&mut allowance.unpacked(zeros()), &mut io::sink()).unwrap();
        assert!(!allowance.is_exceeded() && allowance.left() > 0);
        let error = io::copy(&mut allowance.unpacked(zeros()), &mut io::sink()).unwrap_err();
        assert!(allowance.is_exceeded() && allowance.left() == 0);
        assert_eq!(error.kind(), io::ErrorKind::QuotaExceeded);
        assert_eq!(
            error.to_string(),
            "it unpacks to more than 67308864 bytes; if you trust it, allow more"
        );
        let small = DecompressionLimit::new(Some(9));
        assert!(small.take(9).is_ok() && small.take(1).is_err());
    }

    #[test]
    fn limit_of_memory_grows_with_packed_bytes() {
        let usual = DecompressionLimit::new(None);
        usual.add_packed(10);
        assert!(usual.check_memory((8 << 20) + 320).is_ok() && !usual.is_exceeded());
        assert!(usual.check_memory((8 << 20) + 321).is_err() && usual.is_exceeded());
        let large = DecompressionLimit::new(Some(1 << 30));
        assert!(large.check_memory(1 << 30).is_ok() && large.check_memory((1 << 30) + 1).is_err());
    }
}
