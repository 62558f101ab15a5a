//! Encodes comments and glyphs to annotation items. The inverse is in `comments`.

use std::borrow::Cow;
use std::num::NonZeroU32;

use chess_core::{Nag, standard_drawings};
use chess_store::{Loss, LossKind, Losses, has_cr_lf};

use super::command::{is_alone, is_drawing, parse_command};
use super::comments::{BEFORE, LANGUAGE, LINES, is_clock, symbol_place};
use super::dialect::Dialect;
use super::items::Item;
use super::text;
use crate::layout::{ITEM_HEADER, item};

/// The maximum text length of an item of a `.cba`, in bytes.
const MAX_TEXT: usize = u16::MAX as usize - ITEM_HEADER - 2;

/// The maximum text length of an annotation of a `.2cba`, in bytes. The format allows 2 GiB.
const MAX_MODERN_TEXT: usize = 1 << 26;

/// An item before its position in the record is known.
#[derive(Clone, Copy, Debug)]
struct PendingItem {
    /// The move in game order, from 1; 0 for the game.
    node: u32,
    kind: u8,
    /// The range of its bytes. A game has one item per comment, so the numbers are short.
    start: u32,
    end: u32,
    /// For a text before the move with an explicit place: the number of items that precede it,
    /// plus 1.
    place: Option<NonZeroU32>,
}

/// The items of a game in game order.
#[derive(Debug, Default)]
pub(crate) struct PendingItems {
    dialect: Dialect,
    drafts: Vec<PendingItem>,
    data: Vec<u8>,
    scratch: Vec<u8>,
    /// The glyphs of the last move, and the index of their item.
    symbols: [u8; 3],
    symbols_at: Option<usize>,
    /// Whether the previous token was a comment with text. `None` if it was not a comment.
    last_comment: Option<bool>,
}

impl PendingItems {
    pub(crate) fn new(dialect: Dialect) -> PendingItems {
        PendingItems { dialect, ..PendingItems::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.drafts.clear();
        self.data.clear();
        self.symbols_at = None;
        self.last_comment = None;
    }

    /// Returns the number of items, and of the bytes of their data.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.drafts.len(), self.data.len())
    }

    /// Reserves room for items with a text of this length in all.
    pub(crate) fn reserve(&mut self, items: usize, text: usize) {
        self.drafts.reserve(items);
        let head = self.dialect.text_head();
        self.data.reserve(items.saturating_mul(head).saturating_add(text));
    }

    /// Starts a move.
    pub(crate) fn start_move(&mut self) {
        self.symbols = [0; 3];
        self.symbols_at = None;
        self.last_comment = None;
    }

    /// Starts or ends a variation.
    pub(crate) fn change_line(&mut self) {
        self.last_comment = None;
    }

    /// Adds an item with data of its own.
    pub(crate) fn push(&mut self, node: u32, kind: u8, data: &[u8]) {
        let draft = self.draft(node, kind, data);
        self.drafts.push(draft);
    }

    fn draft(&mut self, node: u32, kind: u8, data: &[u8]) -> PendingItem {
        let start = self.end();
        self.data.extend_from_slice(data);
        PendingItem { node, kind, start, end: self.end(), place: None }
    }

    /// Adds a glyph to the last move.
    pub(crate) fn push_nag(&mut self, node: u32, nag: Nag, ply: u32, losses: &mut Losses) {
        let commented = self.last_comment.take().is_some();
        let lost = || Loss::at_ply(LossKind::Nag, nag.to_string(), ply);
        let Some(value) = u8::try_from(nag.0).ok().filter(|value| *value != 0) else {
            return losses.push(lost());
        };
        let place = symbol_place(value);
        let taken = self.symbols.iter().skip(place).any(|symbol| *symbol != 0);
        if (taken || commented) && self.dialect == Dialect::Modern {
            // Another annotation keeps both the glyph and its order.
            (self.symbols, self.symbols_at) = ([0; 3], None);
        }
        let later = self.symbols.get(place..).unwrap_or_default();
        match later {
            [0, 0, 0] | [0, 0] | [0] => {}
            [0, ..] if self.symbols_at.is_some() => {
                losses.push(Loss::at_ply(LossKind::Nag, format!("the order of {nag}"), ply));
            }
            _ => return losses.push(lost()),
        }
        if let Some(symbol) = self.symbols.get_mut(place) {
            *symbol = value;
        }
        let symbols = self.symbols;
        let draft = self.draft(node, item::SYMBOLS, self.dialect.symbols(&symbols));
        match self.symbols_at.and_then(|at| self.drafts.get_mut(at)) {
            Some(place) => *place = draft,
            None => {
                self.symbols_at = Some(self.drafts.len());
                self.drafts.push(draft);
            }
        }
    }

    /// Adds a comment before the next move, whose number will be `node`. Returns `false` if the
    /// comment does not belong there.
    ///
    /// `plain` means that a comment at this place belongs before the move without a prefix.
    pub(crate) fn push_before(
        &mut self,
        node: u32,
        comment: &str,
        plain: bool,
        ply: u32,
        losses: &mut Losses,
    ) -> bool {
        let (place, text) = match parse_before(comment) {
            Some((place, text)) => (place, text),
            None if plain => (None, comment),
            None => return false,
        };
        let (language, text) = self.parse_language(text);
        let draft = self.text(node, item::TEXT_BEFORE, language, text, ply, losses);
        self.drafts.push(PendingItem { place, ..draft });
        true
    }

    /// Adds a comment after a move, or of the game if `node` is 0.
    pub(crate) fn push_after(&mut self, node: u32, comment: &str, ply: u32, losses: &mut Losses) {
        // cbh §5.3.23
        let drawn = standard_drawings(comment);
        let comment = match &drawn {
            Some((standard, exact)) => {
                if !exact {
                    let becomes = format!("{} becomes {standard}", shorten(comment));
                    losses.push(Loss::at_ply(LossKind::Comment, becomes, ply));
                }
                standard.as_str()
            }
            None => comment,
        };
        let mut rest = comment;
        let mut starts_with_text = true;
        let dialect = self.dialect;
        let mut scratch = std::mem::take(&mut self.scratch);
        while let Some((kind, after)) = parse_item(dialect, node, rest, &mut scratch) {
            let next = match after.strip_prefix(' ') {
                Some(next) => next,
                None if after.is_empty() || are_drawings(dialect, rest, after) => after,
                None => break,
            };
            let alone = node == 0 && is_alone(dialect, -1, kind, &scratch);
            if alone && !(starts_with_text && after.is_empty()) {
                losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(comment), ply));
            }
            if !alone {
                self.join(starts_with_text, false, comment, ply, losses);
            }
            starts_with_text = false;
            self.push(node, kind, &scratch);
            if alone && after.is_empty() {
                self.scratch = scratch;
                self.last_comment = None;
                return;
            }
            if has_extra_blank(dialect, rest, after) {
                losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(comment), ply));
            }
            if after.is_empty() {
                self.scratch = scratch;
                self.last_comment = Some(self.last_comment.unwrap_or(false));
                return;
            }
            rest = next;
        }
        let (text, commands) = split_end(dialect, node, rest, &mut scratch);
        self.join(starts_with_text, true, comment, ply, losses);
        let (language, text) = self.parse_language(text);
        let draft = self.text(node, item::TEXT_AFTER, language, text, ply, losses);
        self.drafts.push(draft);
        let mut commands = commands;
        while let Some((kind, after)) = parse_command(dialect, commands, &mut scratch) {
            self.push(node, kind, &scratch);
            if has_extra_blank(dialect, commands, after) {
                losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(comment), ply));
            }
            commands = after.strip_prefix(' ').unwrap_or(after);
        }
        self.scratch = scratch;
        self.last_comment = Some(true);
    }

    /// Reports a loss where reading will join two comments: one has no text, or the second begins
    /// with a command.
    fn join(&self, first: bool, text: bool, comment: &str, ply: u32, losses: &mut Losses) {
        if first && self.last_comment.is_some_and(|had_text| !(had_text && text)) {
            losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(comment), ply));
        }
    }

    fn text(
        &mut self,
        node: u32,
        kind: u8,
        language: u16,
        text: &str,
        ply: u32,
        losses: &mut Losses,
    ) -> PendingItem {
        // cbh §5.4.8
        let given = text;
        let verbatim = given.strip_prefix(LINES).filter(|text| text::has_other_line_ends(text));
        let text = match verbatim {
            Some(text) => Cow::Borrowed(text),
            None => text::with_stored_line_ends(given),
        };
        let text = &*text;
        let most = match self.dialect {
            Dialect::Classic => MAX_TEXT,
            Dialect::Modern => MAX_MODERN_TEXT,
        };
        // A letter has at least one byte, and at most four.
        let mut kept = first_letters(text, most);
        let mut bytes = self.dialect.encode_letters(kept);
        while let Some(excess) = bytes.len().checked_sub(most).filter(|excess| *excess > 0) {
            kept = without_last_letters(kept, (excess / 4).max(1));
            bytes = self.dialect.encode_letters(kept);
        }
        if kept.len() < text.len() {
            losses.push(Loss::at_ply(LossKind::TextCut, shorten(text), ply));
        }
        // cbh §5.4.6
        if text::has_utf8_figurines(text) || verbatim.is_none() && has_cr_lf(given) {
            losses.push(Loss::at_ply(LossKind::Characters, shorten(text), ply));
        }
        let start = self.end();
        self.dialect.push_text(language, &bytes, &mut self.data);
        PendingItem { node, kind, start, end: self.end(), place: None }
    }

    /// Returns the size of the data. A game of 4 GiB is refused, because a record is shorter.
    fn end(&self) -> u32 {
        u32::try_from(self.data.len()).unwrap_or(u32::MAX)
    }

    /// Parses the language prefix of a text. Returns the language and the text.
    fn parse_language<'t>(&self, text: &'t str) -> (u16, &'t str) {
        let prefixed = text.strip_prefix(LANGUAGE).and_then(|text| text.split_once("] "));
        let parsed =
            prefixed.and_then(|(name, text)| Some((self.dialect.language_of(name)?, text)));
        parsed.unwrap_or((self.dialect.any_language(), text))
    }

    /// Calls `each` with every item and its position from -1, in the move order given by `stored`.
    pub(crate) fn for_each(
        &mut self,
        stored: impl Fn(u32) -> i32,
        mut each: impl FnMut(i32, u8, &[u8]),
    ) {
        // Sorting allocates, and most games are in order.
        if !self.drafts.is_sorted_by_key(|draft| stored(draft.node)) {
            self.drafts.sort_by_key(|draft| stored(draft.node));
        }
        let data = &self.data;
        let mut emit = |draft: &PendingItem| {
            each(
                stored(draft.node),
                draft.kind,
                data.get(draft.start as usize..draft.end as usize).unwrap_or_default(),
            );
        };
        for group in self.drafts.chunk_by(|one, next| one.node == next.node) {
            // Texts before the move come first in this group, as in the game.
            let count = group.iter().take_while(|draft| draft.kind == item::TEXT_BEFORE).count();
            let (before, others) = group.split_at_checked(count).unwrap_or((&[], group));
            let symbols = others.first().is_some_and(|draft| draft.kind == item::SYMBOLS);
            let mut done = 0usize;
            for draft in before {
                let place = draft.place.map(|place| place.get().saturating_sub(1) as usize);
                let place = place.unwrap_or(usize::from(symbols)).min(others.len());
                others.get(done..place).unwrap_or_default().iter().for_each(&mut emit);
                done = done.max(place);
                emit(draft);
            }
            others.get(done..).unwrap_or_default().iter().for_each(&mut emit);
        }
    }
}

/// Parses the prefix of a comment that belongs before the next move. Returns its place and its
/// text.
fn parse_before(comment: &str) -> Option<(Option<NonZeroU32>, &str)> {
    let (place, text) = comment.strip_prefix(BEFORE)?.split_once("] ")?;
    if place.is_empty() {
        return Some((None, text));
    }
    let place: u32 = place.strip_prefix(' ')?.parse().ok()?;
    Some((NonZeroU32::new(place.saturating_add(1)), text))
}

/// Parses the command at the start of `text`, unless reading its item would give something else than
/// the command: a text, a glyph or a clock.
// cbh §5.3.18
fn parse_item<'t>(
    dialect: Dialect,
    node: u32,
    text: &'t str,
    data: &mut Vec<u8>,
) -> Option<(u8, &'t str)> {
    let (kind, rest) = parse_command(dialect, text, data)?;
    let position = if node == 0 { -1 } else { 0 };
    let of_move = position >= 0;
    let is_other = match kind {
        item::TEXT_AFTER => dialect.text_of(data).is_some(),
        item::TEXT_BEFORE => of_move && dialect.text_of(data).is_some(),
        item::SYMBOLS => of_move && dialect.are_symbols(data),
        _ => !of_move && is_clock(&Item { position, kind, data }),
    };
    (!is_other).then_some((kind, rest))
}

fn first_letters(text: &str, count: usize) -> &str {
    if text.len() <= count {
        return text;
    }
    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

fn without_last_letters(text: &str, count: usize) -> &str {
    let last = count.saturating_sub(1);
    let end = text.char_indices().nth_back(last).map_or(0, |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// Whether `text` starts with squares or arrows and `after` does too. Reading joins such commands
/// without a separator.
// cbh §5.3.15
fn are_drawings(dialect: Dialect, text: &str, after: &str) -> bool {
    let mut scratch = Vec::new();
    is_drawing(text) && is_drawing(after) && parse_command(dialect, after, &mut scratch).is_some()
}

/// Whether a blank separates two such commands. Reading drops the blank.
fn has_extra_blank(dialect: Dialect, text: &str, after: &str) -> bool {
    after.strip_prefix(' ').is_some_and(|next| are_drawings(dialect, text, next))
}

/// Whether `text` is a single command, or adjacent squares and arrows.
fn is_commands(dialect: Dialect, node: u32, mut text: &str, scratch: &mut Vec<u8>) -> bool {
    while let Some((_, after)) = parse_item(dialect, node, text, scratch) {
        if after.is_empty() {
            return true;
        }
        if !(is_drawing(text) && is_drawing(after)) {
            return false;
        }
        text = after;
    }
    false
}

/// Splits `text` into its text and the commands at its end, if there are any.
fn split_end<'t>(
    dialect: Dialect,
    node: u32,
    text: &'t str,
    scratch: &mut Vec<u8>,
) -> (&'t str, &'t str) {
    let mut start = text.len();
    loop {
        let before = text.get(..start).unwrap_or_default();
        if !before.ends_with(']') {
            break;
        }
        let Some(space) = before.rfind(" [%") else { break };
        let command = before.get(space.saturating_add(1)..).unwrap_or_default();
        if !is_commands(dialect, node, command, scratch) {
            break;
        }
        start = space;
    }
    let commands = text.get(start..).unwrap_or_default();
    (text.get(..start).unwrap_or_default(), commands.strip_prefix(' ').unwrap_or(commands))
}

/// Returns the beginning of a text for a report.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_string(),
    }
}
