//! Cuts a stream into blocks of whole games.

mod unread;

use std::fmt;
use std::io::Read;

use chess_core::Game;
use chess_store::io::{FromStart, ReadAt as _};
use chess_store::{
    About, Block, Encoding, InBlock, Input, Later, Location, Place, SplitText, StreamGames,
    StreamInput, TextDecoder,
};

use crate::about::parse_facts;
use crate::boundary::{NextSection, first_certain_start, last_certain_start, next_section};
use crate::date_order::{SAMPLE, SharedOrder};
use crate::error::{Error, ErrorKind};
use crate::options::OpenOptions;
use crate::parse::{MARGIN, Parser, Wanted};
use crate::place::after;

use self::unread::Unread;

/// The default block size in bytes.
const BLOCK_SIZE: usize = 1 << 17;

/// The fraction of a lazily loaded block, at its end, that is searched for a cut.
const TAIL_FRACTION: usize = 8;

/// The bytes before and after an offset that are searched for the end of a game.
const SEEN_BEFORE: usize = 1 << 12;
const SEEN_AFTER: usize = 1 << 17;

/// The longest game text that is read as one game: 16 MiB. The longest games in practice have a few
/// hundred KiB. Memory use is a few times this size.
pub const MAX_GAME: usize = 1 << 24;

/// The number of games near the end of a block that are considered as the last game before the cut.
const CANDIDATES: usize = 8;

/// A window of this many block sizes is parsed game by game if no faster way finds a cut.
const PARSE_ALL_FROM: usize = 8;

/// The number of bytes that decide whether a text without a byte order mark is UTF-16.
const UTF16_SEEN: usize = 16;

/// The number of bytes before a tag that decide whether it follows an empty line.
const BEFORE_TAG: usize = 3;

/// Cuts a stream into blocks of whole games, in order. A [`Parser`] reads the games of a block, on
/// any thread. For a single thread, a [`Reader`](crate::Reader) does both.
///
/// The games, errors and warnings, and the locations in them, do not depend on where the stream is
/// cut. Cutting is cheap: in each block the cutter parses one short game, to find its end. It
/// parses the whole text only if it cannot detect the start of any game, for instance in a text
/// without tags.
///
/// The cutter and each block use about 128 KiB of memory, and up to 1 MiB where the text is hard to
/// cut. Only a game longer than that needs more.
pub struct Cutter<R> {
    inner: Inner<R>,
    unread: Unread,
    /// Whether the stream has ended.
    ended: bool,
    /// The stream's error, until it is reported.
    failure: Option<Error>,
    /// The location of `unread` in the stream. Line and column count from the end of the last
    /// block.
    place: Place,
    /// The last bytes of a lazily loaded block.
    tail: Vec<u8>,
    block_size: usize,
    pub(crate) max_game: usize,
    decoder: TextDecoder,
    /// Finds the ends of games.
    parser: Parser,
    spare: Game,
    about: About,
    date_order: SharedOrder,
}

/// The source of the text.
enum Inner<R> {
    Stream(R),
    /// A file and its size in bytes. Any thread can read it.
    File(Input, u64),
}

impl Cutter<Box<dyn Read + Send>> {
    /// Like [`with_options`](Cutter::with_options). From a file that any thread can read, the
    /// cutter reads only the bytes that decide where to cut. The blocks are [loaded
    /// lazily](Block::later).
    pub fn of_input(input: StreamInput, options: &OpenOptions) -> Cutter<Box<dyn Read + Send>> {
        let size = input.file.as_ref().and_then(|file| file.size().ok());
        let inner = match input.file.zip(size) {
            Some((file, size)) => Inner::File(file, size),
            None => Inner::Stream(input.stream),
        };
        Cutter::of_inner(inner, options)
    }
}

impl<R: Read> Cutter<R> {
    /// Cuts text in UTF-8, with Windows-1252 as the fallback for texts that are not UTF-8.
    pub fn new(inner: R) -> Cutter<R> {
        Cutter::with_options(inner, &OpenOptions::default())
    }

    /// Like [`new`](Cutter::new), with options.
    pub fn with_options(inner: R, options: &OpenOptions) -> Cutter<R> {
        Cutter::of_inner(Inner::Stream(inner), options)
    }

    fn of_inner(inner: Inner<R>, options: &OpenOptions) -> Cutter<R> {
        let decoder = TextDecoder::new(options.encoding, Encoding::WINDOWS_1252);
        let mut parser = Parser::new(decoder, MAX_GAME);
        parser.wanted = Wanted::Header;
        Cutter {
            inner,
            unread: Unread::default(),
            ended: false,
            failure: None,
            place: Place::default(),
            tail: Vec::new(),
            block_size: BLOCK_SIZE,
            max_game: MAX_GAME,
            decoder,
            parser,
            spare: Game::new(),
            about: About::default(),
            date_order: SharedOrder::default(),
        }
    }

    /// Sets the approximate block size in bytes; the default is 128 KiB. Small blocks spread over
    /// threads sooner, large blocks take less time to cut.
    #[must_use]
    pub fn block_size(self, bytes: usize) -> Cutter<R> {
        Cutter { block_size: bytes.clamp(1, MAX_GAME), ..self }
    }

    /// Reads the start of the stream, to reject an unsupported encoding before the first block.
    pub(crate) fn begin(&mut self) -> Result<(), Error> {
        self.fill(self.block_size.saturating_add(1));
        self.refuse_utf16()
    }

    fn refuse_utf16(&mut self) -> Result<(), Error> {
        let text = self.unread.as_slice();
        if self.place.offset > 0 || !is_utf16(text) {
            return Ok(());
        }
        self.unread = Unread::default();
        self.ended = true;
        Err(Error::new(ErrorKind::Utf16, Location::file("pgn").at(0)))
    }

    /// Examines the dates at the start of the stream.
    fn find_date_order(&mut self) {
        if self.place.offset == 0 {
            self.fill(SAMPLE);
            self.date_order.find(self.unread.as_slice());
        }
    }

    /// Reads until `wanted` bytes are buffered, or the stream ends.
    fn fill(&mut self, wanted: usize) {
        if self.ended || self.unread.len() >= wanted {
            return;
        }
        let at = self.place.offset.saturating_add(self.unread.len() as u64);
        let filled = match &mut self.inner {
            Inner::Stream(stream) => self.unread.fill(stream, wanted),
            Inner::File(file, _) => self.unread.fill(&mut FromStart::at(&*file, at), wanted),
        };
        match filled {
            Ok(ended) => self.ended = ended,
            Err(error) => {
                self.ended = true;
                let end = self.place.offset.saturating_add(self.unread.len() as u64);
                let at = Location::file("pgn").at(end);
                self.failure = Some(Error::new(ErrorKind::Io(error), at));
            }
        }
    }

    /// Finds the end of a game near the end of the first `window` buffered bytes. This game and all
    /// before it would be read the same if more text followed the window.
    fn find_cut(&mut self, window: usize, hard: bool) -> Option<usize> {
        let text = self.unread.as_slice();
        let text = text.get(..window).unwrap_or(text);
        if let Some(end) = end_of_short_game(&mut self.parser, text, &mut self.spare) {
            return Some(end);
        }
        if hard {
            last_end(&mut self.parser, text, self.place.offset == 0, &mut self.spare)
        } else {
            None
        }
    }

    /// Cuts off a block of a file without reading it, if its last bytes show where.
    fn cut_later(&mut self, block: &mut Block) -> bool {
        let Inner::File(file, size) = &self.inner else { return false };
        if self.ended {
            return false;
        }
        let window = self.block_size.min(self.max_game);
        let (offset, length) = (self.place.offset, window as u64);
        // The end of the file, and the whole of a small file, are read here.
        if offset.checked_add(length).is_none_or(|end| end >= *size) {
            return false;
        }
        let tail = window.div_ceil(TAIL_FRACTION);
        let before = window.saturating_sub(tail);
        let tail_at = offset.saturating_add(before as u64);
        let later = Later::new(file.clone(), tail_at, tail);
        self.unread.pass(usize::MAX);
        if later.read(&mut self.tail).is_err() {
            return false;
        }
        // The meaning of a line depends on its start.
        let Some(line) = memchr::memchr(b'\n', &self.tail) else { return false };
        let skipped = line.saturating_add(1);
        let text = self.tail.get(skipped..).unwrap_or_default();
        let Some(end) = end_of_short_game(&mut self.parser, text, &mut self.spare) else {
            return false;
        };
        let end = before.saturating_add(skipped).saturating_add(end);
        let place = InBlock::new(self.take_place(end));
        // The old bytes stay, so that the buffer need not be zeroed when the new ones are read.
        *block = Block::new(std::mem::take(&mut block.bytes), end, place);
        block.later = Some(Later::new(later.file, offset, window));
        true
    }

    /// Makes a block of the buffered bytes up to `end`. The block also holds the rest of the
    /// window, for the parser's lookahead; the next block holds that rest again.
    fn hand_out(&mut self, window: usize, end: usize, block: &mut Block) {
        let place = InBlock::new(self.take_place(end));
        let mut bytes = std::mem::take(&mut block.bytes);
        if is_too_large(&bytes, window) {
            bytes = Vec::new();
        }
        let bytes = self.unread.hand_out(window, end, bytes);
        *block = Block::new(bytes, end, place);
    }

    /// Handles a game that is too long: makes a block that is cut off inside the game, then skips
    /// to the next tag section.
    fn skip_long_game(&mut self, block: &mut Block) {
        let held = self.unread.as_slice().get(..self.max_game).unwrap_or_default();
        // The first section is the game's own tag section.
        let mut found = next_section(held, self.max_game / 2, false);
        let end = match found {
            NextSection::At(at) | NextSection::Perhaps(at) => at,
            NextSection::None => held.len(),
        };
        let place = InBlock::new(self.place);
        let block_end = place.offset().saturating_add(end as u64);
        self.place = Place { offset: place.offset(), ..Place::default() };
        block.clear();
        let mut bytes = std::mem::take(&mut block.bytes);
        bytes.extend_from_slice(self.unread.as_slice().get(..end).unwrap_or_default());
        *block = Block::new(bytes, end, place);
        block.cut = true;
        let mut searched = self.max_game;
        loop {
            let passed = match found {
                NextSection::At(at) => return self.consume(at, block_end),
                NextSection::Perhaps(at) => at,
                NextSection::None => searched,
            };
            if self.ended && searched >= self.unread.len() {
                return self.consume(searched, block_end);
            }
            self.consume(passed.saturating_sub(BEFORE_TAG), block_end);
            self.fill(self.unread.len().saturating_mul(2).max(self.block_size));
            searched = self.unread.len();
            found = next_section(self.unread.as_slice(), 0, self.ended);
        }
    }

    /// Returns the place where a block of `bytes` bytes begins, and advances past the block.
    fn take_place(&mut self, bytes: usize) -> Place {
        let offset = self.place.offset.saturating_add(bytes as u64);
        std::mem::replace(&mut self.place, Place { offset, ..Place::default() })
    }

    /// Skips `bytes` bytes. The parser of the block counts the lines before `block_end`.
    fn consume(&mut self, bytes: usize, block_end: u64) {
        let text = self.unread.as_slice();
        let text = text.get(..bytes).unwrap_or(text);
        let counted = block_end.saturating_sub(self.place.offset);
        let counted = usize::try_from(counted).unwrap_or(usize::MAX).min(text.len());
        self.place.offset = self.place.offset.saturating_add(counted as u64);
        self.place = after(self.place, text.get(counted..).unwrap_or_default());
        self.unread.pass(bytes);
    }
}

chess_store::inherent!(StreamGames<Error, Parser> for [R: Read + Send] Cutter<R>);

impl<R: Read + Send> StreamGames for Cutter<R> {
    type Error = Error;
    type Parser = Parser;

    fn block(&mut self, block: &mut Block) -> Result<bool, Error> {
        self.find_date_order();
        if self.cut_later(block) {
            return Ok(true);
        }
        let mut window = self.block_size.min(self.max_game);
        loop {
            // One byte more shows whether the stream goes on.
            self.fill(window.saturating_add(1));
            self.refuse_utf16()?;
            let length = self.unread.len();
            if self.ended && length <= window {
                if let Some(error) = self.failure.take_if(|_| length == 0) {
                    return Err(error);
                }
                if length > 0 {
                    self.about = parse_facts(self.unread.as_slice(), &self.decoder);
                }
                self.hand_out(length, length, block);
                block.broken = self.failure.is_some();
                return Ok(length > 0);
            }
            let hard = window >= self.block_size.saturating_mul(PARSE_ALL_FROM).min(self.max_game);
            if let Some(end) = self.find_cut(window, hard) {
                self.hand_out(window, end, block);
                return Ok(true);
            }
            if window >= self.max_game {
                self.skip_long_game(block);
                return Ok(true);
            }
            window = window.saturating_mul(2).min(self.max_game);
        }
    }

    fn as_split_text(&mut self) -> Option<&mut dyn SplitText> {
        Some(self)
    }

    fn parser(&self) -> Parser {
        let mut parser = Parser::new(self.decoder, self.max_game);
        parser.date_order = self.date_order.clone();
        parser
    }

    fn about(&self) -> About {
        self.about.clone()
    }
}

impl<R: Read + Send> SplitText for Cutter<R> {
    fn seek(&mut self, place: InBlock<Place>) -> bool {
        if !matches!(self.inner, Inner::File(..)) {
            return false;
        }
        self.find_date_order();
        self.unread.pass(usize::MAX);
        (self.ended, self.failure) = (false, None);
        self.place = place.into_relative();
        true
    }

    fn game_end_after(&mut self, offset: u64) -> Option<u64> {
        let Inner::File(file, size) = &self.inner else { return None };
        let before = offset.min(SEEN_BEFORE as u64);
        let start = offset.saturating_sub(before);
        let length = size.saturating_sub(start).min((SEEN_BEFORE + SEEN_AFTER) as u64);
        let seen = Later::new(file.clone(), start, usize::try_from(length).ok()?);
        seen.read(&mut self.tail).ok()?;
        // The meaning of a line depends on its start.
        let line = memchr::memchr(b'\n', &self.tail)?.saturating_add(1);
        let text = self.tail.get(line..).unwrap_or_default();
        let mut from = usize::try_from(before).ok()?.saturating_sub(line);
        for _ in 0..CANDIDATES {
            let game = first_certain_start(text, from)?;
            let outcome = self.parser.parse(text.get(game..)?, false, 0..0, &mut self.spare);
            if outcome.found && !outcome.hit_end {
                let end = line.saturating_add(game).saturating_add(outcome.end);
                return Some(start.saturating_add(end as u64));
            }
            from = game.saturating_add(1);
        }
        None
    }
}

impl<R> fmt::Debug for Cutter<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cutter").field("place", &self.place).finish_non_exhaustive()
    }
}

/// Returns whether `text` is UTF-16: it begins with a byte order mark, or with ASCII characters of
/// two bytes each.
pub(crate) fn is_utf16(text: &[u8]) -> bool {
    if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
        return true;
    }
    let start = text.get(..UTF16_SEEN).unwrap_or(text);
    let ascii = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let pairs = start.as_chunks::<2>().0;
    let little = pairs.iter().all(|[low, high]| ascii(low) && *high == 0);
    let big = pairs.iter().all(|[high, low]| ascii(low) && *high == 0);
    pairs.len() > 2 && (little || big)
}

/// Parses every game, and returns the end of the last game that ends before `text` does.
fn last_end(parser: &mut Parser, text: &[u8], file_start: bool, spare: &mut Game) -> Option<usize> {
    let (mut end, mut unclosed) = (0usize, 0..0);
    loop {
        let rest = text.get(end..).unwrap_or_default();
        let outcome = parser.parse(rest, file_start && end == 0, unclosed, spare);
        if !outcome.found || outcome.hit_end {
            return (end > 0).then_some(end);
        }
        end = end.saturating_add(outcome.end);
        let known = outcome.unclosed;
        unclosed = known.start.saturating_sub(outcome.end)..known.end.saturating_sub(outcome.end);
    }
}

/// Returns whether `buffer` is much larger than `wanted`, because of an unusually long game.
fn is_too_large(buffer: &Vec<u8>, wanted: usize) -> bool {
    buffer.capacity() > wanted.max(BLOCK_SIZE).saturating_mul(PARSE_ALL_FROM).saturating_mul(2)
}

/// Returns the end of a game near the end of `text`, if such a game ends before `text` does.
fn end_of_short_game(parser: &mut Parser, text: &[u8], spare: &mut Game) -> Option<usize> {
    let start = short_game(text)?;
    let outcome = parser.parse(text.get(start..)?, false, 0..0, spare);
    (outcome.found && !outcome.hit_end).then(|| start.saturating_add(outcome.end))
}

/// Returns the start of a game near the end of `text` that ends before `text` does. It picks the
/// shortest of several candidates, because the game must be parsed.
fn short_game(text: &[u8]) -> Option<usize> {
    let mut next = last_certain_start(text, text.len().saturating_sub(MARGIN))?;
    let mut best: Option<(usize, usize)> = None;
    for _ in 0..CANDIDATES {
        let Some(start) = last_certain_start(text, next) else { break };
        let length = next.saturating_sub(start);
        if best.is_none_or(|(_, shortest)| length < shortest) {
            best = Some((start, length));
        }
        if start < text.len() / 2 {
            break;
        }
        next = start;
    }
    best.map(|(start, _)| start)
}

#[cfg(test)]
mod tests;
