//! Compressed streams, read as what is inside, and written.

mod ahead;
#[cfg(feature = "compressed")]
mod archive;
mod pack;

use std::io::{self, Cursor, Read};

#[cfg(feature = "compressed")]
pub(crate) use archive::{is_zip, texts_of};
pub use pack::PACKED_OUTPUTS;
pub(crate) use pack::Packer;

use chess_store::Input;
use chess_store::io::{Allowance, FromStart};

/// Extensions of compressed files, in lower case.
pub const COMPRESSED_EXTENSIONS: [&str; 4] = ["gz", "bz2", "zst", "xz"];

/// A stream as it is, or what is in it.
pub(crate) struct Unpacked {
    pub(crate) input: Box<dyn Read + Send>,
    pub(crate) compressed: bool,
}

impl Unpacked {
    /// The stream; if it is compressed, it is unpacked while it is read.
    pub(crate) fn into_input(self) -> Box<dyn Read + Send> {
        if self.compressed { ahead::ahead(self.input) } else { self.input }
    }
}

/// Looks at the first bytes of a stream. What is unpacked counts against the allowance.
pub(crate) fn unpack(
    mut input: Box<dyn Read + Send>,
    allowance: &Allowance,
) -> io::Result<Unpacked> {
    let mut start = Vec::new();
    (&mut input).take(6).read_to_end(&mut start)?;
    let packing = Packing::of(&start);
    let whole: Box<dyn Read + Send> = Box::new(Cursor::new(start).chain(input));
    Ok(match packing {
        None => Unpacked { input: whole, compressed: false },
        Some(packing) => {
            let decoder = packing.decode(Box::new(allowance.packed(whole)))?;
            Unpacked { input: Box::new(allowance.unpacked(decoder)), compressed: true }
        }
    })
}

/// As [`unpack`], of a file, which may also be a zip archive.
pub(crate) fn unpack_file(file: Input, allowance: &Allowance) -> io::Result<Unpacked> {
    #[cfg(feature = "compressed")]
    {
        let mut start = [0; 4];
        file.read_full(0, &mut start)?;
        if is_zip(&start) {
            return Ok(Unpacked { input: texts_of(&file, allowance)?.0, compressed: true });
        }
    }
    unpack(Box::new(FromStart::new(file)), allowance)
}

/// What is in a compressed file, or the texts of games in a zip archive, as one stream; `None` if
/// the file is as it is. Of no more than so many bytes where that is [told](chess_store::OpenOptions).
///
/// # Errors
/// Those of the file; if what is in it cannot be unpacked.
pub fn unpack_input(
    file: Input,
    max_unpacked: Option<u64>,
) -> io::Result<Option<Box<dyn Read + Send>>> {
    let unpacked = unpack_file(file, &Allowance::new(max_unpacked))?;
    Ok(unpacked.compressed.then_some(unpacked.input))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Gzip,
    Bzip2,
    Zstd,
    Xz,
}

impl Packing {
    fn of(start: &[u8]) -> Option<Packing> {
        Some(match start {
            [0x1f, 0x8b, 8, ..] => Packing::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', b'1' | 0x17, ..] => Packing::Bzip2,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
            [0xfd, b'7', b'z', b'X', b'Z', 0] => Packing::Xz,
            _ => return None,
        })
    }

    #[cfg(not(feature = "compressed"))]
    fn decode(self, _: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
        let message = format!("compressed ({self:?}), and built without the feature `compressed`");
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    #[cfg(feature = "compressed")]
    fn decode(self, input: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(input)),
            Packing::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
            #[cfg(feature = "libzstd")]
            Packing::Zstd => Box::new(zstd::Decoder::new(input)?),
            #[cfg(not(feature = "libzstd"))]
            Packing::Zstd => Box::new(ZstdFrames { frame: Some(zstd_frame(input)?) }),
            Packing::Xz => Box::new(lzma_rust2::XzReader::new(input, true)),
        })
    }
}

#[cfg(all(feature = "compressed", not(feature = "libzstd")))]
type ZstdFrame =
    ruzstd::decoding::StreamingDecoder<Box<dyn Read + Send>, ruzstd::decoding::FrameDecoder>;

#[cfg(all(feature = "compressed", not(feature = "libzstd")))]
fn zstd_frame(input: Box<dyn Read + Send>) -> io::Result<ZstdFrame> {
    ruzstd::decoding::StreamingDecoder::new(input)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
}

/// Frames that follow one another, as the tools write for large files.
#[cfg(all(feature = "compressed", not(feature = "libzstd")))]
struct ZstdFrames {
    frame: Option<ZstdFrame>,
}

#[cfg(all(feature = "compressed", not(feature = "libzstd")))]
impl Read for ZstdFrames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(mut frame) = self.frame.take() {
            let count = frame.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                self.frame = Some(frame);
                return Ok(count);
            }
            let mut rest = frame.into_inner();
            let mut first = [0; 1];
            if rest.read(&mut first)? > 0 {
                self.frame = Some(zstd_frame(Box::new(Cursor::new(first).chain(rest)))?);
            }
        }
        Ok(0)
    }
}
