//! Errors.

use std::io;

use chess_store::{Location, Warning};

/// An error with its location.
pub type Error = chess_store::Error<ErrorKind>;

/// The kind of an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An I/O error.
    #[error("{0}")]
    Io(io::Error),
    /// The file of headers is too short or has other sizes than the format.
    #[error("this is not a file of game headers: {0}")]
    NotABase(&'static str),
    /// The base has no game with this number.
    #[error("there is no such game: the base has {0}")]
    NoSuchGame(u64),
    /// A quirk in strict mode.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),

    /// The file of moves is missing or empty.
    #[error("its moves are lost: the base has no file of moves, or an empty one")]
    NoMoves,
    /// The header points outside the file of moves.
    #[error("the header says the game starts at byte {0}, outside the {1} bytes of moves")]
    GameOffset(u64, u64),
    /// The record is shorter than its size field.
    #[error("the record should have {0} bytes and has {1}")]
    RecordCut(u64, u64),
    /// The record overlaps the records of many other games.
    #[error("the record of {0} bytes overlaps those of many games; only {1} bytes are read")]
    SharedRecord(u64, u64),
    /// The size field of the record is too small.
    #[error("{0} bytes are too few for a record")]
    RecordSize(u32),
    /// The header describes a game, but the record is a text.
    #[error("the record is a text, not a game")]
    TextRecord,
    /// The start position is truncated.
    #[error("the record ends inside the start position")]
    SetupCut,
    /// The start position has a wrong first byte.
    #[error("a start position cannot begin with {0:#04x}")]
    Setup(u8),
    /// The table of this mode is not known.
    #[error("move encoding mode {0}{game} is not supported", game = game_of_mode(*.0))]
    Mode(u8),
    /// The table of the mode has no known code for this byte.
    #[error("byte {0:#04x} has no known meaning in mode {1}")]
    UnknownByte(u8, u8),
    /// The code has no meaning.
    #[error("{0} is not a move code")]
    Code(u8),
    /// The code moves a piece that is not on the board.
    #[error("code {0} is for a piece that is not on the board")]
    NoPiece(u8),
    /// A record of a `.2cbg` does not begin as one.
    #[error("the record is not valid: {0}")]
    Frame(&'static str),
    /// The first word of a `.2cbg` record announces neither a start position nor moves.
    #[error("the moves cannot begin with the word {0:#06x}")]
    FirstWord(u16),
    /// The words of a start position have no meaning.
    #[error("the start position has words without a meaning")]
    StartWords,
    /// The word is not a move.
    #[error("the word {0:#06x} is not a move")]
    Word(u16),
    /// A two-byte word is truncated.
    #[error("the record ends inside a move of two bytes")]
    WordCut,
    /// The move is illegal.
    #[error("the rules do not allow {0}")]
    IllegalMove(chess_core::Move),
    /// More open variations than any real game has.
    #[error("more than {0} variations are open at once")]
    TooDeep(usize),
    /// The comments exceed the capacity of a game.
    #[error("the comments of the game are too long")]
    TooMuchText,
    /// The annotations are damaged.
    #[error("the annotations are damaged: {0}")]
    Annotations(&'static str),

    /// The file is not an archive.
    #[error("this is not an archive: {0}")]
    NotAnArchive(&'static str),
    /// The archive is encrypted and no password was given.
    #[error(
        "the file is not an archive, or it is encrypted; give its password with the option password"
    )]
    NeedsPassword,
    /// Archives are not written encrypted.
    #[error("archives are not written encrypted; name it .cbv")]
    NotEncrypted,
    /// The password does not decrypt the archive.
    #[error("the password is wrong, or the archive is damaged")]
    WrongPassword,
    /// A block or the directory of an archive is damaged.
    #[error("the archive is damaged: {0}")]
    Archive(&'static str),
    /// The base in the archive unpacks to more than the limit.
    #[error("the archive unpacks to more than {0} bytes; if you trust it, allow more")]
    TooBig(u64),
    /// The archive contains no base.
    #[error("the archive contains no .cbh file")]
    NoBaseInside,

    /// A name is too long, and the options refuse such games.
    #[error("{0} has more than {1} bytes: {2:?}")]
    LongName(&'static str, usize, String),
    /// A text does not fit the container of its entity, and the options refuse such games.
    #[error("{0} has more than {1} bytes: {2:?}")]
    LongText(String, usize, String),
    /// The record exceeds the range of its size field.
    #[error("the game is too long: a record has at most 16,777,215 bytes")]
    GameTooLong,
    /// The start position has more pieces than its field can hold.
    #[error("the start position has {0} pieces; the format holds 32")]
    TooManyPieces(u32),
    /// The start position has a pawn on the first or last rank, for which there is no word.
    #[error("the start position has a pawn on the first or last rank")]
    PawnPlace,
    /// The base cannot number more games or names.
    #[error("the base is full: {0}")]
    Full(&'static str),
}

/// Returns what games a mode without a known table is for.
// cbh §4.3 "Modes"
const fn game_of_mode(mode: u8) -> &'static str {
    match mode {
        8 | 9 => " (losing chess)",
        11 => " (Chess960)",
        12..=19 => " (another variant)",
        _ => "",
    }
}

impl ErrorKind {
    /// Adds the location.
    #[cold]
    pub(crate) fn at(self, location: Location) -> Error {
        Error::new(self, location)
    }
}

chess_store::error_kind! {
    ErrorKind [
        unsupported: ErrorKind::NeedsPassword,
        ErrorKind::WrongPassword,
        ErrorKind::TooBig(_),
    ]:
    ErrorKind::NotABase(_),
    ErrorKind::NotAnArchive(_),
    ErrorKind::NeedsPassword,
    ErrorKind::NotEncrypted,
    ErrorKind::WrongPassword,
    ErrorKind::Archive(_),
    ErrorKind::TooBig(_),
    ErrorKind::NoBaseInside,
    ErrorKind::Full(_),
}
