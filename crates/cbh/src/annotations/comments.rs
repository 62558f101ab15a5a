//! Decodes annotation items to comments and glyphs. The inverse is in `write`.

use std::fmt::Write as _;

use chess_core::{Game, LineError, Nag};
use chess_store::{TextDecoder, unix_line_ends};

use super::command::{is_alone, is_drawing, push_command};
use super::dialect::{Dialect, push_prefix};
use super::items::{Item, Items};
use super::text;
use crate::layout::item;

/// The language names of texts, by number.
// cbh §5.4 "Text"
const LANGUAGES: [(u8, &str); 9] = [
    (42, "en"),
    (43, "es"),
    (49, "fr"),
    (53, "de"),
    (55, "el"),
    (70, "it"),
    (103, "nl"),
    (116, "pl"),
    (117, "pt"),
];

/// The prefix of a comment that follows a move in the game but belongs before the next move.
pub(crate) const BEFORE: &str = "[%cbh before";
/// The prefix of a text whose line ends are kept as stored, because some are not CR LF.
pub(crate) const LINES: &str = "[%cbh lines] ";
/// The prefix of a comment in a given language.
pub(crate) const LANGUAGE: &str = "[%cbh lang ";

/// The annotations of a game, ready to be inserted among its moves.
#[derive(Clone, Copy)]
pub(crate) struct AnnotationFormatter<'a> {
    pub(crate) items: &'a Items,
    pub(crate) record: &'a [u8],
    pub(crate) text: TextDecoder,
    pub(crate) dialect: Dialect,
    /// Whether an unusual order of items is recorded.
    pub(crate) exact: bool,
}

impl AnnotationFormatter<'_> {
    /// Appends the texts before a move.
    ///
    /// `plain` means that a comment at this place belongs before the move without a prefix, as at
    /// the start of a variation.
    // cbh §5.3 "Annotations in PGN"
    pub(crate) fn push_before(
        &self,
        position: i32,
        plain: bool,
        game: &mut Game,
        out: &mut String,
    ) -> Result<(), LineError> {
        let items = self.items.of(position, self.record);
        let usual = self.usual_place(items.clone());
        let mut place = 0u32;
        for item in items {
            if !self.is_before(&item) {
                place = place.saturating_add(1);
                continue;
            }
            out.clear();
            // cbh §5.3.17
            if self.exact && place != usual {
                // Writing to a string does not fail.
                let _ = write!(out, "{BEFORE} {place}] ");
            } else if !plain {
                let _ = write!(out, "{BEFORE}] ");
            }
            self.push_text(&item, out);
            game.push_comment(out)?;
        }
        Ok(())
    }

    /// Appends all other annotations of a move, or of the game if the position is -1.
    pub(crate) fn push_after(
        &self,
        position: i32,
        game: &mut Game,
        out: &mut String,
    ) -> Result<(), LineError> {
        out.clear();
        let items = self.items.of(position, self.record);
        let are_glyphs = |item: &Item<'_>| {
            item.kind == item::SYMBOLS && position >= 0 && self.dialect.are_symbols(item.data)
        };
        if !self.exact {
            // PGN puts NAGs directly after the move.
            items.clone().filter(are_glyphs).for_each(|item| push_nags(&item, game));
        }
        // Whether a comment is open, whether it has text, and whether it ends with squares or
        // arrows.
        let (mut open, mut with_text, mut drawn) = (false, false, false);
        let mut alone_before = false;
        for item in items {
            if self.is_before(&item) || position == -1 && is_clock(&item) {
                continue;
            }
            if are_glyphs(&item) {
                if !self.exact {
                    continue;
                }
                if std::mem::take(&mut open) {
                    game.push_comment(out)?;
                }
                out.clear();
                with_text = false;
                push_nags(&item, game);
                continue;
            }
            let is_text = item.kind == item::TEXT_AFTER && self.is_text(&item);
            // Evaluations of all moves are a comment of their own.
            let alone = is_alone(self.dialect, item.position, item.kind, item.data);
            if is_text && with_text || alone && open || alone_before {
                game.push_comment(out)?;
                out.clear();
                (open, drawn) = (false, false);
                with_text &= !alone && !alone_before;
            }
            let start = out.len();
            if is_text {
                self.push_text(&item, out);
            } else {
                push_command(self.dialect, item.kind, item.data, out);
            }
            let draws = !is_text && is_drawing(out.get(start..).unwrap_or_default());
            if open && !(drawn && draws) {
                out.insert(start, ' ');
            }
            (open, with_text, drawn) = (true, with_text || is_text, draws);
            alone_before = alone;
        }
        if open { game.push_comment(out) } else { Ok(()) }
    }

    fn push_text(&self, item: &Item<'_>, out: &mut String) {
        let Some(parts) = self.dialect.text_of(item.data) else { return };
        self.dialect.push_language(parts.language, out);
        let text = text::decode(parts.bytes, &self.text);
        if self.exact && text::has_other_line_ends(&text) {
            out.push_str(LINES);
            out.push_str(&text);
        } else {
            out.push_str(&unix_line_ends(text));
        }
    }

    /// Returns the number of items that usually precede a text before the move: 1 if symbols come
    /// first.
    fn usual_place<'a>(&self, mut items: impl Iterator<Item = Item<'a>>) -> u32 {
        let first = items.find(|item| !self.is_before(item));
        u32::from(first.is_some_and(|item| item.kind == item::SYMBOLS))
    }

    fn is_before(&self, item: &Item<'_>) -> bool {
        item.kind == item::TEXT_BEFORE && self.is_text(item) && item.position >= 0
    }

    /// Whether the item has the shape of a text.
    fn is_text(&self, item: &Item<'_>) -> bool {
        self.dialect.text_of(item.data).is_some()
    }
}

fn push_nags(item: &Item<'_>, game: &mut Game) {
    let nags = item.data.iter().filter(|nag| **nag != 0);
    nags.for_each(|nag| game.push_nag(Nag(u16::from(*nag))));
}

/// Returns the name of a language, given its number in `.cba`.
pub(super) fn language_name(language: u8) -> Option<&'static str> {
    LANGUAGES.iter().find(|(number, _)| *number == language).map(|(_, name)| *name)
}

/// Appends the prefix of a text that is not for readers of any language.
pub(super) fn push_language(language: u16, out: &mut String) {
    if language == 0 {
        return;
    }
    match u8::try_from(language).ok().and_then(language_name) {
        Some(name) => push_prefix(name, out),
        None => push_prefix(language, out),
    }
}

/// Returns the number of a language, given its name or its decimal number.
pub(crate) fn language_of(name: &str) -> Option<u8> {
    let named = LANGUAGES.iter().find(|(_, known)| *known == name).map(|(number, _)| *number);
    let number = || {
        let number: u8 = name.parse().ok()?;
        let plain = number.to_string() == name && number != 0;
        let unnamed = LANGUAGES.iter().all(|(known, _)| *known != number);
        (plain && unnamed).then_some(number)
    };
    named.or_else(number)
}

/// Whether the item is a clock at the end of the game. These become tags.
pub(crate) fn is_clock(item: &Item<'_>) -> bool {
    matches!(item.kind, item::WHITE_CLOCK | item::BLACK_CLOCK) && item.data.len() == 4
}

/// Returns which of three places a glyph takes: for the move, for the position, before the move.
// cbh §5.2 "Types of items"
pub(crate) const fn symbol_place(nag: u8) -> usize {
    match nag {
        1..=9 | 22 | 23 => 0,
        140..=145 => 2,
        _ => 1,
    }
}
