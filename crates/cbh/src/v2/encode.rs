//! Encodes the moves and annotations of a game. The inverse is in `decode` and `blocks`.

use chess_core::{Game, Move, Position};
use chess_store::{Location, Loss, LossKind, Losses};

use super::blocks::{BLOCK_HEAD, BlockWriter, ITEM_KIND, annotations};
use super::derived::Derived;
use super::layout::{FRAME_SIZE, FRAME_START, TAG_CHESS960, TAG_GAME, word};
use super::setup::{castling_words, decode_start, encode_start};
use super::words::table;
use crate::annotations::dialect::Dialect;
use crate::decode::MAX_BRANCHES;
use crate::derived::Facts;
use crate::encode::check_setup;
use crate::error::{Error, ErrorKind};
use crate::gather::Gathered;
use crate::tree::{ROOT, Step};

/// A position to return to while writing.
#[derive(Clone, Copy, Debug)]
struct Branch {
    position: Position,
    /// The next continuation to write.
    next: u32,
}

/// Encodes records of games and reuses its buffers.
#[derive(Debug)]
pub(crate) struct RecordEncoder {
    gathered: Gathered,
    /// For each move of the tree: its number in PGN order, from 0.
    places: Vec<i32>,
    branches: Vec<Branch>,
    open: Vec<(u32, Option<u32>)>,
}

/// The number of the game itself among the places.
const GAME: i32 = -1;
/// The place of a move that is not written.
const NOT_WRITTEN: i32 = i32::MAX;
/// The place of a move that is written and not numbered yet.
const WRITTEN: i32 = -2;

/// The facts about a record that the header holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct RecordFacts {
    pub(crate) derived: Derived,
    /// The tag of the record of moves.
    pub(crate) tag: [u8; 2],
    /// The number of the Chess960 start position, if it is one.
    pub(crate) number: Option<u16>,
}

impl Default for RecordEncoder {
    fn default() -> RecordEncoder {
        RecordEncoder {
            gathered: Gathered::new(Dialect::Modern),
            places: Vec::new(),
            branches: Vec::new(),
            open: Vec::new(),
        }
    }
}

impl RecordEncoder {
    /// Appends the content of the records of moves and annotations. The clocks at the end of
    /// the game come first.
    ///
    /// # Errors
    /// [`ErrorKind::PawnPlace`]
    pub(crate) fn encode(
        &mut self,
        game: &Game,
        chess960: bool,
        clocks: &[(u8, u32)],
        (moves, notes): (&mut Vec<u8>, &mut Vec<u8>),
        losses: &mut Losses,
    ) -> Result<RecordFacts, Error> {
        self.gathered.gather(game, clocks, losses);
        let start = game.start_position();
        let setup = start != Position::start();
        let mut number = None;
        if setup {
            let encoded = encode_start(&start, chess960);
            if !encoded.whole {
                return Err(ErrorKind::PawnPlace.at(Location::file("2cbg")));
            }
            moves.extend_from_slice(&word::SETUP.to_le_bytes());
            encoded.words.iter().for_each(|word| moves.extend_from_slice(&word.to_le_bytes()));
            number = encoded.number;
            if let Some(read) = decode_start(&encoded.words) {
                check_setup(game, Some(&read.position), losses);
            }
        } else {
            check_setup(game, None, losses);
        }
        moves.extend_from_slice(&word::MOVES.to_le_bytes());
        let castling = castling_words(&start, chess960 && setup, number);
        self.write_moves(&start, castling, moves, losses);
        self.number_moves();
        let facts = Facts::new(setup.then_some(&start), chess960 && setup, &self.gathered.tree);
        let first = notes.len();
        self.write_blocks(notes, losses);
        let tree = &self.gathered.tree;
        let line = std::iter::successors(tree.first(ROOT), |node| tree.first(*node));
        let line = line.map(|node| tree.get(node).unwrap_or(Move::NULL));
        let written = annotations(notes.get(first..).unwrap_or_default());
        let derived = Derived::new(&facts, written, &start, line);
        let tag = if chess960 && setup { TAG_CHESS960 } else { TAG_GAME };
        Ok(RecordFacts { derived, tag, number })
    }

    /// Writes the moves of the tree. The first continuation comes first with all that follows it.
    /// The other continuations come next, starting from the last position that has some.
    // cbh2 §4.6 "Order of moves"
    fn write_moves(
        &mut self,
        start: &Position,
        castling: u16,
        out: &mut Vec<u8>,
        losses: &mut Losses,
    ) {
        let (tree, branches) = (&self.gathered.tree, &mut self.branches);
        branches.clear();
        self.places.clear();
        // Node 0 is the game itself.
        self.places.resize(tree.moves().saturating_add(1) as usize, NOT_WRITTEN);
        if let Some(root) = self.places.first_mut() {
            *root = GAME;
        }
        let mut position = *start;
        let mut push = |word: u16| out.extend_from_slice(&word.to_le_bytes());
        let mut next = tree.first(ROOT);
        loop {
            let Some(node) = next else {
                push(word::END);
                let Some(branch) = branches.pop() else { break };
                position = branch.position;
                next = Some(branch.next);
                continue;
            };
            let m = tree.get(node).unwrap_or(Move::NULL);
            let word = match m.is_null() {
                true => word::NULL,
                // The table has a word for each gathered move.
                false => table().word_of(m, &position, castling).unwrap_or(word::NULL),
            };
            push(word);
            if let Some(alternative) = tree.next(node) {
                if branches.len() < MAX_BRANCHES {
                    branches.push(Branch { position, next: alternative });
                    push(word::BRANCH);
                } else {
                    losses.push(Loss::new(LossKind::Variation, "too many at once"));
                }
            }
            if let Some(place) = self.places.get_mut(node as usize) {
                *place = WRITTEN;
            }
            position.apply(m);
            next = tree.first(node);
        }
    }

    /// Numbers the written moves in PGN order.
    fn number_moves(&mut self) {
        let (tree, places) = (&self.gathered.tree, &mut self.places);
        let mut next = 0i32;
        for step in tree.walk(&mut self.open) {
            let Step::Move(node) = step else { continue };
            if let Some(place) = places.get_mut(node as usize).filter(|place| **place == WRITTEN) {
                *place = next;
                next = next.saturating_add(1);
            }
        }
    }

    /// Appends the blocks of annotations.
    fn write_blocks(&mut self, out: &mut Vec<u8>, losses: &mut Losses) {
        let (places, mut writer) = (&self.places, BlockWriter::default());
        // Exact, because a game of millions of comments would else reserve twice what it needs.
        let (count, bytes) = self.gathered.drafts.size();
        let heads = count.min(places.len()).saturating_mul(BLOCK_HEAD);
        let kinds = count.saturating_mul(ITEM_KIND);
        // The end of the blocks, and the end of the record, which the caller writes.
        let ends = 4usize.saturating_add(FRAME_SIZE.saturating_sub(FRAME_START));
        out.reserve_exact(bytes.saturating_add(kinds).saturating_add(heads).saturating_add(ends));
        let place = |node: u32| places.get(node as usize).copied().unwrap_or(NOT_WRITTEN);
        self.gathered.drafts.for_each(place, |position, kind, data| {
            if position == NOT_WRITTEN {
                return;
            }
            if !writer.push(position, kind, data, out) {
                let lost = "it follows annotations of an unknown type";
                losses.push(Loss::new(LossKind::Comment, lost));
            }
        });
        writer.finish(out);
    }
}
