//! Finds the games of a text in sections, on several threads or in several processes.
//!
//! [`Indexed::split`] divides the text into ranges of bytes and reads nothing. A section has the
//! games from the first game end in its range to the first one after it, so that the finders of two
//! neighbours agree on where one ends and the other begins. A [`SectionFinder`] finds the games of a
//! section, on any thread. [`Indexed::attach`] adds them to the index.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use chess_core::Game;
use chess_store::erased::{Format, Parser, Source};
use chess_store::files::beside::{Feed, Sink};
use chess_store::io::ReadAt;
use chess_store::{AnyError, Block, Diagnostics, InBlock, Input, OpenOptions, Place};

use super::kept::{Kept, Part};
use super::saved::{MAX_BLOCK, Saved};
use super::{Entry, FoundBlock, Indexed, Point, find_games, open_source};
use crate::par_chunks::share;

/// The bytes at the end of a text that are in no section, so that the last section ends before them.
const REST: u64 = 1 << 17;

/// The usual size of a section in bytes.
const SECTION_SIZE: usize = 1 << 20;

/// The number of sections for each thread that are found before they are attached.
const SECTIONS_PER_THREAD: usize = 8;

/// A range of a text that [`Indexed::split`] returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextSection {
    from: u64,
    to: u64,
    /// Whether a game ends at `from`.
    starts_at_from: bool,
}

impl TextSection {
    /// Returns the section as numbers, for another process.
    #[must_use]
    pub fn to_numbers(self) -> [u64; 3] {
        [self.from, self.to, u64::from(self.starts_at_from)]
    }

    /// Returns the section that [`to_numbers`](TextSection::to_numbers) gave as numbers.
    #[must_use]
    pub fn from_numbers([from, to, starts_at_from]: [u64; 3]) -> TextSection {
        TextSection { from, to, starts_at_from: starts_at_from == 1 }
    }
}

/// The games that a [`SectionFinder`] found in a section.
pub struct FoundSection {
    section: TextSection,
    /// Where its games begin and end.
    start: u64,
    end: u64,
    blocks: Vec<FoundBlock>,
    /// The names of the rows of the blocks.
    kept: Kept,
}

/// Finds the games of sections of a text, for an [`Indexed`] of the same text and options.
pub struct SectionFinder {
    file: Arc<SectionFile>,
    source: Box<dyn Source>,
    parser: Box<dyn Parser + Send>,
    spare: (Block, Game, InBlock<Diagnostics>),
    is_exact: bool,
    /// The games found in the section so far.
    found: Option<FoundSection>,
}

/// The state of a search in a section.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum SectionStep {
    /// The section has more games.
    Unfinished,
    /// All games were found.
    Done(FoundSection),
    /// The section cannot be read to its end. [`Indexed::grow`] returns the error.
    Failed,
}

impl SectionFinder {
    /// Creates a finder for an uncompressed file whose [format](Format::open) is a stream.
    ///
    /// # Errors
    /// Errors of the format, and [`IndexedErrorKind::NoStream`](super::IndexedErrorKind::NoStream).
    pub fn new(
        file: impl Into<Input>,
        format: &Format,
        options: &OpenOptions,
    ) -> Result<SectionFinder, AnyError> {
        let file = Arc::new(SectionFile { file: file.into(), section: Mutex::default() });
        let (source, _) = open_source(Arc::clone(&file).into(), format, options)?;
        let parser = source.parser();
        let spare = <_>::default();
        Ok(SectionFinder { file, source, parser, spare, is_exact: false, found: None })
    }

    /// Leaves the headers of games with untyped tags to the text.
    fn exact(self, is_exact: bool) -> SectionFinder {
        SectionFinder { is_exact, ..self }
    }

    /// Finds the games of a section. `None` if it cannot be read to its end; [`Indexed::grow`] then
    /// returns the error.
    pub fn find(&mut self, section: TextSection) -> Option<FoundSection> {
        self.begin(section);
        loop {
            match self.step() {
                SectionStep::Unfinished => {}
                SectionStep::Done(found) => return Some(found),
                SectionStep::Failed => return None,
            }
        }
    }

    /// Begins a section. Each [`step`](SectionFinder::step) reads a block of it.
    pub fn begin(&mut self, section: TextSection) {
        self.found = self.bounds(section).map(|[start, end]| {
            let kept = Kept::new(usize::MAX);
            let kept = if self.is_exact { kept.exact() } else { kept };
            FoundSection { section, start, end, blocks: Vec::new(), kept }
        });
    }

    fn bounds(&mut self, section: TextSection) -> Option<[u64; 2]> {
        let TextSection { from, to, starts_at_from } = section;
        self.file.load(from, to).ok()?;
        let text = self.source.as_split_text()?;
        let start = if starts_at_from { from } else { text.game_end_after(from)? };
        let end = text.game_end_after(to).filter(|end| *end >= start)?;
        text.seek(InBlock::at(start)).then_some([start, end])
    }

    /// Finds the games of one more block of the section.
    pub fn step(&mut self) -> SectionStep {
        let Some(mut found) = self.found.take() else { return SectionStep::Failed };
        match self.read_block(&mut found) {
            Some(true) => SectionStep::Done(found),
            Some(false) => {
                self.found = Some(found);
                SectionStep::Unfinished
            }
            None => SectionStep::Failed,
        }
    }

    /// Returns whether the block is the last one; `None` if it cannot be read.
    fn read_block(&mut self, found: &mut FoundSection) -> Option<bool> {
        if found.start == found.end {
            // The game before goes beyond the section.
            return Some(true);
        }
        let (block, game, notes) = &mut self.spare;
        if !self.source.block(block).ok()? || block.cut || block.broken {
            return None;
        }
        let left = found.end.checked_sub(block.place.offset()).filter(|left| *left > 0)?;
        // The rest of the block is the next section's.
        let end = usize::try_from(left).unwrap_or(usize::MAX);
        let is_last = end <= block.end;
        block.end = end.min(block.end);
        let kept = Some(&mut found.kept);
        found.blocks.push(find_games(&mut *self.parser, block, game, notes, kept).ok()?);
        Some(is_last)
    }
}

/// A text with one section in memory. In a browser each read takes some milliseconds.
struct SectionFile {
    file: Input,
    section: Mutex<Loaded>,
}

#[derive(Default)]
struct Loaded {
    offset: u64,
    bytes: Vec<u8>,
}

/// The bytes before a section that are loaded with it: they decide where its first game begins.
const MARGIN_BEFORE: u64 = 1 << 12;

/// The bytes after a section that are loaded with it: its last game ends there, and its last block
/// may look at more.
const MARGIN: u64 = 1 << 18;

/// The most bytes that are loaded. [`Indexed::split`] may be asked for longer sections.
const MAX_LOADED: u64 = 1 << 23;

impl SectionFile {
    fn load(&self, from: u64, to: u64) -> io::Result<()> {
        let mut loaded = self.section.lock().unwrap_or_else(PoisonError::into_inner);
        let Loaded { offset, bytes } = &mut *loaded;
        *offset = from.saturating_sub(MARGIN_BEFORE);
        let length = to.saturating_sub(*offset).saturating_add(MARGIN).min(MAX_LOADED);
        // The bytes of the section before are overwritten, so they need not be zeroed.
        bytes.resize(usize::try_from(length).unwrap_or(0), 0);
        let read = self.file.read_full(*offset, bytes);
        bytes.truncate(*read.as_ref().unwrap_or(&0));
        read.map(|_| ())
    }
}

impl ReadAt for SectionFile {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let loaded = self.section.lock().unwrap_or_else(PoisonError::into_inner);
        let start = offset.checked_sub(loaded.offset).and_then(|at| usize::try_from(at).ok());
        let found = start.and_then(|start| loaded.bytes.get(start..)).unwrap_or_default();
        if found.is_empty() {
            return self.file.read_at(offset, buffer);
        }
        let count = found.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), found.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
}

impl Indexed {
    /// Splits off the next section, of about `size` bytes. Returns `None` if
    /// [`grow`](Indexed::grow) must go on: near the end of the text, after a section that could not
    /// be found, and in formats that cannot be split.
    ///
    /// Call `grow` when all sections are [attached](Indexed::attach). It finds the games of sections
    /// that are not.
    pub fn split(&mut self, size: usize) -> Option<TextSection> {
        let exact = self.ahead.filter(|_| !self.is_complete && self.can_split)?;
        // The place after a long game has lines that only the source knows.
        let is_at_start = *exact.relative() == Place { offset: exact.offset(), ..Place::default() };
        let from = self.split_to.max(exact.offset());
        let to = from.saturating_add(size.max(1) as u64);
        let has_rest = to.saturating_add(REST) < self.file.size().ok()?;
        let (source, _) = self.source.get_mut().unwrap_or_else(PoisonError::into_inner);
        let can_seek =
            self.split_to > 0 || source.as_split_text().is_some_and(|text| text.seek(exact));
        if !is_at_start || !has_rest || !can_seek {
            return None;
        }
        let section = TextSection { from, to, starts_at_from: from == exact.offset() };
        self.split_to = to;
        self.sections.push_back((section, None));
        Some(section)
    }

    /// Adds the games of a section. Sections may come in any order. Their games are in the index
    /// when all sections before are attached. Returns `false` if the section is not one that was
    /// split off, or no longer.
    pub fn attach(&mut self, found: FoundSection) -> bool {
        let mut sections = self.sections.iter_mut();
        let Some((_, place)) = sections.find(|(section, _)| *section == found.section) else {
            return false;
        };
        *place = Some(found);
        while let Some(found) = self.sections.front_mut().and_then(|(_, found)| found.take()) {
            let FoundSection { start, end, mut blocks, kept, .. } = found;
            // Finders of one text agree, unless it has changed.
            if self.ahead != Some(InBlock::at(start)) {
                self.rejoin();
                return false;
            }
            self.sections.pop_front();
            self.ahead = Some(InBlock::at(end));
            let parts = blocks.iter_mut().map(|block| &mut block.part);
            match &mut self.kept {
                Some(own) => own.adopt(&kept, parts),
                None => parts.for_each(|part| *part = None),
            }
            blocks.into_iter().for_each(|block| self.push(block));
        }
        true
    }

    /// Gives up the sections that are not attached: [`grow`](Indexed::grow) finds their games. `grow`
    /// itself calls this.
    pub fn rejoin(&mut self) {
        if std::mem::take(&mut self.split_to) == 0 {
            return;
        }
        self.can_split &= self.sections.is_empty();
        self.sections.clear();
        let (source, _) = self.source.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let (Some(start), Some(text)) = (self.ahead, source.as_split_text()) {
            text.seek(start);
        }
    }

    /// Finds all games, on `threads` threads. Returns `false` if `progress` broke before; it gets
    /// the number of bytes searched.
    ///
    /// # Errors
    /// Errors of the stream.
    pub(super) fn grow_on(
        &mut self,
        threads: usize,
        format: &Format,
        options: &OpenOptions,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<bool, AnyError> {
        let file = self.file.clone();
        let is_exact = self.kept.as_ref().is_some_and(Kept::is_exact);
        let most = threads.saturating_mul(SECTIONS_PER_THREAD);
        loop {
            let next = std::iter::from_fn(|| self.split(SECTION_SIZE));
            let sections: Vec<TextSection> = next.take(most).collect();
            if sections.is_empty() {
                break;
            }
            let found = share(sections.len() as u64, 1, threads, |chunks| {
                let finder = SectionFinder::new(file.clone(), format, options).ok();
                let mut finder = finder.map(|finder| finder.exact(is_exact));
                let mut found = Vec::new();
                while let Some(number) = chunks.take().and_then(|n| usize::try_from(n.start).ok()) {
                    let section = sections.get(number);
                    let finder = finder.as_mut();
                    found.extend(finder.zip(section).and_then(|(f, section)| f.find(*section)));
                }
                found
            });
            let found = found.into_iter().flatten();
            let attached = found.map(|found| self.attach(found)).filter(|is| *is).count();
            if progress(self.position()).is_break() {
                return Ok(false);
            }
            if attached < sections.len() {
                break;
            }
        }
        while self.grow()? {
            if progress(self.position()).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The bytes of what was found, for another process.
impl FoundSection {
    /// Returns the games as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let saved = self.save(Vec::new());
        // A vector takes all bytes.
        saved.unwrap_or_default()
    }

    /// Returns the games that [`to_bytes`](FoundSection::to_bytes) gave as bytes. `None` if they are
    /// damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<FoundSection> {
        let mut feed = Feed::new(bytes);
        let section = [feed.number()?, feed.number()?, feed.number()?];
        let section = TextSection::from_numbers(section);
        let (start, end) = (feed.number()?, feed.number()?);
        let kept = Kept::restore(&mut feed)?;
        let mut blocks = Vec::new();
        for _ in 0..feed.number()? {
            blocks.push(FoundBlock::restore(&mut feed, &kept)?);
        }
        feed.ends_whole().then_some(FoundSection { section, start, end, blocks, kept })
    }

    fn save<W: Write>(&self, out: W) -> io::Result<W> {
        let mut sink = Sink::new(out);
        let places = [self.start, self.end];
        let numbers = self.section.to_numbers().into_iter().chain(places);
        numbers.into_iter().try_for_each(|number| sink.number(number))?;
        self.kept.save(&mut sink)?;
        sink.number(self.blocks.len() as u64)?;
        self.blocks.iter().try_for_each(|block| block.save(&mut sink))?;
        sink.finish()
    }
}

impl FoundBlock {
    fn save(&self, sink: &mut Sink<impl Write>) -> io::Result<()> {
        self.first.save(sink)?;
        sink.number(self.games)?;
        self.used_place.relative().save(sink)?;
        sink.number(self.points.len() as u64)?;
        for Point { games, used, place } in &self.points {
            sink.number(*games)?;
            sink.number(*used as u64)?;
            place.relative().save(sink)?;
        }
        sink.number(u64::from(self.part.is_some()))?;
        self.part.iter().try_for_each(|part| part.save(sink))
    }

    fn restore(feed: &mut Feed<impl Read>, kept: &Kept) -> Option<FoundBlock> {
        let first = Entry::restore(feed)?;
        let games = feed.number()?;
        let used_place = InBlock::new(Place::restore(feed)?);
        let mut points = Vec::new();
        for _ in 0..feed.number()? {
            let (games, used) = (feed.number()?, usize::try_from(feed.number()?).ok()?);
            points.push(Point { games, used, place: InBlock::new(Place::restore(feed)?) });
        }
        let part = match feed.number()? {
            0 => None,
            _ => Some(Part::read(feed, kept)?),
        };
        let is_sound = first.length <= MAX_BLOCK
            && first.end <= first.length
            && points.iter().all(|point| point.games < games && point.used < first.end)
            && part.as_ref().is_none_or(|part| part.len() as u64 == games);
        is_sound.then_some(FoundBlock { first, points, games, used_place, part })
    }
}

#[cfg(test)]
mod tests;
