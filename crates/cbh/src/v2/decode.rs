//! Decodes the moves of a record to a tree. The inverse is in `encode`.

use chess_core::{Move, Piece, Position, Role, Square, crossed};
use chess_store::{Diagnostics, Location, Walk};

use super::board::{self, Board};
use super::layout::word;
use super::quirk::Quirk;
use super::setup::{Start, decode_start};
use super::words::{Castling, Table, WordMove, castling_of, table};
use crate::decode::MAX_BRANCHES;
use crate::error::{Error, ErrorKind};
use crate::tree::{ROOT, Tree};

/// A position to return to at the end of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    board: Board,
    node: u32,
    ply: u32,
}

/// The maximum number of words decoded as plain moves in one batch. Room for their moves is reserved
/// up front, so large batches waste work in short lines.
const BATCH: usize = 160;

/// The parts of a record's content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content<'a> {
    /// The start position, if the record has one.
    pub(crate) start: Option<Start>,
    /// The bytes of the moves, after their mark.
    pub(crate) moves: &'a [u8],
    /// The offset of the moves in the content.
    pub(crate) offset: usize,
}

/// Splits the content of a record in start position and moves.
// cbh2 §4.2 "Words"
pub(crate) fn split_content(content: &[u8], at: Location) -> Result<Content<'_>, Error> {
    let (words, _) = content.as_chunks::<2>();
    let word = |index: usize| words.get(index).map(|bytes| u16::from_le_bytes(*bytes));
    let refuse = |word: Option<u16>| match word {
        Some(word) => ErrorKind::FirstWord(word).at(at),
        None => ErrorKind::WordCut.at(at),
    };
    let (start, first) = match word(0) {
        Some(word::MOVES) => (None, 1),
        Some(word::SETUP) => {
            let end = words.iter().position(|bytes| u16::from_le_bytes(*bytes) == word::MOVES);
            let end = end.ok_or_else(|| ErrorKind::SetupCut.at(at))?;
            let setup: Vec<u16> = words
                .get(1..end)
                .unwrap_or_default()
                .iter()
                .map(|b| u16::from_le_bytes(*b))
                .collect();
            let start = decode_start(&setup).ok_or_else(|| ErrorKind::StartWords.at(at))?;
            (Some(start), end.saturating_add(1))
        }
        other => return Err(refuse(other)),
    };
    let offset = first.saturating_mul(2);
    Ok(Content { start, moves: content.get(offset..).unwrap_or_default(), offset })
}

/// Why decoding stops.
enum Stop {
    Error(Error),
    /// Castling needs a right that the start position lacks but could have had.
    Right(Castling),
    /// The first move takes en passant on this square, which the start position does not store.
    Passed(Square),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

/// Decodes the moves of a record into a tree, up to the first damage.
///
/// If a game castles without the right, the right is added to the start position, as long as
/// `setup` says that it is not the usual one.
pub(crate) fn decode_moves(
    moves: &[u8],
    start: &mut Position,
    setup: bool,
    tree: &mut Tree,
    branches: &mut Vec<Branch>,
    diagnostics: &mut Diagnostics,
    at: Location,
) -> Result<(), Error> {
    loop {
        tree.clear();
        branches.clear();
        let table = table();
        let here = Branch { board: table.board(start), node: ROOT, ply: 0 };
        let mut decoding =
            Decoding { moves, table, here, branches, tree, at, offset: 0, ended: false };
        match decoding.line() {
            Ok(()) => {
                let end = decoding.end();
                return Ok(end.map_or(Ok(()), |(quirk, at)| diagnostics.note(quirk, at))?);
            }
            Err(Stop::Error(error)) => return Err(error),
            // cbh2 §4.4 "Castling"
            Err(Stop::Right(castling))
                if setup
                    && may_add(start, castling)
                    && start.allow_castling_from_home(castling.color, castling.side) =>
            {
                diagnostics.note(Quirk::CastlingRight, at)?;
            }
            // cbh2 §4.5 "Start position"
            Err(Stop::Passed(square)) => {
                start.set_en_passant(Some(square));
                diagnostics.note(Quirk::EnPassant, at)?;
            }
            Err(Stop::Right(castling)) => {
                let at = decoding.place();
                return Err(ErrorKind::IllegalMove(castling_from_home(castling)).at(at));
            }
        }
    }
}

/// Whether king and rook stand at home and the right is missing.
fn may_add(start: &Position, castling: Castling) -> bool {
    let Castling { color, side } = castling;
    let rook = start.piece_at(side.corner(color)) == Some(Piece::new(Role::Rook, color));
    rook && start.king(color) == Some(color.king_home())
        && start.castling_rook(color, side).is_none()
}

fn castling_from_home(Castling { color, side }: Castling) -> Move {
    Move::new(color.king_home(), side.corner(color))
}

/// Visits the main line of a record from the usual start position, until `each` returns `false`.
///
/// Returns `false` if the main line is damaged.
pub(crate) fn walk_moves(moves: &[u8], each: &mut Walk<'_>) -> bool {
    let (mut position, table) = (Position::start(), table());
    // A full decode refuses a mark that does not follow a move, and too many of them.
    let (mut marks, mut may_mark) = (0, false);
    for bytes in moves.as_chunks::<2>().0 {
        let m = match u16::from_le_bytes(*bytes) {
            word::BRANCH if may_mark && marks < MAX_BRANCHES => {
                marks = marks.saturating_add(1);
                may_mark = false;
                continue;
            }
            word::BRANCH => return false,
            word::END => {
                each(&position, None);
                return true;
            }
            word => move_of(word, &position, table),
        };
        let Some(m) = m else { return false };
        if !each(&position, Some(m)) {
            return true;
        }
        position.apply(m);
        may_mark = true;
    }
    false
}

/// Returns the move of a word, if the position allows it.
#[inline]
fn move_of(found: u16, position: &Position, table: &Table) -> Option<Move> {
    match table.get(found) {
        Some(named) => is_legal(&named, position).then_some(named.played),
        None if found == word::NULL => Some(Move::NULL),
        None => castle(castling_of(found)?, position),
    }
}

fn castle(Castling { color, side }: Castling, position: &Position) -> Option<Move> {
    let rook = position.castling_rook(color, side)?;
    let m = Move::new(position.king(color)?, rook);
    (color == position.turn() && position.is_legal(m)).then_some(m)
}

/// Whether the move of a word is legal. The table holds only moves that the piece can make on an
/// empty board.
#[inline]
fn is_legal(named: &WordMove, position: &Position) -> bool {
    let WordMove { played, piece, captured } = *named;
    let (from, to) = (played.from(), played.to());
    let fits = position.piece_at(from) == Some(piece)
        && piece.color() == position.turn()
        && position.piece_at(to) == captured
        && (crossed(played) & position.occupied()).is_empty();
    let aside = piece.role() == Role::Pawn && captured.is_none() && from.file() != to.file();
    fits && (!aside || position.en_passant() == Some(to)) && position.leaves_king_safe(played)
}

struct Decoding<'a> {
    moves: &'a [u8],
    table: &'static Table,
    here: Branch,
    branches: &'a mut Vec<Branch>,
    tree: &'a mut Tree,
    at: Location,
    /// The offset of the current word within the moves.
    offset: usize,
    /// Whether the last line has ended.
    ended: bool,
}

impl Decoding<'_> {
    fn peek(&self, ahead: usize) -> Option<u16> {
        let offset = self.offset.wrapping_add(ahead);
        self.moves.get(offset..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
    }

    // cbh2 §4.6 "Order of moves"
    fn line(&mut self) -> Result<(), Stop> {
        loop {
            self.plain_moves()?;
            let Some(found) = self.peek(0) else { return Ok(()) };
            if found == word::END {
                self.offset = self.offset.wrapping_add(2);
                let Some(branch) = self.branches.pop() else {
                    self.ended = true;
                    return Ok(());
                };
                self.here = branch;
                continue;
            }
            let mut board = self.here.board;
            let Some(m) = self.play(found, &mut board)? else {
                return Err(self.refuse(found));
            };
            let (before, at) = (self.here, self.place());
            self.offset = self.offset.wrapping_add(2);
            self.here.board = board;
            self.here.node = self.tree.push(before.node, m);
            self.here.ply = before.ply.wrapping_add(1);
            if self.peek(0) == Some(word::BRANCH) {
                if self.branches.len() >= MAX_BRANCHES {
                    return Err(ErrorKind::TooDeep(MAX_BRANCHES).at(at).into());
                }
                self.branches.push(before);
                self.offset = self.offset.wrapping_add(2);
            }
        }
    }

    /// Plays plain moves up to a word that is none.
    fn plain_moves(&mut self) -> Result<(), Stop> {
        loop {
            let words = self.moves.get(self.offset..).unwrap_or_default().as_chunks::<2>().0;
            let batch = words.get(..BATCH.saturating_add(1)).unwrap_or(words);
            let Branch { board, node, ply } = &mut self.here;
            let before = self.tree.moves();
            let (last, stop) = self.tree.push_line(*node, batch.len().min(BATCH), |moves| {
                board.play_words(self.table, batch, word::BRANCH, moves)
            });
            let done = self.tree.moves().saturating_sub(before);
            *node = last;
            *ply = ply.wrapping_add(done);
            self.offset = self.offset.wrapping_add((done as usize).wrapping_mul(2));
            match stop {
                board::Stop::End if done as usize == BATCH => {}
                board::Stop::End | board::Stop::Unusual => return Ok(()),
                board::Stop::IntoCheck(m) => {
                    return Err(ErrorKind::IllegalMove(m).at(self.place()).into());
                }
            }
        }
    }

    /// Plays the move of a word. Returns `None` if the word is no move that the board allows.
    fn play(&self, found: u16, board: &mut Board) -> Result<Option<Move>, Stop> {
        if let Some(plain) = self.table.plain(found) {
            match board.play_word(plain) {
                Ok(m) => return Ok(Some(m)),
                Err(board::Stop::IntoCheck(m)) => {
                    return Err(ErrorKind::IllegalMove(m).at(self.place()).into());
                }
                Err(_) => {}
            }
        }
        let m = match castling_of(found) {
            Some(Castling { color, side }) => board.castling(color, side),
            None => move_of(found, &board.position(), self.table),
        };
        if let Some(m) = m {
            board.play_unusual(m);
        }
        Ok(m)
    }

    /// Returns what is unusual after the last word.
    fn end(&self) -> Option<(Quirk, Location)> {
        match (self.ended, self.offset < self.moves.len()) {
            (false, _) => Some((Quirk::MissingEnd, self.place())),
            (true, true) => Some((Quirk::EndRubbish, self.place())),
            (true, false) => None,
        }
    }

    /// Returns the reason why a word is not a move.
    #[cold]
    fn refuse(&self, found: u16) -> Stop {
        let position = &self.here.board.position();
        let kind = match (self.table.get(found), castling_of(found)) {
            (Some(named), _) => match self.passed_before(&named, position) {
                Some(square) => return Stop::Passed(square),
                None => ErrorKind::IllegalMove(named.played),
            },
            (None, Some(castling)) => {
                let Castling { color, side } = castling;
                let may_castle = color == position.turn() && may_add(position, castling);
                if may_castle {
                    return Stop::Right(castling);
                }
                let king = position.king(color).unwrap_or(color.king_home());
                let rook = position.castling_rook(color, side);
                ErrorKind::IllegalMove(Move::new(king, rook.unwrap_or(side.corner(color))))
            }
            (None, None) => ErrorKind::Word(found),
        };
        Stop::Error(kind.at(self.place()))
    }

    /// Returns the square that a pawn must have jumped over before the first move, if that makes this
    /// move legal.
    fn passed_before(&self, named: &WordMove, position: &Position) -> Option<Square> {
        let WordMove { played, piece, captured } = *named;
        let (from, to) = (played.from(), played.to());
        let aside = piece.role() == Role::Pawn && captured.is_none() && from.file() != to.file();
        if !aside || self.here.node != ROOT || position.en_passant().is_some() {
            return None;
        }
        let jumped = position.piece_at(to.offset(0, piece.color().backward())?)?;
        let mut start = *position;
        start.set_en_passant(Some(to));
        let stands = jumped == Piece::new(Role::Pawn, !piece.color());
        (stands && is_legal(named, &start)).then_some(to)
    }

    #[cold]
    fn place(&self) -> Location {
        let start = self.at.offset.unwrap_or(0);
        self.at.at(start.saturating_add(self.offset as u64)).after_ply(self.here.ply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<u8> {
        let mut position = vec![Position::start()];
        let mut out = Vec::new();
        let mut before = Position::start();
        for word in text.split(' ') {
            let word = match word {
                "ffff" => {
                    position.pop();
                    word::END
                }
                "fffd" => {
                    position.insert(position.len() - 1, before);
                    word::BRANCH
                }
                "--" => {
                    before = *position.last().unwrap();
                    position.last_mut().unwrap().apply(Move::NULL);
                    word::NULL
                }
                m => {
                    let here = position.last_mut().unwrap();
                    before = *here;
                    let m: Move = m.parse().unwrap();
                    let word = table().word_of(m, here, word::CASTLING).unwrap();
                    here.apply(m);
                    word
                }
            };
            out.extend_from_slice(&word.to_le_bytes());
        }
        out
    }

    fn decode(moves: &[u8]) -> (Tree, Vec<&'static str>, Result<(), Error>) {
        let (mut tree, mut start) = (Tree::default(), Position::start());
        let mut diagnostics = Diagnostics::lenient();
        let at = Location::file("2cbg").at(0);
        let result = decode_moves(
            moves,
            &mut start,
            false,
            &mut tree,
            &mut Vec::new(),
            &mut diagnostics,
            at,
        );
        let names = diagnostics.warnings().iter().map(|warning| warning.name).collect();
        (tree, names, result)
    }

    fn shown(tree: &Tree) -> String {
        let mut text = String::new();
        for step in tree.walk(&mut Vec::new()) {
            match step {
                crate::tree::Step::Move(number) => {
                    text.push_str(&format!("{} ", tree.get(number).unwrap()));
                }
                crate::tree::Step::Start => text.push_str("( "),
                crate::tree::Step::End => text.push_str(") "),
            }
        }
        text
    }

    /// The example of the description.
    const EXAMPLE: &str =
        "e2e4 c7c5 fffd g1f3 d7d6 fffd d2d4 ffff b8c6 f1b5 ffff c7c6 fffd d2d4 ffff g8f6 e4e5 ffff";

    #[test]
    fn decode_moves_example_is_in_stored_order() {
        let (tree, names, result) = decode(&words(EXAMPLE));
        result.unwrap();
        assert!(names.is_empty());
        assert_eq!(
            shown(&tree),
            "e2e4 c7c5 ( c7c6 d2d4 ) ( g8f6 e4e5 ) g1f3 d7d6 ( b8c6 f1b5 ) d2d4 "
        );
    }

    #[test]
    fn decode_moves_truncated_keeps_moves_before() {
        let moves = words(EXAMPLE);
        for length in (0..moves.len()).step_by(2) {
            let (tree, names, result) = decode(&moves[..length]);
            result.unwrap();
            assert_eq!(names, ["cbh2-missing-end"]);
            let marks = moves[..length].chunks(2).filter(|word| word[1] == 0xff).count();
            assert_eq!(tree.moves() as usize, length / 2 - marks);
        }
        let mut longer = moves;
        longer.push(0);
        assert_eq!(decode(&longer).1, ["cbh2-end-rubbish"]);
    }

    #[test]
    fn decode_moves_impossible_words_are_errors() {
        let e4 = words("e2e4");
        for (word, message) in [
            (0xadfb, "the rules do not allow"), // White's g2g4, with Black to move
            (0xb02f, "the rules do not allow"), // captures a queen that is not there
            (0xb12c, "the rules do not allow"), // castling through pieces
            (0xb12a, "the rules do not allow"), // White's castling
            (0xfffb, "is not a move"),
            (0x0000, "is not a move"),
            (0xc02d, "is not a move"),
        ] {
            let mut moves = e4.clone();
            moves.extend_from_slice(&u16::to_le_bytes(word));
            let (tree, _, result) = decode(&moves);
            let error = result.unwrap_err().to_string();
            assert!(error.contains(message), "{word:04x}: {error}");
            assert_eq!(tree.moves(), 1);
        }
        let (_, _, result) = decode(&[&e4[..], &[0xfd, 0xff, 0xfd, 0xff]].concat());
        assert!(result.unwrap_err().to_string().contains("is not a move"));
    }
}
