//! Errors: deviations that are not tolerated.

use std::io;

use chess_core::{FenError, Move, Role};
use chess_store::io::ReadAt;
use chess_store::{Fact, Location, UnsupportedVariant, Warning};

/// An error and its location.
pub type Error = chess_store::Error<ErrorKind>;

/// The kind of error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be read or written.
    #[error("{0}")]
    Io(io::Error),
    /// The file name is not one of a Scid base.
    #[error("the name ends in none of .si3, .si4, .si5 or their companions")]
    Extension,
    /// The index does not start with the magic bytes.
    #[error("this is no Scid index: it does not begin with \"Scid.si\"")]
    IndexMagic,
    /// The index is too short for its header.
    #[error("the index ends within its header")]
    IndexHeader,
    /// An unsupported version.
    #[error("version {0} is not supported; 300 to 400 are")]
    Version(u16),
    /// The game number is out of range.
    #[error("there is no such game; the base has {0}")]
    NoSuchGame(u64),
    /// The header counts a game that has no index entry.
    #[error("the header counts {declared} games, but the index ends after {entries}")]
    NoEntry {
        /// The number of games in the header.
        declared: u64,
        /// The number of whole entries.
        entries: u64,
    },
    /// An empty record.
    #[error("the record has length 0")]
    EmptyRecord,
    /// A record reaches beyond the games file.
    #[error("the record of {length} bytes ends beyond the file of {size} bytes")]
    RecordBeyondFile {
        /// Length of the record.
        length: u32,
        /// Size of the games file.
        size: u64,
    },
    /// A record that overlaps the records of many other games.
    #[error("the record of {length} bytes takes in those of many games; {read} of them are read")]
    SharedRecord {
        /// Length of the record.
        length: u32,
        /// The number of bytes read.
        read: u64,
    },
    /// The record ends within its tags, flags or start position.
    #[error("the record ends within its {0}")]
    RecordEnds(&'static str),
    /// The start position is invalid.
    #[error("the start position cannot be read: {0}")]
    Fen(FenError),
    /// The game is of another variant.
    #[error(transparent)]
    Variant(#[from] UnsupportedVariant),
    /// A side has more than 16 pieces.
    #[error("a side has more than 16 pieces")]
    TooManyPieces,
    /// A stream byte is not a valid move.
    #[error("byte {byte:#04x} is no move: {reason}")]
    Move {
        /// The byte.
        byte: u8,
        /// The reason.
        reason: MoveReason,
    },
    /// The stream ends without its end marker.
    #[error("the moves end without an end marker")]
    NoEnd,
    /// A variation starts before the first move of its line.
    #[error("a variation starts where there is no move to replace")]
    NothingToReplace,
    /// A variation ends that never started.
    #[error("a variation ends that was never started")]
    NotOpen,
    /// The game ends inside a variation.
    #[error("the game ends inside a variation")]
    Unclosed,
    /// The record has fewer comments than comment markers.
    #[error("there is no comment for this marker")]
    NoComment,
    /// More text than a [`Game`](chess_core::Game) can hold.
    #[error("more than 4 GiB of text")]
    TooMuchText,
    /// More names than a name list can hold.
    #[error("more than 4 GiB of names")]
    NamesTooLong,
    /// Chess960 castling, which only version 5 supports.
    #[error("Chess960 castling cannot be stored in this version; version 5 can store it")]
    Chess960,
    /// An illegal move that has no code.
    #[error("the rules do not allow move {0}, and it has no code")]
    NoMoveCode(Move),
    /// The record is longer than the format allows.
    #[error("the record would have {0} bytes; {1} are the most")]
    RecordTooLong(usize, usize),
    /// The base has the largest number of games.
    #[error("the base is full: it has {0} games")]
    TooManyGames(u64),
    /// The base has the largest number of names.
    #[error("the base is full: it has {0} names of this kind")]
    TooManyNames(u32),
    /// The games file has reached the largest offset.
    #[error("the base is full: offsets cannot exceed {0} bytes")]
    TooManyBytes(u64),
    /// Version 3 is read-only.
    #[error("version 3 can be read but not written")]
    ReadOnly,
    /// An unknown flag letter.
    #[error("{0:?} is not a flag; the flags are WBMENPTKQ!?U123456")]
    Flag(char),
    /// A fact that this version cannot store completely.
    #[error("this base cannot hold that as its {0}")]
    Fact(Fact),
    /// A text too long for its field, or with characters that the base's encoding lacks.
    #[error("this base cannot hold that as its {0}; the field takes {1} bytes of text")]
    FactText(Fact, usize),
    /// The base is too damaged to edit in place.
    #[error("the base must be sound before it can be changed: {0}")]
    Unsound(&'static str),
    /// A quirk in strict mode.
    #[error("{}", .0.message)]
    Strict(Warning),
}

/// Why a stream byte is not a valid move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveReason {
    /// The side to move has no piece of this number.
    #[error("the side to move has no piece number {0}")]
    NoPiece(u8),
    /// The role has no such move code.
    #[error("code {1} means nothing for a {0:?}")]
    Code(Role, u8),
    /// The target is off the board.
    #[error("it leads off the board")]
    OffBoard,
    /// The target is where the piece stands.
    #[error("it leads nowhere")]
    OwnSquare,
    /// The target holds a king.
    #[error("it takes a king")]
    TakesKing,
    /// A king goes onto its own rook without castling.
    #[error("the king takes its own rook")]
    TakesOwnRook,
    /// The second byte of a queen's move is missing or not a square.
    #[error("the second byte is no square")]
    SecondByte,
    /// There is no rook to castle with.
    #[error("there is no rook to castle with")]
    NoRook,
    /// King or rook would castle onto another piece.
    #[error("castling ends on an occupied square")]
    CastlingBlocked,
}

chess_store::error_kind! {
    ErrorKind [unsupported: ErrorKind::Version(_)]:
    ErrorKind::Extension,
    ErrorKind::IndexMagic,
    ErrorKind::IndexHeader,
    ErrorKind::Version(_),
    ErrorKind::NamesTooLong,
    ErrorKind::ReadOnly,
    ErrorKind::Fact(_),
    ErrorKind::FactText(..),
    ErrorKind::Unsound(_),
}

/// Returns the size of a file of the base.
pub(crate) fn size<R: ReadAt + ?Sized>(file: &R, name: &'static str) -> Result<u64, Error> {
    file.size().map_err(Error::io(Location::file(name)))
}
