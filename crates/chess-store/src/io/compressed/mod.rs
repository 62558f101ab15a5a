//! Compressed streams, read to their last byte and checked.
//!
//! A library decoder reports a failure once and then, often, an end of the data. Here a failure
//! stays: every later call fails the same way, so no caller can take a broken stream for a whole
//! one. What was decoded before the failure is handed out first.
//!
//! Two packings that several crates read are here, with the feature `compressed`: `Gzip` accepts what
//! `gzip -t` accepts, `Bzip2` what `bzip2 -t` accepts.

#[cfg(feature = "compressed")]
mod bzip2;
#[cfg(feature = "compressed")]
mod gzip;
mod source;

use std::io::{self, Read};

#[cfg(feature = "compressed")]
pub use bzip2::Bzip2;
#[cfg(feature = "compressed")]
pub use gzip::Gzip;
pub use source::{Source, SourceState};

/// How many bytes a decoder is always asked for. A library that fails in the middle of a call
/// loses what that call decoded; how much that is must not depend on who reads.
#[cfg(feature = "compressed")]
const STEP: usize = 32 << 10;

/// A failure that can be reported more than once.
#[derive(Clone, Debug)]
pub struct Failure {
    kind: io::ErrorKind,
    message: Box<str>,
}

impl Failure {
    /// The kind and the message of `error`.
    #[must_use]
    pub fn of(error: &io::Error) -> Failure {
        Failure { kind: error.kind(), message: error.to_string().into() }
    }

    /// The error, once more.
    #[must_use]
    pub fn to_error(&self) -> io::Error {
        io::Error::new(self.kind, &*self.message)
    }
}

/// A reader whose first failure stays.
#[derive(Debug)]
pub struct Lasting<R> {
    reader: R,
    failure: Option<Failure>,
}

impl<R: Read> Lasting<R> {
    /// Reads from `reader` until that fails.
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

/// A decoder whose failure says which packing is damaged and where. The failure stays.
#[derive(Debug)]
pub struct Checked<D> {
    decoder: D,
    packing: &'static str,
    state: SourceState,
    failure: Option<Failure>,
}

impl<D: Read> Checked<D> {
    /// Reads from `decoder`, whose [`Source`] has this `state`. `packing` is its name for people.
    pub fn new(decoder: D, packing: &'static str, state: SourceState) -> Checked<D> {
        Checked { decoder, packing, state, failure: None }
    }

    fn explain(&self, error: io::Error) -> io::Error {
        let (packing, at) = (self.packing, self.state.position());
        let (kind, message) = match error.kind() {
            // The disk's, or a limit.
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

/// Damage that `what` describes.
#[cfg(any(test, feature = "compressed"))]
fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The part of `buffer` that one call of a decoder may fill.
#[cfg(feature = "compressed")]
fn step(buffer: &mut [u8]) -> &mut [u8] {
    let length = buffer.len().min(STEP);
    buffer.get_mut(..length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_stays() {
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
