//! Writing of archives with stored blocks.

use std::io;

use chess_store::io::{Appender, ReadAt, WriteAt};

use super::blocks::checksum;
use super::directory::{ENTRY, HEADER, Member, encode_directory};
use crate::annotations::text::encode_name;

/// The content size of a block in bytes, as ChessBase writes it.
const BLOCK: usize = 61_440;

/// Writes an archive of `files`, each a name and its bytes, without compression. Returns the
/// archive file.
///
/// # Errors
/// I/O errors; a name of more than 127 bytes; more than 65,535 files.
// cbh §9.2 "Blocks"
pub fn write_archive<F: WriteAt, R: ReadAt>(file: F, files: &[(&str, R)]) -> io::Result<F> {
    let mut out = Appender::new(file);
    let directory = files.len().saturating_mul(ENTRY).saturating_add(HEADER);
    out.push(&vec![0; directory])?;
    let mut members = Vec::new();
    let (mut block, mut payload) = (Vec::new(), Vec::new());
    for (name, contents) in files {
        let (offset, size) = (out.size(), contents.size()?);
        let mut at = 0u64;
        while at < size {
            contents.read_into(at, BLOCK, &mut block)?;
            if block.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            payload.clear();
            payload.push(0);
            payload.extend_from_slice(&block);
            let length = u16::try_from(payload.len()).map_err(|_| io::ErrorKind::InvalidData)?;
            out.push(&length.to_le_bytes())?;
            out.push(&checksum(&payload).to_le_bytes())?;
            out.push(&payload)?;
            at = at.saturating_add(block.len() as u64);
        }
        let packed = out.size().saturating_sub(offset);
        let (date, time, name) = (0, 0, (*name).to_owned());
        let bytes = encode_name(&name).into_owned();
        members.push((bytes, Member { name, offset, packed, size, date, time }));
    }
    let mut start = Vec::new();
    let long = || io::Error::new(io::ErrorKind::InvalidInput, "too many files, or too long a name");
    encode_directory(&members, &mut start).ok_or_else(long)?;
    let mut file = out.finish()?;
    file.write_at(0, &start)?;
    Ok(file)
}
