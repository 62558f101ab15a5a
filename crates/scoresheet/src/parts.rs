//! Parts of PGN files: the games that begin in a range of bytes.
//!
//! A game begins at a line with the tag `Event`. A part ends where the next game begins, which may be after its
//! range; so adjacent ranges contain each game exactly once.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess_store::io::{DecompressionLimit, ReadAt as _};
use chess_store::{Input, OpenOptions};
use compress::{Frames, unpack};

/// The beginning of a game.
const EVENT: &[u8] = b"[Event \"";
/// The most bytes of a line that are read at once.
const PIECE: u64 = 1 << 16;

/// Returns the text of the games of a file that begin in `range`. Of a file compressed with Zstandard, returns
/// the games that begin in frames that begin in `range`.
pub(crate) fn part_of(
    path: &Path,
    range: &Range<u64>,
    options: &OpenOptions,
) -> io::Result<Box<dyn Read + Send>> {
    let packed = Input::from(File::open(path)?);
    let mut frames = Frames::new(packed.clone());
    match frames.next_frame()? {
        Some(first) => part_of_frames(&packed, first, frames, range, options),
        None => part_of_text(File::open(path)?, range),
    }
}

fn part_of_text(mut file: File, range: &Range<u64>) -> io::Result<Box<dyn Read + Send>> {
    let size = file.metadata()?.len();
    let start = game_from(&file, range.start, size)?;
    let end = game_from(&file, range.end, size)?.max(start);
    file.seek(SeekFrom::Start(start))?;
    Ok(Box::new(file.take(end.saturating_sub(start))))
}

/// Returns the offset of the first game at or after `place`, or the end of the file.
fn game_from(mut file: &File, place: u64, size: u64) -> io::Result<u64> {
    if place == 0 || place >= size {
        return Ok(place.min(size));
    }
    // The preceding line break may be the byte before `place`.
    let start = place.saturating_sub(1);
    file.seek(SeekFrom::Start(start))?;
    let (mut lines, mut piece) = (Lines::new(file), Vec::new());
    while lines.next_piece(&mut piece)? {
        if lines.is_game {
            return Ok(start.saturating_add(lines.before));
        }
    }
    Ok(size)
}

/// Returns the part of a file with several frames. Whether a frame begins a line is unknown without the frame
/// before it. So a game belongs to the part that has the line break before it.
fn part_of_frames(
    file: &Input,
    first: u64,
    mut frames: Frames,
    range: &Range<u64>,
    options: &OpenOptions,
) -> io::Result<Box<dyn Read + Send>> {
    let mut next_from = |place: u64, mut frame: Option<u64>| {
        while frame.is_some_and(|frame| frame < place) {
            frame = frames.next_frame()?;
        }
        io::Result::Ok(frame)
    };
    let start = next_from(range.start, Some(first))?;
    let end = next_from(range.end, start)?;
    let size = file.size()?;
    let (Some(start), end) = (start.filter(|_| start != end), end.unwrap_or(size)) else {
        return Ok(Box::new(io::empty()));
    };
    let limit = DecompressionLimit::new(options.max_unpacked);
    let text = |from: u64, to: u64| -> io::Result<Box<dyn Read + Send>> {
        let packed = Span { file: file.clone(), at: from, end: to };
        Ok(unpack(Box::new(packed), &limit)?.input)
    };
    let count = Arc::new(AtomicU64::new(0));
    let own = Counted { input: text(start, end)?, count: Arc::clone(&count) };
    let rest = if end < size { text(end, size)? } else { Box::new(io::empty()) };
    Ok(Box::new(OwnGames {
        lines: Lines::new(own.chain(rest)),
        own: count,
        skips: start != first,
        ended: false,
        piece: Cursor::default(),
    }))
}

/// A range of bytes of a file.
struct Span {
    file: Input,
    at: u64,
    end: u64,
}

impl Read for Span {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let length = left.min(buffer.len());
        let room = buffer.get_mut(..length).unwrap_or_default();
        let count = if room.is_empty() { 0 } else { self.file.read_at(self.at, room)? };
        self.at = self.at.saturating_add(count as u64);
        Ok(count)
    }
}

/// A text in lines. Long lines come in pieces.
struct Lines<R> {
    input: BufReader<R>,
    /// Bytes before the last piece.
    before: u64,
    /// Bytes up to the end of the last piece.
    after: u64,
    /// Whether the next piece begins a line. The first line may have begun before the text.
    at_start: bool,
    /// Whether the last piece begins a game.
    is_game: bool,
}

impl<R: Read> Lines<R> {
    fn new(input: R) -> Lines<R> {
        let input = BufReader::with_capacity(1 << 16, input);
        Lines { input, before: 0, after: 0, at_start: false, is_game: false }
    }

    /// Reads the next piece. Returns `false` at the end.
    fn next_piece(&mut self, piece: &mut Vec<u8>) -> io::Result<bool> {
        piece.clear();
        let read = self.input.by_ref().take(PIECE).read_until(b'\n', piece)?;
        self.before = self.after;
        self.after = self.after.saturating_add(read as u64);
        self.is_game = self.at_start && piece.starts_with(EVENT);
        self.at_start = piece.ends_with(b"\n");
        Ok(read > 0)
    }
}

/// Counts the bytes that were read.
struct Counted<R> {
    input: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The games of a text whose preceding line break is among its first `own` bytes.
struct OwnGames<R> {
    lines: Lines<R>,
    /// The bytes of the part that were read; at its end, its length.
    own: Arc<AtomicU64>,
    /// Whether no own game has begun yet.
    skips: bool,
    ended: bool,
    piece: Cursor<Vec<u8>>,
}

impl<R: Read> Read for OwnGames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.piece.read(buffer)?;
            if count > 0 || buffer.is_empty() || self.ended {
                return Ok(count);
            }
            let mut piece = std::mem::take(&mut self.piece).into_inner();
            let is_read = self.lines.next_piece(&mut piece)?;
            // If the part has not ended, all bytes read so far are its own.
            let is_own = self.lines.before <= self.own.load(Ordering::Relaxed);
            self.skips &= !(self.lines.is_game && is_own);
            self.ended = !is_read || !is_own && (self.skips || self.lines.is_game);
            if !self.skips && !self.ended {
                self.piece = Cursor::new(piece);
            }
        }
    }
}
