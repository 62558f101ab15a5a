//! Deviations that are tolerated.

chess_store::quirks! {
    /// A deviation from the format of `.2cbh` bases.
    MissingFile = "cbh2-missing-file", "a file of the base is missing; its data is lost", damage;
    ShortFile = "cbh2-short-file", "the file ends inside a record";
    MissingGames = "cbh2-missing-games", "the header counts more records than there are", damage;
    HeaderCount = "cbh2-header-count", "the header counts fewer records than there are";
    GuidingTexts = "cbh2-guiding-texts", "the base contains guiding texts, which are not read as games";
    RecordKind = "cbh2-record-kind", "the record is neither a game nor a text nor an analysis; it is read as a game";
    NotEntities = "cbh2-not-names", "the file is not a valid name file; all its names are unknown", damage;
    EntityCount = "cbh2-name-count", "the name file does not hold all names that its header counts", damage;
    UnknownName = "cbh2-unknown-name", "the header refers to a name that does not exist", damage;
    DeletedName = "cbh2-deleted-name", "the header refers to a deleted name; it is unknown", damage;
    NameCut = "cbh2-name-cut", "the fields of a name do not fit its record; the missing ones are empty", damage;
    CodePage = "cbh2-code-page", "a name is not UTF-8; it is read as Windows-1252";
    UnknownResult = "cbh2-unknown-result", "the result code is above 7";
    OddDate = "cbh2-odd-date", "month, day or year of a date is out of range";
    OddEco = "cbh2-odd-eco", "the number of the opening is out of range";
    OddRating = "cbh2-odd-rating", "a rating or a round is negative; it is read as unknown";
    Checksum = "cbh2-checksum", "the checksum of the record contradicts its content", damage;
    FrameEnd = "cbh2-frame-end", "the size at the end of the record contradicts its sizes";
    FrameTag = "cbh2-frame-tag", "the tag of the record is unknown";
    MissingEnd = "cbh2-missing-end", "the record ends without the end of a line", damage;
    EndRubbish = "cbh2-end-rubbish", "bytes follow the end of the record's content";
    CastlingRight = "cbh2-castling-right", "a side castles without the right in the start position; the right is added";
    EnPassant = "cbh2-en-passant", "the first move takes en passant without the square in the start position; the square is added";
    SetupRights = "cbh2-setup-rights", "the start position has a castling right without king or rook";
    SetupPieces = "cbh2-setup-pieces", "the start position has two pieces on a square; the last one counts";
    AnnotationPlace = "cbh2-annotation-place", "an annotation refers to a move that does not exist";
    AnnotationOrder = "cbh2-annotation-order", "annotations are not in the order of the moves";
    AnnotationSquares = "cbh2-annotation-squares", "squares or arrows have an odd size or a square that does not exist", damage;
    AnnotationsCut = "cbh2-annotations-cut", "the annotations are truncated", damage;
    UnknownAnnotation = "cbh2-unknown-annotation", "the type of an annotation is unknown; the rest of the record is kept as bytes";
    SharedAnnotations = "cbh2-shared-annotations",
        "the annotations overlap those of many games; only their first bytes are read", damage;
    NoAnnotations = "cbh2-no-annotations", "the header points to annotations that do not exist", damage;
}
