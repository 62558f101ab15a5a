//! A record to a [`Game`]. cbf §5 "Moves", §7 "Comments"; mirrored by [`encode`](crate::encode).

use chess_core::{Color, Diagnostics, Encoding, Game, Location, Move, Position};
use smallvec::SmallVec;

use crate::comments::{Comment, Comments, decode_text};
use crate::error::{Error, ErrorKind};
use crate::glyphs::{command, nags};
use crate::header::Spare;
use crate::layout::{mark, offset};
use crate::numbering::{Entry, NO_TARGETS, Rules, State, Targets};
use crate::options::Dialect;
use crate::place::{Place, note};
use crate::quirk::Quirk;
use crate::record::Record;
use crate::setup::parse_setup;
use crate::tags::{fill_header, note_oddities};

/// How to decode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoder {
    pub(crate) page: Encoding,
    pub(crate) dialect: Dialect,
}

/// What [`Dialect::Auto`] tries when the usual numbering makes a game illegal, and what it says
/// of it. cbf §6.3 "Dialects"
const OTHERS: [(Dialect, Quirk); 4] = [
    (Dialect::NoStaleFile, Quirk::NoStaleFile),
    (Dialect::NoEdgePawn, Quirk::NoEdgePawn),
    (Dialect::Plain, Quirk::PlainNumbers),
    (Dialect::NextAfterPhantom, Quirk::NextAfterPhantom),
];

impl Decoder {
    /// Decodes the record that `buffer` holds as it stands in the file, up to its end or the
    /// file's, into a cleared game.
    pub(crate) fn decode(
        &self,
        buffer: &mut Vec<u8>,
        place: Place,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let record = Record::unmask(buffer, place)?;
        note_oddities(&record.header, place, diagnostics)?;
        let start = self.decode_start(&record, place, game, diagnostics)?;
        let missing = record.missing();
        if record.header.has_setup() && record.setup().is_none() {
            let (within, kind) = missing.unwrap_or((0, ErrorKind::NothingToReplace));
            return Err(Error::new(kind, place.byte(within)));
        }
        let comments = record.comments();
        if missing.is_none() && !Comments::well_bordered(comments) {
            note(diagnostics, Quirk::CommentBorder, place.byte(record.layout.comments.start))?;
        }

        let outcome = self.decode_moves(&record, start, place, game, diagnostics)?;
        if let Some(error) = outcome.error {
            return Err(error);
        }
        if let Some((within, kind)) = missing {
            return Err(Error::new(kind, place.byte(within).after_ply(outcome.plies)));
        }
        if record.header.move_count != full_moves(outcome.plies, start.position.turn()) {
            note(diagnostics, Quirk::MoveCount, place.byte(offset::MOVE_COUNT))?;
        }
        Ok(())
    }

    /// Header and start position.
    fn decode_start(
        &self,
        record: &Record<'_>,
        place: Place,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<State, Error> {
        let header = &record.header;
        let mut idle: Spare = [0; 4];
        let mut start = State { position: Position::start(), passing_file: 0 };
        let mut unknown_piece = false;
        if let Some(block) = record.setup() {
            let setup = parse_setup(block, header.flags_1, header.flags_2);
            idle = [0, 0, setup.idle_castling, setup.idle_passing];
            unknown_piece = setup.unknown_piece;
            start = State { position: setup.position, passing_file: header.flags_2 & 15 };
            game.set_start(setup.position);
        }
        let names = (record.players(), record.source());
        fill_header(header, names, self.page, idle, &mut game.header);
        if unknown_piece {
            note(diagnostics, Quirk::SetupPiece, place.byte(record.layout.setup.start))?;
        }
        if idle != [0; 4] {
            note(diagnostics, Quirk::SetupState, place.byte(offset::FLAGS_1))?;
        }
        Ok(start)
    }

    /// The moves by the first numbering that makes all of them legal; else by the usual one, as
    /// far as they are.
    fn decode_moves(
        &self,
        record: &Record<'_>,
        start: State,
        place: Place,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<Outcome, Error> {
        let mut line = Line {
            moves: record.moves(),
            moves_at: record.layout.moves.start,
            comments: Comments::new(record.comments()),
            comments_at: record.layout.comments.start,
            page: self.page,
            place,
            rules: self.dialect.rules(),
            stop_when_illegal: false,
            quirks: Vec::new(),
            targets: NO_TARGETS,
        };
        if self.dialect != Dialect::Auto {
            return line.read(start, game)?.noted(&line.quirks, diagnostics);
        }
        line.stop_when_illegal = true;
        let usual = line.read(start, game)?;
        if !usual.illegal {
            return usual.noted(&line.quirks, diagnostics);
        }
        for (dialect, quirk) in OTHERS {
            line.restart(record, dialect.rules());
            clear_moves(game);
            let other = line.read(start, game)?;
            if !other.illegal {
                note(diagnostics, quirk, place.byte(line.moves_at))?;
                return other.noted(&line.quirks, diagnostics);
            }
        }
        line.restart(record, Rules::USUAL);
        line.stop_when_illegal = false;
        clear_moves(game);
        line.read(start, game)?.noted(&line.quirks, diagnostics)
    }
}

/// Drops the moves but not the start position.
fn clear_moves(game: &mut Game) {
    let start = game.setup().map(|setup| *setup.position());
    game.clear_line();
    if let Some(position) = start {
        game.set_start(position);
    }
}

/// Full moves of a line, as header byte 12 counts them. cbf §3 "Record header"
pub(crate) fn full_moves(plies: u32, first: Color) -> u8 {
    let halves = plies.saturating_add(u32::from(first == Color::Black && plies > 0));
    let [.., low] = halves.div_ceil(2).to_be_bytes();
    low
}

/// How reading a line went.
struct Outcome {
    /// Half-moves of the main line.
    plies: u32,
    /// The first damage.
    error: Option<Error>,
    /// Whether a number stood for no legal move.
    illegal: bool,
}

impl Outcome {
    /// Hands the quirks met on.
    fn noted(
        self,
        quirks: &[(Quirk, Location)],
        diagnostics: &mut Diagnostics,
    ) -> Result<Outcome, Error> {
        for (quirk, at) in quirks {
            note(diagnostics, *quirk, *at)?;
        }
        Ok(self)
    }
}

/// What reading moves needs.
struct Line<'a> {
    moves: &'a [u8],
    moves_at: usize,
    comments: Comments<'a>,
    comments_at: usize,
    page: Encoding,
    place: Place,
    rules: Rules,
    stop_when_illegal: bool,
    quirks: Vec<(Quirk, Location)>,
    /// For the counting of moves.
    targets: Targets,
}

/// One level of variations.
#[derive(Clone, Copy)]
struct Level {
    state: State,
    /// Before the last move of the level, where its alternatives start.
    before: State,
    ply: u32,
    /// Whether it has a move yet: a variation opens with its first.
    moved: bool,
}

impl<'a> Line<'a> {
    fn restart(&mut self, record: &Record<'a>, rules: Rules) {
        self.comments = Comments::new(record.comments());
        self.rules = rules;
        self.quirks.clear();
    }

    fn at(&self, index: usize) -> Location {
        self.place.byte(self.moves_at.saturating_add(index))
    }

    fn quirk(&mut self, quirk: Quirk, at: Location) {
        self.quirks.push((quirk, at));
    }

    /// Reads all moves. An `Err` is for what no game can hold; damage is in the outcome.
    fn read(&mut self, start: State, game: &mut Game) -> Result<Outcome, Error> {
        let mut outcome = Outcome { plies: 0, error: None, illegal: false };
        let mut level = Level { state: start, before: start, ply: 0, moved: false };
        let mut stack: SmallVec<[Level; 4]> = SmallVec::new();
        let keep = self.moves.contains(&mark::VARIATION);
        let mut index = 0usize;
        while let Some(byte) = self.moves.get(index).copied() {
            let here = index;
            index = index.saturating_add(1);
            match byte {
                mark::STOP => {
                    self.end(here);
                    break;
                }
                mark::END => match stack.pop() {
                    Some(outer) => {
                        if level.moved {
                            // The stack is as deep as the game.
                            let _ = game.end_variation();
                        }
                        level = outer;
                    }
                    None => {
                        self.end(here);
                        break;
                    }
                },
                mark::VARIATION if self.moves.get(index) == Some(&mark::END) => {
                    self.quirk(Quirk::EmptyVariation, self.at(here));
                    index = index.saturating_add(1);
                }
                mark::VARIATION if level.moved => {
                    stack.push(level);
                    level.state = level.before;
                    level.ply = level.ply.saturating_sub(1);
                    level.moved = false;
                }
                mark::VARIATION => {
                    outcome.fail(ErrorKind::NothingToReplace, self.at(here), level.ply);
                    index = self.skip(index).saturating_add(1);
                }
                _ => {
                    if keep {
                        level.before = level.state;
                    }
                    let opens = !level.moved && !stack.is_empty();
                    if let Err(kind) = self.read_move(byte, here, opens, &mut level, game)? {
                        outcome.illegal = true;
                        outcome.fail(kind, self.at(here), level.ply);
                        if self.stop_when_illegal {
                            return Ok(outcome);
                        }
                        index = self.skip(index);
                    }
                }
            }
        }
        outcome.plies = stack.first().unwrap_or(&level).ply;
        game.close_variations();
        if !stack.is_empty() {
            self.quirk(Quirk::OpenVariation, self.at(index));
        }
        self.surplus(game)?;
        Ok(outcome)
    }

    /// Notes a mark that ends the game.
    fn end(&mut self, index: usize) {
        self.quirk(Quirk::EndMark, self.at(index));
        let after = index.saturating_add(1);
        if after < self.moves.len() {
            self.quirk(Quirk::AfterEnd, self.at(after));
        }
    }

    /// Reads a move and its comment. The inner error is a number without a legal move.
    #[inline]
    fn read_move(
        &mut self,
        byte: u8,
        index: usize,
        opens: bool,
        level: &mut Level,
        game: &mut Game,
    ) -> Result<Result<(), ErrorKind>, Error> {
        let number = byte & mark::HIGHEST;
        let mut entry = level.state.entry(number, self.rules, &mut self.targets);
        if entry == Entry::Phantom && self.rules.next_after_phantom {
            entry = self.next_entry(&level.state, number);
        }
        let mover = level.state.position.turn();
        let read = match entry {
            Entry::Move(m) if is_legal(&level.state.position, m) => {
                if opens {
                    // The level around it has a move.
                    let _ = game.start_variation();
                }
                game.push_move(m);
                level.moved = true;
                level.state.play(m, self.rules);
                level.ply = level.ply.saturating_add(1);
                Ok(())
            }
            Entry::Move(_) | Entry::Phantom => Err(ErrorKind::IllegalMove { number }),
            Entry::Beyond(count) => Err(ErrorKind::NoSuchMove { number, count }),
        };
        if byte & mark::COMMENTED != 0 {
            match self.comments.next() {
                Some(comment) if read.is_ok() => self.push_comment(&comment, mover, game)?,
                Some(_) => {}
                None => {
                    let at = self.at(index).after_ply(level.ply.saturating_sub(1));
                    self.quirk(Quirk::CommentMissing, at);
                }
            }
        }
        Ok(read)
    }

    #[cold]
    fn next_entry(&mut self, state: &State, number: u8) -> Entry {
        state.entry(number.saturating_add(1), self.rules, &mut self.targets)
    }

    fn push_comment(
        &self,
        comment: &Comment<'_>,
        mover: Color,
        game: &mut Game,
    ) -> Result<(), Error> {
        for nag in nags(comment.codes, mover) {
            game.push_nag(nag);
        }
        let mut decoded = String::new();
        let text = match std::str::from_utf8(comment.text) {
            Ok(text) if text.is_ascii() && !text.contains('\0') => text,
            _ => {
                decode_text(comment.text, self.page, &mut decoded);
                &decoded
            }
        };
        let pushed = match command(comment.codes, mover, text) {
            Some(text) => game.push_comment(&text),
            None if text.is_empty() && comment.codes != [0; 3] => return Ok(()),
            None => game.push_comment(text),
        };
        pushed.map_err(|_| {
            let within = self.comments_at.saturating_add(comment.offset);
            Error::new(ErrorKind::TooMuchText, self.place.byte(within))
        })
    }

    /// Texts that no move asks for go to the end, so that none is lost.
    fn surplus(&mut self, game: &mut Game) -> Result<(), Error> {
        let mut noted = false;
        while let Some(comment) = self.comments.next() {
            if !noted {
                let within = self.comments_at.saturating_add(comment.offset);
                self.quirk(Quirk::CommentSurplus, self.place.byte(within));
                noted = true;
            }
            if !comment.text.is_empty() {
                let bare = Comment { codes: [0; 3], ..comment };
                self.push_comment(&bare, Color::White, game)?;
            }
        }
        Ok(())
    }

    /// Passes over the rest of a line whose moves cannot be told, with the variations in it and
    /// their comments: marks need no position. Gives the place of the mark that ends it.
    fn skip(&mut self, from: usize) -> usize {
        let mut depth = 0usize;
        let mut index = from;
        while let Some(byte) = self.moves.get(index) {
            match *byte {
                mark::STOP => return index,
                mark::END if depth == 0 => return index,
                mark::END => depth = depth.saturating_sub(1),
                mark::VARIATION => depth = depth.saturating_add(1),
                byte if byte & mark::COMMENTED != 0 => {
                    self.comments.next();
                }
                _ => {}
            }
            index = index.saturating_add(1);
        }
        index
    }
}

impl Outcome {
    /// Notes the first damage.
    fn fail(&mut self, kind: ErrorKind, at: Location, ply: u32) {
        if self.error.is_none() {
            self.error = Some(Error::new(kind, at.after_ply(ply)));
        }
    }
}

/// Whether the rules allow a move that fits the pieces.
#[inline]
pub(crate) fn is_legal(position: &Position, m: Move) -> bool {
    if position.color(position.turn()).contains(m.to()) {
        position.is_legal(m)
    } else {
        position.leaves_king_safe(m)
    }
}
