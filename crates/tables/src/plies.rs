//! Encodes a game as rows of half-moves.

use std::fmt::Write as _;

use chess_core::{
    Annotations, Color, Game, LineStarts, Move, Nag, Position, Replay, Role, Token, Tokens, zobrist,
};
use chess_store::{Loss, LossKind, Losses};
use pgn::San;
use time_control::{TimeClass, TimeControl};

use crate::column::Column;
use crate::columns::{Columns, Selection};
use crate::commands::Commands;
use crate::games::of_game;
use crate::schema::Of;
use crate::uci::{UciLine, uci_code};

/// Encodes games as rows of half-moves, and reuses its memory.
#[derive(Debug)]
pub(crate) struct PlyRows {
    needs: Needs,
    /// The first and the last ply that has a row.
    bounds: (u32, u32),
    /// Counts plies and the depth.
    place: Replay<()>,
    board: Board,
    annotations: Annotations,
    notes: Notes,
    before: String,
    /// Whether the current line has no move yet.
    at_start: bool,
    text: String,
    /// The enclosing lines, and the number of lines so far.
    outer: Vec<i32>,
    line: i32,
    lines: i32,
    /// The side that makes the first move.
    first: Color,
    clocks: Clocks,
    /// The values of the columns that are the same in all rows of a game.
    whole: Vec<Column>,
    /// The half-moves whose columns of numbers are not filled yet.
    plies: Vec<Ply>,
}

/// The parts of a game that the selected columns need. Nothing else is computed.
#[derive(Clone, Copy, Debug)]
struct Needs {
    /// The positions before and after each move.
    positions: bool,
    uci: bool,
    /// Comments and NAGs. Losses are reported only then.
    annotations: bool,
    /// Columns that are filled row by row, because they need a position or a text.
    rows: bool,
    /// The texts of comments on moves.
    comments: bool,
    /// The commands in comments.
    commands: bool,
}

impl Needs {
    fn of(selection: &Selection) -> Needs {
        use Of::{Board, BoardBefore, Castling, EnPassant, Hash, PlyFen, San};
        let comments = selection.has(&[Of::Comment]);
        let commands = selection.has(&[Of::Clock, Of::Evaluation, Of::Mate, Of::SecondsSpent]);
        let others = selection.has(&[Of::Nags, Of::CommentBefore]);
        Needs {
            positions: selection.has(&[Board, BoardBefore, Castling, EnPassant, Hash, PlyFen, San]),
            uci: selection.has(&[Of::Move]),
            annotations: comments || commands || others,
            rows: selection.fields().iter().any(|field| is_of_row(field.of)),
            comments,
            commands,
        }
    }
}

/// The positions of a game, as far as they are needed.
#[derive(Debug)]
struct Board {
    replay: Replay,
    /// The position before the last move.
    before: Position,
    /// Whether `replay` follows the game.
    replays: bool,
    /// Finds the UCI codes if `replays` is false.
    uci: UciLine,
}

impl Board {
    fn restart(&mut self, game: &Game, needs: Needs) {
        self.replays = needs.positions || needs.uci && game.variation_count() > 0;
        if self.replays {
            self.replay.restart(game);
        } else if needs.uci {
            self.uci.restart(game);
        }
    }

    fn step(&mut self, token: Token<'_>) {
        if self.replays {
            self.replay.step(token);
        }
    }

    /// Plays a move. Returns its UCI code if that is needed.
    #[inline]
    fn play(&mut self, m: Move, needs: Needs) -> u16 {
        if self.replays {
            self.before = *self.replay.position();
            self.replay.play(m);
            uci_code(&self.before, m)
        } else if needs.uci {
            self.uci.push(m)
        } else {
            m.bits()
        }
    }

    fn after(&self) -> &Position {
        self.replay.position()
    }
}

/// The annotations of a half-move, as far as they are needed.
#[derive(Debug, Default)]
struct Notes {
    nags: Vec<Nag>,
    comment: String,
    commands: Commands,
}

impl Notes {
    #[inline]
    fn clear(&mut self) {
        self.nags.clear();
        self.comment.clear();
        self.commands = Commands::default();
    }

    #[inline]
    fn add(&mut self, token: Token<'_>, needs: Needs, keeps_text: bool) {
        match token {
            Token::Comment(text) => {
                if needs.commands {
                    self.commands.read(text);
                }
                if keeps_text && !text.is_empty() {
                    self.add_text(text);
                }
            }
            Token::Nag(nag) => self.nags.push(nag),
            _ => {}
        }
    }

    fn add_text(&mut self, text: &str) {
        if !self.comment.is_empty() {
            self.comment.push(' ');
        }
        self.comment.push_str(text);
    }
}

/// A half-move: the values of its row that are numbers.
#[derive(Clone, Copy, Debug)]
struct Ply {
    m: Move,
    uci: u16,
    number: u32,
    depth: usize,
    line: i32,
    commands: Commands,
    /// Seconds that the move took.
    spent: Option<f64>,
}

/// The number of half-moves whose columns of numbers are filled together.
const PLIES: usize = 1024;

/// The clocks of a game, to find the time that each move took.
#[derive(Clone, Copy, Debug, Default)]
struct Clocks {
    white: Clock,
    black: Clock,
    base: Option<f64>,
    class: Option<TimeClass>,
    /// Lichess starts a clock with the second move of its side.
    is_lichess: bool,
    /// The factor of clocks of two parts; `None` before the first clock.
    short_unit: Option<ShortUnit>,
}

/// The clock of a side.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    last: Option<f64>,
    increment: f64,
    has_moved: bool,
}

/// The meaning of a clock of two parts.
#[derive(Clone, Copy, PartialEq, Debug)]
enum ShortUnit {
    /// Minutes and seconds.
    Minutes,
    /// Hours and minutes.
    Hours,
    Unknown,
}

impl Clocks {
    fn start(game: &Game) -> Clocks {
        let control = TimeControl::of(game);
        let base = control.map(|control| control.base);
        let increment = control.map_or(0.0, |control| control.increment);
        let clock = Clock { last: base, increment, has_moved: false };
        Clocks {
            white: clock,
            black: clock,
            base,
            class: base.is_none().then(|| TimeClass::of(game)),
            is_lichess: game.header.site.contains("lichess.org/")
                && !["/broadcast/", "/study/"].iter().any(|part| game.header.site.contains(part)),
            short_unit: None,
        }
    }

    /// Returns a clock in seconds. The first clock decides what clocks of two parts are.
    #[inline]
    fn read(&mut self, commands: &Commands) -> Option<f64> {
        let seconds = commands.clock?;
        if !commands.is_short_clock {
            self.short_unit = self.short_unit.or(Some(ShortUnit::Minutes));
            return Some(seconds);
        }
        self.read_short(seconds)
    }

    #[cold]
    fn read_short(&mut self, seconds: f64) -> Option<f64> {
        // Nobody has ten hours.
        if seconds >= 600.0 {
            self.short_unit = self.short_unit.or(Some(ShortUnit::Minutes));
            return Some(seconds);
        }
        let unit = *self.short_unit.get_or_insert(match (self.base, self.class) {
            (Some(base), _) if seconds * 60.0 <= base * 1.5 => ShortUnit::Hours,
            (Some(_), _) => ShortUnit::Minutes,
            (None, Some(TimeClass::Classical)) => ShortUnit::Hours,
            (None, Some(TimeClass::Bullet | TimeClass::Blitz | TimeClass::Rapid)) => {
                ShortUnit::Minutes
            }
            (None, _) => ShortUnit::Unknown,
        });
        match unit {
            ShortUnit::Minutes => Some(seconds),
            ShortUnit::Hours => Some(seconds * 60.0),
            ShortUnit::Unknown => None,
        }
    }

    /// Returns the time of a move of the main line.
    fn spent(&mut self, mover: Color, clock: Option<f64>) -> Option<f64> {
        let (is_lichess, base) = (self.is_lichess, self.base);
        let side = if mover == Color::White { &mut self.white } else { &mut self.black };
        let before = std::mem::replace(&mut side.last, clock);
        let is_first = !std::mem::replace(&mut side.has_moved, true);
        if is_first && is_lichess && clock.is_some() {
            if clock < base {
                // A player who goes berserk has half the time and no increment.
                side.increment = 0.0;
            }
            return before.map(|_| 0.0);
        }
        Some(before? + side.increment - clock?).filter(|spent| *spent >= 0.0)
    }
}

impl PlyRows {
    pub(crate) fn new(selection: &Selection) -> PlyRows {
        PlyRows {
            needs: Needs::of(selection),
            bounds: selection.ply_bounds(),
            place: Replay::on((), false),
            board: Board {
                replay: Replay::new(&Game::new()),
                before: Position::start(),
                replays: false,
                uci: UciLine::new(),
            },
            annotations: Annotations::default(),
            notes: Notes::default(),
            before: String::new(),
            at_start: true,
            text: String::new(),
            outer: Vec::new(),
            line: 0,
            lines: 0,
            first: Color::White,
            clocks: Clocks::default(),
            whole: Vec::new(),
            plies: Vec::new(),
        }
    }

    pub(crate) fn encode(&mut self, game: &Game, into: &mut Columns, losses: &mut Losses) {
        self.place.restart_on((), game.variation_count() > 0);
        self.board.restart(game, self.needs);
        self.outer.clear();
        (self.line, self.lines) = (0, 0);
        self.first = game.setup().map_or(Color::White, |setup| setup.position().turn());
        if self.needs.commands {
            self.clocks = Clocks::start(game);
        }
        self.find_whole(game, into);
        if game.variation_count() == 0 {
            self.encode_line(game, into, losses);
        } else {
            self.encode_lines(game, into, losses);
        }
        self.fill_numbers(into);
        self.lose_unplaced(losses);
    }

    /// Encodes a game without variations. The annotations of each move follow it.
    fn encode_line(&mut self, game: &Game, into: &mut Columns, losses: &mut Losses) {
        self.at_start = true;
        self.notes.clear();
        let mut tokens = game.tokens();
        let mut next = self.take_following(&mut tokens, true);
        self.end_line_start(losses);
        while let Some(m) = next {
            self.notes.clear();
            next = self.take_following(&mut tokens, self.needs.comments);
            self.write_row(m, into);
            self.before.clear();
            self.at_start = false;
            if self.is_past() {
                break;
            }
        }
    }

    /// Takes the annotations up to the next move, which is returned.
    #[inline]
    fn take_following(&mut self, tokens: &mut Tokens<'_>, keeps_text: bool) -> Option<Move> {
        for token in tokens {
            match token {
                Token::Move(m) => return Some(m),
                token if self.needs.annotations => self.notes.add(token, self.needs, keeps_text),
                _ => {}
            }
        }
        None
    }

    /// Encodes a game with variations. Comments after a variation belong to the move before it.
    fn encode_lines(&mut self, game: &Game, into: &mut Columns, losses: &mut Losses) {
        if self.needs.annotations {
            self.annotations.gather(game, LineStarts::OwnNode);
        }
        let mut node = 0u32;
        self.start_line(game, node, losses);
        for token in game.tokens() {
            match token {
                Token::Move(m) => {
                    node = node.saturating_add(1);
                    self.take_notes(game, node, self.needs.comments);
                    self.write_row(m, into);
                    self.before.clear();
                    self.at_start = false;
                    if self.is_past() {
                        break;
                    }
                    continue;
                }
                Token::VariationStart => {
                    self.lose_unplaced(losses);
                    self.place.start_variation();
                    self.board.step(token);
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
                    self.place.end_variation();
                }
                Token::Nag(_) | Token::Comment(_) => {}
            }
            self.board.step(token);
        }
    }

    /// Returns whether no more row can come. A variation begins at the ply of the move before it.
    fn is_past(&self) -> bool {
        self.place.depth() == 0 && self.place.ply() > self.bounds.1
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
        self.take_notes(game, node, true);
        self.end_line_start(losses);
    }

    /// Keeps the comments before the first move of a line, and reports the NAGs there.
    fn end_line_start(&mut self, losses: &mut Losses) {
        self.before.clear();
        std::mem::swap(&mut self.before, &mut self.notes.comment);
        for nag in &self.notes.nags {
            losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), self.place.ply()));
        }
    }

    /// Reports the comments of a line that ends without a move, because they have no row.
    fn lose_unplaced(&mut self, losses: &mut Losses) {
        if self.at_start && !self.before.is_empty() {
            let loss = Loss::at_ply(LossKind::Comment, self.before.as_str(), self.place.ply());
            losses.push(loss);
        }
        self.before.clear();
    }

    /// Takes the annotations of a node.
    fn take_notes(&mut self, game: &Game, node: u32, keeps_text: bool) {
        self.notes.clear();
        if self.needs.annotations {
            for note in self.annotations.take(node) {
                if let Some(token) = note.token(game) {
                    self.notes.add(token, self.needs, keeps_text);
                }
            }
        }
    }

    #[inline]
    fn write_row(&mut self, m: Move, into: &mut Columns) {
        let is_even = self.place.ply().is_multiple_of(2);
        let turn = if is_even { self.first } else { !self.first };
        self.place.play_with(|()| ());
        let uci = self.board.play(m, self.needs);
        let (number, depth) = (self.place.ply(), self.place.depth());
        let mut commands = self.notes.commands;
        commands.clock = self.clocks.read(&commands);
        let spent = match depth {
            0 => self.clocks.spent(turn, commands.clock),
            _ => None,
        };
        if !(self.bounds.0..=self.bounds.1).contains(&number) {
            return;
        }
        let spent = commands.elapsed.or(spent);
        self.plies.push(Ply { m, uci, number, depth, line: self.line, commands, spent });
        if self.needs.rows {
            self.fill_row(m, turn, into);
        }
        if self.plies.len() >= PLIES {
            self.fill_numbers(into);
        }
    }

    /// Adds a row to the columns that need a position or a text.
    fn fill_row(&mut self, m: Move, turn: Color, into: &mut Columns) {
        let (before, after, text) = (&self.board.before, self.board.after(), &mut self.text);
        for (field, column) in into.iter_mut() {
            match field.of {
                Of::San => column.text(San::between(before, m, after).as_str()),
                Of::Hash => column.uint64(zobrist(after)),
                Of::Nags => {
                    self.notes.nags.iter().for_each(|nag| column.code(nag.0));
                    column.end_list();
                }
                Of::Comment => column.or_null(some(&self.notes.comment), Column::text),
                Of::CommentBefore => column.or_null(some(&self.before), Column::text),
                Of::PlyFen => {
                    text.clear();
                    let _ = write!(text, "{}", after.fen());
                    column.text(text);
                }
                Of::Board => column.bytes32(&packed_board(after)),
                Of::BoardBefore => column.bytes32(&packed_board(before)),
                Of::Turn => column.text(if turn == Color::White { "w" } else { "b" }),
                Of::Castling => {
                    text.clear();
                    let _ = write!(text, "{}", before.fen());
                    column.text(text.split(' ').nth(2).unwrap_or("-"));
                }
                Of::EnPassant => {
                    text.clear();
                    if let Some(square) = before.legal_en_passant() {
                        let _ = write!(text, "{square}");
                    }
                    column.or_null(some(text), Column::text);
                }
                _ => {}
            }
        }
    }

    /// Adds the rows of `plies` to the other columns.
    fn fill_numbers(&mut self, into: &mut Columns) {
        let (first, plies) = (into.rows(), self.plies.iter());
        let mut values = self.whole.iter();
        for (field, column) in into.iter_mut() {
            match field.of {
                of if is_whole(of) => {
                    let value = values.next().filter(|value| !value.valid.is_empty());
                    for row in 0..plies.len() {
                        match value {
                            Some(value) => column.append(value, 0..1, first + row),
                            None => column.null(),
                        }
                    }
                }
                Of::Ply => {
                    let number = |number| i32::try_from(number).unwrap_or(i32::MAX);
                    column.int32s(plies.clone().map(|ply| Some(number(ply.number))));
                }
                Of::Depth => {
                    let depth = |depth| i16::try_from(depth).unwrap_or(i16::MAX);
                    column.int16s(plies.clone().map(|ply| Some(depth(ply.depth))));
                }
                Of::Variation => column.int32s(plies.clone().map(|ply| Some(ply.line))),
                Of::Move => column.uci_texts(plies.clone().map(|ply| ply.uci)),
                Of::MoveCode => {
                    column.int32s(plies.clone().map(|ply| Some(i32::from(ply.m.bits()))));
                }
                Of::Clock => column.float64s(plies.clone().map(|ply| ply.commands.clock)),
                Of::Evaluation => column.float64s(plies.clone().map(|ply| ply.commands.evaluation)),
                Of::Mate => column.int16s(plies.clone().map(|ply| ply.commands.mate)),
                Of::SecondsSpent => column.float64s(plies.clone().map(|ply| ply.spent)),
                // These columns depend only on the origin of the game, or are filled already.
                _ => {}
            }
        }
        into.end_rows(plies.len());
        self.plies.clear();
    }
}

/// Returns whether a column needs a position or a text of each row.
fn is_of_row(of: Of) -> bool {
    matches!(
        of,
        Of::San
            | Of::Hash
            | Of::Nags
            | Of::Comment
            | Of::CommentBefore
            | Of::PlyFen
            | Of::Board
            | Of::BoardBefore
            | Of::Turn
            | Of::Castling
            | Of::EnPassant
    )
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
            | Of::Variant
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
