//! Writes and reads the bytes of a saved index, with a checksum.
//!
//! Numbers are little-endian. Both sides must pass the same pieces in the same order.

use std::io::{self, Read, Write};

/// Mixes pieces of bytes into a checksum.
///
/// Each step is a bijection of the state, so a change of one word always changes the checksum. It
/// detects damage, not forgery.
#[derive(Clone, Copy, Default)]
pub(super) struct Checksum(u64);

/// An odd constant with an irregular pattern of bits.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Checksum {
    pub(super) fn add(&mut self, piece: &[u8]) {
        self.mix(piece.len() as u64);
        let (words, rest) = piece.as_chunks::<8>();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
        self.mix(u64::from_le_bytes(last));
    }

    fn mix(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(MULTIPLIER);
        self.0 = mixed ^ mixed >> 29;
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }
}

/// The output of an index.
pub(super) struct Sink<W> {
    out: W,
    checksum: Checksum,
}

impl<W: Write> Sink<W> {
    pub(super) fn new(out: W) -> Sink<W> {
        Sink { out, checksum: Checksum::default() }
    }

    pub(super) fn put(&mut self, piece: &[u8]) -> io::Result<()> {
        self.checksum.add(piece);
        self.out.write_all(piece)
    }

    pub(super) fn number(&mut self, number: u64) -> io::Result<()> {
        self.put(&number.to_le_bytes())
    }

    /// Writes a piece with its length.
    pub(super) fn sized(&mut self, piece: &[u8]) -> io::Result<()> {
        self.number(piece.len() as u64)?;
        self.put(piece)
    }

    /// Writes the checksum, and returns the output.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&self.checksum.value().to_le_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The input of an index. Every method returns `None` if the bytes are no index.
pub(super) struct Feed<R> {
    from: R,
    checksum: Checksum,
}

/// Bytes that are read together, so that a wrong length allocates no more than the file has.
const PART: usize = 1 << 16;

impl<R: Read> Feed<R> {
    pub(super) fn new(from: R) -> Feed<R> {
        Feed { from, checksum: Checksum::default() }
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut piece = [0; N];
        self.from.read_exact(&mut piece).ok()?;
        self.checksum.add(&piece);
        Some(piece)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a piece with its length.
    pub(super) fn sized(&mut self) -> Option<Vec<u8>> {
        let mut left = usize::try_from(self.number()?).ok()?;
        let mut piece = Vec::new();
        while left > 0 {
            let (start, part) = (piece.len(), left.min(PART));
            piece.resize(start.checked_add(part)?, 0);
            self.from.read_exact(piece.get_mut(start..)?).ok()?;
            left = left.checked_sub(part)?;
        }
        self.checksum.add(&piece);
        Some(piece)
    }

    /// Returns whether the checksum follows, and then the end of the file.
    pub(super) fn ends_whole(mut self) -> bool {
        let mut last = [0; 8];
        let expected = self.checksum.value().to_le_bytes();
        self.from.read_exact(&mut last).is_ok()
            && last == expected
            && matches!(self.from.read(&mut last), Ok(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feed_reads_what_sink_wrote() {
        let mut sink = Sink::new(Vec::new());
        sink.number(7).unwrap();
        sink.sized(b"a piece of text").unwrap();
        sink.put(&[1, 2, 3]).unwrap();
        let bytes = sink.finish().unwrap();
        let read = |bytes: &[u8]| {
            let mut feed = Feed::new(bytes);
            let found = (feed.number()?, feed.sized()?, feed.array::<3>()?);
            feed.ends_whole().then_some(found)
        };
        assert_eq!(read(&bytes), Some((7, b"a piece of text".to_vec(), [1, 2, 3])));
        for at in 0..bytes.len() {
            assert_eq!(read(bytes.get(..at).unwrap()), None, "{at} bytes");
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(read(&damaged), None, "byte {at}");
        }
        assert_eq!(read(&[bytes, vec![0]].concat()), None);
    }

    #[test]
    fn sized_length_beyond_the_file_is_none() {
        let length = u64::MAX.to_le_bytes();
        assert_eq!(Feed::new(&length[..]).sized(), None);
    }
}
