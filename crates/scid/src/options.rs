//! The options of opening and creating.

use chess_store::{Encoding, OptionInfo, TypedOptions};

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

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[];

    fn set(&mut self, _: &str, _: &str) -> bool {
        false
    }

    fn take_open(&mut self, options: &chess_store::OpenOptions) {
        (self.encoding, self.strict) = (options.encoding, options.strict);
    }
}

/// Options of creating a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The encoding of the written texts; UTF-8 by default.
    pub encoding: Option<Encoding>,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[];

    fn set(&mut self, _: &str, _: &str) -> bool {
        false
    }

    fn take_create(&mut self, options: &chess_store::CreateOptions) {
        self.encoding = options.encoding;
    }
}
