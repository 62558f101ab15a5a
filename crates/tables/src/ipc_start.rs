//! Where the stream in an Arrow file begins.

use std::io::{self, Read};

use arrow_ipc::{MessageHeader, root_as_message};

/// What an Arrow file begins with; zeros and the stream that it holds follow.
const MAGIC: &[u8; WORD] = b"ARROW1\0\0";
/// What a message of the stream begins with; its length follows.
const MESSAGE: [u8; 4] = [0xff; 4];
const WORD: usize = 8;
/// Words with zeros that may come before the stream.
const MOST_PADDING: usize = 64;
/// A schema without its frame is at most so long.
const MOST_SCHEMA: usize = 1 << 20;

/// Passes the frame of an Arrow file: what is returned is read already and begins the stream. Of
/// what is no Arrow file it is the first bytes.
pub(crate) fn read_start(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    if !read_word(input, &mut start)? || start != MAGIC {
        return Ok(start);
    }
    // The stream begins where its writer likes to align it.
    for _ in 0..MOST_PADDING {
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

/// Polars writes the schema without its frame, for readers of files find it at their end. It is
/// given one.
fn read_bare_schema(input: &mut impl Read, start: &mut Vec<u8>) -> io::Result<()> {
    while start.len() < MOST_SCHEMA {
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

/// Whether it is whole.
fn read_word(input: &mut impl Read, into: &mut Vec<u8>) -> io::Result<bool> {
    Ok(input.by_ref().take(WORD as u64).read_to_end(into)? == WORD)
}
