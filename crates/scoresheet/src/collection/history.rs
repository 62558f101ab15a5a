//! The files that an update leaves beside a base: a log, and the files as they were.
//!
//! They are named after the index, as bases of two formats may differ in the extension only.
//!
//! `base.si4.updates` has a line for each game that was read: a hash of the game, and what came of
//! it. A game whose hash is in the log is not read again, so that an older copy undoes no
//! correction. The line of an update has a hash of the base after it.
//!
//! `base.si4.undo` has the files of the base and the log before the last update. A line has a hash
//! of that base. A line for each file follows, with its length and name; then an empty line, and the
//! bytes. The file is complete before the base changes.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use chess_store::erased::Opener;
use chess_store::files::{BaseFiles, Staged};

use crate::detect::{base_files, beside, detect};
use crate::error::Error;

const MAGIC: &str = "scoresheet undo 1";
/// The most lines of a log. The oldest go first.
const MAX_LINES: usize = 200_000;
/// The most bytes of a log that is read.
const MAX_BYTES: u64 = 1 << 26;

/// The log of the updates of a base. The default is empty.
#[derive(Debug, Default)]
pub struct History {
    base: PathBuf,
    lines: Vec<String>,
    known: HashSet<u64>,
}

impl History {
    /// Reads the log beside a base. It is empty if there is none.
    ///
    /// # Errors
    /// I/O errors.
    pub fn open(base: &Path) -> Result<History, Error> {
        let path = beside(&base_files(base)?, "updates");
        let mut text = String::new();
        match File::open(&path) {
            Ok(file) => {
                let read = file.take(MAX_BYTES).read_to_string(&mut text);
                read.map_err(|error| Error::io(&path, error))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io(&path, error)),
        }
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let hash = |line: &String| u64::from_str_radix(line.split(' ').next()?, 16).ok();
        let known = lines.iter().filter_map(hash).collect();
        Ok(History { base: base.into(), lines, known })
    }

    /// Returns whether an update has read this game.
    pub(super) fn knows(&self, game: u64) -> bool {
        self.known.contains(&game)
    }

    /// Saves the files of the base, so that [`undo`] can restore them.
    ///
    /// # Errors
    /// I/O errors.
    pub fn save(&self) -> Result<(), Error> {
        let mut files = base_files(&self.base)?;
        let (path, log) = (beside(&files, "undo"), beside(&files, "updates"));
        let io = |error| Error::io(&path, error);
        let mut head = format!("{MAGIC} {:016x}\n", state_of(&files)?);
        files.extend(Some(log).filter(|log| log.exists()));
        for file in &files {
            let length = fs::metadata(file).map_err(|error| Error::io(file, error))?.len();
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let _ = writeln!(head, "{length} {name}");
        }
        let mut staged = Staged::new();
        let mut out = staged.create(&path).map_err(io)?;
        out.write_all(head.as_bytes()).and_then(|()| out.write_all(b"\n")).map_err(io)?;
        for file in &files {
            let mut from = File::open(file).map_err(|error| Error::io(file, error))?;
            io::copy(&mut from, &mut out).map_err(io)?;
        }
        drop(out);
        staged.commit().map_err(io)
    }

    /// Appends an update to the log: a line about it, and a line for each game.
    ///
    /// # Errors
    /// I/O errors.
    pub fn add(&mut self, about: &str, games: &[(u64, String)]) -> Result<(), Error> {
        let files = base_files(&self.base)?;
        let state = state_of(&files)?;
        self.lines.push(format!("# {state:016x} {}", about.replace(['\n', '\r'], " ")));
        for (hash, what) in games {
            self.known.insert(*hash);
            self.lines.push(format!("{hash:016x} {}", what.replace(['\n', '\r'], " ")));
        }
        let surplus = self.lines.len().saturating_sub(MAX_LINES);
        self.lines.drain(..surplus);
        let mut text = self.lines.join("\n");
        text.push('\n');
        write(&beside(&files, "updates"), text.as_bytes())
    }
}

/// Restores the files of a base as they were before its last update. Returns a line about what was
/// taken back. With `force`, changes that came after the update are lost.
///
/// # Errors
/// I/O errors; nothing to undo; another program is changing the base; without `force`, a base that
/// was changed after the update, or by an update that was interrupted.
pub fn undo(base: &Path, force: bool) -> Result<String, Error> {
    let format = detect(base)?;
    let index = format.extensions.first().copied().unwrap_or_default();
    // A text is one file, and nobody locks it.
    let locked = match format.open {
        Some(Opener::Source(_)) => None,
        _ => Some(
            BaseFiles::locate_for_change(base, index).map_err(|error| Error::io(base, error))?,
        ),
    };
    let places = base_files(base)?;
    let (path, log) = (beside(&places, "undo"), beside(&places, "updates"));
    let io = |error| Error::io(&path, error);
    let mut file = File::open(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io(other("there is no update to undo")),
        _ => io(error),
    })?;
    let length = file.metadata().map_err(io)?.len();
    let saved = Saved::read(&mut BufReader::new(&file)).map_err(io)?;
    if saved.files.is_empty() || saved.end() != length {
        return Err(io(other("the file is damaged")));
    }
    let (mut contents, mut before) = (Vec::new(), None);
    let mut start = saved.start;
    for (length, name) in &saved.files {
        let is_it = |place: &&PathBuf| place.file_name().is_some_and(|own| own == &**name);
        if is_it(&&log) {
            before = Some((start, *length));
        } else if let Some(place) = places.iter().find(is_it) {
            contents.push((place, start, *length));
        } else {
            return Err(io(other(&format!("it holds {name}, which is not a file of the base"))));
        }
        start = start.saturating_add(*length);
    }
    let mut log_before = String::new();
    if let Some((start, length)) = before {
        file.seek(SeekFrom::Start(start)).map_err(io)?;
        (&file).take(length).read_to_string(&mut log_before).map_err(io)?;
    }
    let log_now = match fs::read_to_string(&log) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| Error::io(&log, error))?,
    };
    let state = state_of(&places)?;
    // The log is written last.
    let about = if log_now == log_before {
        if state == saved.state {
            remove(&path)?;
            return Ok("an update that changed nothing".to_owned());
        }
        if !force {
            let message =
                "an update was interrupted, or another program has changed the base since";
            return Err(io(other(message)));
        }
        "an update that was interrupted".to_owned()
    } else {
        let last = log_now.lines().rfind(|line| line.starts_with("# ")).unwrap_or_default();
        let (after, what) = last.get(2..).and_then(|l| l.split_once(' ')).unwrap_or_default();
        if !force && u64::from_str_radix(after, 16).ok() != Some(state) {
            return Err(io(other("the base was changed after the update")));
        }
        what.to_owned()
    };
    let mut staged = locked.map_or_else(Staged::new, |locked| locked.stage());
    // The index is the first file of a format, and must be created last.
    for (place, start, length) in contents.into_iter().rev() {
        file.seek(SeekFrom::Start(start)).map_err(io)?;
        let mut out = staged.create(place).map_err(|error| Error::io(place, error))?;
        let copied = io::copy(&mut (&file).take(length), &mut out);
        copied.map_err(|error| Error::io(place, error))?;
    }
    staged.commit().map_err(|error| Error::io(base, error))?;
    // If this is interrupted, the base is as it was before, which the next call notices.
    match before {
        Some(_) => write(&log, log_before.as_bytes())?,
        None if log.exists() => remove(&log)?,
        None => {}
    }
    remove(&path)?;
    Ok(about)
}

/// The first lines of an undo file.
struct Saved {
    /// The hash of the base.
    state: u64,
    /// Lengths and names.
    files: Vec<(u64, String)>,
    /// The offset of the bytes of the first file.
    start: u64,
}

impl Saved {
    fn read(input: &mut impl BufRead) -> io::Result<Saved> {
        let damaged = || other("the file is damaged");
        let mut input = input.take(1 << 16);
        let mut saved = Saved { state: 0, files: Vec::new(), start: 0 };
        let mut line = String::new();
        loop {
            line.clear();
            let is_first = saved.start == 0;
            let read = input.read_line(&mut line)?;
            saved.start = saved.start.saturating_add(read as u64);
            let text = line.strip_suffix('\n').ok_or_else(|| other("the file is cut"))?;
            if is_first {
                let state = text.strip_prefix(MAGIC).and_then(|text| text.strip_prefix(' '));
                let state = state.ok_or_else(|| other("not a file of an update"))?;
                saved.state = u64::from_str_radix(state, 16).map_err(|_| damaged())?;
            } else if text.is_empty() {
                return Ok(saved);
            } else {
                let (length, name) = text.split_once(' ').ok_or_else(damaged)?;
                let length = length.parse().map_err(|_| damaged())?;
                saved.files.push((length, name.to_owned()));
            }
        }
    }

    /// Returns the length of the undo file.
    fn end(&self) -> u64 {
        self.files.iter().fold(self.start, |end, (length, _)| end.saturating_add(*length))
    }
}

fn other(message: &str) -> io::Error {
    io::Error::other(message.to_owned())
}

/// Returns a hash of all files: FNV-1a.
fn state_of(files: &[PathBuf]) -> Result<u64, Error> {
    let mut state = 0xcbf2_9ce4_8422_2325u64;
    for path in files {
        let io = |error| Error::io(path, error);
        let mut input = BufReader::with_capacity(1 << 16, File::open(path).map_err(io)?);
        loop {
            let bytes = input.fill_buf().map_err(io)?;
            if bytes.is_empty() {
                break;
            }
            let mix = |state: u64, byte: &u8| {
                (state ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
            };
            state = bytes.iter().fold(state, mix);
            let read = bytes.len();
            input.consume(read);
        }
    }
    Ok(state)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut staged = Staged::new();
    let created = staged.create(path).and_then(|mut file| file.write_all(bytes));
    created.and_then(|()| staged.commit()).map_err(|error| Error::io(path, error))
}

fn remove(path: &Path) -> Result<(), Error> {
    fs::remove_file(path).map_err(|error| Error::io(path, error))
}
