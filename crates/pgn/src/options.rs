//! Options for reading and writing texts.

use chess_store::{Encoding, TypedOptions};

/// Options for reading a text.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of the text. The default is UTF-8, with Windows-1252 as the fallback for texts
    /// that are not UTF-8.
    pub encoding: Option<Encoding>,
}

impl TypedOptions for OpenOptions {
    fn take_open(&mut self, options: &chess_store::OpenOptions) {
        self.encoding = options.encoding;
    }
}

/// Options for writing a text.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The encoding of the text. The default is UTF-8.
    pub encoding: Option<Encoding>,
}

impl TypedOptions for CreateOptions {
    fn take_create(&mut self, options: &chess_store::CreateOptions) {
        self.encoding = options.encoding;
    }
}
