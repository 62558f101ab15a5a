//! Encodes a game to a record of the D02. The inverse is `decode`.
//!
//! Tokens are processed in [`Game`] order. A variation is written after its move. At its end its
//! bytes are swapped with the bytes of the move and its comments.

mod comments;
mod moves;

use chess_core::{Game, Move, Token, Tokens};
use chess_store::{Encoding, Loss, LossKind, Losses};

use self::moves::encode_move;
use crate::board::Board;
use crate::error::ErrorKind;
use crate::layout::{BRANCH_BEGIN, BRANCH_END, MAX_RECORD, SETUP};
use crate::options::Symbols;
use crate::setup::encode_setup;

/// The number of nested lines whose buffers are kept from game to game.
const KEPT_LINES: usize = 64;

/// How texts and symbols are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) encoding: Encoding,
    pub(crate) symbols: Symbols,
}

/// Encodes games to records, with reusable buffers.
#[derive(Debug)]
pub(crate) struct RecordEncoder {
    style: Style,
    outer: Vec<Line>,
}

impl RecordEncoder {
    pub(crate) fn new(style: Style) -> RecordEncoder {
        RecordEncoder { style, outer: Vec::new() }
    }

    /// Replaces `out` with the record of a game, including its length.
    pub(crate) fn encode(
        &mut self,
        game: &Game,
        out: &mut Vec<u8>,
        losses: &mut Losses,
    ) -> Result<(), ErrorKind> {
        let before = losses.mark();
        match self.pass(game, usize::MAX, out, losses) {
            Err(ErrorKind::RecordTooLong) => {}
            done => return done.and_then(|()| put_length(out)),
        }
        // Too long: find the room that the moves leave for comments.
        losses.rewind(&before);
        self.pass(game, 0, out, losses)?;
        let room = MAX_RECORD.saturating_sub(out.len());
        losses.rewind(&before);
        self.pass(game, room, out, losses)?;
        put_length(out)
    }

    /// Encodes the codes, with comments as far as there is room.
    fn pass(
        &mut self,
        game: &Game,
        room: usize,
        out: &mut Vec<u8>,
        losses: &mut Losses,
    ) -> Result<(), ErrorKind> {
        out.clear();
        self.outer.clear();
        self.outer.shrink_to(KEPT_LINES);
        let mut run = Run {
            style: self.style,
            room,
            out,
            losses,
            line: Line::new(Board::start()),
            outer: &mut self.outer,
            keep: game.variation_count() > 0,
        };
        run.start(game)?;
        run.tokens(game.tokens())
    }
}

/// Inserts the length before a record.
// chessassistant §7.1 "Length"
fn put_length(record: &mut Vec<u8>) -> Result<(), ErrorKind> {
    let length = record.len();
    if length > MAX_RECORD {
        return Err(ErrorKind::RecordTooLong);
    }
    // The low byte has seven bits.
    let [low, high, ..] = (length << 1).to_le_bytes();
    if length < 128 {
        record.insert(0, low >> 1);
    } else {
        record.insert(0, high);
        record.insert(0, low >> 1 | 128);
    }
    Ok(())
}

/// A line being written.
#[derive(Clone, Copy, Debug)]
struct Line {
    board: Board,
    /// The board before the last move, kept if the game has variations.
    before: Board,
    ply: u32,
    has_move: bool,
    /// The offset for branches that replace the last move.
    insert_at: usize,
    /// The offset of the line's branch in the record.
    start: usize,
    /// Whether the last move has a variation.
    varied: bool,
    /// Whether a comment follows that variation.
    commented: bool,
    /// Whether a move follows the comments at the start of the line, once that is known. Found
    /// once for all of them, because each search passes over the rest.
    starts_with_move: Option<bool>,
    /// After an inexpressible move: the number of variations opened since. The line is over.
    dropping: Option<u32>,
}

impl Line {
    fn new(board: Board) -> Line {
        Line {
            board,
            before: board,
            ply: 0,
            has_move: false,
            insert_at: 0,
            start: 0,
            varied: false,
            commented: false,
            starts_with_move: None,
            dropping: None,
        }
    }
}

struct Run<'a> {
    style: Style,
    room: usize,
    out: &'a mut Vec<u8>,
    losses: &'a mut Losses,
    line: Line,
    outer: &'a mut Vec<Line>,
    /// Whether the game has variations, which need the board before each move.
    keep: bool,
}

impl Run<'_> {
    fn start(&mut self, game: &Game) -> Result<(), ErrorKind> {
        let Some(setup) = game.setup() else { return Ok(()) };
        let position = setup.position();
        self.line.board = Board::number(position).ok_or(ErrorKind::TooManyPieces)?;
        self.out.push(SETUP);
        let complete = encode_setup(position, &self.line.board, self.out)?;
        if !complete || position.halfmove_clock() != 0 || !setup.is_exact() {
            self.losses.push(Loss::new(LossKind::Setup, setup.fen()));
        }
        Ok(())
    }

    fn tokens(&mut self, mut tokens: Tokens<'_>) -> Result<(), ErrorKind> {
        while let Some(token) = tokens.next() {
            if self.drop_token(token) {
                continue;
            }
            match token {
                Token::Move(m) => self.play(m),
                Token::Nag(nag) => self.nag(nag.0),
                Token::Comment(text) => self.comment(text, &tokens),
                Token::VariationStart => self.start_variation(),
                Token::VariationEnd => self.end_variation(),
            }
            if self.out.len() > MAX_RECORD {
                return Err(ErrorKind::RecordTooLong);
            }
        }
        Ok(())
    }

    /// Whether a token belongs to a dropped part of the game.
    fn drop_token(&mut self, token: Token<'_>) -> bool {
        let Some(depth) = &mut self.line.dropping else { return false };
        match token {
            Token::VariationStart => *depth = depth.saturating_add(1),
            Token::VariationEnd if *depth == 0 => return false,
            Token::VariationEnd => *depth = depth.saturating_sub(1),
            _ => {}
        }
        true
    }

    fn loss(&mut self, kind: LossKind, detail: impl Into<String>) {
        self.losses.push(Loss::at_ply(kind, detail, self.line.ply));
    }

    fn play(&mut self, m: Move) {
        let at = self.out.len();
        if self.keep {
            self.line.before = self.line.board;
        }
        if !encode_move(m, &mut self.line.board, self.out) {
            self.line.dropping = Some(0);
            return self.loss(LossKind::Move, m.to_string());
        }
        self.line.insert_at = at;
        self.line.has_move = true;
        self.line.varied = false;
        self.line.commented = false;
        self.line.ply = self.line.ply.saturating_add(1);
    }

    fn start_variation(&mut self) {
        if self.line.commented {
            self.loss(LossKind::CommentMoved, "between variations");
        }
        let start = self.out.len();
        let ply = self.line.ply.saturating_sub(1);
        let inner = Line { ply, start, ..Line::new(self.line.before) };
        self.outer.push(std::mem::replace(&mut self.line, inner));
        self.out.push(BRANCH_BEGIN);
    }

    fn end_variation(&mut self) {
        self.out.push(BRANCH_END);
        let start = self.line.start;
        // Its first move cannot be written, and was reported.
        let is_dropped = self.line.dropping.is_some() && !self.line.has_move;
        let Some(outer) = self.outer.pop() else { return };
        self.line = outer;
        if is_dropped {
            if self.out.len() > start.saturating_add(2) {
                self.loss(LossKind::Variation, "a comment without moves");
            }
            return self.out.truncate(start);
        }
        let size = self.out.len().saturating_sub(start);
        if let Some(tail) = self.out.get_mut(self.line.insert_at..) {
            tail.rotate_right(size);
        }
        self.line.insert_at = self.line.insert_at.saturating_add(size);
        self.line.varied = true;
        self.line.commented = false;
    }
}

/// The beginning of a text, for reports.
pub(crate) fn shortened(text: &str) -> String {
    const KEPT: usize = 60;
    let mut short: String = text.chars().take(KEPT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
