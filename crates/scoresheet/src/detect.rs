//! Which format a file is: by its content first, by its extension second.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use chess_store::erased::{Confidence, Format};
use chess_store::files::resolve_interrupted_replace;
use chess_store::io::{DecompressionLimit, ReadAt as _};
use chess_store::{Input, Inputs};

use crate::compress::{COMPRESSED_EXTENSIONS, refuse_misnamed, unpack_file};
#[cfg(feature = "compressed")]
use crate::compress::{is_zip, texts_of};
use crate::error::Error;
use crate::foreign::is_foreign;
use crate::formats::{formats, has_extension};

/// How many bytes of a file are looked at.
pub const PROBE_LENGTH: usize = 4096;

/// The format of a file of a base: of its bytes as they are, else, if it is compressed, of what
/// is in it.
///
/// # Errors
/// [`Error::Io`] if it cannot be read, [`Error::Unknown`] if no format knows it.
pub fn detect(path: impl AsRef<Path>) -> Result<&'static Format, Error> {
    let path = path.as_ref();
    let file = open_standing(path).map_err(|error| Error::io(path, error))?;
    detect_input(path, file.into())
}

/// As [`detect`], of the file that names a base, which is open already.
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
        let (texts, extension) = texts_of(&file, &DecompressionLimit::new(None)).map_err(failed)?;
        let start = read_start(texts).map_err(failed)?;
        return detect_bytes(&start, &extension).ok_or_else(|| Error::unknown(path, &start));
    }
    refuse_misnamed(path, &start).map_err(failed)?;
    let start = unpack_file(file, &DecompressionLimit::new(None))
        .and_then(|unpacked| read_start(unpacked.input));
    let start = start.map_err(failed)?;
    detect_bytes(&start, &extension_of(path)).ok_or_else(|| Error::unknown(path, &start))
}

/// Opens a file, or what stands for it while its base is being replaced.
fn open_standing(path: &Path) -> io::Result<File> {
    // It may get its own name between looking and opening.
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

/// The format of a file that begins so and has this extension, in lower case without dot.
///
/// The surest [`probe`](Format::probe) decides, of equals the first in the table. If none knows
/// the content, the extension does: its reader will say what is wrong. A file of a kind that is known
/// to be no base has no format, as a page of the web that was saved under the name of a PGN file.
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

/// The first [`PROBE_LENGTH`] bytes, or all there are. A failure behind the first byte is none yet:
/// who reads on meets it.
pub(crate) fn read_start(input: impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    match input.take(PROBE_LENGTH as u64).read_to_end(&mut start) {
        Err(error) if start.is_empty() => Err(error),
        _ => Ok(start),
    }
}

/// Extension in lower case, empty if there is none; of `a.pgn.gz`, that of what is inside.
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
