//! An index that is kept in a file beside the text.
//!
//! The file of `games.pgn` is `games.pgn.sidx`. It is written only if the caller asks for it, and it
//! is read only if its [fingerprint](fingerprint) equals that text's and its checksum is right.
//! Otherwise the text is read, as without an index.
//!
//! ```text
//! fingerprint   program version, format, options; size, times, inode and both ends of the text
//! text          games, and the place where the last block ends
//! names         each once
//! blocks        games in the block; rows and main lines, if they are kept
//! entries       places from which games can be parsed
//! checksum
//! ```

use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use chess_store::erased::{Database, Format, Opener};
use chess_store::files::Staged;
use chess_store::files::beside::{Feed, Sink, add_file, is_settled, refuse_others};
use chess_store::io::ReadAt as _;
use chess_store::{BlockStart, InBlock, Input, OpenOptions, Place, system_message};

use super::kept::{Kept, Part};
use super::{BlockEntry, Entry, Indexed};
use crate::base::{Base, Progress, Unit, is_pipe, open_as, open_with};
use crate::detect::detect;
use crate::error::Error;
use crate::pipeline::available_threads;

/// The first bytes of an index. The digit is the version of its layout.
const MAGIC: [u8; 8] = *b"SCOREIX1";

/// The extension that is added to the name of the text.
const EXTENSION: &str = "sidx";

/// The most bytes of headers and main lines that an index keeps in memory and in its file.
const KEPT: usize = 1 << 29;

/// The longest block that an index may name, with the bytes after it: four times the longest game.
pub(super) const MAX_BLOCK: usize = 1 << 26;

/// The outcome of a request for an index.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexUse {
    /// The index was read.
    Read,
    /// The text was read and the index written. An older index, if there was one, did not belong to
    /// the text as it is now.
    Written,
    /// The text was read, and the index could not be written, for this reason.
    NotWritten(String),
    /// The base has no use for an index: it is not an uncompressed text in a file.
    Unsuitable,
}

/// Opens a base like [`open_with`](crate::open_with). The games of an uncompressed text are found
/// by an index in a file beside the text, `games.pgn.sidx`. If that file is missing, damaged or
/// stale, the text is read once and the file is written.
///
/// Lists and searches then need not read the text again. The index holds headers and main lines, of
/// at most 512 MiB, and this much is in memory. Later games are read when they are needed.
///
/// The index belongs to the text if the size, the times, the inode and 64 KiB at both ends of the
/// text are as they were, and so are the options and the version of this library. Only a program
/// that restores all of them after a change in the middle could deceive it.
/// [`Base::about`] is unknown if the index was read.
///
/// If `progress` breaks, no index is written, and the base is read as without one.
///
/// # Errors
/// [`Error`], as without an index. An index that cannot be read or written is not an error.
pub fn open_with_index(
    path: impl AsRef<Path>,
    options: &OpenOptions,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<(Base, IndexUse), Error> {
    let path = path.as_ref();
    if is_pipe(path) {
        return Ok((open_with(path, options)?, IndexUse::Unsuitable));
    }
    let format = detect(path)?;
    let base = open_as(path, format, options)?;
    // A compressed text has no size.
    if !matches!(format.open, Some(Opener::Source(_))) || base.size().is_none() {
        return Ok((base, IndexUse::Unsuitable));
    }
    let failed = |error| Error::io(path, error);
    let file = File::open(path).map_err(failed)?;
    let before = file.metadata().map_err(failed)?;
    let file = Input::from(file);
    let expected = fingerprint(&file, &before, format, options).map_err(failed)?;
    let beside = beside(path);
    if let Some(games) = Indexed::restore(&beside, &expected, file.clone(), format, options) {
        return Ok((base_of(games, base), IndexUse::Read));
    }
    let is_settled = is_settled(&before, SystemTime::now());
    let games = Indexed::new(file.clone(), format, options);
    let mut games = games.map_err(|error| Error::base(path, error))?;
    if games.rows.is_some() {
        return Ok((base, IndexUse::Unsuitable));
    }
    games.kept = Some(Kept::new(KEPT).exact());
    let mut done = |done| progress(Progress { done, total: base.size(), unit: Unit::Bytes });
    match games.grow_on(available_threads(), format, options, &mut done) {
        Ok(true) => {}
        Ok(false) => return Ok((base, IndexUse::NotWritten("it was interrupted".to_owned()))),
        // Reading the text reports the error where it is.
        Err(error) => return Ok((base, IndexUse::NotWritten(error.to_string()))),
    }
    let written = if is_settled {
        games.write(&beside, &expected, || {
            let now = file_metadata(path)?;
            Ok(fingerprint(&file, &now, format, options)? == expected)
        })
    } else {
        Err("the file changed less than 2 seconds ago; run the command again".to_owned())
    };
    let used = written.map_or_else(IndexUse::NotWritten, |()| IndexUse::Written);
    Ok((base_of(games, base), used))
}

/// Returns the base of an index. A `text` without games stays a stream, so that it is reported as
/// one.
fn base_of(games: Indexed, text: Base) -> Base {
    if games.is_empty() {
        return text;
    }
    let games: Arc<dyn Database> = Arc::new(games);
    Base::from_database(games, text.path(), text.format())
}

/// Returns the path of the index of a text.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(EXTENSION);
    name.into()
}

fn file_metadata(path: &Path) -> io::Result<Metadata> {
    File::open(path)?.metadata()
}

/// Returns all that the index of a text depends on, as bytes.
fn fingerprint(
    file: &Input,
    found: &Metadata,
    format: &Format,
    options: &OpenOptions,
) -> io::Result<Vec<u8>> {
    let mut bytes = reading(format, options);
    add_file(&mut bytes, file, found)?;
    Ok(bytes)
}

/// Returns the program version, the format and the options, as bytes.
pub(super) fn reading(format: &Format, options: &OpenOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut text = |text: &str| {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    };
    text(env!("CARGO_PKG_VERSION"));
    text(format.name);
    text(options.encoding.map_or("", |encoding| encoding.name()));
    for (name, value) in options.settings.iter() {
        text(name);
        text(value);
    }
    bytes
}

impl Indexed {
    /// Writes the index, if `is_unchanged` still holds then. The error says why it was not written.
    fn write(
        &self,
        path: &Path,
        fingerprint: &[u8],
        is_unchanged: impl Fn() -> io::Result<bool>,
    ) -> Result<(), String> {
        let failed = |error: io::Error| system_message(&error).to_string();
        refuse_others(path, &MAGIC)?;
        let mut staged = Staged::new();
        let file = staged.create(path).map_err(failed)?;
        self.save(BufWriter::new(file), fingerprint).map_err(failed)?;
        if !is_unchanged().map_err(failed)? {
            return Err("the file changed while it was read".to_owned());
        }
        staged.commit().map_err(failed)
    }

    fn save<W: Write>(&self, out: W, fingerprint: &[u8]) -> io::Result<W> {
        let mut sink = Sink::new(out);
        sink.put(&MAGIC)?;
        sink.sized(fingerprint)?;
        self.next.save(&mut sink)?;
        self.kept.as_ref().unwrap_or(&Kept::new(0)).save(&mut sink)?;
        sink.number(self.blocks.len() as u64)?;
        let ends = self.blocks.iter().skip(1).map(|next| next.games).chain([self.next.games]);
        for (block, end) in self.blocks.iter().zip(ends) {
            sink.number(end.saturating_sub(block.games))?;
            sink.number(u64::from(block.part.is_some()))?;
            if let Some(part) = &block.part {
                part.save(&mut sink)?;
            }
        }
        sink.number(self.entries.len() as u64)?;
        self.entries.iter().try_for_each(|entry| entry.save(&mut sink))?;
        sink.finish()
    }

    /// Reads the index of a text. Returns `None` if there is none that can be believed.
    fn restore(
        path: &Path,
        fingerprint: &[u8],
        text: Input,
        format: &Format,
        options: &OpenOptions,
    ) -> Option<Indexed> {
        // Opening a pipe would wait for its writer.
        if !fs::metadata(path).ok()?.is_file() {
            return None;
        }
        let index = BufReader::with_capacity(1 << 16, File::open(path).ok()?);
        let mut games = Indexed::new(text, format, options).ok()?;
        games.fill(index, fingerprint)?;
        // The first block decides how the dates of the text are read.
        let Indexed { source, spare, .. } = &mut games;
        let (source, parser) = source.get_mut().ok()?;
        source.block(&mut spare.0).ok()?;
        *parser = source.parser();
        Some(games)
    }

    /// Fills an empty index with what [`save`](Indexed::save) wrote.
    fn fill(&mut self, index: impl Read, fingerprint: &[u8]) -> Option<()> {
        let size = self.file.size().ok()?;
        let mut feed = Feed::new(index);
        if feed.array()? != MAGIC || feed.sized()? != fingerprint {
            return None;
        }
        self.next = BlockStart::restore(&mut feed)?;
        let kept = Kept::restore(&mut feed)?;
        let mut games = 0u64;
        for _ in 0..feed.number()? {
            let in_block = feed.number().filter(|games| *games > 0)?;
            let part = match feed.number()? {
                0 => None,
                _ => Some(Part::read(&mut feed, &kept)?),
            };
            if part.as_ref().is_some_and(|part| part.len() as u64 != in_block) {
                return None;
            }
            self.blocks.push(BlockEntry { games, part });
            games = games.checked_add(in_block)?;
        }
        for _ in 0..feed.number()? {
            let entry = Entry::restore(&mut feed)?;
            let end = entry.place.offset().checked_add(entry.length as u64)?;
            let first = self.entries.last().map_or(0, |before| before.start.games);
            let fits = entry.length <= MAX_BLOCK && entry.end <= entry.length && end <= size;
            if !fits || entry.start.games < first || entry.start.games >= self.next.games {
                return None;
            }
            self.entries.push(entry);
        }
        self.kept = Some(kept);
        self.is_complete = true;
        let starts = self.entries.first().map_or(0, |first| first.start.games) == 0;
        let covers = starts && self.entries.is_empty() == (games == 0);
        (covers && games == self.next.games && feed.ends_whole()).then_some(())
    }
}

pub(super) trait Saved: Sized {
    fn save(&self, sink: &mut Sink<impl Write>) -> io::Result<()>;
    fn restore(feed: &mut Feed<impl Read>) -> Option<Self>;
}

impl Saved for Place {
    fn save(&self, sink: &mut Sink<impl Write>) -> io::Result<()> {
        sink.number(self.offset)?;
        sink.number(self.line)?;
        sink.number(self.column)
    }

    fn restore(feed: &mut Feed<impl Read>) -> Option<Place> {
        Some(Place { offset: feed.number()?, line: feed.number()?, column: feed.number()? })
    }
}

impl Saved for BlockStart {
    fn save(&self, sink: &mut Sink<impl Write>) -> io::Result<()> {
        sink.number(self.games)?;
        self.after.save(sink)
    }

    fn restore(feed: &mut Feed<impl Read>) -> Option<BlockStart> {
        Some(BlockStart { games: feed.number()?, after: Place::restore(feed)? })
    }
}

impl Saved for Entry {
    fn save(&self, sink: &mut Sink<impl Write>) -> io::Result<()> {
        self.place.relative().save(sink)?;
        self.start.save(sink)?;
        let sizes = [self.block, self.length as u64, self.end as u64, u64::from(self.cut)];
        sizes.into_iter().try_for_each(|number| sink.number(number))
    }

    fn restore(feed: &mut Feed<impl Read>) -> Option<Entry> {
        Some(Entry {
            place: InBlock::new(Place::restore(feed)?),
            start: BlockStart::restore(feed)?,
            block: feed.number()?,
            length: usize::try_from(feed.number()?).ok()?,
            end: usize::try_from(feed.number()?).ok()?,
            cut: feed.number()? == 1,
        })
    }
}

#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod tests;
