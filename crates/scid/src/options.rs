//! What a user can choose.

use chess_store::{AnyError, Encoding, OptionInfo, TypedOptions};

/// How to open a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of its texts: of all that are read, and of those that an
    /// [`Editor`](crate::Editor) writes. Without it, what is valid UTF-8 is read as that and
    /// everything else as Windows-1252, and texts are written as UTF-8.
    pub encoding: Option<Encoding>,
    /// Makes an error of the first deviation met on opening.
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

/// How to create a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The encoding to write texts in; UTF-8 if none is named.
    pub encoding: Option<Encoding>,
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
