//! Encodes a [`Game`] to a record. cbf §5 "Moves", §7 "Comments"; mirrors [`decode`](crate::decode).

use chess_core::{Color, Game, Move, Nag, Position, Replay, Setup, Token};
use chess_store::{
    Diagnostics, EncodeGames, Encoding, Loss, LossKind, Losses, Trim, field_size, has_cr_lf,
};
use smallvec::SmallVec;

use crate::comments::{encode_comment, encode_text};
use crate::decode::{Decoder, full_moves};
use crate::error::Error;
use crate::glyphs::{Codes, code_of, parse_command};
use crate::header::{RecordHeader, encode_header};
use crate::layout::text::BORDER;
use crate::layout::{COMMENTS_LIMIT, MOVES_LIMIT, mark};
use crate::names::mask_names;
use crate::numbering::{NumberedPosition, Rules};
use crate::options::Dialect;
use crate::place::Place;
use crate::record::mask_moves;
use crate::setup::encode_setup;
use crate::tags::{Texts, encode_tags};

/// A game's record as stored in a .cbf. It does not depend on its offset.
#[derive(Debug, Default)]
pub struct Encoded {
    pub(crate) record: Vec<u8>,
    /// Number of full moves of the main line.
    pub(crate) moves: u32,
}

impl Trim for Encoded {
    fn trim(&mut self, most: usize) {
        self.record.trim(most);
    }
}

/// Encodes games to records. A reused encoder allocates nothing for most games.
#[derive(Debug)]
pub struct Encoder {
    page: Encoding,
    replay: Replay<NumberedPosition>,
    /// The player text, then the source text.
    name: String,
    /// The encoded bytes of both texts.
    names: Vec<u8>,
    moves: Vec<u8>,
    /// The moves written, in the order of their bytes.
    written: Vec<WrittenMove>,
    /// NAGs held back until the next token, which may be a comment with a glyph command.
    nags: Vec<Nag>,
    /// Comments, each with the move it belongs to.
    parts: Vec<CommentPart>,
    /// The encoded bytes of all comments.
    text: Vec<u8>,
    comments: Vec<u8>,
    joined: Vec<u8>,
    /// How illegal moves that have a number are treated.
    forbidden: Forbidden,
}

/// How to treat an illegal move that has a number. cbf §10 "Losses"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Forbidden {
    /// Write it; none was found yet.
    Written,
    /// Write it; at least one was found.
    Found,
    /// Drop it with the rest of its line.
    Dropped,
}

/// A move in the move section.
#[derive(Clone, Copy, Debug)]
struct WrittenMove {
    /// Index of its byte.
    at: usize,
    ply: u32,
    codes: Codes,
    commented: bool,
}

/// A comment: its move, and its range of `Encoder::text`.
#[derive(Clone, Copy, Debug)]
struct CommentPart {
    /// Index in `Encoder::written`, or [`NEXT`] if the move is not written yet.
    of: usize,
    start: usize,
    end: usize,
}

/// Placeholder index for the first move of a line, which owns the comments before it.
const NEXT: usize = usize::MAX;

/// The written part of one level of variations. `Encoder::replay` has its board.
#[derive(Clone, Copy)]
struct Level {
    /// Index in `Encoder::written` of its last move.
    last: Option<usize>,
    /// `true` if a variation was written after that move.
    interrupted: bool,
    /// `true` once its start mark is written. The main line has no mark.
    open: bool,
    /// `true` if the rest of the line is dropped.
    dropped: bool,
}

impl Encoder {
    pub(crate) fn new(page: Encoding) -> Encoder {
        let start = NumberedPosition { position: Position::start(), passing_file: 0 };
        Encoder {
            page,
            replay: Replay::on(start, false),
            name: String::new(),
            names: Vec::new(),
            moves: Vec::new(),
            written: Vec::new(),
            nags: Vec::new(),
            parts: Vec::new(),
            text: Vec::new(),
            comments: Vec::new(),
            joined: Vec::new(),
            forbidden: Forbidden::Written,
        }
    }

    /// Replaces `record` with the record of `game`. Returns the number of plies of the main line.
    fn encode_game(&mut self, game: &Game, record: &mut Vec<u8>, losses: &mut Losses) -> u32 {
        let before = losses.mark();
        self.forbidden = Forbidden::Written;
        let plies = self.encode_once(game, record, losses);
        if self.forbidden != Forbidden::Found || self.is_read_back(record) {
            return plies;
        }
        losses.rewind(&before);
        self.forbidden = Forbidden::Dropped;
        self.encode_once(game, record, losses)
    }

    /// Returns `true` if a reader with [`Dialect::Auto`] decodes the moves as written.
    #[cold]
    fn is_read_back(&self, record: &[u8]) -> bool {
        let read = |dialect| {
            let mut game = Game::new();
            let decoder = Decoder { page: self.page, dialect, numbering: Dialect::Usual };
            let place = Place { offset: 0, game: 0 };
            decoder
                .decode(&mut record.to_vec(), place, &mut game, &mut Diagnostics::lenient())
                .ok()
                .map(|()| game)
        };
        let written = read(Dialect::LateEnPassant);
        let found = read(Dialect::Auto);
        written.zip(found).is_some_and(|(written, found)| written.tokens().eq(found.tokens()))
    }

    fn encode_once(&mut self, game: &Game, record: &mut Vec<u8>, losses: &mut Losses) -> u32 {
        self.names.clear();
        let has_setup = game.setup().is_some();
        let is_exact = game.setup().is_none_or(Setup::is_exact);
        let texts = Texts { page: self.page, text: &mut self.name, bytes: &mut self.names };
        let mut header = encode_tags(&game.header, has_setup, texts, losses);
        let start = game.start_position();
        let mut numbered = NumberedPosition { position: start, passing_file: 0 };
        let mut block = None;
        if has_setup {
            let setup = encode_setup(&start);
            header.flags_1 |= setup.flags_1;
            header.flags_2 |= setup.passing_file;
            // The reader numbers moves by the stored file, even if the board allows no en passant.
            numbered.passing_file = header.flags_2 & 15;
            if !setup.complete || start.halfmove_clock() != 0 || !is_exact {
                let fen = game.setup().map_or("", Setup::fen);
                losses.push(Loss::new(LossKind::Setup, fen));
            }
            block = Some(setup.block);
        }

        let before = losses.mark();
        let mut plies = self.encode_line(game, numbered, true, losses);
        if self.moves.len() > MOVES_LIMIT {
            losses.rewind(&before);
            losses.push(Loss::new(LossKind::Variation, "all: the moves exceed 65534 bytes"));
            plies = self.encode_line(game, numbered, false, losses);
        }
        self.encode_comments(losses);
        let first = start.turn();
        header.move_count = full_moves(plies, first);
        self.assemble(header, block.as_ref().map(|block| block.as_slice()), record);
        plies
    }

    /// Joins the sections and masks them.
    fn assemble(&mut self, mut header: RecordHeader, block: Option<&[u8]>, record: &mut Vec<u8>) {
        header.moves_size = section_size(&self.moves).saturating_add(1);
        header.comments_size = section_size(&self.comments);
        header.checksum = header.public_checksum();
        let (names, moves) = (self.names.len(), self.moves.len());
        mask_names(&mut self.names, names);
        mask_moves(&mut self.moves, moves);
        record.clear();
        record.extend(encode_header(&header));
        record.extend_from_slice(&self.names);
        record.extend_from_slice(&self.moves);
        record.extend_from_slice(&self.comments);
        record.extend_from_slice(block.unwrap_or_default());
    }

    /// Fills the moves, codes and comment parts. Returns the number of plies of the main line.
    fn encode_line(
        &mut self,
        game: &Game,
        start: NumberedPosition,
        with_variations: bool,
        losses: &mut Losses,
    ) -> u32 {
        self.moves.clear();
        self.written.clear();
        self.nags.clear();
        self.parts.clear();
        self.text.clear();
        self.replay.restart_on(start, game.variation_count() > 0);
        let mut stack: SmallVec<[Level; 4]> = SmallVec::new();
        let mut level = Level { last: None, interrupted: false, open: true, dropped: false };
        for token in game.tokens() {
            if !matches!(token, Token::Nag(_) | Token::Comment(_)) {
                self.put_nags(&level, losses);
            }
            match token {
                Token::Move(_) | Token::Nag(_) | Token::Comment(_) if level.dropped => {}
                Token::Move(m) => {
                    let full = !with_variations && self.moves.len() >= MOVES_LIMIT;
                    if let Err(kind) = self.put_move(m, &mut level, full) {
                        losses.push(Loss::at_ply(kind, m.to_string(), self.replay.ply()));
                        self.drop_pending(losses);
                        level.dropped = true;
                    }
                }
                Token::Nag(nag) => self.nags.push(nag),
                Token::Comment(text) => self.put_comment(text, &level, losses),
                Token::VariationStart => {
                    stack.push(level);
                    self.replay.start_variation();
                    let dropped = level.dropped || !with_variations;
                    level = Level { last: None, interrupted: false, open: false, dropped };
                }
                Token::VariationEnd => {
                    let moved = !level.open && self.move_pending(stack.last());
                    self.drop_pending(losses);
                    if level.open {
                        self.moves.push(mark::END);
                    }
                    let wrote = level.open;
                    if !wrote && !level.dropped && !moved {
                        let ply = self.replay.ply();
                        losses.push(Loss::at_ply(LossKind::Variation, "without moves", ply));
                    }
                    self.replay.end_variation();
                    if let Some(outer) = stack.pop() {
                        level = outer;
                        level.interrupted |= wrote;
                    }
                }
            }
        }
        self.put_nags(&level, losses);
        self.drop_pending(losses);
        self.replay.ply()
    }

    /// Writes a move, preceded by the start mark if it is the first of a variation.
    fn put_move(&mut self, m: Move, level: &mut Level, full: bool) -> Result<(), LossKind> {
        if m.is_null() {
            return Err(LossKind::NullMove);
        }
        let now = self.replay.board();
        let number = now.number(m, Rules::WRITTEN).ok_or(LossKind::Move)?;
        let number = u8::try_from(number).map_err(|_| LossKind::Move)?;
        if number > mark::HIGHEST || full {
            return Err(LossKind::Move);
        }
        if !now.allows(m) || now.is_late(m) {
            if self.forbidden == Forbidden::Dropped {
                return Err(LossKind::Move);
            }
            self.forbidden = Forbidden::Found;
        }
        if !level.open {
            self.moves.push(mark::VARIATION);
            level.open = true;
        }
        let place = self.written.len();
        let at = self.moves.len();
        let ply = self.replay.ply();
        self.written.push(WrittenMove { at, ply, codes: [0; 3], commented: false });
        self.moves.push(number);
        for part in self.parts.iter_mut().rev().take_while(|part| part.of == NEXT) {
            part.of = place;
        }
        level.last = Some(place);
        level.interrupted = false;
        self.replay.play_with(|now| now.play(m, Rules::USUAL));
        Ok(())
    }

    /// Reports the comments before a move that was never written as lost.
    /// Moves the pending texts of a variation without moves to the move that it was to replace.
    /// Returns whether there are any.
    fn move_pending(&mut self, outer: Option<&Level>) -> bool {
        let Some(place) = outer.and_then(|outer| outer.last) else { return false };
        let mut moved = false;
        for part in self.parts.iter_mut().rev().take_while(|part| part.of == NEXT) {
            part.of = place;
            moved = true;
        }
        if let Some(written) = self.written.get_mut(place) {
            written.commented |= moved;
        }
        moved
    }

    fn drop_pending(&mut self, losses: &mut Losses) {
        let ply = self.replay.ply();
        while let Some(part) = self.parts.pop_if(|part| part.of == NEXT) {
            let bytes = self.text.get(part.start..part.end).unwrap_or_default();
            losses.push(Loss::at_ply(LossKind::Comment, excerpt(&self.page.decode(bytes)), ply));
        }
    }

    /// Stores the pending NAGs as codes of the last move.
    fn put_nags(&mut self, level: &Level, losses: &mut Losses) {
        let mover = self.mover();
        let ply = self.replay.ply().saturating_sub(1);
        for nag in self.nags.drain(..) {
            let written = level.last.and_then(|last| self.written.get_mut(last));
            let stored = written.zip(code_of(nag, mover)).is_some_and(|(written, coded)| {
                match written.codes.get_mut(coded.slot) {
                    Some(slot) if *slot == 0 => {
                        *slot = coded.code;
                        coded.exact
                    }
                    _ => false,
                }
            });
            if !stored {
                losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), ply));
            }
        }
    }

    /// Returns the side that played the last move.
    fn mover(&self) -> Color {
        !self.replay.board().position.turn()
    }

    /// Stores the codes of a glyph command at the start of `comment`, and returns the text after it.
    /// The comment must be the first one after a move and its NAGs.
    fn take_command<'t>(&mut self, comment: &'t str, level: &Level) -> Option<&'t str> {
        let mover = self.mover();
        let written = level.last.and_then(|last| self.written.get_mut(last))?;
        if level.interrupted || written.commented || written.codes != [0; 3] {
            return None;
        }
        let (codes, text) = parse_command(comment, &self.nags, mover)?;
        written.codes = codes;
        // A comment that follows joins the command.
        written.commented = text.is_empty();
        self.nags.clear();
        Some(text)
    }

    fn put_comment(&mut self, comment: &str, level: &Level, losses: &mut Losses) {
        let text = match self.take_command(comment, level) {
            Some("") => return,
            Some(text) => text,
            None => comment,
        };
        self.put_nags(level, losses);
        let ply = self.replay.ply().saturating_sub(u32::from(level.last.is_some()));
        let start = self.text.len();
        if !encode_text(text, self.page, &mut self.text) || has_cr_lf(text) {
            losses.push(Loss::at_ply(LossKind::Characters, excerpt(text), ply));
        }
        let of = level.last.unwrap_or(NEXT);
        let moved = match level.last.and_then(|last| self.written.get_mut(last)) {
            Some(written) => {
                let joins = written.commented;
                written.commented = true;
                joins || level.interrupted
            }
            None => true,
        };
        if moved {
            losses.push(Loss::at_ply(LossKind::CommentMoved, excerpt(text), ply));
        }
        self.parts.push(CommentPart { of, start, end: self.text.len() });
    }

    /// Builds the comment section, and marks the moves that have a record in it.
    fn encode_comments(&mut self, losses: &mut Losses) {
        self.comments.clear();
        self.parts.sort_by_key(|part| part.of);
        let mut parts = self.parts.iter().peekable();
        for (place, written) in self.written.iter().enumerate() {
            let mut commented = false;
            self.joined.clear();
            while let Some(part) = parts.next_if(|part| part.of == place) {
                let bytes = self.text.get(part.start..part.end).unwrap_or_default();
                if !self.joined.is_empty() && !bytes.is_empty() {
                    self.joined.push(b' ');
                }
                self.joined.extend_from_slice(bytes);
                commented = true;
            }
            if !commented && written.codes == [0; 3] {
                continue;
            }
            let lost = |what: &[u8]| {
                let text = excerpt(&self.page.decode(what));
                Loss::at_ply(LossKind::Comment, text, written.ply)
            };
            if commented && self.joined.is_empty() && written.codes != [0; 3] {
                losses.push(lost(b"(empty)"));
            }
            let Some(byte) = self.moves.get_mut(written.at).filter(|byte| **byte < mark::HIGHEST)
            else {
                losses.push(lost(&self.joined));
                continue;
            };
            let before = self.comments.len();
            if self.comments.is_empty() {
                self.comments.push(BORDER);
            }
            encode_comment(written.codes, &self.joined, &mut self.comments);
            if self.comments.len() > COMMENTS_LIMIT {
                self.comments.truncate(before);
                losses.push(lost(&self.joined));
            } else {
                *byte |= mark::COMMENTED;
            }
        }
    }
}

chess_store::inherent!(EncodeGames<Error, Encoded> for [] Encoder);

impl EncodeGames for Encoder {
    type Error = Error;
    type Encoded = Encoded;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut Encoded,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        into.moves = self.encode_game(game, &mut into.record, losses).div_ceil(2);
        Ok(())
    }
}

/// The size of a section. Two bytes hold it: who makes a section keeps it within [`MOVES_LIMIT`] or
/// [`COMMENTS_LIMIT`].
fn section_size(section: &[u8]) -> u16 {
    debug_assert!(section.len() <= COMMENTS_LIMIT, "a section of {} bytes", section.len());
    field_size(section.len(), "sections are kept within their limits")
}

/// The first letters of a text, for a loss.
fn excerpt(text: &str) -> String {
    const LETTERS: usize = 40;
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
