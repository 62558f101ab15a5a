//! Unpacks RAR archives for `movecode`.
//!
//! The decoder is generic over reader and writer, so most of its code is compiled in the calling
//! crate. Only this crate calls it, so it can be optimised less than the game decoder.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rars::{ArchiveReadOptions, ArchiveReader, ExtractionDecision, ReadCancellation};

/// The bytes of an archive.
pub trait Archive: Read + Seek + Send {}

impl<R: Read + Seek + Send> Archive for R {}

/// The destination of an unpacked file.
pub type Output = Box<dyn Write>;

/// The time between two looks at a running decoder.
const TICK: Duration = Duration::from_millis(10);
/// The ticks that an archive of any size may take: two seconds.
const MIN_TICKS: u64 = 200;
/// The bytes, read and written, that allow the decoder one more tick: half a megabyte a second.
const TICK_BYTES: u64 = 5_000;

/// Unpacks, in order, the files for which `open` returns a writer. Returns `true` if all were unpacked.
/// Damage, encryption, more than `limit` bytes and too much work end it early.
///
/// RAR archives before version 5 carry programs, and a program of ten bytes can take half a second.
/// So the time is limited in proportion to the bytes: two seconds, and a second for each 500 kB.
/// Files that nobody wants are not unpacked, unless a solid archive needs them for a later file.
pub fn unpack(
    archive: Box<dyn Archive>,
    limit: u64,
    open: &mut dyn FnMut(&[u8]) -> Option<Output>,
) -> bool {
    let bytes = Bytes::default();
    let archive = Counted { inner: archive, bytes: bytes.clone() };
    let (stop, done) = (ReadCancellation::new(), AtomicBool::new(false));
    thread::scope(|scope| {
        let watch = || watch(&bytes, &stop, &done);
        let watcher = thread::Builder::new().spawn_scoped(scope, watch).ok();
        let mut options = ArchiveReadOptions::default().with_cancellation(&stop);
        options.max_total_output_bytes = Some(limit);
        let unpacked = unpack_all(archive, options, &bytes, watcher.is_some(), open);
        done.store(true, Ordering::Relaxed);
        if let Some(watcher) = watcher {
            watcher.thread().unpark();
        }
        unpacked.unwrap_or(false)
    })
}

/// Stops the decoder when it has taken more time than its bytes allow.
///
/// Ticks are counted, not time: a stopped process or a busy machine costs both threads the same.
fn watch(bytes: &Bytes, stop: &ReadCancellation, done: &AtomicBool) {
    let mut ticks = 0u64;
    while !done.load(Ordering::Relaxed) {
        if ticks > MIN_TICKS.saturating_add(bytes.0.load(Ordering::Relaxed) / TICK_BYTES) {
            return stop.cancel();
        }
        thread::park_timeout(TICK);
        ticks = ticks.saturating_add(1);
    }
}

fn unpack_all(
    archive: Counted<Box<dyn Archive>>,
    options: ArchiveReadOptions<'_>,
    bytes: &Bytes,
    is_watched: bool,
    open: &mut dyn FnMut(&[u8]) -> Option<Output>,
) -> rars::Result<bool> {
    let archive = ArchiveReader::read_reader_with_options(archive, options)?;
    // Nothing could stop a program, and only version 5 has none.
    if !is_watched && !matches!(archive, rars::Archive::Rar50Plus(_)) {
        return Ok(false);
    }
    let mut output = |name: &[u8]| {
        let inner = open(name)?;
        Some(Box::new(Counted { inner, bytes: bytes.clone() }) as Output)
    };
    if is_solid(&archive) {
        let unwanted = || Box::new(Counted { inner: io::sink(), bytes: bytes.clone() }) as Output;
        let open =
            |entry: &rars::ExtractedEntryMeta| Ok(output(&entry.name).unwrap_or_else(unwanted));
        return archive.extract_to_with_options(options, open).map(|()| true);
    }
    let decide = |member: &rars::ArchiveMember| {
        Ok(output(&member.meta.name).map_or(ExtractionDecision::Skip, ExtractionDecision::Extract))
    };
    archive.extract_with_control(options, decide).map(|_| true)
}

/// Returns whether a file of the archive may need the files before it.
fn is_solid(archive: &rars::Archive) -> bool {
    match archive {
        rars::Archive::Rar13(archive) => archive.main.is_solid(),
        rars::Archive::Rar15To40(archive) => {
            archive.main.is_solid() || archive.files().any(|file| file.is_solid())
        }
        rars::Archive::Rar50Plus(archive) => {
            archive.main.is_solid() || archive.files().any(|file| file.compression_info & 0x40 != 0)
        }
        _ => true,
    }
}

/// The bytes that the decoder has read and written.
#[derive(Clone, Default)]
struct Bytes(Arc<AtomicU64>);

struct Counted<T> {
    inner: T,
    bytes: Bytes,
}

impl<T> Counted<T> {
    fn count(&self, bytes: usize) -> usize {
        self.bytes.0.fetch_add(bytes as u64, Ordering::Relaxed);
        bytes
    }
}

impl<T: Read> Read for Counted<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        Ok(self.count(count))
    }
}

impl<T: Seek> Seek for Counted<T> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

impl<T: Write> Write for Counted<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        Ok(self.count(count))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
