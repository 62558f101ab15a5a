//! Magics, sizes, offsets and codes: what a porter copies first.
//!
//! All integers are big-endian. Offsets are absolute byte offsets in a file.

/// First bytes of the index, `.dci`. // dcg §3 "Index header"
pub const INDEX_MAGIC: &[u8; 10] = b"SimpleCDbi";
/// First bytes of the player names, `.dcn`. // dcg §5 "Names"
pub const PLAYERS_MAGIC: &[u8; 10] = b"SimpleCDbn";
/// First bytes of the sites, `.dcs`. // dcg §5 "Names"
pub const SITES_MAGIC: &[u8; 10] = b"SimpleCDbs";
/// First bytes of the events, `.dce`. // dcg §5 "Names"
pub const EVENTS_MAGIC: &[u8; 10] = b"SimpleCDbe";
/// First bytes of the games, `.dcg`. // dcg §6 "Game record"
pub const GAMES_MAGIC: &[u8; 10] = b"SimpleCDbg";
/// Length of every magic.
pub const MAGIC_SIZE: u64 = 10;

/// The version byte after the index magic. // dcg §3 "Index header"
pub const VERSION: u8 = 0;
/// Where the eight bytes of the default game stand. // dcg §3 "Index header"
pub const OPEN_DEFAULT_OFFSET: u64 = 11;

/// The two shapes of an index. // dcg §2 "Versions"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Since 17 January 2017: a header of 19 bytes, entries of 39.
    Current,
    /// Builds of the two weeks before: only the magic, and entries of 35 bytes without an event.
    Old,
}

impl Layout {
    /// Bytes before the first entry of the index.
    #[must_use]
    pub const fn header_size(self) -> u64 {
        match self {
            Layout::Current => 19,
            Layout::Old => 10,
        }
    }

    /// Bytes of one entry of the index.
    #[must_use]
    pub const fn entry_size(self) -> u64 {
        match self {
            Layout::Current => 39,
            Layout::Old => 35,
        }
    }

    /// How many entries so many bytes hold, and how many bytes are left over.
    pub(crate) const fn count_entries(self, bytes: u64) -> (u64, u64) {
        match self {
            Layout::Current => (bytes / 39, bytes % 39),
            Layout::Old => (bytes / 35, bytes % 35),
        }
    }

    /// Where the entry of a game, numbered from zero, stands in the index. A number too large for
    /// any file gives an offset beyond any file.
    #[must_use]
    pub const fn entry_offset(self, game: u64) -> u64 {
        game.saturating_mul(self.entry_size()).saturating_add(self.header_size())
    }
}

/// Bytes of the longest entry. // dcg §4 "Index entry"
pub const ENTRY_SIZE: usize = 39;
/// Where the reference to White's name stands in an entry. // dcg §4 "Index entry"
pub const WHITE_REF: usize = 9;
/// Where that to Black's name stands. // dcg §4 "Index entry"
pub const BLACK_REF: usize = 13;
/// Where that to the site stands. // dcg §4 "Index entry"
pub const SITE_REF: usize = 19;
/// Where that to the event stands, in the current layout. // dcg §4 "Index entry"
pub const EVENT_REF: usize = 23;

/// Status of a game that is there. // dcg §4 "Index entry"
pub const STATUS_LIVE: u8 = 0x00;
/// Status of a game marked as deleted. // dcg §4 "Index entry"
pub const STATUS_DELETED: u8 = 0xff;

/// Bytes of one name, padded with spaces. // dcg §5 "Names"
pub const NAME_SIZE: usize = 36;
/// From the start of one name to the next.
pub const NAME_STEP: u64 = NAME_SIZE as u64;
/// The reference that points to no name. // dcg §5 "Names"
pub const NO_NAME: u32 = 0;

/// A record that starts from the usual position. // dcg §6.2 "Start position"
pub const FEN_NONE: u8 = 0x00;
/// A record with a FEN. // dcg §6.2 "Start position"
pub const FEN_FOLLOWS: u8 = 0x01;

/// Begins an alternative to the last move. // dcg §6.4 "Tags"
pub const TAG_VARIATION: u8 = 0x84;
/// Ends it. // dcg §6.4 "Tags"
pub const TAG_VARIATION_END: u8 = 0x85;
/// A length and a text follow. // dcg §6.4 "Tags"
pub const TAG_COMMENT: u8 = 0x86;
/// A length and so many NAGs follow. // dcg §6.4 "Tags"
pub const TAG_NAGS: u8 = 0x87;
/// The side to move passes. // dcg §6.4 "Tags"
pub const TAG_NULL_MOVE: u8 = 0x88;
/// The bit that tells tags from moves in a first byte. // dcg §6.3 "Moves"
pub const TAG_BIT: u8 = 0x80;

/// The shortest length that needs more than one byte. // dcg §6.1 "Lengths"
pub const LONG_LENGTH: u32 = 127;
/// First byte of a length of one more byte; 0x82, 0x83 and 0x84 have two, three and four.
pub const LENGTH_1: u8 = 0x81;
