//! Decompression with complete error checks.
//!
//! A decoder of a library often reports a failure once, and then the end of the data. Here a
//! failure is permanent: every later call fails in the same way. So a caller cannot mistake a
//! truncated stream for a complete one. The data decoded before the failure is returned first.
//!
//! Several crates use two decoders of this module, with the feature `compressed`. `gzip` accepts
//! the files that `gzip -t` accepts, and `bzip2` the files that `bzip2 -t` accepts.

#[cfg(feature = "compressed")]
mod bzip2;
#[cfg(feature = "compressed")]
mod gzip;
mod source;

use std::io::{self, Read};

#[cfg(feature = "compressed")]
pub use bzip2::bzip2;
#[cfg(feature = "compressed")]
pub use gzip::gzip;
pub use source::{Source, SourceState};

/// Fixed size of every read from a decoder. A library that fails within a call loses the output of
/// that call. The amount must not depend on the caller's buffer.
#[cfg(feature = "compressed")]
const STEP: usize = 32 << 10;

/// An error that can be returned repeatedly.
#[derive(Clone, Debug)]
pub struct Failure {
    kind: io::ErrorKind,
    message: Box<str>,
}

impl Failure {
    /// Copies the kind and the message of `error`.
    #[must_use]
    pub fn of(error: &io::Error) -> Failure {
        Failure { kind: error.kind(), message: error.to_string().into() }
    }

    /// Creates the error again.
    fn to_error(&self) -> io::Error {
        io::Error::new(self.kind, &*self.message)
    }
}

/// A reader whose first failure is permanent.
#[derive(Debug)]
pub struct Lasting<R> {
    reader: R,
    failure: Option<Failure>,
}

impl<R: Read> Lasting<R> {
    /// Wraps `reader`.
    pub fn new(reader: R) -> Lasting<R> {
        Lasting { reader, failure: None }
    }
}

impl<R: Read> Read for Lasting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(failure) = &self.failure {
            return Err(failure.to_error());
        }
        let read = self.reader.read(buffer);
        if let Err(error) = &read
            && error.kind() != io::ErrorKind::Interrupted
        {
            self.failure = Some(Failure::of(error));
        }
        read
    }
}

/// A decoder whose errors state the compression format and the offset of the damage. The first
/// failure is permanent.
#[derive(Debug)]
pub struct Checked<D> {
    decoder: D,
    packing: &'static str,
    state: SourceState,
    failure: Option<Failure>,
}

impl<D: Read> Checked<D> {
    /// Wraps `decoder`. `state` belongs to its [`Source`]. `packing` is the name of the compression
    /// format for messages.
    pub fn new(decoder: D, packing: &'static str, state: SourceState) -> Checked<D> {
        Checked { decoder, packing, state, failure: None }
    }

    fn explain(&self, error: io::Error) -> io::Error {
        let (packing, at) = (self.packing, self.state.position());
        let (kind, message) = match error.kind() {
            // An I/O error or a limit, not damage.
            _ if self.state.has_failed() => return error,
            io::ErrorKind::Unsupported | io::ErrorKind::OutOfMemory => {
                (error.kind(), format!("the {packing} data cannot be unpacked: {error}"))
            }
            io::ErrorKind::UnexpectedEof => {
                let message =
                    format!("the {packing} data is cut off: the compressed file ends at byte {at}");
                (error.kind(), message)
            }
            _ => {
                let message = format!(
                    "the {packing} data is damaged before byte {at} of the compressed file: {error}"
                );
                (io::ErrorKind::InvalidData, message)
            }
        };
        io::Error::new(kind, message)
    }
}

impl<D: Read> Read for Checked<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(failure) = &self.failure {
            return Err(failure.to_error());
        }
        match self.decoder.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let error = self.explain(error);
                self.failure = Some(Failure::of(&error));
                Err(error)
            }
            read => read,
        }
    }
}

/// Creates an error for the damage that `what` describes.
#[cfg(any(test, feature = "compressed"))]
fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Returns the part of `buffer` that one call of a decoder may fill.
#[cfg(feature = "compressed")]
fn step(buffer: &mut [u8]) -> &mut [u8] {
    let length = buffer.len().min(STEP);
    buffer.get_mut(..length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_reader_keeps_its_failure() {
        struct Once(u32);
        impl Read for Once {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                if self.0 == 1 { Err(damaged("torn")) } else { Ok(0) }
            }
        }
        let source = Source::new(&b""[..]);
        let mut checked = Checked::new(Once(0), "test", source.state());
        let mut lasting = Lasting::new(Once(0));
        for _ in 0..3 {
            let error = checked.read(&mut [0]).unwrap_err().to_string();
            assert!(error.contains("test data is damaged") && error.ends_with(": torn"), "{error}");
            assert_eq!(lasting.read(&mut [0]).unwrap_err().to_string(), "torn");
        }
    }
}
