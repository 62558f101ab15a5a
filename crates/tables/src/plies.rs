//! Encodes a game as rows of half-moves.

use std::fmt::Write as _;

use chess_core::{
    Annotations, Color, Game, LineStarts, Move, Nag, Position, Replay, Role, TimeControl, Token,
};
use chess_store::{Loss, LossKind, Losses};
use pgn::San;

use crate::column::Column;
use crate::columns::{Columns, Selection};
use crate::commands::Commands;
use crate::games::of_game;
use crate::schema::{Field, Of};
use crate::uci::write_uci;
use crate::zobrist::zobrist;

/// Encodes games as rows of half-moves, and reuses its memory.
#[derive(Debug)]
pub(crate) struct PlyRows {
    replay: Replay,
    annotations: Annotations,
    /// Whether losses are reported: only if an annotation column is selected.
    annotated: bool,
    nags: Vec<Nag>,
    comment: String,
    before: String,
    /// Whether the current line has no move yet.
    at_start: bool,
    text: String,
    /// The enclosing lines, and the number of lines so far.
    outer: Vec<i32>,
    line: i32,
    lines: i32,
    clocks: Clocks,
    /// The values of the columns that are the same in all rows of a game.
    whole: Vec<Column>,
}

/// The data of a half-move's row.
struct Ply<'a> {
    m: Move,
    before: &'a Position,
    after: &'a Position,
    number: u32,
    depth: usize,
    commands: Commands,
    /// Seconds that the move took.
    spent: Option<f64>,
}

/// The clocks of a game, to find the time that each move took.
#[derive(Clone, Copy, Debug, Default)]
struct Clocks {
    /// The last clock of White and of Black.
    last: [Option<f64>; 2],
    increment: f64,
}

impl Clocks {
    fn start(game: &Game) -> Clocks {
        let control = game.header.tags.get("TimeControl").and_then(TimeControl::first);
        let base = control.map(|control| control.base);
        Clocks { last: [base; 2], increment: control.map_or(0.0, |control| control.increment) }
    }

    /// Returns the time of a move of the main line.
    fn spent(&mut self, mover: Color, clock: Option<f64>) -> Option<f64> {
        let [white, black] = &mut self.last;
        let last = if mover == Color::White { white } else { black };
        let before = std::mem::replace(last, clock);
        Some(before? + self.increment - clock?).filter(|spent| *spent >= 0.0)
    }
}

impl PlyRows {
    pub(crate) fn new(selection: &Selection) -> PlyRows {
        PlyRows {
            replay: Replay::new(&Game::new()),
            annotations: Annotations::default(),
            annotated: selection.has(&[
                Of::Nags,
                Of::Comment,
                Of::CommentBefore,
                Of::Clock,
                Of::Evaluation,
                Of::Mate,
                Of::SecondsSpent,
            ]),
            nags: Vec::new(),
            comment: String::new(),
            before: String::new(),
            at_start: true,
            text: String::new(),
            outer: Vec::new(),
            line: 0,
            lines: 0,
            clocks: Clocks::default(),
            whole: Vec::new(),
        }
    }

    pub(crate) fn encode(&mut self, game: &Game, into: &mut Columns, losses: &mut Losses) {
        self.replay.restart(game);
        self.outer.clear();
        (self.line, self.lines) = (0, 0);
        if self.annotated {
            self.annotations.gather(game, LineStarts::OwnNode);
        }
        self.clocks = Clocks::start(game);
        self.find_whole(game, into);
        let mut node = 0u32;
        self.start_line(game, node, losses);
        for token in game.tokens() {
            match token {
                Token::Move(m) => {
                    node = node.saturating_add(1);
                    self.take_notes(game, node);
                    self.write_row(m, into);
                    self.before.clear();
                    self.at_start = false;
                    continue;
                }
                Token::VariationStart => {
                    self.lose_unplaced(losses);
                    self.replay.step(token);
                    node = node.saturating_add(1);
                    self.outer.push(self.line);
                    self.lines = self.lines.saturating_add(1);
                    self.line = self.lines;
                    self.start_line(game, node, losses);
                    continue;
                }
                Token::VariationEnd => {
                    self.lose_unplaced(losses);
                    self.line = self.outer.pop().unwrap_or(0);
                    self.at_start = false;
                }
                Token::Nag(_) | Token::Comment(_) => {}
            }
            self.replay.step(token);
        }
        self.lose_unplaced(losses);
    }

    /// Computes the columns that are the same in all rows of a game.
    fn find_whole(&mut self, game: &Game, into: &mut Columns) {
        self.whole.clear();
        for (field, _) in into.iter_mut().filter(|(field, _)| is_whole(field.of)) {
            let mut value = Column::new(field.kind);
            of_game(game, field, &mut value);
            value.end(1);
            self.whole.push(value);
        }
    }

    /// Handles the text before the first move of a line.
    fn start_line(&mut self, game: &Game, node: u32, losses: &mut Losses) {
        self.at_start = true;
        self.take_notes(game, node);
        std::mem::swap(&mut self.before, &mut self.comment);
        for nag in &self.nags {
            losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), self.replay.ply()));
        }
    }

    /// Reports the comments of a line that ends without a move, because they have no row.
    fn lose_unplaced(&mut self, losses: &mut Losses) {
        if self.at_start && !self.before.is_empty() {
            let loss = Loss::at_ply(LossKind::Comment, self.before.as_str(), self.replay.ply());
            losses.push(loss);
        }
        self.before.clear();
    }

    fn take_notes(&mut self, game: &Game, node: u32) {
        self.comment.clear();
        self.nags.clear();
        if !self.annotated {
            return;
        }
        for note in self.annotations.take(node) {
            match note.token(game) {
                Some(Token::Comment(text)) if !text.is_empty() => {
                    if !self.comment.is_empty() {
                        self.comment.push(' ');
                    }
                    self.comment.push_str(text);
                }
                Some(Token::Nag(nag)) => self.nags.push(nag),
                _ => {}
            }
        }
    }

    fn write_row(&mut self, m: Move, into: &mut Columns) {
        let before = *self.replay.position();
        let number = self.replay.ply().saturating_add(1);
        self.replay.play(m);
        let mut commands = Commands::default();
        commands.read(&self.comment);
        let after = *self.replay.position();
        let depth = self.replay.depth();
        let spent = match depth {
            0 => self.clocks.spent(before.turn(), commands.clock),
            _ => None,
        };
        let spent = commands.elapsed.or(spent);
        let ply = Ply { m, before: &before, after: &after, number, depth, commands, spent };
        let (rows, mut whole) = (into.rows(), std::mem::take(&mut self.whole));
        let mut values = whole.iter();
        for (field, column) in into.iter_mut() {
            if is_whole(field.of) {
                match values.next().filter(|value| !value.valid.is_empty()) {
                    Some(value) => column.append(value, rows),
                    None => column.null(),
                }
            } else {
                self.fill(&ply, field, column);
            }
        }
        std::mem::swap(&mut self.whole, &mut whole);
        into.end_rows(1);
    }

    fn fill(&mut self, ply: &Ply<'_>, field: &Field, column: &mut Column) {
        match field.of {
            Of::Ply => column.int32(i32::try_from(ply.number).unwrap_or(i32::MAX)),
            Of::Depth => column.int16(i16::try_from(ply.depth).unwrap_or(i16::MAX)),
            Of::Variation => column.int32(self.line),
            Of::Move => {
                write_uci(ply.before, ply.m, &mut self.text);
                column.text(&self.text);
            }
            Of::San => column.text(San::between(ply.before, ply.m, ply.after).as_str()),
            Of::MoveCode => column.int32(i32::from(ply.m.bits())),
            Of::Hash => column.uint64(zobrist(ply.after)),
            Of::Clock => column.or_null(ply.commands.clock, Column::float64),
            Of::Evaluation => column.or_null(ply.commands.evaluation, Column::float64),
            Of::Mate => column.or_null(ply.commands.mate, Column::int16),
            Of::Nags => {
                self.nags.iter().for_each(|nag| column.code(nag.0));
                column.end_list();
            }
            Of::Comment => column.or_null(some(&self.comment), Column::text),
            Of::CommentBefore => column.or_null(some(&self.before), Column::text),
            Of::PlyFen => {
                self.text.clear();
                let _ = write!(self.text, "{}", ply.after.fen());
                column.text(&self.text);
            }
            Of::Board => column.bytes32(&packed_board(ply.after)),
            Of::BoardBefore => column.bytes32(&packed_board(ply.before)),
            Of::Turn => column.text(if ply.before.turn() == Color::White { "w" } else { "b" }),
            Of::Castling => {
                self.text.clear();
                let _ = write!(self.text, "{}", ply.before.fen());
                column.text(self.text.split(' ').nth(2).unwrap_or("-"));
            }
            Of::EnPassant => {
                self.text.clear();
                if let Some(square) = ply.before.legal_en_passant() {
                    let _ = write!(self.text, "{square}");
                }
                column.or_null(some(&self.text), Column::text);
            }
            Of::SecondsSpent => column.or_null(ply.spent, Column::float64),
            // These columns depend only on the origin of the game.
            _ => {}
        }
    }
}

/// Returns whether a column is the same in all rows of a game.
fn is_whole(of: Of) -> bool {
    matches!(
        of,
        Of::AnyTag
            | Of::BaseSeconds
            | Of::Increment
            | Of::TimeClass
            | Of::OpeningName
            | Of::Result
            | Of::WhiteElo
            | Of::BlackElo
            | Of::Year
    )
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// Packs a position into half a byte a square, as the column `board`.
#[must_use]
pub fn packed_board(position: &Position) -> [u8; 32] {
    let mut board = [0; 32];
    for color in Color::ALL {
        for role in Role::ALL {
            let code = role as u8 | if color == Color::Black { 8 } else { 0 };
            for square in position.pieces(role, color) {
                let half = if square.index() & 1 == 0 { code } else { code << 4 };
                if let Some(byte) = board.get_mut(usize::from(square.index() >> 1)) {
                    *byte |= half;
                }
            }
        }
    }
    board
}
