//! Sizes, offsets and codes: the constants to port first.
//!
//! `.cbh`, `.cbg`, `.cba` and the records of `.cbj` are big-endian. Entity files and the header of
//! `.cbj` are little-endian. Offsets are absolute byte offsets in a file.

/// The size of the header of a `.cbh` and of its records. Record *n*, from 1, has the offset *n*
/// times this size. // cbh §3.1 "Header of the file"
pub const RECORD_SIZE: usize = 46;
/// The used header bytes since ChessBase 7. // cbh §3.1 "Header of the file"
pub const HEADER_USED: u16 = 44;

/// The bit of a record's first byte that is always set. // cbh §3.2 "Game record"
pub const TYPE_PRESENT: u8 = 0x01;
/// The record is a guiding text, not a game. // cbh §3.3 "Text record"
pub const TYPE_TEXT: u8 = 0x02;
/// The game or text is marked as deleted. // cbh §3.2 "Game record"
pub const TYPE_DELETED: u8 = 0x80;

/// The first ECO number that means a Chess960 start position. // cbh §3.2 "Game record"
pub const ECO_CHESS960: u16 = 64_576;

/// The size of the header of `.cbg` and `.cba`. // cbh §4.1 "Header and record"
pub const MOVES_HEADER: u16 = 26;
/// The size of that header in bases of ChessBase 6. // cbh §4.1 "Header and record"
pub const OLD_MOVES_HEADER: u16 = 10;
/// The record of a game starts with a position. // cbh §4.1 "Header and record"
pub const RECORD_SETUP: u8 = 0x40;
/// The record is a text. // cbh §4.1 "Header and record"
pub const RECORD_TEXT: u8 = 0x80;
/// The bits of a record's first byte that hold the mode. // cbh §4.3 "Modes"
pub const RECORD_MODE: u8 = 0x3f;
/// The maximum size of a record.
pub const MAX_RECORD: u32 = 0xff_ffff;
/// The size of a start position. // cbh §4.2 "Start position"
pub const SETUP_SIZE: usize = 28;
/// The most pieces of a start position: 24 bytes hold a bit for each square and four for each piece.
pub const MAX_PIECES: u32 = 32;
/// Extra bytes in Chess960: squares of kings and rooks, number of the position.
pub const SETUP_CHESS960: usize = 8;

/// The size of the header of a `.cba` record. // cbh §5.1 "Record"
pub const ANNOTATIONS_HEADER: usize = 14;
/// The constant bytes between game number and item count of a `.cba` record.
pub const ANNOTATIONS_MARK: [u8; 4] = [0x01, 0x00, 0x0e, 0x0e];
/// The size of the header of an item. // cbh §5.1 "Record"
pub const ITEM_HEADER: usize = 6;

/// The third number of every entity file. // cbh §6.1 "File and tree"
pub const ENTITY_MAGIC: i32 = 1_234_567_890;
/// The size of an entity file's header, without extra bytes. // cbh §6.1 "File and tree"
pub const ENTITY_HEADER: usize = 28;
/// The size of a record's links: left, right, balance. // cbh §6.1 "File and tree"
pub const ENTITY_LINKS: usize = 9;
/// The left link of a deleted record. // cbh §6.1 "File and tree"
pub const ENTITY_DELETED: i32 = -999;
/// The link that leads nowhere. // cbh §6.1 "File and tree"
pub const NO_ENTITY: i32 = -1;
/// The highest id of an entity or a game that fits a header.
pub const MAX_IDS: u32 = 0xff_ffff;

/// The size of the header of a `.cbj`. // cbh §7 "Extended headers"
pub const EXTENDED_HEADER: usize = 32;
/// The version of `.cbj` files that the writer produces. // cbh §7 "Extended headers"
pub const EXTENDED_VERSION: u32 = 11;
/// The size of its records. // cbh §7 "Extended headers"
pub const EXTENDED_RECORD: usize = 120;

/// Types of annotations. // cbh §5.2 "Types of items"
pub mod item {
    /// Text after the move.
    pub const TEXT_AFTER: u8 = 0x02;
    /// Symbols: for the move, the position, before the move.
    pub const SYMBOLS: u8 = 0x03;
    /// Coloured squares.
    pub const SQUARES: u8 = 0x04;
    /// Arrows.
    pub const ARROWS: u8 = 0x05;
    /// Time spent on the move.
    pub const TIME_SPENT: u8 = 0x07;
    /// Unknown type with its own flag.
    pub const UNKNOWN_08: u8 = 0x08;
    /// A training question.
    pub const TRAINING: u8 = 0x09;
    /// A sound.
    pub const SOUND: u8 = 0x10;
    /// A picture.
    pub const PICTURE: u8 = 0x11;
    /// Another game quoted.
    pub const QUOTATION: u8 = 0x13;
    /// A pawn structure.
    pub const PAWN_STRUCTURE: u8 = 0x14;
    /// The path of a piece.
    pub const PIECE_PATH: u8 = 0x15;
    /// White's clock.
    pub const WHITE_CLOCK: u8 = 0x16;
    /// Black's clock.
    pub const BLACK_CLOCK: u8 = 0x17;
    /// A critical position.
    pub const CRITICAL: u8 = 0x18;
    /// Correspondence moves.
    pub const CORRESPONDENCE: u8 = 0x19;
    /// Unknown type with its own flag.
    pub const UNKNOWN_1A: u8 = 0x1a;
    /// A link to a web page.
    pub const WEB_LINK: u8 = 0x1c;
    /// A video.
    pub const VIDEO: u8 = 0x20;
    /// An evaluation by an engine.
    pub const EVALUATION: u8 = 0x21;
    /// Medals.
    pub const MEDALS: u8 = 0x22;
    /// The colour of a variation.
    pub const VARIATION_COLOUR: u8 = 0x23;
    /// The time control.
    pub const TIME_CONTROL: u8 = 0x24;
    /// The time of a video stream.
    pub const VIDEO_TIME: u8 = 0x25;
    /// Evaluations of all moves.
    pub const EVALUATIONS: u8 = 0x26;
    /// Unknown type of two bytes, in `.2cba` only.
    pub const UNKNOWN_27: u8 = 0x27;
    /// Text before the move.
    pub const TEXT_BEFORE: u8 = 0x82;
    /// No type of the format: the rest of a record from an unknown type on.
    pub(crate) const REST: u8 = 0xff;
}
