//! The options of opening and creating.

use chess_store::{Encoding, OptionInfo, TypedOptions};

use crate::reading::Reading;

/// Options of opening a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of the texts. By default it is detected.
    pub encoding: Option<Encoding>,
    /// Makes the first deviation met on opening an error.
    pub strict: bool,
    /// The direction in which files are counted. By default the self-check decides.
    pub reading: Option<Reading>,
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[OptionInfo::new(
        "reading",
        &["right", "literal", "left"],
        "which way files are counted, instead of what the self-check finds",
    )];

    fn set(&mut self, name: &str, value: &str) -> bool {
        let reading = Reading::ALL.into_iter().find(|reading| reading.name() == value);
        if name == "reading" && reading.is_some() {
            self.reading = reading;
            return true;
        }
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
    /// The encoding of the written texts; windows-1252 by default.
    pub encoding: Option<Encoding>,
    /// How NAGs are written.
    pub symbols: Symbols,
    /// The comment on the base.
    pub comment: String,
}

/// How NAGs are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Symbols {
    /// As symbols, by the table that this crate also reads with. How the program displays them is
    /// unknown.
    #[default]
    Codes,
    /// As comments: `!`, `+/-`. Correct in any program, but they read back as comments.
    Text,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo::new(
            "symbols",
            &["codes", "text"],
            "how glyphs are written: as symbols or as comments",
        ),
        OptionInfo::new("comment", &[], "the comment on the base"),
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("symbols", "codes") => self.symbols = Symbols::Codes,
            ("symbols", "text") => self.symbols = Symbols::Text,
            ("comment", text) => text.clone_into(&mut self.comment),
            _ => return false,
        }
        true
    }

    fn take_create(&mut self, options: &chess_store::CreateOptions) {
        self.encoding = options.encoding;
    }
}
