//! How to open a base and how to create one.

use chess_store::{Diagnostics, Encoding, OptionInfo, TypedOptions};

/// Options for opening a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of the texts. By default, each text is UTF-8 if it is valid, else Windows-1252.
    pub encoding: Option<Encoding>,
    /// Turns the first deviation found on opening into an error.
    pub strict: bool,
    /// The treatment of guiding texts.
    pub texts: Texts,
    /// Records an unusual order of a move's annotations in comments, so that it survives a rewrite.
    pub exact: bool,
    /// The password of an archive.
    pub password: Option<String>,
    /// Maximum number of bytes that the files of a base in an archive unpack to. The default is 64 MiB
    /// plus 200 times the size of the archive.
    pub max_unpacked: Option<u64>,
}

/// The treatment of guiding texts, which are not games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Texts {
    /// A warning reports that there are some.
    #[default]
    Tell,
    /// They are ignored.
    Ignore,
}

impl Texts {
    /// Returns the numbers of the texts that a caller may read, out of all `numbers`.
    pub(crate) fn offered(self, numbers: &[u32]) -> &[u32] {
        match self {
            Texts::Tell => numbers,
            Texts::Ignore => &[],
        }
    }
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo::new(
            "texts",
            &["tell", "ignore"],
            "tell: warn if the base has guiding texts, which are not read as games",
        ),
        OptionInfo::new(
            "annotations",
            &["plain", "exact"],
            "exact: record the order of annotations in comments, so that converting back gives the same bytes",
        ),
        OptionInfo::new("password", &[], "the password of an encrypted archive (.cbz)"),
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

    fn take_open(&mut self, options: &chess_store::OpenOptions) {
        (self.encoding, self.strict) = (options.encoding, options.strict);
        self.max_unpacked = options.max_unpacked;
    }
}

/// The options of a base that is not in an archive, by name. Such a base has no password.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlainOptions(pub(crate) OpenOptions);

impl TypedOptions for PlainOptions {
    const LIST: &'static [OptionInfo] = match OpenOptions::LIST.split_last() {
        Some((_password, plain)) => plain,
        None => &[],
    };

    fn set(&mut self, name: &str, value: &str) -> bool {
        PlainOptions::LIST.iter().any(|option| option.name == name) && self.0.set(name, value)
    }

    fn take_open(&mut self, options: &chess_store::OpenOptions) {
        self.0.take_open(options);
    }
}

impl OpenOptions {
    pub(crate) fn diagnostics(&self) -> Diagnostics {
        if self.strict { Diagnostics::strict() } else { Diagnostics::lenient() }
    }
}

/// Options for creating a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The treatment of names that are too long.
    pub long_names: LongNames,
}

/// The treatment of names that are too long for their field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum LongNames {
    /// Truncates the name at a character boundary and reports the loss.
    #[default]
    Cut,
    /// Refuses the game.
    Refuse,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[OptionInfo::new(
        "names",
        &["cut", "refuse"],
        "names that are too long for their fields: cut them, or refuse their games",
    )];

    fn set(&mut self, name: &str, value: &str) -> bool {
        self.long_names = match (name, value) {
            ("names", "cut") => LongNames::Cut,
            ("names", "refuse") => LongNames::Refuse,
            _ => return false,
        };
        true
    }
}
