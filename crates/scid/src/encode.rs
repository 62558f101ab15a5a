//! Encodes a game to its record and its move statistics for the index. (scid §4 "Games")

use chess_core::{
    Annotations, Bitboard, Game, LineStarts, Position, Replay, Role, Setup, Square, Token,
};
use chess_store::{Encoding, Location, Loss, LossKind, Losses};

use crate::bits::low_8;
use crate::board::{Board, CORNERS, CastlingRooks, castling_rooks};
use crate::error::{Error, ErrorKind};
use crate::index::{Counts, count_code};
use crate::layout::{MAX_TAG_NAME, flag, marker, record_flag};
use crate::moves::encode_move;
use crate::record_notes::{NotePlace, RecordNotes};
use crate::statistics::{GameStatistics, MainLineStatistics};
use crate::tags::encode_tag;

/// Encodes records. Reusable: its buffers keep their capacity.
#[derive(Debug)]
pub(crate) struct RecordEncoder {
    encoding: Encoding,
    /// Whether Chess960 castling is allowed.
    chess960: bool,
    annotations: Annotations,
    replay: Replay<Board>,
    notes: RecordNotes,
}

impl RecordEncoder {
    /// Creates an encoder that writes texts in `encoding`. It refuses Chess960 unless the format
    /// supports it.
    pub(crate) fn new(encoding: Encoding, chess960: bool) -> RecordEncoder {
        RecordEncoder {
            encoding,
            chess960,
            annotations: Annotations::default(),
            replay: Replay::on(Board::start(), false),
            notes: RecordNotes::new(encoding),
        }
    }

    /// Encodes a game and replaces the contents of `record`. `tags` are the tags to store in the
    /// record. `at` is the location for errors.
    ///
    /// # Errors
    /// A game that the format cannot express: Chess960 in version 4, more than 16 pieces a side, a
    /// move without a code.
    pub(crate) fn encode<'a>(
        &mut self,
        game: &Game,
        tags: impl Iterator<Item = (&'a str, &'a str)>,
        at: Location,
        record: &mut Vec<u8>,
        losses: &mut Losses,
    ) -> Result<GameStatistics, Error> {
        self.encode_tags(tags, record, losses);
        self.notes.restart(game);

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
                let fen = fen_text(setup, losses);
                record.extend_from_slice(fen.as_bytes());
                record.push(0);
                let board =
                    Board::numbered(setup.position()).map_err(|kind| Error::new(kind, at))?;
                (board, castling_rooks(setup.position()))
            }
        };
        let mut main_line = MainLineStatistics::new(statistics.flags & flag::OWN_START != 0);
        let mut out = Out { record, losses, at, main_line: &mut main_line };
        let end = if game.variation_count() == 0 {
            self.single_line(game, board, &rooks, &mut out)
        } else {
            self.lines(game, board, &rooks, &mut out)
        }?;
        main_line.finish(&end, &mut statistics);
        statistics.counts = Counts {
            variations: count_code(game.variation_count()),
            comments: count_code(self.notes.comment_count),
            nags: count_code(self.notes.nag_count),
        };
        record.push(marker::GAME_END);
        self.notes.append_texts(record);
        // The three flags have the same bits in record and index.
        if let Some(flags) = record.get_mut(flags_at) {
            *flags = low_8(statistics.flags & 7);
        }
        Ok(statistics)
    }

    /// Replaces the contents of `record` with the tags at the beginning of a record.
    pub(crate) fn encode_tags<'a>(
        &self,
        tags: impl Iterator<Item = (&'a str, &'a str)>,
        record: &mut Vec<u8>,
        losses: &mut Losses,
    ) {
        record.clear();
        for (name, value) in tags {
            self.tag(name, value, record, losses);
        }
        record.push(0);
    }

    fn tag(&self, name: &str, value: &str, record: &mut Vec<u8>, losses: &mut Losses) {
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

    /// Writes the moves and annotations of a game without variations, from `board` on. The
    /// annotations follow the order of the moves, so no buffering is needed. Returns the final
    /// board.
    fn single_line(
        &mut self,
        game: &Game,
        mut board: Board,
        rooks: &CastlingRooks,
        out: &mut Out<'_>,
    ) -> Result<Board, Error> {
        let mut ply = 0;
        for token in game.tokens() {
            let Token::Move(m) = token else {
                if self.notes.add_plain(token) {
                    continue;
                }
                let place = NotePlace { ply, at_move: ply > 0, is_moved: false };
                self.notes.add(token, place, out.record, out.losses);
                continue;
            };
            self.notes.end_node(out.record);
            encode_move(&mut board, rooks, m, out.record)
                .map_err(|kind| Error::new(kind, out.at.after_ply(ply)))?;
            out.main_line.add(m, &board);
            ply = ply.wrapping_add(1);
        }
        self.notes.end_node(out.record);
        Ok(board)
    }

    /// As [`single_line`](Self::single_line), for any game. Annotations come before the variations.
    fn lines(
        &mut self,
        game: &Game,
        board: Board,
        rooks: &CastlingRooks,
        out: &mut Out<'_>,
    ) -> Result<Board, Error> {
        self.annotations.gather(game, LineStarts::OwnNode);
        self.replay.restart_on(board, true);
        let mut node = 0;
        self.annotate(game, node, false, out);
        for token in game.tokens() {
            match token {
                Token::Move(m) => {
                    let ply = self.replay.ply();
                    let written =
                        self.replay.play_with(|board| encode_move(board, rooks, m, out.record));
                    written.map_err(|kind| Error::new(kind, out.at.after_ply(ply)))?;
                    if self.replay.depth() == 0 {
                        out.main_line.add(m, self.replay.board());
                    }
                }
                Token::VariationStart => {
                    out.record.push(marker::VARIATION_START);
                    self.replay.start_variation();
                }
                Token::VariationEnd => {
                    out.record.push(marker::VARIATION_END);
                    self.replay.end_variation();
                    continue;
                }
                Token::Nag(_) | Token::Comment(_) => continue,
            };
            node = node.saturating_add(1);
            if self.annotations.has(node) {
                self.annotate(game, node, matches!(token, Token::Move(_)), out);
            }
        }
        Ok(*self.replay.board())
    }

    /// Writes the annotations of a node.
    fn annotate(&mut self, game: &Game, node: u32, at_move: bool, out: &mut Out<'_>) {
        let ply = self.replay.ply();
        for note in self.annotations.take(node) {
            let place = NotePlace { ply, at_move, is_moved: note.is_moved() };
            if let Some(token) = note.token(game) {
                self.notes.add(token, place, out.record, out.losses);
            }
        }
        self.notes.end_node(out.record);
    }
}

/// The output buffer of the moves.
struct Out<'a> {
    record: &'a mut Vec<u8>,
    losses: &'a mut Losses,
    /// The location for errors.
    at: Location,
    main_line: &'a mut MainLineStatistics,
}

/// The beginning of a text, for reports.
pub(crate) fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Truncates a text to at most `limit` bytes without splitting a UTF-8 character.
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

/// Returns the FEN to store. A FEN that Scid or old Scids would write is kept as it is; any other
/// is normalised. (scid §4.3 "Flags and start position")
fn fen_text<'a>(setup: &'a Setup, losses: &mut Losses) -> std::borrow::Cow<'a, str> {
    let (fen, position) = (setup.fen(), setup.position());
    if let Some(why) = unread_by_scid(position) {
        losses.push(Loss::new(LossKind::Setup, format!("Scid cannot read a start position {why}")));
    }
    let fields: Vec<&str> = fen.split(' ').collect();
    let sound = match fields.as_slice() {
        [board, "w" | "b", castling, passing, counters @ ..] if counters.len() <= 2 => {
            !board.contains(['[', '~'])
                && board.matches('/').count() == 7
                && castling.chars().all(|letter| "KQkq-ABCDEFGHabcdefgh".contains(letter))
                && !setup.lacks_castling_rights()
                && (*passing == "-"
                    || passing.parse::<Square>().is_ok_and(|square| matches!(square.rank(), 2 | 5)))
                && counters.iter().all(|counter| counter.parse::<u16>().is_ok())
        }
        _ => false,
    };
    if sound {
        return fen.into();
    }
    if !setup.is_exact() {
        losses.push(Loss::new(LossKind::Setup, fen));
    }
    position.to_fen().into()
}

/// Why Scid would call a game with this start position corrupt. (scid §4.3.5)
fn unread_by_scid(position: &Position) -> Option<&'static str> {
    let (us, them) = (position.turn(), !position.turn());
    let (Some(_), Some(king)) = (position.king(us), position.king(them)) else {
        return Some("without exactly one king a side");
    };
    let ends = Bitboard::rank(0) | Bitboard::rank(7);
    if (position.role(Role::Pawn) & ends).has_any() {
        return Some("with a pawn on the first or last rank");
    }
    let checked = position.attackers(king, us, position.occupied()).has_any();
    checked.then_some("in which the side that is not to move is in check")
}

/// The record's flags equal the index's. (scid §4.3 "Flags and start position")
const _: () = assert!(
    record_flag::OWN_START as u32 == flag::OWN_START
        && record_flag::PROMOTION as u32 == flag::PROMOTION
        && record_flag::UNDER_PROMOTION as u32 == flag::UNDER_PROMOTION
);

#[cfg(test)]
mod tests {
    use super::*;

    use chess_core::Nag;

    /// The output of one of the two ways to write moves and annotations.
    fn written(game: &Game, by_lines: bool) -> (Vec<u8>, Losses, u32, u32) {
        let mut encoder = RecordEncoder::new(Encoding::UTF_8, false);
        let (mut record, mut losses) = (Vec::new(), Losses::new());
        let mut main_line = MainLineStatistics::new(false);
        let at = Location::default();
        let mut out =
            Out { record: &mut record, losses: &mut losses, at, main_line: &mut main_line };
        encoder.notes.restart(game);
        let way = if by_lines { RecordEncoder::lines } else { RecordEncoder::single_line };
        way(&mut encoder, game, Board::start(), &CORNERS, &mut out).unwrap();
        encoder.notes.append_texts(&mut record);
        (record, losses, encoder.notes.comment_count, encoder.notes.nag_count)
    }

    #[test]
    fn encode_single_line_matches_general_encoding() {
        let notes = [
            Token::Comment("before"),
            Token::Comment(""),
            Token::Comment("a\0b"),
            Token::Nag(Nag(1)),
            Token::Nag(Nag(300)),
            Token::Nag(Nag(14)),
        ];
        let moves = ["e2e4", "e7e5", "g1f3", "0000", "f1b5", "g8f6", "e1h1"];
        for rotation in 0..notes.len() {
            let mut game = Game::new();
            let mut rest = notes.iter().cycle().skip(rotation);
            for (ply, m) in moves.into_iter().enumerate() {
                for note in rest.by_ref().take(ply * 3 % 11) {
                    game.push(*note).unwrap();
                }
                game.push_move(m.parse().unwrap());
            }
            game.push(notes[rotation]).unwrap();
            let (record, losses, comments, nags) = written(&game, false);
            assert_eq!(written(&game, true), (record, losses.clone(), comments, nags));
            assert!(comments > 0 && nags > 0 && !losses.is_empty());
        }
    }
}
