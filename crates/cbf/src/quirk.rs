//! What the reader tolerates.

use chess_core::Quirk as _;

macro_rules! quirks {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $message:literal;)*) => {
        /// A deviation that a lenient reader tolerates and a strict one refuses.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Quirk {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Quirk {
            /// All of them.
            pub const ALL: &[Quirk] = &[$(Quirk::$variant,)*];
        }

        impl chess_core::Quirk for Quirk {
            fn name(self) -> &'static str {
                match self { $(Quirk::$variant => $name,)* }
            }

            fn message(self) -> &'static str {
                match self { $(Quirk::$variant => $message,)* }
            }
        }
    };
}

quirks! {
    /// cbf §1.2 "Without an index"
    IndexMissing "cbf-index-missing" "there is no .cbi; the records are walked by their own sizes";
    /// cbf §1.2 "Without an index"
    IndexShort "cbf-index-short" "the .cbi is shorter than its number of games asks for";
    /// cbf §1.2 "Without an index"
    IndexWrong "cbf-index-wrong" "the .cbi names places where no record fits";
    /// cbf §1.2 "Without an index"
    IndexUnused "cbf-index-unused" "the .cbi is set aside; the records are walked by their own sizes";
    /// cbf §1.1 "Index entries"
    IndexEnd "cbf-index-end" "the last .cbi entry is not the end of the .cbf";
    /// cbf §1.2 "Without an index"
    LostRecord "cbf-lost-record" "bytes that are no record lie between this game and the one before";
    /// cbf §3.3 "Checksum"
    Checksum "cbf-checksum" "the checksum is neither of the two known: a game closed to others, or damaged";
    /// cbf §3.1 "Result"
    ResultBits "cbf-result-bits" "bits of the result byte are set that mean nothing there";
    /// cbf §3.2 "Flags"
    SpareBits "cbf-spare-bits" "bits of the header are set that mean nothing there";
    /// cbf §3 "Record header"
    MoveCount "cbf-move-count" "the header's number of moves is not that of the main line";
    /// cbf §3 "Record header"
    MovesSize "cbf-moves-size" "the size of the move section is zero, below its least value";
    /// cbf §6.3 "Dialects"
    NoStaleFile "cbf-no-stale-file" "legal only if castling ends the en passant numbering";
    /// cbf §6.3 "Dialects"
    NoEdgePawn "cbf-no-edge-pawn" "legal only if pawns on the a-file take no extra number";
    /// cbf §6.3 "Dialects"
    PlainNumbers "cbf-plain-numbers" "legal only if no en passant number stands for no move";
    /// cbf §6.3 "Dialects"
    NextAfterPhantom "cbf-next-after-phantom" "legal only if a number without a move stands for the next move";
    /// cbf §5 "Moves"
    EndMark "cbf-end-mark" "the move section ends with a mark";
    /// cbf §5 "Moves"
    AfterEnd "cbf-after-end" "bytes follow the end of the game in the move section";
    /// cbf §5 "Moves"
    EmptyVariation "cbf-empty-variation" "a variation without moves was passed over";
    /// cbf §5 "Moves"
    OpenVariation "cbf-open-variation" "the move section ends inside a variation";
    /// cbf §7 "Comments"
    CommentBorder "cbf-comment-border" "the comment section does not start and end with FF";
    /// cbf §7 "Comments"
    CommentMissing "cbf-comment-missing" "a move says it has a comment, but there are no more";
    /// cbf §7 "Comments"
    CommentSurplus "cbf-comment-surplus" "there are more comments than moves that say they have one";
    /// cbf §8 "Set-up"
    SetupPiece "cbf-setup-piece" "the set-up holds a piece code without meaning";
    /// cbf §8 "Set-up"
    SetupState "cbf-setup-state" "the set-up allows castling or en passant that its board does not";
    /// cbf §11 "Limits"
    ManyMoves "cbf-many-moves" "more than 180 moves, which the DOS program does not read";
    /// cbf §11 "Limits"
    ManyGames "cbf-many-games" "more games than programs of the time open";
    /// cbf §12 "FBK books"
    BookSpareBit "fbk-spare-bit" "bit 6 of a target byte is set";
    /// cbf §12 "FBK books"
    BookOpenEnd "fbk-open-end" "the book ends inside a line";
    /// cbf §12 "FBK books"
    BookUnreached "fbk-unreached" "alternatives are announced that never come";
    /// cbf §12 "FBK books"
    BookExperimental "fbk-experimental" "no genuine book is known; this reading is untried";
}

impl core::fmt::Display for Quirk {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.message())
    }
}
