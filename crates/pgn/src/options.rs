//! Options for reading and writing texts.

use chess_store::{Encoding, OptionInfo, TypedOptions};

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
    /// The encoding of the text. The default is UTF-8, or ISO 8859-1 in the exact export format.
    pub encoding: Option<Encoding>,
    /// Writes nothing but the export format of the PGN standard, for programs that accept nothing
    /// else. The rest is converted, and reported as a loss.
    pub export_format: bool,
    /// Writes the squares and arrows of Scid as `[%csl]` and `[%cal]`, which other programs know.
    pub standard_drawings: bool,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo::new(
            "export",
            &["no", "yes"],
            "exactly the export format of the standard, without this program's extensions",
        ),
        OptionInfo::new(
            "drawings",
            &["kept", "standard"],
            "squares and arrows of Scid as [%csl] and [%cal]",
        ),
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("export", "no" | "yes") => self.export_format = value == "yes",
            ("drawings", "kept" | "standard") => self.standard_drawings = value == "standard",
            _ => return false,
        }
        true
    }

    fn take_create(&mut self, options: &chess_store::CreateOptions) {
        self.encoding = options.encoding;
    }
}
