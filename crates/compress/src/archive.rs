//! Zip archives: reads the game texts in them as one stream, or the files of a base.
//!
//! Every file of an archive is unpacked and its checksum verified, as `unzip -t` does: first the
//! texts, then the others. A damaged file costs no other file: reading goes on with the next one, and
//! fails at the end. So it does with an archive without its directory, such as a truncated download,
//! which is read by its local headers.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use chess_store::erased::{Format, Opener};
use chess_store::io::compressed::{Lasting, Source};
use chess_store::io::{DecompressionLimit, FromStart, ReadAt, Spool};
use chess_store::{Input, Inputs};
use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use crate::{Formats, NO_TEXT};

/// Bytes of each read call to the library. The library loses the bytes of a failing call, so the
/// call size must not depend on the caller.
const STEP: usize = 32 << 10;

/// Returns whether a file begins like a zip archive.
#[must_use]
pub fn is_zip(start: &[u8]) -> bool {
    start.starts_with(&LOCAL) || start.starts_with(b"PK\x05\x06")
}

/// Opens the texts of `formats` in an archive as one stream. Returns the stream and the extension of the
/// texts.
///
/// # Errors
/// I/O errors, and an archive without texts.
pub fn texts_of(
    input: &Input,
    limit: &DecompressionLimit,
    formats: impl Formats,
) -> io::Result<(Box<dyn Read + Send>, String)> {
    let files = files_of(input, limit, &formats)?;
    let kind = files.iter().find_map(|file| text_extension(&file.name, &formats));
    let Some(kind) = kind else {
        let refusal = files.into_iter().find_map(|file| file.refusal.or(file.doubt));
        return Err(refusal.unwrap_or_else(|| unsupported(NO_TEXT)));
    };
    let is_wanted = |file: &Packed| text_extension(&file.name, &formats).as_ref() == Some(&kind);
    let (mut texts, others): (Vec<Packed>, Vec<Packed>) = files.into_iter().partition(is_wanted);
    texts.iter_mut().for_each(|file| file.text = true);
    texts.extend(others);
    texts.reverse();
    let limit = limit.clone();
    let entries = Entries {
        input: input.clone(),
        files: texts,
        open: None,
        gap: false,
        limit,
        failure: Failure::default(),
    };
    Ok((Box::new(Lasting::new(entries)), kind))
}

/// Returns the files of an archive.
fn files_of(
    input: &Input,
    limit: &DecompressionLimit,
    formats: &impl Formats,
) -> io::Result<Vec<Packed>> {
    let file = BufReader::new(FromStart::new(input.clone()));
    match zip::ZipArchive::new(file) {
        Ok(archive) => Ok(listed(archive, input, formats)),
        Err(zip::result::ZipError::Io(error)) if !is_damage(&error) => Err(error),
        Err(_) => walked(input, limit),
    }
}

/// A base of several files in an archive.
#[non_exhaustive]
pub struct PackedBase {
    main: String,
    /// Its format.
    pub format: &'static Format,
    files: Vec<Packed>,
}

impl PackedBase {
    /// Finds the base in an archive. Returns `None` if there is no base, or a text of games, which comes
    /// first.
    ///
    /// # Errors
    /// I/O errors; several bases.
    pub fn find(
        input: &Input,
        limit: &DecompressionLimit,
        formats: impl Formats,
    ) -> io::Result<Option<PackedBase>> {
        let files = files_of(input, limit, &formats)?;
        if files.iter().any(|file| text_extension(&file.name, &formats).is_some()) {
            return Ok(None);
        }
        let mut mains =
            files.iter().filter_map(|file| Some((&file.name, main_format(&file.name, &formats)?)));
        let Some((main, format)) = mains.next() else { return Ok(None) };
        if let Some((second, _)) = mains.next() {
            let bases = format!("{main}, {second}");
            return Err(unsupported(format!(
                "a zip archive of several bases ({bases}, ...); unpack it first"
            )));
        }
        let main = main.clone();
        Ok(Some(PackedBase { main, format, files }))
    }

    /// Unpacks the files of the base. Their paths are in the archive at `path`.
    ///
    /// # Errors
    /// I/O errors, and files that cannot be unpacked.
    pub fn unpack(
        self,
        path: &Path,
        input: &Input,
        limit: &DecompressionLimit,
    ) -> io::Result<Inputs> {
        let mut inputs = Inputs::new(path.join(&self.main));
        let main = base_name(&self.main);
        for mut file in self.files {
            if let Some(refusal) = file.refusal {
                return Err(refusal);
            }
            if base_name(&file.name) != main {
                continue;
            }
            file.text = true;
            let name = path.join(&file.name);
            let mut entry = Entry::open(file, input, limit)?;
            let (mut spool, mut buffer) = (Spool::default(), vec![0; STEP]);
            loop {
                match entry.read(&mut buffer)? {
                    0 => break,
                    count => spool.push(buffer.get(..count).unwrap_or_default())?,
                }
            }
            inputs.add(name, Arc::new(spool.finish()?));
        }
        Ok(inputs)
    }
}

/// Returns the format whose main file has this name.
fn main_format(name: &str, formats: &impl Formats) -> Option<&'static Format> {
    let path = Path::new(name);
    let is_hidden = path.file_name()?.to_str()?.starts_with('.');
    let extension = path.extension()?.to_str()?.to_lowercase();
    let is_it = |format: &&Format| {
        format.open_inputs.is_some() && format.extensions.first() == Some(&&*extension)
    };
    formats.clone().find(is_it).filter(|_| !is_hidden)
}

/// Returns a path without extension, in lower case.
fn base_name(name: &str) -> String {
    Path::new(name).with_extension("").to_string_lossy().to_lowercase()
}

fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput
    )
}

/// Returns the extension of a name if it belongs to a stream format.
fn text_extension(name: &str, formats: &impl Formats) -> Option<String> {
    let extension = Path::new(name).extension()?.to_string_lossy().to_lowercase();
    formats
        .clone()
        .any(|format| {
            matches!(format.open, Some(Opener::Source(_)))
                && format.extensions.iter().any(|known| known.eq_ignore_ascii_case(&extension))
                && format.create.is_some()
        })
        .then_some(extension)
}

/// A file of an archive.
#[derive(Default)]
struct Packed {
    name: String,
    /// Range of the compressed bytes.
    start: u64,
    length: u64,
    deflated: bool,
    /// Properties of the uncompressed content.
    size: u64,
    crc: u32,
    /// Whether the content is part of the stream, not only verified.
    text: bool,
    /// The reason why the file cannot be read.
    refusal: Option<io::Error>,
    /// Damage that does not keep the content from being unpacked. It is reported after the content.
    doubt: Option<io::Error>,
}

/// Returns the files in the directory of an archive. Omits files that are not game texts and need a
/// password or an unsupported method.
fn listed<R: Read + Seek>(
    mut archive: zip::ZipArchive<R>,
    input: &Input,
    formats: &impl Formats,
) -> Vec<Packed> {
    let mut files = Vec::new();
    for number in 0..archive.len() {
        let name = match archive.name_for_index(number) {
            Some(Ok(name)) => name.into_owned(),
            _ => String::new(),
        };
        let Ok(entry) = archive.by_index_raw(number) else {
            let refusal = Some(damaged_file(&name, "its header is not there"));
            files.push(Packed { name, refusal, ..Packed::default() });
            continue;
        };
        if !entry.is_file() {
            continue;
        }
        let method = match entry.compression() {
            zip::CompressionMethod::Stored => Some(STORED),
            zip::CompressionMethod::Deflated => Some(DEFLATED),
            _ => None,
        };
        let mut file = Packed {
            start: entry.data_start().unwrap_or_default(),
            length: entry.compressed_size(),
            deflated: method == Some(DEFLATED),
            size: entry.size(),
            crc: entry.crc32(),
            ..Packed::default()
        };
        let is_text = text_extension(&name, formats).is_some();
        if entry.encrypted() || method.is_none() {
            if !is_text {
                continue;
            }
            file.refusal = Some(match entry.encrypted() {
                true => encrypted(&name),
                false => unknown_method(&name, &entry.compression().to_string()),
            });
        } else if !Header::read(input, entry.header_start())
            .is_ok_and(|header| header.is_some_and(|header| header.agrees(&file, input)))
        {
            file.doubt = Some(damaged_file(&name, "its header is not as the directory says"));
        }
        files.push(Packed { name, ..file });
    }
    let (start, comment) = (archive.central_directory_start(), archive.comment().len());
    if !directory_fits(input, start, comment).unwrap_or(true) {
        let refusal = Some(damaged("the directory at the end of the archive is damaged"));
        files.push(Packed { refusal, ..Packed::default() });
    }
    files
}

/// Returns whether the directory has the size in the end record. `None` if unknown: bytes follow
/// the archive, or it is a Zip64 archive.
fn directory_fits(input: &Input, start: u64, comment: usize) -> Option<bool> {
    let at = input.size().ok()?.checked_sub(22)?.checked_sub(comment as u64)?;
    let mut bytes = [0; 22];
    input.read_full(at, &mut bytes).ok()?;
    let number = |from: usize| -> Option<u32> {
        let four = bytes.get(from..from.checked_add(4)?)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    let (size, offset) = (number(12)?, number(16)?);
    if !bytes.starts_with(b"PK\x05\x06") || size == u32::MAX || offset == u32::MAX {
        return None;
    }
    // The end record, the Zip64 record before it, or a signature.
    let mut mark = [0; 4];
    let end = start.saturating_add(size.into());
    input.read_full(end, &mut mark).ok()?;
    let is_end = end == at || matches!(&mark, b"PK\x06\x06" | b"PK\x05\x05");
    Some(is_end && u64::from(size).saturating_add(offset.into()) <= at)
}

fn encrypted(name: &str) -> io::Error {
    let advice = "unpack the archive with its password first";
    unsupported(format!("{name} in the archive is encrypted; {advice}"))
}

fn unknown_method(name: &str, method: &str) -> io::Error {
    unsupported(format!(
        "{name} in the archive is compressed in a way that is not read ({method}); unpack the archive first"
    ))
}

/// An error for content that may be intact, but cannot be read here.
fn unsupported(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, message.into())
}

fn damaged(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}

fn damaged_file(name: &str, what: &str) -> io::Error {
    damaged(format!("{name} in the archive is damaged: {what}"))
}

const LOCAL: [u8; 4] = *b"PK\x03\x04";
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Header flags: the file is encrypted; sizes and checksum follow the data.
const ENCRYPTED: u16 = 1;
const FOLLOWED: u16 = 8;

/// Marks a size that is stored in an extra field.
const ELSEWHERE: u32 = u32::MAX;

/// The checksum after the data of a file, optionally after a signature.
fn crc_behind(input: &Input, at: u64) -> Option<u32> {
    let mut bytes = [0; 8];
    let count = input.read_full(at, &mut bytes).ok()?;
    let bytes = bytes.get(..count)?;
    let bytes = bytes.strip_prefix(&DESCRIPTOR).unwrap_or(bytes);
    Some(u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?))
}

/// A local file header.
struct Header {
    flags: u16,
    method: u16,
    crc: u32,
    length: u32,
    size: u32,
    name: String,
    /// Offset of the data of the file.
    start: u64,
}

impl Header {
    /// Reads the header at an offset; `None` if there is none.
    fn read(input: &Input, at: u64) -> io::Result<Option<Header>> {
        let mut bytes = [0; 30];
        if input.read_full(at, &mut bytes)? < bytes.len() || !bytes.starts_with(&LOCAL) {
            return Ok(None);
        }
        let u16_at = |at: usize| {
            bytes
                .get(at..at.saturating_add(2))
                .and_then(|two| two.try_into().ok())
                .map_or(0, u16::from_le_bytes)
        };
        let u32_at = |at: usize| {
            bytes
                .get(at..at.saturating_add(4))
                .and_then(|four| four.try_into().ok())
                .map_or(0, u32::from_le_bytes)
        };
        let (name_length, extra) = (u16_at(26), u16_at(28));
        let name_at = at.saturating_add(30);
        let mut name = vec![0; usize::from(name_length)];
        if input.read_full(name_at, &mut name)? < name.len() {
            return Ok(None);
        }
        Ok(Some(Header {
            flags: u16_at(6),
            method: u16_at(8),
            crc: u32_at(14),
            length: u32_at(18),
            size: u32_at(22),
            name: String::from_utf8_lossy(&name).into_owned(),
            start: name_at.saturating_add(name_length.into()).saturating_add(extra.into()),
        }))
    }

    /// Returns whether the header agrees with the directory.
    fn agrees(&self, file: &Packed, input: &Input) -> bool {
        let is_same = |told: u32, size: u64| told == ELSEWHERE || u64::from(told) == size;
        let same = if self.flags & FOLLOWED == 0 {
            self.crc == file.crc
                && is_same(self.length, file.length)
                && is_same(self.size, file.size)
        } else {
            crc_behind(input, self.start.saturating_add(file.length)) == Some(file.crc)
        };
        same && self.method == if file.deflated { DEFLATED } else { STORED }
    }
}

/// Returns the files of an archive without a directory, by their local headers. The last item is
/// not a file and fails.
fn walked(input: &Input, limit: &DecompressionLimit) -> io::Result<Vec<Packed>> {
    let end = input.size()?;
    let (mut files, mut at) = (Vec::new(), 0u64);
    while let Some(header) = Header::read(input, at)? {
        let mut file = Packed {
            start: header.start,
            length: header.length.into(),
            deflated: header.method == DEFLATED,
            size: header.size.into(),
            crc: header.crc,
            name: header.name,
            ..Packed::default()
        };
        let is_known = file.deflated || header.method == STORED;
        let mut next = file.start.saturating_add(file.length);
        if header.flags & ENCRYPTED != 0 {
            file.refusal = Some(encrypted(&file.name));
        } else if !is_known {
            file.refusal = Some(unknown_method(&file.name, &header.method.to_string()));
        } else if header.flags & FOLLOWED != 0 && file.length == 0 {
            // The size is known only after unpacking.
            file.length = end.saturating_sub(file.start);
            match measured(input, &mut file, limit) {
                Some(after) => next = after,
                None => next = end,
            }
        }
        if !file.name.ends_with('/') {
            files.push(file);
        }
        if next <= at {
            break;
        }
        at = next;
    }
    let refusal = damaged("the archive has no directory at its end: it is cut off or damaged");
    files.push(Packed { refusal: Some(refusal), ..Packed::default() });
    Ok(files)
}

/// Unpacks a file of unknown length, and reads sizes and checksum after it. Returns the offset of
/// the end; `None` if unpacking fails.
fn measured(input: &Input, file: &mut Packed, limit: &DecompressionLimit) -> Option<u64> {
    if !file.deflated {
        return None;
    }
    let mut bytes = FromStart::new(input.clone());
    bytes.seek(SeekFrom::Start(file.start)).ok()?;
    let source = Source::new(limit.packed(bytes));
    let state = source.state();
    let mut decoder = DeflateDecoder::new(source);
    file.size = io::copy(&mut limit.unpacked(&mut decoder), &mut io::sink()).ok()?;
    file.length = state.position();
    let end = file.start.saturating_add(file.length);
    let mut next = [0; 24];
    let count = input.read_full(end, &mut next).ok()?;
    let next = next.get(..count)?;
    let marked = next.starts_with(&DESCRIPTOR);
    let crc_at = if marked { 4 } else { 0usize };
    let crc = next.get(crc_at..crc_at.saturating_add(4))?;
    file.crc = u32::from_le_bytes(crc.try_into().ok()?);
    // Sizes have four or eight bytes.
    [12u64, 20].into_iter().find_map(|length| {
        let after = end.saturating_add(crc_at as u64).saturating_add(length);
        let mut mark = [0; 2];
        input.read_full(after, &mut mark).ok()?;
        (mark == *b"PK").then_some(after)
    })
}

/// Reads the files in order, with line feeds between them.
struct Entries {
    input: Input,
    /// In reverse order.
    files: Vec<Packed>,
    open: Option<Entry>,
    gap: bool,
    limit: DecompressionLimit,
    failure: Failure,
}

/// The error after the last file.
#[derive(Default)]
struct Failure {
    error: Option<io::Error>,
    /// Number of further files that cannot be read.
    more: usize,
}

impl Failure {
    /// Keeps the error of a file. Damage comes before what is only not supported. Returns errors of the
    /// disk and of the decompression limit.
    fn keep(&mut self, name: &str, error: io::Error) -> io::Result<()> {
        let is_unsupported = |error: &io::Error| error.kind() == io::ErrorKind::Unsupported;
        if !is_damage(&error) && !is_unsupported(&error) {
            return Err(error);
        }
        match &self.error {
            // The directory, not a file.
            Some(_) if name.is_empty() => return Ok(()),
            Some(kept) => {
                self.more = self.more.saturating_add(1);
                if is_unsupported(kept) && !is_unsupported(&error) {
                    self.error = Some(error);
                }
            }
            None => self.error = Some(error),
        }
        Ok(())
    }

    fn at_end(&mut self) -> io::Result<usize> {
        match (self.error.take(), self.more) {
            (None, _) => Ok(0),
            (Some(error), 0) => Err(error),
            (Some(error), more) => {
                let files = if more == 1 { "file" } else { "files" };
                let message = format!("{error}; {more} more {files} in it cannot be read whole");
                Err(io::Error::new(error.kind(), message))
            }
        }
    }
}

/// The file being unpacked.
struct Entry {
    file: Packed,
    body: Box<dyn Read + Send>,
    crc: Crc,
    done: u64,
}

impl Read for Entries {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let length = buffer.len().min(STEP);
        let buffer = buffer.get_mut(..length).unwrap_or_default();
        loop {
            if let Some(entry) = &mut self.open {
                let is_text = entry.file.text;
                let count = match entry.read(buffer) {
                    Ok(count) => count,
                    Err(error) => {
                        self.failure.keep(&entry.file.name, error)?;
                        0
                    }
                };
                if count > 0 && is_text {
                    return Ok(count);
                }
                if count == 0 {
                    self.open = None;
                    self.gap = is_text;
                }
                continue;
            }
            let Some(file) = self.files.pop() else { return self.failure.at_end() };
            if std::mem::take(&mut self.gap) && file.text {
                self.files.push(file);
                let mut gap: &[u8] = b"\n\n";
                return gap.read(buffer);
            }
            match file.refusal {
                Some(refusal) => self.failure.keep(&file.name, refusal)?,
                None => self.open = Some(Entry::open(file, &self.input, &self.limit)?),
            }
        }
    }
}

impl Entry {
    fn open(file: Packed, input: &Input, limit: &DecompressionLimit) -> io::Result<Entry> {
        let mut bytes = FromStart::new(input.clone());
        bytes.seek(SeekFrom::Start(file.start))?;
        let bytes = limit.packed(bytes.take(file.length));
        let body: Box<dyn Read + Send> = if file.deflated {
            let decoder = DeflateDecoder::new(Source::new(bytes));
            Box::new(BufReader::with_capacity(STEP, limit.unpacked(decoder)))
        } else {
            Box::new(limit.unpacked(bytes))
        };
        Ok(Entry { file, body, crc: Crc::new(), done: 0 })
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = loop {
            match self.body.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.explain(error)),
                Ok(count) => break count,
            }
        };
        if count > 0 {
            self.crc.update(buffer.get(..count).unwrap_or_default());
            self.done = self.done.saturating_add(count as u64);
            return Ok(count);
        }
        if let Some(doubt) = self.file.doubt.take() {
            return Err(doubt);
        }
        if self.done != self.file.size || self.crc.sum() != self.file.crc {
            return Err(self.damaged("its checksum or length is wrong"));
        }
        Ok(0)
    }

    fn explain(&self, error: io::Error) -> io::Error {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                let message = format!("{} in the archive is cut off", self.file.name);
                io::Error::new(io::ErrorKind::UnexpectedEof, message)
            }
            io::ErrorKind::InvalidInput => self.damaged("it cannot be unpacked any further"),
            _ => error,
        }
    }

    fn damaged(&self, what: &str) -> io::Error {
        damaged_file(&self.file.name, what)
    }
}
