//! Errors: deviations that are not tolerated.

use std::io;

use chess_store::Warning;

/// An error and its location.
pub type Error = chess_store::Error<ErrorKind>;

/// The kind of error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be read or written.
    #[error(transparent)]
    Io(io::Error),
    /// A required file is missing.
    #[error("the base lacks this file")]
    NoFile,
    /// A file is missing without which games have no moves.
    #[error("the base lacks this file, and its games their moves")]
    NoRecords,
    /// A quirk in strict mode.
    #[error("{} [{}]", .0.message, .0.name)]
    Strict(Warning),
    /// The game number is out of range.
    #[error("the base has {0} games")]
    NoSuchGame(u64),
    /// A structure extends beyond the end of its file or record.
    #[error("{0} is cut short")]
    Truncated(&'static str),
    /// The file does not start with its magic.
    #[error("this is not the header of {0}")]
    NotOurs(&'static str),

    /// The stated length of an inner file exceeds the volume.
    #[error("an inner file of {length} bytes in a volume of {size}")]
    InnerTooLong {
        /// The stated length.
        length: u64,
        /// The size of the volume.
        size: u64,
    },
    /// An empty fragment: a table of empty fragments would have no end.
    #[error("an empty fragment")]
    EmptyFragment,
    /// The fragments have more bytes than their file.
    #[error("the fragments have {0} bytes more than their file")]
    FragmentsTooLong(u64),
    /// A fragment lies outside the volume.
    #[error("a fragment of {length} bytes at {offset} lies outside the volume")]
    FragmentOutside {
        /// The size of the fragment.
        length: u32,
        /// Its stated offset.
        offset: u32,
    },
    /// Two structures of the volume overlap.
    #[error("fragments overlap")]
    Overlap,

    /// An id out of the range of its table.
    #[error("id {id} in a table of {entries}")]
    IdOutOfRange {
        /// The id.
        id: u64,
        /// The number of entries of the table.
        entries: u64,
    },
    /// Redirects that form a cycle or a chain that is too long.
    #[error("the redirects from id {0} lead nowhere")]
    IdCycle(u64),

    /// An unknown code, whose length is unknown too.
    #[error("code {0} is not known")]
    UnknownCode(u8),
    /// A code that may occur only before the first move.
    #[error("a start position after the first move")]
    LateSetup,
    /// Two pieces on one square, or a piece of an unknown type.
    #[error("the start position is not one: {0}")]
    Setup(&'static str),
    /// A move of a piece that is not on the board.
    #[error("piece {0} is not on the board")]
    NoPiece(u8),
    /// A move to the piece's own square.
    #[error("piece {0} moves nowhere")]
    NoStep(u8),
    /// Castling without the king or the rook.
    #[error("castling without king and rook")]
    Castling,
    /// A king captures its own rook; the model would take this move for castling.
    #[error("a king takes its own rook")]
    KingTakesRook,
    /// A promotion to an unknown type.
    #[error("a pawn becomes a piece of type {0}")]
    PromotionType(u8),
    /// Branches nested beyond the limit.
    #[error("more than {} branches stand one in the other", crate::layout::MAX_DEPTH)]
    TooDeep,
    /// More than 4 GiB of comments in one game.
    #[error(transparent)]
    Line(chess_core::LineError),
    /// A record that overlaps the records of many other games.
    #[error("the record of {0} bytes takes in those of many games; {1} of them are read")]
    SharedRecord(usize, usize),

    /// The start position has more pieces than numbers.
    #[error("the start position has pieces the format has no numbers for")]
    TooManyPieces,
    /// Castling rights with king or rook off the usual squares.
    #[error("castling rights of Chess960 cannot be stored")]
    Chess960,
    /// The moves alone exceed the largest record length.
    #[error("the moves need more than 32767 bytes")]
    RecordTooLong,
    /// More names than ids, or more bytes than a signed 32-bit address can reach.
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

/// The structures that may be [truncated](ErrorKind::Truncated) at the cost of names only.
pub(crate) const HEADER: &str = "the header";
pub(crate) const FRAGMENT_TABLE: &str = "a table of fragments";
pub(crate) const NAME: &str = "a name";

#[cfg(test)]
mod tests {
    use super::*;
    use chess_store::{ErrorKind as _, Location, Scope};

    #[test]
    fn error_unknown_code_has_game_scope_and_location() {
        let error = Error::new(ErrorKind::UnknownCode(255), Location::file("d02").at(9).in_game(0));
        assert_eq!(error.to_string(), ".d02, byte 9, game 1: code 255 is not known");
        assert_eq!(error.kind().scope(), Scope::Game);
        assert_eq!(ErrorKind::Overlap.scope(), Scope::Base);
    }
}
