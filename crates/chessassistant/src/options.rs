//! What a user can choose.

use chess_store::{Encoding, OptionInfo, TypedOptions};

use crate::reading::Reading;

/// How to open a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of the texts, instead of the one found in the bytes.
    pub encoding: Option<Encoding>,
    /// Makes an error of the first deviation met on opening.
    pub strict: bool,
    /// How files are counted, instead of what the self-check finds.
    pub reading: Option<Reading>,
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[OptionInfo {
        name: "reading",
        values: &["right", "literal", "left"],
        help: "which way files are counted, instead of what the self-check finds",
    }];

    fn set(&mut self, name: &str, value: &str) -> bool {
        let reading = Reading::ALL.into_iter().find(|reading| reading.name() == value);
        if name == "reading" && reading.is_some() {
            self.reading = reading;
            return true;
        }
        false
    }
}

/// How to create a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The encoding to write texts in; windows-1252 if none is named.
    pub encoding: Option<Encoding>,
    /// How glyphs are written.
    pub symbols: Symbols,
    /// The comment on the base.
    pub comment: String,
}

/// How glyphs are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Symbols {
    /// As symbols, by the table this crate reads them with. What the program shows for them is
    /// not known.
    #[default]
    Codes,
    /// As comments: `!`, `+/-`. Right in any program, but read back as comments.
    Text,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo {
            name: "symbols",
            values: &["codes", "text"],
            help: "how glyphs are written: as symbols or as comments",
        },
        OptionInfo { name: "comment", values: &[], help: "the comment on the base" },
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
}
