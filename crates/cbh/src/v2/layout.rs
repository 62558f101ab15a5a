//! Sizes, offsets and codes of `.2cbh` bases: the constants to port first.
//!
//! All numbers are little-endian, except the headers of `.2lid` and `.2lcd` and the checksums of
//! records.

/// The size of the header of a `.2cbh` and of its records. Record *n*, from 1, has the offset *n*
/// times this size. // cbh2 §3.1 "Header of the file"
pub const RECORD_SIZE: usize = 192;
/// The first number of the header. // cbh2 §3.1 "Header of the file"
pub const HEADER_MARK: i16 = 38;
/// The version in the header. // cbh2 §3.1 "Header of the file"
pub const VERSION: u8 = 5;

/// The size of the header of `.2cbg` and `.2cba`. // cbh2 §4.1 "Header and record"
pub const FRAMES_HEADER: usize = 12;
/// The bytes at the start of a record. // cbh2 §4.1 "Header and record"
pub const FRAME_MARK: [u8; 8] = [0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11];
/// The bytes of a record before its content: mark, two sizes, checksum, tag.
pub const FRAME_START: usize = 26;
/// The bytes of a record beside its content and its spare bytes.
pub const FRAME_SIZE: usize = 34;
/// The tag of a game. // cbh2 §4.1 "Header and record"
pub const TAG_GAME: [u8; 2] = [1, 0];
/// The tag of a Chess960 game.
pub const TAG_CHESS960: [u8; 2] = [2, 0];
/// The tag of a guiding text.
pub const TAG_TEXT: [u8; 2] = [0, 0x10];
/// The tag of annotations.
pub const TAG_ANNOTATIONS: [u8; 2] = [0, 0x20];

/// Words that are not moves, and the first words of the kinds of moves.
// cbh2 §4.2 "Words"
pub mod word {
    /// The null move.
    pub const NULL: u16 = 0xfffa;
    /// The start position follows.
    pub const SETUP: u16 = 0xfffb;
    /// The moves follow.
    pub const MOVES: u16 = 0xfffc;
    /// The move before this word has another alternative further on.
    pub const BRANCH: u16 = 0xfffd;
    /// The end of a line.
    pub const END: u16 = 0xffff;
    /// The first castling word of games from the usual position. White's long castling comes first,
    /// then White's short castling, then Black's.
    pub const CASTLING: u16 = 0xb129;
    /// The first castling word of Chess960: four for each start position.
    pub const CASTLING_960: u16 = 0xb12d;
    /// The first word of a piece in a start position, the white king on a1.
    pub const PIECES: u16 = 0xc02d;
    /// The first word of a white pawn in a start position.
    pub const PAWNS: u16 = 0xc2ad;
    /// The word after the last piece.
    pub const PIECES_END: u16 = 0xc30d;
    /// The start position is Chess960, but not one of its 960 start positions.
    pub const SETUP_960: u16 = 1000;
}

/// The end of the blocks of a `.2cba` record. // cbh2 §5.1 "Record"
pub const BLOCKS_END: i32 = 0x7fff_ffff;

/// The number of entity types. // cbh2 §6.1 "File"
pub const ENTITY_TYPES: usize = 6;
/// The size of the header of a `.2lid`. // cbh2 §6.1 "File"
pub const ENTITY_HEADER: usize = 184;
/// The sizes of the containers: player, tournament, source, an unused type, team, title.
pub const CONTAINERS: [u32; ENTITY_TYPES] = [1024, 1120, 220, 1024, 314, 532];
/// The bytes of a deleted entity after its size. // cbh2 §6.3 "Deleted entities"
pub const ENTITY_DELETED: [u8; 8] = [0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99];

/// The size of the header of a `.2lgd`. // cbh2 §7 "Games of each entity"
pub const GAMES_HEADER: usize = 12;
/// The size of a record of a `.2lgd`: the heads of all entities of an id, and a list block.
pub const GAMES_RECORD: usize = 512;
/// The size of a page of a `.2lcd`. // cbh2 §8 "Sort orders"
pub const PAGE: usize = 4096;
/// The nodes on a page of a `.2lcd`.
pub const NODES_ON_PAGE: u64 = 102;
/// The ECO number for the usual start position of a Chess960 game.
pub const ECO_USUAL_960: u16 = crate::layout::ECO_CHESS960 + 518;
