//! Tolerated deviations.

chess_store::quirks! {
    /// A deviation from the format of a book.
    IllegalMove = "book-illegal-move", "the move is not legal in its position; it is ignored";
    WalkLimit = "book-walk-limit", "the book has more positions than the limit; the others are not visited";
    LineDepth = "book-line-depth", "the line has more than 1024 plies; the rest is ignored", damage;
    BookResults = "book-results", "there are more results than games";
    CrowdedPosition = "book-crowded-position",
        "the position has more than 1024 moves; the others are ignored", damage;

    Tail = "polyglot-tail", "the file ends inside an entry, which is ignored", damage;
    Unsorted = "polyglot-unsorted",
        "the key is lower than the one before; programs do not find all positions of the book", damage;
    Duplicate = "polyglot-duplicate", "the position has this move twice";
    NullMove = "polyglot-null-move", "the move is a1a1; it is ignored";
    PromotionCode = "polyglot-promotion-code", "the promotion code is above 4; the move is ignored";

    PageCut = "ctg-page-cut", "the file ends inside a page, which is ignored", damage;
    PageUsed = "ctg-page-used", "the page says that it uses more or fewer bytes than its records have";
    BadRecord = "ctg-bad-record", "the record cannot be read; the rest of its page is ignored", damage;
    BadPosition = "ctg-bad-position", "the position is not 64 squares with two kings; it is ignored", damage;
    MoveCode = "ctg-move-code", "the code of the move is not known; the move is ignored", damage;
    MoveUnsure = "ctg-move-unsure", "the code of the move fits two legal moves; the move is ignored";
    NoIndex = "ctg-no-index", "the .cto or the .ctb is missing; all pages are searched instead", damage;
    IndexCut = "ctg-index-cut", "the .cto ends before this index, which the .ctb includes", damage;
    PageNumber = "ctg-page-number", "the index names a page beyond the end of the .ctg", damage;
    Misplaced = "ctg-misplaced", "the index does not lead to the page of this position", damage;
    PositionCount = "ctg-position-count", "the header states another number of positions", damage;

    TreeLink = "abk-link", "the link leads outside of the entries; it is ignored", damage;
    TreeCycle = "abk-cycle", "the link leads to an entry that was reached before; it is ignored", damage;
    TreeTail = "abk-tail", "the file ends inside an entry, which is ignored", damage;
    TreeUnreached = "abk-unreached", "some entries are in no line of the book", damage;
    TreeMoves = "abk-moves", "the header states another number of moves", damage;

    MoveCount = "obk-move-count", "the header states another number of moves than the tree has", damage;
    MovesAfter = "obk-moves-after", "bytes follow the tree of moves, which is complete; they are ignored", damage;
    MovesCut = "obk-moves-cut", "the file ends before the tree of moves is complete", damage;
    EmptyMove = "obk-empty-move", "the move is a1a1; it is ignored";
    NoteCut = "obk-note-cut", "the file ends inside a note, which is ignored", damage;
}
