//! The differences between the annotations of `.cba` and of `.2cba`.
//!
//! Both formats have the same types of annotations, and a game shows them in the same way. They
//! differ in the layout of the data. A [`Dialect`] translates the data of `.2cba` to the data of
//! `.cba` and back, so that one set of commands serves both.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::comments::{language_of, push_language};
use super::modern;
use super::text;
use super::training::WITHOUT_MOVES;
use crate::layout::item;

/// The format whose annotations are read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Dialect {
    /// `.cba`
    #[default]
    Classic,
    /// `.2cba`
    Modern,
}

/// The text of an annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TextParts<'a> {
    /// The number of the language in the numbering of the format.
    pub(crate) language: u16,
    pub(crate) bytes: &'a [u8],
}

impl Dialect {
    /// Splits the data of a text. Returns `None` if the data has another shape.
    // cbh §5.4 "Text"
    pub(crate) fn text_of(self, data: &[u8]) -> Option<TextParts<'_>> {
        match self {
            Dialect::Classic => {
                let [0, language, bytes @ ..] = data else { return None };
                Some(TextParts { language: u16::from(*language), bytes })
            }
            Dialect::Modern => modern::text_of(data),
        }
    }

    /// Appends the prefix that names the language, unless it is the usual one.
    pub(crate) fn push_language(self, language: u16, out: &mut String) {
        match self {
            Dialect::Classic => push_language(language, out),
            Dialect::Modern => modern::push_language(language, out),
        }
    }

    /// Returns the number of a language as [`push_language`](Self::push_language) names it.
    pub(crate) fn language_of(self, name: &str) -> Option<u16> {
        match self {
            Dialect::Classic => language_of(name).map(u16::from),
            Dialect::Modern => modern::language_of(name),
        }
    }

    /// Returns the number of a text in any language.
    pub(crate) const fn any_language(self) -> u16 {
        match self {
            Dialect::Classic => 0,
            Dialect::Modern => modern::ANY_LANGUAGE,
        }
    }

    /// Encodes the letters of a text.
    pub(crate) fn encode_letters(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            Dialect::Classic => text::encode(text),
            Dialect::Modern => text::encode_utf8(text),
        }
    }

    /// Appends the data of a text to `out`.
    pub(crate) fn push_text(self, language: u16, letters: &[u8], out: &mut Vec<u8>) {
        match self {
            Dialect::Classic => out.extend_from_slice(&[0, language.to_le_bytes()[0]]),
            Dialect::Modern => {
                out.extend_from_slice(&[0, 0]);
                out.extend_from_slice(&language.to_le_bytes());
                let length = u32::try_from(letters.len()).unwrap_or(u32::MAX);
                out.extend_from_slice(&length.to_le_bytes());
            }
        }
        out.extend_from_slice(letters);
    }

    /// Returns the number of bytes before the letters of a text.
    pub(crate) fn text_head(self) -> usize {
        match self {
            Dialect::Classic => 2,
            Dialect::Modern => 8,
        }
    }

    /// Returns the symbols of an annotation that are shown as NAGs.
    ///
    /// `.cba` cuts zeros at the end; `.2cba` always has three symbols.
    pub(crate) fn are_symbols(self, data: &[u8]) -> bool {
        match self {
            Dialect::Classic => {
                (1..=3).contains(&data.len()) && data.last().is_some_and(|last| *last != 0)
            }
            Dialect::Modern => data.len() == 3 && data != [0; 3],
        }
    }

    /// Returns the stored form of symbols.
    pub(crate) fn symbols(self, symbols: &[u8; 3]) -> &[u8] {
        let end = symbols.iter().rposition(|symbol| *symbol != 0).unwrap_or(0);
        match self {
            Dialect::Classic => symbols.get(..=end).unwrap_or_default(),
            Dialect::Modern => symbols,
        }
    }

    /// Returns the hundredths of a second in the data of a clock.
    pub(crate) fn clock(self, data: &[u8]) -> u32 {
        let bytes = data.first_chunk().copied().unwrap_or_default();
        match self {
            Dialect::Classic => u32::from_be_bytes(bytes),
            Dialect::Modern => u32::from_le_bytes(bytes),
        }
    }

    /// The inverse of [`clock`](Self::clock).
    pub(crate) fn clock_bytes(self, hundredths: u32) -> [u8; 4] {
        match self {
            Dialect::Classic => hundredths.to_be_bytes(),
            Dialect::Modern => hundredths.to_le_bytes(),
        }
    }

    /// Converts the data to the layout of `.cba`, for the named commands. Returns `None` if the data
    /// has no such form.
    pub(crate) fn to_classic(self, kind: u8, data: &[u8]) -> Option<Cow<'_, [u8]>> {
        match self {
            Dialect::Classic if is_only_modern(kind, data) => None,
            Dialect::Classic => Some(Cow::Borrowed(data)),
            Dialect::Modern => modern::to_classic(kind, data).map(Cow::Owned),
        }
    }

    /// The inverse of [`to_classic`](Self::to_classic), in place.
    pub(crate) fn convert_classic(self, kind: u8, data: &mut Vec<u8>) -> Option<()> {
        match self {
            Dialect::Classic if is_only_modern(kind, data) => return None,
            Dialect::Classic => {}
            Dialect::Modern => *data = modern::from_classic(kind, data)?,
        }
        Some(())
    }

    /// Whether an item may have this data. Data in the layout of the other format is refused, so
    /// that its command stays a text.
    pub(crate) fn may_have(self, kind: u8, data: &[u8]) -> bool {
        match self {
            Dialect::Classic => !modern::is_modern_only(kind, data),
            Dialect::Modern => modern::size_of(kind, data) == Some(data.len()),
        }
    }
}

/// Whether data in the layout of `.cba` is of a variant that is known of `.2cba` alone.
fn is_only_modern(kind: u8, data: &[u8]) -> bool {
    kind == item::TRAINING && data.get(2) == Some(&WITHOUT_MOVES)
}

/// Appends a language prefix: `[%cbh lang de] `.
pub(super) fn push_prefix(name: impl std::fmt::Display, out: &mut String) {
    // Writing to a string does not fail.
    let _ = write!(out, "{}{name}] ", super::comments::LANGUAGE);
}
