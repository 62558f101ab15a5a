//! Tolerated deviations, which are reported as warnings.

use crate::error::{ErrorKind, FRAGMENT_TABLE, HEADER, NAME};

chess_store::quirks! {
    /// A deviation from the format that lenient reading accepts.
    NoDescription = "ca-no-description", "the CDP is missing or too short";
    OtherVersion = "ca-other-version", "the version is not the one that has been described";
    MissingGames = "ca-missing-games", "the CDP counts more games than the D00 has", damage;
    GameCount = "ca-game-count", "the D00 has more games than the CDP counts";
    PartialHeader = "ca-partial-header", "the D00 ends within a header", damage;
    ZeroedFile = "ca-zeroed-file", "the file consists of zero bytes; its content is lost", damage;
    NoRecords = "ca-no-records", "the A02 or the D02 is missing, only headers can be read", damage;
    NoNames = "ca-no-names", "the EMB is missing or unreadable, every name is unknown", damage;
    NoTable = "ca-no-table", "a table of names is missing or unreadable", damage;
    OtherScript = "ca-other-script",
        "the texts seem to be in letters other than Latin, and may be unreadable; name their encoding, as in --encoding windows-1251";
    OtherEncoding = "ca-other-encoding",
        "a reader will take the texts for another encoding, because a base does not tell it; name it, as in --encoding windows-1250";
    FolderEntry = "ca-folder-entry", "an entry of the root folder is not of the usual form";
    SharedBytes = "ca-shared-bytes", "two inner files share bytes of the EMB";
    NoName = "ca-no-name", "the table of a name could not be read", damage;
    VolumeHeader = "ca-volume-header", "the EMB has an invalid header";
    TableCut = "ca-table-cut", "a table of fragments is truncated", damage;
    InnerLength = "ca-inner-length", "the stated length of an inner file exceeds the volume", damage;
    EmptyFragment = "ca-empty-fragment", "a fragment is empty", damage;
    FragmentLength = "ca-fragment-length", "fragments have more bytes than their file", damage;
    FragmentOutside = "ca-fragment-outside", "a fragment lies outside the EMB", damage;
    FragmentOverlap = "ca-fragment-overlap", "fragments of a file overlap", damage;
    NameRange = "ca-name-range", "the id of a name is out of range", damage;
    NameCycle = "ca-name-cycle", "the redirects of a name lead nowhere", damage;
    NameCut = "ca-name-cut", "the record of a name is cut short", damage;
    Date = "ca-date", "the date is none";
    Outcome = "ca-outcome", "the outcome is not one of the sixteen known";
    Eco = "ca-eco", "the ECO code is above E99";
    FilesCountedLeft = "ca-files-counted-left",
        "the first games are legal only with files counted towards a";
    FilesUnsure = "ca-files-unsure",
        "files counted in another direction fit the first games as well; --option reading= decides";
    LongLength = "ca-long-length", "the length of the record is valid only as three bytes";
    BranchWithoutMove = "ca-branch-without-move", "a branch has no move to replace";
    StrayBranchEnd = "ca-stray-branch-end", "a branch ends that never began";
    OpenBranch = "ca-open-branch", "a branch does not end";
    EnPassantMarker = "ca-en-passant-marker", "marker and move disagree about en passant";
    OwnPieceTaken = "ca-own-piece-taken", "a piece captures a piece of its own side";
    PieceKind = "ca-piece-kind", "the code is for another kind of piece";
    CastlingSquare = "ca-castling-square",
        "a king castles away from the e-file of its first rank";
    EnPassantSquare = "ca-en-passant-square", "the en passant square is on the wrong rank";
    CastlingRight = "ca-castling-right", "a castling right without king and rook for it";
    SymbolCharacter = "ca-symbol-character", "a symbol is the character ! or ?, not its number";
    EmptyComment = "ca-empty-comment", "a comment without even a type";
}

impl Quirk {
    /// The quirk for an error in the volume or in a name that affects only names; `None` for any
    /// other error.
    pub(crate) fn of_names(cause: &ErrorKind) -> Option<Quirk> {
        Some(match cause {
            ErrorKind::NotOurs(_) | ErrorKind::Truncated(HEADER) => Quirk::VolumeHeader,
            ErrorKind::Truncated(FRAGMENT_TABLE) => Quirk::TableCut,
            ErrorKind::InnerTooLong { .. } => Quirk::InnerLength,
            ErrorKind::EmptyFragment => Quirk::EmptyFragment,
            ErrorKind::FragmentsTooLong(_) => Quirk::FragmentLength,
            ErrorKind::FragmentOutside { .. } => Quirk::FragmentOutside,
            ErrorKind::Overlap => Quirk::FragmentOverlap,
            ErrorKind::IdOutOfRange { .. } => Quirk::NameRange,
            ErrorKind::IdCycle(_) => Quirk::NameCycle,
            ErrorKind::Truncated(NAME) => Quirk::NameCut,
            _ => return None,
        })
    }
}
