//! What is tolerated, with a word.

use crate::error::ErrorKind;

/// A deviation from the format that is read all the same when lenient.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Quirk {
    /// The CDP is missing or too short.
    NoDescription,
    /// A version text names another version than 1.3 (CDP) or 1.1 (EMB).
    OtherVersion,
    /// The CDP and the D00 count the games differently; the D00 is believed.
    GameCount,
    /// The D00 ends within a header.
    PartialHeader,
    /// The EMB is missing or unreadable: every name is unknown.
    NoNames,
    /// A table of the EMB is missing or unreadable: its names are unknown.
    NoTable,
    /// An entry of the root folder does not begin with 0 and 2, or is cut short.
    FolderEntry,
    /// Two inner files share bytes of the EMB.
    SharedBytes,
    /// A name is in a table that could not be read.
    NoName,
    /// The EMB has not the header of one.
    VolumeHeader,
    /// A table of fragments goes on after the end of the EMB.
    TableCut,
    /// An inner file is said to be longer than its volume.
    InnerLength,
    /// A fragment is empty.
    EmptyFragment,
    /// Fragments have more bytes than their file.
    FragmentLength,
    /// A fragment lies outside the EMB.
    FragmentOutside,
    /// Fragments of a file overlap, or all files together are longer than the volume.
    FragmentOverlap,
    /// The id of a name, or one it leads to, is out of range; the name is unknown.
    NameRange,
    /// The redirects of a name lead nowhere; the name is unknown.
    NameCycle,
    /// The record of a name is cut short; the name is unknown.
    NameCut,
    /// A date that is none.
    Date,
    /// An outcome that is not 1 to 16.
    Outcome,
    /// An ECO code above E99 other than the 500 that stands for none.
    Eco,
    /// The legality of the first games shows that files are counted towards a.
    FilesCountedLeft,
    /// The record's length reads as three bytes.
    LongLength,
    /// A branch without a move it could replace; it is attached to the last move.
    BranchWithoutMove,
    /// The end of a branch that never began.
    StrayBranchEnd,
    /// A branch that does not end.
    OpenBranch,
    /// A capture en passant without its marker, or the marker before another move.
    EnPassantMarker,
    /// A piece takes one of its own side.
    OwnPieceTaken,
    /// A pawn's code moves another piece, or an extended code a pawn.
    PieceKind,
    /// Castling by a king that is not on its usual square.
    CastlingSquare,
    /// The en passant square of a start position is on the wrong rank.
    EnPassantSquare,
    /// A castling right of a start position without king and rook for it.
    CastlingRight,
    /// A comment without even a type.
    EmptyComment,
}

impl Quirk {
    /// What a failure to read the volume or a name is called when it costs only names.
    pub(crate) fn of_names(cause: &ErrorKind) -> Quirk {
        match cause {
            ErrorKind::NotOurs(_) | ErrorKind::Truncated("the header") => Quirk::VolumeHeader,
            ErrorKind::InnerTooLong { .. } => Quirk::InnerLength,
            ErrorKind::EmptyFragment => Quirk::EmptyFragment,
            ErrorKind::FragmentsTooLong(_) => Quirk::FragmentLength,
            ErrorKind::FragmentOutside { .. } => Quirk::FragmentOutside,
            ErrorKind::Overlap => Quirk::FragmentOverlap,
            ErrorKind::IdOutOfRange { .. } => Quirk::NameRange,
            ErrorKind::IdCycle(_) => Quirk::NameCycle,
            ErrorKind::Truncated("a name") => Quirk::NameCut,
            _ => Quirk::TableCut,
        }
    }
}

impl chess_core::Quirk for Quirk {
    fn name(self) -> &'static str {
        match self {
            Quirk::NoDescription => "ca-no-description",
            Quirk::OtherVersion => "ca-other-version",
            Quirk::GameCount => "ca-game-count",
            Quirk::PartialHeader => "ca-partial-header",
            Quirk::NoNames => "ca-no-names",
            Quirk::NoTable => "ca-no-table",
            Quirk::FolderEntry => "ca-folder-entry",
            Quirk::SharedBytes => "ca-shared-bytes",
            Quirk::NoName => "ca-no-name",
            Quirk::VolumeHeader => "ca-volume-header",
            Quirk::TableCut => "ca-table-cut",
            Quirk::InnerLength => "ca-inner-length",
            Quirk::EmptyFragment => "ca-empty-fragment",
            Quirk::FragmentLength => "ca-fragment-length",
            Quirk::FragmentOutside => "ca-fragment-outside",
            Quirk::FragmentOverlap => "ca-fragment-overlap",
            Quirk::NameRange => "ca-name-range",
            Quirk::NameCycle => "ca-name-cycle",
            Quirk::NameCut => "ca-name-cut",
            Quirk::Date => "ca-date",
            Quirk::Outcome => "ca-outcome",
            Quirk::Eco => "ca-eco",
            Quirk::FilesCountedLeft => "ca-files-counted-left",
            Quirk::LongLength => "ca-long-length",
            Quirk::BranchWithoutMove => "ca-branch-without-move",
            Quirk::StrayBranchEnd => "ca-stray-branch-end",
            Quirk::OpenBranch => "ca-open-branch",
            Quirk::EnPassantMarker => "ca-en-passant-marker",
            Quirk::OwnPieceTaken => "ca-own-piece-taken",
            Quirk::PieceKind => "ca-piece-kind",
            Quirk::CastlingSquare => "ca-castling-square",
            Quirk::EnPassantSquare => "ca-en-passant-square",
            Quirk::CastlingRight => "ca-castling-right",
            Quirk::EmptyComment => "ca-empty-comment",
        }
    }

    fn message(self) -> &'static str {
        match self {
            Quirk::NoDescription => "the CDP is missing or too short",
            Quirk::OtherVersion => "the version is not the one that has been described",
            Quirk::GameCount => "the CDP and the D00 count the games differently",
            Quirk::PartialHeader => "the D00 ends within a header",
            Quirk::NoNames => "the EMB is missing or unreadable, every name is unknown",
            Quirk::NoTable => "a table of names is missing or unreadable",
            Quirk::FolderEntry => "an entry of the root folder is not of the usual form",
            Quirk::SharedBytes => "two inner files share bytes of the EMB",
            Quirk::NoName => "the table of a name could not be read",
            Quirk::VolumeHeader => "the EMB has not the header of one",
            Quirk::TableCut => "a table of fragments is cut short",
            Quirk::InnerLength => "an inner file is said to be longer than its volume",
            Quirk::EmptyFragment => "a fragment is empty",
            Quirk::FragmentLength => "fragments have more bytes than their file",
            Quirk::FragmentOutside => "a fragment lies outside the EMB",
            Quirk::FragmentOverlap => "fragments of a file overlap",
            Quirk::NameRange => "the id of a name is out of range",
            Quirk::NameCycle => "the redirects of a name lead nowhere",
            Quirk::NameCut => "the record of a name is cut short",
            Quirk::Date => "the date is none",
            Quirk::Outcome => "the outcome is not one of the sixteen known",
            Quirk::Eco => "the ECO code is above E99",
            Quirk::FilesCountedLeft => {
                "the first games are legal only with files counted towards a"
            }
            Quirk::LongLength => "the length of the record makes sense only as three bytes",
            Quirk::BranchWithoutMove => "a branch has no move to replace",
            Quirk::StrayBranchEnd => "a branch ends that never began",
            Quirk::OpenBranch => "a branch does not end",
            Quirk::EnPassantMarker => "marker and move disagree about en passant",
            Quirk::OwnPieceTaken => "a piece takes one of its own side",
            Quirk::PieceKind => "the code is for another kind of piece",
            Quirk::CastlingSquare => "a king castles that is not on the e-file of its first rank",
            Quirk::EnPassantSquare => "the en passant square is on the wrong rank",
            Quirk::CastlingRight => "a castling right without king and rook for it",
            Quirk::EmptyComment => "a comment without even a type",
        }
    }
}
