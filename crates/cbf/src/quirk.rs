//! The deviations that a lenient reader tolerates.

chess_store::quirks! {
    /// A deviation that a lenient reader tolerates and a strict one refuses.
    // cbf §1.2 "Without an index"
    IndexMissing = "cbf-index-missing",
        "there is no .cbi; the records are walked by their own sizes";
    IndexShort = "cbf-index-short", "the .cbi is shorter than its number of games asks for";
    IndexWrong = "cbf-index-wrong", "the .cbi points to offsets where no record fits";
    IndexUnused = "cbf-index-unused",
        "the .cbi is set aside; the records are walked by their own sizes";
    GamesLost = "cbf-games-lost",
        "the .cbi has more games than the .cbf; the others are lost", damage;
    // cbf §1.1 "Index entries"
    IndexEnd = "cbf-index-end", "the last .cbi entry is not the end of the .cbf";
    // cbf §1.2 "Without an index"
    LostRecord = "cbf-lost-record",
        "bytes between the previous game and this one belong to no record";
    // cbf §3.3 "Checksum"
    Checksum = "cbf-checksum",
        "the checksum is neither of the two known values: a closed game, or a damaged one";
    // cbf §3.1 "Result"
    ResultBits = "cbf-result-bits", "the result byte has bits set that have no meaning";
    // cbf §3.2 "Flags"
    SpareBits = "cbf-spare-bits", "the header has bits set that have no meaning";
    // cbf §3 "Record header"
    MoveCount = "cbf-move-count", "the header's number of moves is not that of the main line";
    MovesSize = "cbf-moves-size", "the size of the move section is zero, below the minimum of one";
    // cbf §6.3 "Dialects"
    LateEnPassant = "cbf-late-en-passant",
        "legal only if en passant that castling delayed is played, as ChessBase allowed it";
    NoStaleFile = "cbf-no-stale-file",
        "the moves are numbered as if castling ended the en passant file";
    NoEdgePawn = "cbf-no-edge-pawn",
        "the moves are numbered as if pawns on the a-file took no extra number";
    PlainNumbers = "cbf-plain-numbers",
        "the moves are numbered as if each en passant number stood for a move";
    UsualNumbers = "cbf-usual-numbers",
        "the moves are numbered in the usual way, unlike most games of this base";
    NextAfterPhantom = "cbf-next-after-phantom",
        "legal only if a number without a move stands for the next move";
    NumberingUnsure = "cbf-numbering-unsure",
        "another numbering makes the moves legal too, but gives different ones; --option dialect= decides";
    ForbiddenMove = "cbf-forbidden-move", "an illegal move was kept";
    // cbf §5 "Moves"
    EndMark = "cbf-end-mark", "the move section ends with a mark";
    AfterEnd = "cbf-after-end", "bytes follow the end of the game in the move section";
    EmptyVariation = "cbf-empty-variation", "a variation without moves was skipped";
    OpenVariation = "cbf-open-variation", "the move section ends inside a variation";
    // cbf §7 "Comments"
    CommentBorder = "cbf-comment-border", "the comment section does not start and end with FF";
    CommentMissing = "cbf-comment-missing", "a move is flagged as commented, but no comment is left";
    CommentSurplus = "cbf-comment-surplus",
        "there are more comments than moves flagged as commented";
    // cbf §8 "Set-up"
    SetupPiece = "cbf-setup-piece", "the set-up contains an invalid piece code";
    SetupState = "cbf-setup-state",
        "the set-up allows castling or en passant that its board does not";
    // cbf §4.4 "Character sets"
    OtherScript = "cbf-other-script",
        "the texts seem to be in letters other than Latin, and may be unreadable; name their encoding, as in --encoding windows-1251";
    // cbf §11 "Limits"
    ManyMoves = "cbf-many-moves", "more than 180 moves, which the DOS program does not read";
    ManyGames = "cbf-many-games", "more games than programs of the time open";
    // cbf §12 "FBK books"
    BookSpareBit = "fbk-spare-bit", "bit 6 of a target byte is set";
    BookOpenEnd = "fbk-open-end", "the book ends inside a line";
    BookUnreached = "fbk-unreached", "alternatives are announced that never come";
    BookExperimental = "fbk-experimental", "no genuine book is known; this reading is untried";
}
