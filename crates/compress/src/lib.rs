//! Compressed files of games: `.gz`, `.bz2`, `.zst`, `.xz` and `.zip` are read as what is inside, the first three
//! are written.
//!
//! ```
//! # #[cfg(feature = "compressed")] {
//! use std::io::Write as _;
//!
//! let mut packed = Vec::new();
//! let mut encoder = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
//! encoder.write_all(b"1. e4 e5 *")?;
//! encoder.finish()?;
//! let unpacked = compress::unpack_input(packed, None, std::iter::empty())?;
//! assert_eq!(std::io::read_to_string(unpacked.unwrap())?, "1. e4 e5 *");
//! # }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A stream that its own tool rejects (`gzip -t`, `bzip2 -t`, `xz -t`, `zstd -t`, `unzip -t`) is
//! rejected here. Reading first returns the bytes decoded before the damage. Then it fails, and
//! fails again on every call.

mod ahead;
#[cfg(feature = "compressed")]
mod archive;
mod frames;
mod pack;
#[cfg(feature = "xz")]
mod xz;
#[cfg(all(feature = "compressed", not(feature = "libzstd")))]
mod zstd;

use std::io::{self, Cursor, Read};
use std::path::Path;

#[cfg(feature = "compressed")]
pub use archive::{PackedBase, is_zip, texts_of};
pub use frames::{Frames, zstd_frames};
pub use pack::{PACKED_OUTPUTS, Packer};

use chess_store::erased::Format;
#[cfg(feature = "compressed")]
use chess_store::io::ReadAt as _;
use chess_store::io::compressed::SourceState;
#[cfg(feature = "compressed")]
use chess_store::io::compressed::{Lasting, Source, bzip2, gzip};
use chess_store::io::{DecompressionLimit, FromStart};
use chess_store::{Diagnostics, Input, Location, Warning};

/// Extensions of compressed files, in lower case.
pub const COMPRESSED_EXTENSIONS: [&str; 4] = ["gz", "bz2", "zst", "xz"];

/// The message about an archive that is no base.
const NO_TEXT: &str = "a zip archive without a text of games; unpack it first";

#[cfg(all(feature = "compressed", not(feature = "xz")))]
const NO_XZ: &str = "compressed with xz, which this build does not read; build it with `--features xz`, or unpack it first";

/// Returns whether the error says that an archive has no text of games.
#[must_use]
pub fn lacks_texts(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported && error.to_string() == NO_TEXT
}

/// The formats whose files an archive may have.
pub trait Formats: Iterator<Item = &'static Format> + Clone {}

impl<I: Iterator<Item = &'static Format> + Clone> Formats for I {}

chess_store::quirks! {
    /// Deviations that are tolerated in a compressed file.
    TrailingBytes = "compressed-trailing-bytes",
        "bytes that are no compressed data follow the end of the compressed data, and are ignored";
}

/// A stream, decompressed if necessary.
#[non_exhaustive]
pub struct Unpacked {
    /// The unpacked bytes.
    pub input: Box<dyn Read + Send>,
    /// Whether the stream is compressed.
    pub compressed: bool,
    /// The state of the compressed bytes, complete once they have been read.
    pub state: Option<SourceState>,
}

impl Unpacked {
    /// The stream. If it is compressed, it is decompressed on the fly, ahead of the reader if a
    /// core is available.
    #[must_use]
    pub fn into_input(self) -> Box<dyn Read + Send> {
        self.into_input_on(ahead::cores())
    }

    /// Like [`into_input`](Unpacked::into_input), as if there were `cores` cores.
    #[must_use]
    pub fn into_input_on(self, cores: usize) -> Box<dyn Read + Send> {
        if self.compressed { ahead::ahead(self.input, cores) } else { self.input }
    }
}

/// Returns the warning of a compressed stream that was read to its end, if any.
#[must_use]
pub fn warning_of(state: &SourceState) -> Option<Warning> {
    if !state.has_trailing_bytes() {
        return None;
    }
    let mut diagnostics = Diagnostics::lenient();
    let at = Location::default().at(state.position());
    diagnostics.note(Quirk::TrailingBytes, at).ok()?;
    diagnostics.warnings().first().copied()
}

/// Detects compression by the first bytes of a stream. Unpacked bytes count against the
/// decompression limit.
///
/// # Errors
/// I/O errors, and compression that this build does not read.
pub fn unpack(mut input: Box<dyn Read + Send>, limit: &DecompressionLimit) -> io::Result<Unpacked> {
    let mut start = Vec::new();
    (&mut input).take(6).read_to_end(&mut start)?;
    let packing = Packing::of(&start);
    let whole: Box<dyn Read + Send> = Box::new(Cursor::new(start).chain(input));
    match packing {
        None => Ok(Unpacked { input: whole, compressed: false, state: None }),
        Some(packing) => {
            let (decoder, state) = packing.decode(Box::new(limit.packed(whole)))?;
            let input = Box::new(limit.unpacked(decoder));
            Ok(Unpacked { input, compressed: true, state: Some(state) })
        }
    }
}

/// Like [`unpack`], for a file, which may also be a zip archive with texts of `formats`.
///
/// # Errors
/// As [`unpack`], and a zip archive without texts.
pub fn unpack_file(
    file: Input,
    limit: &DecompressionLimit,
    formats: impl Formats,
) -> io::Result<Unpacked> {
    #[cfg(feature = "compressed")]
    {
        let mut start = [0; 4];
        file.read_full(0, &mut start)?;
        if is_zip(&start) {
            let input = texts_of(&file, limit, formats)?.0;
            return Ok(Unpacked { input, compressed: true, state: None });
        }
    }
    #[cfg(not(feature = "compressed"))]
    drop(formats);
    unpack(Box::new(FromStart::new(file)), limit)
}

/// Opens the content of a compressed file, or the texts of `formats` in a zip archive, as one stream.
/// Returns `None` if the file is not compressed. The [options](chess_store::OpenOptions) may limit
/// the number of unpacked bytes.
///
/// If the file is damaged, the stream returns the bytes before the damage and then fails.
///
/// # Errors
/// I/O errors, and content that cannot be unpacked.
pub fn unpack_input(
    file: impl Into<Input>,
    max_unpacked: Option<u64>,
    formats: impl Formats,
) -> io::Result<Option<Box<dyn Read + Send>>> {
    let unpacked = unpack_file(file.into(), &DecompressionLimit::new(max_unpacked), formats)?;
    Ok(unpacked.compressed.then_some(unpacked.input))
}

/// Bytes of a file that are examined to recognise text.
const TEXT_START: usize = 512;

/// Rejects a file with the extension of a compressed file that begins neither like one nor like
/// text: its first bytes are damaged. A text that a browser has unpacked under its old name is
/// read.
///
/// # Errors
/// The file is rejected.
pub fn refuse_misnamed(path: &Path, start: &[u8]) -> io::Result<()> {
    let extension = path.extension().map(|text| text.to_string_lossy().to_lowercase());
    let extension = extension.unwrap_or_default();
    let start = start.get(..TEXT_START).unwrap_or(start);
    let is_packed = Packing::of(start).is_some() || start.starts_with(b"PK");
    let is_binary = |byte: &u8| matches!(byte, 0..=3 | 5..=8 | 14..=25 | 27..=31 | 127);
    let is_text = !start.is_empty() && !start.iter().any(is_binary);
    if is_packed || !COMPRESSED_EXTENSIONS.contains(&&*extension) || is_text {
        return Ok(());
    }
    let message = format!("its name ends with .{extension}, but it does not begin as such a file");
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Gzip,
    Bzip2,
    Zstd,
    Xz,
}

#[cfg(feature = "compressed")]
type Decoder = (Box<dyn Read + Send>, SourceState);

impl Packing {
    fn of(start: &[u8]) -> Option<Packing> {
        Some(match start {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', b'1' | 0x17, ..] => Packing::Bzip2,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Packing::Xz,
            _ => return None,
        })
    }

    #[cfg(not(feature = "compressed"))]
    fn decode(self, _: Box<dyn Read + Send>) -> io::Result<(Box<dyn Read + Send>, SourceState)> {
        let message = format!("compressed ({self:?}), and built without the feature `compressed`");
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    #[cfg(feature = "compressed")]
    fn decode(self, input: Box<dyn Read + Send>) -> io::Result<Decoder> {
        let source = Source::new(input);
        let state = source.state();
        let decoder: Box<dyn Read + Send> = match self {
            Packing::Gzip => Box::new(gzip(source)),
            Packing::Bzip2 => Box::new(bzip2(source)),
            #[cfg(feature = "libzstd")]
            Packing::Zstd => Box::new(libzstd(source)?),
            #[cfg(not(feature = "libzstd"))]
            Packing::Zstd => Box::new(zstd::Zstd::new(source)),
            #[cfg(feature = "xz")]
            Packing::Xz => Box::new(xz::Xz::new(source)),
            #[cfg(not(feature = "xz"))]
            Packing::Xz => return Err(io::Error::new(io::ErrorKind::Unsupported, NO_XZ)),
        };
        Ok((Box::new(Lasting::new(decoder)), state))
    }
}

/// The C library verifies checksums and skips skippable frames itself.
#[cfg(feature = "libzstd")]
fn libzstd(source: Source<Box<dyn Read + Send>>) -> io::Result<impl Read + Send> {
    let state = source.state();
    let decoder = Capped(::zstd::Decoder::with_buffer(source)?);
    let decoder = io::BufReader::with_capacity(CAP, decoder);
    Ok(chess_store::io::compressed::Checked::new(decoder, "zstd", state))
}

/// Bytes of each read call to the C library, so that the position of an error does not depend on
/// the caller.
#[cfg(feature = "libzstd")]
const CAP: usize = 32 << 10;

/// Limits each read call to [`CAP`] bytes.
#[cfg(feature = "libzstd")]
struct Capped<R>(R);

#[cfg(feature = "libzstd")]
impl<R: Read> Read for Capped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(CAP);
        self.0.read(buffer.get_mut(..length).unwrap_or_default())
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
