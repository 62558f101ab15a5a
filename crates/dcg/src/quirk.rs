//! Tolerated deviations.

chess_store::quirks! {
    /// A deviation from the format as the author's program writes it.
    ShortHeader = "dcg-short-header", "the index ends inside its header", damage;
    ShortIndex = "dcg-short-index", "the index ends inside an entry", damage;
    IndexEmpty = "dcg-index-empty", "the index has no entries; the games of the games file are lost", damage;
    MissingFile = "dcg-missing-file", "a file of the base is missing", damage;
    WrongMagic = "dcg-wrong-magic", "the file does not start with its magic";
    ZeroedFile = "dcg-zeroed-file", "the file starts with zero bytes instead of its magic; its content is lost", damage;
    UnknownVersion = "dcg-unknown-version", "the version byte is not 0";
    DefaultOffset = "dcg-default-offset",
        "the game to show first is stored as an offset, as in the description";
    DefaultMissing = "dcg-default-missing", "the game to show first is not in the base";
    UnknownStatus = "dcg-unknown-status", "the status is neither 00 nor FF";
    UnknownResult = "dcg-unknown-result", "the result code is above 3";
    OddDate = "dcg-odd-date", "year, month or day is out of range";
    OddEco = "dcg-odd-eco", "the ECO bytes are not text";
    DanglingName = "dcg-dangling-name", "a name reference points beyond the name file", damage;
    MisalignedName = "dcg-misaligned-name", "a name reference points into the middle of a name", damage;
    ShortName = "dcg-short-name", "the name file ends inside a name", damage;
    SplitCharacter = "dcg-split-character", "the name was cut inside a UTF-8 character";
    ZeroPadding = "dcg-zero-padding", "the name is padded with zero bytes";
    NotUtf8 = "dcg-not-utf8", "the text is not UTF-8";
    Length7f = "dcg-length-7f", "a length of 127 is written in one byte";
    OverlongLength = "dcg-overlong-length", "a length is written in more bytes than it needs";
    ReversedLength = "dcg-reversed-length", "a record length has its bytes reversed";
    IllegalMove = "dcg-illegal-move", "the rules do not allow this move";
    RookCastling = "dcg-rook-castling", "castling is written as the king capturing its own rook";
    OtherScript = "dcg-other-script",
        "the texts seem to be in letters other than Latin, and may be unreadable; name their encoding, as in --encoding windows-1251";
    ForeignPromotion =
        "dcg-foreign-promotion", "the promotion code belongs to the numbering this base does not use";
    IdlePromotion = "dcg-idle-promotion", "a promotion code on a move that does not promote";
    PromotionsUnsure = "dcg-promotions-unsure",
        "no game tells the numbering of the promotions; they could be other pieces; --option promotions=program or promotions=described decides";
    CommentBeforeVariation =
        "dcg-comment-before-variation", "a comment stands before the first move of a variation";
    EmptyNags = "dcg-empty-nags", "a list of NAGs is empty";
    NagsBeforeMove = "dcg-nags-before-move", "NAGs stand before the first move of a line";
    UnclosedVariation = "dcg-unclosed-variation", "the record ends inside a variation";
    CastlingRights = "dcg-castling-rights", "the FEN gives castling rights that its pieces do not have; they are dropped";
}
