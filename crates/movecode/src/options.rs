//! Options for opening and creating archives.

use std::num::NonZero;

use chess_store::{Encoding, OptionInfo, TypedOptions};

use crate::decode::Dialect;

/// Options for opening an archive.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of the texts, to override detection.
    pub encoding: Option<Encoding>,
    /// Turns the first deviation found on opening into an error.
    pub strict: bool,
    /// The dialect of the byte code. By default the first games decide.
    pub dialect: Option<Dialect>,
    /// The maximum size of the unpacked archive in bytes. For the default, see
    /// [`DecompressionLimit`](chess_store::io::DecompressionLimit).
    pub max_unpacked: Option<u64>,
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[OptionInfo::new(
        "dialect",
        &["auto", "jose", "published"],
        "the dialect of the byte code: what the first games tell, as jose writes it, or as its \
         description has it",
    )];

    fn set(&mut self, name: &str, value: &str) -> bool {
        self.dialect = match (name, value) {
            ("dialect", "auto") => None,
            ("dialect", "jose") => Some(Dialect::Jose),
            ("dialect", "published") => Some(Dialect::Published),
            _ => return false,
        };
        true
    }

    fn take_open(&mut self, options: &chess_store::OpenOptions) {
        (self.encoding, self.strict) = (options.encoding, options.strict);
        self.max_unpacked = options.max_unpacked;
    }
}

/// Options for creating an archive.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The collection of games without a collection tag. The default is the name of the file.
    pub collection: Option<String>,
    /// The number of threads that compress the archive on finishing; by default one per core. The
    /// archive does not depend on it.
    pub threads: Option<NonZero<usize>>,
    /// Stores the commands `[%wd WIN,DRAW]` of comments in a column `Eval`, as jose 1.5 has it. Without
    /// it they stay in the comments.
    pub evals: bool,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo::new(
            "collection",
            &[],
            "the collection of games without a collection tag; by default the file's name",
        ),
        OptionInfo::new("threads", &[], "threads that pack the archive"),
        OptionInfo::new(
            "evals",
            &["no", "yes"],
            "evaluations in a column of their own, as jose 1.5 has it, not in comments",
        ),
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "collection" => self.collection = Some(value.into()),
            "evals" => match value {
                "no" => self.evals = false,
                "yes" => self.evals = true,
                _ => return false,
            },
            "threads" => match value.parse() {
                Ok(threads) => self.threads = Some(threads),
                Err(_) => return false,
            },
            _ => return false,
        }
        true
    }
}
