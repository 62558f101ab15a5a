//! The moves of a record, with their comments. cbf §5 "Moves"

use chess_core::{Color, Game};
use chess_store::{Diagnostics, Encoding, Location, unix_line_ends};
use smallvec::SmallVec;

use crate::comments::{Comment, Comments, decode_text};
use crate::error::{Error, ErrorKind};
use crate::glyphs::{command, nags};
use crate::layout::mark;
use crate::numbering::{Meaning, NO_TARGETS, NumberedPosition, Rules, Targets};
use crate::place::Place;
use crate::quirk::Quirk;
use crate::record::Record;

/// How reading went.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Half-moves of the main line.
    pub(crate) plies: u32,
    /// The first damage.
    pub(crate) error: Option<Error>,
    /// Whether a number stood for no move, or for one that [`Judge`] does not keep.
    pub(crate) illegal: bool,
    /// Moves kept that the rules forbid.
    pub(crate) forbidden: u32,
    quirks: Vec<(Quirk, Location)>,
}

impl Outcome {
    /// Notes the quirks that were met.
    pub(crate) fn noted(self, diagnostics: &mut Diagnostics) -> Result<Outcome, Error> {
        for (quirk, at) in &self.quirks {
            diagnostics.note(*quirk, *at)?;
        }
        Ok(self)
    }

    /// Keeps the first damage.
    fn fail(&mut self, kind: ErrorKind, at: Location, ply: u32) {
        if self.error.is_none() {
            self.error = Some(Error::new(kind, at.after_ply(ply)));
        }
    }
}

/// What becomes of a number without a legal move. cbf §6.3 "Dialects"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judge {
    /// Reading ends.
    Stop,
    /// A move of the list that the rules forbid is kept; at any other number reading ends.
    Listed,
    /// The rest of its level is passed over.
    PassOver,
}

/// Reads the moves of a record, perhaps several times by different rules.
pub(crate) struct MoveReader<'a> {
    record: &'a Record<'a>,
    moves: &'a [u8],
    /// Those not read yet.
    comments: Comments<'a>,
    page: Encoding,
    place: Place,
    rules: Rules,
    judge: Judge,
    /// Moves kept that the rules forbid.
    forbidden: u32,
    quirks: Vec<(Quirk, Location)>,
    /// For the counting of moves.
    targets: Targets,
}

/// One level of variations.
#[derive(Clone, Copy)]
struct Level {
    now: NumberedPosition,
    /// Before the last move of the level, where its alternatives start.
    before: NumberedPosition,
    ply: u32,
    /// Whether it has a move yet: a variation opens with its first.
    moved: bool,
}

impl<'a> MoveReader<'a> {
    pub(crate) fn new(record: &'a Record<'a>, place: Place, page: Encoding) -> MoveReader<'a> {
        MoveReader {
            record,
            moves: record.moves(),
            comments: Comments::new(record.comments()),
            page,
            place,
            rules: Rules::USUAL,
            judge: Judge::PassOver,
            forbidden: 0,
            quirks: Vec::new(),
            targets: NO_TARGETS,
        }
    }

    /// Reads all moves into a game without any. An `Err` is for what no game can hold; damage is in
    /// the outcome.
    pub(crate) fn read(
        &mut self,
        start: NumberedPosition,
        rules: Rules,
        judge: Judge,
        game: &mut Game,
    ) -> Result<Outcome, Error> {
        self.rules = rules;
        self.judge = judge;
        self.forbidden = 0;
        self.comments = Comments::new(self.record.comments());
        self.quirks.clear();
        let mut outcome = self.read_all(start, game)?;
        outcome.quirks = std::mem::take(&mut self.quirks);
        outcome.forbidden = self.forbidden;
        Ok(outcome)
    }

    /// Whether another numbering makes all moves legal too, and others than those of the game.
    pub(crate) fn also_fits(
        &mut self,
        start: NumberedPosition,
        rules: Rules,
        game: &Game,
    ) -> Result<bool, Error> {
        let mut other = Game::new();
        let outcome = self.read(start, rules, Judge::Stop, &mut other)?;
        Ok(!outcome.illegal && !other.tokens().eq(game.tokens()))
    }

    /// A byte of the move section.
    fn at(&self, index: usize) -> Location {
        self.place.byte(self.record.layout.moves.start.saturating_add(index))
    }

    fn comment_at(&self, comment: &Comment<'_>) -> Location {
        self.place.byte(self.record.layout.comments.start.saturating_add(comment.offset))
    }

    fn quirk(&mut self, quirk: Quirk, at: Location) {
        self.quirks.push((quirk, at));
    }

    fn read_all(&mut self, start: NumberedPosition, game: &mut Game) -> Result<Outcome, Error> {
        let mut outcome = Outcome::default();
        let mut level = Level { now: start, before: start, ply: 0, moved: false };
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
                    level.now = level.before;
                    level.ply = level.ply.saturating_sub(1);
                    level.moved = false;
                }
                mark::VARIATION => {
                    outcome.fail(ErrorKind::NothingToReplace, self.at(here), level.ply);
                    index = self.skip(index).saturating_add(1);
                }
                _ => {
                    if keep {
                        level.before = level.now;
                    }
                    let opens = !level.moved && !stack.is_empty();
                    if let Err(kind) = self.read_move(byte, here, opens, &mut level, game)? {
                        outcome.illegal = true;
                        outcome.fail(kind, self.at(here), level.ply);
                        if self.judge != Judge::PassOver {
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
        let mut meaning = level.now.meaning(number, self.rules, &mut self.targets);
        if meaning == Meaning::Phantom && self.rules.next_after_phantom {
            meaning = self.next_meaning(&level.now, number);
        }
        let mover = level.now.position.turn();
        let read = match meaning {
            Meaning::Move(m) if level.now.allows(m) || self.keeps_forbidden(index, level.ply) => {
                if opens {
                    // The level around it has a move.
                    let _ = game.start_variation();
                }
                game.push_move(m);
                level.moved = true;
                level.now.play(m, self.rules);
                level.ply = level.ply.saturating_add(1);
                Ok(())
            }
            Meaning::Move(_) | Meaning::Phantom => Err(ErrorKind::IllegalMove { number }),
            Meaning::Beyond(count) => Err(ErrorKind::NoSuchMove { number, count }),
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

    /// Whether a move that the rules forbid is kept; a warning if so.
    #[cold]
    fn keeps_forbidden(&mut self, index: usize, ply: u32) -> bool {
        let keeps = self.judge == Judge::Listed;
        if keeps {
            self.forbidden = self.forbidden.saturating_add(1);
            self.quirk(Quirk::ForbiddenMove, self.at(index).after_ply(ply));
        }
        keeps
    }

    #[cold]
    fn next_meaning(&mut self, now: &NumberedPosition, number: u8) -> Meaning {
        now.meaning(number.saturating_add(1), self.rules, &mut self.targets)
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
            Some(text) => game.push_comment(&unix_line_ends(text.into())),
            None if text.is_empty() && comment.codes != [0; 3] => return Ok(()),
            None => game.push_comment(&unix_line_ends(text.into())),
        };
        pushed.map_err(|_| Error::new(ErrorKind::TooMuchText, self.comment_at(comment)))
    }

    /// Texts that no move asks for go to the end, so that none is lost.
    fn surplus(&mut self, game: &mut Game) -> Result<(), Error> {
        let mut noted = false;
        while let Some(comment) = self.comments.next() {
            if !noted {
                self.quirk(Quirk::CommentSurplus, self.comment_at(&comment));
                noted = true;
            }
            if !comment.text.is_empty() {
                let bare = Comment { codes: [0; 3], ..comment };
                self.push_comment(&bare, Color::White, game)?;
            }
        }
        Ok(())
    }

    /// Passes over the rest of a line whose moves are unknown, with its comments and variations:
    /// their marks can be told without a position. Gives the place of the mark that ends the line.
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
