//! Sizes, offsets and code tables of the format. A port starts by copying these.
//!
//! Numbers are big-endian. Header offsets refer to the unmasked bytes; see
//! [`header`](crate::header).

/// Size of a record's header.
pub const HEADER_SIZE: usize = 14;
/// Size of the set-up block at the end of a record that has one.
pub const SETUP_SIZE: usize = 33;
/// Maximum length of the player text, and of the source text.
pub const NAME_LIMIT: usize = 63;
/// Maximum length of a comment section.
pub const COMMENTS_LIMIT: usize = 0xffff;
/// Maximum length of a move section. Its header field counts one more.
pub const MOVES_LIMIT: usize = 0xfffe;
/// Maximum length of a record.
pub const RECORD_LIMIT: usize =
    HEADER_SIZE + 2 * NAME_LIMIT + MOVES_LIMIT + COMMENTS_LIMIT + SETUP_SIZE;
/// Size of an index entry.
pub const ENTRY_SIZE: usize = 4;

/// Offsets in a record's header. cbf §3 "Record header"
pub mod offset {
    /// Year minus 1900, signed.
    pub const YEAR: usize = 0;
    /// Result and evaluation of a line.
    pub const RESULT: usize = 1;
    /// Length of the move section plus one, two bytes.
    pub const MOVES_SIZE: usize = 2;
    /// Length of the player text; two bits of the ECO code.
    pub const PLAYERS: usize = 4;
    /// Length of the source text; two bits of the ECO code.
    pub const SOURCE: usize = 5;
    /// Length of the comment section, two bytes.
    pub const COMMENTS_SIZE: usize = 6;
    /// White's rating.
    pub const WHITE_ELO: usize = 8;
    /// Black's rating.
    pub const BLACK_ELO: usize = 9;
    /// Set-up, marks, five bits of the ECO code or the state of a set-up.
    pub const FLAGS_1: usize = 10;
    /// ECO sub-code or en passant file; version bit.
    pub const FLAGS_2: usize = 11;
    /// Number of full moves of the main line.
    pub const MOVE_COUNT: usize = 12;
    /// Checksum of the header.
    pub const CHECKSUM: usize = 13;
}

/// Bits of [`offset::FLAGS_1`]. cbf §3.2 "Flags"
pub mod flag {
    /// The game has a set-up block.
    pub const SETUP: u8 = 0x01;
    /// With a set-up: Black is to move.
    pub const BLACK_TO_MOVE: u8 = 0x02;
    /// With a set-up: White may castle on the queen's side.
    pub const WHITE_LONG: u8 = 0x04;
    /// With a set-up: White may castle on the king's side.
    pub const WHITE_SHORT: u8 = 0x08;
    /// With a set-up: Black may castle on the queen's side.
    pub const BLACK_LONG: u8 = 0x10;
    /// With a set-up: Black may castle on the king's side.
    pub const BLACK_SHORT: u8 = 0x20;
    /// The game is marked (bold in the list of games).
    pub const MARKED: u8 = 0x40;
    /// The game is deleted (grey in the list of games).
    pub const DELETED: u8 = 0x80;
    /// In [`offset::FLAGS_2`](super::offset::FLAGS_2): possibly identifies the writing program.
    pub const VERSION: u8 = 0x40;
}

/// The year byte that means none.
pub const NO_YEAR: i8 = 127;
/// The year that a year byte of zero means.
pub const YEAR_BASE: u16 = 1900;
/// The base of a rating byte, which counts in steps of [`ELO_STEP`].
pub const ELO_BASE: u16 = 1600;
/// Rating points per step.
pub const ELO_STEP: u16 = 5;

/// Bytes of a move section other than moves. cbf §5 "Moves"
pub mod mark {
    /// Set in a move's byte when it has a comment record.
    pub const COMMENTED: u8 = 0x80;
    /// Starts a variation: an alternative to the previous move.
    pub const VARIATION: u8 = 0xff;
    /// Ends the variation or, on the main line, the game.
    pub const END: u8 = 0x80;
    /// Ends the game.
    pub const STOP: u8 = 0x00;
    /// The highest move number.
    pub const HIGHEST: u8 = 0x7f;
}

/// Special bytes of a comment section. cbf §7 "Comments"
pub mod text {
    /// Before and after every record.
    pub const BORDER: u8 = 0xff;
    /// A line break.
    pub const BREAK: u8 = 0xfe;
    /// A blank, inside a text.
    pub const BLANK: u8 = 0x00;
    /// The piece symbols in the order of their bytes.
    pub const PIECES: [(u8, char); 6] = [
        (0xb1, '\u{2654}'), // king
        (0xb2, '\u{2655}'), // queen
        (0xb3, '\u{2658}'), // knight
        (0xb4, '\u{2657}'), // bishop
        (0xb5, '\u{2656}'), // rook
        (0xb6, '\u{2659}'), // pawn
    ];

    /// The signs of pieces in words of player texts, in this encoding's DOS pages.
    // cbf §4.2.10
    pub const PLAYER_PIECES: [(u8, char); 6] = [
        (0xa2, '\u{2654}'), // king
        (0xa3, '\u{2655}'), // queen
        (0xa4, '\u{2658}'), // knight
        (0xa5, '\u{2657}'), // bishop
        (0xa6, '\u{2656}'), // rook
        (0xa7, '\u{2659}'), // pawn
    ];
}

/// The evaluations of a result byte of the kind "line", by code. cbf §3.1 "Result"
pub const LINE_EVALUATIONS: [(u8, &str); 15] = [
    (1, "+-"),
    (2, "+/-"),
    (3, "+/="),
    (4, "="),
    (5, "unclear"),
    (6, "=/+"),
    (7, "-/+"),
    (8, "-+"),
    (9, "white compensation"),
    (10, "black compensation"),
    (11, "counterplay"),
    (12, "initiative"),
    (13, "attack"),
    (14, "time trouble"),
    (15, "only move"),
];

/// Limits of contemporary programs, which are known to fail beyond them. The writer warns.
/// cbf §11 "Limits"
pub mod limit {
    /// Full moves that the DOS program reads.
    pub const DOS_MOVES: u32 = 180;
    /// Games in a database that `KnightStalker` (Fritz 1) opens.
    pub const KNIGHTSTALKER_GAMES: u64 = 4_000;
    /// Games in a database.
    pub const GAMES: u64 = 65_535;
}
