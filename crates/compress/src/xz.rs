//! xz: concatenated streams.

use std::io::{self, BufRead, Read};

use chess_store::io::compressed::{Checked, Source};
use lzma_rust2::{Action, Status, XzStream};

/// Decodes an xz file. Verifies the check of every block, and the index against the blocks.
pub(super) struct Xz<R> {
    source: Source<R>,
    stream: XzStream,
    failure: Option<io::Error>,
    ended: bool,
}

impl<R: Read> Xz<R> {
    pub(super) fn new(source: Source<R>) -> Checked<Xz<R>> {
        let state = source.state();
        let stream = XzStream::new(true);
        Checked::new(Xz { source, stream, failure: None, ended: false }, "xz", state)
    }
}

impl<R: Read> Read for Xz<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        while !self.ended && !buffer.is_empty() {
            let input = self.source.fill_buf()?;
            let at_end = input.is_empty();
            let action = if at_end { Action::Finish } else { Action::Run };
            let (read_before, made_before) = (self.stream.total_in(), self.stream.total_out());
            let result = self.stream.process(input, buffer, action);
            let used = self.stream.total_in().saturating_sub(read_before);
            let made = self.stream.total_out().saturating_sub(made_before);
            self.source.consume(usize::try_from(used).unwrap_or(usize::MAX));
            let made = usize::try_from(made).unwrap_or(usize::MAX).min(buffer.len());
            match result {
                Ok(result) => {
                    self.ended = result.status == Status::StreamEnd;
                    if at_end && made == 0 && !self.ended {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) if made == 0 => return Err(error),
                // Bytes decoded before the error come first.
                Err(error) => self.failure = Some(error),
            }
            if made > 0 {
                return Ok(made);
            }
        }
        Ok(0)
    }
}
