//! What is not tolerated.

use std::io;

use chess_store::Warning;

/// What went wrong, and where.
pub type Error = chess_store::Error<ErrorKind>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be read or written.
    #[error(transparent)]
    Io(io::Error),
    /// A file the base cannot be read without is not beside the others.
    #[error("the base lacks this file")]
    NoFile,
    /// A file without which no game has moves is not beside the others.
    #[error("the base lacks this file, and its games their moves")]
    NoRecords,
    /// A quirk, where strictness was asked for.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
    /// The base has no game of that number.
    #[error("the base has {0} games")]
    NoSuchGame(u64),
    /// A structure goes on after the end of its file or record.
    #[error("{0} is cut short")]
    Truncated(&'static str),
    /// The file does not carry the mark of its kind.
    #[error("this is not the header of {0}")]
    NotOurs(&'static str),

    /// An inner file of the volume is said to be longer than the volume.
    #[error("an inner file of {length} bytes in a volume of {size}")]
    InnerTooLong {
        /// The length stated.
        length: u64,
        /// The size of the volume.
        size: u64,
    },
    /// A fragment has no bytes: a table of them would have no end.
    #[error("an empty fragment")]
    EmptyFragment,
    /// The fragments have more bytes than their file.
    #[error("the fragments have {0} bytes more than their file")]
    FragmentsTooLong(u64),
    /// A fragment lies outside the volume.
    #[error("a fragment of {length} bytes at {offset} lies outside the volume")]
    FragmentOutside {
        /// Bytes in the fragment.
        length: u32,
        /// Where it is said to begin.
        offset: u32,
    },
    /// Two structures of the volume share bytes.
    #[error("fragments overlap")]
    Overlap,

    /// An id that its table does not have.
    #[error("id {id} in a table of {entries}")]
    IdOutOfRange {
        /// The id.
        id: u64,
        /// How many the table has.
        entries: u64,
    },
    /// Redirects that lead round in a circle, or too far.
    #[error("the redirects from id {0} lead nowhere")]
    IdCycle(u64),

    /// A code whose meaning, and so whose length, is unknown.
    #[error("code {0} is not known")]
    UnknownCode(u8),
    /// A code that only may stand before the first move.
    #[error("a start position after the first move")]
    LateSetup,
    /// Two pieces on one square, or a piece of an unknown type.
    #[error("the start position is not one: {0}")]
    Setup(&'static str),
    /// A piece moves that is not on the board.
    #[error("piece {0} is not on the board")]
    NoPiece(u8),
    /// A move that leads back to its own square.
    #[error("piece {0} moves nowhere")]
    NoStep(u8),
    /// Castling without the king or the rook for it.
    #[error("castling without king and rook")]
    Castling,
    /// A king that takes its own rook; the model would take it for castling.
    #[error("a king takes its own rook")]
    KingTakesRook,
    /// A pawn becomes a piece of an unknown type.
    #[error("a pawn becomes a piece of type {0}")]
    PromotionType(u8),
    /// Branches one in the other, far beyond what anybody writes.
    #[error("more than {} branches stand one in the other", crate::layout::MAX_DEPTH)]
    TooDeep,
    /// More than 4 GiB of comments in one game.
    #[error(transparent)]
    Line(chess_core::LineError),
    /// A record that takes in those of many other games.
    #[error("the record of {0} bytes takes in those of many games; {1} of them are read")]
    SharedRecord(usize, usize),

    /// The start position has more pieces than there are numbers for.
    #[error("the start position has pieces the format has no numbers for")]
    TooManyPieces,
    /// Castling rights with a king or rook away from its usual square.
    #[error("castling rights of Chess960 cannot be stored")]
    Chess960,
    /// The moves alone exceed what a record's length can state.
    #[error("the moves need more than 32767 bytes")]
    RecordTooLong,
    /// More names than ids, or more bytes than a signed 32-bit address reaches.
    #[error("the base is full: {0}")]
    Full(&'static str),
}

chess_store::error_kind! {
    ErrorKind:
    ErrorKind::NoFile,
    ErrorKind::NotOurs(_),
    ErrorKind::InnerTooLong { .. },
    ErrorKind::EmptyFragment,
    ErrorKind::FragmentsTooLong(_),
    ErrorKind::FragmentOutside { .. },
    ErrorKind::Overlap,
    ErrorKind::Full(_),
}

/// What may be [cut short](ErrorKind::Truncated) and then costs only names.
pub(crate) const HEADER: &str = "the header";
pub(crate) const FRAGMENT_TABLE: &str = "a table of fragments";
pub(crate) const NAME: &str = "a name";

#[cfg(test)]
mod tests {
    use super::*;
    use chess_store::{ErrorKind as _, Location, Scope};

    #[test]
    fn scope_and_place() {
        let error = Error::new(ErrorKind::UnknownCode(255), Location::file("d02").at(9).in_game(0));
        assert_eq!(error.to_string(), ".d02, byte 9, game 1: code 255 is not known");
        assert_eq!(error.kind().scope(), Scope::Game);
        assert_eq!(ErrorKind::Overlap.scope(), Scope::Base);
    }
}
