//! Merges games into one book.

use std::fs::File;
use std::path::Path;

use chess_core::{CastlingSide, Game, Header, Move, Position, Replay, Role, Square, Token};
use chess_store::files::Staged;
use chess_store::io::{Appender, WriteAt};
use chess_store::{
    EncodeGames, Location, Loss, LossKind, Losses, ScratchEncoder, Trim, WriteGames,
};

use super::{BOOK, ENDS, IS_WEAK, LAST, Tree, WEAK};
use crate::error::{Error, ErrorKind};

/// Writes a new book that merges all games: equal moves become one. The whole book stays in memory
/// until it is finished.
#[derive(Debug)]
pub struct Writer<F: WriteAt = File> {
    file: F,
    tree: Tree,
    staged: Option<Staged>,
    own: ScratchEncoder<Self>,
}

impl Writer {
    /// Creates a book. The file appears when the book is finished.
    ///
    /// # Errors
    /// I/O errors.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, Error> {
        let mut staged = Staged::new();
        let file = staged.create(&path.as_ref().with_extension("fbk"));
        let file = file.map_err(Error::io(Location::file("fbk")))?;
        Ok(Writer { staged: Some(staged), ..Writer::from_parts(file) })
    }
}

impl Writer<Vec<u8>> {
    /// Creates a book in memory; [`into_bytes`](Writer::into_bytes) returns its bytes.
    #[must_use]
    #[inline]
    pub fn in_memory() -> Writer<Vec<u8>> {
        Writer::from_parts(Vec::new())
    }

    /// Completes the book and returns its bytes.
    ///
    /// # Errors
    /// No error is known to occur.
    #[inline]
    pub fn into_bytes(self) -> Result<Vec<u8>, Error> {
        self.into_parts()
    }
}

impl<F: WriteAt> Writer<F> {
    /// Creates a book in an empty file.
    pub fn from_parts(file: F) -> Writer<F> {
        Writer { file, tree: Tree::new(), staged: None, own: ScratchEncoder::default() }
    }

    /// Returns `true` if the book has no line yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tree.is_empty()
    }

    /// Writes the book and returns the file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn into_parts(self) -> Result<F, Error> {
        let disk = Error::io(Location::file("fbk"));
        let mut file = Appender::new(self.file);
        let mut written = Ok(());
        self.tree.for_each(|node| {
            let from = node.m.from().index();
            let to = node.m.to().index();
            let last = if node.next == Tree::ROOT { LAST } else { 0 };
            let ends = if node.first_child == Tree::ROOT { ENDS } else { 0 };
            let weak = if node.data { IS_WEAK } else { 0 };
            if written.is_ok() {
                written = file.push(&[from | last | ends, to | weak]);
            }
        });
        written.and_then(|()| file.finish()).map_err(disk)
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [F: WriteAt] Writer<F>);

impl<F: WriteAt> WriteGames for Writer<F> {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Encoded;

    fn encoder(&self) -> Encoder {
        Encoder::default()
    }

    fn append(&mut self, encoded: &mut Encoded, _: &mut Losses) -> Result<(), Error> {
        let Encoded { moves, nodes } = encoded;
        nodes.clear();
        nodes.push(Tree::ROOT);
        for stored in &*moves {
            // A parent precedes its children in the list.
            let parent = nodes.get(stored.parent).copied().unwrap_or(Tree::ROOT);
            let node = self.tree.child(parent, stored.m);
            if let Some(node) = self.tree.node_mut(node) {
                node.data |= stored.weak;
            }
            nodes.push(node);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), Error> {
        let staged = self.staged.take();
        // Close the file before it is renamed.
        drop(self.into_parts()?);
        staged.map_or(Ok(()), Staged::commit).map_err(Error::io(Location::file("fbk")))
    }

    fn own(&mut self) -> &mut ScratchEncoder<Self> {
        &mut self.own
    }
}

/// The moves of a game as a tree, in the order in which they are merged into the book.
#[derive(Debug, Default)]
pub struct Encoded {
    moves: Vec<TreeMove>,
    /// Scratch of the writer: the book's node ids of the root and of each move.
    nodes: Vec<usize>,
}

impl Trim for Encoded {
    fn trim(&mut self, most: usize) {
        if self.moves.capacity().saturating_mul(size_of::<TreeMove>()) > most {
            *self = Encoded::default();
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct TreeMove {
    /// The parent: 0 for the start of the book, n for the n-th of these moves.
    parent: usize,
    m: Move,
    weak: bool,
}

/// Converts games to trees.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    stack: Vec<Level>,
}

/// One level of variations. `last` and `before` use the numbering of [`TreeMove::parent`].
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    last: usize,
    before: usize,
    /// `true` if the rest of the line is dropped.
    dropped: bool,
    /// `true` if alternatives to the last move are dropped too.
    dropped_before: bool,
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
        if game.setup().is_some() {
            return Err(Error::new(ErrorKind::BookSetup, Location::file("fbk")));
        }
        lose_header(&game.header, losses);
        let moves = &mut into.moves;
        moves.clear();
        self.stack.clear();
        let mut replay = Replay::new(game);
        let mut level = Level::default();
        for token in game.tokens() {
            let ply = replay.ply();
            match token {
                Token::VariationStart => {
                    self.stack.push(level);
                    level.last = level.before;
                    level.dropped = level.dropped_before;
                }
                Token::VariationEnd => {
                    if let Some(outer) = self.stack.pop() {
                        level = outer;
                    }
                }
                Token::Move(m) => {
                    level.dropped_before = level.dropped;
                    level.before = level.last;
                    if level.dropped {
                        // Already reported with the move that ended the line.
                    } else if let Err(kind) = storable(replay.position(), m) {
                        losses.push(Loss::at_ply(kind, m.to_string(), ply));
                        level.dropped = true;
                    } else {
                        let m = book_move(replay.position(), m);
                        moves.push(TreeMove { parent: level.last, m, weak: false });
                        level.last = moves.len();
                    }
                }
                Token::Nag(_) | Token::Comment(_) if level.dropped => {}
                Token::Nag(nag) => match level.last.checked_sub(1).and_then(|i| moves.get_mut(i)) {
                    Some(last) if nag == WEAK => last.weak = true,
                    _ => losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), ply)),
                },
                Token::Comment(_) => losses.push(Loss::at_ply(LossKind::Comment, "", ply)),
            }
            replay.step(token);
        }
        Ok(())
    }
}

/// Converts castling to the king's step of two files, as a book stores it.
fn book_move(position: &Position, m: Move) -> Move {
    let step = |side: CastlingSide| Square::at(side.king_file(), m.from().rank());
    match position.castling_side(m).and_then(step) {
        Some(to) => Move::new(m.from(), to),
        None => m,
    }
}

/// Checks that the two bytes of a book move can represent `m`.
fn storable(position: &Position, m: Move) -> Result<(), LossKind> {
    if m.is_null() {
        Err(LossKind::NullMove)
    } else if !position.is_legal(m) || !matches!(m.promotion(), None | Some(Role::Queen)) {
        Err(LossKind::Move)
    } else {
        Ok(())
    }
}

/// Reports all tags as lost, since a book has no header.
fn lose_header(header: &Header, losses: &mut Losses) {
    let mut bare = Vec::new();
    Header::default().for_each_tag(|name, value| bare.push((name.to_owned(), value.to_string())));
    header.for_each_tag(|name, value| {
        let value = value.to_string();
        if name != BOOK && !bare.iter().any(|(known, usual)| known == name && *usual == value) {
            losses.push(Loss::new(LossKind::Tag, name));
        }
    });
}
