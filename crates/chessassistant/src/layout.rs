//! Magic numbers, sizes, offsets and code tables for porting.
//!
//! docs/formats/chessassistant.md states all of these; the code cites its sections.

/// The magic bytes of the CDP and EMB files that this crate writes.
// chessassistant §2 "CDP"
pub(crate) const SIGNATURE: &[u8] = b"Chess Assistant 3.0 database.";
/// The version text of a CDP, including the line feed.
pub(crate) const CDP_VERSION: &[u8] = b"\nChess Data Pro format. Version 1.3";
/// The version text of an EMB.
pub(crate) const EMB_VERSION: &[u8] = b"\nData Pro Volume format. Version 1.1";
/// The text common to all version texts.
pub(crate) const VERSION_MARK: &[u8] = b"Data Pro";

/// The width of the signature and of the version text in a CDP.
pub(crate) const CDP_TEXT_WIDTH: usize = 50;
/// The offset of the number of games in a CDP.
pub(crate) const CDP_GAMES: usize = 104;
/// The size of a CDP without its comment.
pub(crate) const CDP_SIZE: usize = 112;

// chessassistant §3 "EMB volume"
/// Width of the signature and of the version text in an EMB.
pub(crate) const EMB_TEXT_WIDTH: usize = 64;
/// Size of the header of an EMB.
pub(crate) const EMB_HEADER_SIZE: usize = 144;
/// Size of an entry of a fragment table: length and offset.
pub(crate) const FRAGMENT_SIZE: usize = 8;
/// Size of an entry of the root folder.
pub(crate) const ENTRY_SIZE: usize = 256;
/// The width of the name in an entry of the root folder, including its NUL.
pub(crate) const ENTRY_NAME_WIDTH: usize = 228;
/// The longest fragment that this crate writes.
pub(crate) const FRAGMENT_LENGTH: u32 = 512;
/// Extensions of the seven inner files of each table, in the order of the root folder.
pub(crate) const INNER_EXTENSIONS: [&str; 7] = ["cdp", "iii", "axx", "dxx", "d00", "a01", "d01"];

// chessassistant §4 "Names"
/// Size of a player's entry in `Players.d00`.
pub(crate) const PLAYER_INFO_SIZE: usize = 10;
/// The most redirects followed in a chain. The program needs one for each replacement of an entry,
/// so a longer chain is damage or malice.
pub(crate) const MAX_REDIRECTS: u32 = 256;
/// The highest id that a header can hold.
pub(crate) const MAX_ID: u32 = 0x00ff_ffff;

// chessassistant §5 "D00"
/// Size of a game's header in the D00.
pub(crate) const ROW_SIZE: usize = 38;
/// The ECO field that this crate writes for a game without a code.
pub(crate) const NO_ECO: u16 = 500;
/// The outcome byte of an undecided or unknown game.
pub(crate) const OUTCOME_UNKNOWN: u8 = 4;
/// The assessments of the outcomes 5 to 16, as the program's lists show them.
pub(crate) const ASSESSMENTS: [&str; 12] =
    ["+/-", "-/+", "+/=", "=/+", "+-", "-+", "=", "Inf", "=/Inf", "->", "^", "->/<-"];

// chessassistant §5 "D00"
/// The names of the game types 1 to 30 in the description.
pub(crate) const GAME_TYPES: [&str; 30] = [
    "own game",
    "historic",
    "model",
    "annotated in books",
    "computer",
    "opening",
    "middlegame",
    "endgame",
    "strategy",
    "tactics",
    "test",
    "blunder",
    "kingside attack",
    "queenside attack",
    "counter-attack",
    "typical pawn structure",
    "piece play",
    "positional sacrifice",
    "material imbalance",
    "endgame transition",
    "opposite-coloured bishops",
    "space",
    "defence",
    "prophylaxis",
    "drawing methods",
    "own analysis",
    "computer analysis",
    "tablebase analysis",
    "psychology",
    "miscellaneous",
];

/// The name of a game type, if the description has it.
pub(crate) fn game_type_name(number: u32) -> Option<&'static str> {
    GAME_TYPES.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
}

// chessassistant §7 "Game record"
/// The longest record with a two-byte length.
pub(crate) const MAX_RECORD: usize = 32_767;
/// The longest record with a three-byte length, in the reading of §7 "Length".
pub(crate) const MAX_LONG_RECORD: usize = 0x1f_ffff;

/// The deepest nesting of branches that is read. A level takes a KiB of memory, and a record of
/// this length could begin a million branches.
pub(crate) const MAX_DEPTH: usize = 4096;

/// The first code that is not a plain move.
pub(crate) const CASTLE_LONG: u8 = 207;
pub(crate) const CASTLE_SHORT: u8 = 208;
pub(crate) const PROMOTION: u8 = 209;
pub(crate) const EN_PASSANT: u8 = 210;
pub(crate) const NULL_MOVE: u8 = 211;
/// Codes 212 to 219: a move of the piece that replaced pawn 0 to 7.
pub(crate) const EXTENDED: u8 = 212;
pub(crate) const LAST_EXTENDED: u8 = 219;
pub(crate) const EXTENDED_LAST: u8 = 219;
pub(crate) const SETUP: u8 = 230;
pub(crate) const BRANCH_BEGIN: u8 = 231;
pub(crate) const BRANCH_END: u8 = 232;
/// One byte follows, of unknown meaning.
pub(crate) const UNKNOWN_233: u8 = 233;
pub(crate) const SYMBOL: u8 = 234;
pub(crate) const COMMENT: u8 = 235;
pub(crate) const LONG_COMMENT: u8 = 236;

/// The size of the block after [`SETUP`].
pub(crate) const SETUP_SIZE: usize = 76;

// chessassistant §9 "Comments"
pub(crate) const SYMBOL_AFTER: u8 = 2;
pub(crate) const SYMBOL_BEFORE: u8 = 3;
pub(crate) const TEXT_AFTER: u8 = 4;
pub(crate) const TEXT_BEFORE: u8 = 5;
pub(crate) const DIAGRAM_AFTER: u8 = 8;
pub(crate) const DIAGRAM_BEFORE: u8 = 9;
pub(crate) const ENGINE_EVAL: u8 = 29;
/// The bytes after the centipawns of an [`ENGINE_EVAL`].
pub(crate) const EVAL_TAIL: [u8; 2] = [0xff, 0x00];
/// The text that may follow these bytes.
pub(crate) const EVAL_CAP: &[u8] = b"CAP";
/// The glyph of a diagram.
pub(crate) const DIAGRAM_NAG: u16 = 220;

// chessassistant §8 "Moves"
/// The piece numbers of one colour: 0-7 pawns, 8 and 9 knights, 10 and 11 bishops, 12 and 13 rooks,
/// 14 the queen, 15 the king, 16 and 17 additional pieces.
pub(crate) const PIECE_NUMBERS: u8 = 18;
pub(crate) const KING_NUMBER: u8 = 15;
pub(crate) const QUEEN_ROOK: u8 = 12;
pub(crate) const KING_ROOK: u8 = 13;

// The steps of a piece in code order, as hexadecimal digits: ranks up, then files towards h, both
// modulo 8.
pub(crate) const WHITE_PAWN_STEPS: [u8; 4] = [0x10, 0x17, 0x11, 0x20];
pub(crate) const BLACK_PAWN_STEPS: [u8; 4] = [0x70, 0x77, 0x71, 0x60];
pub(crate) const KNIGHT_STEPS: [u8; 8] = [0x67, 0x76, 0x16, 0x27, 0x21, 0x12, 0x72, 0x61];
pub(crate) const BISHOP_STEPS: [u8; 13] =
    [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x17, 0x26, 0x35, 0x53, 0x62, 0x71];
pub(crate) const ROOK_STEPS: [u8; 14] =
    [0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x70, 0x60, 0x50, 0x40, 0x30, 0x20, 0x10];
pub(crate) const KING_STEPS: [u8; 8] = [0x11, 0x77, 0x17, 0x71, 0x07, 0x01, 0x70, 0x10];
pub(crate) const QUEEN_STEPS: [u8; 27] = [
    0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x17, 0x26, 0x35, 0x53, 0x62, 0x71, 0x07, 0x06, 0x05,
    0x04, 0x03, 0x02, 0x01, 0x70, 0x60, 0x50, 0x40, 0x30, 0x20, 0x10,
];
/// The additional pieces 16 and 17 may have any role except pawn and king: bishop, rook, knight.
pub(crate) const OFFICER_STEPS: [u8; 35] = [
    0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x17, 0x26, 0x35, 0x53, 0x62, 0x71, 0x07, 0x06, 0x05,
    0x04, 0x03, 0x02, 0x01, 0x70, 0x60, 0x50, 0x40, 0x30, 0x20, 0x10, 0x67, 0x76, 0x16, 0x27, 0x21,
    0x12, 0x72, 0x61,
];

/// The first move code of each piece from 8 to 17, and its steps.
pub(crate) const OFFICERS: [(u8, u8, &[u8]); 10] = [
    (8, 32, &KNIGHT_STEPS),
    (9, 40, &KNIGHT_STEPS),
    (10, 48, &BISHOP_STEPS),
    (11, 61, &BISHOP_STEPS),
    (12, 74, &ROOK_STEPS),
    (13, 88, &ROOK_STEPS),
    (14, 102, &QUEEN_STEPS),
    (15, 129, &KING_STEPS),
    (16, 137, &OFFICER_STEPS),
    (17, 172, &OFFICER_STEPS),
];

/// A decoded plain move code: the piece number, and its step for White and for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    pub(crate) number: u8,
    pub(crate) steps: [u8; 2],
}

/// The meanings of the codes 0 to 206. Higher codes are not plain moves and have no step.
pub(crate) static PLAIN: [Plain; 256] = plain_moves(false);
/// The same table with files counted towards a.
pub(crate) static PLAIN_MIRRORED: [Plain; 256] = plain_moves(true);

/// The code of each step of each piece from 8 to 17; 0 for none.
pub(crate) static OFFICER_CODES: [[u8; 128]; 10] = officer_codes();

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "evaluated by the compiler"
)]
const fn officer_codes() -> [[u8; 128]; 10] {
    let mut table = [[0; 128]; 10];
    let mut officer = 0;
    while officer < OFFICERS.len() {
        let (_, first, steps) = OFFICERS[officer];
        let mut step = 0;
        while step < steps.len() {
            table[officer][steps[step] as usize] = first + step as u8;
            step += 1;
        }
        officer += 1;
    }
    table
}

/// The step with its file direction reversed.
#[allow(clippy::arithmetic_side_effects, reason = "the masked operand is at most 7")]
pub(crate) const fn mirrored(step: u8) -> u8 {
    step & 0x70 | (8 - (step & 7)) & 7
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "evaluated by the compiler"
)]
const fn plain_moves(mirror: bool) -> [Plain; 256] {
    let mut table = [Plain { number: 0, steps: [0, 0] }; 256];
    let mut code = 0;
    while code < 32 {
        let steps = [WHITE_PAWN_STEPS[code & 3], BLACK_PAWN_STEPS[code & 3]];
        table[code] = Plain { number: code as u8 >> 2, steps };
        code += 1;
    }
    let mut officer = 0;
    while officer < OFFICERS.len() {
        let (number, first, steps) = OFFICERS[officer];
        let mut step = 0;
        while step < steps.len() {
            table[first as usize + step] = Plain { number, steps: [steps[step], steps[step]] };
            step += 1;
        }
        officer += 1;
    }
    let mut code = 0;
    while mirror && code < 207 {
        let [white, black] = table[code].steps;
        table[code].steps = [mirrored(white), mirrored(black)];
        code += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_moves_agree_with_table() {
        let table = include_str!("../../../docs/formats/tables/chessassistant-codes.tsv");
        let rows: Vec<_> = table.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(rows.len(), usize::from(CASTLE_LONG));
        for (code, row) in rows.into_iter().enumerate() {
            let cells: Vec<_> = row.split('\t').collect();
            let [number, piece, white, black] = cells[..] else { panic!("{row}") };
            assert_eq!(number.parse(), Ok(code));
            let steps = [white, black].map(|step| u8::from_str_radix(step, 16).unwrap());
            assert_eq!(PLAIN[code], Plain { number: piece.parse().unwrap(), steps }, "{row}");
        }
    }

    #[test]
    fn layout_described_codes_have_their_moves() {
        let cases = [
            (0, 0, 0x10, 0x70),    // pawn 0 forward
            (31, 7, 0x20, 0x60),   // pawn 7, two squares
            (32, 8, 0x67, 0x67),   // queen's knight
            (47, 9, 0x61, 0x61),   // king's knight, last step
            (60, 10, 0x71, 0x71),  // queen's bishop, last step
            (61, 11, 0x11, 0x11),  // king's bishop, first step
            (74, 12, 0x07, 0x07),  // queen's rook
            (101, 13, 0x10, 0x10), // king's rook, last step
            (102, 14, 0x11, 0x11), // queen
            (128, 14, 0x10, 0x10), // queen, last step
            (129, 15, 0x11, 0x11), // king
            (136, 15, 0x10, 0x10), // king, last step
            (137, 16, 0x11, 0x11), // extra piece 16
            (171, 16, 0x61, 0x61), // its last step
            (172, 17, 0x11, 0x11), // extra piece 17
            (206, 17, 0x61, 0x61), // its last step
        ];
        for (code, number, white, black) in cases {
            assert_eq!(PLAIN[code], Plain { number, steps: [white, black] }, "code {code}");
        }
        for (code, plain) in PLAIN.iter().enumerate().take(207) {
            assert!(plain.steps.iter().all(|step| *step != 0), "code {code}");
        }
        for (code, plain) in PLAIN.iter().enumerate().take(207).skip(32) {
            let codes = OFFICER_CODES[usize::from(plain.number) - 8];
            assert_eq!(usize::from(codes[usize::from(plain.steps[0])]), code);
        }
        assert_eq!(PLAIN_MIRRORED[1].steps, [0x11, 0x71]);
        assert_eq!(PLAIN_MIRRORED[0].steps, [0x10, 0x70]);
    }
}
