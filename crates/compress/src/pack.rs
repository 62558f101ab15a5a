//! Writes compressed streams, chosen by file extension.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Extensions of compressed files that can be written, in lower case.
#[cfg(feature = "compressed")]
pub const PACKED_OUTPUTS: &[&str] = &["gz", "bz2", "zst"];
#[cfg(not(feature = "compressed"))]
/// Empty without the feature `compressed`.
pub const PACKED_OUTPUTS: &[&str] = &[];

/// A compressing sink. One handle goes to the writer of the format. The other ends the stream, so
/// that no error is lost.
#[derive(Clone)]
pub struct Packer(Arc<Mutex<Option<Packing>>>);

enum Packing {
    #[cfg(feature = "compressed")]
    Gzip(flate2::write::GzEncoder<Box<dyn Write + Send>>),
    #[cfg(feature = "compressed")]
    Bzip2(bzip2::write::BzEncoder<Box<dyn Write + Send>>),
    #[cfg(feature = "compressed")]
    Zstd(Frames),
}

impl Packer {
    /// Creates the sink for a file extension.
    ///
    /// # Errors
    /// The sink again, if the extension does not mean compression.
    #[cfg(feature = "compressed")]
    pub fn of_extension(
        extension: &str,
        sink: Box<dyn Write + Send>,
    ) -> Result<Packer, Box<dyn Write + Send>> {
        let packing = match extension {
            "gz" => {
                Packing::Gzip(flate2::write::GzEncoder::new(sink, flate2::Compression::default()))
            }
            "bz2" => {
                Packing::Bzip2(bzip2::write::BzEncoder::new(sink, bzip2::Compression::default()))
            }
            "zst" => Packing::Zstd(Frames { sink, text: Vec::new() }),
            _ => return Err(sink),
        };
        Ok(Packer(Arc::new(Mutex::new(Some(packing)))))
    }

    /// Without the feature, nothing is compressed.
    ///
    /// # Errors
    /// The sink again.
    #[cfg(not(feature = "compressed"))]
    pub fn of_extension(
        _: &str,
        sink: Box<dyn Write + Send>,
    ) -> Result<Packer, Box<dyn Write + Send>> {
        Err(sink)
    }

    fn with<T>(&self, act: impl FnOnce(&mut Packing) -> io::Result<T>) -> io::Result<T> {
        let mut packing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match packing.as_mut() {
            Some(packing) => act(packing),
            None => Err(io::Error::other("the compressed stream has ended")),
        }
    }

    /// Writes the end of the stream.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(self) -> io::Result<()> {
        let packing = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(packing) = packing else { return Ok(()) };
        match packing {
            #[cfg(feature = "compressed")]
            Packing::Gzip(encoder) => encoder.finish()?.flush(),
            #[cfg(feature = "compressed")]
            Packing::Bzip2(encoder) => encoder.finish()?.flush(),
            #[cfg(feature = "compressed")]
            Packing::Zstd(mut frames) => {
                frames.frame()?;
                frames.sink.flush()
            }
        }
    }
}

impl Write for Packer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = bytes;
        self.with(|packing| match *packing {
            #[cfg(feature = "compressed")]
            Packing::Gzip(ref mut encoder) => encoder.write(bytes),
            #[cfg(feature = "compressed")]
            Packing::Bzip2(ref mut encoder) => encoder.write(bytes),
            #[cfg(feature = "compressed")]
            Packing::Zstd(ref mut frames) => frames.write(bytes),
        })
    }

    /// Compressed data is flushed only at the end of the stream.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes several frames, each with a fixed amount of text, as the tools do for large files.
#[cfg(feature = "compressed")]
struct Frames {
    sink: Box<dyn Write + Send>,
    text: Vec<u8>,
}

#[cfg(feature = "compressed")]
const FRAME: usize = 8 << 20;

#[cfg(feature = "compressed")]
impl Frames {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        if self.text.len() >= FRAME {
            self.frame()?;
        }
        Ok(bytes.len())
    }

    fn frame(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        let frame = ruzstd::encoding::compress_to_vec(self.text.as_slice(), level);
        self.text.clear();
        self.sink.write_all(&frame)
    }
}
