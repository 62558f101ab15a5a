//! Zstandard (RFC 8878): concatenated frames, with checksums and skippable frames.

use std::error::Error as _;
use std::io::{self, BufRead, Read};

use chess_store::io::compressed::{Checked, Source};
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Returns whether a skippable frame begins with these bytes.
pub(super) fn is_skippable(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// An empty last block, with space for a checksum. It ends a frame that cannot be decoded further,
/// so that the decoder returns the bytes in its window.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// Decodes a Zstandard file. Accepts the same files as `zstd -t`: verifies the size and checksum of
/// a frame if present, and skips skippable frames.
///
/// On an error it first returns the bytes decoded before.
pub(super) struct Zstd<R> {
    source: Source<R>,
    decoder: FrameDecoder,
    state: State,
    /// Content size in the frame header.
    size: Option<u64>,
    /// Bytes of the content returned so far.
    done: u64,
}

enum State {
    /// Between two frames.
    Between,
    Inside,
    /// In a frame that cannot be decoded further.
    Failed(Option<io::Error>),
}

impl<R: Read> Zstd<R> {
    pub(super) fn new(source: Source<R>) -> Checked<Zstd<R>> {
        let state = source.state();
        let decoder = FrameDecoder::new();
        let zstd = Zstd { source, decoder, state: State::Between, size: None, done: 0 };
        Checked::new(zstd, "zstd", state)
    }

    /// Starts the next frame. Returns `false` at the end.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            let start = self.source.peek(8)?;
            if start.is_empty() {
                return Ok(false);
            }
            if is_skippable(start) {
                let [_, _, _, _, length @ ..] = start else { return Err(cut()) };
                let length = <[u8; 4]>::try_from(length).map_err(|_| cut())?;
                self.skip(u64::from(u32::from_le_bytes(length)).saturating_add(8))?;
                continue;
            }
            let [a, b, c, d, rest @ ..] = start else { return Err(cut()) };
            if [*a, *b, *c, *d] != MAGIC {
                return Err(damaged("the data after the frame is not a zstd frame"));
            }
            let descriptor = *rest.first().ok_or_else(cut)?;
            if descriptor & 0x08 != 0 {
                return Err(damaged("a reserved bit of a frame header is set"));
            }
            self.decoder.reset(&mut self.source).map_err(plain)?;
            // A size field, or a single-segment frame, which has a size field too.
            let has_size = descriptor >> 6 != 0 || descriptor & 0x20 != 0;
            self.size = has_size.then(|| self.decoder.content_size());
            self.done = 0;
            self.state = State::Inside;
            return Ok(true);
        }
    }

    fn skip(&mut self, mut length: u64) -> io::Result<()> {
        while length > 0 {
            let there = self.source.fill_buf()?.len();
            if there == 0 {
                return Err(cut());
            }
            let count = there.min(usize::try_from(length).unwrap_or(usize::MAX));
            self.source.consume(count);
            length = length.saturating_sub(count as u64);
        }
        Ok(())
    }

    /// Verifies the size and checksum of a frame.
    fn verify(&self) -> io::Result<()> {
        if self.size.is_some_and(|size| size != self.done) {
            return Err(damaged("a frame has not the size that its header says"));
        }
        let stored = self.decoder.get_checksum_from_data();
        if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
            return Err(damaged("the checksum of a frame is wrong"));
        }
        Ok(())
    }

    /// Returns the bytes that the decoder holds.
    fn hand_out(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.done = self.done.saturating_add(count as u64);
        Ok(count)
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !matches!(self.state, State::Between) && self.decoder.can_collect() > 0 {
                return self.hand_out(buffer);
            }
            match &mut self.state {
                State::Between => {
                    if !self.begin()? {
                        return Ok(0);
                    }
                }
                State::Inside if self.decoder.is_finished() => {
                    self.state = State::Between;
                    self.verify()?;
                }
                State::Inside => {
                    let one = BlockDecodingStrategy::UptoBlocks(1);
                    if let Err(error) = self.decoder.decode_blocks(&mut self.source, one) {
                        let mut error = plain(error);
                        let is_cut = error.kind() == io::ErrorKind::UnexpectedEof;
                        if is_cut && !self.source.peek(1)?.is_empty() {
                            error = damaged("a block cannot be decoded");
                        }
                        self.state = State::Failed(Some(error));
                        let one = BlockDecodingStrategy::UptoBlocks(1);
                        // If that fails, no bytes are left.
                        let _ = self.decoder.decode_blocks(&END[..], one);
                    }
                }
                State::Failed(error) => return Err(error.take().unwrap_or_else(cut)),
            }
        }
    }
}

fn cut() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Converts a library error to plain words, or returns the I/O error of the stream.
fn plain(error: FrameDecoderError) -> io::Error {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(error) = inner.downcast_ref::<io::Error>() {
            return io::Error::new(error.kind(), error.to_string());
        }
        cause = inner.source();
    }
    let what = match error {
        FrameDecoderError::WindowSizeTooBig { requested, max } => {
            let message = format!("a frame needs {requested} bytes of memory, more than {max}");
            return io::Error::new(io::ErrorKind::Unsupported, message);
        }
        FrameDecoderError::DictNotProvided { dict_id } => {
            let message = format!("it was made with dictionary {dict_id}, which is not at hand");
            return io::Error::new(io::ErrorKind::Unsupported, message);
        }
        FrameDecoderError::ReadFrameHeaderError(_) | FrameDecoderError::FrameHeaderError(_) => {
            "the header of a frame cannot be read"
        }
        _ => "a block cannot be decoded",
    };
    damaged(what)
}
