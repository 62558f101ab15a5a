//! What is not tolerated.

use std::io;

use chess_core::{FenError, Move, Role};
use chess_store::io::ReadAt;
use chess_store::{Fact, Location, Warning};

/// What went wrong and where.
pub type Error = chess_store::Error<ErrorKind>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be read or written.
    #[error("{0}")]
    Io(io::Error),
    /// The name of the file is none of a Scid base.
    #[error("the name ends in none of .si3, .si4, .si5 or their companions")]
    Extension,
    /// The index does not begin as one.
    #[error("this is no Scid index: it does not begin with \"Scid.si\"")]
    IndexMagic,
    /// The index is too short for its header.
    #[error("the index ends within its header")]
    IndexHeader,
    /// A version nobody reads.
    #[error("version {0} is not supported; 300 to 400 are")]
    Version(u16),
    /// The game's number is beyond the base.
    #[error("there is no such game; the base has {0}")]
    NoSuchGame(u64),
    /// The header counts a game whose entry the index does not have.
    #[error("the header counts {declared} games, but the index ends after {entries}")]
    NoEntry {
        /// Games by the header.
        declared: u64,
        /// Whole entries.
        entries: u64,
    },
    /// A record of no bytes.
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
    /// A record that takes in those of many other games.
    #[error("the record of {length} bytes takes in those of many games; {read} of them are read")]
    SharedRecord {
        /// Length of the record.
        length: u32,
        /// How many bytes were read.
        read: u64,
    },
    /// The record ends within its tags, flags or start position.
    #[error("the record ends within its {0}")]
    RecordEnds(&'static str),
    /// The start position is none.
    #[error("the start position cannot be read: {0}")]
    Fen(FenError),
    /// A side has more pieces than there are numbers for.
    #[error("a side has more than 16 pieces")]
    TooManyPieces,
    /// A byte of the stream is no move.
    #[error("byte {byte:#04x} is no move: {reason}")]
    Move {
        /// The byte.
        byte: u8,
        /// Why not.
        reason: MoveReason,
    },
    /// The stream ends without its end marker.
    #[error("the moves end without an end marker")]
    NoEnd,
    /// A variation starts where there is no move to replace.
    #[error("a variation starts where there is no move to replace")]
    NothingToReplace,
    /// A variation ends that was never started.
    #[error("a variation ends that was never started")]
    NotOpen,
    /// The game ends inside a variation.
    #[error("the game ends inside a variation")]
    Unclosed,
    /// There are fewer comments than markers for them.
    #[error("there is no comment for this marker")]
    NoComment,
    /// More text than a game can hold.
    #[error("more than 4 GiB of text")]
    TooMuchText,
    /// More names than a list can hold.
    #[error("more than 4 GiB of names")]
    NamesTooLong,
    /// Castling of Chess960, which only version 5 has.
    #[error("Chess960 castling has no place in this version; version 5 has one")]
    Chess960,
    /// A move that has no code.
    #[error("move {0} has no code")]
    NoMoveCode(Move),
    /// A record longer than the format takes.
    #[error("the record would have {0} bytes; {1} are the most")]
    RecordTooLong(usize, usize),
    /// The base is full of games.
    #[error("the base is full: it has {0} games")]
    TooManyGames(u64),
    /// The base is full of names.
    #[error("the base is full: it has {0} names of this kind")]
    TooManyNames(u32),
    /// The games file has reached the size that offsets can tell.
    #[error("the base is full: offsets tell no more than {0} bytes")]
    TooManyBytes(u64),
    /// Version 3 is only read.
    #[error("version 3 is read, not written")]
    ReadOnly,
    /// A letter that is no flag.
    #[error("{0:?} is no flag; flags are WBMENPTKQ!?U123456")]
    Flag(char),
    /// A fact of the base that this version does not hold whole.
    #[error("this base cannot hold that as its {0}")]
    Fact(Fact),
    /// A text that is too long for its field, or has letters that the encoding of the base lacks.
    #[error("this base cannot hold that as its {0}; the field takes {1} bytes of text")]
    FactText(Fact, usize),
    /// A base too damaged to change in place.
    #[error("the base must be sound before it can be changed: {0}")]
    Unsound(&'static str),
    /// A quirk, met when strict.
    #[error("{}", .0.message)]
    Strict(Warning),
}

/// Why a byte is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveReason {
    /// The side to move has fewer pieces.
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
    /// The second byte of a queen's move is missing or no square.
    #[error("the second byte is no square")]
    SecondByte,
    /// No rook to castle with.
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

/// The size of a file of the base.
pub(crate) fn size<R: ReadAt + ?Sized>(file: &R, name: &'static str) -> Result<u64, Error> {
    file.size().map_err(Error::io(Location::file(name)))
}
