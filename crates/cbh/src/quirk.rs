//! What is tolerated.

chess_store::quirks! {
    /// A deviation from the format as ChessBase writes it.
    MissingFile = "cbh-missing-file", "this file of the base is missing, and what was in it is lost", damage;
    DamagedFile = "cbh-damaged-file", "a file in the archive is damaged, and taken for missing", damage;
    ShortFile = "cbh-short-file", "the file ends inside a record";
    MissingGames = "cbh-missing-games", "the header counts more records than there are", damage;
    HeaderCount = "cbh-header-count", "the header counts fewer records than there are";
    GuidingTexts = "cbh-guiding-texts", "the base has texts beside its games, which are not read as games";
    ExtendedCut = "cbh-extended-cut",
        "the file ends before its last record; teams and titles of the last games are lost", damage;
    NotEntities = "cbh-not-names", "this is not a file of names: all names it should have are unknown", damage;
    EntitySize = "cbh-entity-size", "the file of names does not hold the records its header speaks of", damage;
    UnknownName = "cbh-unknown-name", "the header names an entity that is not there", damage;
    CutName = "cbh-cut-name", "a name filled its field and lost bytes of its last character";
    DeletedName = "cbh-deleted-name", "the header names an entity that was deleted";
    UnknownResult = "cbh-unknown-result", "the code of the result is above 7";
    OddDate = "cbh-odd-date", "month, day or year of a date is out of range";
    OddEco = "cbh-odd-eco", "the number of the opening is out of range";
    MissingEnd = "cbh-missing-end", "the record ends without the end of the game";
    EndRubbish = "cbh-end-rubbish", "bytes follow the end of the game";
    IgnoredCode = "cbh-ignored-code", "a code without meaning stands between the moves";
    ExtraBits = "cbh-extra-bits", "a move that promotes nothing says what to";
    CastlingRight = "cbh-castling-right", "a side castles whose right the start position does not have";
    SetupBoard = "cbh-setup-board", "the start position has a code that is no piece";
    SetupRights = "cbh-setup-rights", "the start position has a castling right without king or rook";
    AnnotationGame = "cbh-annotation-game", "the annotations name another game";
    AnnotationCount = "cbh-annotation-count", "the annotations are another number than they say";
    AnnotationPlace = "cbh-annotation-place", "an annotation belongs to a move that is not there";
    AnnotationOrder = "cbh-annotation-order", "annotations are not in the order of the moves";
    AnnotationsCut = "cbh-annotations-cut", "the annotations end inside one", damage;
    SharedAnnotations = "cbh-shared-annotations",
        "the annotations take in those of many games; only their first bytes are read", damage;
    NoAnnotations = "cbh-no-annotations", "the header points to annotations that are not there", damage;
}
