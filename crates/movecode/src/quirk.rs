//! The deviations that a lenient reader tolerates.

chess_store::quirks! {
    /// A deviation the reader tolerates, or reports as an error when strict.
    ReservedCode = "movecode-reserved-code", "a reserved code, read as jose reads it";
    SecondByte = "movecode-second-byte", "the second byte of a promotion code has unexpected bits";
    LongNag = "movecode-long-nag", "a NAG from 1 to 31 takes two bytes";
    IllegalMove = "movecode-illegal-move", "the move is illegal";
    ExtraPiece = "movecode-extra-piece", "the start position has a piece without a slot";
    ResultInside = "movecode-result-inside", "the codes go on after a result";
    ResultDisagrees = "movecode-result-disagrees",
        "the result of the codes is not that of the header";
    NoEnd = "movecode-no-end", "the codes have no end code";
    BytesAfterEnd = "movecode-bytes-after-end", "there are bytes after the end";
    OpenVariation = "movecode-open-variation", "a variation is still open at the end";
    MissingText = "movecode-missing-text", "there is no text left for this code", damage;
    SurplusText = "movecode-surplus-text", "there are more texts than codes";
    UnendedText = "movecode-unended-text", "the last text has no terminator";
    TextEncoding = "movecode-text-encoding", "a text is not UTF-8";
    DamagedRow = "movecode-damaged-row", "a row of the table is damaged", damage;
    MissingTable = "movecode-missing-table", "a table of the base is missing", damage;
    MissingEntry = "movecode-missing-entry", "the row refers to an entry that does not exist", damage;
    ArchiveCut = "movecode-archive-cut", "the archive breaks off inside a file", damage;
    TableTwice = "movecode-table-twice",
        "the archive contains a table more than once; the last one that is not empty is used";
    PlyCount = "movecode-ply-count", "the number of half-moves is not that of the row";
    BadDate = "movecode-bad-date", "the date is invalid";
    BadValue = "movecode-bad-value", "a value is out of range";
    ArchiveDamaged = "movecode-archive-damaged", "the archive is damaged: a checksum or a length in it is wrong", damage;
    UnknownColumn = "movecode-unknown-column", "a column unknown to this reader has a value";
    EvalSize = "movecode-eval-size",
        "the column Eval does not have four bytes for each move; it is read as far as it goes";
    MoveNumber = "movecode-move-number", "the move number of the FEN is above 65535, and the moves are numbered from 1";
    PublishedDialect = "movecode-published-dialect",
        "the codes are as jose's published description has them, not as jose writes them";
    CastlingRights = "movecode-castling-rights", "the FEN gives castling rights that its pieces do not have; they are dropped";
}
