//! A book as a tree of moves.

use std::fs::File;
use std::path::Path;

use chess_core::io::{PagedFile, ReadAt};
use chess_core::seam::Field;
use chess_core::{
    CastlingSide, Diagnostics, Game, Header, Location, Move, Position, Quirk as _, Role, Square,
    Warning,
};

use super::tree::{Id, ROOT, Tree};
use super::{BOOK, ENDS, IS_WEAK, LAST, MOVE_SIZE, SPARE};
use crate::error::{Error, ErrorKind, io_error};
use crate::place::note;
use crate::quirk::Quirk;

/// A book: one game with all its lines as variations.
#[derive(Debug)]
pub struct Book<R = PagedFile> {
    file: R,
    warnings: [Warning; 1],
}

/// The most alternatives that may be open at once.
const OPEN_LIMIT: usize = 4096;

impl Book {
    /// Opens a book.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn open(path: &Path) -> Result<Book, Error> {
        let file = File::open(path).and_then(PagedFile::new);
        Ok(Book::from_parts(file.map_err(io_error(at(0)))?))
    }
}

fn at(offset: u64) -> Location {
    Location::file("fbk").at(offset).in_game(0)
}

/// A move as it stands.
struct Entry {
    from: Square,
    to: Square,
    last: bool,
    ends: bool,
    weak: bool,
    spare: bool,
}

fn parse_entry([first, second]: [u8; MOVE_SIZE]) -> Entry {
    Entry {
        from: Square::from_low_bits(first),
        to: Square::from_low_bits(second),
        last: first & LAST != 0,
        ends: first & ENDS != 0,
        weak: second & IS_WEAK != 0,
        spare: second & SPARE != 0,
    }
}

/// The move between two squares: castling is the king's step of two, a promotion makes a queen.
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
    /// A book whose bytes can be read anywhere.
    pub fn from_parts(file: R) -> Book<R> {
        let quirk = Quirk::BookExperimental;
        let at = Location::file("fbk");
        let warning = Warning { name: quirk.name(), message: quirk.message(), at };
        Book { file, warnings: [warning] }
    }

    /// One: a book is one game.
    #[must_use]
    pub fn len(&self) -> u64 {
        1
    }

    /// Never.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// That all this is experimental.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Fills the header of game 0, which only says what this is.
    ///
    /// # Errors
    /// For any other game.
    pub fn header(&self, game: u64, into: &mut Header) -> Result<(), Error> {
        into.clear();
        self.check_number(game)?;
        into.tags.push(BOOK, "experimental");
        Ok(())
    }

    fn check_number(&self, game: u64) -> Result<(), Error> {
        if game < self.len() {
            return Ok(());
        }
        let kind = ErrorKind::NoSuchGame { count: self.len() };
        Err(Error::new(kind, Location::file("fbk").in_game(game)))
    }

    /// Reads the book as game 0. After an error, `into` holds the lines before the damage.
    ///
    /// # Errors
    /// A move that the rules forbid; bytes after the last line; quirks when strict.
    pub fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        self.header(game, &mut into.header)?;
        let mut tree = Tree::new();
        let result = self.read_tree(&mut tree, diagnostics);
        tree.write_line(into);
        result
    }

    fn read_tree(&self, tree: &mut Tree, diagnostics: &mut Diagnostics) -> Result<(), Error> {
        let mut position = Position::start();
        let mut parent: Id = ROOT;
        let mut waiting: Vec<(Id, Position, u32)> = Vec::new();
        let (mut open, mut finished) = (false, false);
        let mut ply = 0u32;
        let size = self.file.size().map_err(io_error(at(0)))?;
        for offset in (0..size).step_by(MOVE_SIZE) {
            let here = at(offset).after_ply(ply);
            if finished {
                let kind = ErrorKind::AfterBook { bytes: size.saturating_sub(offset) };
                return Err(Error::new(kind, at(offset)));
            }
            let entry = self.entry(offset)?;
            let m = complete(&position, entry.from, entry.to);
            if entry.from == entry.to || !position.is_legal(m) {
                let kind = ErrorKind::IllegalBookMove { from: entry.from, to: entry.to };
                return Err(Error::new(kind, here));
            }
            if entry.spare {
                note(diagnostics, Quirk::BookSpareBit, here)?;
            }
            if !entry.last {
                if waiting.len() >= OPEN_LIMIT {
                    return Err(Error::new(ErrorKind::BookTooDeep { limit: OPEN_LIMIT }, here));
                }
                waiting.push((parent, position, ply));
            }
            let node = tree.child(parent, m);
            if entry.weak {
                tree.mark_weak(node);
            }
            open = !entry.ends;
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
            note(diagnostics, Quirk::BookOpenEnd, at(size))?;
        }
        if !waiting.is_empty() || !open && !finished && size > 0 {
            note(diagnostics, Quirk::BookUnreached, at(size))?;
        }
        Ok(())
    }

    fn entry(&self, offset: u64) -> Result<Entry, Error> {
        let mut bytes = [0; MOVE_SIZE];
        let found = self.file.read_full(offset, &mut bytes).map_err(io_error(at(offset)))?;
        if found < MOVE_SIZE {
            let kind = ErrorKind::Truncated { part: "move", needed: MOVE_SIZE, found };
            return Err(Error::new(kind, at(offset)));
        }
        Ok(parse_entry(bytes))
    }

    /// Names the bytes of each move.
    ///
    /// # Errors
    /// Those of the disk; half a move at the end.
    pub fn dump(&self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), Error> {
        self.check_number(game)?;
        let size = self.file.size().map_err(io_error(at(0)))?;
        for offset in (0..size).step_by(MOVE_SIZE) {
            let entry = self.entry(offset)?;
            let mut value = format!("{}{}", entry.from, entry.to);
            for (set, word) in [
                (!entry.last, ", alternatives follow"),
                (entry.ends, ", line ends"),
                (entry.weak, ", weak"),
            ] {
                if set {
                    value.push_str(word);
                }
            }
            let mut bytes = vec![0; MOVE_SIZE];
            self.file.read_full(offset, &mut bytes).map_err(io_error(at(offset)))?;
            each(Field { file: "fbk", offset, bytes, name: "move", value });
        }
        Ok(())
    }
}
