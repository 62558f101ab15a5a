//! Encodes a game to its records. The inverse is in `decode`.

use chess_core::{CastlingSide, Game, Move, Position};
use chess_store::{Location, Loss, LossKind, Losses};

use crate::annotations::dialect::Dialect;
use crate::annotations::items::encode_item;
use crate::board::Board;
use crate::decode::MAX_BRANCHES;
use crate::derived::Facts;
use crate::error::{Error, ErrorKind};
use crate::gather::Gathered;
use crate::layout::{MAX_PIECES, MAX_RECORD, RECORD_SETUP};
use crate::moves::codes;
use crate::moves::mode::{self, Mode, ModeEncoder};
use crate::moves::word;
use crate::record::{RECORD_HEADER, RecordHeader};
use crate::setup::Setup;
use crate::tree::ROOT;

/// Encodes records of games and reuses its buffers.
#[derive(Debug)]
pub(crate) struct RecordEncoder {
    gathered: Gathered,
    /// The number in stored order, from 0, of each move of the tree.
    stored: Vec<i32>,
    branches: Vec<Branch>,
    standard: ModeEncoder,
    chess960: ModeEncoder,
}

/// A position to return to while writing.
#[derive(Clone, Debug)]
struct Branch {
    board: Board,
    /// The next continuation to write.
    next: u32,
}

impl Default for RecordEncoder {
    #[allow(clippy::unwrap_used, reason = "the tables of these two modes are there")]
    fn default() -> RecordEncoder {
        let mode_encoder = |number| ModeEncoder::new(Mode::of(number).unwrap());
        RecordEncoder {
            gathered: Gathered::new(Dialect::Classic),
            stored: Vec::new(),
            branches: Vec::new(),
            standard: mode_encoder(mode::STANDARD),
            chess960: mode_encoder(mode::CHESS960),
        }
    }
}

impl RecordEncoder {
    /// Appends the record of a game to `moves` and the items of its annotations to `items`. The
    /// clocks at the end of the game come first. Returns the number of items.
    ///
    /// # Errors
    /// [`ErrorKind::GameTooLong`], [`ErrorKind::TooManyPieces`]
    pub(crate) fn encode(
        &mut self,
        game: &Game,
        chess960: bool,
        clocks: &[(u8, u32)],
        (moves, items): (&mut Vec<u8>, &mut Vec<u8>),
        losses: &mut Losses,
    ) -> Result<(Facts, u32), Error> {
        self.gathered.gather(game, clocks, losses);
        let start = game.start_position();
        let pieces = start.occupied().count();
        if pieces > MAX_PIECES {
            return Err(ErrorKind::TooManyPieces(pieces).at(Location::file("cbg")));
        }
        let first = moves.len();
        let setup = chess960 || game.setup().is_some_and(|_| start != Position::start());
        let number = if chess960 { mode::CHESS960 } else { mode::STANDARD };
        let flags = number | if setup { RECORD_SETUP } else { 0 };
        moves.extend_from_slice(&RecordHeader { flags, size: 0 }.encode());
        let written = setup.then(|| Setup::new(&start, chess960));
        if let Some(written) = &written {
            written.encode(moves);
        }
        check_setup(game, written.map(|written| written.position().0).as_ref(), losses);
        self.write_moves(&start, chess960, moves, losses);
        let size = moves.len().saturating_sub(first);
        let size = u32::try_from(size).ok().filter(|size| *size <= MAX_RECORD);
        let size = size.ok_or_else(|| ErrorKind::GameTooLong.at(Location::file("cbg")))?;
        let header = RecordHeader { flags, size }.encode();
        if let Some(place) = moves.get_mut(first..first.saturating_add(RECORD_HEADER)) {
            place.copy_from_slice(&header);
        }
        let facts = Facts::new(setup.then_some(&start), chess960, &self.gathered.tree);
        Ok((facts, self.write_items(items)))
    }

    /// Writes the moves of the tree. The first continuation comes first with all that follows it.
    /// The other continuations come next, starting from the last position that has some.
    // cbh §4.7 "Order of moves"
    fn write_moves(
        &mut self,
        start: &Position,
        chess960: bool,
        out: &mut Vec<u8>,
        losses: &mut Losses,
    ) {
        let mode_encoder = if chess960 { &self.chess960 } else { &self.standard };
        let (tree, branches) = (&self.gathered.tree, &mut self.branches);
        branches.clear();
        self.stored.clear();
        // Node 0 is the game itself.
        self.stored.resize(tree.moves().saturating_add(1) as usize, NOT_STORED);
        if let Some(root) = self.stored.first_mut() {
            *root = -1;
        }
        let mut line =
            LineWriter { board: Board::new(start), mode_encoder, chess960, count: 0, written: 0 };
        let mut next = tree.first(ROOT);
        loop {
            let Some(node) = next else {
                line.push(codes::END, out);
                let Some(branch) = branches.pop() else { break };
                line.board = branch.board;
                next = Some(branch.next);
                continue;
            };
            if let Some(alternative) = tree.next(node) {
                if branches.len() < MAX_BRANCHES {
                    branches.push(Branch { board: line.board, next: alternative });
                    line.push(codes::BRANCH, out);
                } else {
                    losses.push(Loss::new(LossKind::Variation, "too many at once"));
                }
            }
            if let Some(place) = self.stored.get_mut(node as usize) {
                *place = line.written;
            }
            let m = tree.get(node).unwrap_or(Move::NULL);
            line.push_move(m, out);
            next = tree.first(node);
        }
    }

    /// Appends the items in stored order. Returns their number.
    fn write_items(&mut self, out: &mut Vec<u8>) -> u32 {
        let (stored, mut count) = (&self.stored, 0u32);
        let place = |node: u32| stored.get(node as usize).copied().unwrap_or(NOT_STORED);
        self.gathered.drafts.for_each(place, |position, kind, data| {
            if position != NOT_STORED && encode_item(position, kind, data, out) {
                count = count.saturating_add(1);
            }
        });
        count
    }
}

/// The stored number of a move that was dropped.
const NOT_STORED: i32 = i32::MAX;

/// Writes consecutive moves.
struct LineWriter<'a> {
    board: Board,
    mode_encoder: &'a ModeEncoder,
    chess960: bool,
    /// The number of moves so far, modulo 256.
    count: u8,
    /// The number of moves so far.
    written: i32,
}

impl LineWriter<'_> {
    #[inline]
    fn push(&self, code: u8, out: &mut Vec<u8>) {
        out.push(self.mode_encoder.encode(code, self.count));
    }

    fn push_move(&mut self, m: Move, out: &mut Vec<u8>) {
        match self.code(m) {
            Some(code) => self.push(code, out),
            None => {
                // A legal move has only promotions that a word can express.
                let word = word::encode(m, &self.board, self.chess960).unwrap_or(0);
                self.push(codes::WORD, out);
                word.to_be_bytes().into_iter().for_each(|byte| self.push(byte, out));
            }
        }
        self.board.apply(m);
        self.count = self.count.wrapping_add(1);
        self.written = self.written.saturating_add(1);
    }

    /// Returns the one-byte code of a move, if it has one.
    #[inline]
    fn code(&self, m: Move) -> Option<u8> {
        if m.is_null() {
            return Some(codes::NULL);
        }
        if m.promotion().is_some() {
            return None;
        }
        let from = m.from();
        match self.board.castling_side(m) {
            Some(_) if self.chess960 => None,
            Some(CastlingSide::King) => Some(codes::CASTLE_SHORT),
            Some(CastlingSide::Queen) => Some(codes::CASTLE_LONG),
            None => codes::code_of(self.board.slot(from), self.board.turn(), from, m.to()),
        }
    }
}

/// Reports the parts of a start position that the record does not hold. `written` is `None` for
/// the usual one, which has no place in a record.
pub(crate) fn check_setup(game: &Game, written: Option<&Position>, losses: &mut Losses) {
    let Some(setup) = game.setup() else { return };
    let says_all = |written: &Position| {
        let fen = written.to_fen();
        let mut fields = fen.split(' ');
        setup.fen().split_ascii_whitespace().all(|field| fields.next() == Some(field))
    };
    let is_kept = |written| written == setup.position() || says_all(written);
    if !setup.is_exact() || !written.is_none_or(is_kept) {
        losses.push(Loss::new(LossKind::Setup, setup.fen()));
    } else if written.is_none() {
        losses.push(Loss::usual_fen());
    }
}
