//! The deviations from the standard that the reader tolerates.

chess_store::quirks! {
    /// A deviation that lenient diagnostics report as a warning, and strict diagnostics as an
    /// error.
    ByteOrderMark = "pgn-byte-order-mark", "a byte order mark stands inside the text";
    TextBetweenGames = "pgn-text-between-games", "text that belongs to no game was passed over";
    StrayResult = "pgn-stray-result", "a result without a game was passed over";
    BlankLineInTags = "pgn-blank-line-in-tags", "an empty line divides the tag section";
    DuplicateTag = "pgn-duplicate-tag", "a tag is given twice, and the last typed value holds";
    TagQuoting = "pgn-tag-quoting", "quotes or backslashes in a tag's value are not escaped";
    UnclosedTag = "pgn-unclosed-tag", "a tag is not closed by a quote and a bracket";
    WrappedTag = "pgn-wrapped-tag", "a tag's value goes on in the next line";
    CommentInTags = "pgn-comment-in-tags", "a comment stands between the tags, and was kept before the first move";
    UnquotedTag = "pgn-unquoted-tag", "a tag's value is not quoted";
    CastlingRights = "pgn-castling-rights", "the FEN gives castling rights that its pieces do not have; they are dropped";
    MoveNumber = "pgn-move-number", "the move number of the FEN is above 65535, and the moves are numbered from 1";
    EmptyFen = "pgn-empty-fen", "the FEN tag holds no position, and the usual start is taken";
    FenSlash = "pgn-fen-slash", "the board of the FEN ends with a slash, which is taken out";
    NotUtf8 = "pgn-not-utf8", "a text is not UTF-8 and was read in another encoding";
    NestedComment = "pgn-nested-comment", "a comment stands inside a comment";
    UnclosedComment = "pgn-unclosed-comment", "a comment is not closed";
    StrayBrace = "pgn-stray-brace", "a comment ends that was never started";
    CommentAfterResult = "pgn-comment-after-result", "a comment follows the result";
    UnclosedVariation = "pgn-unclosed-variation", "the game ends inside a variation";
    StrayVariationEnd = "pgn-stray-variation-end", "a variation ends that was never started";
    MisplacedVariation = "pgn-misplaced-variation", "a variation that replaces no move was passed over";
    ResultInVariation = "pgn-result-in-variation", "a result inside a variation was passed over";
    ResultMismatch = "pgn-result-mismatch", "the result after the moves is not that of the tag";
    ResultSpelling = "pgn-result-spelling", "the result is not spelt 1-0, 0-1, 1/2-1/2 or *";
    MissingResult = "pgn-missing-result", "no result follows the moves";
    MissingSpace = "pgn-missing-space", "a move follows without a space";
    ZeroCastling = "pgn-zero-castling", "castling is not written with capital letters O and hyphens";
    KingCastling = "pgn-king-castling", "castling is written as a king's move of two squares";
    LongMove = "pgn-long-move", "a move names both squares without need, or uses a hyphen";
    CaptureSign = "pgn-capture-sign", "a capture is not marked by x";
    PromotionSign = "pgn-promotion-sign", "a promotion is not written as = and a capital letter";
    MissingPromotion = "pgn-missing-promotion", "a pawn reaches the last rank without promotion, taken for a queen";
    PieceLetter = "pgn-piece-letter", "a piece is a small letter, a figurine, or a pawn's P";
    ForeignLetters = "pgn-foreign-letters", "the pieces have the letters of another language than English";
    IllegalMove = "pgn-illegal-move", "the rules do not allow the move, but which is meant is clear";
    NullMoveSpelling = "pgn-null-move-spelling", "a null move is not spelt --";
    EnPassantMark = "pgn-en-passant-mark", "e.p. stands after a move";
    Glyph = "pgn-glyph", "an evaluation stands in place of a NAG";
    BadNag = "pgn-bad-nag", "$ without a number up to 65535 was passed over";
    StraySign = "pgn-stray-sign", "a sign without meaning was passed over";
    EmptyVariation = "pgn-empty-variation", "a variation without a move was taken out, and its text kept as a comment";
    TextInParentheses = "pgn-text-in-parentheses", "text in parentheses or in the comment signs of a program was read as a comment";
    TextBeforeMoves = "pgn-text-before-moves", "text between the tags and the moves was passed over";
    UnknownWord = "pgn-unknown-word", "a word that is no move was passed over";
    Lookalike = "pgn-lookalike", "a move has dashes or letters that only look like those of ASCII";
    FurtherError = "pgn-further-error", "another line of the game is cut at an unreadable or illegal move";
}
