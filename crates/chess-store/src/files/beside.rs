//! Files that are kept beside others, to save the reading of them: what tells that they belong together, and
//! bytes with a checksum.
//!
//! Numbers are little-endian. Both sides must pass the same pieces in the same order.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

use crate::io::ReadAt;
use crate::system_message;

/// The bytes at both ends of a file that belong to its fingerprint.
const ENDS: usize = 1 << 16;

/// A file that changed less than this time ago may change again without another time: the times of
/// some file systems have a precision of two seconds.
const SETTLED: Duration = Duration::from_secs(2);

/// Returns whether a change of the file after the time `at` changes its times.
pub fn is_settled(found: &Metadata, at: SystemTime) -> bool {
    let is_old = |time: SystemTime| at.duration_since(time).is_ok_and(|age| age >= SETTLED);
    found.modified().is_ok_and(is_old) && changed(found).is_none_or(is_old)
}

/// Returns the time when the content or the attributes of a file changed. No program can set it.
#[cfg(unix)]
fn changed(found: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt as _;
    let seconds = Duration::from_secs(u64::try_from(found.ctime()).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(seconds)
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> Option<SystemTime> {
    None
}

/// Returns the numbers that tell this state of a file from others.
#[cfg(unix)]
fn identity(found: &Metadata) -> Vec<u64> {
    use std::os::unix::fs::MetadataExt as _;
    let times = [found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec()];
    let times = times.map(i64::cast_unsigned);
    [&[found.size(), found.ino()], times.as_slice()].concat()
}

#[cfg(not(unix))]
fn identity(found: &Metadata) -> Vec<u64> {
    let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).ok();
    let modified = found.modified().ok().and_then(since).unwrap_or_default();
    vec![found.len(), modified.as_secs(), u64::from(modified.subsec_nanos())]
}

/// Appends what tells this state of a file from others.
///
/// # Errors
/// I/O errors.
pub fn add_file(bytes: &mut Vec<u8>, file: &impl ReadAt, found: &Metadata) -> io::Result<()> {
    identity(found).iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    let mut end = vec![0; ENDS];
    for offset in [0, found.len().saturating_sub(ENDS as u64)] {
        let count = file.read_full(offset, &mut end)?;
        let mut checksum = Checksum::default();
        checksum.add(end.get(..count).unwrap_or_default());
        bytes.extend_from_slice(&checksum.value().to_le_bytes());
    }
    Ok(())
}

/// Refuses to replace what is no index. A stranger's archive may hold a link beside a text, and the
/// user named only the text.
///
/// # Errors
/// A message: `path` is a link, a folder or another file.
pub fn refuse_others(path: &Path, magic: &[u8]) -> Result<(), String> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(|error| system_message(&error))?,
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !found.is_file() {
        return Err(format!("{name} is a link or no file; remove it"));
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut start));
    read.map_err(|error| system_message(&error))?;
    // The last byte is the version of the layout.
    let is_index = start.is_empty() || start.starts_with(magic.split_last().map_or(&[], |it| it.1));
    if is_index { Ok(()) } else { Err(format!("{name} is another file; rename or remove it")) }
}

/// Waits until a further change of the files would have another time.
///
/// # Errors
/// A file that is not found.
pub fn settle<P: AsRef<Path>>(files: &[P]) -> io::Result<()> {
    for _ in 0..25 {
        let found: io::Result<Vec<_>> = files.iter().map(fs::metadata).collect();
        if found?.iter().all(|found| is_settled(found, SystemTime::now())) {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Mixes pieces of bytes into a checksum.
///
/// Each step is a bijection of the state, so a change of one word always changes the checksum. It
/// detects damage, not forgery.
#[derive(Clone, Copy, Default, Debug)]
struct Checksum(u64);

/// An odd constant with an irregular pattern of bits.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Checksum {
    fn add(&mut self, piece: &[u8]) {
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

    fn value(self) -> u64 {
        self.0
    }
}

/// The output of an index.
#[derive(Debug)]
pub struct Sink<W> {
    out: W,
    checksum: Checksum,
}

impl<W: Write> Sink<W> {
    /// Creates an index on `out`.
    pub fn new(out: W) -> Sink<W> {
        Sink { out, checksum: Checksum::default() }
    }

    /// Writes a piece of a known length.
    ///
    /// # Errors
    /// I/O errors.
    pub fn put(&mut self, piece: &[u8]) -> io::Result<()> {
        self.checksum.add(piece);
        self.out.write_all(piece)
    }

    /// Writes a number.
    ///
    /// # Errors
    /// I/O errors.
    pub fn number(&mut self, number: u64) -> io::Result<()> {
        self.put(&number.to_le_bytes())
    }

    /// Writes a piece with its length.
    ///
    /// # Errors
    /// I/O errors.
    pub fn sized(&mut self, piece: &[u8]) -> io::Result<()> {
        self.number(piece.len() as u64)?;
        self.put(piece)
    }

    /// Writes the checksum, and returns the output.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&self.checksum.value().to_le_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The input of an index. Every method returns `None` if the bytes are no index.
#[derive(Debug)]
pub struct Feed<R> {
    from: R,
    checksum: Checksum,
}

impl<R: Read> Feed<R> {
    /// Reads an index from its start.
    pub fn new(from: R) -> Feed<R> {
        Feed { from, checksum: Checksum::default() }
    }

    /// Reads a piece of a known length.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut piece = [0; N];
        self.from.read_exact(&mut piece).ok()?;
        self.checksum.add(&piece);
        Some(piece)
    }

    /// Reads a number.
    pub fn number(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a piece with its length.
    pub fn sized(&mut self) -> Option<Vec<u8>> {
        let length = self.number()?;
        let mut piece = Vec::new();
        // A wrong length allocates no more than the file has.
        self.from.by_ref().take(length).read_to_end(&mut piece).ok()?;
        if piece.len() as u64 != length {
            return None;
        }
        self.checksum.add(&piece);
        Some(piece)
    }

    /// Returns whether the checksum follows, and then the end of the file.
    pub fn ends_whole(mut self) -> bool {
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
