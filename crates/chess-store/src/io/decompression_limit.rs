//! How much may come out of packed bytes: a few of them can stand for gigabytes.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What may always be unpacked.
const ALWAYS: u64 = 64 << 20;
/// How many bytes more for each packed one; chess games pack to a fifth or a tenth.
const RATIO: u64 = 200;

/// Counts every byte that is unpacked, in all layers and of all files of an archive, whether it is
/// wanted or passed over, against a limit: 64 MiB and 200 times the packed bytes, unless told.
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
    /// With this limit, or the usual one.
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

    /// Takes note of packed bytes.
    pub fn add_packed(&self, bytes: u64) {
        self.0.packed.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A packed stream, whose bytes are counted as they are read.
    pub fn packed<R: Read>(&self, stream: R) -> Packed<R> {
        Packed { stream, allowance: self.clone() }
    }

    /// What a decoder makes, counted as it is read. Beyond the limit reading fails, with
    /// [`QuotaExceeded`](io::ErrorKind::QuotaExceeded).
    pub fn unpacked<R: Read>(&self, decoder: R) -> Unpacked<R> {
        Unpacked { decoder, allowance: self.clone() }
    }

    /// How many bytes may be unpacked in all, as far as the packed ones are known.
    #[must_use]
    pub fn limit(&self) -> u64 {
        let packed = self.0.packed.load(Ordering::Relaxed);
        self.0.most.unwrap_or_else(|| ALWAYS.saturating_add(RATIO.saturating_mul(packed)))
    }

    /// How many may still be.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.limit().saturating_sub(self.0.unpacked.load(Ordering::Relaxed))
    }

    /// Whether reading failed for it.
    #[must_use]
    pub fn is_exceeded(&self) -> bool {
        self.0.exceeded.load(Ordering::Relaxed)
    }

    /// Takes note of unpacked bytes.
    ///
    /// # Errors
    /// Beyond the limit.
    pub fn take(&self, bytes: u64) -> io::Result<()> {
        let before = self.0.unpacked.fetch_add(bytes, Ordering::Relaxed);
        let limit = self.limit();
        if before.saturating_add(bytes) <= limit {
            return Ok(());
        }
        self.0.exceeded.store(true, Ordering::Relaxed);
        Err(io::Error::new(io::ErrorKind::QuotaExceeded, TooMuch { limit }))
    }
}

/// More was unpacked than is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TooMuch {
    /// How many bytes would have been.
    pub limit: u64,
}

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit;
        write!(f, "it unpacks to more than {limit} bytes; if you trust it, allow more")
    }
}

impl std::error::Error for TooMuch {}

/// See [`DecompressionLimit::packed`].
#[derive(Debug)]
pub struct Packed<R> {
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
#[derive(Debug)]
pub struct Unpacked<R> {
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
    fn what_is_unpacked_is_bounded_by_what_was_packed() {
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
}
