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

/// The result of reading the moves.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Plies of the main line.
    pub(crate) plies: u32,
    /// The first damage found.
    pub(crate) error: Option<Error>,
    /// `true` if a number stood for no move, or for a move rejected by the [`IllegalMoves`] policy.
    pub(crate) illegal: bool,
    /// Number of illegal moves that were kept.
    pub(crate) forbidden: u32,
    quirks: Vec<(Quirk, Location)>,
}

impl Outcome {
    /// Reports the quirks found to `diagnostics`.
    pub(crate) fn noted(self, diagnostics: &mut Diagnostics) -> Result<Outcome, Error> {
        for (quirk, at) in &self.quirks {
            diagnostics.note(*quirk, *at)?;
        }
        Ok(self)
    }

    /// Records an error, unless an earlier one is recorded.
    fn fail(&mut self, kind: ErrorKind, at: Location, ply: u32) {
        if self.error.is_none() {
            self.error = Some(Error::new(kind, at.after_ply(ply)));
        }
    }
}

/// How to treat a number without a legal move. cbf §6.3 "Dialects"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IllegalMoves {
    /// Stop reading.
    Stop,
    /// Keep an illegal move that has a number. Stop reading at any other number.
    KeepListed,
    /// Skip the rest of the line.
    SkipLine,
}

/// Reads the moves of a record. May read the same record several times with different rules.
pub(crate) struct MoveReader<'a> {
    record: &'a Record<'a>,
    moves: &'a [u8],
    /// The comments not read yet.
    comments: Comments<'a>,
    page: Encoding,
    place: Place,
    rules: Rules,
    illegal_moves: IllegalMoves,
    /// Number of illegal moves that were kept.
    forbidden: u32,
    quirks: Vec<(Quirk, Location)>,
    /// Scratch table of the move numbering.
    targets: Targets,
}

/// One level of variations.
#[derive(Clone, Copy)]
struct Level {
    now: NumberedPosition,
    /// The position before the last move of the level, where variations start.
    before: NumberedPosition,
    ply: u32,
    /// `true` once the level has a move. A variation is opened with its first move.
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
            illegal_moves: IllegalMoves::SkipLine,
            forbidden: 0,
            quirks: Vec::new(),
            targets: NO_TARGETS,
        }
    }

    /// Reads all moves into `game`, which must have none. Returns `Err` only if the text exceeds the
    /// limits of a [`Game`]; damage is reported in the [`Outcome`].
    pub(crate) fn read(
        &mut self,
        start: NumberedPosition,
        rules: Rules,
        illegal_moves: IllegalMoves,
        game: &mut Game,
    ) -> Result<Outcome, Error> {
        self.rules = rules;
        self.illegal_moves = illegal_moves;
        self.forbidden = 0;
        self.comments = Comments::new(self.record.comments());
        self.quirks.clear();
        let mut outcome = self.read_all(start, game)?;
        outcome.quirks = std::mem::take(&mut self.quirks);
        outcome.forbidden = self.forbidden;
        Ok(outcome)
    }

    /// Returns `true` if the numbering `rules` makes all moves legal too, but yields a different game.
    pub(crate) fn also_fits(
        &mut self,
        start: NumberedPosition,
        rules: Rules,
        game: &Game,
    ) -> Result<bool, Error> {
        let mut other = Game::new();
        let outcome = self.read(start, rules, IllegalMoves::Stop, &mut other)?;
        Ok(!outcome.illegal && !other.tokens().eq(game.tokens()))
    }

    /// Returns the location of a byte of the move section.
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
                            // Cannot fail: the stack mirrors the open variations of the game.
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
                    index = self.skip_line(index).saturating_add(1);
                }
                _ => {
                    if keep {
                        level.before = level.now;
                    }
                    let opens = !level.moved && !stack.is_empty();
                    if let Err(kind) = self.read_move(byte, here, opens, &mut level, game)? {
                        outcome.illegal = true;
                        outcome.fail(kind, self.at(here), level.ply);
                        if self.illegal_moves != IllegalMoves::SkipLine {
                            return Ok(outcome);
                        }
                        index = self.skip_line(index);
                    }
                }
            }
        }
        outcome.plies = stack.first().unwrap_or(&level).ply;
        game.close_variations();
        if !stack.is_empty() {
            self.quirk(Quirk::OpenVariation, self.at(index));
        }
        self.push_surplus(game)?;
        Ok(outcome)
    }

    /// Reports a mark that ends the game, and any bytes after it.
    fn end(&mut self, index: usize) {
        self.quirk(Quirk::EndMark, self.at(index));
        let after = index.saturating_add(1);
        if after < self.moves.len() {
            self.quirk(Quirk::AfterEnd, self.at(after));
        }
    }

    /// Reads a move and its comment. The inner error reports a number without a legal move.
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
                    // Cannot fail: the outer level has a move.
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

    /// Returns `true` if an illegal move is kept, and warns about it.
    #[cold]
    fn keeps_forbidden(&mut self, index: usize, ply: u32) -> bool {
        let keeps = self.illegal_moves == IllegalMoves::KeepListed;
        if keeps {
            self.forbidden = self.forbidden.saturating_add(1);
            self.quirk(Quirk::ForbiddenMove, self.at(index).after_ply(ply));
        }
        keeps
    }

    /// Decodes the number after `number`.
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

    /// Appends the comments that belong to no move to the end of the game.
    fn push_surplus(&mut self, game: &mut Game) -> Result<(), Error> {
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

    /// Skips the rest of a line with its comments and variations, which needs no position. Returns
    /// the index of the mark that ends the line.
    fn skip_line(&mut self, from: usize) -> usize {
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
