//! What is not tolerated.

use std::io;

use chess_core::FenError;
use chess_store::{Fact, Location, Warning};

/// What went wrong and where.
pub type Error = chess_store::Error<ErrorKind>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The disk, or what stands for it, failed.
    #[error("{0}")]
    Io(io::Error),
    /// The index does not start with its magic.
    #[error("the index does not start with \"SimpleCDbi\"")]
    NotAnIndex,
    /// A version that was only ever described on paper.
    #[error("version {0} of the format is not supported")]
    Version(u8),
    /// The base has no game of this number.
    #[error("there is no such game: the base has {0}")]
    NoSuchGame(u64),
    /// A quirk, where strictness was asked for.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),

    /// The index entry points outside the games.
    #[error("the index says the game starts at byte {0}, outside the {1} bytes of games")]
    GameOffset(u64, u64),
    /// The file of the games is missing: nothing is known but what the index says.
    #[error("the .dcg with the moves is missing")]
    NoGames,
    /// The record is shorter than its length says.
    #[error("the record should have {0} bytes and has {1}")]
    RecordCut(u64, u64),
    /// A record that takes in those of many other games.
    #[error("the record of {0} bytes takes in those of many games; {1} of them are read")]
    SharedRecord(u64, u64),
    /// The bytes end inside something.
    #[error("the record ends inside {0}")]
    Cut(&'static str),
    /// A length that starts with a byte no length starts with.
    #[error("{0:#04x} does not start a length")]
    Length(u8),
    /// Neither 00 nor 01 where the record says whether a FEN follows.
    #[error("the FEN marker is {0:#04x}, neither 0x00 nor 0x01")]
    FenMarker(u8),
    /// The start position is not one.
    #[error("the start position cannot be read: {0}")]
    Fen(FenError),
    /// A tag this format does not have.
    #[error("{0:#04x} is neither a move nor a known tag")]
    Tag(u8),
    /// A promotion code neither numbering has.
    #[error("{0} is no promotion code")]
    Promotion(u8),
    /// A variation before the first move of its line.
    #[error("a variation starts where there is no move to replace")]
    VariationStart,
    /// The end of a variation that was never started.
    #[error("a variation ends that was never started")]
    VariationEnd,
    /// More text than a game can hold.
    #[error("the comments of the game are too long")]
    TooMuchText,

    /// The game to write is Chess960, which the format does not have.
    #[error("DCG cannot hold Chess960 castling rights")]
    Chess960,
    /// A name too long, where the option says to refuse it.
    #[error("{0} has more than 36 bytes: {1:?}")]
    LongName(&'static str, String),
    /// The record to write is longer than a length can say.
    #[error("the game is too long")]
    GameTooLong,
    /// A base too damaged to add to: what is added would become part of its games.
    #[error("the base must be sound before games are added: {0}")]
    Unsound(&'static str),
    /// A game whose moves would change how the promotions of the base are read.
    #[error("with this game, other promotions of the base would be read as other pieces")]
    OtherPromotions,
    /// Compacted, the base would be read with other promotions.
    #[error(
        "without the deleted games, the promotions of the others would be read as other pieces"
    )]
    LostPromotions,
    /// More names than 32-bit references can point to.
    #[error("the name file is full")]
    NamesFull,
    /// Bases of the old layout take no games; [compacting](chess_store::EditGames::compact) makes them new.
    #[error("the base has the old 35-byte index entries: compact it first")]
    OldLayout,
    /// Flags, of which the format has none.
    #[error("DCG has no flags, so none can be set: {0:?}")]
    Flags(String),
    /// A fact of the base that the format does not keep.
    #[error("DCG keeps the number of a game to show first, and no other fact; not {0}")]
    Fact(Fact),
}

impl ErrorKind {
    /// With the place where it happened.
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
