//! Reading and writing Forsyth-Edwards Notation.
//!
//! PGN standard §16.1 "FEN"; castling of Chess960 as X-FEN (`KQkq` mean the outermost rook) or
//! Shredder-FEN (the rook's file letter).

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::fmt::Write as _;
use core::str::FromStr;

use crate::castling::CastlingSide;
use crate::piece::{Color, Piece};
use crate::position::Position;
use crate::square::Square;

/// The error for a text that is not a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// A rank does not have eight squares.
    #[error("rank {0} of the FEN does not have eight squares")]
    RankLength(u8),
    /// The board does not have eight ranks. The count stops at 255.
    #[error("the FEN has {0} ranks, not eight")]
    RankCount(u8),
    /// A character is not a piece, a digit or a slash.
    #[error("{0:?} does not belong in the board of a FEN")]
    Character(char),
    /// The side to move is not `w` or `b`.
    #[error("the side to move of a FEN is w or b")]
    Turn,
}

impl Position {
    /// Parses a FEN of one to six fields.
    ///
    /// The board must be complete. The other fields may be missing; their default is `w - - 0 1`.
    /// The parser ignores castling rights without a king and rook to use them, and en passant
    /// squares on a wrong rank. It also ignores counters that are not numbers up to 65535, check
    /// counts (`3+3`) and fields after the sixth. Move number 0 is read as 1.
    ///
    /// `KQkq` is read as in X-FEN, even if the king is not on the e-file. Code that reads a game
    /// must call [`Game::drop_stray_castling`](crate::Game::drop_stray_castling).
    ///
    /// # Errors
    /// [`FenError`] for a board that is not eight ranks of eight squares, or a turn that is
    /// neither `w` nor `b`.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let mut position = Position::empty();
        parse_board(fields.next().unwrap_or_default(), &mut position)?;
        match fields.next() {
            None | Some("w" | "W") => {}
            Some("b" | "B") => position.set_turn(Color::Black),
            Some(_) => return Err(FenError::Turn),
        }
        parse_castling(fields.next().unwrap_or("-"), &mut position);
        let passing = fields.next().and_then(|field| field.parse::<Square>().ok());
        let rank = position.turn().en_passant_rank();
        position.set_en_passant(passing.filter(|square| square.rank() == rank));
        let mut fields = fields.filter(|field| !is_check_count(field));
        let mut counter =
            |default| fields.next().and_then(|field| field.parse::<u16>().ok()).unwrap_or(default);
        let halfmoves = counter(0);
        let fullmove = counter(1);
        position.set_clocks(halfmoves, fullmove);
        Ok(position)
    }

    /// Formats this position as a FEN of six fields.
    #[must_use]
    pub fn to_fen(&self) -> String {
        let mut fen = String::with_capacity(72);
        let _ = write!(fen, "{self}");
        fen
    }

    /// Returns an adapter that formats this position as a FEN without allocating.
    #[must_use]
    pub fn fen(&self) -> impl fmt::Display + '_ {
        self
    }
}

/// Parses the start position of a game. For a FEN of Crazyhouse or Bughouse this is the board
/// without the pieces in hand and without the marks of promoted pieces.
pub(crate) fn position_of_game(fen: &str) -> Result<Position, FenError> {
    match without_pocket(fen) {
        Cow::Borrowed(fen) => Position::from_fen(fen),
        // An error refers to the original text.
        Cow::Owned(plain) => Position::from_fen(&plain)
            .map_err(|error| Position::from_fen(fen).err().unwrap_or(error)),
    }
}

fn without_pocket(fen: &str) -> Cow<'_, str> {
    let fen = fen.trim_ascii_start();
    let (board, rest) =
        fen.split_at(fen.find(|c: char| c.is_ascii_whitespace()).unwrap_or(fen.len()));
    if !board.contains(['[', '~']) && pocket_rank(board).is_none() {
        return Cow::Borrowed(fen);
    }
    let squares = board.split('[').next().unwrap_or_default();
    let squares = match pocket_rank(squares) {
        Some(pocket) => squares.get(..pocket).unwrap_or_default(),
        None => squares,
    };
    let mut plain: String = squares.chars().filter(|letter| *letter != '~').collect();
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Returns the start of a ninth rank, which holds the pieces in hand: `.../RNBQKBNR/Qp`.
pub(crate) fn pocket_rank(board: &str) -> Option<usize> {
    let (slash, _) = board.match_indices('/').nth(7)?;
    let pocket = board.get(slash.saturating_add(1)..)?;
    pocket.chars().all(|letter| Piece::from_letter(letter).is_some()).then_some(slash)
}

/// Returns whether a field counts checks, as in Three-check: `3+3` for the remaining checks, `+0+2`
/// for the checks given.
pub(crate) fn is_check_count(field: &str) -> bool {
    let field = field.strip_prefix('+').unwrap_or(field);
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    field.split_once('+').is_some_and(|(white, black)| number(white) && number(black))
}

fn parse_board(board: &str, position: &mut Position) -> Result<(), FenError> {
    let board = board.strip_suffix('/').unwrap_or(board);
    for (rank, text) in (0..8).rev().zip(board.split('/')) {
        parse_rank(rank, text, position)?;
    }
    match board.split('/').count() {
        8 => Ok(()),
        count => Err(FenError::RankCount(u8::try_from(count).unwrap_or(u8::MAX))),
    }
}

fn parse_rank(rank: u8, text: &str, position: &mut Position) -> Result<(), FenError> {
    // The exact file past the eighth one does not matter.
    let mut file = 0u8;
    for letter in text.chars() {
        if let Some(piece) = Piece::from_letter(letter) {
            if let Some(square) = Square::at(file, rank) {
                position.set(square, Some(piece));
            }
            file = file.saturating_add(1);
        } else {
            match letter {
                '1'..='8' => file = file.saturating_add(letter as u8 & 15),
                _ => return Err(FenError::Character(letter)),
            }
        }
    }
    if file == 8 { Ok(()) } else { Err(FenError::RankLength(rank.saturating_add(1))) }
}

fn parse_castling(field: &str, position: &mut Position) {
    for letter in field.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match letter.to_ascii_lowercase() {
            'k' => position.outermost_rook(color, CastlingSide::King),
            'q' => position.outermost_rook(color, CastlingSide::Queen),
            file @ 'a'..='h' => Square::at((file as u8).wrapping_sub(b'a'), color.back_rank())
                .filter(|square| position.color(color).contains(*square)),
            _ => None,
        };
        if let Some(rook) = rook
            && position.king(color).is_some()
        {
            position.allow_castling(rook);
        }
    }
}

impl fmt::Display for Position {
    /// Formats a FEN of six fields.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            write_rank(self, rank, f)?;
            if rank > 0 {
                f.write_char('/')?;
            }
        }
        f.write_str(if self.turn() == Color::White { " w " } else { " b " })?;
        write_castling(self, f)?;
        match self.en_passant() {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmove_clock(), self.fullmove_number())
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// Parses like [`Position::from_fen`].
    fn from_str(fen: &str) -> Result<Position, FenError> {
        Position::from_fen(fen)
    }
}

fn write_rank(position: &Position, rank: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut empty = 0u8;
    for square in (0..8).filter_map(|file| Square::at(file, rank)) {
        match position.piece_at(square) {
            Some(piece) => {
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                f.write_char(piece.letter())?;
            }
            None => empty = empty.saturating_add(1),
        }
    }
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}

fn write_castling(position: &Position, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut none = true;
    for color in Color::ALL {
        for (side, plain) in [(CastlingSide::King, 'K'), (CastlingSide::Queen, 'Q')] {
            let Some(rook) = position.castling_rook(color, side) else { continue };
            none = false;
            let letter = if position.outermost_rook(color, side) == Some(rook) {
                plain
            } else {
                char::from(b'A'.wrapping_add(rook.file()))
            };
            f.write_char(match color {
                Color::White => letter,
                Color::Black => letter.to_ascii_lowercase(),
            })?;
        }
    }
    if none { f.write_char('-') } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_fen_parses_back() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            // Chess960: inner rooks are given by file, outermost ones as K and Q.
            "rr2k2r/8/8/8/8/8/8/RR2K1RR w GBkq - 0 1",
            // Unusual positions: no kings, two kings, ten queens, pawns on the first and last rank.
            "8/8/8/3q4/8/8/8/8 b - - 0 1",
            "4k1k1/8/8/8/8/8/8/K6K w - - 0 1",
            "qqqqqqqq/qq6/8/8/8/8/8/k1K5 b - - 99 65535",
            "pppppppp/8/8/8/8/8/8/PPPPPPPP w - - 0 1",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().to_fen(), fen);
        }
    }

    #[test]
    fn start_position_equals_its_fen() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(Position::from_fen(fen).unwrap(), Position::start());
    }

    #[test]
    fn from_fen_missing_or_impossible_fields_are_ignored() {
        for (fen, read) in [
            ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 b KQkq", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha -", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - e4 x y", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 5 9 and more", "4k3/8/8/8/8/8/8/4K3 w - e6 5 9"),
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().to_fen(), read, "{fen}");
        }
    }

    #[test]
    fn from_fen_without_board_is_error() {
        for (fen, error) in [
            ("", FenError::RankLength(8)),
            ("8/8/8/8/8/8/8", FenError::RankCount(7)),
            ("8/8/8/8/8/8/8/8/8 w", FenError::RankCount(9)),
            ("8/8/8/7/8/8/8/8 w", FenError::RankLength(5)),
            ("8/8/8/45/8/8/8/8 w", FenError::RankLength(5)),
            ("8/8/8/3x4/8/8/8/8 w", FenError::Character('x')),
            ("8/8/8/8/8/8/8/9 w", FenError::Character('9')),
            ("8/8/8/8/8/8/8/8 white", FenError::Turn),
        ] {
            assert_eq!(Position::from_fen(fen), Err(error), "{fen}");
        }
    }
}
