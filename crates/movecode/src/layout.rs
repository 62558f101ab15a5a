//! The tables of the byte code. A port starts by copying these.
//!
//! A game is one stream of bytes. A move code names a piece by its slot, and a value gives its target.
//! All other codes are placed between the moves exactly as in PGN.

use chess_core::Role;

/// First code of the moves of each piece a side starts with: eight pawns, two knights, two
/// bishops, two rooks, the queen, the king. Its last code stands right before the next piece's
/// first, the king's before [`CASTLE_KING_SIDE`].
pub const FIRST_CODES: [u8; 16] = [
    0x00, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c, // pawns: direction in bits 0 and 1
    0x20, 0x28, // knights: direction in bits 0 to 2
    0x30, 0x40, // bishops: target in bits 0 to 3
    0x50, 0x60, // rooks: target in bits 0 to 3
    0x70, // the queen: 32 targets
    0x90, // the king: eight directions
];
/// Castling on the king's side.
pub const CASTLE_KING_SIDE: u8 = 0x98;
/// Castling on the queen's side.
pub const CASTLE_QUEEN_SIDE: u8 = 0x99;
/// The null move.
pub const NULL_MOVE: u8 = 0x9a;
/// First code of promotions, by pawn slot; a second byte follows.
pub const PROMOTION: u8 = 0xa0;
/// First code of the moves of promoted pieces, by pawn slot; a second byte follows.
pub const PROMOTED: u8 = 0xa8;
/// A NAG in the second byte; codes up to `0xcf` are NAGs 1 to 31 themselves.
pub const NAG: u8 = 0xb0;
/// 0-1; then come the draw, 1-0 and `*`.
pub const RESULT: u8 = 0xd0;
/// The first text code: a comment.
pub const COMMENT: u8 = 0xe0;
/// Starts a variation: an alternative to the previous move.
pub const VARIATION_START: u8 = 0xf0;
/// Ends the innermost variation.
pub const VARIATION_END: u8 = 0xf1;
/// Ends the game.
pub const END: u8 = 0xff;

/// Always set in the second byte of promotions and moves of promoted pieces, so that it is never 0.
pub const SECOND_BYTE: u8 = 0x20;

/// Maximum nesting depth of variations. A deeper game counts as damaged.
pub const MAX_DEPTH: usize = 4096;

/// A step on the board: files to the right and ranks up, as White sees it.
pub type Step = (i8, i8);

/// The steps of a white pawn in directions 0 to 3. A black pawn's steps are negated in both files and
/// ranks.
pub const PAWN_STEPS: [Step; 4] = [(0, 1), (1, 1), (-1, 1), (0, 2)];
/// The steps of a knight of either colour.
pub const KNIGHT_STEPS: [Step; 8] =
    [(2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2), (1, 2)];
/// The steps of a king of either colour.
pub const KING_STEPS: [Step; 8] =
    [(1, 1), (1, -1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, 1), (0, -1)];

/// The knight's steps as drawn in the published description: the same numbers in reverse order.
pub const PUBLISHED_KNIGHT_STEPS: [Step; 8] =
    [(1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1)];
/// The king's steps as drawn in the published description.
pub const PUBLISHED_KING_STEPS: [Step; 8] =
    [(1, 1), (-1, 1), (-1, -1), (1, -1), (0, 1), (0, -1), (-1, 0), (1, 0)];

/// The pieces encoded by bits 0 and 1 of a promotion.
pub const PROMOTION_ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The names of text codes `0xe0` to `0xe5` in front of their text, where they are not plain
/// comments: what jose could not read when it imported the game.
///
/// A comment that begins so is written with that code again.
pub const TEXT_NAMES: [&str; 6] = [
    "",
    "unreadable move: ",
    "illegal move: ",
    "ambiguous move: ",
    "unrecognised text: ",
    "empty: ",
];

/// The tag for what the codes say of the result where the header says otherwise: a PGN result,
/// or [`NO_RESULT`].
pub const RESULT_TAG: &str = "JoseResult";
/// [`RESULT_TAG`] of a game without a result code.
pub const NO_RESULT: &str = "none";

/// Attributes of a game: it has variations.
pub const HAS_VARIATIONS: u16 = 0x01;
/// Attributes of a game: it has comments or NAGs.
pub const HAS_COMMENTS: u16 = 0x02;
/// Attributes of a game: it has a text code for an import error.
pub const HAS_ERRORS: u16 = 0x04;
/// Attributes of a game: it is Chess960.
pub const IS_CHESS960: u16 = 0x08;
