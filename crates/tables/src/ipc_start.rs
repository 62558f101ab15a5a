//! Finds the start of the stream in an Arrow file.

use std::io::{self, Read};

use arrow_ipc::{MessageHeader, root_as_message};

/// The magic bytes of an Arrow file. Zeros and the stream follow.
const MAGIC: &[u8; WORD] = b"ARROW1\0\0";
/// The marker at the start of a stream message. Its length follows.
const MESSAGE: [u8; 4] = [0xff; 4];
const WORD: usize = 8;
/// The maximum number of zero words before the stream.
const MAX_PADDING: usize = 64;
/// The maximum size of a schema without its frame.
const MAX_SCHEMA: usize = 1 << 20;

/// Skips the frame of an Arrow file. Returns the bytes that were read and belong to the stream. If
/// `input` is not an Arrow file, these are its first bytes.
pub(crate) fn read_start(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    if !read_word(input, &mut start)? || start != MAGIC {
        return Ok(start);
    }
    // The stream begins at the alignment that its writer chose.
    for _ in 0..MAX_PADDING {
        start.clear();
        if !read_word(input, &mut start)? || start.iter().any(|byte| *byte != 0) {
            break;
        }
    }
    if !start.starts_with(&MESSAGE) {
        read_bare_schema(input, &mut start)?;
    }
    Ok(start)
}

/// Adds the missing frame to a schema. Polars writes the schema without a frame, because file
/// readers take it from the footer.
fn read_bare_schema(input: &mut impl Read, start: &mut Vec<u8>) -> io::Result<()> {
    while start.len() < MAX_SCHEMA {
        let end = start.len();
        if !read_word(input, start)? {
            return Ok(());
        }
        let (schema, next) = start.split_at(end);
        if !next.starts_with(&MESSAGE) {
            continue;
        }
        let is_schema = root_as_message(schema)
            .is_ok_and(|message| message.header_type() == MessageHeader::Schema);
        if let (true, Ok(length)) = (is_schema, u32::try_from(end)) {
            start.splice(..0, MESSAGE.into_iter().chain(length.to_le_bytes()));
            return Ok(());
        }
    }
    Ok(())
}

/// Returns whether a whole word was read.
fn read_word(input: &mut impl Read, into: &mut Vec<u8>) -> io::Result<bool> {
    Ok(input.by_ref().take(WORD as u64).read_to_end(into)? == WORD)
}
