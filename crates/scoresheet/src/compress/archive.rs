//! Zip archives: the texts of games in them, one after the other.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use chess_store::Input;
use chess_store::io::{Allowance, FromStart};
use chess_store::seam::Opener;

use crate::formats::{formats, has_extension};

/// Whether a file begins as a zip archive.
pub(crate) fn is_zip(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06")
}

/// The texts of games in an archive, as one, and their extension.
pub(crate) fn texts_of(
    input: &Input,
    allowance: &Allowance,
) -> io::Result<(Box<dyn Read + Send>, String)> {
    let file = BufReader::new(FromStart::new(input.clone()));
    let mut archive = zip::ZipArchive::new(file).map_err(io::Error::other)?;
    let mut parts = Vec::new();
    let mut kind = None;
    for number in 0..archive.len() {
        let entry = archive.by_index_raw(number).map_err(io::Error::other)?;
        let name = entry.name().map_err(io::Error::other)?.into_owned();
        let extension =
            Path::new(&name).extension().map(|text| text.to_string_lossy().to_lowercase());
        let Some(extension) = extension.filter(|extension| entry.is_file() && is_text(extension))
        else {
            continue;
        };
        if *kind.get_or_insert_with(|| extension.clone()) != extension {
            continue;
        }
        let packed = match entry.compression() {
            zip::CompressionMethod::Stored => false,
            zip::CompressionMethod::Deflated => true,
            other => {
                let message = format!("{name} in it is compressed in a way not known ({other})");
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
        };
        let start =
            entry.data_start().ok_or_else(|| io::Error::other(format!("{name} is not in it")))?;
        parts.push(Part { start, length: entry.compressed_size(), packed });
    }
    let Some(kind) = kind else {
        let message = "a zip archive without a text of games; unpack it first";
        return Err(io::Error::new(io::ErrorKind::Unsupported, message));
    };
    parts.reverse();
    let allowance = allowance.clone();
    let entries = Entries { input: input.clone(), parts, open: None, ended: false, allowance };
    Ok((Box::new(entries), kind))
}

/// Whether files of this extension hold games one after the other.
fn is_text(extension: &str) -> bool {
    formats().any(|format| {
        matches!(format.open, Some(Opener::Source(_)))
            && has_extension(format, extension)
            && format.create.is_some()
    })
}

/// Where the bytes of an entry are.
struct Part {
    start: u64,
    length: u64,
    packed: bool,
}

/// Reads one entry after the other, with line feeds between them.
struct Entries {
    input: Input,
    /// The last first.
    parts: Vec<Part>,
    open: Option<Box<dyn Read + Send>>,
    ended: bool,
    allowance: Allowance,
}

impl Read for Entries {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(open) = &mut self.open {
                let count = open.read(buffer)?;
                if count > 0 || buffer.is_empty() {
                    return Ok(count);
                }
                self.open = None;
                self.ended = true;
            }
            if std::mem::take(&mut self.ended) && !self.parts.is_empty() {
                let mut gap: &[u8] = b"\n\n";
                return gap.read(buffer);
            }
            let Some(part) = self.parts.pop() else { return Ok(0) };
            let mut file = FromStart::new(self.input.clone());
            file.seek(SeekFrom::Start(part.start))?;
            let bytes = self.allowance.packed(file.take(part.length));
            self.open = Some(if part.packed {
                let decoder = flate2::read::DeflateDecoder::new(bytes);
                Box::new(self.allowance.unpacked(decoder))
            } else {
                Box::new(self.allowance.unpacked(bytes))
            });
        }
    }
}
