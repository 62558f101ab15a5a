//! A game to a record, and to what the index says of its moves. (scid §4 "Games")

use chess_core::{Game, Move, Position, Square, Token};
use chess_store::{Encoding, Location, Loss, LossKind};

use crate::bits::low_8;
use crate::board::{Board, CORNERS, CastlingRooks, castling_rooks};
use crate::error::{Error, ErrorKind};
use crate::index::{Counts, count_code};
use crate::layout::{MAX_NAGS, MAX_TAG_NAME, flag, marker, record_flag};
use crate::moves::encode_move;
use crate::statistics::{GameStatistics, MainLineStatistics};
use crate::tags::encode_tag;

/// Makes records. Meant to be reused: its buffers keep their memory.
#[derive(Debug)]
pub(crate) struct RecordEncoder {
    encoding: Encoding,
    /// Whether castling may be Chess960's.
    chess960: bool,
    slots: Vec<Slot>,
    annotations: Vec<Annotation>,
    owners: Vec<usize>,
    levels: Vec<(Board, Board, u32)>,
    texts: Vec<u8>,
    comments: Vec<u8>,
}

/// A token that annotations can follow, and where their list begins and ends.
#[derive(Debug)]
struct Slot {
    kind: SlotKind,
    first: usize,
    last: usize,
    nags: usize,
    texts: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SlotKind {
    Start,
    Move(Move),
    VariationStart,
    VariationEnd,
}

/// An annotation: a NAG, or a stretch of `texts`. Linked, because it may belong to a move whose
/// variations came before it.
#[derive(Debug)]
struct Annotation {
    kind: AnnotationKind,
    next: usize,
}

#[derive(Debug)]
enum AnnotationKind {
    Nag(u8),
    Text(std::ops::Range<usize>),
}

/// No further annotation.
const NONE: usize = usize::MAX;

impl RecordEncoder {
    /// Writes texts in this encoding; refuses Chess960 unless told that the format has it.
    pub(crate) fn new(encoding: Encoding, chess960: bool) -> RecordEncoder {
        RecordEncoder {
            encoding,
            chess960,
            slots: Vec::new(),
            annotations: Vec::new(),
            owners: Vec::new(),
            levels: Vec::new(),
            texts: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// Encodes a game, replacing what `record` held; `tags` are those of its tags that belong in
    /// the record, `at` the place for errors.
    ///
    /// # Errors
    /// What of the game cannot be expressed at all: Chess960 where there is none, more than 16
    /// pieces a side, a move that has no code.
    pub(crate) fn encode<'a>(
        &mut self,
        game: &Game,
        tags: impl Iterator<Item = (&'a str, &'a str)>,
        at: Location,
        record: &mut Vec<u8>,
        losses: &mut Vec<Loss>,
    ) -> Result<GameStatistics, Error> {
        record.clear();
        self.comments.clear();
        for (name, value) in tags {
            self.tag(name, value, record, losses);
        }
        record.push(0);
        self.collect(game, losses);

        let flags_at = record.len();
        record.push(0);
        let mut statistics = GameStatistics::default();
        let (board, rooks) = match game.setup() {
            None => (Board::start(), CORNERS),
            Some(setup) => {
                statistics.flags |= flag::OWN_START;
                statistics.chess960 = setup.position().is_chess960();
                if statistics.chess960 && !self.chess960 {
                    return Err(Error::new(ErrorKind::Chess960, at));
                }
                let fen = fen_text(setup.fen(), setup.position());
                record.extend_from_slice(fen.as_bytes());
                record.push(0);
                let board =
                    Board::numbered(setup.position()).map_err(|kind| Error::new(kind, at))?;
                (board, castling_rooks(setup.position()))
            }
        };
        self.stream(board, &rooks, record, &mut statistics, at)?;
        record.push(marker::GAME_END);
        record.append(&mut self.comments);
        // The three flags are the same bits in record and index.
        if let Some(flags) = record.get_mut(flags_at) {
            *flags = low_8(statistics.flags & 7);
        }
        Ok(statistics)
    }

    fn tag(&self, name: &str, value: &str, record: &mut Vec<u8>, losses: &mut Vec<Loss>) {
        if name.is_empty() || name.len() > MAX_TAG_NAME || name.contains('\0') {
            losses.push(Loss::new(LossKind::Tag, name));
            return;
        }
        let (name_bytes, _) = self.encoding.encode(name);
        let (bytes, complete) = self.encoding.encode(value);
        if !complete {
            losses.push(Loss::new(LossKind::Characters, name));
        }
        let value = cut_text(&bytes, 255);
        if value.len() < bytes.len() {
            losses.push(Loss::new(LossKind::TextCut, name));
        }
        encode_tag(&name_bytes, value, record);
    }

    /// Gives every annotation to the move, or start of a line, it belongs to.
    fn collect(&mut self, game: &Game, losses: &mut Vec<Loss>) {
        self.slots.clear();
        self.annotations.clear();
        self.owners.clear();
        self.texts.clear();
        let mut owner = self.slot(SlotKind::Start);
        let mut ply = 0u32;
        for token in game.tokens() {
            match token {
                Token::Move(m) => {
                    owner = self.slot(SlotKind::Move(m));
                    ply = ply.saturating_add(1);
                }
                Token::VariationStart => {
                    self.owners.push(owner);
                    owner = self.slot(SlotKind::VariationStart);
                }
                Token::VariationEnd => {
                    self.slot(SlotKind::VariationEnd);
                    owner = self.owners.pop().unwrap_or(0);
                }
                Token::Nag(nag) => match u8::try_from(nag.0) {
                    Ok(nag) if self.takes_nag(owner) => {
                        self.add_annotation(owner, AnnotationKind::Nag(nag))
                    }
                    _ => losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), ply)),
                },
                Token::Comment(text) => {
                    if !self.text(owner, text) {
                        losses.push(Loss::at_ply(LossKind::Characters, shorten(text), ply));
                    }
                    let late = owner.saturating_add(1) < self.slots.len();
                    let slot = self.slots.get(owner);
                    if late || slot.is_some_and(|slot| slot.texts > 1) {
                        losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(text), ply));
                    }
                }
            }
        }
    }

    fn slot(&mut self, kind: SlotKind) -> usize {
        self.slots.push(Slot { kind, first: NONE, last: NONE, nags: 0, texts: 0 });
        self.slots.len().saturating_sub(1)
    }

    /// A NAG needs a move, and Scid takes seven.
    fn takes_nag(&self, owner: usize) -> bool {
        let slot = self.slots.get(owner);
        slot.is_some_and(|slot| matches!(slot.kind, SlotKind::Move(_)) && slot.nags < MAX_NAGS)
    }

    fn add_annotation(&mut self, owner: usize, kind: AnnotationKind) {
        let new = self.annotations.len();
        let Some(slot) = self.slots.get_mut(owner) else { return };
        match kind {
            AnnotationKind::Nag(_) => slot.nags = slot.nags.saturating_add(1),
            AnnotationKind::Text(_) => slot.texts = slot.texts.saturating_add(1),
        }
        let last = std::mem::replace(&mut slot.last, new);
        match self.annotations.get_mut(last) {
            Some(annotation) => annotation.next = new,
            None => slot.first = new,
        }
        self.annotations.push(Annotation { kind, next: NONE });
    }

    /// Adds a comment; whether every character had a place.
    fn text(&mut self, owner: usize, text: &str) -> bool {
        let start = self.texts.len();
        let (bytes, complete) = self.encoding.encode(text);
        self.texts.extend_from_slice(&bytes);
        let mut sound = complete;
        for byte in self.texts.iter_mut().skip(start).filter(|byte| **byte == 0) {
            *byte = b' ';
            sound = false;
        }
        self.add_annotation(owner, AnnotationKind::Text(start..self.texts.len()));
        sound
    }

    fn stream(
        &mut self,
        mut board: Board,
        rooks: &CastlingRooks,
        record: &mut Vec<u8>,
        statistics: &mut GameStatistics,
        at: Location,
    ) -> Result<(), Error> {
        let mut before = board;
        let mut ply = 0u32;
        let mut main_line = MainLineStatistics::new(statistics.flags & flag::OWN_START != 0);
        let branches = self.slots.iter().any(|slot| slot.kind == SlotKind::VariationStart);
        let (mut variations, mut comments, mut nags) = (0u32, 0u32, 0u32);
        self.levels.clear();
        let slots = std::mem::take(&mut self.slots);
        for slot in &slots {
            match slot.kind {
                SlotKind::Start => {}
                SlotKind::Move(m) => {
                    if branches {
                        before = board;
                    }
                    let fail = |kind| Error::new(kind, at.after_ply(ply));
                    encode_move(&mut board, rooks, m, record).map_err(fail)?;
                    if self.levels.is_empty() {
                        main_line.add(m, &board);
                    }
                    ply = ply.saturating_add(1);
                }
                SlotKind::VariationStart => {
                    record.push(marker::VARIATION_START);
                    self.levels.push((board, before, ply));
                    board = before;
                    ply = ply.saturating_sub(1);
                    variations = variations.saturating_add(1);
                }
                SlotKind::VariationEnd => {
                    record.push(marker::VARIATION_END);
                    if let Some(level) = self.levels.pop() {
                        (board, before, ply) = level;
                    }
                }
            }
            if slot.first != NONE {
                nags = nags.saturating_add(u32::try_from(slot.nags).unwrap_or(u32::MAX));
                comments = comments.saturating_add(u32::from(self.write_annotations(slot, record)));
            }
        }
        self.slots = slots;
        statistics.counts = Counts {
            variations: count_code(variations),
            comments: count_code(comments),
            nags: count_code(nags),
        };
        main_line.finish(&board, statistics);
        Ok(())
    }

    /// Writes NAGs, then the marker of the comments, whose texts are joined; whether there was any
    /// text.
    fn write_annotations(&mut self, slot: &Slot, record: &mut Vec<u8>) -> bool {
        let mut next = slot.first;
        while let Some(annotation) = self.annotations.get(next) {
            if let AnnotationKind::Nag(nag) = annotation.kind {
                record.extend_from_slice(&[marker::NAG, nag]);
            }
            next = annotation.next;
        }
        if slot.texts == 0 {
            return false;
        }
        record.push(marker::COMMENT);
        let start = self.comments.len();
        next = slot.first;
        while let Some(annotation) = self.annotations.get(next) {
            if let AnnotationKind::Text(range) = &annotation.kind {
                self.comments.extend_from_slice(self.texts.get(range.clone()).unwrap_or_default());
            }
            next = annotation.next;
        }
        let any = self.comments.len() > start;
        self.comments.push(0);
        any
    }
}

/// The beginning of a text, for a report.
pub(crate) fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

/// At most `limit` bytes of a text; a character of UTF-8 is not cut in two.
pub(crate) fn cut_text(bytes: &[u8], limit: usize) -> &[u8] {
    if bytes.len() <= limit {
        return bytes;
    }
    let mut end = limit;
    if std::str::from_utf8(bytes).is_ok() {
        while end > 0 && bytes.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
            end = end.saturating_sub(1);
        }
    }
    bytes.get(..end).unwrap_or(bytes)
}

/// The FEN to store: as it is, if it is one Scid would have written or old Scids have; else in
/// its usual form. (scid §4.3 "Flags and start position")
fn fen_text<'a>(fen: &'a str, position: &Position) -> std::borrow::Cow<'a, str> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let sound = match fields.as_slice() {
        [_, "w" | "b", castling, passing, counters @ ..] if counters.len() <= 2 => {
            castling.chars().all(|letter| "KQkq-ABCDEFGHabcdefgh".contains(letter))
                && (*passing == "-" || passing.parse::<Square>().is_ok())
                && counters.iter().all(|counter| counter.parse::<u16>().is_ok())
        }
        _ => false,
    };
    if sound { fen.into() } else { position.to_fen().into() }
}

/// The record's flags are the index's. (scid §4.3 "Flags and start position")
const _: () = assert!(
    record_flag::OWN_START as u32 == flag::OWN_START
        && record_flag::PROMOTION as u32 == flag::PROMOTION
        && record_flag::UNDER_PROMOTION as u32 == flag::UNDER_PROMOTION
);
