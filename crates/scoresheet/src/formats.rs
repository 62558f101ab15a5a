//! The table of formats: one line per crate.

use chess_store::erased::Format;

/// The formats of one crate, such as the three generations of Scid.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Family {
    /// Name of its folder under fixtures/ and its page in docs/formats/.
    pub name: &'static str,
    /// Name of the crate and of its feature.
    pub package: &'static str,
    /// Its formats, the newest first.
    pub formats: &'static [Format],
}

static FAMILIES: &[Family] = &[
    #[cfg(feature = "cbf")]
    Family { name: "cbf", package: "cbf", formats: cbf::FORMATS },
    #[cfg(feature = "cbh")]
    Family { name: "cbh", package: "cbh", formats: cbh::FORMATS },
    #[cfg(feature = "cbh")]
    Family { name: "cbh2", package: "cbh", formats: cbh::v2::FORMATS },
    #[cfg(feature = "chessassistant")]
    Family { name: "chessassistant", package: "chessassistant", formats: chessassistant::FORMATS },
    #[cfg(feature = "dcg")]
    Family { name: "dcg", package: "dcg", formats: dcg::FORMATS },
    #[cfg(feature = "movecode")]
    Family { name: "movecode", package: "movecode", formats: movecode::FORMATS },
    #[cfg(feature = "pgn")]
    Family { name: "pgn", package: "pgn", formats: pgn::FORMATS },
    #[cfg(feature = "scid")]
    Family { name: "scid", package: "scid", formats: scid::FORMATS },
    #[cfg(feature = "tables")]
    Family { name: "tables", package: "tables", formats: tables::FORMATS },
];

#[cfg(feature = "lines")]
static OWN: &[Format] = lines::FORMATS;
#[cfg(not(feature = "lines"))]
static OWN: &[Format] = &[];

#[cfg(feature = "print")]
static PAGES: &[Format] = print::FORMATS;
#[cfg(not(feature = "print"))]
static PAGES: &[Format] = &[];

/// All families compiled in.
#[must_use]
pub fn families() -> &'static [Family] {
    FAMILIES
}

/// Returns all formats compiled in: first the formats of the families, then the formats of this
/// crate.
pub fn formats() -> impl Iterator<Item = &'static Format> + Clone {
    FAMILIES.iter().flat_map(|family| family.formats).chain(OWN).chain(PAGES)
}

/// Finds a format by its name or by one of its extensions, without regard to case.
#[must_use]
pub fn format_named(name: &str) -> Option<&'static Format> {
    let name = name.strip_prefix('.').unwrap_or(name);
    formats()
        .find(|format| format.name.eq_ignore_ascii_case(name))
        .or_else(|| formats().find(|format| has_extension(format, name)))
}

/// Returns whether the files of a format may have this extension.
pub(crate) fn has_extension(format: &Format, extension: &str) -> bool {
    format.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
}
