//! Tolerated deviations.

chess_store::quirks! {
    /// A deviation that reading tolerates.
    MissingFile = "scid-missing-file", "this file of the base is missing, and what was in it is lost", damage;
    UncountedGames = "scid-uncounted-games", "the index has more games than its header counts";
    MissingGames = "scid-missing-games", "the index has fewer games than its header counts", damage;
    PartialEntry = "scid-partial-entry", "a partial entry follows the last game of the index";
    EntryCut = "scid-entry-cut", "the index ends within an entry, whose game is lost", damage;
    NamesMagic = "scid-names-magic", "the names file does not begin with \"Scid.sn\"";
    NamesDamaged = "scid-names-damaged",
        "a name record is invalid; it and all names after it are lost", damage;
    NamesRestored = "scid-names-restored",
        "a line-end conversion damaged this file; the lost bytes were restored, and all names are readable",
        damage;
    NamesUnfinished = "scid-names-unfinished", "the last name record is truncated";
    NamesKind = "scid-names-kind", "a record of an unknown kind among the names is skipped";
    RecordsFound = "scid-records-found",
        "the index is missing or wrong for some games; they were found in this file by their end markers";
    IndexEmpty = "scid-index-empty", "the index file is empty; the games of the games file are lost", damage;
    NamesEmpty = "scid-names-empty", "the names file is empty; the names of all games are lost", damage;
    OtherScript = "scid-other-script",
        "the texts seem to be in letters other than Latin, and may be unreadable; name their encoding, as in --encoding windows-1251";
    MixedText = "scid-mixed-text",
        "a text mixes UTF-8 and single bytes, which were read in Windows-1252";
    NamesOrder = "scid-names-order", "a name list is out of order, which some programs refuse";
    DuplicateNameId = "scid-duplicate-name-id", "two names have the same id; the later is used", damage;
    NameIdRange = "scid-name-id-range", "the id of a name is beyond the number of names";
    NamesTrailing = "scid-names-trailing", "bytes follow the last name";
    NoName = "scid-no-name", "the game refers to a name that is not there", damage;
    Result = "scid-result", "the result code is unknown";
    Date = "scid-date", "the month of a date is above 12";
    EventDateWraps = "scid-event-date-wraps",
        "the year of the event date is above 2047; 2048 is subtracted, as Scid does";
    Eco = "scid-eco", "the opening code is after E99";
    RatingType = "scid-rating-type", "the rating type is unknown";
    RatingRange = "scid-rating-range", "a rating is above 4000";
    CrossesBlock = "scid-crosses-block",
        "the record crosses a block boundary, which some programs refuse";
    TagCode = "scid-tag-code", "a tag has an unassigned code for its name";
    BinaryEventDate = "scid-binary-event-date", "the event date is stored in the form of Scid 2";
    TagOfIndex = "scid-tag-of-index",
        "a tag of the record contradicts the index; the tag is ignored";
    NagBeforeMove = "scid-nag-before-move", "a NAG stands before the first move of its line";
    ManyNags = "scid-many-nags", "a move has more than 7 NAGs, which some programs refuse";
    SurplusComments = "scid-surplus-comments",
        "a comment without a marker has no move to belong to; it is put at the end of its line";
    TrailingBytes = "scid-trailing-bytes", "bytes follow the end of the game";
    TakesOwn = "scid-takes-own", "a piece captures a piece of its own side";
    OverEdge = "scid-over-edge", "a move crosses the edge of the board";
    CastlingRights = "scid-castling-rights", "the FEN gives castling rights that its pieces do not have; they are dropped";
}
