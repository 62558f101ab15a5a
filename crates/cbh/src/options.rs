//! How to open a base and how to create one.

use chess_store::{Diagnostics, Encoding, OptionInfo, TypedOptions};

/// How to open a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of its texts. If not given: UTF-8, or Windows-1252 where a text is not UTF-8.
    pub encoding: Option<Encoding>,
    /// Makes an error of the first deviation met on opening.
    pub strict: bool,
    /// What becomes of guiding texts.
    pub texts: Texts,
    /// Whether the order of annotations of one move is told where it is not the usual, so that it
    /// comes back.
    pub exact: bool,
    /// The password of an archive.
    pub password: Option<String>,
}

/// What becomes of guiding texts, which are no games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Texts {
    /// A warning says that there are some.
    #[default]
    Tell,
    /// Nothing is said.
    Ignore,
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo {
            name: "texts",
            values: &["tell", "ignore"],
            help: "tell: a warning says that the base has texts, which are not games",
        },
        OptionInfo {
            name: "annotations",
            values: &["plain", "exact"],
            help: "exact: comments keep the order of annotations, so that converting back gives the same bytes",
        },
        OptionInfo {
            name: "password",
            values: &[],
            help: "the password of an encrypted archive (.cbz)",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("texts", "tell") => self.texts = Texts::Tell,
            ("texts", "ignore") => self.texts = Texts::Ignore,
            ("annotations", "plain") => self.exact = false,
            ("annotations", "exact") => self.exact = true,
            ("password", password) => self.password = Some(password.to_owned()),
            _ => return false,
        }
        true
    }
}

impl OpenOptions {
    pub(crate) fn diagnostics(&self) -> Diagnostics {
        if self.strict { Diagnostics::strict() } else { Diagnostics::lenient() }
    }
}

/// How to create a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// What becomes of names that are too long.
    pub long_names: LongNames,
}

/// What a writer does with a name that is too long for its field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum LongNames {
    /// Cuts it between two characters and reports the loss.
    #[default]
    Cut,
    /// Refuses the game.
    Refuse,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[OptionInfo {
        name: "names",
        values: &["cut", "refuse"],
        help: "what becomes of names too long for their fields: cut them, or refuse their games",
    }];

    fn set(&mut self, name: &str, value: &str) -> bool {
        self.long_names = match (name, value) {
            ("names", "cut") => LongNames::Cut,
            ("names", "refuse") => LongNames::Refuse,
            _ => return false,
        };
        true
    }
}
