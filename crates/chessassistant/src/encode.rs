//! A game to a record of the D02; the mirror image of `decode`.
//!
//! Tokens are taken in the order of the [`Game`]. A variation is written where it stands, after
//! its move, and when it ends its bytes change places with those of the move and its comments.

use chess_core::seam::{Loss, LossKind};
use chess_core::{Encoding, Game, Move, Role, Token, Tokens};

use crate::board::{Board, PieceId, Remark, coordinate, pawn_kind, step_between};
use crate::comment::{Meaning, Part, meaning, split_part};
use crate::error::ErrorKind;
use crate::layout::{
    BRANCH_BEGIN, BRANCH_END, CASTLE_LONG, CASTLE_SHORT, COMMENT, DIAGRAM_AFTER, DIAGRAM_NAG,
    EN_PASSANT, EXTENDED, LONG_COMMENT, MAX_RECORD, NULL_MOVE, PROMOTION, SETUP, SYMBOL,
    SYMBOL_AFTER, TEXT_AFTER, TEXT_BEFORE, UNKNOWN_233,
};
use crate::setup::encode_setup;
use crate::symbols::{symbol_of, text_of};

/// How glyphs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum SymbolStyle {
    /// As symbols, by the table this crate reads them with. What the program shows for them is
    /// not known.
    #[default]
    Codes,
    /// As comments: `!`, `+/-`. Right in any program, but read back as comments.
    Text,
}

/// Makes records of games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder {
    pub(crate) encoding: Encoding,
    pub(crate) symbols: SymbolStyle,
}

impl Encoder {
    /// Replaces `out` with the record of a game, its length in front.
    pub(crate) fn encode(
        &self,
        game: &Game,
        out: &mut Vec<u8>,
        losses: &mut Vec<Loss>,
    ) -> Result<(), ErrorKind> {
        let before = losses.len();
        match self.pass(game, usize::MAX, out, losses) {
            Err(ErrorKind::RecordTooLong) => {}
            done => return done.map(|()| put_length(out)),
        }
        // Too long: how much room do the moves leave for comments?
        losses.truncate(before);
        self.pass(game, 0, out, losses)?;
        let room = MAX_RECORD.saturating_sub(out.len());
        losses.truncate(before);
        self.pass(game, room, out, losses)?;
        put_length(out);
        Ok(())
    }

    /// Encodes the codes, with comments as far as there is room for them.
    fn pass(
        &self,
        game: &Game,
        room: usize,
        out: &mut Vec<u8>,
        losses: &mut Vec<Loss>,
    ) -> Result<(), ErrorKind> {
        out.clear();
        let mut run = Run {
            encoder: self,
            room,
            out,
            losses,
            line: Line::new(Board::start()),
            outer: Vec::new(),
            keep: game.variation_count() > 0,
        };
        run.start(game)?;
        run.tokens(game.tokens())
    }
}

/// Puts the length before a record.
// chessassistant §7.1 "Length"
fn put_length(record: &mut Vec<u8>) {
    let length = record.len();
    let low = u8::try_from(length & 127).unwrap_or(0);
    let high = u8::try_from(length >> 7).unwrap_or(0);
    if length < 128 {
        record.insert(0, low);
    } else {
        record.splice(0..0, [low | 128, high]);
    }
}

/// A line of play while it is written.
#[derive(Clone, Copy, Debug)]
struct Line {
    board: Board,
    /// The board before the last move, if the game has variations.
    before: Board,
    ply: u32,
    has_move: bool,
    /// Where the branches that replace the last move go.
    insert_at: usize,
    /// Where the line's branch begins in the record.
    start: usize,
    /// Whether the last move has had a variation.
    varied: bool,
    /// Whether a comment stands after that.
    commented: bool,
    /// After a move that could not be stored, the variations open since; the line is over.
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
            dropping: None,
        }
    }
}

struct Run<'a> {
    encoder: &'a Encoder,
    room: usize,
    out: &'a mut Vec<u8>,
    losses: &'a mut Vec<Loss>,
    line: Line,
    outer: Vec<Line>,
    keep: bool,
}

impl Run<'_> {
    fn start(&mut self, game: &Game) -> Result<(), ErrorKind> {
        let Some(setup) = game.setup() else { return Ok(()) };
        let position = setup.position();
        self.line.board = Board::number(position).ok_or(ErrorKind::TooManyPieces)?;
        self.out.push(SETUP);
        let complete = encode_setup(position, &self.line.board, self.out)?;
        if !complete || position.halfmove_clock() != 0 {
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

    /// Whether a token belongs to what was given up with a move.
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
        let before = self.line.board;
        let at = self.out.len();
        if !encode_move(m, &mut self.line.board, self.out) {
            self.line.board = before;
            self.line.dropping = Some(0);
            return self.loss(LossKind::Move, m.to_string());
        }
        if self.keep {
            self.line.before = before;
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
        let Some(outer) = self.outer.pop() else { return };
        self.line = outer;
        let size = self.out.len().saturating_sub(start);
        if let Some(tail) = self.out.get_mut(self.line.insert_at..) {
            tail.rotate_right(size);
        }
        self.line.insert_at = self.line.insert_at.saturating_add(size);
        self.line.varied = true;
        self.line.commented = false;
    }

    fn nag(&mut self, nag: u16) {
        if !self.line.has_move {
            return self.loss(LossKind::Nag, format!("${nag} before the first move"));
        }
        if self.line.varied && !self.line.commented {
            self.loss(LossKind::Nag, format!("${nag} moved before the variations"));
        }
        if nag == DIAGRAM_NAG {
            self.out.extend_from_slice(&[COMMENT, 1, DIAGRAM_AFTER]);
            return;
        }
        match (self.encoder.symbols, symbol_of(nag)) {
            (SymbolStyle::Codes, Some(symbol)) => {
                self.out.extend_from_slice(&[SYMBOL, SYMBOL_AFTER, symbol]);
            }
            (SymbolStyle::Codes, None) => self.loss(LossKind::Nag, format!("${nag}")),
            (SymbolStyle::Text, _) => {
                let text = text_of(nag).map_or_else(|| format!("${nag}"), String::from);
                self.loss(LossKind::Nag, format!("${nag} written as text"));
                self.put_text(TEXT_AFTER, &text);
            }
        }
    }

    // chessassistant §9.5 "Before and after"
    fn comment(&mut self, text: &str, rest: &Tokens<'_>) {
        let line = self.line;
        if line.varied {
            // After the variations: only a comment on the next move can stand there.
            self.line.commented = true;
            return self.put_text(TEXT_BEFORE, text);
        }
        let kind = if !line.has_move && move_follows(rest) { TEXT_BEFORE } else { TEXT_AFTER };
        match self.parts(text, rest) {
            Some(parts) => parts.into_iter().for_each(|part| self.part(kind, part)),
            None => self.put_text(kind, text),
        }
    }

    /// The tags and text of a comment, if it has tags and would be read back the same.
    fn parts<'t>(&self, text: &'t str, rest: &Tokens<'_>) -> Option<Vec<Part<'t>>> {
        let mut parts = Vec::new();
        let mut left = Some(text);
        while let Some(text) = left {
            let (part, more) = split_part(text);
            if !self.reads_as_tag(&part) {
                return None;
            }
            parts.push(part);
            left = more;
        }
        let joins = !matches!(parts.last(), Some(Part::Text(_)))
            && matches!(rest.clone().next(), Some(Token::Comment(_)));
        (!joins).then_some(parts)
    }

    /// Whether the reader makes of this part, in this place, the tag it comes from.
    fn reads_as_tag(&self, part: &Part<'_>) -> bool {
        let Part::Typed(kind, content) = part else { return true };
        match meaning(*kind, content) {
            Meaning::Raw(..) | Meaning::Eval { .. } => true,
            Meaning::Diagram { before: true } => !self.line.has_move,
            Meaning::Symbol { before: false, .. } | Meaning::Diagram { .. } => {
                !self.line.has_move && self.outer.is_empty()
            }
            Meaning::Text { .. } | Meaning::Symbol { .. } => false,
        }
    }

    fn part(&mut self, kind: u8, part: Part<'_>) {
        match part {
            Part::Text(text) => self.put_text(kind, text),
            Part::Unknown233(byte) => self.put_comment("[%caraw 233]", &[UNKNOWN_233, byte]),
            Part::Typed(kind, content) => {
                let record = container(kind, &content);
                self.put_comment("a tag", &record);
            }
        }
    }

    /// Writes a text, or as much of it as there is room for.
    fn put_text(&mut self, kind: u8, text: &str) {
        let (bytes, complete) = self.encoder.encoding.encode(text);
        if !complete {
            self.loss(LossKind::Characters, shortened(text));
        }
        let record = container(kind, &bytes);
        let room = self.room;
        if record.len() <= room || room < 64 {
            return self.put_comment(text, &record);
        }
        self.loss(LossKind::TextCut, shortened(text));
        let kept = bytes.get(..room.saturating_sub(6)).unwrap_or_default();
        let record = container(kind, kept);
        self.put_comment(text, &record);
    }

    fn put_comment(&mut self, text: &str, record: &[u8]) {
        match self.room.checked_sub(record.len()) {
            Some(left) => {
                self.room = left;
                self.out.extend_from_slice(record);
            }
            None => self.loss(LossKind::Comment, shortened(text)),
        }
    }
}

/// Whether a move is to come on this line.
fn move_follows(rest: &Tokens<'_>) -> bool {
    let mut rest = rest.clone();
    matches!(
        rest.find(|token| !matches!(token, Token::Comment(_) | Token::Nag(_))),
        Some(Token::Move(_))
    )
}

/// The beginning of a text, for a report.
pub(crate) fn shortened(text: &str) -> String {
    const KEPT: usize = 60;
    let mut short: String = text.chars().take(KEPT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A comment of this type with the code and length that fit it.
fn container(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len().saturating_add(1);
    let mut record = match (kind, u8::try_from(length)) {
        (SYMBOL_AFTER | crate::layout::SYMBOL_BEFORE, Ok(2)) => vec![SYMBOL],
        (_, Ok(length)) => vec![COMMENT, length],
        _ => {
            let mut record = vec![LONG_COMMENT];
            let length = u32::try_from(length).unwrap_or(u32::MAX);
            record.extend_from_slice(&length.to_le_bytes());
            record
        }
    };
    record.push(kind);
    record.extend_from_slice(content);
    record
}

/// Appends the code of a move and plays it; `false` if it has none.
// chessassistant §8 "Moves"
fn encode_move(m: Move, board: &mut Board, out: &mut Vec<u8>) -> bool {
    if m.is_null() {
        board.pass();
        out.push(NULL_MOVE);
        return true;
    }
    let mover = board.occupant(coordinate(m.from()));
    let own = |id: PieceId| id == PieceId::new(board.turn(), id.number());
    let Some(id) = mover.filter(|id| own(*id) && m.from() != m.to()) else { return false };
    let target = board.occupant(coordinate(m.to())).filter(|id| own(*id));
    let castles = board.role(id) == Some(Role::King)
        && target.is_some_and(|rook| board.role(rook) == Some(Role::Rook));
    if castles {
        encode_castling(m, board, out)
    } else if let Some(role) = m.promotion() {
        encode_promotion(id, m, role, board, out)
    } else {
        encode_step(id, step_between(m.from(), m.to()), board, out)
    }
}

fn encode_castling(m: Move, board: &mut Board, out: &mut Vec<u8>) -> bool {
    for (long, code) in [(true, CASTLE_LONG), (false, CASTLE_SHORT)] {
        let mut after = *board;
        if let Ok((castled, _)) = after.castle(long)
            && castled == m
        {
            *board = after;
            out.push(code);
            return true;
        }
    }
    false
}

fn encode_promotion(
    id: PieceId,
    m: Move,
    role: Role,
    board: &mut Board,
    out: &mut Vec<u8>,
) -> bool {
    let step = step_between(m.from(), m.to());
    let Some(kind) = pawn_kind(board.turn(), step) else { return false };
    if !board.is_pawn(id) || board.play(id, step).is_err() {
        return false;
    }
    let number = board.promotion_number(id, role);
    board.transform(id, number, role);
    out.extend_from_slice(&[PROMOTION, id.number() << 2 | kind, (role as u8) << 5 | number]);
    true
}

fn encode_step(id: PieceId, step: u8, board: &mut Board, out: &mut Vec<u8>) -> bool {
    let code = match board.plain_code(id, step) {
        Some(code) => [Some(code), None],
        None if id.number() < 8 && !board.is_pawn(id) => {
            [EXTENDED.checked_add(id.number()), Some(step)]
        }
        None => return false,
    };
    let Ok((_, remark)) = board.play(id, step) else { return false };
    if remark == Remark::EnPassant {
        out.push(EN_PASSANT);
    }
    out.extend(code.into_iter().flatten());
    true
}
