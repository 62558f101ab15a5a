//! bzip2 with concatenated streams.

use std::io::{self, BufReader, Read};

use bzip2::bufread::BzDecoder;

use super::{Checked, STEP, Source, damaged, step};

/// Decompresses a bzip2 file and checks the checksum of every block.
///
/// Trailing bytes after the last stream are ignored and
/// [reported](super::SourceState::has_trailing_bytes), as by `bzip2 -t`.
pub fn bzip2<R: Read>(source: Source<R>) -> Checked<impl Read> {
    let state = source.state();
    let bzip2 = Bzip2 { stream: Some(BzDecoder::new(source)) };
    Checked::new(BufReader::with_capacity(STEP, bzip2), "bzip2", state)
}

struct Bzip2<R: Read> {
    stream: Option<BzDecoder<Source<R>>>,
}

impl<R: Read> Read for Bzip2<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(stream) = &mut self.stream else { return Ok(0) };
            let count = stream.read(step(buffer)).map_err(plain)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let mut source = match self.stream.take() {
                Some(stream) => stream.into_inner(),
                None => return Ok(0),
            };
            if stream_follows(&mut source)? {
                self.stream = Some(BzDecoder::new(source));
            }
        }
    }
}

/// Returns whether another stream follows.
fn stream_follows<R: Read>(source: &mut Source<R>) -> io::Result<bool> {
    match source.peek(4)? {
        [] => return Ok(false),
        [b'B', b'Z', b'h', b'1'..=b'9'] => return Ok(true),
        b"B" | b"BZ" | b"BZh" => return Err(io::ErrorKind::UnexpectedEof.into()),
        _ => {}
    }
    source.state().note_trailing_bytes();
    Ok(false)
}

/// Translates the messages of the library into plain words.
fn plain(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => io::ErrorKind::UnexpectedEof.into(),
        io::ErrorKind::InvalidInput => {
            damaged("a block cannot be decoded, or its checksum is wrong")
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn pack(text: &[u8]) -> Vec<u8> {
        let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn read(packed: &[u8]) -> (Vec<u8>, Option<String>, bool) {
        let source = Source::new(packed);
        let state = source.state();
        let (mut bzip2, mut text) = (bzip2(source), Vec::new());
        let failure = bzip2.read_to_end(&mut text).err().map(|error| error.to_string());
        assert_eq!(bzip2.read(&mut [0]).err().map(|error| error.to_string()), failure);
        (text, failure, state.has_trailing_bytes())
    }

    /// The results equal the results of bzip2 1.0.8.
    #[test]
    fn bzip2_trailing_bytes_match_bzip2_program() {
        let packed = pack(b"1. e4 *");
        for (tail, refused, noted) in [
            (&b""[..], false, false),
            (b"\0", false, true),
            (b"xy", false, true),
            (b"B", true, false),
            (b"BZh", true, false),
            (b"BZhx", false, true),
            (b"BZh9", true, false),
            (b"BZh9junkjunk", true, false),
        ] {
            let (text, failure, trailing) = read(&[&packed, tail].concat());
            assert_eq!(text, b"1. e4 *");
            assert_eq!((failure.is_some(), trailing), (refused, noted), "{tail:?} {failure:?}");
        }
        assert_eq!(read(&[&*packed, &packed].concat()).0.len(), 14);
    }

    #[test]
    fn bzip2_damage_is_error_or_harmless() {
        let text = b"[Event \"x\"] 1. e4 e5 2. Nf3 Nc6 *".repeat(9);
        let packed = pack(&text);
        for length in 4..packed.len() {
            let failure = read(&packed[..length]).1.unwrap_or_default();
            assert!(failure.contains(&format!("ends at byte {length}")), "{length}: {failure}");
        }
        for at in 4..packed.len() - 1 {
            let mut bad = packed.clone();
            bad[at] ^= 0x10;
            // Some bits have no effect.
            let (read, failure, _) = read(&bad);
            assert!(failure.is_some() || read == text, "{at}");
        }
    }
}
