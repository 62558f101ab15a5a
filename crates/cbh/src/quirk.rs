//! Deviations that are tolerated.

chess_store::quirks! {
    /// A deviation from the format as ChessBase writes it.
    MissingFile = "cbh-missing-file", "a file of the base is missing; its data is lost", damage;
    DamagedFile = "cbh-damaged-file", "a file in the archive is damaged and treated as missing", damage;
    ShortFile = "cbh-short-file", "the file ends inside a record";
    MissingGames = "cbh-missing-games", "the header counts more records than there are", damage;
    HeaderCount = "cbh-header-count", "the header counts fewer records than there are";
    GuidingTexts = "cbh-guiding-texts", "the base contains guiding texts, which are not read as games";
    MixedText = "cbh-mixed-text",
        "a text mixes UTF-8 and single bytes, which were read in Windows-1252";
    OtherScript = "cbh-other-script",
        "the texts seem to be in letters other than Latin, and may be unreadable; name their encoding, as in --encoding windows-1251";
    ExtendedHeader = "cbh-extended-header",
        "the file does not begin with a header; teams and titles are lost", damage;
    ExtendedCut = "cbh-extended-cut",
        "the file ends before its last record; teams and titles of the last games are lost", damage;
    NotEntities = "cbh-not-names", "the file is not a valid name file; all its names are unknown", damage;
    EntitySize = "cbh-entity-size", "the name file does not hold all records that its header counts", damage;
    UnknownName = "cbh-unknown-name", "the header refers to a name that does not exist", damage;
    CutName = "cbh-cut-name", "a name fills its field, and its last character is incomplete";
    DeletedName = "cbh-deleted-name", "the header refers to a deleted name";
    UnknownResult = "cbh-unknown-result", "the result code is above 7";
    OddDate = "cbh-odd-date", "month, day or year of a date is out of range";
    OddEco = "cbh-odd-eco", "the number of the opening is out of range";
    MissingEnd = "cbh-missing-end", "the record ends without an end-of-game code";
    EndRubbish = "cbh-end-rubbish", "bytes follow the end of the game";
    IgnoredCode = "cbh-ignored-code", "a meaningless code between the moves is skipped";
    ExtraBits = "cbh-extra-bits", "a move that is not a promotion names a promotion piece";
    CastlingRight = "cbh-castling-right", "a side castles without the right in the start position; the right is added";
    SetupBoard = "cbh-setup-board", "the start position has an invalid piece code";
    SetupRights = "cbh-setup-rights", "the start position has a castling right without king or rook";
    AnnotationGame = "cbh-annotation-game", "the annotations belong to another game";
    AnnotationCount = "cbh-annotation-count", "the number of annotations differs from the one in their header";
    AnnotationPlace = "cbh-annotation-place", "an annotation refers to a move that does not exist";
    AnnotationOrder = "cbh-annotation-order", "annotations are not in the order of the moves";
    AnnotationsCut = "cbh-annotations-cut", "the last annotation is truncated", damage;
    SharedAnnotations = "cbh-shared-annotations",
        "the annotations overlap those of many games; only their first bytes are read", damage;
    NoAnnotations = "cbh-no-annotations", "the header points to annotations that do not exist", damage;
}
