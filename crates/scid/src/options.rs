//! The options of opening and creating.

use chess_store::{Encoding, TypedOptions};

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
    /// Finds the records of the games file by their end markers where the index is missing or wrong.
    pub salvage: bool,
}

impl TypedOptions for OpenOptions {
    fn take_open(&mut self, options: &chess_store::OpenOptions) {
        (self.encoding, self.strict) = (options.encoding, options.strict);
        self.salvage = options.salvage;
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

impl TypedOptions for CreateOptions {
    fn take_create(&mut self, options: &chess_store::CreateOptions) {
        self.encoding = options.encoding;
    }
}
