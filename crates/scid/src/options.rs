//! The options of opening and creating.

use chess_store::{AnyError, Encoding, OptionInfo, TypedOptions};

use crate::layout::Version;

/// Options of opening a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of the texts that are read, and of the texts that an [`Editor`](crate::Editor)
    /// writes. By default valid UTF-8 is read as UTF-8, anything else as Windows-1252, and texts
    /// are written as UTF-8.
    pub encoding: Option<Encoding>,
    /// Makes the first deviation met on opening an error.
    pub strict: bool,
}

impl OpenOptions {
    pub(crate) fn of(options: &chess_store::OpenOptions) -> Result<OpenOptions, AnyError> {
        let mut own: OpenOptions = options.settings.read()?;
        own.encoding = options.encoding;
        own.strict = options.strict;
        Ok(own)
    }
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[];

    fn set(&mut self, _: &str, _: &str) -> bool {
        false
    }
}

/// Options of creating a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The encoding of the written texts; UTF-8 by default.
    pub encoding: Option<Encoding>,
    /// The version of a base [in memory](crate::Writer::in_memory_with); 4 by default. The version
    /// of other bases follows from the extensions of their files.
    pub version: Version,
}

impl CreateOptions {
    pub(crate) fn of(options: &chess_store::CreateOptions) -> Result<CreateOptions, AnyError> {
        let mut own: CreateOptions = options.settings.read()?;
        own.encoding = options.encoding;
        Ok(own)
    }
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[];

    fn set(&mut self, _: &str, _: &str) -> bool {
        false
    }
}
