//! Games joined to one book.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use chess_core::files::Staged;
use chess_core::seam::{Loss, LossKind};
use chess_core::{
    CastlingSide, Game, Header, Location, Move, Position, Replay, Role, Square, Token,
};

use super::tree::{Id, ROOT, Tree};
use super::{BOOK, ENDS, IS_WEAK, LAST, WEAK};
use crate::error::{Error, ErrorKind, io_error};

/// Writes a new book, into which all games are joined: equal moves become one. The whole book
/// stays in memory until it is finished.
#[derive(Debug)]
pub struct Writer<W: Write = BufWriter<File>> {
    output: W,
    tree: Tree,
    staged: Option<Staged>,
}

/// One level of variations.
#[derive(Clone, Copy)]
struct Level {
    node: Id,
    before: Id,
    /// Whether the rest of the line is dropped.
    dead: bool,
    /// Whether what replaces the last move is dropped too.
    dead_before: bool,
}

impl Writer {
    /// Starts a book; the file appears when it is finished.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn create(path: &Path) -> Result<Writer, Error> {
        let mut staged = Staged::new();
        let file = staged.create(&path.with_extension("fbk"));
        let output = BufWriter::new(file.map_err(io_error(Location::file("fbk")))?);
        Ok(Writer { output, tree: Tree::new(), staged: Some(staged) })
    }

    /// Writes the book and gives the file its name.
    ///
    /// # Errors
    /// Those of the disk; nothing is left behind then.
    pub fn finish(mut self) -> Result<(), Error> {
        self.complete()?;
        let Writer { output, staged, .. } = self;
        drop(output);
        match staged {
            Some(staged) => staged.commit().map_err(io_error(Location::file("fbk"))),
            None => Ok(()),
        }
    }
}

impl<W: Write> Writer<W> {
    /// Starts a book on an empty output.
    pub fn new(output: W) -> Writer<W> {
        Writer { output, tree: Tree::new(), staged: None }
    }

    /// Joins a game's lines to the book, and adds what it cannot hold to `losses`.
    ///
    /// # Errors
    /// A game with a start position of its own.
    pub fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        if game.setup().is_some() {
            return Err(Error::new(ErrorKind::BookSetup, Location::file("fbk")));
        }
        lose_header(&game.header, losses);
        let mut replay = Replay::new(game);
        let mut level = Level { node: ROOT, before: ROOT, dead: false, dead_before: false };
        let mut stack = Vec::new();
        for token in game.tokens() {
            let ply = replay.ply();
            match token {
                Token::VariationStart => {
                    stack.push(level);
                    level.node = level.before;
                    level.dead = level.dead_before;
                }
                Token::VariationEnd => {
                    if let Some(outer) = stack.pop() {
                        level = outer;
                    }
                }
                Token::Move(m) => {
                    level.dead_before = level.dead;
                    level.before = level.node;
                    if level.dead {
                        // Reported with the move that ended the line.
                    } else if let Err(kind) = storable(replay.position(), m) {
                        losses.push(Loss::at_ply(kind, m.to_string(), ply));
                        level.dead = true;
                    } else {
                        let m = book_move(replay.position(), m);
                        level.node = self.tree.child(level.node, m);
                    }
                }
                Token::Nag(_) | Token::Comment(_) if level.dead => {}
                Token::Nag(WEAK) if level.node != ROOT => self.tree.mark_weak(level.node),
                Token::Nag(nag) => {
                    losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), ply));
                }
                Token::Comment(_) => losses.push(Loss::at_ply(LossKind::Comment, "", ply)),
            }
            replay.step(token);
        }
        Ok(())
    }

    /// Whether no line is in it yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tree.is_empty()
    }

    /// Writes the book and gives the output back.
    ///
    /// # Errors
    /// Those of the output.
    pub fn into_parts(mut self) -> Result<W, Error> {
        self.complete()?;
        Ok(self.output)
    }

    fn complete(&mut self) -> Result<(), Error> {
        let at = Location::file("fbk");
        let output = &mut self.output;
        let mut written = Ok(());
        self.tree.for_each(|node, ends| {
            let from = node.m.from().index();
            let to = node.m.to().index();
            let last = if node.next == ROOT { LAST } else { 0 };
            let ends = if ends { ENDS } else { 0 };
            let weak = if node.weak { IS_WEAK } else { 0 };
            if written.is_ok() {
                written = output.write_all(&[from | last | ends, to | weak]);
            }
        });
        written.and_then(|()| output.flush()).map_err(io_error(at))
    }
}

/// The move as a book has it: castling is the king's step of two.
fn book_move(position: &Position, m: Move) -> Move {
    let step = |side: CastlingSide| Square::at(side.king_file(), m.from().rank());
    match position.castling_side(m).and_then(step) {
        Some(to) => Move::new(m.from(), to),
        None => m,
    }
}

/// Whether the two bytes of a move can say it.
fn storable(position: &Position, m: Move) -> Result<(), LossKind> {
    if m.is_null() {
        Err(LossKind::NullMove)
    } else if !position.is_legal(m) || !matches!(m.promotion(), None | Some(Role::Queen)) {
        Err(LossKind::Move)
    } else {
        Ok(())
    }
}

/// A book has no header.
fn lose_header(header: &Header, losses: &mut Vec<Loss>) {
    let mut bare = Vec::new();
    Header::default().for_each_tag(|name, value| bare.push((name.to_owned(), value.to_string())));
    header.for_each_tag(|name, value| {
        let value = value.to_string();
        if name != BOOK && !bare.iter().any(|(known, usual)| known == name && *usual == value) {
            losses.push(Loss::new(LossKind::Tag, name));
        }
    });
}
