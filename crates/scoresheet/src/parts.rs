//! Parts of PGN files: the games that begin in a range of bytes.
//!
//! A game begins at a line with the tag `Event`. A part ends where the next game begins, which may be after its
//! range; so adjacent ranges contain each game exactly once.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use chess_store::io::{DecompressionLimit, ReadAt as _};
use chess_store::{Input, OpenOptions};

use crate::compress::{Frames, unpack};

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

/// Returns the part of a file with several frames. Only the end of a line is known for certain in the middle of
/// a text, so the first line of a part belongs to the part before it.
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
    let nothing = || -> Box<dyn Read + Send> { Box::new(io::empty()) };
    let Some(start) = next_from(range.start, Some(first))? else { return Ok(nothing()) };
    let end = next_from(range.end, Some(start))?;
    let size = file.size()?;
    let limit = DecompressionLimit::new(options.max_unpacked);
    let text = |from: u64, to: u64| -> io::Result<Box<dyn Read + Send>> {
        let packed = Span { file: file.clone(), at: from, end: to };
        Ok(unpack(Box::new(packed), &limit)?.input)
    };
    if end == Some(start) {
        return Ok(nothing());
    }
    let mut own = text(start, end.unwrap_or(size))?;
    if start != first {
        let (mut lines, mut piece) = (Lines::new(own), Vec::new());
        while !lines.is_game {
            if !lines.next_piece(&mut piece)? {
                return Ok(nothing());
            }
        }
        own = Box::new(Cursor::new(piece).chain(lines.input));
    }
    match end {
        None => Ok(own),
        Some(end) => {
            let rest = UntilGame { lines: Lines::new(text(end, size)?), piece: Cursor::default() };
            Ok(Box::new(own.chain(rest)))
        }
    }
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

/// The text before the first game that begins in it.
struct UntilGame<R> {
    lines: Lines<R>,
    piece: Cursor<Vec<u8>>,
}

impl<R: Read> Read for UntilGame<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.piece.read(buffer)?;
        if count > 0 || buffer.is_empty() || self.lines.is_game {
            return Ok(count);
        }
        let mut piece = std::mem::take(&mut self.piece).into_inner();
        let is_read = self.lines.next_piece(&mut piece)?;
        if !is_read || self.lines.is_game {
            // Another call must not return the line of the game.
            return Ok(0);
        }
        self.piece = Cursor::new(piece);
        self.piece.read(buffer)
    }
}
