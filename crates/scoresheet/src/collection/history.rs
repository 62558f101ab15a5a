//! The files that an update leaves beside a base: a log, and the files as they were.
//!
//! `base.updates` has a line for each game that was read: a hash of the game, and what came of it.
//! A game whose hash is in the log is not read again, so that an older copy undoes no correction.
//! The line of an update has a hash of the base after it.
//!
//! `base.undo` has the files of the base and the log before the last update: a line for each file,
//! with its length and name, an empty line, and the bytes. It is complete before the base changes.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use chess_store::files::{Staged, companion};

use crate::detect::detect;
use crate::error::Error;

const MAGIC: &str = "scoresheet undo 1";
/// The most lines of a log. The oldest go first.
const MOST_LINES: usize = 200_000;
/// The most bytes of a log that is read.
const MOST_BYTES: u64 = 1 << 26;

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
        let path = log_path(base);
        let mut text = String::new();
        match File::open(&path) {
            Ok(file) => {
                let read = file.take(MOST_BYTES).read_to_string(&mut text);
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
        let path = undo_path(&self.base);
        let io = |error| Error::io(&path, error);
        let mut files = files_of(&self.base)?;
        files.extend(Some(log_path(&self.base)).filter(|log| log.exists()));
        let mut head = format!("{MAGIC}\n");
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
        let state = state_of(&self.base)?;
        self.lines.push(format!("# {state:016x} {}", about.replace(['\n', '\r'], " ")));
        for (hash, what) in games {
            self.known.insert(*hash);
            self.lines.push(format!("{hash:016x} {}", what.replace(['\n', '\r'], " ")));
        }
        let surplus = self.lines.len().saturating_sub(MOST_LINES);
        self.lines.drain(..surplus);
        let mut text = self.lines.join("\n");
        text.push('\n');
        write(&log_path(&self.base), text.as_bytes())
    }
}

/// Restores the files of a base as they were before its last update. Returns the line about that
/// update.
///
/// # Errors
/// I/O errors; nothing to undo; a base that was changed after the update.
pub fn undo(base: &Path) -> Result<String, Error> {
    let path = undo_path(base);
    let io = |error| Error::io(&path, error);
    let file = File::open(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io(other("there is no update to undo")),
        _ => io(error),
    })?;
    let mut input = BufReader::new(file);
    let (saved, head) = read_head(&mut input).map_err(io)?;
    let length = fs::metadata(&path).map_err(io)?.len();
    let places = files_of(base)?;
    let log = log_path(base);
    let now = fs::read_to_string(&log).unwrap_or_default();
    let is_log = |name: &str| log.file_name().is_some_and(|log| log == name);
    let total: u64 = saved.iter().map(|(length, _)| *length).fold(0, u64::saturating_add);
    let mut contents = Vec::new();
    let mut start = head;
    for (length, name) in saved.iter().filter(|(_, name)| !is_log(name)) {
        let is_it = |place: &&PathBuf| place.file_name().is_some_and(|own| own == &**name);
        let place = places.iter().find(is_it).ok_or_else(|| {
            io(other(&format!("it holds {name}, which is not a file of the base")))
        })?;
        contents.push((place, start, *length));
        start = start.saturating_add(*length);
    }
    if contents.is_empty() || head.saturating_add(total) != length {
        return Err(io(other("the file is damaged")));
    }
    // The log comes first: if it is as it was, an update or an undo was interrupted.
    let mut before = String::new();
    if let Some((length, _)) = saved.last().filter(|(_, name)| is_log(name)) {
        let start = head.saturating_add(total.saturating_sub(*length));
        let mut file = File::open(&path).map_err(io)?;
        io::Seek::seek(&mut file, io::SeekFrom::Start(start)).map_err(io)?;
        file.take(*length).read_to_string(&mut before).map_err(io)?;
    }
    let mut about = "an update that was interrupted".to_owned();
    if now != before {
        let last = now.lines().rfind(|line| line.starts_with("# ")).unwrap_or_default();
        let (state, what) = last.get(2..).and_then(|l| l.split_once(' ')).unwrap_or_default();
        if u64::from_str_radix(state, 16).ok() != Some(state_of(base)?) {
            return Err(io(other("the base was changed after the update")));
        }
        about = what.to_owned();
        if before.is_empty() {
            remove(&log)?;
        } else {
            write(&log, before.as_bytes())?;
        }
    }
    let mut staged = Staged::new();
    // The index is the first file of a format, and must be created last.
    for (place, start, length) in contents.into_iter().rev() {
        let mut from = File::open(&path).map_err(io)?;
        io::Seek::seek(&mut from, io::SeekFrom::Start(start)).map_err(io)?;
        let mut out = staged.create(place).map_err(|error| Error::io(place, error))?;
        let copied = io::copy(&mut from.take(length), &mut out);
        copied.map_err(|error| Error::io(place, error))?;
    }
    staged.commit().map_err(|error| Error::io(base, error))?;
    remove(&path)?;
    Ok(about)
}

/// Returns lengths and names of the saved files, and the bytes of these lines.
fn read_head(input: &mut impl BufRead) -> io::Result<(Vec<(u64, String)>, u64)> {
    let mut input = input.take(1 << 16);
    let (mut files, mut head) = (Vec::new(), 0u64);
    let mut line = String::new();
    loop {
        line.clear();
        head = head.saturating_add(input.read_line(&mut line)? as u64);
        let Some(text) = line.strip_suffix('\n') else { return Err(other("the file is cut")) };
        match text.split_once(' ') {
            _ if files.is_empty() && head == line.len() as u64 => {
                if text != MAGIC {
                    return Err(other("not a file of an update"));
                }
            }
            Some((length, name)) => {
                let length = length.parse().map_err(|_| other("the file is damaged"))?;
                files.push((length, name.to_owned()));
            }
            None if text.is_empty() => return Ok((files, head)),
            None => return Err(other("the file is damaged")),
        }
    }
}

fn other(message: &str) -> io::Error {
    io::Error::other(message.to_owned())
}

fn log_path(base: &Path) -> PathBuf {
    base.with_extension("updates")
}

fn undo_path(base: &Path) -> PathBuf {
    base.with_extension("undo")
}

/// Returns the files of a base, the index first.
fn files_of(base: &Path) -> Result<Vec<PathBuf>, Error> {
    let format = detect(base)?;
    let companions = format.extensions.iter().filter_map(|extension| companion(base, extension));
    let mut files: Vec<PathBuf> = companions.collect();
    files.dedup();
    if files.is_empty() {
        files.push(base.to_owned());
    }
    Ok(files)
}

/// Returns a hash of all files of a base: FNV-1a.
fn state_of(base: &Path) -> Result<u64, Error> {
    let mut state = 0xcbf2_9ce4_8422_2325u64;
    for path in files_of(base)? {
        let io = |error| Error::io(&path, error);
        let mut input = BufReader::with_capacity(1 << 16, File::open(&path).map_err(io)?);
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
