//! What is not tolerated.

use std::io;

use chess_store::{Location, Warning};

/// What went wrong and where.
pub type Error = chess_store::Error<ErrorKind>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The disk, or what stands for it, failed.
    #[error("{0}")]
    Io(io::Error),
    /// The file of headers is too short, or says other sizes than the format has.
    #[error("this is not a file of game headers: {0}")]
    NotABase(&'static str),
    /// The base has no game of this number.
    #[error("there is no such game: the base has {0}")]
    NoSuchGame(u64),
    /// A quirk, where strictness was asked for.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),

    /// There is no file of moves, or it is empty.
    #[error("its moves are lost: the .cbg file of the base is missing or empty")]
    NoMoves,
    /// The header points outside the moves.
    #[error("the header says the game starts at byte {0}, outside the {1} bytes of moves")]
    GameOffset(u64, u64),
    /// The record is shorter than its length says.
    #[error("the record should have {0} bytes and has {1}")]
    RecordCut(u64, u64),
    /// A record that takes in those of many other games.
    #[error("the record of {0} bytes takes in those of many games; {1} of them are read")]
    SharedRecord(u64, u64),
    /// The record is too short to be one, or says so itself.
    #[error("{0} bytes are too few for a record")]
    RecordSize(u32),
    /// The header speaks of a game and the record is a text.
    #[error("the record is a text, not a game")]
    TextRecord,
    /// The start position is cut.
    #[error("the record ends inside the start position")]
    SetupCut,
    /// The start position does not begin as one.
    #[error("{0:#04x} does not begin a start position")]
    Setup(u8),
    /// A mode whose table nobody has published.
    #[error("moves written in mode {0} cannot be read")]
    Mode(u8),
    /// A byte the table of the mode does not have, as far as it is known.
    #[error("what {0:#04x} means here in mode {1} is not known")]
    UnknownByte(u8, u8),
    /// A code without meaning.
    #[error("{0} is no code of a move")]
    Code(u8),
    /// The code is for a piece that is not on the board.
    #[error("code {0} is for a piece that is not on the board")]
    NoPiece(u8),
    /// A word of two bytes is cut.
    #[error("the record ends inside a move of two bytes")]
    WordCut,
    /// The rules do not allow the move.
    #[error("the rules do not allow {0}")]
    IllegalMove(chess_core::Move),
    /// More positions to come back to than any game has.
    #[error("more than {0} variations are open at once")]
    TooDeep(usize),
    /// More text than a game can hold.
    #[error("the comments of the game are too long")]
    TooMuchText,
    /// The annotations cannot be read.
    #[error("the annotations are damaged: {0}")]
    Annotations(&'static str),

    /// An archive is not one.
    #[error("this is not an archive: {0}")]
    NotAnArchive(&'static str),
    /// An archive that is encrypted.
    #[error("this is no archive, or an encrypted one: its password is needed (option password)")]
    NeedsPassword,
    /// An archive to be written is named as an encrypted one.
    #[error("archives are not written encrypted; name it .cbv")]
    NotEncrypted,
    /// The password does not open the archive.
    #[error("the password is wrong, or the archive is damaged")]
    WrongPassword,
    /// A block of an archive is damaged.
    #[error("the archive is damaged: {0}")]
    Archive(&'static str),
    /// An archive without a base in it.
    #[error("there is no file of game headers in the archive")]
    NoBaseInside,

    /// A name too long, where the option says to refuse it.
    #[error("{0} has more than {1} bytes: {2:?}")]
    LongName(&'static str, usize, String),
    /// The record to write is longer than a length can say.
    #[error("the game is too long: a record has at most 16,777,215 bytes")]
    GameTooLong,
    /// More games or names than a header can number.
    #[error("the base is full: {0}")]
    Full(&'static str),
}

impl ErrorKind {
    /// With the place where it happened.
    #[cold]
    pub(crate) fn at(self, location: Location) -> Error {
        Error::new(self, location)
    }
}

chess_store::error_kind! {
    ErrorKind [unsupported: ErrorKind::NeedsPassword, ErrorKind::WrongPassword]:
    ErrorKind::NotABase(_),
    ErrorKind::NotAnArchive(_),
    ErrorKind::NeedsPassword,
    ErrorKind::NotEncrypted,
    ErrorKind::WrongPassword,
    ErrorKind::Archive(_),
    ErrorKind::NoBaseInside,
    ErrorKind::Full(_),
}
