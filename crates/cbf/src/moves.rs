//! The moves of a record, with their comments. cbf §5 "Moves"

use chess_core::{Color, Game, Replay};
use chess_store::{Diagnostics, Encoding, Location, unix_line_ends};

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

/// The board of a game being read.
struct Board {
    replay: Replay<NumberedPosition>,
    /// `true` once the innermost level has a move. A variation is opened with its first move.
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
        let replay = Replay::on(start, self.moves.contains(&mark::VARIATION));
        let mut board = Board { replay, moved: false };
        let mut index = 0usize;
        while let Some(byte) = self.moves.get(index).copied() {
            let here = index;
            index = index.saturating_add(1);
            match byte {
                mark::STOP => {
                    self.end(here);
                    break;
                }
                mark::END if board.replay.depth() > 0 => {
                    if board.moved {
                        // Cannot fail: the variation was opened with its first move.
                        let _ = game.end_variation();
                    }
                    board.replay.end_variation();
                    // The outer level has the move that the variation replaces.
                    board.moved = true;
                }
                mark::END => {
                    self.end(here);
                    break;
                }
                mark::VARIATION if self.moves.get(index) == Some(&mark::END) => {
                    self.quirk(Quirk::EmptyVariation, self.at(here));
                    index = index.saturating_add(1);
                }
                mark::VARIATION if board.moved => {
                    board.replay.start_variation();
                    board.moved = false;
                }
                mark::VARIATION => {
                    outcome.fail(ErrorKind::NothingToReplace, self.at(here), board.replay.ply());
                    index = self.skip_line(index);
                    if self.moves.get(index) == Some(&mark::END) {
                        index = index.saturating_add(1);
                    }
                }
                _ => {
                    if let Err(kind) = self.read_move(byte, here, &mut board, game)? {
                        outcome.illegal = true;
                        outcome.fail(kind, self.at(here), board.replay.ply());
                        if self.illegal_moves != IllegalMoves::SkipLine {
                            return Ok(outcome);
                        }
                        index = self.skip_line(index);
                    }
                }
            }
        }
        game.close_variations();
        if board.replay.depth() > 0 {
            self.quirk(Quirk::OpenVariation, self.at(index));
        }
        while board.replay.depth() > 0 {
            board.replay.end_variation();
        }
        outcome.plies = board.replay.ply();
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
        board: &mut Board,
        game: &mut Game,
    ) -> Result<Result<(), ErrorKind>, Error> {
        let number = byte & mark::HIGHEST;
        let Board { replay, moved } = board;
        let mut meaning = replay.board().meaning(number, self.rules, &mut self.targets);
        if meaning == Meaning::Phantom && self.rules.next_after_phantom {
            meaning = self.next_meaning(replay.board(), number);
        }
        let mover = replay.board().position.turn();
        let read = match meaning {
            Meaning::Move(m)
                if replay.board().allows(m) || self.keeps_forbidden(index, replay.ply()) =>
            {
                if !*moved && replay.depth() > 0 {
                    // Cannot fail: the outer level has a move.
                    let _ = game.start_variation();
                }
                game.push_move(m);
                *moved = true;
                replay.play_with(|now| now.play(m, self.rules));
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
                    let at = self.at(index).after_ply(replay.ply().saturating_sub(1));
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
