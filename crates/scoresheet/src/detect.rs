//! Detects the format of a file by content first and by extension second.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use chess_store::erased::{Confidence, Format, Opener};
use chess_store::files::{companion, resolve_interrupted_replace};
use chess_store::io::{DecompressionLimit, ReadAt as _};
use chess_store::{Input, Inputs};
use compress::{COMPRESSED_EXTENSIONS, refuse_misnamed, unpack_file};
#[cfg(feature = "compressed")]
use compress::{PackedBase, is_zip, texts_of};

use crate::error::Error;
use crate::find::within_folder;
use crate::foreign::is_foreign;
use crate::formats::{formats, has_extension};

/// The format of archives whose reader looks into further layers of compression itself.
const UNPACKER: &str = "jose";

/// Bytes of a file that are examined.
pub const PROBE_LENGTH: usize = 4096;

/// Detects the format of a file of a base: of the file itself or, if it is compressed, of its
/// content.
///
/// # Errors
/// [`Error::Io`] if it cannot be read, [`Error::Unknown`] if no format knows it.
pub fn detect(path: impl AsRef<Path>) -> Result<&'static Format, Error> {
    let path = path.as_ref();
    let path = &*within_folder(path);
    let file = open_standing(path).map_err(|error| Error::io(path, offer_base(path, error)))?;
    detect_input(path, file.into())
}

/// Like [`detect`], for a base whose files are already open.
///
/// # Errors
/// As [`detect`].
pub fn detect_inputs(inputs: &Inputs) -> Result<&'static Format, Error> {
    let path = inputs.named();
    detect_input(path, inputs.main().map_err(|error| Error::io(path, error))?)
}

fn detect_input(path: &Path, file: Input) -> Result<&'static Format, Error> {
    let failed = |error| Error::io(path, error);
    let mut start = vec![0; PROBE_LENGTH];
    let count = file.read_full(0, &mut start).map_err(failed)?;
    start.truncate(count);
    if let Some(format) = probe(&start, &outer_extension(path)) {
        return Ok(format);
    }
    #[cfg(feature = "compressed")]
    if is_zip(&start) {
        let limit = DecompressionLimit::new(None);
        if let Some(base) = PackedBase::find(&file, &limit, formats()).map_err(failed)? {
            return Ok(base.format);
        }
        let (texts, extension) = texts_of(&file, &limit, formats()).map_err(failed)?;
        let start = read_start(texts).map_err(failed)?;
        return detect_bytes(&start, &extension).ok_or_else(|| Error::unknown(path, &start));
    }
    refuse_misnamed(path, &start).map_err(failed)?;
    let unpacked = unpack_file(file, &DecompressionLimit::new(None), formats()).map_err(failed)?;
    let compressed = unpacked.compressed;
    let start = read_start(unpacked.input).map_err(failed)?;
    // An archive in a compressed stream is not unpacked.
    #[cfg(feature = "compressed")]
    if compressed && is_zip(&start) {
        return Err(Error::unknown(path, &start));
    }
    let found = detect_bytes(&start, &extension_of(path));
    let format = found.ok_or_else(|| Error::unknown(path, &start))?;
    let is_closed = matches!(format.open, Some(Opener::Database(_))) && format.name != UNPACKER;
    if compressed && is_closed {
        let what = "read while they are compressed; unpack their files first";
        return Err(Error::Unsupported { path: path.into(), format: format.title, what });
    }
    Ok(format)
}

/// Returns the files of a base that are packed in a zip archive, or `None` if the file is none.
pub(crate) fn packed_inputs(
    path: &Path,
    file: &Input,
    max_unpacked: Option<u64>,
) -> io::Result<Option<Inputs>> {
    #[cfg(feature = "compressed")]
    if is_zipped(path, file)? {
        let limit = DecompressionLimit::new(max_unpacked);
        let base = PackedBase::find(file, &limit, formats())?;
        return base.map(|base| base.unpack(path, file, &limit)).transpose();
    }
    let _ = (path, file, max_unpacked);
    Ok(None)
}

/// Returns whether a file is a zip archive, and no base of a format whose files are such archives.
pub(crate) fn is_zipped(path: &Path, file: &Input) -> io::Result<bool> {
    let mut start = [0; 512];
    let count = file.read_full(0, &mut start)?;
    let start = start.get(..count).unwrap_or_default();
    Ok(start.starts_with(b"PK\x03\x04") && probe(start, &outer_extension(path)).is_none())
}

/// Returns an error that offers the bases of this name, if the file is missing because its extension is
/// left out, as Scid leaves it out.
fn offer_base(path: &Path, error: io::Error) -> io::Error {
    let mut bases =
        formats().filter_map(|format| format.extensions.first()).filter_map(|extension| {
            let mut name = path.as_os_str().to_owned();
            name.push(".");
            name.push(extension);
            let base = Path::new(&name);
            base.is_file().then(|| base.display().to_string())
        });
    match bases.next().filter(|_| error.kind() == io::ErrorKind::NotFound) {
        Some(base) => {
            let all = bases.fold(base, |all, base| format!("{all}, {base}"));
            io::Error::new(error.kind(), format!("no such file; did you mean {all}?"))
        }
        None => error,
    }
}

/// Opens a file, or its staged successor while its base is being replaced.
fn open_standing(path: &Path) -> io::Result<File> {
    // The staged file may be renamed between the lookup and opening.
    const ATTEMPTS: u32 = 4;
    let mut opened = File::open(path);
    for _ in 0..ATTEMPTS {
        match opened {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                opened =
                    File::open(resolve_interrupted_replace(path)).or_else(|_| File::open(path));
            }
            opened => return opened,
        }
    }
    opened
}

/// Detects the format by the first bytes of a file and its extension (lower case, without dot).
///
/// The [`probe`](Format::probe) with the highest confidence wins; ties go to the first format in
/// the table. If no probe matches, the extension decides, and its reader reports the problem. A
/// file of a foreign kind has no format: for example a web page that was saved under the name of a
/// PGN file.
#[must_use]
pub fn detect_bytes(start: &[u8], extension: &str) -> Option<&'static Format> {
    let named = || formats().find(|format| has_extension(format, extension));
    probe(start, extension).or_else(|| named().filter(|_| !is_foreign(start)))
}

fn probe(start: &[u8], extension: &str) -> Option<&'static Format> {
    let mut best = None;
    for format in formats() {
        let Some(confidence) = (format.probe)(start, extension) else { continue };
        if best.is_none_or(|(surest, _)| confidence > surest) {
            best = Some((confidence, format));
        }
    }
    let best = best.filter(|(confidence, _)| *confidence != Confidence::Name || !is_foreign(start));
    best.map(|(_, format)| format)
}

/// Reads the first [`PROBE_LENGTH`] bytes, or all bytes of a shorter file. An error after the first
/// byte is ignored here; the reader of the rest meets it.
pub(crate) fn read_start(input: impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    match input.take(PROBE_LENGTH as u64).read_to_end(&mut start) {
        Err(error) if start.is_empty() => Err(error),
        _ => Ok(start),
    }
}

/// The extension in lower case, or empty. For `a.pgn.gz` it is `pgn`.
pub(crate) fn extension_of(path: &Path) -> String {
    let outer = outer_extension(path);
    if COMPRESSED_EXTENSIONS.contains(&&*outer) {
        outer_extension(&path.with_extension(""))
    } else {
        outer
    }
}

pub(crate) fn outer_extension(path: &Path) -> String {
    path.extension().map(|text| text.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Returns the files of a base, the index first. `base` may be any of them.
///
/// # Errors
/// The errors of [`detect`].
pub fn base_files(base: &Path) -> Result<Vec<PathBuf>, Error> {
    let format = detect(base)?;
    if matches!(format.open, Some(Opener::Source(_))) {
        return Ok(vec![base.to_owned()]);
    }
    let companions = format.extensions.iter().filter_map(|extension| companion(base, extension));
    let mut files: Vec<PathBuf> = companions.collect();
    files.dedup();
    if files.is_empty() {
        files.push(base.to_owned());
    }
    Ok(files)
}

/// Returns the path of a file that is kept beside a base, by the name of the index of the base.
pub(crate) fn beside(files: &[PathBuf], extension: &str) -> PathBuf {
    let mut path = files.first().cloned().unwrap_or_default().into_os_string();
    path.push(".");
    path.push(extension);
    path.into()
}
