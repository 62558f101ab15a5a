//! How to read texts and how to write them.

use chess_store::{Encoding, OptionInfo, TypedOptions};

/// How to read a text.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Its encoding. If not given: UTF-8, or Windows-1252 where a text in it is not UTF-8.
    pub encoding: Option<Encoding>,
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[];

    fn set(&mut self, _: &str, _: &str) -> bool {
        false
    }
}

/// How to write a text.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// Its encoding; UTF-8 if not given.
    pub encoding: Option<Encoding>,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[];

    fn set(&mut self, _: &str, _: &str) -> bool {
        false
    }
}
