//! Errors: deviations that are not tolerated.

use std::io;

use chess_core::FenError;
use chess_store::{Fact, Location, UnsupportedVariant, Warning};

/// An error and its location.
pub type Error = chess_store::Error<ErrorKind>;

/// The kind of error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An I/O error.
    #[error("{0}")]
    Io(io::Error),
    /// The index does not start with the magic bytes.
    #[error("the index does not start with \"SimpleCDbi\"")]
    NotAnIndex,
    /// A version that exists only in the description.
    #[error("version {0} of the format is not supported")]
    Version(u8),
    /// The game number is out of range.
    #[error("there is no such game: the base has {0}")]
    NoSuchGame(u64),
    /// A quirk in strict mode.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),

    /// The index entry points outside the games file.
    #[error("the index says the game starts at byte {0}, outside the {1} bytes of games")]
    GameOffset(u64, u64),
    /// The games file is missing: only the index is known.
    #[error("the .dcg with the moves is missing")]
    NoGames,
    /// The record is shorter than its stated length.
    #[error("the record should have {0} bytes and has {1}")]
    RecordCut(u64, u64),
    /// A record that overlaps the records of many other games.
    #[error("the record of {0} bytes takes in those of many games; {1} of them are read")]
    SharedRecord(u64, u64),
    /// The bytes end within a structure.
    #[error("the record ends inside {0}")]
    Cut(&'static str),
    /// An invalid first byte of a length.
    #[error("{0:#04x} does not start a length")]
    Length(u8),
    /// The FEN marker is neither 00 nor 01.
    #[error("the FEN marker is {0:#04x}, neither 0x00 nor 0x01")]
    FenMarker(u8),
    /// The start position is invalid.
    #[error("the start position cannot be read: {0}")]
    Fen(FenError),
    /// The game is of another variant.
    #[error(transparent)]
    Variant(#[from] UnsupportedVariant),
    /// An unknown tag.
    #[error("{0:#04x} is neither a move nor a known tag")]
    Tag(u8),
    /// A promotion code that neither numbering has.
    #[error("{0} is no promotion code")]
    Promotion(u8),
    /// A variation before the first move of its line.
    #[error("a variation starts where there is no move to replace")]
    VariationStart,
    /// A variation ends that never started.
    #[error("a variation ends that was never started")]
    VariationEnd,
    /// More text than a [`Game`](chess_core::Game) can hold.
    #[error("the comments of the game are too long")]
    TooMuchText,

    /// The game is Chess960, which the format does not support.
    #[error("DCG cannot hold Chess960 castling rights")]
    Chess960,
    /// The name is too long, and the options refuse long names.
    #[error("{0} has more than 36 bytes: {1:?}")]
    LongName(&'static str, String),
    /// The record is longer than a length can express.
    #[error("the game is too long")]
    GameTooLong,
    /// The base is too damaged to append to: new data would become part of its games.
    #[error("the base must be sound before it can be changed: {0}")]
    Unsound(&'static str),
    /// The game would change how the promotions of the base are read.
    #[error("with this game, other promotions of the base would be read as other pieces")]
    OtherPromotions,
    /// After compacting, the promotions would be read differently.
    #[error(
        "without the deleted games, the promotions of the others would be read as other pieces"
    )]
    LostPromotions,
    /// More names than 32-bit references can address.
    #[error("the name file is full")]
    NamesFull,
    /// Bases of the old layout accept no games. [Compacting](crate::Editor::compact)
    /// converts them to the current layout.
    #[error("the base has the old 35-byte index entries: compact it first")]
    OldLayout,
    /// The format has no flags.
    #[error("DCG has no flags, so none can be set: {0:?}")]
    Flags(String),
    /// The format does not store this fact.
    #[error("DCG keeps the number of a game to show first, and no other fact; not {0}")]
    Fact(Fact),
}

impl ErrorKind {
    /// Adds a location.
    #[cold]
    pub(crate) fn at(self, location: Location) -> Error {
        Error::new(self, location)
    }
}

chess_store::error_kind! {
    ErrorKind [unsupported: ErrorKind::Version(_)]:
    ErrorKind::NotAnIndex,
    ErrorKind::Version(_),
    ErrorKind::NamesFull,
    ErrorKind::Unsound(_),
    ErrorKind::LostPromotions,
    ErrorKind::OldLayout,
}
