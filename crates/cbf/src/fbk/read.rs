//! Reads a book as a tree of moves.

use std::fs::File;
use std::path::Path;

use chess_core::{CastlingSide, Game, Header, Move, Position, Role, Square};
use chess_store::io::{CachedFile, PageCache, ReadAt};
use chess_store::{Describe, Diagnostics, Field, Location, ReadGames, SearchIndex, Warning};

use nom::number::complete::be_u8;
use nom::{IResult, Parser};

use super::{BOOK, ENDS, IS_WEAK, LAST, MOVE_SIZE, SPARE, Tree, WEAK};
use crate::error::{Error, ErrorKind};
use crate::quirk::Quirk;

/// A book: one game with all its lines as variations.
#[derive(Debug)]
pub struct Book<R = File> {
    file: R,
    warnings: [Warning; 1],
}

/// The per-thread state of reading a book.
#[derive(Debug, Default)]
pub struct State {
    pages: PageCache,
}

/// Maximum number of alternatives open at once.
const OPEN_LIMIT: usize = 4096;

impl Book {
    /// Opens a book. It always has a warning that books are experimental. This is no deviation of the
    /// file, so there is no strict mode that refuses it.
    ///
    /// # Errors
    /// I/O errors.
    pub fn open(path: impl AsRef<Path>) -> Result<Book, Error> {
        Ok(Book::from_parts(File::open(path).map_err(Error::io(at(0)))?))
    }
}

fn at(offset: u64) -> Location {
    Location::file("fbk").at(offset).in_game(0)
}

/// A move as stored.
struct StoredMove {
    from: Square,
    to: Square,
    last: bool,
    ends: bool,
    weak: bool,
    spare: bool,
}

fn parse_move(input: &[u8]) -> IResult<&[u8], StoredMove> {
    let (input, (first, second)) = (be_u8, be_u8).parse(input)?;
    let stored = StoredMove {
        from: Square::from_low_bits(first),
        to: Square::from_low_bits(second),
        last: first & LAST != 0,
        ends: first & ENDS != 0,
        weak: second & IS_WEAK != 0,
        spare: second & SPARE != 0,
    };
    Ok((input, stored))
}

/// Builds the move between two squares. A king's step of two files is castling; a promotion makes a
/// queen.
fn complete(position: &Position, from: Square, to: Square) -> Move {
    let Some(piece) = position.piece_at(from) else { return Move::new(from, to) };
    let last_rank = (!piece.color()).back_rank();
    match piece.role() {
        Role::Pawn if to.rank() == last_rank => Move::promoting(from, to, Role::Queen),
        Role::King if from.file().abs_diff(to.file()) == 2 => {
            let king_side = to.file() > from.file();
            let side = if king_side { CastlingSide::King } else { CastlingSide::Queen };
            Move::new(from, position.castling_rook(piece.color(), side).unwrap_or(to))
        }
        _ => Move::new(from, to),
    }
}

impl<R: ReadAt> Book<R> {
    /// Opens a book from a random-access source.
    pub fn from_parts(file: R) -> Book<R> {
        let warning = Warning::new(Quirk::BookExperimental, Location::file("fbk"));
        Book { file, warnings: [warning] }
    }
}

fn check_number(game: u64) -> Result<(), Error> {
    if game == 0 {
        return Ok(());
    }
    let kind = ErrorKind::NoSuchGame { count: 1 };
    Err(Error::new(kind, Location::file("fbk").in_game(game)))
}

fn read_tree<R: ReadAt>(
    file: &CachedFile<'_, R>,
    tree: &mut Tree,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    let mut position = Position::start();
    let mut parent = Tree::ROOT;
    let mut waiting: Vec<(usize, Position, u32)> = Vec::new();
    let (mut open, mut finished) = (false, false);
    let mut ply = 0u32;
    let size = file.size().map_err(Error::io(at(0)))?;
    for offset in (0..size).step_by(MOVE_SIZE) {
        let here = at(offset).after_ply(ply);
        if finished {
            let kind = ErrorKind::AfterBook { bytes: size.saturating_sub(offset) };
            return Err(Error::new(kind, at(offset)));
        }
        let (_, stored) = read_move(file, offset)?;
        let m = complete(&position, stored.from, stored.to);
        if stored.from == stored.to || !position.is_legal(m) {
            let kind = ErrorKind::IllegalBookMove { from: stored.from, to: stored.to };
            return Err(Error::new(kind, here));
        }
        if stored.spare {
            diagnostics.note(Quirk::BookSpareBit, here)?;
        }
        if !stored.last {
            if waiting.len() >= OPEN_LIMIT {
                return Err(Error::new(ErrorKind::BookTooDeep { limit: OPEN_LIMIT }, here));
            }
            waiting.push((parent, position, ply));
        }
        let node = tree.child(parent, m);
        if let Some(node) = tree.node_mut(node) {
            node.data |= stored.weak;
        }
        open = !stored.ends;
        if open {
            position.apply(m);
            parent = node;
            ply = ply.saturating_add(1);
        } else if let Some(place) = waiting.pop() {
            (parent, position, ply) = place;
        } else {
            finished = true;
        }
    }
    if open {
        diagnostics.note(Quirk::BookOpenEnd, at(size))?;
    }
    if !waiting.is_empty() || !open && !finished && size > 0 {
        diagnostics.note(Quirk::BookUnreached, at(size))?;
    }
    Ok(())
}

/// Reads the bytes of a move, and what they mean.
fn read_move<R: ReadAt>(
    file: &CachedFile<'_, R>,
    offset: u64,
) -> Result<([u8; MOVE_SIZE], StoredMove), Error> {
    let mut bytes = [0; MOVE_SIZE];
    let found = file.read_full(offset, &mut bytes).map_err(Error::io(at(offset)))?;
    let parsed = parse_move(bytes.get(..found).unwrap_or_default());
    parsed.map(|(_, stored)| (bytes, stored)).map_err(|_| {
        let kind = ErrorKind::Truncated { part: "move", needed: MOVE_SIZE, found };
        Error::new(kind, at(offset))
    })
}

chess_store::inherent!(ReadGames<Error> for [R: ReadAt + Send + Sync] Book<R>);

impl<R: ReadAt + Send + Sync> ReadGames for Book<R> {
    type Error = Error;
    type State = State;

    /// Returns 1: a book is one game.
    fn len(&self) -> u64 {
        1
    }

    /// Sets the tag [`BOOK`] only.
    fn header_with(
        &self,
        _: &mut State,
        game: u64,
        into: &mut Header,
        _: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        check_number(game)?;
        into.tags.push(BOOK, "experimental");
        Ok(())
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        self.header_with(state, game, &mut into.header, diagnostics)?;
        let mut tree = Tree::new();
        let result = read_tree(&state.pages.cached(&self.file), &mut tree, diagnostics);
        let written = tree.write_line(into, |game, node| {
            if node.data {
                game.push_nag(WEAK);
            }
            Ok(())
        });
        let place = Location::file("fbk").in_game(0);
        result.and(written.map_err(|_| Error::new(ErrorKind::TooMuchText, place)))
    }

    fn dump_with(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        check_number(game)?;
        let file = state.pages.cached(&self.file);
        let size = file.size().map_err(Error::io(at(0)))?;
        for offset in (0..size).step_by(MOVE_SIZE) {
            let (bytes, stored) = read_move(&file, offset)?;
            let mut value = format!("{}{}", stored.from, stored.to);
            for (set, words) in [
                (!stored.last, ", alternatives follow"),
                (stored.ends, ", line ends"),
                (stored.weak, ", weak"),
            ] {
                if set {
                    value.push_str(words);
                }
            }
            each(Field::new("fbk", offset, bytes, "move", value));
        }
        Ok(())
    }
}

impl<R: ReadAt + Send + Sync> SearchIndex for Book<R> {}

impl<R: ReadAt + Send + Sync> Describe for Book<R> {
    fn details(&self) -> Vec<(&'static str, String)> {
        vec![("status", "experimental: no genuine book is known".to_owned())]
    }

    /// Returns the warning that books are experimental.
    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
