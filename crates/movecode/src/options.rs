//! How to open and create archives.

use std::num::NonZero;

use chess_store::{Encoding, OptionInfo, TypedOptions};

use crate::decode::Dialect;

/// How to open an archive.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of its texts, where the user knows better.
    pub encoding: Option<Encoding>,
    /// Makes an error of the first deviation met on opening.
    pub strict: bool,
    /// Whose byte code it is.
    pub dialect: Dialect,
    /// How many bytes it may unpack to; if not given, see
    /// [`DecompressionLimit`](chess_store::io::DecompressionLimit).
    pub max_unpacked: Option<u64>,
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[OptionInfo {
        name: "dialect",
        values: &["jose", "published"],
        help: "whose byte code it is: what jose writes, or what its description says",
    }];

    fn set(&mut self, name: &str, value: &str) -> bool {
        self.dialect = match (name, value) {
            ("dialect", "jose") => Dialect::Jose,
            ("dialect", "published") => Dialect::Published,
            _ => return false,
        };
        true
    }
}

/// How to create an archive.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The collection of games that have no tag for it; else it is called like the file.
    pub collection: Option<String>,
    /// How many threads pack the archive when it is finished; as many as there are cores unless
    /// given. The archive is the same.
    pub threads: Option<NonZero<usize>>,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo {
            name: "collection",
            values: &[],
            help: "the collection of games that have no tag for it; else it is called like the file",
        },
        OptionInfo { name: "threads", values: &[], help: "threads that pack the archive" },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "collection" => self.collection = Some(value.into()),
            "threads" => match value.parse() {
                Ok(threads) => self.threads = Some(threads),
                Err(_) => return false,
            },
            _ => return false,
        }
        true
    }
}
