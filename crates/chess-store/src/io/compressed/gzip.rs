//! gzip (RFC 1952) with concatenated members.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

use super::{Checked, STEP, Source, damaged, step};

/// Decompresses a gzip stream and checks the length and the checksum of every member.
///
/// Trailing bytes after the last member are treated as by `gzip -t`. Zeros are padding. Other bytes
/// are ignored and [reported](super::SourceState::has_trailing_bytes).
pub fn gzip<R: Read>(source: Source<R>) -> Checked<impl Read> {
    let state = source.state();
    let gzip = Gzip { member: Some(GzDecoder::new(source)) };
    Checked::new(BufReader::with_capacity(STEP, gzip), "gzip", state)
}

struct Gzip<R> {
    member: Option<GzDecoder<Source<R>>>,
}

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(member) = &mut self.member else { return Ok(0) };
            let count = member.read(step(buffer)).map_err(plain)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let mut source = match self.member.take() {
                Some(member) => member.into_inner(),
                None => return Ok(0),
            };
            if member_follows(&mut source)? {
                self.member = Some(GzDecoder::new(source));
            }
        }
    }
}

/// Returns whether another member follows.
fn member_follows<R: Read>(source: &mut Source<R>) -> io::Result<bool> {
    let mut padded = false;
    loop {
        let bytes = source.fill_buf()?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            break;
        }
        padded = true;
        source.consume(zeros);
    }
    match source.peek(2)? {
        _ if padded => {}
        [0x1f, 0x8b] => return Ok(true),
        [_] => return Err(io::ErrorKind::UnexpectedEof.into()),
        [0x1f, 0x1e | 0x9d | 0xa0] => return Err(damaged("data of another packing follows")),
        _ => {}
    }
    source.state().note_trailing_bytes();
    Ok(false)
}

/// Translates the messages of the library into plain words.
fn plain(error: io::Error) -> io::Error {
    let text = error.to_string();
    match error.kind() {
        io::ErrorKind::UnexpectedEof => io::ErrorKind::UnexpectedEof.into(),
        io::ErrorKind::InvalidInput if text.contains("checksum") => {
            damaged("its checksum or length is wrong")
        }
        io::ErrorKind::InvalidInput if text.contains("header") => {
            damaged("the header of a member is not one of gzip")
        }
        io::ErrorKind::InvalidInput => damaged("the deflate data cannot be decoded"),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn pack(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// Returns the data before the end or the failure, whether reading failed, and whether bytes were
    /// ignored.
    fn read(packed: &[u8]) -> (Vec<u8>, Option<String>, bool) {
        let source = Source::new(packed);
        let state = source.state();
        let (mut gzip, mut text) = (gzip(source), Vec::new());
        let failure = gzip.read_to_end(&mut text).err().map(|error| error.to_string());
        assert_eq!(gzip.read(&mut [0]).err().map(|error| error.to_string()), failure);
        (text, failure, state.has_trailing_bytes())
    }

    /// The results equal the results of gzip 1.12.
    #[test]
    fn gzip_trailing_bytes_match_gzip_program() {
        let packed = pack(b"1. e4 *");
        for (tail, refused, noted) in [
            (&b""[..], false, false),
            (b"\0", false, false),
            (b"\0\0\0", false, false),
            (b"x", true, false),
            (b"xy", false, true),
            (b"xyzzzz", false, true),
            (b"\x1f", true, false),
            (b"\x1f\x8b", true, false),
            (b"\x1f\x8b\x08junk", true, false),
            (b"\x1f\x9dabc", true, false),
            (b"\0x", false, true),
            (b"PK\x03\x04ab", false, true),
        ] {
            let (text, failure, trailing) = read(&[&packed, tail].concat());
            assert_eq!(text, b"1. e4 *");
            assert_eq!((failure.is_some(), trailing), (refused, noted), "{tail:?} {failure:?}");
        }
        let (text, failure, _) = read(&[&*packed, &packed].concat());
        assert_eq!((text.len(), failure), (14, None));
    }

    #[test]
    fn gzip_damage_is_plain_error() {
        let packed = pack(&b"[Event \"x\"] 1. e4 e5 2. Nf3 Nc6 *".repeat(9));
        let end = packed.len();
        for (at, words) in [
            (0, "header"),
            (2, "header"),
            (3, "header"),
            (12, "decoded"),
            (end - 8, "checksum"),
            (end - 1, "length"),
        ] {
            let mut bad = packed.clone();
            bad[at] ^= 0x80;
            let failure = read(&bad).1.unwrap_or_default();
            assert!(failure.contains(words) || failure.contains("checksum"), "{at}: {failure}");
        }
        for length in 0..end {
            let failure = read(&packed[..length]).1.unwrap_or_default();
            assert!(failure.contains(&format!("ends at byte {length}")), "{length}: {failure}");
        }
    }
}
