//! A game to a record, and to what the index says of its moves. (scid §4 "Games")

use chess_core::{Annotations, Game, LineStarts, Position, Replay, Square, Token};
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
    annotations: Annotations,
    replay: Replay<Board>,
    comments: Vec<u8>,
    /// Whether there is a zero in any comment of the game.
    zeros: bool,
}

/// How many variations, comments and NAGs a record has.
#[derive(Default)]
struct Totals {
    variations: u32,
    comments: u32,
    nags: u32,
}

impl RecordEncoder {
    /// Writes texts in this encoding; refuses Chess960 unless told that the format has it.
    pub(crate) fn new(encoding: Encoding, chess960: bool) -> RecordEncoder {
        RecordEncoder {
            encoding,
            chess960,
            annotations: Annotations::default(),
            replay: Replay::on(Board::start(), false),
            comments: Vec::new(),
            zeros: false,
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
        self.annotations.gather(game, LineStarts::OwnNode);
        self.zeros = game.all_comments().as_bytes().contains(&0);

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
        self.replay.restart_on(board, game.variation_count() > 0);
        self.stream(game, &rooks, record, &mut statistics, at, losses)?;
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

    /// Writes the moves, from the board that was set up, and what is at them.
    fn stream(
        &mut self,
        game: &Game,
        rooks: &CastlingRooks,
        record: &mut Vec<u8>,
        statistics: &mut GameStatistics,
        at: Location,
        losses: &mut Vec<Loss>,
    ) -> Result<(), Error> {
        let mut main_line = MainLineStatistics::new(statistics.flags & flag::OWN_START != 0);
        let mut totals = Totals::default();
        let mut node = 0;
        self.annotate(game, node, 0, record, &mut totals, losses);
        for token in game.tokens() {
            let max_nags = match token {
                Token::Move(m) => {
                    let ply = self.replay.ply();
                    let written =
                        self.replay.play_with(|board| encode_move(board, rooks, m, record));
                    written.map_err(|kind| Error::new(kind, at.after_ply(ply)))?;
                    if self.replay.depth() == 0 {
                        main_line.add(m, self.replay.board());
                    }
                    MAX_NAGS
                }
                Token::VariationStart => {
                    record.push(marker::VARIATION_START);
                    self.replay.start_variation();
                    totals.variations = totals.variations.saturating_add(1);
                    // A NAG needs a move.
                    0
                }
                Token::VariationEnd => {
                    record.push(marker::VARIATION_END);
                    self.replay.end_variation();
                    continue;
                }
                Token::Nag(_) | Token::Comment(_) => continue,
            };
            node = node.saturating_add(1);
            if !self.annotations.has(node) {
                continue;
            }
            self.annotate(game, node, max_nags, record, &mut totals, losses);
        }
        statistics.counts = Counts {
            variations: count_code(totals.variations),
            comments: count_code(totals.comments),
            nags: count_code(totals.nags),
        };
        main_line.finish(self.replay.board(), statistics);
        Ok(())
    }

    /// Writes the NAGs of a node, then the marker of its comments, whose texts are joined.
    fn annotate(
        &mut self,
        game: &Game,
        node: u32,
        max_nags: usize,
        record: &mut Vec<u8>,
        totals: &mut Totals,
        losses: &mut Vec<Loss>,
    ) {
        let ply = self.replay.ply();
        let start = self.comments.len();
        let (mut nags, mut texts) = (0, 0u32);
        for note in self.annotations.take(node) {
            match note.token(game) {
                Some(Token::Nag(nag)) => match u8::try_from(nag.0) {
                    Ok(code) if nags < max_nags => {
                        record.extend_from_slice(&[marker::NAG, code]);
                        nags = nags.saturating_add(1);
                        totals.nags = totals.nags.saturating_add(1);
                    }
                    _ => losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), ply)),
                },
                Some(Token::Comment(text)) => {
                    if !push_text(self.encoding, text, self.zeros, &mut self.comments) {
                        losses.push(Loss::at_ply(LossKind::Characters, shorten(text), ply));
                    }
                    if note.is_moved() || texts > 0 {
                        losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(text), ply));
                    }
                    texts = texts.saturating_add(1);
                }
                _ => {}
            }
        }
        if texts > 0 {
            record.push(marker::COMMENT);
            // Scid counts texts, and an empty one is none.
            let any = self.comments.len() > start;
            totals.comments = totals.comments.saturating_add(u32::from(any));
            self.comments.push(0);
        }
    }
}

/// Appends a comment, in which zeros, if there may be any, would end it; whether every character
/// had a place.
#[inline]
fn push_text(encoding: Encoding, text: &str, zeros: bool, comments: &mut Vec<u8>) -> bool {
    let (bytes, complete) = encoding.encode(text);
    if zeros && bytes.contains(&0) {
        comments.extend(bytes.iter().map(|byte| if *byte == 0 { b' ' } else { *byte }));
        return false;
    }
    comments.extend_from_slice(&bytes);
    complete
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
